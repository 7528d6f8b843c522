import {
  type CodeStatus,
  limits,
  type Message,
  type PrintOrder,
  type Problem,
  type ReportItem,
  type StudentDetail,
} from '@jiaowu/api'
import type { DownloadFacts, PayOrder, ReportRef } from './ports.ts'

/**
 * All on by default; a report shows only if both its language and its type are on
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export type ReportFilter = 'zh' | 'en' | 'transcript' | 'proof'
export type ReportFilters = Readonly<Record<ReportFilter, boolean>>
export const allFilters: ReportFilters = { zh: true, en: true, transcript: true, proof: true }
/** Only WeChat acts (docs/spec/2-student-service-and-designer.md §2). */
export type PayMethod = 'wechat' | 'alipay'

export interface DownloadInput {
  /** The signed-in student's account, which is the mobile number. */
  readonly account: string
  /** What was kept before a reload; null when nothing was. Another student's is ignored. */
  readonly facts: DownloadFacts | null
  readonly now: () => number
}
export interface DownloadContext {
  readonly account: string
  readonly now: () => number
  readonly student: StudentDetail | null
  readonly reports: readonly ReportItem[]
  /** The list was never read, or something was ordered since. */
  readonly outdated: boolean
  readonly filters: ReportFilters
  readonly report: ReportRef | null
  /** Yuan; null until it is known. */
  readonly price: number | null
  /** Base64; null until it has come. */
  readonly pdf: string | null
  readonly order: PayOrder | null
  /** The kept facts said that the order is paid. */
  readonly wasPaid: boolean
  readonly problem: Problem | null
}

export type DownloadEvent =
  /**
   * Read record and list again: at once in the list, elsewhere when it is next shown. A surface
   * sends it when the language changes.
   */
  | { readonly type: 'list.refresh' }
  | { readonly type: 'filter.toggle'; readonly filter: ReportFilter }
  | { readonly type: 'report.open'; readonly reportId: string }
  | { readonly type: 'preview.retry' }
  | { readonly type: 'preview.confirm' }
  | { readonly type: 'preview.cancel' }
  | { readonly type: 'pay.choose'; readonly method: PayMethod }
  /** "Previous step" of the method screen. */
  | { readonly type: 'pay.back' }
  /** Closing the scan-pay popup: back to the list. */
  | { readonly type: 'pay.cancel' }
  /** The failure popup's cancel: to the list. */
  | { readonly type: 'failure.cancel' }
  /**
   * The failure popup's repay, and its close (docs/spec/2-student-service-and-designer.md §4). Not
   * while the order is being checked.
   */
  | { readonly type: 'failure.repay' }
  /** Ask the server again while the order is being checked. */
  | { readonly type: 'failure.check' }
  | { readonly type: 'save.retry' }
  /** From a file that could not be saved to the list; it stays paid. */
  | { readonly type: 'save.leave' }
  | { readonly type: 'success.again' }
  | { readonly type: 'success.home' }
  /**
   * The student signs out. An open order is closed first, for three seconds at most; then `ended`
   * is emitted.
   */
  | { readonly type: 'session.end' }

export type DownloadEmitted =
  /** Keep these facts, or forget them when null. */
  | { readonly type: 'facts'; readonly facts: DownloadFacts | null }
  /** A call failed (docs/spec/2-student-service-and-designer.md §8). */
  | {
      readonly type: 'toast'
      readonly tone: 'danger'
      readonly message: string | Message
      readonly lasting: true
    }
  /** The file is saved. */
  | { readonly type: 'saved'; readonly report: ReportRef }
  /** Nothing is left to do for this session: sign out now. */
  | { readonly type: 'ended' }

/**
 * How long signing out waits for an order to be closed, milliseconds. The server lets an order
 * expire anyway.
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
 * The order as the screen needs it. Never more than the 180 s of the popup
 * (docs/spec/2-student-service-and-designer.md §9), fewer when the server says so.
 */
export function payOrderOf(
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

export function factsOf(
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

/** What an order's status means for the one who waits. */
export const isPaid = (status: CodeStatus): boolean => status === '1'
export const isOpen = (status: CodeStatus): boolean => status === '0'
export const isRefund = (status: CodeStatus): boolean => status === '4'
