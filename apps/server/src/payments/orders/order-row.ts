import type { Services } from '../../model/context.ts'
import { notFound } from '../../platform/refusal.ts'
import type { OrderState } from '../../platform/database/tables/tables-student.ts'

type Db = Services['database']['kysely']

/** Student and report of an order. The ids come from the session or a checked row, never from a request. */
export interface Buyer {
  readonly tenant: string
  readonly studentId: string
  readonly reportId: string
}

export interface OrderRow {
  readonly id: string
  readonly tenant_id: string
  readonly order_no: string
  readonly student_id: string
  readonly report_id: string
  readonly amount_fen: number
  readonly state: OrderState
  readonly code_url: string | null
  readonly expires_at: string | null
  readonly close_sent_at: string | null
  readonly source: 'student' | 'staff'
}

export const orderColumns = [
  'id',
  'tenant_id',
  'order_no',
  'student_id',
  'report_id',
  'amount_fen',
  'state',
  'code_url',
  'expires_at',
  'close_sent_at',
  'source',
] as const

/** The key of an order: its school and its id. */
export type OrderKey = Pick<OrderRow, 'tenant_id' | 'id'>

export function orderById(db: Db, { tenant_id, id }: OrderKey) {
  return db
    .selectFrom('biz.print_order')
    .select(orderColumns)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * A student's own order; orders of other students are reported as missing
 * (docs/rules/security.md#n11).
 * @throws Refusal 404
 */
export async function ownOrder(
  { database: { kysely } }: Services,
  tenant: string,
  studentId: string,
  orderNo: string,
): Promise<OrderRow> {
  const order = await byNumber(kysely, tenant, orderNo)
    .where('student_id', '=', studentId)
    .where('source', '=', 'student')
    .executeTakeFirst()
  if (order === undefined) throw notFound()
  return order
}

/** Any order of a tenant, for its staff. @throws Refusal 404 */
export async function anyOrder(
  { database: { kysely } }: Services,
  tenant: string,
  orderNo: string,
): Promise<OrderRow> {
  const order = await byNumber(kysely, tenant, orderNo).executeTakeFirst()
  if (order === undefined) throw notFound()
  return order
}

function byNumber(db: Db, tenant: string, orderNo: string) {
  return db
    .selectFrom('biz.print_order')
    .select(orderColumns)
    .where('order_no', '=', orderNo)
    .where('tenant_id', '=', tenant)
    .where('deleted_at', 'is', null)
}

/** A student's orders for a report. */
export function selectOrders(db: Db, { tenant, studentId, reportId }: Buyer) {
  return db
    .selectFrom('biz.print_order')
    .select(orderColumns)
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', studentId)
    .where('report_id', '=', reportId)
    .where('source', '=', 'student')
    .where('deleted_at', 'is', null)
}
