import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { text, wholeNumber } from './shapes.ts'
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
/** Which student: any one of number (`stuNo`, `FLD_XH`, `account`) and ID number (`sfzh`, `FLD_SFZJH`); all that are given must fit (docs/spec/2-student-service-and-designer.md §3). */
const who = { stuNo: one, FLD_XH: one, account: one, sfzh: one, FLD_SFZJH: one }
const which = { reportId: v.optional(reportIdText), REPORT_ID: v.optional(reportIdText) }
const reason = v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(200))

/** REQUESTED waits for a second person; DUE and SENT are on their way; DONE, REJECTED, FAILED are ends. */
export const refundStates = ['REQUESTED', 'REJECTED', 'DUE', 'SENT', 'DONE', 'FAILED'] as const
const refund = v.object({
  id: v.string(),
  orderNo: v.string(),
  refundNo: v.string(),
  student: v.string(),
  report: v.string(),
  /** Fen. */
  amountFen: v.number(),
  state: v.picklist(refundStates),
  reason: v.string(),
  /** Made by the system, for money that came too late. */
  automatic: v.boolean(),
  requestedBy: v.nullable(v.string()),
  approvedBy: v.nullable(v.string()),
  failure: v.nullable(v.string()),
  createTime: v.string(),
  doneAt: v.nullable(v.string()),
  /** The caller may decide on it: waiting, and asked for by somebody else. */
  mayDecide: v.boolean(),
})
export type Refund = v.InferOutput<typeof refund>

/** What does not fit between our orders and the provider's bill (docs/rules/security.md#payments). */
export const discrepancyKinds = [
  'paidUnknown',
  'paidNotHere',
  'notPaidThere',
  'amount',
  'refundNotHere',
  'refundNotThere',
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
  /** Who settled it, when and why; and who else has looked at that since. */
  settledBy: v.nullable(v.string()),
  settledAt: v.nullable(v.string()),
  note: v.nullable(v.string()),
  checkedBy: v.nullable(v.string()),
  checkedAt: v.nullable(v.string()),
  /** The caller may take the second look: settled by somebody else, and not looked at yet. */
  mayCheck: v.boolean(),
})
export type Discrepancy = v.InferOutput<typeof discrepancy>

const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/))

/** What staff do with students' reports (docs/spec/2-student-service-and-designer.md §7 print calls, docs/rules/contract.md#student-service). */
export const print = {
  studentDetail: endpoint({
    method: 'POST',
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
  /** The preview as base64 PDF. */
  preview: endpoint({
    method: 'POST',
    path: '/print/getPrintHttpURL',
    access: 'print:preview',
    bodyKind: 'form',
    body: v.strictObject({ ...who, ...which }),
    answer: v.string(),
    timeout: 60_000,
  }),
  /** The school issues the document itself: an order without money, which gives the student nothing to download. */
  order: endpoint({
    method: 'POST',
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
    path: '/print/cancelPrintOrder',
    access: 'print:download',
    bodyKind: 'form',
    body: v.strictObject({ orderNo: orderNoText }),
    answer: orderStatus,
  }),
  download: fileEndpoint({
    method: 'POST',
    path: '/print/getDownload',
    access: 'print:download',
    bodyKind: 'form',
    body: v.strictObject({ ...who, ...which }),
  }),
  adminDownload: fileEndpoint({
    method: 'POST',
    path: '/admin/getDownload',
    access: 'print:download',
    bodyKind: 'form',
    body: v.strictObject({ ...who, ...which }),
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
  /** Asks for money back; somebody else has to agree. The whole amount when none is given. */
  requestRefund: endpoint({
    method: 'POST',
    path: '/print/refund',
    access: 'pay:refund',
    body: v.strictObject({
      orderNo: orderNoText,
      reason,
      amountFen: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    }),
    answer: refund,
  }),
  /** The second person's word (security ASVS 2.3.5). */
  decideRefund: endpoint({
    method: 'POST',
    path: '/print/refund/{id}/decide',
    access: 'pay:refund',
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
  /** A person has looked into it: off the list, kept in the books. */
  settleDiscrepancy: endpoint({
    method: 'POST',
    path: '/print/reconciliation/{id}/settle',
    access: 'pay:refund',
    body: v.strictObject({ note: reason }),
    answer: v.null(),
  }),
  /** The second look, by somebody else (security ASVS 2.3.5): agreed, or open again. */
  checkDiscrepancy: endpoint({
    method: 'POST',
    path: '/print/reconciliation/{id}/check',
    access: 'pay:refund',
    body: v.strictObject({ agree: v.boolean() }),
    answer: v.null(),
  }),
  /** Compares a day's bill of the provider with our orders; runs by itself every morning. */
  reconcile: endpoint({
    method: 'POST',
    path: '/print/reconciliation',
    access: 'pay:refund',
    body: v.strictObject({ day }),
    answer: v.object({ compared: v.number(), found: v.number() }),
    timeout: 60_000,
  }),
} as const
