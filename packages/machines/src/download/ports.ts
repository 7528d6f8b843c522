import type { CodeStatus, PrintOrder, ReportItem, ReportPrice, StudentDetail } from '@jiaowu/api'
import { actorsOf, type ActorsOf, type Port } from '../port.ts'

/** What the machine needs of the report that is chosen. */
export type ReportRef = Pick<ReportItem, 'id' | 'reportName'>
/** The order that is waiting for money, or is paid and waits to be saved. */
export interface PayOrder {
  readonly orderNo: string
  /** What the QR code holds; null when nothing is to be paid. */
  readonly codeUrl: string | null
  /** Yuan. */
  readonly amount: number
  /** End of the time to pay, milliseconds since 1970. */
  readonly deadline: number
}
/** What is kept for a reload: facts with a version, never a snapshot. */
export interface DownloadFacts {
  readonly version: 1
  /** Whose order it is: nobody resumes another's. */
  readonly account: string
  readonly report: ReportRef
  readonly order: PayOrder
  /** Money arrived (or none was due), the file is not saved yet. */
  readonly paid: boolean
}

/**
 * Each port is the contract call of that name in `student`
 * (docs/rules/contract.md#student-service).
 */
export interface DownloadPorts {
  readonly detail: Port<undefined, StudentDetail>
  readonly reports: Port<{ readonly stuNo: string }, readonly ReportItem[]>
  readonly price: Port<{ readonly reportId: string }, ReportPrice>
  /** A PDF in base64. `account` is plain here; the call sends it in base64. */
  readonly preview: Port<{ readonly reportId: string; readonly account: string }, string>
  /** `payValue`: the price shown, in yuan. */
  readonly order: Port<
    { readonly reportId: string; readonly payType: 'wechat'; readonly payValue: number },
    PrintOrder
  >
  readonly orderStatus: Port<{ readonly orderNo: string }, { readonly code_status: CodeStatus }>
  readonly cancelOrder: Port<{ readonly orderNo: string }, { readonly code_status: CodeStatus }>
  /** Receives the final PDF and saves it under the name the server gives. */
  readonly download: Port<{ readonly orderNo: string }, void>
}

export function downloadActors(ports: DownloadPorts): ActorsOf<DownloadPorts> {
  return actorsOf(ports, [
    'detail',
    'reports',
    'price',
    'preview',
    'order',
    'orderStatus',
    'cancelOrder',
    'download',
  ])
}
