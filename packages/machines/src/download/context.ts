import type {
  CodeStatus,
  PrintOrder,
  ReportItem,
  StudentDetail,
} from '@jiaowu/api/contract/student/student'
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { DownloadFacts, PayOrder, ReportRef } from './ports.ts'

/**
 * All are on by default; a report is shown if both its language and its type are on
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export type ReportFilter = 'zh' | 'en' | 'transcript' | 'proof'
export type ReportFilters = Readonly<Record<ReportFilter, boolean>>
const allFilters: ReportFilters = { zh: true, en: true, transcript: true, proof: true }
/** Only WeChat is available (docs/spec/2-student-service-and-designer.md §2). */
export type PayMethod = 'wechat' | 'alipay'

export interface DownloadInput {
  /** The signed-in student's account: the mobile number. */
  readonly account: string
  /**
   * Facts stored before a reload; null when there are none. Facts of another student are ignored.
   */
  readonly facts: DownloadFacts | null
  readonly now: () => number
}
export interface DownloadContext {
  readonly account: string
  readonly now: () => number
  readonly student: StudentDetail | null
  readonly reports: readonly ReportItem[]
  /** The list was never loaded, or an order was created since. */
  readonly outdated: boolean
  readonly filters: ReportFilters
  readonly report: ReportRef | null
  /** In yuan; null while unknown. */
  readonly price: number | null
  /** Base64; null while loading. */
  readonly pdf: string | null
  readonly order: PayOrder | null
  /** The stored facts say that the order is paid. */
  readonly wasPaid: boolean
  readonly problem: Problem | null
}

export type DownloadEvent =
  /**
   * Reloads student and list: at once in the list, elsewhere when the list is next shown. Surfaces
   * send it when the language changes.
   */
  | { readonly type: 'list.refresh' }
  | { readonly type: 'filter.toggle'; readonly filter: ReportFilter }
  | { readonly type: 'report.open'; readonly reportId: string }
  | { readonly type: 'preview.retry' }
  | { readonly type: 'preview.confirm' }
  | { readonly type: 'preview.cancel' }
  | { readonly type: 'pay.choose'; readonly method: PayMethod }
  /** "Previous step" of the payment screen. */
  | { readonly type: 'pay.back' }
  /** Closes the payment popup and returns to the list. */
  | { readonly type: 'pay.cancel' }
  /** Cancels in the failure popup and returns to the list. */
  | { readonly type: 'failure.cancel' }
  /**
   * Pays again from the failure popup, or closes it
   * (docs/spec/2-student-service-and-designer.md §4). Not available while the order is being
   * checked.
   */
  | { readonly type: 'failure.repay' }
  /** Asks the server again while the order is being checked. */
  | { readonly type: 'failure.check' }
  | { readonly type: 'save.retry' }
  /** Returns to the list from a file that could not be saved; the order stays paid. */
  | { readonly type: 'save.leave' }
  | { readonly type: 'success.again' }
  | { readonly type: 'success.home' }
  /**
   * The student signs out. An open order is closed first, within three seconds; then `ended` is
   * emitted.
   */
  | { readonly type: 'session.end' }

export type DownloadEmitted =
  /** Store these facts; null deletes them. */
  | { readonly type: 'facts'; readonly facts: DownloadFacts | null }
  /** A call failed (docs/spec/2-student-service-and-designer.md §8). */
  | {
      readonly type: 'toast'
      readonly tone: 'danger'
      readonly message: string | Message
      readonly lasting: true
    }
  /** The file was saved. */
  | { readonly type: 'saved'; readonly report: ReportRef }
  /** Nothing is pending: the session can end now. */
  | { readonly type: 'ended' }

/**
 * How long signing out waits for an order to be closed, in milliseconds. Afterwards the server lets
 * the order expire.
 */
export const endPatience = 3_000

export function blankContext({ account, facts, now }: DownloadInput): DownloadContext {
  const mine = facts?.account === account ? facts : null
  return {
    account,
    now,
    student: null,
    reports: [],
    outdated: true,
    filters: allFilters,
    pdf: null,
    problem: null,
    report: mine?.report ?? null,
    price: mine?.order.amount ?? null,
    order: mine?.order ?? null,
    wasPaid: mine?.paid ?? false,
  }
}

/**
 * The order for the payment screen. The time to pay is at most the 180 s of the popup
 * (docs/spec/2-student-service-and-designer.md §9), less when the server says so.
 */
export function toPayOrder(
  { orderNo, code_url, amount, expires_in }: PrintOrder,
  now: number,
): PayOrder {
  return {
    orderNo,
    codeUrl: code_url,
    amount,
    deadline: now + Math.min(expires_in * 1000, limits.payWindow),
  }
}

export function buildDownloadFacts(
  { account, report, order }: DownloadContext,
  paid: boolean,
): DownloadFacts | null {
  return report === null || order === null
    ? null
    : { version: 1, account, report: { id: report.id, reportName: report.reportName }, order, paid }
}

export function visibleReports(
  reports: readonly ReportItem[],
  filters: ReportFilters,
): readonly ReportItem[] {
  return reports.filter(
    ({ reportLanguage, reportType }) => filters[reportLanguage] && filters[reportType],
  )
}

/** Meaning of an order's status for the payment screen. */
export const isPaid = (status: CodeStatus): boolean => status === '1'
export const isOpenStatus = (status: CodeStatus): boolean => status === '0'
export const isRefund = (status: CodeStatus): boolean => status === '4'
