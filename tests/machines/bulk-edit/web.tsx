import type { BulkAction, BulkJob } from '@jiaowu/api'
import {
  type BulkEditContext,
  type BulkEditEvent,
  type BulkEditInput,
  bulkEditMachine,
} from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { BulkDrawer } from '../../../apps/web/src/features/bulk/bulk-drawer.tsx'
import type { Spec } from '../spec.ts'
import { listConfig } from '../entity-list/samples.ts'
import {
  bySelector,
  button,
  choice,
  either,
  field,
  having,
  nameOf,
  question,
  select,
} from '../../surfaces/web/dom/by-role.ts'
import { dismissToasts, effectLog, watchStorage } from '../../surfaces/web/dom/effects.ts'
import { custom, fill, press, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered, type Asked } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, loadingButtons, text, texts, value } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { bulkEditModels, bulkStarts } from './model.ts'

type Snapshot = SnapshotFrom<typeof bulkEditMachine>
interface View {
  readonly s: Snapshot
  readonly c: BulkEditContext
  readonly job: BulkJob | null
  readonly action: BulkAction
  readonly step: 'choosing' | 'looking' | 'over' | 'running'
  /** The server is writing. */
  readonly isWriting: boolean
  /** The result of each row is known. */
  readonly isKnown: boolean
}

const config = {
  ...listConfig('multi'),
  fields: listConfig('multi').fields.map((each) => ({ ...each, isEdit: 1 as const })),
  recycles: true,
}
const status = bySelector('[role=status]', bySelector('.jw-bulk'))
const stop = button(zh('bulk.stop'))
const apply = button(/^(修改|删除) [\d,]+ 条$/)
const confirm = having(apply, (each) => each.getAttribute('type') === 'submit')
const addField = select(zh('bulk.addField'))
const number = (n: number | null) => (n ?? 0).toLocaleString('zh-CN')
const is = (s: Snapshot, ...states: readonly string[]) =>
  states.some((state) => s.matches({ change: state } as never))

export const bulkEditWeb = webDriverOf<Snapshot, BulkEditEvent, View>({
  model: bulkEditModels,
  adapt,
  view: viewOf,
  readings: {
    station: { model: stationOf, screen: text(bySelector('[aria-current=step]')) },
    fields: {
      model: ({ c, step }) =>
        step === 'choosing'
          ? Object.entries(c.set)
              .map(([name, to]) => `${name}=${String(to ?? '')}`)
              .join()
          : '',
      screen: () =>
        field(undefined, bySelector('li'))
          .all()
          .map((each) => `${nameOf(each)}=${each.value}`)
          .join(),
    },
    alerts: {
      model: ({ c, step }) =>
        step === 'choosing' && 'name' in c.set && (c.problem?.issues.length ?? 0) > 0
          ? (c.problem?.issues[0]?.msg ?? '')
          : step === 'choosing' || step === 'looking'
            ? sentence(c.problem?.message)
            : '',
      screen: texts(bySelector('p[role=alert]')),
    },
    messages: { model: messagesOf, screen: texts(bySelector('p', status)) },
    counts: { model: countsOf, screen: texts(bySelector('dl > div')) },
    rows: {
      model: ({ job, step, isKnown }) =>
        [
          ...(isKnown ? (job?.refused ?? []) : []).map(({ name }) => `${name}name: 被他人修改过`),
          ...(step === 'looking' ? (job?.rows ?? []) : []).map(({ name }) =>
            job?.action === 'delete' ? name : `${name}name旧新`,
          ),
        ].join(),
      screen: texts(bySelector('tbody tr,section > ul > li')),
    },
    choice: {
      model: ({ c, job, step }) => (step === 'looking' && job?.changed !== 0 ? c.onError : ''),
      screen: value(having(choice(), (each) => each.checked)),
    },
    typed: {
      model: ({ s, c }) => (is(s, 'confirming') ? c.typed : ''),
      screen: value(field(zh('bulk.typeLabel'))),
    },
    loading: { model: loadingOf, screen: texts(loadingButtons) },
  },
  says: {
    'bulk.title.update': ({ action }) => action === 'update' && { name: '甲' },
    'bulk.title.delete': ({ action }) => action === 'delete' && { name: '甲' },
    'bulk.scope.ids': (view) =>
      showsScope(view) && view.c.input.selection.ids !== undefined && { n: 2 },
    'bulk.scope.filterOf': (view) =>
      showsScope(view) && view.c.input.selection.ids === undefined && { n: 2, filter: 'name x' },
    'bulk.noField': ({ c, step }) => step === 'choosing' && Object.keys(c.set).length === 0,
    'bulk.blank': ({ c, step }) => step === 'choosing' && Object.keys(c.set).length > 0,
    'bulk.addField': ({ c, step }) => step === 'choosing' && Object.keys(c.set).length < 2,
    'bulk.setTo': ({ job, step }) =>
      step === 'looking' && job?.action === 'update' && { label: 'name', text: '新' },
    'bulk.nothing': ({ job, step }) => step === 'looking' && job?.changed === 0,
    'bulk.bin': ({ job, action, step }) =>
      step === 'looking' && action === 'delete' && job?.changed !== 0,
    'bulk.onError.skip': showsChoice,
    'bulk.onError.abort': showsChoice,
    'bulk.refused': showsRefused,
    'bulk.saveRefused': showsRefused,
    'bulk.firstRows': (view) => view.action === 'update' && rowCount(view),
    'bulk.firstDoomed': (view) => view.action === 'delete' && rowCount(view),
    'bulk.type': ({ s, job }) => is(s, 'confirming') && { n: number(job?.changed ?? 0) },
    'bulk.apply.update': (view) => view.action === 'update' && changedCount(view),
    'bulk.apply.delete': (view) => view.action === 'delete' && changedCount(view),
    'bulk.running.update': ({ action, isWriting }) => isWriting && action === 'update',
    'bulk.running.delete': ({ action, isWriting }) => isWriting && action === 'delete',
    'bulk.cancelling': ({ s }) => is(s, 'cancelling'),
    'bulk.opening': ({ s, job }) => is(s, 'following') && job === null,
    'bulk.looking': ({ s, job, step, isWriting }) =>
      step === 'running' &&
      !isWriting &&
      !is(s, 'cancelling') &&
      !(is(s, 'following') && job === null),
    'bulk.done': ({ job, step }) => step === 'over' && job?.status === 'done' && job.failed === 0,
    'bulk.doneInPart': ({ job, step }) =>
      step === 'over' && job?.status === 'done' && job.failed > 0,
    'bulk.cancelled': ({ job, step }) => step === 'over' && job?.status === 'cancelled',
    'bulk.failed': ({ job, step }) =>
      step === 'over' && job?.status !== 'done' && job?.status !== 'cancelled',
  },
  gestures: {
    'field.add': ({ attrName }) =>
      fill(
        having(addField, ({ options }) => [...options].some((each) => each.value === attrName)),
        attrName,
      ),
    // The button and the field stay usable while the preview is requested; then they do nothing.
    'field.remove': ({ attrName }) =>
      unlisted(press(button(zh('bulk.removeField', { label: attrName })))),
    'value.change': (event) => unlisted(fill(field(event.attrName), String(event.value ?? ''))),
    'preview.start': press(button(zh('bulk.preview'))),
    'preview.back': press(either(button(zh('bulk.again.update')), button(zh('bulk.again.delete')))),
    'onError.change': ({ onError }) =>
      press(having(choice(zh(`bulk.onError.${onError}`)), (each) => !each.checked)),
    'apply.start': press(having(apply, (each) => each.getAttribute('type') !== 'submit')),
    'count.type': (event) => fill(field(zh('bulk.typeLabel')), event.text),
    'apply.confirm': press(confirm),
    'apply.cancel': press(button(zh('common.cancel'), bySelector('form'))),
    'job.cancel': stopJob(),
    'bulk.retry': press(button(zh('common.retry'))),
    'result.save': ({ only }) =>
      press(button(zh(only === 'all' ? 'bulk.saveAll' : 'bulk.saveRefused'))),
  },
  hidden,
  calls: {
    'POST /entity/A/data/bulk/delete': ['startBulk', (asked) => startInput(asked, 'delete')],
    'POST /entity/A/data/bulk/update': ['startBulk', (asked) => startInput(asked, 'update')],
    'POST /bulk/:id/apply': [
      'applyBulk',
      ({ body }, id) => ({ id, count: body.count, onError: body.onError }),
    ],
    '/bulk/:id/result': [
      'saveBulk',
      ({ query }, id) => ({ id, format: query.format, only: query.only }),
    ],
    'POST /bulk/:id/cancel': ['cancelBulk', (_asked, id) => ({ id })],
    'GET /bulk/:id': ['readBulk', (_asked, id) => ({ id })],
  },
  host,
})

/** The drawer saves results as workbooks. */
function adapt({ events }: Spec<unknown>): Partial<Spec<unknown>> {
  const isSaved = Object.keys(events['result.save'] ?? {}).length > 0
  const cases = {
    refused: { format: 'xlsx', only: 'refused' },
    all: { format: 'xlsx', only: 'all' },
  }
  return { events: { ...events, ...(isSaved ? { 'result.save': cases } : {}) } }
}

function viewOf(s: Snapshot): View {
  const c = s.context
  const { job } = c
  const { action } = c.input
  const step =
    is(s, 'choosing') || (is(s, 'sending') && action === 'update')
      ? 'choosing'
      : is(s, 'reviewing', 'confirming', 'applying')
        ? 'looking'
        : is(s, 'done', 'failed')
          ? 'over'
          : 'running'
  return {
    s,
    c,
    job,
    action,
    step,
    isWriting: is(s, 'following') && job?.phase === 'writing',
    isKnown: step === 'looking' || (step === 'over' && job !== null && job.total > 0),
  }
}

function stationOf({ s, action, step, isWriting }: View): string {
  const stations = (['choose', 'look', 'run', 'done'] as const).slice(action === 'delete' ? 1 : 0)
  const station = (
    {
      choosing: 'choose',
      looking: 'look',
      over: 'done',
      running: isWriting || is(s, 'cancelling') ? 'run' : 'look',
    } as const
  )[step]
  return `${stations.indexOf(station) + 1}${zh(`bulk.step.${station}`)}`
}

function messagesOf({ s, c, job, step, isWriting }: View): string {
  if (step === 'over')
    return c.problem === null
      ? job === null || is(s, 'done')
        ? ''
        : (job.message ?? '')
      : sentence(c.problem.message)
  if (step !== 'running') return ''
  const far =
    is(s, 'following') && job !== null
      ? [
          `${zh('bulk.far', { done: job.done, total: job.total })}${Math.floor((job.done / job.total) * 100)}%`,
        ]
      : []
  const hint = s.hasTag('lost') ? [zh('bulk.lost')] : isWriting ? [zh('bulk.closeHint')] : []
  return [...far, ...hint].join()
}

function countsOf({ job, step, isKnown, isWriting }: View): string {
  if (job === null || !(isKnown || isWriting)) return ''
  const { action, changed, updated, skipped, failed } = job
  const first = step === 'looking' ? 'changed' : 'updated'
  return [
    `${zh(`bulk.count.${first}.${action}`)}${number(step === 'looking' ? changed : updated)}`,
    ...(action === 'delete' ? [] : [`${zh('bulk.count.skipped')}${number(skipped)}`]),
    `${zh('bulk.count.failed')}${number(failed)}`,
  ].join()
}

function loadingOf(view: View): string {
  const { s, c, action, job, step, isKnown } = view
  return [
    ...(is(s, 'sending') && step === 'choosing' ? [zh('bulk.preview')] : []),
    ...(c.saving?.only === 'all' && step === 'over' && isKnown ? [zh('bulk.saveAll')] : []),
    ...(c.saving?.only === 'refused' && showsRefused(view) ? [zh('bulk.saveRefused')] : []),
    ...(is(s, 'applying') ? [zh(`bulk.apply.${action}`, { n: number(job?.changed ?? 0) })] : []),
  ].join()
}

function showsScope({ s, c }: View): boolean {
  return c.input.job === undefined && !is(s, 'done')
}

function showsChoice({ job, step }: View): boolean {
  return step === 'looking' && job?.changed !== 0
}

function showsRefused({ job, isKnown }: View): boolean {
  return isKnown && (job?.failed ?? 0) > 0
}

function rowCount({ job, step }: View) {
  return step === 'looking' && (job?.rows.length ?? 0) > 0 && { n: job?.rows.length ?? 0 }
}

function changedCount({ job, step }: View) {
  return step === 'looking' && { n: number(job?.changed ?? 0) }
}

/** While rows are written a question comes first. */
function stopJob() {
  const cancel = having(button(zh('common.cancel')), isShown(status))
  return custom(
    (held) => {
      const asks = isShown(stop)()
      press(either(stop, cancel)).run(held)
      return asks ? () => press(button(zh('bulk.stop'), question())).run(held) : undefined
    },
    () => press(either(stop, cancel)).isOffered?.() === true,
  )
}

/** What the drawer has no control for: a field that is not chosen, a choice that is made already. */
function hidden(s: Snapshot, event: BulkEditEvent): boolean {
  const { set, onError } = s.context
  const view = viewOf(s)
  const { job } = view
  switch (event.type) {
    case 'field.add':
      return event.attrName in set
    case 'field.remove':
      return !(event.attrName in set)
    case 'value.change':
      return !(event.attrName in set) || set[event.attrName] === event.value
    case 'preview.back':
      return is(s, 'reviewing') && view.action === 'delete'
    case 'onError.change':
      return job?.changed === 0 || event.onError === onError
    case 'result.save':
      return event.only === 'refused'
        ? !(showsRefused(view) && job?.total !== 0)
        : !(view.step === 'over' && view.isKnown)
    default:
      return false
  }
}

function startInput({ body: { set, ...selection } }: Asked, action: BulkAction) {
  const chosen =
    'ids' in selection
      ? { ids: selection.ids }
      : { queries: selection.queries, except: selection.except }
  return { tag: 'A', action, selection: chosen, set: set ?? {} }
}

function host(): Host {
  const effects = effectLog([{ message: { key: 'transfer.saved' }, tone: 'success' }])
  // The job that the last reply taken of, null when something else happened since.
  let answer: BulkJob | null = null
  return {
    mount: (start, held) => {
      // The drawer stores the job under way for a reload.
      const stored = watchStorage('JIAOWU_BULK_A', (entry) =>
        effects.add(
          entry !== null
            ? { type: 'job', id: entry.split(' ')[1] }
            : answer === null
              ? { type: 'job', id: null }
              : { type: 'finished', job: answer },
        ),
      )
      const { action, selection, ...more }: BulkEditInput =
        bulkStarts[start as keyof typeof bulkStarts]()
      return {
        element: inConsole(
          held,
          <BulkDrawer
            config={config}
            action={action}
            selection={selection}
            count={2}
            job={more.job ?? null}
            onClose={() => {}}
            onChanged={() => {}}
          />,
        ),
        stop: () => stored.stop(),
      }
    },
    background: () => answered([]),
    reply: (_port, { output }) => {
      answer = output as BulkJob
      return answered(output)
    },
    end: (held, port, outcome) => {
      answer = null
      if (port !== 'saveBulk' || !outcome.ok) return false
      held.finish(port)
      return true
    },
    before: () => {
      answer = null
      dismissToasts()
    },
    takeEffects: effects.take,
  }
}
