import type {
  DownloadContext,
  DownloadEvent,
  DownloadFacts,
  downloadMachine,
  ReportFilter,
} from '@jiaowu/machines'
import type { TextKey } from '@jiaowu/api'
import { useState } from 'react'
import type { SnapshotFrom } from 'xstate'
import '../../../apps/web/src/features/student/download/qr-code.tsx'
import '../../../apps/web/src/ui/pdf/pdf-view.tsx'
import { StudentHome } from '../../../apps/web/src/features/student/student-home.tsx'
import type { Left } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { downloadModels, downloadResumeModel } from './model.ts'
import { school } from './samples.ts'
import {
  bySelector,
  button,
  byRole,
  dialog,
  either,
  having,
  heading,
  nth,
  region,
} from '../../surfaces/web/dom/by-role.ts'
import { effectLog, watchStorage } from '../../surfaces/web/dom/effects.ts'
import { press, unlisted } from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { isShown, text, texts, textsLike } from '../../surfaces/web/dom/reads.ts'
import { inConsole } from '../../surfaces/web/screen.tsx'
import { zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'

type Snapshot = SnapshotFrom<typeof downloadMachine>
type Clock = Parameters<Extract<Spec<unknown>['input'], (clock: never) => unknown>>[0]
type Start = (clock: Clock) => { readonly facts: DownloadFacts | null; readonly now: () => number }
/** What the table's rows read. `page` is the page behind a popup. */
interface View {
  readonly s: Snapshot
  readonly c: DownloadContext
  readonly page:
    | 'gone'
    | 'loading'
    | 'noList'
    | 'list'
    | 'preview'
    | 'method'
    | 'saving'
    | 'success'
  readonly seconds: number
}
const account = 'admin' // the user that inConsole signs in
const orderKey = 'JIAOWU_ORDER'
const labels = {
  zh: 'studentPage.chinese',
  en: 'studentPage.english',
  transcript: 'studentPage.transcript',
  proof: 'studentPage.proof',
} as const satisfies Readonly<Record<ReportFilter, TextKey>>
const record = {
  name: 'fldXm',
  studentNo: 'fldXh',
  idNo: 'fldSfzjh',
  faculty: 'fldYxsh',
  majorName: 'fldZymc',
  className: 'fldBjmc',
} as const

const list = region(zh('studentPage.reports'))
const method = region(zh('studentPage.method'))
const done = region(zh('studentPage.done'))
const confirm = button(zh('studentPage.confirmDownload'))
const preview = having(region(), (each) => confirm.all().some((inner) => each.contains(inner)))
const scan = dialog(zh('studentPage.scanTitle'))
const retry = button(zh('common.retry'))
const main = bySelector('main')
const onPage = (page: View['page']) => (view: View) => view.page === page
const isIn =
  (...states: readonly Parameters<Snapshot['matches']>[0][]) =>
  ({ s }: View) =>
    states.some((state) => s.matches(state))
const isScanning = isIn('scanPay', 'closing')
const isFailed = ({ s }: View) =>
  s.matches('failed') && !s.matches({ failed: 'unconfirmed' }) && !s.matches({ failed: 'refunded' })
const isUnconfirmed = isIn({ failed: 'unconfirmed' })
const isRefunded = isIn({ failed: 'refunded' })
const isListPage = ({ page }: View) => page === 'list' || page === 'loading' || page === 'noList'

export const downloadWeb = webDriverOf<Snapshot, DownloadEvent, View>({
  model: downloadModels,
  adapt,
  view: (s, left) => ({ s, c: s.context, page: pageOf(s), seconds: secondsOf(left) }),
  isGone: { model: onPage('gone'), screen: () => !isShown(main)() },
  readings: {
    indicator: {
      model: (view) =>
        isListPage(view)
          ? `1${zh('studentPage.step.list')}`
          : view.page === 'saving' || view.page === 'success' || view.s.matches('unsaved')
            ? `3${zh('studentPage.step.done')}`
            : `2${zh('studentPage.step.preview')}`,
      screen: text(bySelector('[aria-current=step]')),
    },
    busy: {
      model: ({ s, page }) => s.matches('ordering') || (page === 'list' && s.hasTag('busy')),
      screen: isShown(bySelector('[aria-busy=true]')),
    },
    record: {
      model: (view) =>
        view.c.student === null || !isListPage(view)
          ? ''
          : Object.keys(record)
              .map((name) => zh(`studentPage.${name}` as TextKey))
              .join(),
      screen: texts(byRole('term')),
    },
    recordValues: {
      model: (view) => {
        const { student } = view.c
        return student === null || !isListPage(view)
          ? ''
          : Object.values(record)
              .map((key) => student[key])
              .join()
      },
      screen: texts(byRole('definition')),
    },
    rows: {
      model: ({ c, page }) =>
        (page === 'list' ? visible(c) : [])
          .map(({ reportName, reportLanguage, reportType }) =>
            [
              reportName,
              zh(labels[reportLanguage]),
              zh(labels[reportType]),
              zh('studentPage.download'),
            ].join(''),
          )
          .join(),
      screen: texts(byRole('listitem', undefined, list)),
    },
    filters: {
      model: ({ c, page }) =>
        (Object.keys(labels) as ReportFilter[])
          .filter((name) => page === 'list' && c.filters[name])
          .map((name) => zh(labels[name]))
          .join(),
      screen: texts(bySelector('button[aria-pressed=true]', byRole('group'))),
    },
    name: {
      model: (view) =>
        isListPage(view) || view.page === 'saving' ? '' : (view.c.report?.reportName ?? ''),
      screen: text(
        either(heading(undefined, preview), bySelector('p', method), bySelector('p', done)),
      ),
    },
    problem: {
      model: (view) => {
        const problem = String(view.c.problem?.message ?? '')
        if (view.s.matches('unsaved')) return `${problem} ${zh('studentPage.saveFailed')}`
        return showsProblem(view) ? problem : ''
      },
      screen: textsLike(/^m\d{3}/),
    },
    code: { model: isScanning, screen: isShown(byRole('image', zh('studentPage.qrLabel'))) },
  },
  says: {
    'studentPage.title': () => true,
    'common.loading': onPage('loading'),
    'studentPage.saving': onPage('saving'),
    'studentPage.abnormal': onPage('preview'),
    'studentPage.price': ({ c, page }) => page === 'preview' && c.price !== null,
    'studentPage.free': ({ c, page }) => page === 'preview' && c.price === 0,
    'studentPage.yuan': pricesOf,
    'studentPage.previewLoading': isIn({ preview: 'loading' }),
    'studentPage.method': onPage('method'),
    'studentPage.wechat': onPage('method'),
    'studentPage.alipay': onPage('method'),
    'studentPage.notYet': onPage('method'),
    'studentPage.ordering': isIn('ordering'),
    'studentPage.scanTitle': isScanning,
    'studentPage.scanHintAny': isScanning,
    'studentPage.payWithin': (view) => isScanning(view) && { n: view.seconds },
    'studentPage.closing': isIn('closing'),
    'studentPage.failedTitle': isFailed,
    'studentPage.payFailed': isFailed,
    'studentPage.refundedTitle': isRefunded,
    'studentPage.refunded': isRefunded,
    'studentPage.beingCheckedTitle': isUnconfirmed,
    'studentPage.beingChecked': isUnconfirmed,
    'studentPage.saveFailedTitle': isIn('unsaved'),
    'studentPage.done': onPage('success'),
    'studentPage.homeIn': ({ page, seconds }) => page === 'success' && { n: seconds },
  },
  gestures: {
    'list.refresh': press(having(retry, () => !isShown(preview)())),
    'filter.toggle': ({ filter }) => press(button(zh(labels[filter]), byRole('group'))),
    'report.open': ({ reportId }) =>
      press(button(zh('studentPage.downloadNamed', { name: `n${reportId}` }))),
    'preview.retry': press(button(zh('common.retry'), preview)),
    'preview.confirm': press(confirm),
    'preview.cancel': press(button(zh('studentPage.cancel'), preview)),
    'pay.choose': ({ method: way }) =>
      press(button(new RegExp(`^${zh(`studentPage.${way}`)}`), method)),
    'pay.back': press(button(zh('studentPage.previous'))),
    'pay.cancel': press(button('关闭', scan)),
    'failure.cancel': press(button(zh('studentPage.cancel'), notUnsaved())),
    'failure.repay': press(button(zh('studentPage.repay'))),
    'failure.check': press(button(zh('studentPage.checkAgain'))),
    'save.retry': press(button(zh('studentPage.again'), dialog(zh('studentPage.saveFailedTitle')))),
    'save.leave': press(
      button(zh('studentPage.cancel'), dialog(zh('studentPage.saveFailedTitle'))),
    ),
    'success.again': press(button(zh('studentPage.again'), done)),
    'success.home': press(nth(button(undefined, done), 1)),
    'session.end': unlisted(press(button(zh('studentPage.signOut')))),
  },
  // A report that the filters hide cannot be opened. The list is reloaded by a button only after a failure (else by a
  // change of the language).
  hidden: (s, event) =>
    (event.type === 'report.open' && !visible(s.context).some(({ id }) => id === event.reportId)) ||
    (event.type === 'list.refresh' && !s.matches({ list: 'failed' })),
  calls: {
    '/stu/print/detail': ['detail'],
    '/stu/print/list': ['reports', ({ query }) => ({ stuNo: query.stuNo })],
    '/stu/print/price': ['price', ({ query }) => ({ reportId: query.reportId })],
    '/stu/print/pdf': [
      'preview',
      ({ body }) => ({ reportId: body.reportId, account: atob(String(body.account)) }),
    ],
    '/stu/print/order': ['order', ({ body }) => body],
    '/stu/print/order/status': ['orderStatus', ({ query }) => ({ orderNo: query.orderNo })],
    '/stu/print/order/cancel': ['cancelOrder', ({ body }) => body],
    '/stu/print/download': ['download', ({ query }) => ({ orderNo: query.orderNo })],
  },
  host,
})

function notUnsaved() {
  return having(dialog(), (each) => !each.textContent?.includes(zh('studentPage.saveFailedTitle')))
}

/** Six seconds to pay instead of twenty, since every second is drawn; and the account that inConsole signs in. */
function adapt(spec: Spec<unknown>): Partial<Spec<unknown>> {
  const {
    open,
    long: _long,
    ...settled
  } = spec.outcomes.order as Readonly<
    Record<string, { readonly ok: true; readonly output: object }>
  >
  const adapted =
    (make: Start): Start =>
    (clock) => {
      const made = make(clock)
      return { ...made, account, facts: ownFacts(made.facts) }
    }
  const { input } = spec as { input: Start | Readonly<Record<string, Start>> }
  return {
    outcomes: {
      ...spec.outcomes,
      order: {
        ...settled,
        ...(open === undefined
          ? {}
          : { open: { ...open, output: { ...open.output, expires_in: 6 } } }),
      },
    },
    input:
      typeof input === 'function'
        ? adapted(input)
        : Object.fromEntries(Object.entries(input).map(([name, make]) => [name, adapted(make)])),
  }
}

/** Facts of another account stay; all others become those of the user on the page. */
function ownFacts(facts: DownloadFacts | null): DownloadFacts | null {
  return facts === null || facts.account === '13800000002' ? facts : { ...facts, account }
}

function pageOf(s: Snapshot): View['page'] {
  if (s.status !== 'active') return 'gone'
  if (s.matches({ list: 'failed' })) return 'noList'
  if (s.matches('list'))
    return s.hasTag('busy') && s.context.reports.length === 0 ? 'loading' : 'list'
  return (['preview', 'saving', 'success'] as const).find((page) => s.matches(page)) ?? 'method'
}

function secondsOf(left: Left): number {
  return Math.ceil((left('payCountdown') ?? left('homeCountdown') ?? 0) / 1000)
}

function visible({ reports, filters }: DownloadContext) {
  return reports.filter((each) => filters[each.reportLanguage] && filters[each.reportType])
}

function showsProblem({ s, page }: View): boolean {
  return (
    page === 'noList' ||
    s.matches('scanPay') ||
    s.matches('method') ||
    s.matches({ preview: 'failed' }) ||
    s.matches({ preview: 'shown' })
  )
}

/** The price of the document in the preview and on the page of payment, and that of the order in the popup. */
function pricesOf({ s, c, page }: View) {
  const prices =
    page === 'preview'
      ? [c.price ?? 0].filter((price) => price !== 0)
      : page === 'method'
        ? [c.price ?? c.order?.amount ?? 0]
        : []
  const inPopup = s.matches('scanPay') || s.matches('closing') ? [c.order?.amount ?? 0] : []
  return [...prices, ...inPopup].map((price) => ({ price: price.toFixed(2) }))
}

function host(): Host {
  const effects = effectLog()
  return {
    mount: (start, held) => {
      const make = (downloadResumeModel.input as Readonly<Record<string, Start>>)[start]
      if (make !== undefined)
        sessionStorage.setItem(orderKey, JSON.stringify(ownFacts(make({ now: Date.now }).facts)))
      const watching = watchStorage(orderKey, (facts) =>
        effects.add({ type: 'facts', facts: facts === null ? null : JSON.parse(facts) }),
      )
      const { createObjectURL } = URL
      // Only a saved file gets an object URL; its name is compared on the screen.
      URL.createObjectURL = (file) => {
        effects.add({ type: 'saved', report: { id: '1', reportName: 'n1' } })
        return createObjectURL(file)
      }
      return {
        element: inConsole(held, <Page onEnded={() => effects.add({ type: 'ended' })} />),
        stop: () => {
          watching.stop()
          URL.createObjectURL = createObjectURL
        },
      }
    },
    background: () => answered(school),
    end: (held, port, outcome) => {
      if (port !== 'download' || !outcome.ok) return false
      held.finish(port)
      return true
    },
    takeEffects: effects.take,
  }
}

function Page({ onEnded }: { readonly onEnded: () => void }) {
  const [here, setHere] = useState(true)
  const leave = () => {
    onEnded()
    setHere(false)
  }
  return here ? <StudentHome onSignOut={leave} /> : null
}
