import { type BulkJob, isJobOver, type Values } from '@jiaowu/api'
import type { BulkApply, BulkEditInput, BulkStart } from '@jiaowu/machines'
import { setTimeout as pause } from 'node:timers/promises'
import { bulkPorts } from '../../../apps/web/src/features/bulk/use-bulk.ts'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { bulkEditModels } from './model.ts'
import { bulkJobs } from './samples.ts'
import { fileSink } from '../../surfaces/server/file-sink.ts'
import { newValues, plainText, type RowSet } from '../../surfaces/server/rows/rows.ts'
import {
  no,
  ok,
  refusedAs,
  refuses,
  same,
  type Scene,
  type Scenes,
  type Stage,
} from '../../surfaces/server/server-driver.ts'
import { linkTo, type ServerParts } from '../../surfaces/server/server-part.ts'
import type { Subject } from '../../surfaces/server/subject.ts'
import type { Api, RunContext } from '../../surfaces/server/run-context.ts'

const outputOf = (answer: Outcome): BulkJob => (answer as { output: BulkJob }).output
/**
 * The row that is not changed when only some are: used by another row, or saved by another user.
 */
const spared = '10'
/**
 * The outcome of a job is fixed when it begins; until it is read, its message names the outcome.
 */
const marks = ['held', 'same', 'altered', 'aborted'] as const
type Mark = (typeof marks)[number]
const isMark = (text: unknown): text is Mark => marks.some((mark) => mark === text)
type Others = ReturnType<typeof othersOf>

/**
 * Many rows changed or deleted at once: previewed, applied, cancelled, refused; and what other
 * users do to the rows meanwhile.
 */
export const serverBulkEdit: ServerParts = async ({ run, registrar, listed, children }) => {
  const subject = await registrar(),
    rows = await listed(),
    sink = fileSink(),
    attr = plainText(rows),
    others = othersOf(run, rows, await children(), attr)
  const doomed = rows.aliases.filter((alias) => alias.startsWith('1')),
    selection = { queries: { [rows.name]: `${rows.stem}1` } }
  const scenes = scenesOf(run, subject, rows, doomed, attr, sink, others)
  run.onClose('a row that uses another', others.release)
  const base = Object.values(bulkEditModels.parts)[0] as Spec<unknown>
  const bare = { bare: {} }
  const part = (input: BulkEditInput, events: Readonly<Record<string, object>>) => {
    const spec: Spec<unknown> = {
      ...base,
      unhandled: [],
      eventsIn: () => ({}),
      input: () => input,
      events: events as Spec<unknown>['events'],
      outcomes: samples as Spec<unknown>['outcomes'],
      key: keyOf,
    }
    return {
      spec,
      scenes,
      stage: async (): Promise<Stage> => {
        await rows.look()
        await rows.ensure()
        return {
          ports: bulkPorts({ api: subject.api, saveFile: sink.save }) as never,
          scenes,
          end: async () => {
            await others.release()
            await rows.look()
          },
        }
      },
    }
  }
  return {
    changing: part(
      { tag: rows.tag, action: 'update', selection },
      {
        'field.add': { text: { attrName: attr } },
        'value.change': { text: { attrName: attr, value: rows.stem } },
        'preview.start': bare,
        'preview.back': bare,
        'onError.change': { abort: { onError: 'abort' } },
        'apply.start': bare,
        'job.cancel': bare,
      },
    ),
    deleting: part(
      { tag: rows.tag, action: 'delete', selection },
      {
        'apply.start': bare,
        'preview.back': bare,
        'result.save': { all: { format: 'csv', only: 'all' } },
      },
    ),
  }
}

const samples: Readonly<Record<string, (input: never) => Readonly<Record<string, Outcome>>>> = {
  startBulk: ({ action }: BulkStart) => ({
    queued: at('good', bulkJobs.queued),
    forbidden: no('refused', 403),
    ...(action === 'delete'
      ? { queuedHeld: at('held', bulkJobs.queued) }
      : { queuedSame: at('same', bulkJobs.queued), invalid: no('invalid', 42200) }),
  }),
  readBulk: ({ id }: { id: string }): Readonly<Record<string, Outcome>> => {
    const ends: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
      good: {
        good: at(id, bulkJobs.good),
        cancelled: at(id, bulkJobs.cancelled),
        gone: no('refused', 404),
      },
      held: { wrong: at(id, bulkJobs.wrong) },
      same: { nothing: at(id, bulkJobs.nothing) },
      altered: { doneInPart: at('over', bulkJobs.doneInPart) },
      aborted: { failed: at('over', bulkJobs.failed) },
      writing: { done: at('over', bulkJobs.done) },
    }
    return ends[id] ?? {}
  },
  applyBulk: ({ id, onError }: BulkApply): Readonly<Record<string, Outcome>> => ({
    writing: at(id === 'held' ? 'altered' : 'writing', bulkJobs.writing),
    ...(id === 'held'
      ? {}
      : { altered: at(onError === 'abort' ? 'aborted' : 'altered', bulkJobs.writing) }),
    refused: no('refused', 409),
  }),
  cancelBulk: () => ({ cancelled: at('good', bulkJobs.cancelled), refused: no('refused', 404) }),
  saveBulk: () => ({ saved: ok(undefined), refused: no('refused', 404) }),
}

function at(id: string, job: BulkJob): Outcome {
  return ok({ ...job, id, ...(isMark(id) && job.status !== 'paused' ? { message: id } : {}) })
}

function keyOf({ value, context: c }: Parameters<Spec<unknown>['key']>[0]): string {
  return JSON.stringify([
    value,
    Object.keys(c.set),
    c.id !== null,
    c.job?.status === 'queued' ? 'running' : (c.job?.status ?? null),
    c.job?.status === 'paused'
      ? [c.job.failed > 0, c.job.changed === 0]
      : isMark(c.job?.message)
        ? c.job.message
        : null,
    c.job !== null && !isJobOver(c.job) && c.job.phase === 'writing',
    c.job?.can.result ?? null,
    c.onError,
    c.problem?.kind ?? null,
    c.saving?.only ?? null,
  ])
}

/** Changes of the rows by other users. */
function othersOf(run: RunContext, rows: RowSet, children: RowSet, attr: string) {
  let child: string | null = null,
    times = 0
  const admin = async () => (await run.helper('admin')).api
  const write = async (alias: string, value: string) => {
    const api = await admin(),
      params = { tag: rows.tag, id: rows.idOf(alias) }
    await api.entityData.update({
      params,
      body: { [attr]: value, version: (await api.entityData.get({ params })).version },
    })
  }
  return {
    write,
    alter: () => {
      times += 1
      return write(spared, `${rows.stem}theirs${times}`)
    },
    hold: async () => {
      const made = await (
        await admin()
      ).entityData.create({
        params: { tag: children.tag },
        body: {
          ...(await newValues(await admin(), children.config, `${rows.stem}h`, {
            [linkTo(children, rows.tag)]: [{ id: rows.idOf(spared), name: '' }],
          })),
        },
      })
      child = made.id
    },
    release: async () => {
      if (child !== null)
        await (await admin()).entityData.remove({ params: { tag: children.tag, ids: child } })
      child = null
    },
  }
}

function scenesOf(...args: Parameters<typeof sceneTools>): Scenes {
  const tools = sceneTools(...args)
  return {
    startBulk: startBulkScenes(tools),
    readBulk: readBulkScenes(tools),
    applyBulk: applyBulkScenes(tools),
    cancelBulk: cancelBulkScenes(tools),
    saveBulk: saveBulkScenes(tools),
  }
}

type SceneTools = ReturnType<typeof sceneTools>

/** What the scenes of several ports share. */
function sceneTools(
  run: RunContext,
  subject: Subject,
  rows: RowSet,
  doomed: readonly string[],
  attr: string,
  sink: ReturnType<typeof fileSink>,
  others: Others,
) {
  const { api } = subject
  const { begin, asThere, deletes } = startsOf(run, subject, rows, doomed, attr, others)
  /** Compares the job's report with the rows. */
  const reading = (
    wanted: Partial<BulkJob>,
    done: readonly string[] | null,
    more: (job: BulkJob) => readonly string[] = () => [],
  ) =>
    subject.usual(async ({ id }: { id: string }): Promise<Scene> => {
      await still(api, id)
      return {
        check: async (answer) => {
          const job = outputOf(answer),
            lines = Object.entries(wanted).flatMap(([name, value]) =>
              same(name, value, job[name as keyof BulkJob]),
            )
          if (done !== null) {
            lines.push(
              ...(await asThere(true, done)),
              ...(await asThere(
                false,
                doomed.filter((alias) => !done.includes(alias)),
              )),
            )
            if (deletes()) rows.forget(done.map(rows.idOf))
          }
          return [...lines, ...more(job)]
        },
      }
    })
  const saysWhy = ({ refused }: BulkJob) => [
    ...same(
      'the rows that are refused',
      [rows.idOf(spared)],
      refused.map(({ id }) => id),
    ),
    ...refused
      .filter(({ errors }) => errors.length === 0 || errors.some(({ msg }) => msg === ''))
      .map(() => 'a refused row without a sentence'),
  ]
  const all = doomed.length,
    rest = doomed.filter((alias) => alias !== spared),
    review = { status: 'paused', phase: 'review', total: all, updated: 0 } as const
  const applying = (make: (asked: BulkApply) => Promise<Mark | null>) =>
    subject.usual(async (asked: BulkApply) => underWay('writing', await make(asked)))
  // A job is visible to its owner only; others cannot tell that it exists.
  const hidden = subject.forbidden(undefined, [403, 404])
  return {
    api,
    run,
    subject,
    sink,
    others,
    begin,
    asThere,
    reading,
    saysWhy,
    all,
    doomed,
    rest,
    review,
    applying,
    hidden,
  }
}

function startBulkScenes({ subject, begin }: SceneTools): Scenes[string] {
  return {
    queued: begin(),
    queuedHeld: begin('held'),
    queuedSame: begin('same'),
    forbidden: subject.forbidden(),
    invalid: subject.usual((asked: BulkStart) => ({
      input: { ...asked, set: { noSuchField: 'x' } },
      check: (answer) => refusedAs(answer, 'invalid', 42200),
    })),
  }
}

function readBulkScenes({
  api,
  run,
  subject,
  asThere,
  reading,
  saysWhy,
  all,
  doomed,
  rest,
  review,
  hidden,
}: SceneTools): Scenes[string] {
  return {
    good: reading({ ...review, changed: all, skipped: 0, failed: 0 }, []),
    wrong: reading({ ...review, changed: all - 1, skipped: 0, failed: 1 }, [], saysWhy),
    nothing: reading({ ...review, changed: 0, skipped: all, failed: 0 }, null, ({ can }) =>
      same('can.apply', false, can.apply),
    ),
    done: reading({ status: 'done', phase: 'finished', updated: all, failed: 0 }, doomed),
    doneInPart: reading(
      { status: 'done', phase: 'finished', updated: all - 1, failed: 1 },
      rest,
      saysWhy,
    ),
    failed: reading({ status: 'failed', updated: 0, failed: 1 }, [], saysWhy),
    // The same user cancels it in another session.
    cancelled: subject.usual(async ({ id }: { id: string }): Promise<Scene> => {
      await still(api, id)
      await (await run.helper('registrar')).api.bulk.cancel({ params: { id } })
      return {
        check: async (answer) => [
          ...same('status', 'cancelled', outputOf(answer).status),
          ...(await asThere(false)),
        ],
      }
    }),
    gone: hidden,
  }
}

function applyBulkScenes({ subject, others, asThere, all, applying }: SceneTools): Scenes[string] {
  return {
    writing: applying(({ count }) => Promise.resolve(count < all ? 'altered' : null)),
    altered: applying(async ({ onError }) => {
      await others.alter()
      return onError === 'abort' ? 'aborted' : 'altered'
    }),
    // Confirms another number than the one previewed.
    refused: subject.usual((asked: BulkApply) => ({
      input: { ...asked, count: asked.count + 1 },
      check: async (answer) => [...refusedAs(answer, 'refused', 409), ...(await asThere(false))],
    })),
  }
}

function cancelBulkScenes({ api, subject, asThere, hidden }: SceneTools): Scenes[string] {
  return {
    cancelled: subject.usual(async ({ id }: { id: string }) => {
      await still(api, id)
      return {
        check: async (answer) => [
          ...same('status', 'cancelled', outputOf(answer).status),
          ...(await asThere(false)),
        ],
      }
    }),
    refused: hidden,
  }
}

function saveBulkScenes({ subject, sink, hidden }: SceneTools): Scenes[string] {
  return {
    saved: subject.usual(() => ({
      check: () => (sink.take().length > 0 ? [] : ['an empty file']),
    })),
    refused: hidden,
  }
}

/** Starts jobs and compares the rows with the values that the last one was lastSet to set. */
function startsOf(
  run: RunContext,
  subject: Subject,
  rows: RowSet,
  doomed: readonly string[],
  attr: string,
  others: Others,
) {
  let lastSet: Values = {}
  let sets = 0
  const begin = (mark: 'held' | 'same' | null = null) =>
    subject.usual(async (asked: BulkStart): Promise<Scene> => {
      await others.release()
      await rows.look()
      await rows.ensure()
      sets += 1
      // Another value each time, since an equal one changes nothing.
      lastSet = asked.action === 'delete' ? {} : { [attr]: `${rows.stem}v${sets}` }
      if (mark === 'held') await others.hold()
      if (mark === 'same')
        for (const alias of doomed) await others.write(alias, `${rows.stem}v${sets}`)
      return { input: { ...asked, set: lastSet }, ...underWay('checking', mark) }
    })
  const asThere = async (
    isDone: boolean,
    some: readonly string[] = doomed,
  ): Promise<readonly string[]> => {
    const { api: other } = await run.helper('admin'),
      isDelete = attr in lastSet ? false : isDone
    return (
      await Promise.all(
        some.map(async (alias) => {
          const get = other.entityData.get({ params: { tag: rows.tag, id: rows.idOf(alias) } })
          return isDelete
            ? refuses(`reading deleted row ${alias}`, get, 404)
            : attr in lastSet
              ? same(`${attr} of row ${alias}`, isDone, (await get)[attr] === lastSet[attr])
              : same(`row ${alias}`, rows.idOf(alias), (await get).id)
        }),
      )
    ).flat()
  }
  return { begin, asThere, deletes: () => !(attr in lastSet) }
}

/** The progress of a job depends on time; that it continues does not. */
function underWay(phase: BulkJob['phase'], mark: Mark | null = null): Scene {
  return {
    check: (answer) =>
      (mark === 'aborted' ? ['cancelled'] : ['failed', 'cancelled']).includes(
        outputOf(answer).status,
      )
        ? [`status: ${outputOf(answer).status}`]
        : [],
    timeless: (output) => ({
      ...(output as BulkJob),
      status: 'running',
      phase,
      done: 0,
      ...(mark === null ? {} : { message: mark }),
    }),
  }
}

async function still(api: Api, id: string): Promise<BulkJob> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const job = await api.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await pause(50)
  }
  throw new Error(`job ${id} does not stand still within a minute`)
}
