import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { text, wholeNumber } from '../shapes.ts'
import {
  orderNoText,
  orderStatus,
  printOrder,
  reportIdText,
  reportList,
  reportPrice,
  studentDetail,
} from './student.ts'

const short = v.pipe(v.string(), v.maxLength(64))
const one = v.optional(short)
/**
 * Identifies a student by student number (`stuNo`, `FLD_XH`, `account`) or ID number (`sfzh`,
 * `FLD_SFZJH`). All numbers sent must match (docs/spec/2-student-service-and-designer.md §3).
 */
const who = { stuNo: one, FLD_XH: one, account: one, sfzh: one, FLD_SFZJH: one }
const which = { reportId: v.optional(reportIdText), REPORT_ID: v.optional(reportIdText) }
const reason = v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(200))

/**
 * REQUESTED waits for a second user. DUE and SENT are in progress. DONE, REJECTED and FAILED are
 * final.
 */
export const refundStates = ['REQUESTED', 'REJECTED', 'DUE', 'SENT', 'DONE', 'FAILED'] as const
const refund = v.object({
  id: v.string(),
  orderNo: v.string(),
  refundNo: v.string(),
  student: v.string(),
  report: v.string(),
  /** In fen. */
  amountFen: v.number(),
  state: v.picklist(refundStates),
  reason: v.string(),
  /** Created by the system for a payment that arrived after its order was closed. */
  automatic: v.boolean(),
  requestedBy: v.nullable(v.string()),
  approvedBy: v.nullable(v.string()),
  /** Why the provider refuses it, with its code; null while nothing was refused. */
  failure: v.nullable(v.string()),
  /** How often the provider was asked; 0 before the approval. */
  attempts: v.number(),
  /** When it is asked again; null when it is not. */
  nextTryAt: v.nullable(v.string()),
  createTime: v.string(),
  doneAt: v.nullable(v.string()),
  /** Whether the caller may decide: the refund is waiting and another user requested it. */
  mayDecide: v.boolean(),
})
export type Refund = v.InferOutput<typeof refund>

/**
 * Kinds of mismatches between our orders and the provider's bill (docs/rules/security.md#payments).
 */
export const discrepancyKinds = [
  'paidUnknown',
  'paidNotHere',
  'notPaidThere',
  'amount',
  'refundNotHere',
  'refundNotThere',
  'paidNotMade',
] as const
const discrepancy = v.object({
  id: v.string(),
  orderNo: v.string(),
  kind: v.picklist(discrepancyKinds),
  ourFen: v.nullable(v.number()),
  theirFen: v.nullable(v.number()),
  day: v.string(),
  settled: v.boolean(),
  createTime: v.string(),
  /** The person, time and reason of the settlement; and the person who has confirmed it. */
  settledBy: v.nullable(v.string()),
  settledAt: v.nullable(v.string()),
  note: v.nullable(v.string()),
  checkedBy: v.nullable(v.string()),
  checkedAt: v.nullable(v.string()),
  /** Whether the caller may confirm: another user settled it, and it is not confirmed yet. */
  mayCheck: v.boolean(),
})
export type Discrepancy = v.InferOutput<typeof discrepancy>

const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/))

/**
 * Calls for staff on students' reports (docs/spec/2-student-service-and-designer.md §7 print calls,
 * docs/rules/contract.md#student-service).
 */
export const print = {
  studentDetail: endpoint({
    method: 'POST',
    keyed: false,
    path: '/print/getStuDetail',
    access: 'print:preview',
    bodyKind: 'form',
    body: v.strictObject(who),
    answer: studentDetail,
  }),
  reports: endpoint({
    method: 'GET',
    path: '/print/getPrintFileList',
    access: 'print:preview',
    query: v.strictObject(who),
    answer: reportList,
  }),
  price: endpoint({
    method: 'GET',
    path: '/print/getPrintPrice',
    access: 'print:preview',
    query: v.strictObject({ ...who, ...which }),
    answer: reportPrice,
  }),
  /** The preview as PDF in base64. */
  preview: endpoint({
    method: 'POST',
    keyed: false,
    path: '/print/getPrintHttpURL',
    access: 'print:preview',
    bodyKind: 'form',
    body: v.strictObject({ ...who, ...which }),
    answer: v.string(),
    timeout: 60_000,
  }),
  /**
   * The school issues the document itself: a free order, which does not give the student a
   * download.
   */
  order: endpoint({
    method: 'POST',
    keyed: true,
    path: '/print/createPrintOrder',
    access: 'print:download',
    bodyKind: 'form',
    body: v.strictObject({ ...who, ...which }),
    answer: printOrder,
  }),
  /** By order number, or the newest order of a student and report. */
  orderStatus: endpoint({
    method: 'GET',
    path: '/print/getOrderStatus',
    access: 'print:preview',
    query: v.strictObject({ orderNo: v.optional(orderNoText), ...who, ...which }),
    answer: orderStatus,
  }),
  cancelOrder: endpoint({
    method: 'POST',
    keyed: false,
    path: '/print/cancelPrintOrder',
    access: 'print:download',
    bodyKind: 'form',
    body: v.strictObject({ orderNo: orderNoText }),
    answer: orderStatus,
  }),
  download: fileEndpoint({
    method: 'POST',
    keyed: false,
    path: '/print/getDownload',
    access: 'print:download',
    bodyKind: 'form',
    body: v.strictObject({ ...who, ...which }),
  }),
  adminDownload: fileEndpoint({
    method: 'POST',
    keyed: false,
    path: '/admin/getDownload',
    access: 'print:download',
    bodyKind: 'form',
    body: v.strictObject({
      ...who,
      ...which,
      /** Noted with the order, as is the number of copies. */
      purpose: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(limits.reasonLength))),
      copies: v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.printCopies))),
    }),
  }),

  refunds: endpoint({
    method: 'GET',
    path: '/print/refunds',
    access: 'pay:refund',
    query: v.strictObject({
      state: v.optional(v.picklist(refundStates)),
      pageNum: v.optional(wholeNumber, 1),
    }),
    answer: v.object({ records: v.array(refund), total: v.number() }),
  }),
  /** Requests a refund, of the whole amount by default; a second user has to approve it. */
  requestRefund: endpoint({
    method: 'POST',
    keyed: true,
    path: '/print/refund',
    access: 'pay:refund',
    body: v.strictObject({
      orderNo: orderNoText,
      reason,
      amountFen: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    }),
    answer: refund,
  }),
  /** Approves or rejects a refund; needs a second user (security ASVS 2.3.5). */
  decideRefund: endpoint({
    method: 'POST',
    keyed: false,
    path: '/print/refund/{id}/decide',
    access: 'pay:refund',
    fresh: true,
    body: v.strictObject({ agree: v.boolean(), note: v.optional(text) }),
    answer: refund,
  }),
  discrepancies: endpoint({
    method: 'GET',
    path: '/print/reconciliation',
    access: 'pay:refund',
    query: v.strictObject({ open: v.optional(v.picklist(['0', '1']), '1'), day: v.optional(day) }),
    answer: v.array(discrepancy),
  }),
  /** Marks a discrepancy as settled: it leaves the list but stays in the books. */
  settleDiscrepancy: endpoint({
    method: 'POST',
    keyed: false,
    path: '/print/reconciliation/{id}/settle',
    access: 'pay:refund',
    body: v.strictObject({ note: reason }),
    answer: v.null(),
  }),
  /** Confirms or reopens a settled discrepancy; needs a second user (security ASVS 2.3.5). */
  checkDiscrepancy: endpoint({
    method: 'POST',
    keyed: false,
    path: '/print/reconciliation/{id}/check',
    access: 'pay:refund',
    body: v.strictObject({ agree: v.boolean() }),
    answer: v.null(),
  }),
  /** Compares the provider's bill for a day with our orders. Also runs every morning. */
  reconcile: endpoint({
    method: 'POST',
    keyed: false,
    path: '/print/reconciliation',
    access: 'pay:refund',
    body: v.strictObject({ day }),
    answer: v.object({ compared: v.number(), found: v.number() }),
    timeout: 60_000,
  }),
} as const
