import { schoolDay } from '@jiaowu/api/formats'
import { auditIn } from '../platform/audit/write.ts'
import type { Services } from '../model/context.ts'
import type { AuditEvent, InTransaction } from '../platform/context.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import type { OrderState } from '../platform/database/tables/tables-student.ts'
import { transact } from '../platform/database/transact.ts'
import type { VerifiedPayment } from './gateway.ts'
import { wakeQueue } from '../platform/jobs/queues.ts'
import { schoolOfOrder } from './orders/order-number.ts'
import { completeAll, enqueue } from './outbox/outbox.ts'

type Db = Services['database']['kysely']
/**
 * paid: entitles. refund: buys nothing, so a refund is enqueued. repeat: booked before. mismatch,
 * unknown: recorded as a discrepancy for the staff, nothing else changes.
 */
export type Settlement = 'paid' | 'refund' | 'repeat' | 'mismatch' | 'unknown'

interface OrderRow {
  readonly id: string
  readonly tenant_id: string
  readonly order_no: string
  readonly student_id: string
  readonly report_id: string
  readonly amount_fen: number
  readonly state: OrderState
}

/** Records what the system itself does with money, in the transaction that does it. */
export function auditPay(
  services: Services,
  trx: InTransaction,
  tenant: string,
  event: AuditEvent,
): void {
  auditIn(services, trx, { tenant, userId: null, account: null, ip: '', traceId: '' }, event)
}

/**
 * Entitles the student to the document. Returns false when the student is entitled already
 * (docs/rules/security.md#n3, #n4).
 */
export async function entitle(
  db: Db,
  { newId, now }: Services,
  order: Pick<OrderRow, 'id' | 'tenant_id' | 'student_id' | 'report_id'>,
): Promise<boolean> {
  const granted = await db
    .insertInto('sys.entitlement')
    .values({
      id: newId(),
      tenant_id: order.tenant_id,
      student_id: order.student_id,
      report_id: order.report_id,
      order_id: order.id,
      granted_at: now(),
    })
    .onConflict((c) =>
      c
        .columns(['tenant_id', 'student_id', 'report_id'])
        .where('revoked_at', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return granted !== undefined
}

/**
 * Books a verified payment, whatever the state of the order and however often it is reported: either an entitlement or
 * a refund, in one transaction (docs/rules/security.md#n3). A late payment still entitles, unless the student is
 * entitled by another order.
 */
export async function settlePayment(
  services: Services,
  payment: VerifiedPayment,
  source: 'notify' | 'query' | 'bill',
): Promise<Settlement> {
  const {
    database: { kysely },
    log,
  } = services
  const tenant = await schoolOfOrder(services, payment.orderNo)
  const outcome = await transact(kysely, async (trx): Promise<Settlement> => {
    const order = tenant === undefined ? undefined : await lockOrder(trx, tenant, payment.orderNo)
    if (order === undefined)
      await recordDiscrepancy(trx, services, '0', 'paidUnknown', payment, null)
    const booked =
      order === undefined ? 'unknown' : await book(trx, services, order, payment, source)
    if (booked === 'repeat') return booked
    const isSettled = booked === 'paid' || booked === 'refund'
    auditPay(services, trx, order?.tenant_id ?? '0', {
      action: isSettled ? 'pay.settle' : 'pay.mismatch',
      object: 'RPT_ORDER',
      objectId: payment.orderNo,
      result: isSettled ? 'ok' : 'failed',
      detail: { outcome: booked, source, amountFen: payment.amountFen },
    })
    return booked
  })
  if (outcome === 'refund') wakeQueue(services, 'payment')
  if (outcome === 'mismatch' || outcome === 'unknown')
    log.error({ orderNo: payment.orderNo, outcome }, 'a payment does not match its order')
  return outcome
}

function lockOrder(db: Db, tenant: string, orderNo: string): Promise<OrderRow | undefined> {
  return db
    .selectFrom('biz.print_order')
    .select(['id', 'tenant_id', 'order_no', 'student_id', 'report_id', 'amount_fen', 'state'])
    .where('tenant_id', '=', tenant)
    .where('order_no', '=', orderNo)
    .forUpdate()
    .executeTakeFirst()
}

async function book(
  db: Db,
  services: Services,
  order: OrderRow,
  payment: VerifiedPayment,
  source: 'notify' | 'query' | 'bill',
): Promise<Settlement> {
  const known = await db
    .selectFrom('sys.payment')
    .select(['order_id', 'transaction_id'])
    .where('tenant_id', '=', order.tenant_id)
    .where((e) =>
      e.or([e('transaction_id', '=', payment.transactionId), e('order_id', '=', order.id)]),
    )
    .execute()
  if (
    known.some(
      (each) => each.order_id === order.id && each.transaction_id === payment.transactionId,
    )
  )
    return 'repeat'
  // Another transaction for the same order, the same transaction for another order, or another amount: book nothing
  // (docs/rules/security.md#n6).
  if (known.length > 0 || payment.amountFen !== order.amount_fen || order.amount_fen === 0) {
    await recordDiscrepancy(db, services, order.tenant_id, 'amount', payment, order.amount_fen)
    return 'mismatch'
  }
  await db
    .insertInto('sys.payment')
    .values({
      id: services.newId(),
      tenant_id: order.tenant_id,
      order_id: order.id,
      transaction_id: payment.transactionId,
      amount_fen: payment.amountFen,
      source,
      paid_at: payment.paidAt,
      known_at: services.now(),
    })
    .execute()
  const entitled = await entitle(db, services, order)
  if (!entitled) await refundAll(db, services, order)
  exactlyOne(
    await db
      .updateTable('biz.print_order')
      .set((e) => ({
        state: entitled ? 'PAID' : 'REFUND_DUE',
        paid_at: payment.paidAt,
        update_time: services.now(),
        version: e('version', '+', 1),
      }))
      .where('tenant_id', '=', order.tenant_id)
      .where('id', '=', order.id)
      .executeTakeFirst(),
    order.order_no,
  )
  await completeAll(db, services, order, ['create', 'query', 'close'])
  return entitled ? 'paid' : 'refund'
}

async function recordDiscrepancy(
  db: Db,
  { newId, now }: Services,
  tenant: string,
  kind: string,
  { orderNo, amountFen }: VerifiedPayment,
  ourFen: number | null,
): Promise<void> {
  await db
    .insertInto('sys.pay_discrepancy')
    .values({
      id: newId(),
      tenant_id: tenant,
      day: schoolDay(now()),
      order_no: orderNo,
      kind,
      our_fen: ourFen,
      their_fen: amountFen,
      create_time: now(),
    })
    .onConflict((c) => c.columns(['tenant_id', 'day', 'order_no', 'kind']).doNothing())
    .execute()
}

async function refundAll(db: Db, services: Services, order: OrderRow): Promise<void> {
  const refund = { id: services.newId(), refund_no: `${order.order_no}R1` }
  await db
    .insertInto('sys.refund')
    .values({
      ...refund,
      tenant_id: order.tenant_id,
      order_id: order.id,
      amount_fen: order.amount_fen,
      state: 'DUE',
      reason: 'late',
      automatic: true,
      create_time: services.now(),
    })
    .execute()
  await enqueue(db, services, order, 'refund', { refund })
}
