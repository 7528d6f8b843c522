import type { CodeStatus } from '@jiaowu/api/contract/student/student'
import type { Services } from '../../model/context.ts'
import { findDue } from '../../platform/database/schools.ts'
import { transact } from '../../platform/database/transact.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findGateway } from '../gateways.ts'
import { completeAll, enqueue, type OutboxOrder } from '../outbox/outbox.ts'
import { runNow } from '../outbox/payment-handler.ts'
import { auditPay, settlePayment } from '../settle-payment.ts'
import { grace, payable, reuseLeft, toStatus } from '../states.ts'
import { orderById, type OrderRow } from './order-row.ts'

/**
 * Cancels an order: '2' when the provider has confirmed the close, '0' while it has not.
 * @throws Refusal 409 whose data says '1' when the order is paid after all (docs/rules/security.md#h7)
 */
export async function cancelOrder(
  services: Services,
  order: OrderRow,
): Promise<{ code_status: CodeStatus }> {
  const { kysely } = services.database
  if (payable.includes(order.state)) {
    await settleIfPaid(services, order.order_no)
    await transact(kysely, async (trx) => {
      if (await beginClosing(trx, services, order))
        auditPay(services, trx, order.tenant_id, {
          action: 'order.cancel',
          object: 'RPT_ORDER',
          objectId: order.order_no,
          result: 'ok',
        })
    })
  }
  if ((await orderById(kysely, order)).state === 'CLOSING') await runNow(services, order, 'close')
  const code_status = toStatus((await orderById(kysely, order)).state)
  if (code_status === '1') throw new Refusal(409, { key: 'order.paid' }, { data: { code_status } })
  return { code_status }
}

const queryPatienceMs = 1_500 // docs/rules/security.md#payments

/** Queries the provider just before closing. Without an answer in time, the outbox queries again after the close. */
async function settleIfPaid(services: Services, orderNo: string): Promise<void> {
  const reported = await findGateway(services)
    .query(orderNo, queryPatienceMs)
    .catch(() => null)
  if (reported?.state === 'paid') await settlePayment(services, reported.payment, 'query')
}

/**
 * Ends the time to pay and enqueues the calls to the provider, in the same transaction. Returns
 * false when the order is not open.
 */
export async function beginClosing(
  db: Services['database']['kysely'],
  services: Services,
  order: OutboxOrder,
): Promise<boolean> {
  const changed = await db
    .updateTable('biz.print_order')
    .set((e) => ({ state: 'CLOSING', update_time: services.now(), version: e('version', '+', 1) }))
    .where('tenant_id', '=', order.tenant_id)
    .where('id', '=', order.id)
    .where('state', 'in', payable)
    .returning('id')
    .executeTakeFirst()
  if (changed === undefined) return false
  await enqueue(db, services, order, 'close')
  await enqueue(db, services, order, 'query', { afterMs: reuseLeft })
  return true
}

/**
 * Begins to close orders whose time to pay and grace are over (docs/rules/security.md#payments). Returns how many it
 * looked at, 100 at most.
 */
export async function expireOrders(services: Services): Promise<number> {
  const {
    database: { kysely },
    now,
  } = services
  const due = await findDue(services, 'looking for expired orders', (tenant) =>
    kysely
      .selectFrom('biz.print_order')
      .select(['id', 'tenant_id', 'order_no'])
      .$if(tenant !== null, (query) => query.where('tenant_id', '=', tenant ?? ''))
      .where('state', 'in', payable)
      .where('expires_at', '<', new Date(now().getTime() - grace).toISOString())
      .orderBy('expires_at')
      .limit(100)
      .execute(),
  )
  for (const order of due) {
    await transact(kysely, async (trx) => {
      if (!(await beginClosing(trx, services, order))) return
      await completeAll(trx, services, order, ['create'])
      auditPay(services, trx, order.tenant_id, {
        action: 'order.expire',
        object: 'RPT_ORDER',
        objectId: order.order_no,
        result: 'ok',
      })
    })
  }
  return due.length
}
