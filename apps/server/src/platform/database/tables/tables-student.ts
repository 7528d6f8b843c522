import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<string, string | Date, string | Date>
type Later = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
type Deleted = ColumnType<string | null, undefined, string | Date | null>

/** The columns of teaching tables that the student service reads. The tables belong to entities. */
interface Student {
  id: string
  tenant_id: string
  student_no: string
  name: string
  name_en: string | null
  /** Encrypted, with its blind index (docs/rules/security.md#d6). */
  id_card: string | null
  id_card_index: string | null
  faculty_id: string | null
  major_id: string | null
  class_id: string | null
  mobile: string | null
  email: string | null
  account_mobile: string | null
  update_time: Moment
  version: Generated<number>
  deleted_at: Deleted
}
interface Named {
  id: string
  tenant_id: string
  name: string
  name_en: string | null
  deleted_at: Deleted
}
interface Report {
  id: string
  tenant_id: string
  report_code: string
  report_name: string
  report_language: 'zh' | 'en'
  report_type: 'transcript' | 'proof'
  kind: string
  price_fen: number
  sort: number
  enabled: string
  deleted_at: Deleted
}

/** States of an order (docs/rules/security.md#payments). */
export type OrderState =
  | 'FREE'
  | 'CREATING'
  | 'PENDING'
  | 'CLOSING'
  | 'PAID'
  | 'CLOSED'
  | 'FAILED'
  | 'REFUND_DUE'
  | 'REFUNDING'
  | 'REFUNDED'
/** A request to register with a mobile that is not on file. */
interface Registration {
  id: string
  tenant_id: string
  org_id: Generated<string | null>
  create_user: Generated<string | null>
  create_time: Moment
  update_user: Generated<string | null>
  update_time: Moment
  version: Generated<number>
  deleted_at: Deleted
  student_id: string
  mobile: string
  /** DONE, REFUSED and EXPIRED are final. */
  state: 'PENDING' | 'APPROVED' | 'REFUSED' | 'DONE' | 'EXPIRED'
  /** The time until which a waiting request is decided, or an approved one used. */
  expires_at: Moment
  decided_by: Generated<string | null>
  decided_at: Later
}
interface PrintOrder {
  id: string
  tenant_id: string
  order_no: string
  student_id: string
  report_id: string
  amount_fen: number
  pay_type: string | null
  state: OrderState
  paid_at: Later
  source: 'student' | 'staff'
  gateway: string | null
  code_url: string | null
  expires_at: Later
  close_sent_at: Later
  closed_at: Later
  purpose: Generated<string | null>
  copies: Generated<number | null>
  failure: string | null
  create_user: string | null
  create_time: Moment
  update_time: Moment
  version: Generated<number>
  org_id: Generated<string | null>
  deleted_at: Deleted
}
interface Entitlement {
  id: string
  tenant_id: string
  student_id: string
  report_id: string
  order_id: string
  granted_at: Moment
  revoked_at: Later
}
interface Payment {
  id: string
  tenant_id: string
  order_id: string
  transaction_id: string
  amount_fen: number
  source: 'notify' | 'query' | 'bill'
  paid_at: Moment
  known_at: Moment
}
export type RefundState = 'REQUESTED' | 'REJECTED' | 'DUE' | 'SENT' | 'DONE' | 'FAILED'
interface Refund {
  id: string
  tenant_id: string
  order_id: string
  refund_no: string
  amount_fen: number
  state: RefundState
  reason: string
  automatic: boolean
  requested_by: string | null
  approved_by: string | null
  failure: string | null
  create_time: Moment
  decided_at: Later
  done_at: Later
  reported_at: Later
}
/** A request to the payment provider; done when the provider has given its final answer. */
export type OutboxKind = 'create' | 'query' | 'close' | 'refund' | 'revoke'
interface PayOutbox {
  id: string
  tenant_id: string
  order_id: string
  kind: OutboxKind
  key: string
  refund_id: string | null
  attempts: Generated<number>
  next_at: Moment
  leased_until: Later
  done_at: Later
  failure: Generated<string | null>
  create_time: Moment
}
interface PayNotice {
  id: string
  order_no: string | null
  received_at: Moment
  outcome: string
}
interface PayDiscrepancy {
  id: string
  tenant_id: string
  day: string
  order_no: string
  kind: string
  our_fen: number | null
  their_fen: number | null
  settled: Generated<boolean>
  create_time: Moment
  settled_by: Generated<string | null>
  settled_at: Later
  note: Generated<string | null>
  checked_by: Generated<string | null>
  checked_at: Later
}
interface SandboxTrade {
  order_no: string
  token: string
  amount_fen: number
  description: string
  state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND' | 'PAYERROR'
  transaction_id: string | null
  expires_at: Moment
  paid_at: Later
  create_time: Moment
}
interface SandboxRefund {
  refund_no: string
  order_no: string
  amount_fen: number
  create_time: Moment
}
interface CaptchaTicket {
  ticket_hash: string
  network: string
  expires_at: Moment
  used_at: Later
}
interface SmsCode {
  id: string
  tenant_id: string
  mobile: string
  purpose: string
  salt: string
  hash: string
  tries: Generated<number>
  expires_at: Moment
  used_at: Later
  voided_at: Later
  create_time: Moment
}

/** Tables of migration 0004 and the columns of teaching tables it works with. */
export interface StudentTables {
  'biz.student': Student
  'biz.faculty': Named
  'biz.major': Named
  'biz.class': Omit<Named, 'name_en'>
  'biz.report': Report
  'biz.print_order': PrintOrder
  'biz.registration': Registration
  'sys.entitlement': Entitlement
  'sys.payment': Payment
  'sys.refund': Refund
  'sys.pay_outbox': PayOutbox
  'sys.pay_notice': PayNotice
  'sys.pay_discrepancy': PayDiscrepancy
  'sys.sandbox_trade': SandboxTrade
  'sys.sandbox_refund': SandboxRefund
  'sys.captcha_ticket': CaptchaTicket
  'sys.sms_code': SmsCode
}
