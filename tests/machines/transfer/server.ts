import { setTimeout as pause } from 'node:timers/promises'
import { type Field, isJobOver, type Job, type WireValue } from '@jiaowu/api'
import type { FileFacts, TransferInput, UploadRequest } from '@jiaowu/machines'
import { createFileRegistry, transferPorts } from '../../../apps/web/src/ports/transfer-ports.ts'
import type { Outcome, Spec } from '@jiaowu/path-tests'
import { transferModels } from './model.ts'
import { jobs as sampleJobs } from './samples.ts'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import { newValues, type RowSet } from '../../surfaces/server/rows.ts'
import {
  no,
  ok,
  refusedAs,
  same,
  type Scene,
  type Scenes,
  type Stage,
} from '../../surfaces/server/server-driver.ts'
import type { ServerParts } from '../../surfaces/server/server-part.ts'
import type { Api, RunContext } from '../../surfaces/server/run-context.ts'

/** Rows of a sheet; more than one page of a review. */
const many = 60
const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output

/** The peculiarity of a sheet or of its import, kept in the file name, which the job stores. */
type Sort = 'rows' | 'wrong' | 'skipped' | 'looked' | 'unmapped' | 'known'
const oddity: Readonly<Record<Sort, Partial<UploadRequest['choices']>>> = {
  rows: {},
  wrong: {},
  skipped: { onError: 'skip' },
  looked: { dryRun: true },
  unmapped: {},
  known: { mode: 'upsert' },
}
const lastLacksName = (sort: Sort): boolean => sort === 'wrong' || sort === 'skipped'

/**
 * An import as a job from the upload to the last row, a sheet with a wrong row, a cancelled job, an
 * export.
 */
export const serverTransfer: ServerParts = async ({ run, registrar, listed }) => {
  const subject = await registrar(),
    rows = await listed(),
    sheets = await sheetsFor(run, rows),
    sink = fileSink()
  const { api } = subject
  run.onClose(`imported rows of ${rows.tag}`, sheets.clear)
  run.onClose('what was remembered of imports', async () => {
    await (await run.helper('registrar')).api.job.forget({ params: { tag: rows.tag } })
  })
  const shelf = createFileRegistry(),
    ports = transferPorts({ api, saveFile: sink.save }, shelf, {
      onSent: () => {},
      onReceived: () => {},
    })
  const facts: FileFacts = { key: 'rows.csv', name: 'rows.csv', size: 1000 }
  let current = ''
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
      current = job.id
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
  const scenes: Scenes = {
    recall: {
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
    },
    upload: {
      checking: sent('rows'),
      checkingWrong: sent('wrong'),
      checkingSkipping: sent('skipped'),
      checkingLooked: sent('looked'),
      checkingUnmapped: sent('unmapped'),
      ...(sheets.tellsApart ? { checkingKnown: sent('known') } : {}),
      forbidden: subject.forbidden(),
      ended: subject.ended(),
    },
    readJob: {
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
    },
    resumeJob: {
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
    },
    // The job must stand still before the call arrives: a running one would only promise to stop.
    cancelJob: {
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
    },
    loadRows: {
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
    },
    saveFile: {
      saved: subject.usual(() => ({
        check: () => (sink.take().length > 0 ? [] : ['an empty file']),
      })),
      refused: subject.ended(),
    },
    exportSheet: {
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
    },
  }
  const columnsOf = (id: string) =>
    sheets.fields.map(({ attrName }, index) => ({
      column: index + 1,
      letter: 'A',
      header: attrName,
      attrName: id === 'unmapped' && attrName === rows.name ? null : attrName,
      by: null,
      empty: 'keep',
      samples: [],
    }))
  const at = (id: string, job: Job, fileName = `${id}.csv`): Outcome => {
    const wrong = lastLacksName(id as Sort) ? 1 : 0
    return ok({
      ...job,
      id,
      fileName,
      review:
        id === 'known'
          ? { fresh: 0, changed: 0, same: rows.aliases.length, wrong }
          : { fresh: many - wrong, changed: 0, same: 0, wrong },
      sheet: { ...sampleJobs.good.sheet, columns: columnsOf(id) },
    })
  }
  const { checking, writing } = sampleJobs
  const samples: Readonly<Record<string, (input: never) => Readonly<Record<string, Outcome>>>> = {
    recall: () => ({ few: ok({ jobs: [], total: 0, remembered: null }) }),
    upload: () => ({
      checking: at('rows', checking),
      checkingWrong: at('wrong', checking),
      checkingSkipping: at('skipped', checking),
      checkingLooked: at('looked', checking),
      checkingUnmapped: at('unmapped', checking),
      ...(sheets.tellsApart ? { checkingKnown: at('known', checking) } : {}),
      forbidden: no('refused', 403),
      ended: no('session', 401),
    }),
    // The outcomes of reading a job follow from its kind, which the samples' ids name.
    readJob: ({ id }: { id: string }): Readonly<Record<string, Outcome>> => {
      const ends: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
        rows: { good: at(id, sampleJobs.good) },
        mapped: { good: at(id, sampleJobs.good, 'unmapped.csv') },
        wrong: { wrong: at(id, sampleJobs.wrong) },
        skipped: { skipping: at(id, sampleJobs.skipping) },
        looked: { looked: at(id, sampleJobs.looked) },
        unmapped: { unmapped: at(id, sampleJobs.unmapped) },
        known: { nothingNew: at(id, sampleJobs.nothingNew) },
        raced: { failed: at(id, sampleJobs.failed, 'rows.csv') },
        none: { gone: no('refused', 404), ended: no('session', 401) },
      }
      return ends[id] ?? { done: at(id, sampleJobs.done, id.replace('+', '.csv')) }
    },
    resumeJob: ({ id }: { id: string }): Readonly<Record<string, Outcome>> =>
      id === 'unmapped'
        ? { checking: at('mapped', checking), refused: no('refused', 404) }
        : {
            writing: at(`${id}+`, writing, `${id}.csv`),
            ...(sheets.tellsApart && id === 'rows' ? { raced: at('raced', writing) } : {}),
            refused: no('refused', 404),
          },
    cancelJob: () => ({ cancelled: ok(sampleJobs.cancelled), refused: no('refused', 404) }),
    loadRows: () => ({ many: ok({ records: [], total: 33 }) }),
    saveFile: () => ({ saved: ok(undefined), refused: no('session', 401) }),
    exportSheet: () => ({ saved: ok({ bytes: 99, rows: 12 }), refused: no('refused', 403) }),
  }
  const namesRows = (mapping: readonly { readonly attrName: string | null }[]) =>
    mapping.some(({ attrName }) => attrName === rows.name)
  const base = Object.values(transferModels.parts)[0] as Spec<unknown>
  const bare = { bare: {} }
  const part = (
    input: TransferInput,
    events: Readonly<Record<string, object>>,
    fewer: Readonly<Record<string, readonly string[]>> = {},
    pick: Spec<unknown>['pick'] = () => ({}),
  ) => {
    const spec: Spec<unknown> = {
      ...base,
      sneak: [],
      pick,
      input: () => input,
      events: events as Spec<unknown>['events'],
      outcomes: Object.fromEntries(
        Object.entries(samples).map(([port, of]) => [
          port,
          (asked: never) =>
            Object.fromEntries(
              Object.entries(of(asked)).filter(([name]) => fewer[port]?.includes(name) ?? true),
            ),
        ]),
      ),
      key: (s) => {
        const c = s.context
        return JSON.stringify([
          s.value,
          c.job?.fileName ?? null,
          c.file !== null,
          c.id !== null,
          c.job?.status === 'queued' ? 'running' : (c.job?.status ?? null),
          c.job?.status === 'paused'
            ? [c.job.review.wrong > 0, c.job.phase, namesRows(c.mapping)]
            : null,
          c.job?.status === 'paused' && c.job.phase === 'review' ? c.verdict : null,
          c.problem?.kind ?? null,
          c.saving?.what ?? null,
          c.received.bytes > 0,
        ])
      },
    }
    const stage = async (): Promise<Stage> => {
      current = ''
      shelf.add(await sheets.make('rows'))
      return {
        ports: ports as never,
        scenes,
        end: async () => {
          if (current !== '')
            await (
              await run.helper('registrar')
            ).api.job
              .cancel({ params: { id: current } })
              .catch(() => {})
          await sheets.clear()
        },
      }
    }
    return { spec, scenes, stage }
  }
  const importing: TransferInput = { tag: rows.tag, kind: 'import', modes: ['insert'], file: facts }
  return {
    sending: part(
      importing,
      { 'file.choose': { sheet: { file: facts } }, 'upload.start': bare, 'job.cancel': bare },
      { upload: ['forbidden', 'ended'] },
    ),
    writing: part(
      importing,
      {
        'job.run': bare,
        'result.save': { all: { format: 'csv', only: 'all' } },
        'transfer.restart': bare,
      },
      { upload: ['checking'] },
    ),
    reviewing: part(
      importing,
      {
        'rows.show': { fresh: { verdict: 'fresh' }, wrong: { verdict: 'wrong' } },
        'job.cancel': bare,
        'job.run': bare,
      },
      { upload: ['checking', 'checkingWrong'], resumeJob: ['refused'] },
    ),
    // A sheet whose wrong row is skipped, and one that is only checked and then written.
    choosing: part(
      importing,
      { 'job.run': bare },
      { upload: ['checkingSkipping', 'checkingLooked', 'checkingKnown'], resumeJob: ['writing'] },
    ),
    mapping: part(
      importing,
      {
        'column.assign': {
          name: {
            assignment: {
              column: sheets.fields.findIndex(({ attrName }) => attrName === rows.name) + 1,
              attrName: rows.name,
              empty: 'keep',
            },
          },
        },
        'job.check': {},
      },
      { upload: ['checkingUnmapped'] },
      ({ context: { job, mapping } }) =>
        (job?.phase === 'mapping' && namesRows(mapping) ? { 'job.check': bare } : {}) as never,
    ),
    opening: part(
      { tag: rows.tag, kind: 'import', job: 'none' },
      { 'transfer.retry': bare, 'template.save': bare },
    ),
    exporting: part(
      {
        tag: rows.tag,
        kind: 'export',
        sheet: {
          query: { sorts: [], queries: { [rows.name]: rows.stem } },
          format: 'csv',
          columns: null,
        },
      },
      {
        'export.start': bare,
        'export.cancel': bare,
        'transfer.retry': bare,
        'transfer.restart': bare,
      },
    ),
  }
}

/**
 * Sheets of new rows for an entity, headed by the labels of its required fields; each sheet has
 * other rows, and the last row may lack its name.
 */
async function sheetsFor(run: RunContext, rows: RowSet) {
  const { api } = await run.helper('admin')
  const { config, name, tag } = rows
  const stem = `${run.prefix}t`
  const template = await newValues(api, config, stem)
  const fields = config.fields.filter(({ attrName }) => attrName in template)
  let sheets = 0
  const find = async () =>
    await api.entityData.page({
      params: { tag },
      body: { pageSize: 1000, queries: { [name]: stem } },
    })
  const labelOf = ({ attrName, uiLabel }: Field, sort: Sort) =>
    sort === 'unmapped' && attrName === name ? `${stem}${sheets}?` : uiLabel // what was said of a heading once is remembered
  const file = (sort: Sort, lines: readonly string[]): File =>
    new File(
      [[fields.map((field) => labelOf(field, sort)).join(','), ...lines].join('\n')],
      `${sort}.csv`,
    )
  const called = (index: number) => `${stem}${sheets}x${String(index).padStart(3, '0')}`
  return {
    fields,
    /** Whether the values must be unique. */
    tellsApart: fields.some(({ unique }) => unique === true),
    make: async (sort: Sort): Promise<File> => {
      if (sort === 'known')
        return file(
          sort,
          await Promise.all(
            rows.aliases.map(async (alias) => {
              const row = await api.entityData.get({ params: { tag, id: rows.idOf(alias) } })
              return fields.map(({ attrName }) => cell(row[attrName] ?? null)).join(',')
            }),
          ),
        )
      sheets += 1
      return file(
        sort,
        Array.from({ length: many }, (_, index) =>
          fields
            .map(({ attrName }) =>
              lastLacksName(sort) && index === many - 1 && attrName === name
                ? ''
                : template[attrName] === stem
                  ? called(index)
                  : cell(template[attrName] ?? null),
            )
            .join(','),
        ),
      )
    },
    /** Another user adds the first row of the last sheet. */
    race: async () => {
      await api.entityData.create({
        params: { tag },
        body: { ...(await newValues(api, config, called(0))) },
      })
    },
    count: async () => (await find()).total,
    clear: async () => {
      for (let found = await find(); found.total > 0; found = await find())
        await api.entityData.remove({
          params: {
            tag,
            ids: found.records
              .slice(0, 500)
              .map(({ id }) => id)
              .join(','),
          },
        })
    },
  }
}

function cell(value: WireValue): string {
  return Array.isArray(value)
    ? (value as readonly { name: string }[]).map(({ name }) => name).join(',')
    : String(value ?? '')
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
