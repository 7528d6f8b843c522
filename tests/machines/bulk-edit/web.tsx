import { type BulkAction, type BulkJob, say, t } from '@jiaowu/api'
import {
  type BulkEditContext,
  type BulkEditEvent,
  type BulkEditInput,
  bulkEditMachine,
} from '@jiaowu/machines'
import type { EventObject, SnapshotFrom } from 'xstate'
import { BulkDrawer } from '../../../apps/web/src/features/bulk/bulk-drawer.tsx'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import { type BulkEditSeen, bulkStarts } from './model.ts'
import { listConfig } from '../entity-list/model.ts'
import { all, click, enter, find, need, offers, press, textOf } from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { toastsTold, watchStorage, waveToasts } from '../../surfaces/web/told.ts'

type Snapshot = SnapshotFrom<typeof bulkEditMachine>
/** What a person sees of a change of many rows, and (`offers`) what the drawer lets them do. */
export interface BulkScreen {
  readonly at: string
  readonly station: string
  readonly scope: string
  readonly set: string
  readonly words: string
  readonly counts: string
  readonly rows: string
  readonly refused: string
  readonly far: string
  readonly choice: string
  readonly heads: string
  readonly typed: string
  readonly saving: string
  readonly offers: string
}

const config = {
  ...listConfig('multi'),
  fields: listConfig('multi').fields.map((field) => ({ ...field, isEdit: 1 as const })),
  recycles: true,
}
const labels = { name: 'name', no: 'no' } as const
const isLooking = (s: Snapshot) => at(s, 'reviewing', 'confirming', 'applying')
const isOver = (s: Snapshot) => at(s, 'done', 'failed')
const isRunning = (s: Snapshot) => at(s, 'following') && s.context.job?.phase === 'writing'

/** A model of bulk changes, seen from its drawer. Results are saved as workbooks there. */
export function bulkOnScreen(spec: Spec<BulkEditSeen>): Spec<BulkScreen> {
  return {
    ...spec,
    project: project as unknown as Spec<BulkScreen>['project'],
    covered: covered as unknown as NonNullable<Spec<BulkScreen>['covered']>,
    events: {
      ...spec.events,
      ...(Object.keys(spec.events['result.save'] ?? {}).length === 0
        ? {}
        : {
            'result.save': {
              refused: { format: 'xlsx', only: 'refused' },
              all: { format: 'xlsx', only: 'all' },
            },
          }),
    },
  }
}

/** What the screen must show, said apart from the machine's own view. */
function project(s: Snapshot): BulkScreen {
  const c = s.context
  const { job } = c
  const known = isLooking(s) || (isOver(s) && job !== null && job.total > 0)
  const fault = c.problem?.issues[0]?.msg ?? ''
  return {
    at: isChoosing(s)
      ? 'choosing'
      : isLooking(s)
        ? at(s, 'confirming')
          ? 'confirming'
          : 'looking'
        : isOver(s)
          ? at(s, 'done')
            ? 'done'
            : 'failed'
          : 'running',
    station: stationOf(s),
    scope:
      c.input.job !== undefined || at(s, 'done')
        ? ''
        : c.input.selection.ids === undefined
          ? zh('bulk.scope.filterOf', { n: 2, filter: 'name x' })
          : zh('bulk.scope.ids', { n: 2 }),
    set: isChoosing(s)
      ? Object.keys(c.set)
          .map((name) => `${name}=${String(c.set[name] ?? '')}${name === 'name' ? fault : ''}`)
          .join()
      : isLooking(s) && job?.action === 'update'
        ? t('zh-CN', 'bulk.setTo', { label: 'name', text: '新' })
        : '',
    words: wordsOf(s),
    counts:
      isLooking(s) && job !== null
        ? numbersOf(job, false)
        : (known || isRunning(s)) && job !== null
          ? numbersOf(job, true)
          : '',
    rows:
      isLooking(s) && job !== null
        ? job.rows.map(({ name }) => (job.action === 'delete' ? name : `${name}name旧新`)).join()
        : '',
    refused: known
      ? (job?.refused ?? []).map(({ name }) => `${name}name: 被他人修改过`).join()
      : '',
    far:
      at(s, 'following') && job !== null
        ? `${zh('bulk.far', { done: job.done, total: job.total })}${Math.floor((job.done / job.total) * 100)}%`
        : '',
    choice: isLooking(s) && job?.changed !== 0 ? c.onError : '',
    heads: headsOf(s, known),
    typed: at(s, 'confirming') ? c.typed : '',
    saving:
      c.saving !== null &&
      (c.saving.only === 'refused' ? known && (job?.failed ?? 0) > 0 : isOver(s) && known)
        ? c.saving.only
        : '',
    offers: mayOf(s),
  }
}

function isChoosing(s: Snapshot) {
  return at(s, 'choosing') || (at(s, 'sending') && s.context.input.action === 'update')
}

function at(s: Snapshot, ...states: readonly string[]) {
  return states.some((state) => s.matches({ change: state } as never))
}

function stationOf(s: Snapshot): string {
  const steps =
    s.context.input.action === 'delete'
      ? (['look', 'run', 'done'] as const)
      : (['choose', 'look', 'run', 'done'] as const)
  const station = isChoosing(s)
    ? 'choose'
    : isOver(s)
      ? 'done'
      : isRunning(s) || at(s, 'cancelling')
        ? 'run'
        : 'look'
  const i = Math.max(0, (steps as readonly string[]).indexOf(station))
  return `${i + 1}${zh(`bulk.step.${steps[i] ?? 'look'}`)}`
}

function zh(key: Parameters<typeof say>[1]['key'], params: Record<string, string | number> = {}) {
  return say('zh-CN', { key, params })
}

function wordsOf(s: Snapshot): string {
  const c = s.context
  const {
    job,
    input: { action },
  } = c
  if (isChoosing(s))
    return [
      ...(c.problem !== null && !('name' in c.set && c.problem.issues.length > 0)
        ? [problemOf(c)]
        : []),
      ...(Object.keys(c.set).length === 0 ? [zh('bulk.noField')] : []),
    ].join('|')
  if (isLooking(s) && job !== null)
    return [
      ...(c.problem === null ? [] : [problemOf(c)]),
      ...(job.changed === 0 ? [zh('bulk.nothing')] : []),
      ...(job.action === 'delete' && job.changed > 0 ? [zh('bulk.bin')] : []),
    ].join('|')
  if (isOver(s))
    return [
      zh(
        job?.status === 'done'
          ? job.failed > 0
            ? 'bulk.doneInPart'
            : 'bulk.done'
          : job?.status === 'cancelled'
            ? 'bulk.cancelled'
            : 'bulk.failed',
      ),
      ...(c.problem === null
        ? job === null || at(s, 'done')
          ? []
          : [job.message ?? '']
        : [problemOf(c)]),
    ].join('|')
  const word = isRunning(s)
    ? zh(`bulk.running.${action}`)
    : at(s, 'cancelling')
      ? zh('bulk.cancelling')
      : at(s, 'following') && job === null
        ? zh('bulk.opening')
        : zh('bulk.looking')
  return [
    word,
    ...(s.hasTag('lost') ? [zh('bulk.lost')] : isRunning(s) ? [zh('bulk.closeHint')] : []),
  ].join('|')
}

function problemOf({ problem }: BulkEditContext): string {
  return problem === null
    ? ''
    : typeof problem.message === 'string'
      ? problem.message
      : say('zh-CN', problem.message)
}

function numbersOf(job: BulkJob, over: boolean): string {
  const { action, changed, updated, skipped, failed } = job
  const pairs = [
    [
      zh(over ? `bulk.count.updated.${action}` : `bulk.count.changed.${action}`),
      over ? updated : changed,
    ],
    ...(action === 'delete' ? [] : [[zh('bulk.count.skipped'), skipped]]),
    [zh('bulk.count.failed'), failed],
  ] as const
  return pairs.map(([label, n]) => `${label}${(n ?? 0).toLocaleString('zh-CN')}`).join()
}

/** What stands above the parts, and beside the choices. */
function headsOf(s: Snapshot, known: boolean): string {
  const { job } = s.context
  const { action } = s.context.input
  const title = zh(`bulk.title.${action}`, { name: '甲' })
  if (isChoosing(s))
    return [
      title,
      ...Object.keys(s.context.set).map(() => zh('bulk.blank')),
      ...(Object.keys(s.context.set).length < 2 ? [`${zh('bulk.addField')}…`] : []),
    ].join('|')
  if (job === null) return title
  const looks = isLooking(s)
  return [
    title,
    ...(looks && job.changed > 0 ? [zh('bulk.onError.skip'), zh('bulk.onError.abort')] : []),
    ...(known && job.failed > 0 ? [zh('bulk.refused') + zh('bulk.saveRefused')] : []),
    ...(looks && job.rows.length > 0
      ? [zh(action === 'delete' ? 'bulk.firstDoomed' : 'bulk.firstRows', { n: job.rows.length })]
      : []),
    ...(at(s, 'confirming') ? [zh('bulk.type', { n: job.changed.toLocaleString('zh-CN') })] : []),
    ...(looks ? [zh(`bulk.apply.${action}`, { n: job.changed.toLocaleString('zh-CN') })] : []),
  ].join('|')
}

function mayOf(s: Snapshot): string {
  const may = (event: BulkEditEvent) => s.can(event) && !covered(s, event)
  return [
    ...(
      [
        'preview.start',
        'preview.back',
        'apply.start',
        'apply.confirm',
        'apply.cancel',
        'job.cancel',
        'bulk.retry',
      ] as const
    ).filter((type) => may({ type })),
    ...(at(s, 'choosing')
      ? Object.keys(labels).map(
          (name) => `${name in s.context.set ? 'field.remove' : 'field.add'}(${name})`,
        )
      : []),
    ...(at(s, 'reviewing') &&
    s.can({ type: 'onError.change', onError: 'abort' }) &&
    s.context.job?.changed !== 0
      ? ['abort']
      : []),
    ...(['all', 'refused'] as const)
      .filter((only) => may({ type: 'result.save', format: 'xlsx', only }))
      .map((only) => `result.save(${only})`),
  ]
    .sort()
    .join()
}

/** Gestures that need something that is not there: a field that is not chosen, a button the step does not have. */
function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as BulkEditEvent
  const {
    set,
    job,
    input: { action },
  } = s.context
  switch (event.type) {
    case 'field.add':
      return event.attrName in set
    case 'field.remove':
    case 'value.change':
      return (
        !(event.attrName in set) ||
        (event.type === 'value.change' && set[event.attrName] === event.value)
      )
    case 'preview.back':
      return at(s, 'reviewing') && action === 'delete'
    case 'onError.change':
      return job?.changed === 0 || event.onError === s.context.onError
    case 'result.save':
      return event.only === 'refused'
        ? !((isLooking(s) || isOver(s)) && (job?.failed ?? 0) > 0 && job?.total !== 0)
        : !(isOver(s) && job !== null && job.total > 0)
    default:
      return false
  }
}

const foot = '.jw-tr__foot button'
const gestures: Gestures<BulkEditEvent> = {
  'field.add': ({ attrName }) => enter(need<HTMLSelectElement>('.jw-bulk__add select'), attrName),
  'field.remove': ({ attrName }) =>
    click(`.jw-bulk__field [aria-label="${zh('bulk.removeField', { label: attrName })}"]`),
  'value.change': ({ attrName, value }) =>
    enter(need<HTMLInputElement>('input', undefined, fieldOf(attrName)), String(value ?? '')),
  'preview.start': () => click(foot, '预览变化'),
  'preview.back': () => press(find(foot, '修改选项') ?? need(foot, '重新检查')),
  'onError.change': ({ onError }) => click(`.jw-bulk__onerror input[value=${onError}]`),
  'apply.start': () => press(all(foot).at(-1) ?? need(foot)),
  'count.type': ({ text }) => enter(need<HTMLInputElement>('.jw-bulk__type input'), text),
  'apply.confirm': () => click('.jw-bulk__type button[type=submit]'),
  'apply.cancel': () => click('.jw-bulk__type button', '取消'),
  'job.cancel': () => {
    const stop = find(foot, '停止')
    if (stop === undefined) {
      click(foot, '取消')
      return undefined
    }
    press(stop)
    return () => click('.bp6-alert button', '停止')
  },
  'bulk.retry': () => click(foot, '重试'),
  'result.save': ({ only }) =>
    click('.jw-tr__body button', only === 'all' ? '下载结果' : '下载不能处理的数据'),
}
const offersBusy = () => find(`${foot}.bp6-loading`) !== undefined

export function bulkScreen(): Screen<BulkScreen> {
  const toasts = toastsTold([{ message: { key: 'transfer.saved' }, tone: 'success' }])
  let place: ReturnType<typeof watchStorage> | null = null
  let kept: (string | null)[] = []
  // The answer by which a job ended, if that is what happened last.
  let answer: BulkJob | null = null
  return {
    mount: (start, held) => {
      kept = []
      place = watchStorage('JIAOWU_BULK_A', (value) => kept.push(value)) // what the drawer writes down for a reload
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
        stop: () => {
          place?.stop()
        },
      }
    },
    callOf,
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
    user: (step, held) => {
      answer = null
      waveToasts()
      return () => gestureOf(gestures, step, held)
    },
    read,
    told: () => {
      const told = [
        ...toasts(),
        ...kept.map((value) =>
          value !== null
            ? emitEffect({ type: 'job', id: value.split(' ')[1] })
            : answer === null
              ? emitEffect({ type: 'job', id: null })
              : emitEffect({ type: 'finished', job: answer }),
        ),
      ]
      kept = []
      return told
    },
  }
}

function callOf({ method, path, body, query }: Asked): PortCall | null {
  const chosen = ({ set: _set, ...selection }: Asked['body']) =>
    'ids' in selection
      ? { ids: selection.ids }
      : { queries: selection.queries, except: selection.except }
  if (path.startsWith('/entity/A/data/bulk/')) {
    const action: BulkAction = path.endsWith('/delete') ? 'delete' : 'update'
    return {
      port: 'startBulk',
      input: { tag: 'A', action, selection: chosen(body), set: body.set ?? {} },
    }
  }
  const [id = '', what] = path.replace('/bulk/', '').split('/')
  if (!path.startsWith('/bulk/')) return null
  if (what === 'apply')
    return { port: 'applyBulk', input: { id, count: body.count, onError: body.onError } }
  if (what === 'result')
    return { port: 'saveBulk', input: { id, format: query.format, only: query.only } }
  return method === 'POST'
    ? { port: 'cancelBulk', input: { id } }
    : { port: 'readBulk', input: { id } }
}

function read(): BulkScreen {
  const end = find('.jw-tr__end')
  const texts = (selector: string) => all(selector).map(textOf)
  const isLook =
    end === undefined &&
    find('.jw-bulk__counts') !== undefined &&
    find('.jw-tr__progress') === undefined
  const refusedRows = all('.jw-bulk__rows.is-refused tbody tr')
  return {
    at:
      end !== undefined
        ? end.classList.contains('is-done')
          ? 'done'
          : 'failed'
        : find('.jw-tr__progress') !== undefined
          ? 'running'
          : isLook
            ? find('.jw-bulk__type') === undefined
              ? 'looking'
              : 'confirming'
            : 'choosing',
    station: textOf(find('.jw-tr__steps [aria-current=step]')),
    scope: textOf(find('.jw-bulk__scope')),
    set: isLook
      ? texts('.jw-bulk__set li').join()
      : all('.jw-bulk__field')
          .map(
            (each) =>
              `${textOf(each.querySelector<HTMLElement>('label') ?? undefined)}=${each.querySelector('input')?.value ?? ''}${textOf(each.querySelector<HTMLElement>('.jw-field__fault') ?? undefined)}`,
          )
          .join(),
    words: [
      ...texts('.jw-tr__body > .jw-fault'),
      ...texts('.jw-bulk__hint'),
      ...texts('.jw-tr__progress h3'),
      ...texts('.jw-tr__wait'),
      ...texts('.jw-tr__end h3'),
      ...texts('.jw-tr__end p'),
      ...texts('.jw-tr__word'),
      ...texts('.jw-tr__progress > .jw-muted'),
    ].join('|'),
    counts: all('.jw-bulk__counts > div')
      .map((each) => textOf(each))
      .join(),
    rows: all('.jw-bulk__rows:not(.is-refused) tbody tr, .jw-bulk__names li')
      .map((each) => textOf(each))
      .join(),
    refused: refusedRows.map((each) => textOf(each)).join(),
    far: textOf(find('.jw-tr__far')),
    choice:
      all('.jw-bulk__onerror input')
        .map((each) => each as HTMLInputElement)
        .find(({ checked }) => checked)?.value ?? '',
    heads: [
      ...texts('.jw-bulk .bp6-drawer-header h4, .jw-bulk .bp6-drawer-header .bp6-heading').slice(
        0,
        1,
      ),
      ...texts('.jw-bulk__head small'),
      ...texts('.jw-bulk__add option').slice(0, 1),
      ...texts('.jw-bulk__onerror label').filter(
        (_text, i) =>
          all('.jw-bulk__onerror label')[i]?.querySelector('input:not([hidden])') !== null,
      ),
      ...texts('.jw-tr__head'),
      ...texts('.jw-bulk__type label'),
      ...texts(`${foot}`).filter((text) => isLook && /^(修改|删除) [\d,]+ 条$/.test(text)),
    ].join('|'),
    typed: (find('.jw-bulk__type input') as HTMLInputElement | undefined)?.value ?? '',
    saving: all('.jw-tr__body button.bp6-loading').some((each) => textOf(each) === '下载结果')
      ? 'all'
      : all('.jw-tr__body button.bp6-loading').length > 0
        ? 'refused'
        : '',
    offers: offersNow(),
  }
}

function offersNow(): string {
  return [
    ...[
      ['preview.start', '预览变化'],
      ['preview.back', '修改选项'],
      ['preview.back', '重新检查'],
      ['bulk.retry', '重试'],
    ]
      .filter(([, text]) => offers(foot, text))
      .map(([type]) => type ?? ''),
    ...(find('.jw-bulk__type') === undefined &&
    find('.jw-bulk__counts') !== undefined &&
    all(foot).some(
      (each) => /^(修改|删除) [\d,]+ 条$/.test(textOf(each)) && !each.hasAttribute('disabled'),
    )
      ? ['apply.start']
      : []),
    ...(offers('.jw-bulk__type button[type=submit]') ? ['apply.confirm'] : []),
    ...(offers('.jw-bulk__type button', '取消') ? ['apply.cancel'] : []),
    ...(find('.jw-tr__progress') !== undefined && (offers(foot, '停止') || offers(foot, '取消'))
      ? ['job.cancel']
      : []),
    ...all('.jw-bulk__field label')
      .map((label) => `field.remove(${textOf(label)})`)
      .filter(() => find('.jw-bulk__add select:disabled') === undefined && !offersBusy()),
    ...(offers('.jw-bulk__add select')
      ? all('.jw-bulk__add option')
          .map((option) => option.getAttribute('value') ?? '')
          .filter((value) => value !== '')
          .map((value) => `field.add(${value})`)
      : []),
    ...(find('.jw-bulk__onerror:disabled') === undefined &&
    offers('.jw-bulk__onerror input[value=abort]')
      ? ['abort']
      : []),
    ...(offers('.jw-tr__body button', '下载结果') ? ['result.save(all)'] : []),
    ...(offers('.jw-tr__body button', '下载不能处理的数据') ? ['result.save(refused)'] : []),
  ]
    .sort()
    .join()
}

function fieldOf(name: string): HTMLElement {
  return (
    all('.jw-bulk__field').find(
      (each) => textOf(each.querySelector<HTMLElement>('label') ?? undefined) === name,
    ) ?? need(`.field-${name}`)
  )
}
