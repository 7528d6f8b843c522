import type { downloadMachine } from '@jiaowu/machines'
import type { Actor, AnyStateMachine, SnapshotFrom } from 'xstate'
import { DownloadScreen } from '../../../apps/cli/src/screens/student/download-screen.tsx'
import type { DownloadActor } from '../../../apps/cli/src/screens/student/screen-props.ts'
import type { UserStep } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { wordsIn, wordsOf } from './terminal-words.ts'
import type { TerminalUser, TerminalScreen } from '../../surfaces/terminal/screen.tsx'

/** What the terminal shows of the download. */
export interface TerminalDownloadSeen {
  readonly screen: string
  readonly failure: string | null
  readonly problem: string | null
  readonly price: string | null
  readonly report: string | null
  readonly url: string | null
  readonly left: number | null
  readonly filters: string | null
  readonly words: string
  readonly offers: string
}

type Snapshot = SnapshotFrom<typeof downloadMachine>
/** Events, the screen that offers them, and the labels of their keys. */
const labels = [
  ['list.refresh', 'list', '刷新'],
  ['list.refresh', 'list', '重试'],
  ['session.end', 'list', '退出登录'],
  ['preview.retry', 'preview', '重试'],
  ['preview.confirm', 'preview', '确认下载'],
  ['preview.cancel', 'preview', '取消'],
  ['pay.choose', 'method', '微信支付'],
  ['pay.back', 'method', '上一步'],
  ['pay.cancel', 'scanPay', '取消'],
  ['failure.cancel', 'failed', '取消'],
  ['failure.repay', 'failed', '重新支付'],
  ['failure.check', 'failed', '重新核对'],
  ['save.retry', 'unsaved', '再次下载'],
  ['save.leave', 'unsaved', '返回'],
  ['success.again', 'success', '再次下载'],
  ['success.home', 'success', '返回'],
] as const
/** The failure that the screen names, by state of the machine. */
const failures: Readonly<Record<string, string>> = {
  timedOut: 'failed',
  closed: 'failed',
  refunded: 'refunded',
  unconfirmed: 'unconfirmed',
}
const problemScreens: readonly string[] = [
  'list',
  'preview',
  'method',
  'scanPay',
  'failed',
  'unsaved',
]

export function downloadOnTerminal(model: Spec<unknown>): Spec<TerminalDownloadSeen> {
  return {
    ...model,
    hidden: (snapshot, event) => {
      const {
        context: { reports, filters },
      } = snapshot as Snapshot
      // Outside the list only a change of language reloads it, which cannot happen while a command
      // runs.
      if (event.type === 'list.refresh') return screenOf(snapshot as Snapshot) !== 'list'
      // A document that the filters hide cannot be opened.
      return (
        event.type === 'report.open' &&
        reports.some(
          ({ id, reportLanguage, reportType }) =>
            id === (event as unknown as { reportId: string }).reportId &&
            !(filters[reportLanguage] && filters[reportType]),
        )
      )
    },
    project: (snapshot, left) => {
      const s = snapshot as Snapshot
      const { report, order } = s.context
      const screen = screenOf(s)
      const failure = screen === 'failed' ? (failures[insideOf(s)] ?? '?') : null
      return {
        screen,
        failure,
        words: wordsOf(s, screen, failure),
        problem: problemOf(s, screen),
        price: priceOf(s, screen),
        report: screen === 'preview' ? (report?.reportName ?? null) : null,
        url: screen === 'scanPay' ? (order?.codeUrl ?? null) : null,
        left: secondsLeft(screen, left),
        filters: screen === 'list' && insideOf(s) === 'shown' ? filtersOf(s) : null,
        offers: offersOf(s, screen),
      }
    },
  }
}

function problemOf({ context: { problem } }: Snapshot, screen: string): string | null {
  return problem !== null && problemScreens.includes(screen) ? String(problem.message) : null
}

/** The price as text: shown once the preview has loaded, and with the payment methods. */
function priceOf(s: Snapshot, screen: string): string | null {
  const { price } = s.context
  const isShown = (screen === 'preview' && insideOf(s) !== 'loading') || screen === 'method'
  if (!isShown || price === null) return null
  return price === 0 ? '免费' : `¥${price.toFixed(2)}`
}

/** Whole seconds of the countdown on the screen, rounded up; `left` gives milliseconds. */
function secondsLeft(screen: string, left: (timer: string) => number | null): number | null {
  if (screen !== 'scanPay' && screen !== 'success') return null
  const counted = left('payCountdown') ?? left('homeCountdown')
  return counted === null ? null : Math.ceil(counted / 1000)
}

function filtersOf({ context: { filters } }: Snapshot): string {
  return Object.values(filters)
    .map((on) => (on ? 'x' : '-'))
    .join('')
}

function offersOf(s: Snapshot, screen: string): string {
  const may = (type: string) =>
    s.can(
      (type === 'pay.choose' ? { type, method: 'wechat' } : { type }) as Parameters<
        Snapshot['can']
      >[0],
    )
  return [
    ...new Set(labels.filter(([type, at]) => at === screen && may(type)).map(([type]) => type)),
  ]
    .sort()
    .join()
}

function screenOf({ value }: Snapshot): string {
  return typeof value === 'string' ? value : (Object.keys(value)[0] ?? '')
}

function insideOf({ value }: Snapshot): string {
  const [inner] = Object.values(value)
  return typeof inner === 'string' ? inner : ''
}

const marks = [
  ['method', '选择支付方式'],
  ['ordering', '正在创建订单'],
  ['scanPay', '扫码支付'],
  ['closing', '正在确认订单状态'],
  ['saving', '正在下载文件'],
  ['unsaved', '下载失败'],
  ['failed', '支付失败'],
  ['failed', '退款中'],
  ['failed', '正在核对'],
  ['success', '文件下载完成'],
  ['preview', '*下载异常'],
  ['list', '首次下载中文版'],
] as const

export function downloadTerminal(): TerminalScreen<TerminalDownloadSeen> {
  return {
    element: (actor) => (
      <DownloadScreen
        actor={actor as unknown as DownloadActor}
        locale="zh-CN"
        savePreview={() => 'preview.pdf'}
        savedTo={() => null}
        leave={() => {}}
      />
    ),
    gesture,
    read,
  }
}

function gesture(
  { event }: UserStep,
  user: TerminalUser,
  actor: Actor<AnyStateMachine>,
): Promise<void> | null {
  const screen = screenIn(user.frame())
  const label = labels.find(
    ([type, at, words]) => type === event.type && at === screen && user.keyFor(words) !== null,
  )?.[2]
  const key = label === undefined ? null : user.keyFor(label)
  switch (event.type) {
    case 'filter.toggle':
      return /1 \[/.test(user.frame()) ? user.press('1') : null
    case 'report.open':
      return (event as unknown as { reportId: string }).reportId === '1' &&
        user.keyFor('下载') !== null
        ? user.press('enter')
        : null
    case 'pay.choose':
      return (event as unknown as { method: string }).method === 'wechat' && key !== null
        ? user.press(key)
        : null
    // Outside the list the session ends by itself, not by a key.
    case 'session.end':
      if (screen === 'list') return key === null ? null : user.press(key)
      actor.send(event)
      return Promise.resolve()
    default:
      return key === null ? null : user.press(key)
  }
}

function screenIn(frame: string): string {
  return marks.find(([, mark]) => frame.includes(mark))?.[0] ?? 'ended'
}

function read(user: TerminalUser): Promise<TerminalDownloadSeen> {
  const frame = user.frame()
  const screen = screenIn(frame)
  const filters = [...frame.matchAll(/\d \[(x| )\]/g)]
    .map(([, mark]) => (mark === 'x' ? 'x' : '-'))
    .join('')
  return Promise.resolve({
    screen,
    words: screen === 'ended' ? '' : wordsIn(user.says),
    failure: screen === 'failed' ? failureIn(frame) : null,
    problem: /✗ (.+?)\s*$/m.exec(frame)?.[1] ?? null,
    price: priceIn(frame, screen),
    report: screen === 'preview' ? (/\n\s*\n\s*(\S+)\n/.exec(frame)?.[1] ?? null) : null,
    url: screen === 'scanPay' ? (/^\s*(\w+:\S+)\s*$/m.exec(frame)?.[1] ?? null) : null,
    left: secondsIn(frame),
    filters: filters === '' ? null : filters,
    offers: offersIn(user, screen),
  })
}

function failureIn(frame: string): string {
  if (frame.includes('退款中')) return 'refunded'
  return frame.includes('正在核对') ? 'unconfirmed' : 'failed'
}

function priceIn(frame: string, screen: string): string | null {
  if (screen === 'preview') return /价格 (\S+)/.exec(frame)?.[1] ?? null
  return screen === 'method' ? (/支付方式\s+(\S+)/.exec(frame)?.[1] ?? null) : null
}

function secondsIn(frame: string): number | null {
  const left = /请在 (\d+) 秒内完成支付\s*$/m.exec(frame) ?? /返回首页（(\d+) 秒）\s*$/m.exec(frame)
  return left === null ? null : Number(left[1])
}

function offersIn(user: TerminalUser, screen: string): string {
  return [
    ...new Set(
      labels
        .filter(([, at, label]) => at === screen && user.keyFor(label) !== null)
        .map(([type]) => type),
    ),
  ]
    .sort()
    .join()
}
