import { t, type TextKey } from '@jiaowu/api'
import type {
  DownloadContext,
  DownloadEvent,
  DownloadFacts,
  downloadMachine,
  ReportFilter,
} from '@jiaowu/machines'
import { useState } from 'react'
import type { EventObject, SnapshotFrom } from 'xstate'
import '../../../apps/web/src/ui/pdf-view.tsx'
import { StudentHome } from '../../../apps/web/src/features/student/student-home.tsx'
import { emitEffect, type Spec } from '@jiaowu/path-tests'
import { downloadResumeModel, type DownloadSeen } from './model.ts'
import { all, click, find, need, offers, press, textOf } from '../../surfaces/web/dom.ts'
import { answered, type Asked, type PortCall } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, inConsole, type Screen } from '../../surfaces/web/screen.tsx'
import { toastsTold, watchStorage } from '../../surfaces/web/told.ts'

/** What a student sees, and (`offers`) what the screen lets them do. */
export interface DownloadScreenSeen {
  readonly shows:
    | 'loading'
    | 'noList'
    | 'list'
    | 'preview'
    | 'method'
    | 'saving'
    | 'success'
    | 'gone'
  readonly indicator: string
  readonly popup: '' | 'scan' | 'closing' | 'failed' | 'refunded' | 'checked' | 'unsaved'
  readonly busy: boolean
  readonly rows: string
  readonly filters: string
  readonly name: string
  readonly price: string
  readonly problem: string
  readonly seconds: number | null
  readonly code: boolean
  readonly words: string
  readonly offers: string
}
const nothing: DownloadScreenSeen = {
  shows: 'gone',
  indicator: '',
  popup: '',
  busy: false,
  rows: '',
  filters: '',
  name: '',
  price: '',
  problem: '',
  seconds: null,
  code: false,
  words: '',
  offers: '',
}

type Snapshot = SnapshotFrom<typeof downloadMachine>
const zh = (key: TextKey): string => (t as (...all: unknown[]) => string)('zh-CN', key)
const account = 'admin' // the person inConsole signs in
const yuan = (price: number | null) => (price === null ? '' : `¥${price.toFixed(2)}`)
type Starts = Readonly<
  Record<
    string,
    (clock: { now(): number }) => {
      readonly facts: DownloadFacts | null
      readonly now: () => number
    }
  >
>

/** A model of the download, seen from the student's page. */
export function downloadOnScreen(spec: Spec<DownloadSeen>): Spec<DownloadScreenSeen> {
  const { input } = spec as { input: Starts[string] | Starts }
  const adapted =
    (make: Starts[string]): Starts[string] =>
    (clock) => {
      const made = make(clock)
      return { ...made, account, facts: mine(made.facts) }
    }
  const {
    open,
    long: _long,
    ...settled
  } = spec.outcomes.order as Readonly<
    Record<string, { readonly ok: boolean; readonly output?: object }>
  >
  return {
    // Fewer seconds still: how long it really is, the bare machine is asked.
    ...spec,
    outcomes: {
      ...spec.outcomes,
      order: {
        ...settled,
        ...(open === undefined
          ? {}
          : { open: { ...open, output: { ...open.output, expires_in: 6 } } }),
      } as never,
    },
    project: project as never,
    covered: covered as never,
    input:
      typeof input === 'function'
        ? adapted(input)
        : Object.fromEntries(Object.entries(input).map(([name, make]) => [name, adapted(make)])),
  }
}

function mine(facts: DownloadFacts | null): DownloadFacts | null {
  return facts === null || facts.account === '13800000002' ? facts : { ...facts, account }
}

/** The same from the machine's state, said apart from its own view. */
function project(s: Snapshot, left: (child: string) => number | null): DownloadScreenSeen {
  const c: DownloadContext = s.context
  const shows = showsOf(s)
  if (shows === 'gone') return nothing
  const ms = left('payCountdown') ?? left('homeCountdown')
  const isList = shows === 'list' || shows === 'noList' || shows === 'loading'
  const problem = String(c.problem?.message ?? '')
  return {
    shows,
    indicator: zh(
      isList
        ? 'studentPage.step.list'
        : shows === 'saving' || shows === 'success' || s.matches('unsaved')
          ? 'studentPage.step.done'
          : 'studentPage.step.preview',
    ),
    popup: popupOf(s),
    busy:
      shows === 'loading' ||
      shows === 'saving' ||
      s.matches('ordering') ||
      (shows === 'list' && s.hasTag('busy')) ||
      s.matches({ preview: 'loading' }),
    rows: shows === 'list' ? visible(c).join() : '',
    filters:
      shows === 'list'
        ? Object.entries(c.filters)
            .filter(([, on]) => on)
            .map(([name]) => name)
            .join()
        : '',
    name: isList || shows === 'saving' ? '' : (c.report?.reportName ?? ''),
    price:
      shows === 'preview'
        ? c.price === 0
          ? zh('studentPage.free')
          : yuan(c.price)
        : popupOf(s) === 'scan' || popupOf(s) === 'closing'
          ? yuan(c.order?.amount ?? 0)
          : shows === 'method' && !isPopup(s)
            ? yuan(c.price ?? 0)
            : '',
    problem:
      shows === 'noList' ||
      s.matches('scanPay') ||
      s.matches({ preview: 'failed' }) ||
      s.matches('method') ||
      s.matches('unsaved') ||
      s.matches({ preview: 'shown' })
        ? problem
        : '',
    seconds: ms === null ? null : Math.ceil(ms / 1000),
    code: popupOf(s) === 'scan',
    words: wordsOf(s),
    offers: mayOf(s),
  }
}

function showsOf(s: Snapshot): DownloadScreenSeen['shows'] {
  if (s.status !== 'active') return 'gone'
  if (s.matches({ list: 'failed' })) return 'noList'
  if (s.matches('list'))
    return s.hasTag('busy') && s.context.reports.length === 0 ? 'loading' : 'list'
  return s.matches('preview')
    ? 'preview'
    : s.matches('saving')
      ? 'saving'
      : s.matches('success')
        ? 'success'
        : 'method'
}

function popupOf(s: Snapshot): DownloadScreenSeen['popup'] {
  if (s.matches('scanPay')) return 'scan'
  if (s.matches('closing')) return 'closing'
  if (s.matches({ failed: 'unconfirmed' })) return 'checked'
  if (s.matches({ failed: 'refunded' })) return 'refunded'
  return s.matches('failed') ? 'failed' : s.matches('unsaved') ? 'unsaved' : ''
}

function visible({ reports, filters }: DownloadContext) {
  return reports
    .filter((each) => filters[each.reportLanguage] && filters[each.reportType])
    .map(({ id }) => id)
}

function isPopup(s: Snapshot) {
  return s.matches('scanPay') || s.matches('closing') || s.matches('failed') || s.matches('unsaved')
}

/** The sentences that stand there whatever the data: nobody should find another one. */
function wordsOf(s: Snapshot): string {
  const { student, report } = s.context
  const popup = popupOf(s)
  if (popup === 'scan')
    return [
      zh('studentPage.scanTitle'),
      zh('studentPage.scanHintAny'),
      zh('studentPage.payWithin').replace(/\{n\}/, '#'),
    ].join('|')
  if (popup === 'closing') return [zh('studentPage.scanTitle'), zh('studentPage.closing')].join('|')
  if (popup !== '')
    return {
      failed: zh('studentPage.payFailed'),
      refunded: zh('studentPage.refunded'),
      checked: zh('studentPage.beingChecked'),
      unsaved: zh('studentPage.saveFailed'),
    }[popup]
  const shows = showsOf(s)
  const labels = ['name', 'studentNo', 'idNo', 'faculty', 'majorName', 'className']
    .map((each) => zh(`studentPage.${each}` as TextKey))
    .join()
  const record =
    student === null
      ? ''
      : labels +
        [
          student.fldXm,
          student.fldXh,
          student.fldSfzjh,
          student.fldYxsh,
          student.fldZymc,
          student.fldBjmc,
        ].join()
  if (shows === 'list' || shows === 'loading' || shows === 'noList')
    return [
      zh('studentPage.title'),
      record,
      shows === 'loading' ? zh('common.loading') : '',
      ...(shows === 'list'
        ? s.context.reports
            .filter(({ id }) => visible(s.context).includes(id))
            .map((each) =>
              [
                zh(each.reportLanguage === 'zh' ? 'studentPage.chinese' : 'studentPage.english'),
                zh(
                  each.reportType === 'transcript' ? 'studentPage.transcript' : 'studentPage.proof',
                ),
                zh('studentPage.download'),
              ].join(''),
            )
        : []),
    ].join('|')
  if (shows === 'preview')
    return [
      zh('studentPage.title'),
      zh('studentPage.abnormal'),
      s.context.price === null ? '' : zh('studentPage.price'),
      s.matches({ preview: 'loading' }) ? zh('studentPage.previewLoading') : '',
    ].join('|')
  if (shows === 'method')
    return [
      zh('studentPage.title'),
      zh('studentPage.method'),
      zh('studentPage.wechat'),
      zh('studentPage.alipay'),
      zh('studentPage.notYet'),
      s.matches('ordering') ? zh('studentPage.ordering') : '',
    ].join('|')
  return shows === 'success'
    ? [
        zh('studentPage.done'),
        report?.reportName ?? '',
        zh('studentPage.homeIn').replace(/\{n\}/, '#'),
      ].join('|')
    : ''
}

function mayOf(s: Snapshot): string {
  const may = (event: DownloadEvent) => s.can(event)
  const simple = [
    'preview.retry',
    'preview.confirm',
    'preview.cancel',
    'pay.back',
    'pay.cancel',
    'failure.cancel',
    'failure.repay',
    'failure.check',
    'save.retry',
    'save.leave',
    'success.again',
    'success.home',
  ] as const
  return [
    ...simple.filter((type) => may({ type })),
    ...(s.matches({ list: 'failed' }) ? ['list.refresh'] : []),
    ...(may({ type: 'filter.toggle', filter: 'zh' }) ? ['filter.toggle'] : []),
    ...visible(s.context)
      .filter((reportId) => may({ type: 'report.open', reportId }))
      .map((id) => `report.open(${id})`),
    ...(may({ type: 'pay.choose', method: 'wechat' }) ? ['pay.choose'] : []),
  ]
    .sort()
    .join()
}

/** What no hand reaches: a report that the filters hide; reading the list again unless it did not come (only another language does that). */
function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as DownloadEvent
  return (
    (event.type === 'report.open' && !visible(s.context).includes(event.reportId)) ||
    (event.type === 'list.refresh' && !s.matches({ list: 'failed' }))
  )
}

const decoded = (text: unknown) => atob(String(text))

const filters = {
  zh: 'studentPage.chinese',
  en: 'studentPage.english',
  transcript: 'studentPage.transcript',
  proof: 'studentPage.proof',
} as const satisfies Readonly<Record<ReportFilter, TextKey>>
const failure = '.jw-failure'
const cross = '.jw-scan .bp6-dialog-close-button'
const cancelFailure = () => click(`${failure} button`, zh('studentPage.cancel'))
const gestures: Gestures<DownloadEvent> = {
  'list.refresh': () => click('.jw-sheet .jw-state button', '重试'),
  'filter.toggle': ({ filter }) => click('.jw-chip', zh(filters[filter])),
  'report.open': ({ reportId }) => click(`.jw-reports li button[aria-label="下载 n${reportId}"]`),
  'preview.retry': () => click('.jw-look__page button', '重试'),
  'preview.confirm': () => click('.jw-look footer button', zh('studentPage.confirmDownload')),
  'preview.cancel': () => click('.jw-look footer button', zh('studentPage.cancel')),
  'pay.choose': ({ method }) => click(method === 'wechat' ? '.is-wechat' : '.is-alipay'),
  'pay.back': () => click('.jw-method button', zh('studentPage.previous')),
  'pay.cancel': () => click(cross),
  'failure.cancel': cancelFailure,
  'failure.repay': () => click(`${failure} button`, zh('studentPage.repay')),
  'failure.check': () => click(`${failure} button`, zh('studentPage.checkAgain')),
  'save.retry': () => click(`${failure} button`, zh('studentPage.again')),
  'save.leave': cancelFailure,
  'success.again': () => click('.jw-done button', zh('studentPage.again')),
  'success.home': () => press(all('.jw-done button')[1] ?? need('.jw-done__home')),
  'session.end': () => click(`[aria-label="${zh('studentPage.signOut')}"]`),
}

const orderKey = 'JIAOWU_ORDER'
const school = {
  schoolName: '大学',
  schoolSite: '',
  registrarSite: '',
  contactAddress: '',
  feeNotice: '',
  payDriver: 'sandbox',
}

export function downloadScreen(): Screen<DownloadScreenSeen> {
  let told: string[] = []
  const toasts = toastsTold()
  const Page = () => {
    const [here, setHere] = useState(true)
    return here ? (
      <StudentHome
        onSignOut={() => {
          told.push(emitEffect({ type: 'ended' }))
          setHere(false)
        }}
      />
    ) : null
  }
  return {
    mount: (start, held) => {
      const make = (downloadResumeModel.input as Starts)[start]
      if (make !== undefined)
        sessionStorage.setItem(orderKey, JSON.stringify(mine(make({ now: Date.now }).facts)))
      const watching = watchStorage(orderKey, (facts) =>
        told.push(emitEffect({ type: 'facts', facts: facts === null ? null : JSON.parse(facts) })),
      )
      const makeUrl = URL.createObjectURL
      // A file that is saved gets an address for the blink of an eye. Only the document's: its name stands on the screen a moment later.
      URL.createObjectURL = (file) => {
        told.push(emitEffect({ type: 'saved', report: { id: '1', reportName: 'n1' } }))
        return makeUrl(file)
      }
      return {
        element: inConsole(held, <Page />),
        stop: () => {
          watching.stop()
          URL.createObjectURL = makeUrl
        },
      }
    },
    callOf,
    background: () => answered(school),
    end: (held, port, outcome) => {
      if (port !== 'download' || !outcome.ok) return false
      held.finish(port)
      return true
    },
    user: (step, held) => gestureOf(gestures, step, held),
    read,
    told: () => {
      const all_ = [...told, ...toasts()]
      told = []
      return all_
    },
  }
}

function callOf({ path, query, body }: Asked): PortCall | null {
  switch (path) {
    case '/stu/print/detail':
      return { port: 'detail', input: undefined }
    case '/stu/print/list':
      return { port: 'reports', input: { stuNo: query.stuNo } }
    case '/stu/print/price':
      return { port: 'price', input: { reportId: query.reportId } }
    case '/stu/print/pdf':
      return { port: 'preview', input: { reportId: body.reportId, account: decoded(body.account) } }
    case '/stu/print/order':
      return { port: 'order', input: body }
    case '/stu/print/order/status':
      return { port: 'orderStatus', input: { orderNo: query.orderNo } }
    case '/stu/print/order/cancel':
      return { port: 'cancelOrder', input: body }
    case '/stu/print/download':
      return { port: 'download', input: { orderNo: query.orderNo } }
    default:
      return null
  }
}

function read(): DownloadScreenSeen {
  const shows = showsNow()
  if (shows === 'gone') return nothing
  const popup = popupNow()
  const fault =
    popup === 'scan'
      ? textOf(find('.jw-scan .jw-fault'))
      : popup === 'unsaved'
        ? textOf(find('.jw-failure__text > span:last-child'))
            .replace(zh('studentPage.saveFailed'), '')
            .trim()
        : shows === 'noList'
          ? textOf(find('.jw-state__title'))
          : shows === 'preview'
            ? textOf(
                find('.jw-look > .jw-fault') ?? find('.jw-look__page > .jw-state .jw-state__title'),
              )
            : shows === 'method' && popup === ''
              ? textOf(find('.jw-method .jw-fault'))
              : ''
  return {
    shows,
    indicator: textOf(find('.jw-steps [aria-current] .jw-steps__name')),
    popup,
    busy:
      shows === 'loading' ||
      shows === 'saving' ||
      find('.jw-method[aria-busy=true]') !== undefined ||
      find('.jw-reports[aria-busy=true]') !== undefined ||
      find('.jw-look__page > .jw-state[role=status]') !== undefined,
    rows: all('.jw-reports__name')
      .map((each) => textOf(each).slice(1))
      .join(),
    filters: all('.jw-chip[aria-pressed=true]')
      .map(
        (each) => Object.entries(filters).find(([, key]) => zh(key) === textOf(each))?.[0] ?? '?',
      )
      .join(),
    name: textOf(
      find('.jw-look h2') ?? find('.jw-method > .jw-muted') ?? find('.jw-done > .jw-muted'),
    ),
    price:
      shows === 'preview'
        ? textOf(find('.jw-look__price b'))
        : popup === 'scan' || popup === 'closing'
          ? textOf(find('.jw-scan__price'))
          : shows === 'method' && popup === ''
            ? textOf(find('.is-wechat b'))
            : '',
    problem: fault,
    seconds:
      popup === 'scan'
        ? secondsIn(textOf(find('.jw-scan__left')))
        : shows === 'success'
          ? secondsIn(textOf(all('.jw-done button')[1]))
          : null,
    code: popup === 'scan' && find('.jw-qr') !== undefined,
    words: wordsNow(shows, popup),
    offers: offersNow(popup),
  }
}

function showsNow(): DownloadScreenSeen['shows'] {
  if (find('.jw-stu') === undefined) return 'gone'
  if (find('.jw-look') !== undefined) return 'preview'
  if (find('.jw-method') !== undefined) return 'method'
  if (find('.jw-done') !== undefined) return 'success'
  if (find('.jw-reports') !== undefined) return 'list'
  if (find('.jw-sheet .jw-state button') !== undefined) return 'noList'
  return textOf(find('.jw-sheet .jw-state__label')) === zh('studentPage.saving')
    ? 'saving'
    : 'loading'
}

function popupNow(): DownloadScreenSeen['popup'] {
  if (find('.jw-scan') !== undefined)
    return find('.jw-scan__veil') === undefined ? 'scan' : 'closing'
  const title = textOf(find(`${failure} .bp6-heading`))
  const titles = {
    [zh('studentPage.failedTitle')]: 'failed',
    [zh('studentPage.refundedTitle')]: 'refunded',
    [zh('studentPage.beingCheckedTitle')]: 'checked',
    [zh('studentPage.saveFailedTitle')]: 'unsaved',
  } as const
  return title === '' ? '' : (titles[title] ?? 'failed')
}

function secondsIn(text: string): number | null {
  const found = /(\d+)/.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

function wordsNow(shows: DownloadScreenSeen['shows'], popup: DownloadScreenSeen['popup']): string {
  const texts = (...selectors: readonly string[]) =>
    selectors
      .map((selector) =>
        all(selector)
          .map((each) => textOf(each))
          .filter((text) => text !== '')
          .join(),
      )
      .join('|')
  const plain = (selector: string) => textOf(find(selector)).replace(/\d+/, '#')
  if (popup === 'scan')
    return `${texts('.jw-scan .bp6-heading', '.jw-scan__hint')}|${plain('.jw-scan__left')}`
  if (popup === 'closing') return texts('.jw-scan .bp6-heading', '.jw-scan__veil')
  if (popup !== '')
    return textOf(find('.jw-failure__text > span:last-child')).replace(
      popup === 'unsaved' ? /^m503 / : /^$/,
      '',
    )
  if (shows === 'list' || shows === 'loading' || shows === 'noList')
    return [
      texts('.jw-stu__title h1'),
      texts('.jw-stu__main dt') + texts('.jw-stu__main dd'),
      texts('.jw-state__label'),
      ...all('.jw-reports li').map((row) =>
        [...all('.jw-reports__tags span', row), find('button', undefined, row)]
          .map((each) => textOf(each))
          .join(''),
      ),
    ].join('|')
  if (shows === 'preview')
    return [
      texts('.jw-stu__title h1', '.jw-look footer p'),
      textOf(find('.jw-look__price')).replace(textOf(find('.jw-look__price b')), ''),
      texts('.jw-look__page > .jw-state .jw-state__label'),
    ].join('|')
  if (shows === 'method')
    return texts(
      '.jw-stu__title h1',
      '.jw-method h2',
      '.is-wechat > span',
      '.is-alipay > span',
      '.jw-method__state',
    ).replace(zh('studentPage.notYet'), `|${zh('studentPage.notYet')}`)
  return shows === 'success'
    ? `${texts('.jw-done h2', '.jw-done > .jw-muted')}|${plain('.jw-done .bp6-intent-primary')}`
    : ''
}

function offersNow(popup: DownloadScreenSeen['popup']): string {
  const inPopup: Readonly<
    Record<DownloadScreenSeen['popup'], readonly (readonly [string, string, string?])[]>
  > = {
    '': [],
    scan: [['pay.cancel', cross]],
    closing: [['pay.cancel', cross]],
    failed: [
      ['failure.cancel', `${failure} button`, zh('studentPage.cancel')],
      ['failure.repay', `${failure} button`, zh('studentPage.repay')],
    ],
    refunded: [
      ['failure.cancel', `${failure} button`, zh('studentPage.cancel')],
      ['failure.repay', `${failure} button`, zh('studentPage.repay')],
    ],
    checked: [
      ['failure.cancel', `${failure} button`, zh('studentPage.cancel')],
      ['failure.check', `${failure} button`, zh('studentPage.checkAgain')],
      ['failure.repay', `${failure} button`, zh('studentPage.repay')],
    ],
    unsaved: [
      ['save.leave', `${failure} button`, zh('studentPage.cancel')],
      ['save.retry', `${failure} button`, zh('studentPage.again')],
    ],
  }
  const onPage = [
    ['list.refresh', '.jw-sheet:not(.jw-look) .jw-state button', '重试'],
    ['filter.toggle', '.jw-chip'],
    ['preview.retry', '.jw-look__page button', '重试'],
    ['preview.confirm', '.jw-look footer button', zh('studentPage.confirmDownload')],
    ['preview.cancel', '.jw-look footer button', zh('studentPage.cancel')],
    ['pay.choose', '.is-wechat'],
    ['pay.back', '.jw-method button', zh('studentPage.previous')],
    ['success.again', '.jw-done button', zh('studentPage.again')],
    ['success.home', '.jw-done .bp6-intent-primary'],
  ] as const
  const rows = all<HTMLButtonElement>('.jw-reports li button')
    .filter((button) => !button.disabled)
    .map(
      (button) =>
        `report.open(${(button.getAttribute('aria-label') ?? '').slice('下载 n'.length)})`,
    )
  return [
    ...[...onPage, ...inPopup[popup]]
      .filter(([, selector, text]) => offers(selector, text))
      .map(([name]) => name),
    ...rows,
  ]
    .sort()
    .join()
}
