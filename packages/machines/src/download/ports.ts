import type {
  CodeStatus,
  PrintOrder,
  ReportItem,
  ReportPrice,
  StudentDetail,
} from '@jiaowu/api/contract/student/student'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/** The parts of the chosen report that the machine needs. */
export type ReportRef = Pick<ReportItem, 'id' | 'reportName'>
/** The order that waits for payment, or is paid and waits to be saved. */
export interface PayOrder {
  readonly orderNo: string
  /** Content of the QR code; null when nothing is due. */
  readonly codeUrl: string | null
  /** In yuan. */
  readonly amount: number
  /** End of the time to pay in milliseconds since 1970. */
  readonly deadline: number
}
/** Versioned facts stored for a reload, never a snapshot. */
export interface DownloadFacts {
  readonly version: 1
  /** The student's account; another student's order is not resumed. */
  readonly account: string
  readonly report: ReportRef
  readonly order: PayOrder
  /** The payment arrived (or none was due), and the file is not saved yet. */
  readonly paid: boolean
}

/** Each port is the call of that name in `student` (docs/rules/contract.md#student-service). */
export interface DownloadPorts {
  readonly detail: Port<undefined, StudentDetail>
  readonly reports: Port<{ readonly stuNo: string }, readonly ReportItem[]>
  readonly price: Port<{ readonly reportId: string }, ReportPrice>
  /** A PDF in base64. `account` is plain here; the call encodes it. */
  readonly preview: Port<{ readonly reportId: string; readonly account: string }, string>
  /** `payValue`: the displayed price in yuan. */
  readonly order: Port<
    { readonly reportId: string; readonly payType: 'wechat'; readonly payValue: number },
    PrintOrder
  >
  readonly orderStatus: Port<{ readonly orderNo: string }, { readonly code_status: CodeStatus }>
  readonly cancelOrder: Port<{ readonly orderNo: string }, { readonly code_status: CodeStatus }>
  /** Receives the final PDF and saves it under the server's file name. */
  readonly download: Port<{ readonly orderNo: string }, void>
}

export function downloadActors(ports: DownloadPorts): ActorsOf<DownloadPorts> {
  return createPortActors(ports, [
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
