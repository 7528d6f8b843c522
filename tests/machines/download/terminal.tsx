import type { ReportItem } from '@jiaowu/api'
import type { DownloadEvent, downloadMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { DownloadScreen } from '../../../apps/cli/src/screens/student/download-screen.tsx'
import type { DownloadActor } from '../../../apps/cli/src/screens/student/screen-props.ts'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { custom, key, keyOfAny, noKey } from '../../surfaces/terminal/gestures.ts'
import { redLines, seen } from '../../surfaces/terminal/reads.ts'
import { terminalDriverOf } from '../../surfaces/terminal/table.ts'
import { downloadModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof downloadMachine>
interface View {
  readonly s: Snapshot
  readonly screen: string
  /** The state inside that of the screen. */
  readonly inside: string
  /** The documents that the filters let through. */
  readonly listed: readonly ReportItem[]
  readonly isListed: boolean
  /** Seconds that the screen counts down. */
  readonly seconds: number | null
}
const [refresh, retry] = [zh('common.refresh'), zh('common.retry')]
const [again, back, cancel] = [zh('studentPage.again'), zh('common.back'), zh('common.cancel')]
const [download, signOut] = [zh('studentPage.download'), zh('studentPage.signOut')]
const stations = ['list', 'preview', 'done'] as const
const filters = [
  ['zh', 'studentPage.chinese'],
  ['en', 'studentPage.english'],
  ['transcript', 'studentPage.transcript'],
  ['proof', 'studentPage.proof'],
] as const
const withProblem = ['list', 'preview', 'method', 'scanPay', 'failed', 'unsaved']
const at = (name: string) => (view: View) => view.screen === name
const failedAs = (...names: readonly string[]) => {
  return ({ screen, inside }: View) => screen === 'failed' && names.includes(inside)
}

export const downloadTerminal = terminalDriverOf<Snapshot, DownloadEvent, View>({
  model: downloadModels,
  view: (s, left) => {
    const [[screen = '', inside = '']] =
      typeof s.value === 'string' ? [[s.value]] : Object.entries(s.value)
    const { reports, filters: on } = s.context
    const ms = left('payCountdown') ?? left('homeCountdown')
    return {
      s,
      screen,
      inside: String(inside),
      listed: reports.filter((each) => on[each.reportLanguage] && on[each.reportType]),
      isListed: screen === 'list' && !s.hasTag('busy') && s.context.problem === null,
      seconds: ms === null ? null : Math.ceil(ms / 1000),
    }
  },
  // Only the title and the steps remain.
  isGone: {
    model: at('ended'),
    screen: (user) =>
      user
        .frame()
        .split('\n')
        .filter((line) => line.trim() !== '').length <= 2,
  },
  readings: {
    stations: { model: stationsOf, screen: seen(/([✓●○] .*[✓●○] .*[✓●○] \S+)/) },
    student: {
      model: ({ s, screen }) =>
        screen === 'list' ? Object.values(s.context.student ?? {}).join('  ') : '',
      screen: seen(/^ *(甲 {2}.*?)\s*$/m),
    },
    filters: {
      model: ({ s, isListed }) =>
        isListed
          ? filters
              .map(
                ([name, label], index) =>
                  `${index + 1} [${s.context.filters[name] ? 'x' : ' '}] ${zh(label)}`,
              )
              .join('  ')
          : '',
      screen: seen(/(1 \[.*?)\s*$/m),
    },
    reports: {
      model: ({ s, screen, listed }) =>
        screen === 'list'
          ? listed.map(({ reportName }) => reportName).join()
          : screen === 'preview'
            ? (s.context.report?.reportName ?? '')
            : '',
      screen: (user) =>
        [...user.frame().matchAll(/^ *(?:❯ )? *(n\d)(?: |$)/gm)].map(([, name]) => name).join(),
    },
    price: { model: priceOf, screen: seen(/(?:价格|选择支付方式|扫码支付) +(\S+)/) },
    url: {
      model: ({ s, screen }) => (screen === 'scanPay' ? (s.context.order?.codeUrl ?? '') : ''),
      screen: seen(/^\s*(\w+:\S+)\s*$/m),
    },
    problem: {
      model: ({ s, screen }) =>
        withProblem.includes(screen) ? sentence(s.context.problem?.message) : '',
      screen: redLines,
    },
  },
  says: {
    'studentPage.title': () => true,
    'common.loading': ({ s, screen }) => screen === 'list' && s.hasTag('busy'),
    'studentPage.fee': at('list'),
    'studentPage.noReports': ({ s, isListed }) => isListed && s.context.reports.length === 0,
    'studentPage.noneMatch': ({ s, isListed, listed }) =>
      isListed && listed.length === 0 && s.context.reports.length > 0,
    'studentPage.previewLoading': ({ s, screen }) => screen === 'preview' && s.hasTag('busy'),
    'studentPage.abnormal': at('preview'),
    'studentPage.method': at('method'),
    'studentPage.wechat': at('method'),
    'studentPage.alipay': at('method'),
    'studentPage.notYet': at('method'),
    'studentPage.ordering': at('ordering'),
    'studentPage.scanTitle': at('scanPay'),
    'studentPage.payWithin': ({ screen, seconds }) =>
      screen === 'scanPay' && seconds !== null && { n: seconds },
    'studentPage.closing': at('closing'),
    'studentPage.saving': at('saving'),
    'studentPage.saveFailedTitle': at('unsaved'),
    'studentPage.saveFailed': at('unsaved'),
    'studentPage.failedTitle': failedAs('timedOut', 'closed'),
    'studentPage.payFailed': failedAs('timedOut', 'closed'),
    'studentPage.refundedTitle': failedAs('refunded'),
    'studentPage.refunded': failedAs('refunded'),
    'studentPage.beingCheckedTitle': failedAs('unconfirmed'),
    'studentPage.beingChecked': failedAs('unconfirmed'),
    'studentPage.done': at('success'),
    'studentPage.homeIn': ({ screen, seconds }) =>
      screen === 'success' && seconds !== null && { n: seconds },
  },
  hints: {
    [refresh]: ({ s, screen }) =>
      screen === 'list' && s.can({ type: 'list.refresh' }) && s.context.problem === null,
    [retry]: ({ s, screen }) =>
      screen === 'list' && s.can({ type: 'list.refresh' }) && s.context.problem !== null,
    [signOut]: ({ s, screen }) => screen === 'list' && s.can({ type: 'session.end' }),
    [download]: ({ s, screen, listed: [first] }) =>
      screen === 'list' &&
      first !== undefined &&
      s.can({ type: 'report.open', reportId: first.id }),
  },
  gestures: {
    'list.refresh': keyOfAny(refresh, retry),
    'filter.toggle': custom((user) => (/1 \[/.test(user.frame()) ? user.press('1') : null)),
    'report.open': ({ reportId }) => (reportId === '1' ? keyOfAny(download) : noKey),
    'preview.retry': key(retry),
    'preview.confirm': key(zh('studentPage.confirmDownload')),
    'preview.cancel': key(cancel),
    'pay.choose': ({ method }) => (method === 'wechat' ? key(zh('studentPage.wechat')) : noKey),
    'pay.back': key(zh('studentPage.previous')),
    'pay.cancel': key(cancel),
    'failure.cancel': key(cancel),
    'failure.repay': key(zh('studentPage.repay')),
    'failure.check': key(zh('studentPage.checkAgain')),
    'save.retry': key(again),
    'save.leave': key(back),
    'success.again': key(again),
    'success.home': key(back),
    // Outside the list the session ends by itself, not by a key.
    'session.end': custom(async (user, actor) => {
      const listed = user.keyFor(signOut)
      if (listed === null) actor.send({ type: 'session.end' })
      else await user.press(listed)
    }),
  },
  hidden,
  element: (actor) => (
    <DownloadScreen
      actor={actor as unknown as DownloadActor}
      locale="zh-CN"
      savePreview={() => 'preview.pdf'}
      savedTo={() => null}
      leave={() => {}}
    />
  ),
})

/**
 * Outside the list only a change of language reloads it, which cannot happen while a command runs. A document that
 * the filters hide cannot be opened.
 */
function hidden(s: Snapshot, event: DownloadEvent): boolean {
  if (event.type === 'list.refresh') return !s.matches('list')
  const { reports, filters: on } = s.context
  return (
    event.type === 'report.open' &&
    reports.some(
      ({ id, reportLanguage, reportType }) =>
        id === event.reportId && !(on[reportLanguage] && on[reportType]),
    )
  )
}

function stationsOf({ screen }: View): string {
  const now = screen === 'list' ? 1 : ['saving', 'unsaved', 'success'].includes(screen) ? 3 : 2
  return stations
    .map((name, index) => {
      const mark = index + 1 < now ? '✓' : index + 1 === now ? '●' : '○'
      return `${mark} ${zh(`studentPage.step.${name}`)}`
    })
    .join(' ─ ')
}

function priceOf({ s: { context }, screen, inside }: View): string {
  const price =
    screen === 'scanPay'
      ? (context.order?.amount ?? null)
      : (screen === 'preview' && inside !== 'loading') || screen === 'method'
        ? context.price
        : null
  return price === null
    ? ''
    : price === 0
      ? zh('studentPage.free')
      : zh('studentPage.yuan', { price: price.toFixed(2) })
}
