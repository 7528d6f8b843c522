import type { Problem } from '@jiaowu/api/problem'
import type { ReportItem, StudentDetail } from '@jiaowu/api/contract/student/student'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type { countdownMachine } from '../countdown/machine.ts'
import { type ReportFilters, visibleReports } from './context.ts'
import type { downloadMachine } from './machine.ts'
import type { PayOrder, ReportRef } from './ports.ts'

export type DownloadScreen =
  | 'list'
  | 'preview'
  | 'method'
  | 'ordering'
  | 'scanPay'
  | 'closing'
  | 'failed'
  | 'saving'
  | 'unsaved'
  | 'success'
  | 'ended'
/**
 * `timedOut`: the 180 s ran out. `closed`: the server closed or refused the order. `refunded`: a
 * refund is due or done. `unmade`: paid, but the document cannot be made. `unconfirmed`: the order is being
 * checked, which is not a failure.
 */
export type PayFailure = 'timedOut' | 'closed' | 'refunded' | 'unmade' | 'unconfirmed'

/** The download as a surface shows it. */
export interface DownloadView {
  /**
   * One screen each. `scanPay` and `closing` are the popup with the QR code, `failed` is the
   * failure popup, `unsaved` offers the paid order again.
   */
  readonly screen: DownloadScreen
  /** Step number of the specification (docs/spec/2-student-service-and-designer.md §4). */
  readonly step: 0 | 1 | 2 | 3 | 4 | 5
  /** The three-step indicator: list, preview (and payment), complete. */
  readonly indicator: 1 | 2 | 3
  /** A call is pending: list, preview, order, closing or saving. */
  readonly busy: boolean
  readonly student: StudentDetail | null
  readonly filters: ReportFilters
  /** The reports that match the filters. */
  readonly reports: readonly ReportItem[]
  /** Number of all reports, to explain an empty list. */
  readonly reportCount: number
  readonly report: ReportRef | null
  /** In yuan, shown with 2 decimals; null while unknown. */
  readonly price: number | null
  /** Base64; null until price and PDF are loaded. */
  readonly pdf: string | null
  readonly order: PayOrder | null
  readonly failure: PayFailure | null
  /**
   * Why the last call failed; shown in place of the list or preview, beside the payment method, or
   * in the popups.
   */
  readonly problem: Problem | null
  readonly can: {
    readonly refresh: boolean
    readonly open: boolean
    readonly retryPreview: boolean
    readonly confirm: boolean
    readonly cancelPreview: boolean
    readonly choose: boolean
    readonly back: boolean
    readonly cancelPay: boolean
    readonly cancelFailure: boolean
    readonly repay: boolean
    readonly check: boolean
    readonly retrySave: boolean
    readonly leaveSave: boolean
    readonly again: boolean
    readonly home: boolean
    readonly end: boolean
  }
}

type Snapshot = SnapshotFrom<typeof downloadMachine>
const screens = [
  'list',
  'preview',
  'method',
  'ordering',
  'scanPay',
  'closing',
  'failed',
  'saving',
  'unsaved',
  'success',
  'ended',
] as const
const failures = ['timedOut', 'closed', 'refunded', 'unmade', 'unconfirmed'] as const
const steps = [0, 1, 2, 3, 4, 5] as const
const indicators = {
  list: 1,
  preview: 2,
  method: 2,
  ordering: 2,
  scanPay: 2,
  closing: 2,
  failed: 2,
  saving: 3,
  unsaved: 3,
  success: 3,
  ended: 1,
} as const

export function downloadView(s: Snapshot): DownloadView {
  const { student, filters, reports, report, price, pdf, order, problem } = s.context
  const screen = screens.find((each) => s.matches(each)) ?? 'list'
  return {
    screen,
    step: steps.find((step) => s.hasTag(`step:${step}`)) ?? 0,
    indicator: indicators[screen],
    busy: s.hasTag('busy'),
    student,
    filters,
    reports: visibleReports(reports, filters),
    reportCount: reports.length,
    report,
    price,
    pdf: price === null ? null : pdf,
    order,
    failure: failures.find((failed) => s.matches({ failed })) ?? null,
    problem,
    can: {
      refresh: s.matches('list') && s.can({ type: 'list.refresh' }),
      open: reports.some(({ id }) => s.can({ type: 'report.open', reportId: id })),
      retryPreview: s.can({ type: 'preview.retry' }),
      confirm: s.can({ type: 'preview.confirm' }),
      cancelPreview: s.can({ type: 'preview.cancel' }),
      choose: s.can({ type: 'pay.choose', method: 'wechat' }),
      back: s.can({ type: 'pay.back' }),
      cancelPay: s.can({ type: 'pay.cancel' }),
      cancelFailure: s.can({ type: 'failure.cancel' }),
      repay: s.can({ type: 'failure.repay' }),
      check: s.can({ type: 'failure.check' }),
      retrySave: s.can({ type: 'save.retry' }),
      leaveSave: s.can({ type: 'save.leave' }),
      again: s.can({ type: 'success.again' }),
      home: s.can({ type: 'success.home' }),
      end: s.can({ type: 'session.end' }),
    },
  }
}

/**
 * The running countdown: 180 s in the payment popup, 30 s after success. Read its
 * `context.secondsLeft` with a separate selector.
 */
export function downloadCountdown(s: Snapshot): ActorRefFrom<typeof countdownMachine> | undefined {
  return s.children.payCountdown ?? s.children.homeCountdown
}
