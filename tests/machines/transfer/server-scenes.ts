import { setTimeout as pause } from 'node:timers/promises'
import { isJobOver, type Job } from '@jiaowu/api'
import type { UploadRequest } from '@jiaowu/machines'
import { createFileRegistry } from '../../../apps/web/src/ports/transfer-ports.ts'
import type { Outcome } from '@jiaowu/path-tests'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import type { RowSet } from '../../surfaces/server/rows/rows.ts'
import { refusedAs, same, type Scene, type Scenes } from '../../surfaces/server/server-driver.ts'
import type { Api, RunContext } from '../../surfaces/server/run-context.ts'
import { many, oddity, type Sheets, type Sort } from './server-sheets.ts'
import type { Subject } from '../../surfaces/server/subject.ts'

const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output

interface SceneDependencies {
  readonly run: RunContext
  readonly subject: Subject
  readonly rows: RowSet
  readonly sheets: Sheets
  readonly shelf: ReturnType<typeof createFileRegistry>
  readonly sink: ReturnType<typeof fileSink>
  /** The job of the path; an empty id before it exists. */
  readonly current: { id: string }
}

export function scenesOf(dependencies: SceneDependencies): Scenes {
  const tools = sceneTools(dependencies)
  return {
    recall: recallScenes(tools),
    upload: uploadScenes(tools),
    readJob: readJobScenes(tools),
    resumeJob: resumeJobScenes(tools),
    // The job must stand still before the call arrives: a running one would only promise to stop.
    cancelJob: cancelJobScenes(tools),
    loadRows: loadRowsScenes(tools),
    saveFile: saveFileScenes(tools),
    exportSheet: exportSheetScenes(tools),
  }
}

type SceneTools = ReturnType<typeof sceneTools>

/** What the scenes of several ports share. */
function sceneTools({ run, subject, rows, sheets, shelf, sink, current }: SceneDependencies) {
  const { api } = subject
  const reading = (
    wanted: Pick<Job, 'status'> & Partial<Job>,
    more: (job: Job) => readonly string[] | Promise<readonly string[]>,
  ) =>
    subject.usual(async ({ id }: { id: string }): Promise<Scene> => {
      await still(api, id)
      return {
        check: async (answer) => {
          const job = outputOf<Job>(answer)
          return [...jobFaults(job, wanted), ...(await more(job))]
        },
      }
    })
  const reviewing = (review: Partial<Job['review']>, wanted: Partial<Job> = {}) =>
    reading({ status: 'paused', phase: 'review', ...wanted }, async (job) => [
      ...same('review', { fresh: 0, changed: 0, same: 0, wrong: 0, ...review }, job.review),
      ...same('rows written before the review is over', 0, await sheets.count()),
      ...((review.wrong ?? 0) === 0
        ? []
        : [
            ...same('row of the first fault', many + 1, job.errors[0]?.row),
            ...(job.errors[0]?.msg === '' ? ['errors: a fault without a sentence'] : []),
          ]),
    ])
  const sent = (sort: Sort) =>
    subject.usual(async (asked: UploadRequest): Promise<Scene> => {
      await sheets.clear()
      await rows.ensure()
      return {
        input: {
          ...asked,
          file: shelf.add(await sheets.make(sort)),
          choices: { ...asked.choices, mode: 'insert', ...oddity[sort] },
        },
        ...underWay('checking'),
      }
    })
  /** The progress of a job depends on time; that it continues does not. */
  const underWay = (phase: 'checking' | 'writing', fileName: string | null = null): Scene => ({
    check: (answer) => {
      const job = outputOf<Job>(answer)
      current.id = job.id
      return (job.status === 'failed' && fileName === null) || job.status === 'cancelled'
        ? [`status: ${job.status}`]
        : []
    },
    timeless: (output) => ({
      ...(output as Job),
      status: 'running',
      phase,
      done: 0,
      ...(fileName === null ? {} : { fileName }),
    }),
  })
  // A job is visible to its owner only; others cannot tell that it exists.
  const hidden = subject.forbidden(undefined, [403, 404])
  return { api, run, subject, rows, sheets, sink, sent, underWay, reading, reviewing, hidden }
}

function recallScenes({ run, subject, rows }: SceneTools): Scenes[string] {
  return {
    few: subject.usual(() => ({
      check: async (answer) => {
        const { api: elsewhere } = await run.helper('registrar'),
          { jobs } = outputOf<{ jobs: readonly Job[] }>(answer),
          { records } = await elsewhere.job.list({
            query: { tag: rows.tag, pageNum: 1, pageSize: Math.max(1, jobs.length) },
          })
        return same(
          'jobs as they are read elsewhere',
          records.map(({ id }) => id),
          jobs.map(({ id }) => id),
        )
      },
    })),
  }
}

function uploadScenes({ subject, sheets, sent }: SceneTools): Scenes[string] {
  return {
    checking: sent('rows'),
    checkingWrong: sent('wrong'),
    checkingSkipping: sent('skipped'),
    checkingLooked: sent('looked'),
    checkingUnmapped: sent('unmapped'),
    ...(sheets.tellsApart ? { checkingKnown: sent('known') } : {}),
    forbidden: subject.forbidden(),
    ended: subject.ended(),
  }
}

function readJobScenes({ subject, rows, sheets, reading, reviewing }: SceneTools): Scenes[string] {
  return {
    good: reviewing({ fresh: many }),
    wrong: reviewing({ fresh: many - 1, wrong: 1 }),
    skipping: reviewing({ fresh: many - 1, wrong: 1 }, { onError: 'skip' }),
    looked: reviewing({ fresh: many }, { status: 'done', dryRun: true }),
    nothingNew: reviewing({ same: rows.aliases.length }, { total: rows.aliases.length }),
    // The required column has an unknown heading.
    unmapped: reading({ status: 'paused', phase: 'mapping', total: 0 }, (job) => [
      ...same(
        'columns without a field',
        [null],
        job.sheet?.columns.flatMap(({ attrName }) => (attrName === null ? [null] : [])),
      ),
      ...(job.message === null || job.message === '' ? ['nobody says what is missing'] : []),
    ]),
    done: reading({ status: 'done', phase: 'finished' }, async (job) => {
      const wrong = job.fileName === 'skipped.csv' ? 1 : 0
      return [
        ...same('inserted', many - wrong, job.inserted),
        ...same('failed', wrong, job.failed),
        ...same('rows that are there', many - wrong, await sheets.count()),
      ]
    }),
    // All or nothing: no row of the sheet exists except the one that another user added
    // meanwhile.
    failed: reading({ status: 'failed', inserted: 0 }, async (job) => [
      ...same('rows that are there', 1, await sheets.count()),
      ...(job.errors.length === 0 ? ['errors: nobody says which row'] : []),
    ]),
    ended: subject.ended(),
    gone: subject.usual(() => ({
      input: { id: '1' },
      check: (answer) => refusedAs(answer, 'refused', 404),
    })),
  }
}

function resumeJobScenes({ subject, sheets, underWay, hidden }: SceneTools): Scenes[string] {
  return {
    writing: subject.usual(() => underWay('writing')),
    checking: subject.usual(() => underWay('checking', 'mapped.csv')),
    ...(sheets.tellsApart
      ? {
          raced: subject.usual(async () => {
            await sheets.race()
            return underWay('writing', 'raced.csv')
          }),
        }
      : {}),
    refused: hidden,
  }
}

function cancelJobScenes({ api, subject, sheets, hidden }: SceneTools): Scenes[string] {
  return {
    cancelled: subject.usual(async ({ id }: { id: string }) => {
      await still(api, id)
      return {
        check: async (answer) => [
          ...same('status', 'cancelled', outputOf<Job>(answer).status),
          ...same('rows that are there', 0, await sheets.count()),
          ...same('the job as it is read', 'cancelled', (await still(api, id)).status),
        ],
      }
    }),
    refused: hidden,
  }
}

function loadRowsScenes({ subject }: SceneTools): Scenes[string] {
  return {
    many: subject.usual(({ verdict, pageSize }: { verdict: string; pageSize: number }) => ({
      check: (answer) => {
        const { records, total } = outputOf<{
          records: readonly { verdict: string }[]
          total: number
        }>(answer)
        return [
          ...same('rows of the page', Math.min(total, pageSize), records.length),
          ...records
            .filter((row) => row.verdict !== verdict)
            .map(() => `a row that is not ${verdict}`),
        ]
      },
    })),
  }
}

function saveFileScenes({ subject, sink }: SceneTools): Scenes[string] {
  return {
    saved: subject.usual(() => ({
      check: () => (sink.take().length > 0 ? [] : ['an empty file']),
    })),
    refused: subject.ended(),
  }
}

function exportSheetScenes({ subject, rows, sink }: SceneTools): Scenes[string] {
  return {
    saved: subject.usual(async () => {
      await rows.ensure()
      return {
        check: () => {
          const lines = new TextDecoder().decode(sink.take()).trim().split(/\r?\n/)
          return same('lines of the sheet', rows.aliases.length + 1, lines.length)
        },
      }
    }),
    refused: subject.forbidden(),
  }
}

/** Waits until the job stands still, at most a minute. */
async function still(api: Api, id: string): Promise<Job> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const job = await api.job.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await pause(50)
  }
  throw new Error(`job ${id} does not stand still within a minute`)
}

function jobFaults(job: Job, wanted: Pick<Job, 'status'> & Partial<Job>): string[] {
  return Object.entries({ total: many, ...wanted }).flatMap(([what, value]) =>
    same(what, value, job[what as keyof Job]),
  )
}
