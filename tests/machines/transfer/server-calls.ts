import type { Job } from '@jiaowu/api/contract/job'
import type { TransferPorts } from '@jiaowu/machines/transfer/ports'
import type { FileRegistry } from '../../../apps/web/src/ports/transfer-ports.ts'
import { type Faults, must, expectSame } from '../../surfaces/server/checks.ts'
import {
  answers,
  type CallOf,
  type Calls,
  refuseEndedSession,
  forbidden,
  refuseHiddenRecord,
  prepareEndings,
  refuses,
  when,
} from '../../surfaces/server/endings.ts'
import type { fileSink } from '../../surfaces/server/file-sink.ts'
import { jobFaults, underWay, whenStill } from '../../surfaces/server/jobs.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import type { Api } from '../../surfaces/server/run-context.ts'
import { jobs } from './samples.ts'
import { lastLacksName, many, oddity, type Sheets, type Sort } from './server-sheets.ts'

type Call<Name extends keyof TransferPorts> = CallOf<TransferPorts, Name>

export interface Desk {
  /** The same user in another session. */
  readonly elsewhere: Api
  readonly rows: RowSet
  readonly sheets: Sheets
  readonly shelf: FileRegistry
  readonly sink: ReturnType<typeof fileSink>
  /** The job of the path; '' before it exists. */
  jobId: string
}

export function buildTransferCalls(desk: Desk): Calls<TransferPorts> {
  const { rows, sink } = desk
  return {
    recall: recall(desk),
    upload: buildUploadCall(desk),
    readJob: readJob(desk),
    resumeJob: resumeJob(desk),
    cancelJob: cancelJob(desk),
    loadRows: {
      many: answers({ records: [], total: 33 }, ({ verdict, pageSize }) => ({
        check: ({ records, total }) => [
          expectSame('rows of the page', Math.min(total, pageSize), records.length),
          records.map((row) => must(row.verdict === verdict, `a row that is not ${verdict}`)),
        ],
      })),
    },
    saveFile: {
      saved: answers(undefined, { check: () => sink.filled() }),
      refused: refuseEndedSession(),
    },
    exportSheet: {
      saved: answers({ bytes: 99, rows: 12 }, async () => {
        await rows.ensure()
        return {
          check: () =>
            expectSame('lines of the sheet', rows.aliases.length + 1, sink.takeLines().length),
        }
      }),
      refused: forbidden(),
    },
  }
}

function recall({ elsewhere, rows }: Desk): Call<'recall'> {
  return {
    few: answers(
      { jobs: [], total: 0, remembered: null },
      {
        check: async (answer) => {
          const pageSize = Math.max(1, answer.jobs.length)
          const { records } = await elsewhere.job.list({
            query: { tag: rows.tag, pageNum: 1, pageSize },
          })
          const idsOf = (list: readonly Job[]) => list.map(({ id }) => id)
          return expectSame('jobs as they are read elsewhere', idsOf(records), idsOf(answer.jobs))
        },
      },
    ),
  }
}

function buildUploadCall(desk: Desk): Call<'upload'> {
  const { rows, sheets, shelf } = desk
  const sends = (sort: Sort): Call<'upload'>[string] =>
    answers(buildSampleJob(desk, sort, jobs.checking), async (asked) => {
      await sheets.clear()
      await rows.ensure()
      const file = shelf.add(await sheets.make(sort)),
        choices = { ...asked.choices, mode: 'insert' as const, ...oddity[sort] }
      return { input: { ...asked, file, choices }, ...going(desk, 'checking') }
    })
  return {
    checking: sends('rows'),
    checkingWrong: sends('wrong'),
    checkingSkipping: sends('skipped'),
    checkingLooked: sends('looked'),
    checkingUnmapped: sends('unmapped'),
    ...(sheets.tellsApart ? { checkingKnown: sends('known') } : {}),
    forbidden: forbidden(),
    ended: refuseEndedSession(),
  }
}

/** How a job can be read follows from its kind, which the samples' ids name. */
function readJob(desk: Desk): Call<'readJob'> {
  const { rows, sheets } = desk
  const standing = prepareEndings(waitForStillJob(desk), {
    ...ofJob(['rows', 'mapped'], { good: reviews(desk, 'good', { fresh: many }) }),
    ...ofJob(['wrong'], { wrong: reviews(desk, 'wrong', { fresh: many - 1, wrong: 1 }) }),
    ...ofJob(['skipped'], {
      skipping: reviews(desk, 'skipping', { fresh: many - 1, wrong: 1 }, { onError: 'skip' }),
    }),
    ...ofJob(['looked'], {
      looked: reviews(desk, 'looked', { fresh: many }, { status: 'done', dryRun: true }),
    }),
    ...ofJob(['known'], {
      nothingNew: reviews(
        desk,
        'nothingNew',
        { same: rows.aliases.length },
        { total: rows.aliases.length },
      ),
    }),
    // The required column has an unknown heading.
    ...ofJob(['unmapped'], {
      unmapped: reads(desk, 'unmapped', { status: 'paused', phase: 'mapping', total: 0 }, (job) => [
        expectSame('columns without a field', 1, job.sheet?.columns.filter(isUnassigned).length),
        must(job.message !== null && job.message !== '', 'nobody says what is missing'),
      ]),
    }),
    ...when(({ id }) => id.endsWith('+'), {
      done: reads(desk, 'done', { status: 'done', phase: 'finished' }, async (job) => {
        const wrong = job.fileName === 'skipped.csv' ? 1 : 0
        return [
          expectSame('inserted', many - wrong, job.inserted),
          expectSame('failed', wrong, job.failed),
          expectSame('rows that are there', many - wrong, await sheets.count()),
        ]
      }),
    }),
    // All or nothing: no row of the sheet exists except the one that another user added
    // meanwhile.
    ...ofJob(['raced'], {
      failed: reads(desk, 'failed', { status: 'failed', inserted: 0 }, async (job) => [
        expectSame('rows that are there', 1, await sheets.count()),
        must(job.errors.length > 0, 'errors: nobody says which row'),
      ]),
    }),
  })
  const missing: Call<'readJob'> = {
    gone: refuses(404, { input: { id: '1' } }),
    ended: refuseEndedSession(),
  }
  return { ...standing, ...ofJob(['none'], missing) }
}

function ofJob(ids: readonly string[], endings: Call<'readJob'>): Call<'readJob'> {
  return when(({ id }) => ids.includes(id), endings)
}

function reads(
  desk: Desk,
  sample: keyof typeof jobs,
  wanted: Partial<Job>,
  more: (job: Job) => Faults | Promise<Faults>,
): Call<'readJob'>[string] {
  return answers(({ id }) => buildSampleJob(desk, id, jobs[sample], toFileName(id)), {
    check: (job) => [jobFaults(job, { total: many, ...wanted }), more(job)],
  })
}

function reviews(
  desk: Desk,
  sample: keyof typeof jobs,
  review: Partial<Job['review']>,
  wanted: Partial<Job> = {},
): Call<'readJob'>[string] {
  const isWrong = (review.wrong ?? 0) > 0
  return reads(desk, sample, { status: 'paused', phase: 'review', ...wanted }, async (job) => [
    expectSame('review', { fresh: 0, changed: 0, same: 0, wrong: 0, ...review }, job.review),
    expectSame('rows written before the review is over', 0, await desk.sheets.count()),
    isWrong ? expectSame('row of the first fault', many + 1, job.errors[0]?.row) : [],
    must(!isWrong || job.errors[0]?.msg !== '', 'errors: a fault without a sentence'),
  ])
}

function resumeJob(desk: Desk): Call<'resumeJob'> {
  const { sheets } = desk
  const raced = answers(buildSampleJob(desk, 'raced', jobs.writing), async () => {
    await sheets.race()
    return going(desk, 'writing', 'raced.csv')
  }) satisfies Call<'resumeJob'>[string]
  return {
    ...when(({ id }) => id === 'unmapped', {
      checking: answers(
        buildSampleJob(desk, 'mapped', jobs.checking),
        going(desk, 'checking', 'mapped.csv'),
      ),
    }),
    ...when(({ id }) => id !== 'unmapped', {
      writing: answers(
        ({ id }) => buildSampleJob(desk, `${id}+`, jobs.writing, `${id}.csv`),
        going(desk, 'writing'),
      ),
    }),
    ...(sheets.tellsApart ? when(({ id }) => id === 'rows', { raced }) : {}),
    // A job is visible to its owner only; others cannot tell that it exists.
    refused: refuseHiddenRecord(),
  }
}

function cancelJob(desk: Desk): Call<'cancelJob'> {
  // A job that still runs would only promise to stop.
  return prepareEndings(waitForStillJob(desk), {
    cancelled: answers(jobs.cancelled, ({ id }) => ({
      check: async ({ status }) => [
        expectSame('status', 'cancelled', status),
        expectSame('rows that are there', 0, await desk.sheets.count()),
        expectSame('the job as it is read', 'cancelled', (await readJobElsewhere(desk, id)).status),
      ],
    })),
    refused: refuseHiddenRecord(),
  })
}

/** @param fileName another than that of the upload: the job fails, or its columns were assigned */
function going(desk: Desk, phase: 'checking' | 'writing', fileName?: string) {
  return underWay<Job>(phase, {
    more: fileName === undefined ? {} : { fileName },
    mayFail: fileName !== undefined,
    started: ({ id }) => {
      desk.jobId = id
    },
  })
}

function readJobElsewhere({ elsewhere }: Desk, id: string): Promise<Job> {
  return elsewhere.job.get({ params: { id } })
}

function waitForStillJob(desk: Desk) {
  return whenStill((id) => readJobElsewhere(desk, id))
}

/** The sample of a job under the id that determines how it continues. */
function buildSampleJob({ rows, sheets }: Desk, id: string, job: Job, fileName = `${id}.csv`): Job {
  const wrong = lastLacksName(id as Sort) ? 1 : 0
  const columns = sheets.fields.map(({ attrName }, index) => ({
    column: index + 1,
    letter: 'A',
    header: attrName,
    attrName: id === 'unmapped' && attrName === rows.name ? null : attrName,
    by: null,
    empty: 'keep' as const,
    samples: [],
  }))
  const isKnown = id === 'known',
    review = { fresh: isKnown ? 0 : many - wrong, changed: 0, same: 0, wrong }
  return {
    ...job,
    id,
    fileName,
    review: isKnown ? { ...review, same: rows.aliases.length } : review,
    sheet: jobs.good.sheet && { ...jobs.good.sheet, columns },
  }
}

/** The name of the file of a job that is read. */
function toFileName(id: string): string {
  if (id === 'mapped') return 'unmapped.csv'
  return id === 'raced' ? 'rows.csv' : `${id.replace('+', '')}.csv`
}

function isUnassigned({ attrName }: { readonly attrName: string | null }): boolean {
  return attrName === null
}
