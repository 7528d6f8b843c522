import { setTimeout as pause } from 'node:timers/promises'
import { isJobOver, type Job, type WireValue } from '@jiaowu/api'
import type { FileFacts, TransferInput, UploadRequest } from '@jiaowu/machines'
import { createFileShelf, transferPorts } from '../../../../apps/web/src/transfer/transfer-ports.ts'
import type { Outcome, Spec } from '../../model/index.ts'
import { transferModels } from '../../models/transfer.model.ts'
import { jobs as sampleJobs } from '../../models/transfer.samples.ts'
import { fileSink } from './file-sink.ts'
import { newValues, type RowSet } from './rows.ts'
import { no, ok, refusedAs, same, type Scene, type Scenes, type Stage } from './server-driver.ts'
import type { ServerParts } from './server-part.ts'
import type { Api, World } from './world.ts'

/** Rows of a sheet: more than a page of a review. */
const many = 60
const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output
const cell = (value: WireValue): string => (Array.isArray(value) ? (value as readonly { name: string }[]).map(({ name }) => name).join(',') : String(value ?? ''))

/** Waits until the job stands still. A minute is far more than any needs. */
const still = async (api: Api, id: string): Promise<Job> => {
  for (let tries = 0; tries < 1200; tries += 1) {
    const job = await api.job.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await pause(50)
  }
  throw new Error(`job ${id} does not stand still within a minute`)
}

/** Sheets of new rows for an entity, by the labels of its required fields; every sheet has other rows, and the last may lack its name. */
const sheetsFor = async (world: World, rows: RowSet) => {
  const { api } = await world.helper('admin')
  const { config, name, tag } = rows
  const stem = `${world.run}t`
  const template = await newValues(api, config, stem)
  const fields = config.fields.filter(({ attrName }) => attrName in template)
  let sheets = 0
  const find = async () => (await api.entityData.page({ params: { tag }, body: { pageSize: 1000, queries: { [name]: stem } } }))
  return {
    make: (bad: boolean): File => {
      sheets += 1
      const lines = Array.from({ length: many }, (_, index) => { const called = `${stem}${sheets}x${String(index).padStart(3, '0')}`; return fields.map(({ attrName }) => (bad && index === many - 1 && attrName === name ? '' : template[attrName] === stem ? called : cell(template[attrName] ?? null))).join(',') })
      return new File([[fields.map(({ uiLabel }) => uiLabel).join(','), ...lines].join('\n')], bad ? 'wrong.csv' : 'rows.csv')
    },
    count: async () => (await find()).total,
    clear: async () => { for (let found = await find(); found.total > 0; found = await find()) await api.entityData.remove({ params: { tag, ids: found.records.slice(0, 500).map(({ id }) => id).join(',') } }) },
  }
}

const jobFaults = (job: Job, wanted: Pick<Job, 'status' | 'phase'>): string[] => [...same('status', wanted.status, job.status), ...same('phase', wanted.phase, job.phase), ...same('total', many, job.total)]

/** An import as a job from the upload to the last row, a sheet with a wrong row, a job given up, an export. */
export const serverTransfer: ServerParts = async ({ world, registrar, listed }) => {
  const subject = await registrar(), rows = await listed(), sheets = await sheetsFor(world, rows), sink = fileSink()
  const { api } = subject
  world.later(`imported rows of ${rows.tag}`, sheets.clear)
  world.later('what was remembered of imports', async () => { await (await world.helper('registrar')).api.job.forget({ params: { tag: rows.tag } }) })
  const shelf = createFileShelf(), ports = transferPorts({ api, saveFile: sink.save }, shelf, { onSent: () => {}, onReceived: () => {} })
  const facts: FileFacts = { key: 'rows.csv', name: 'rows.csv', size: 1000 }
  let current = ''
  const reading = (wanted: Pick<Job, 'status' | 'phase'>, more: (job: Job) => readonly string[] | Promise<readonly string[]>) => subject.usual(async ({ id }: { id: string }): Promise<Scene> => { await still(api, id); return { check: async (answer) => { const job = outputOf<Job>(answer); return [...jobFaults(job, wanted), ...await more(job)] } } })
  const sent = (bad: boolean) => subject.usual(async (asked: UploadRequest): Promise<Scene> => { await sheets.clear(); return { input: { ...asked, file: shelf.keep(sheets.make(bad)), choices: { ...asked.choices, mode: 'insert' } }, ...underWay('checking') } })
  /** How far a job is when the answer comes is a matter of moments; that it goes on is not. */
  const underWay = (phase: 'checking' | 'writing'): Scene => ({
    check: (answer) => { const job = outputOf<Job>(answer); current = job.id; return job.status === 'failed' || job.status === 'cancelled' ? [`status: ${job.status}`] : [] },
    timeless: (output) => ({ ...output as Job, status: 'running', phase, done: 0 }),
  })
  // A job is its owner's alone: others are not told that there is one.
  const hidden = subject.forbidden(undefined, [403, 404])
  const scenes: Scenes = {
    recall: { few: subject.usual(() => ({ check: async () => [] })) },
    upload: { checking: sent(false), checkingWrong: sent(true), forbidden: subject.forbidden(), ended: subject.ended() },
    readJob: {
      good: reading({ status: 'paused', phase: 'review' }, async (job) => [...same('review', { fresh: many, changed: 0, same: 0, wrong: 0 }, job.review), ...same('rows written before the review is over', 0, await sheets.count())]),
      wrong: reading({ status: 'paused', phase: 'review' }, (job) => [...same('review', { fresh: many - 1, changed: 0, same: 0, wrong: 1 }, job.review), ...same('row of the first fault', many + 1, job.errors[0]?.row), ...(job.errors[0]?.msg === '' ? ['errors: a fault without a sentence'] : [])]),
      done: reading({ status: 'done', phase: 'finished' }, async (job) => [...same('inserted', many, job.inserted), ...same('failed', 0, job.failed), ...same('rows that are there', many, await sheets.count())]),
      gone: subject.usual(() => ({ input: { id: '1' }, check: (answer) => refusedAs(answer, 'refused', 404) })),
    },
    resumeJob: { writing: subject.usual(() => underWay('writing')), refused: hidden },
    // By the time the word arrives the job stands still: one under way would only promise to stop.
    cancelJob: { cancelled: subject.usual(async ({ id }: { id: string }) => { await still(api, id); return { check: async (answer) => [...same('status', 'cancelled', outputOf<Job>(answer).status), ...same('rows that are there', 0, await sheets.count()), ...same('the job as it is read', 'cancelled', (await still(api, id)).status)] } }), refused: hidden },
    loadRows: { many: subject.usual(({ verdict, pageSize }: { verdict: string; pageSize: number }) => ({ check: (answer) => { const { records, total } = outputOf<{ records: readonly { verdict: string }[]; total: number }>(answer); return [...same('rows of the page', Math.min(total, pageSize), records.length), ...records.filter((row) => row.verdict !== verdict).map(() => `a row that is not ${verdict}`)] } })) },
    saveFile: { saved: subject.usual(() => ({ check: () => (sink.take().length > 0 ? [] : ['an empty file']) })), refused: subject.ended() },
    exportSheet: { saved: subject.usual(async () => { await rows.ensure(); return { check: () => { const lines = new TextDecoder().decode(sink.take()).trim().split(/\r?\n/); return same('lines of the sheet', rows.aliases.length + 1, lines.length) } } }), refused: subject.forbidden() },
  }
  const at = (id: string, job: Job, wrong = id === 'wrong' ? 1 : 0): Outcome => ok({ ...job, id, fileName: wrong === 1 ? 'wrong.csv' : 'rows.csv', review: { fresh: many - wrong, changed: 0, same: 0, wrong } })
  const samples: Readonly<Record<string, (input: never) => Readonly<Record<string, Outcome>>>> = {
    recall: () => ({ few: ok({ jobs: [], total: 0, remembered: null }) }),
    upload: () => ({ checking: at('good', sampleJobs.checking), checkingWrong: at('wrong', sampleJobs.checking), forbidden: no('refused', 403), ended: no('session', 401) }),
    // What a job can be read as follows from what it is: the samples' ids say it.
    readJob: ({ id }: { id: string }) => (id === 'good' ? { good: at('good', sampleJobs.good) } : id === 'wrong' ? { wrong: at('wrong', sampleJobs.wrong) } : id === 'none' ? { gone: no('refused', 404) } : { done: at('writing', sampleJobs.done) }),
    resumeJob: () => ({ writing: at('writing', sampleJobs.writing), refused: no('refused', 404) }),
    cancelJob: () => ({ cancelled: ok(sampleJobs.cancelled), refused: no('refused', 404) }),
    loadRows: () => ({ many: ok({ records: [], total: 33 }) }),
    saveFile: () => ({ saved: ok(undefined), refused: no('session', 401) }),
    exportSheet: () => ({ saved: ok({ bytes: 99, rows: 12 }), refused: no('refused', 403) }),
  }
  const base = Object.values(transferModels.parts)[0] as Spec<unknown>
  const bare = { bare: {} }
  const part = (input: TransferInput, events: Readonly<Record<string, object>>, fewer: Readonly<Record<string, readonly string[]>> = {}) => {
    const spec: Spec<unknown> = {
      ...base, sneak: [], pick: () => ({}), input: () => input, events: events as Spec<unknown>['events'],
      outcomes: Object.fromEntries(Object.entries(samples).map(([port, of]) => [port, (asked: never) => Object.fromEntries(Object.entries(of(asked)).filter(([name]) => fewer[port]?.includes(name) ?? true))])),
      key: (s) => { const c = s.context; return JSON.stringify([s.value, c.job?.fileName ?? null, c.file !== null, c.id !== null, c.job?.status === 'queued' ? 'running' : (c.job?.status ?? null), c.job?.status === 'paused' ? c.job.review.wrong > 0 : null, c.job?.phase === 'review' ? c.verdict : null, c.problem?.kind ?? null, c.saving?.what ?? null, c.received.bytes > 0]) },
    }
    const stage = (): Promise<Stage> => { current = ''; shelf.keep(sheets.make(false)); return Promise.resolve({ ports: ports as never, scenes, end: async () => { if (current !== '') await (await world.helper('registrar')).api.job.cancel({ params: { id: current } }).catch(() => {}); await sheets.clear() } }) }
    return { spec, scenes, stage }
  }
  const importing: TransferInput = { tag: rows.tag, kind: 'import', modes: ['insert'], file: facts }
  return {
    sending: part(importing, { 'file.choose': { sheet: { file: facts } }, 'upload.start': bare, 'job.cancel': bare }, { upload: ['forbidden', 'ended'] }),
    writing: part(importing, { 'job.run': bare, 'result.save': { all: { format: 'csv', only: 'all' } }, 'transfer.restart': bare }, { upload: ['checking'] }),
    reviewing: part(importing, { 'rows.show': { fresh: { verdict: 'fresh' }, wrong: { verdict: 'wrong' } }, 'job.cancel': bare, 'job.run': bare }, { upload: ['checking', 'checkingWrong'], resumeJob: ['refused'] }),
    opening: part({ tag: rows.tag, kind: 'import', job: 'none' }, { 'transfer.retry': bare, 'template.save': bare }),
    exporting: part({ tag: rows.tag, kind: 'export', sheet: { query: { sorts: [], queries: { [rows.name]: rows.stem } }, format: 'csv', columns: null } }, { 'export.start': bare, 'export.cancel': bare, 'transfer.retry': bare, 'transfer.restart': bare }),
  }
}
