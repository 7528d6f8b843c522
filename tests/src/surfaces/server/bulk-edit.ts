import { type BulkJob, isJobOver, type Values } from '@jiaowu/api'
import type { BulkApply, BulkEditInput, BulkStart } from '@jiaowu/machines'
import { setTimeout as pause } from 'node:timers/promises'
import { bulkPorts } from '../../../../apps/web/src/bulk/use-bulk.ts'
import type { Outcome, Spec } from '../../model/index.ts'
import { bulkEditModels } from '../../models/bulk-edit.model.ts'
import { bulkJobs } from '../../models/bulk-edit.samples.ts'
import { fileSink } from './file-sink.ts'
import { plainText, type RowSet } from './rows.ts'
import { no, ok, refusedAs, refuses, same, type Scene, type Scenes, type Stage } from './server-driver.ts'
import type { ServerParts } from './server-part.ts'
import type { Subject } from './subject.ts'
import type { Api, World } from './world.ts'

const outputOf = (answer: Outcome): BulkJob => (answer as { output: BulkJob }).output
const still = async (api: Api, id: string): Promise<BulkJob> => {
  for (let tries = 0; tries < 1200; tries += 1) {
    const job = await api.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await pause(50)
  }
  throw new Error(`job ${id} does not stand still within a minute`)
}
const scenesOf = (world: World, subject: Subject, rows: RowSet, doomed: readonly string[], attr: string, sink: ReturnType<typeof fileSink>): Scenes => {
  const { api } = subject
  let told: Values = {}
  let sets = 0
  /** How far a job is when the answer comes is a matter of moments; that it goes on is not. */
  const underWay = (phase: BulkJob['phase']): Scene => ({ check: (answer) => (['failed', 'cancelled'].includes(outputOf(answer).status) ? [`status: ${outputOf(answer).status}`] : []), timeless: (output) => ({ ...output as BulkJob, status: 'running', phase, done: 0 }) })
  const begin = subject.usual(async (asked: BulkStart): Promise<Scene> => {
    await rows.look()
    await rows.ensure()
    sets += 1
    told = asked.action === 'delete' ? {} : { [attr]: `${rows.stem}v${sets}` } // another value each time, or nothing would change
    return { input: { ...asked, set: told }, ...underWay('checking') }
  })
  const reading = (check: (job: BulkJob) => Promise<readonly string[]>) => subject.usual(async ({ id }: { id: string }): Promise<Scene> => { await still(api, id); return { check: (answer) => check(outputOf(answer)) } })
  const asThere = async (isDone: boolean): Promise<readonly string[]> => {
    const { api: other } = await world.helper('admin'), isDelete = attr in told ? false : isDone
    return (await Promise.all(doomed.map(async (alias) => {
      const get = other.entityData.get({ params: { tag: rows.tag, id: rows.idOf(alias) } })
      return isDelete ? refuses(`reading deleted row ${alias}`, get, 404) : same(`${attr} of row ${alias}`, isDone, (await get)[attr] === told[attr])
    }))).flat()
  }
  const counts = (job: BulkJob, wanted: Partial<BulkJob>) => Object.entries(wanted).flatMap(([name, value]) => same(name, value, job[name as keyof BulkJob]))
  // A job is its owner's alone: others are not told that there is one.
  const hidden = subject.forbidden(undefined, [403, 404])
  return {
    startBulk: {
      queued: begin, forbidden: subject.forbidden(),
      invalid: subject.usual((asked: BulkStart) => ({ input: { ...asked, set: { noSuchField: 'x' } }, check: (answer) => refusedAs(answer, 'invalid', 42200) })),
    },
    readBulk: {
      good: reading(async (job) => [...counts(job, { status: 'paused', phase: 'review', total: doomed.length, changed: doomed.length, failed: 0, updated: 0 }), ...(attr in told ? await asThere(false) : [])]),
      done: reading(async (job) => { const lines = [...counts(job, { status: 'done', phase: 'finished', updated: doomed.length, failed: 0 }), ...await asThere(true)]; if (!(attr in told)) rows.forget(doomed.map(rows.idOf)); return lines }),
    },
    applyBulk: {
      writing: subject.usual(() => underWay('writing')),
      // Another number than the one that was looked at.
      refused: subject.usual((asked: BulkApply) => ({ input: { ...asked, count: asked.count + 1 }, check: async (answer) => [...refusedAs(answer, 'refused', 409), ...(attr in told ? await asThere(false) : [])] })),
    },
    cancelBulk: { cancelled: subject.usual(async ({ id }: { id: string }) => { await still(api, id); return { check: async (answer) => [...same('status', 'cancelled', outputOf(answer).status), ...(attr in told ? await asThere(false) : [])] } }), refused: hidden },
    saveBulk: { saved: subject.usual(() => ({ check: () => (sink.take().length > 0 ? [] : ['an empty file']) })), refused: hidden },
  }
}

/** Many rows changed or deleted at once: looked at first, applied, given up, refused. */
export const serverBulkEdit: ServerParts = async ({ world, registrar, listed }) => {
  const subject = await registrar(), rows = await listed(), sink = fileSink(), attr = plainText(rows)
  const doomed = rows.aliases.filter((alias) => alias.startsWith('1')), selection = { queries: { [rows.name]: `${rows.stem}1` } }
  const scenes = scenesOf(world, subject, rows, doomed, attr, sink)
  const at = (id: string, job: BulkJob): Outcome => ok({ ...job, id })
  const samples: Readonly<Record<string, (input: never) => Readonly<Record<string, Outcome>>>> = {
    startBulk: ({ action }: BulkStart) => ({ queued: at('good', bulkJobs.queued), forbidden: no('refused', 403), ...(action === 'delete' ? {} : { invalid: no('invalid', 42200) }) }),
    readBulk: ({ id }: { id: string }) => (id === 'good' ? { good: at('good', bulkJobs.good) } : { done: at('writing', bulkJobs.done) }),
    applyBulk: () => ({ writing: at('writing', bulkJobs.writing), refused: no('refused', 409) }),
    cancelBulk: () => ({ cancelled: at('good', bulkJobs.cancelled), refused: no('refused', 404) }),
    saveBulk: () => ({ saved: ok(undefined), refused: no('refused', 404) }),
  }
  const base = Object.values(bulkEditModels.parts)[0] as Spec<unknown>
  const bare = { bare: {} }
  const part = (input: BulkEditInput, events: Readonly<Record<string, object>>) => {
    const spec: Spec<unknown> = {
      ...base, sneak: [], pick: () => ({}), input: () => input, events: events as Spec<unknown>['events'], outcomes: samples as Spec<unknown>['outcomes'],
      key: ({ value, context: c }) => JSON.stringify([value, Object.keys(c.set), c.id !== null, c.job?.status === 'queued' ? 'running' : (c.job?.status ?? null), c.job !== null && !isJobOver(c.job) && c.job.phase === 'writing', c.job?.can.result ?? null, c.onError, c.problem?.kind ?? null, c.saving?.only ?? null]),
    }
    return { spec, scenes, stage: async (): Promise<Stage> => { await rows.look(); await rows.ensure(); return { ports: bulkPorts({ api: subject.api, saveFile: sink.save }) as never, scenes, end: rows.look } } }
  }
  return {
    changing: part({ tag: rows.tag, action: 'update', selection }, { 'field.add': { text: { attrName: attr } }, 'value.change': { text: { attrName: attr, value: rows.stem } }, 'preview.start': bare, 'preview.back': bare, 'apply.start': bare, 'job.cancel': bare }),
    deleting: part({ tag: rows.tag, action: 'delete', selection }, { 'apply.start': bare, 'preview.back': bare, 'result.save': { all: { format: 'csv', only: 'all' } } }),
  }
}
