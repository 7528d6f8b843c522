import type { TextKey } from '@jiaowu/api/texts/index'
import type { DownloadFacts } from '@jiaowu/machines/download/ports'
import { downloadView } from '@jiaowu/machines/download/view'
import type { ReportFilter } from '@jiaowu/machines/download/context'
import { useState } from 'react'
import '../../../apps/web/src/ui/qr-code.tsx'
import { StudentHome } from '../../../apps/web/src/features/student/student-home.tsx'
import '../../../apps/web/src/ui/pdf/pdf-view.tsx'
import { always, under, zh } from '../../surfaces/sentences.ts'
import { findFirst, page } from '../../surfaces/web/dom/by-role.ts'
import type { EffectLog } from '../../surfaces/web/dom/effects.ts'
import { withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { textsLike } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import type { Spec } from '../spec.ts'
import { downloadModels, downloadResumeModel } from './model.ts'
import { school } from './samples.ts'

type View = Shown<typeof downloadView>
type Clock = Parameters<Extract<Spec<unknown>['input'], (clock: never) => unknown>>[0]
type Start = (clock: Clock) => { readonly facts: DownloadFacts | null; readonly now: () => number }
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

const list = page.region(zh('studentPage.reports'))
const method = page.region(zh('studentPage.method'))
const done = page.region(zh('studentPage.done'))
const filters = page.role('group')
const confirm = page.button(zh('studentPage.confirmDownload'))
const preview = page.region().where((each) => confirm.all().some((inner) => each.contains(inner)))
const scan = page.dialog(zh('studentPage.scanTitle'))
const unsaved = page.dialog(zh('studentPage.saveFailedTitle'))
const failure = page
  .dialog()
  .where((each) => !each.textContent?.includes(zh('studentPage.saveFailedTitle')))
const retry = page.button(zh('common.retry'))

const isOnScreen =
  (...screens: readonly View['screen'][]) =>
  ({ screen }: View) =>
    screens.includes(screen)
const isListPage = isOnScreen('list')
const hasNoList = ({ s }: View) => s.matches({ list: 'failed' })
const isLoading = (view: View) =>
  isListPage(view) && !hasNoList(view) && view.busy && view.reportCount === 0
const showsList = (view: View) => isListPage(view) && !hasNoList(view) && !isLoading(view)
const showsRecord = (view: View) => isListPage(view) && view.student !== null
/** The page behind the popups of the payment. */
const isMethodPage = isOnScreen('method', 'ordering', 'scanPay', 'closing', 'failed', 'unsaved')
const isScanning = isOnScreen('scanPay', 'closing')
const isUnconfirmed = ({ failure: failed }: View) => failed === 'unconfirmed'
const isRefunded = ({ failure: failed }: View) => failed === 'refunded'
const isUnmade = ({ failure: failed }: View) => failed === 'unmade'
const isFailed = (view: View) =>
  view.screen === 'failed' && !isUnconfirmed(view) && !isRefunded(view) && !isUnmade(view)
const seconds = ({ left }: View) =>
  Math.ceil((left('payCountdown') ?? left('homeCountdown') ?? 0) / 1000)

export const downloadWeb = createWebDriver<typeof downloadView>({
  model: downloadModels,
  adapt: adaptDownloadSpec,
  view: downloadView,
  isGone: page.role('main').isAbsent.is(({ s }) => s.status !== 'active'),
  readings: {
    indicator: page.css('[aria-current=step]').text.is(({ indicator }) => {
      const names = { 1: 'list', 2: 'preview', 3: 'done' } as const
      return `${indicator}${zh(`studentPage.step.${names[indicator]}`)}`
    }),
    busy: page
      .css('[aria-busy=true]')
      .isShown.is((view) => view.screen === 'ordering' || (showsList(view) && view.busy)),
    record: page
      .role('term')
      .texts.while(showsRecord, () =>
        Object.keys(record).map((name) => zh(`studentPage.${name}` as TextKey)),
      ),
    recordValues: page
      .role('definition')
      .texts.while(showsRecord, ({ student }) =>
        Object.values(record).map((key) => student?.[key]),
      ),
    rows: list
      .role('listitem')
      .texts.while(showsList, ({ reports }) =>
        reports.map(
          ({ reportName, reportLanguage: language, reportType: type }) =>
            `${reportName}${zh(labels[language])}${zh(labels[type])}${zh('studentPage.download')}`,
        ),
      ),
    filters: filters
      .css('button[aria-pressed=true]')
      .texts.while(showsList, (view) =>
        (Object.keys(labels) as ReportFilter[]).map(
          (name) => view.filters[name] && zh(labels[name]),
        ),
      ),
    name: findFirst(preview.heading(), method.css('p'), done.css('p')).text.while(
      (view: View) => !isOnScreen('list', 'saving')(view),
      ({ report }) => report?.reportName ?? '',
    ),
    problem: textsLike(/^m\d{3}/).is((view) => {
      const problem = String(view.problem?.message ?? '')
      if (view.screen === 'unsaved') return `${problem} ${zh('studentPage.saveFailed')}`
      if (isUnmade(view)) return `${problem} ${zh('studentPage.unmade')}`
      return showsProblem(view) ? problem : ''
    }),
    code: page.role('image', zh('studentPage.qrLabel')).isShown.is(isScanning),
  },
  says: {
    'studentPage.title': always,
    'common.loading': isLoading,
    'studentPage.saving': isOnScreen('saving'),
    'studentPage.abnormal': isOnScreen('preview'),
    'studentPage.price': (view) => isOnScreen('preview')(view) && view.c.price !== null,
    'studentPage.free': (view) => isOnScreen('preview')(view) && view.c.price === 0,
    'studentPage.yuan': listPrices,
    'studentPage.previewLoading': ({ s }) => s.matches({ preview: 'loading' }),
    ...under('studentPage', isMethodPage, 'method', 'wechat', 'alipay', 'notYet'),
    'studentPage.ordering': isOnScreen('ordering'),
    ...under('studentPage', isScanning, 'scanTitle', 'scanHintAny'),
    'studentPage.payWithin': (view) => isScanning(view) && { n: seconds(view) },
    'studentPage.closing': isOnScreen('closing'),
    ...under('studentPage', isFailed, 'failedTitle', 'payFailed'),
    ...under('studentPage', isRefunded, 'refundedTitle', 'refunded'),
    'studentPage.unmadeTitle': isUnmade,
    ...under('studentPage', isUnconfirmed, 'beingCheckedTitle', 'beingChecked'),
    'studentPage.saveFailedTitle': isOnScreen('unsaved'),
    'studentPage.done': isOnScreen('success'),
    'studentPage.homeIn': (view) => view.screen === 'success' && { n: seconds(view) },
  },
  gestures: {
    'list.refresh': retry.provided(() => !preview.isShown()).press,
    'filter.toggle': ({ filter }) => filters.button(zh(labels[filter])).press,
    'report.open': ({ reportId }) =>
      page.button(zh('studentPage.downloadNamed', { name: `n${reportId}` })).press,
    'preview.retry': preview.button(zh('common.retry')).press,
    'preview.confirm': confirm.press,
    'preview.cancel': preview.button(zh('studentPage.cancel')).press,
    'pay.choose': ({ method: way }) =>
      method.button(new RegExp(`^${zh(`studentPage.${way}`)}`)).press,
    'pay.back': page.button(zh('studentPage.previous')).press,
    'pay.cancel': scan.button('关闭').press,
    'failure.cancel': failure.button(zh('studentPage.cancel')).press,
    'failure.repay': page.button(zh('studentPage.repay')).press,
    'failure.check': page.button(zh('studentPage.checkAgain')).press,
    'save.retry': unsaved.button(zh('studentPage.again')).press,
    'save.leave': unsaved.button(zh('studentPage.cancel')).press,
    'success.again': done.button(zh('studentPage.again')).press,
    'success.home': done.button().nth(1).press,
    'session.end': withoutOffer(page.button(zh('studentPage.signOut')).press),
  },
  hidden: {
    // A report that the filters hide.
    'report.open': ({ reports }, { reportId }) => !reports.some(({ id }) => id === reportId),
    // The list is reloaded by a button only after a failure (else by a change of the language).
    'list.refresh': (view) => !hasNoList(view),
  },
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
  host: createDownloadHost,
})

/** Six seconds to pay instead of twenty, since every second is drawn; and the account that inConsole signs in. */
function adaptDownloadSpec(spec: Spec<unknown>): Partial<Spec<unknown>> {
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

function showsProblem(view: View): boolean {
  const { s, screen } = view
  return (
    hasNoList(view) ||
    screen === 'scanPay' ||
    screen === 'method' ||
    s.matches({ preview: 'failed' }) ||
    s.matches({ preview: 'shown' })
  )
}

/** The price of the document in the preview and on the page of payment, and that of the order in the popup. */
function listPrices(view: View) {
  const { price, order } = view.c
  const amount = order?.amount ?? 0
  const prices = [
    ...(isOnScreen('preview')(view) && price !== null && price !== 0 ? [price] : []),
    ...(isMethodPage(view) ? [price ?? amount] : []),
    ...(isScanning(view) ? [amount] : []),
  ]
  return prices.map((each) => ({ price: each.toFixed(2) }))
}

function createDownloadHost(effects: EffectLog): Host {
  const { createObjectURL } = URL
  return {
    show: (start) => {
      const make = (downloadResumeModel.input as Readonly<Record<string, Start>>)[start]
      if (make !== undefined)
        sessionStorage.setItem(orderKey, JSON.stringify(ownFacts(make({ now: Date.now }).facts)))
      // Only a saved file gets an object URL; its name is compared on the screen.
      URL.createObjectURL = (file) => {
        effects.add({ type: 'saved', report: { id: '1', reportName: 'n1' } })
        return createObjectURL(file)
      }
      return <StudentHomePage onEnded={() => effects.add({ type: 'ended' })} />
    },
    stop: () => {
      URL.createObjectURL = createObjectURL
    },
    stored: [
      orderKey,
      (facts) => ({ type: 'facts', facts: facts === null ? null : JSON.parse(facts) }),
    ],
    background: ({ path }) =>
      wrapData(path === '/message/mine' ? { unread: 0, records: [] } : school),
    files: ['download'],
  }
}

function StudentHomePage({ onEnded }: { readonly onEnded: () => void }) {
  const [here, setHere] = useState(true)
  const leave = () => {
    onEnded()
    setHere(false)
  }
  return here ? <StudentHome onSignOut={leave} /> : null
}
