import { schoolDay } from '@jiaowu/api/formats'
import { type Message, messageText, t } from '@jiaowu/api/texts/index'
import type { Services } from '../model/context.ts'
import type { RefundState } from '../platform/database/tables/tables-student.ts'
import { transact } from '../platform/database/transact.ts'
import { sendMessage } from '../platform/messages.ts'
import type { OrderRow } from './orders/order-row.ts'
import { inBothLanguages, refundDeciders } from './refund-deciders.ts'
import { unmadeReason } from './refund-reason.ts'
import { auditPay } from './settle-payment.ts'

/**
 * A paid document cannot be made: requests a refund, for the staff to decide, records a discrepancy and writes to
 * those who may refund. Repeating it changes nothing. Returns the state of the order's newest refund.
 */
export function requestUnmadeRefund(
  services: Services,
  order: OrderRow,
  why: Message,
): Promise<RefundState> {
  const { database, newId, now } = services
  return transact(database.kysely, async (trx) => {
    await trx
      .selectFrom('biz.print_order')
      .select('id')
      .where('tenant_id', '=', order.tenant_id)
      .where('id', '=', order.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const refunds = await trx
      .selectFrom('sys.refund')
      .select('state')
      .where('tenant_id', '=', order.tenant_id)
      .where('order_id', '=', order.id)
      .orderBy('id', 'desc')
      .execute()
    const [newest] = refunds
    if (newest !== undefined) return newest.state
    await trx
      .insertInto('sys.refund')
      .values({
        id: newId(),
        tenant_id: order.tenant_id,
        order_id: order.id,
        refund_no: `${order.order_no}R1`,
        amount_fen: order.amount_fen,
        state: 'REQUESTED',
        reason: unmadeReason,
        automatic: true,
        create_time: now(),
      })
      .execute()
    await trx
      .insertInto('sys.pay_discrepancy')
      .values({
        id: newId(),
        tenant_id: order.tenant_id,
        day: schoolDay(now()),
        order_no: order.order_no,
        kind: 'paidNotMade',
        our_fen: order.amount_fen,
        their_fen: order.amount_fen,
        create_time: now(),
      })
      .onConflict((c) => c.columns(['tenant_id', 'day', 'order_no', 'kind']).doNothing())
      .execute()
    await sendMessage(trx, services, {
      tenant: order.tenant_id,
      receivers: await refundDeciders(trx, order.tenant_id),
      ...inBothLanguages('document.unmadeTitle', 'document.unmadeContent', (locale) => ({
        orderNo: order.order_no,
        why: messageText(locale, why),
      })),
    })
    auditPay(services, trx, order.tenant_id, {
      action: 'refund.request',
      object: 'RPT_ORDER',
      objectId: order.order_no,
      result: 'ok',
      detail: { amountFen: order.amount_fen, reason: unmadeReason },
    })
    return 'REQUESTED'
  })
}

/** The document could be made after all: withdraws the system's own request while nobody has decided on it. */
export async function withdrawUnmadeRefund(services: Services, order: OrderRow): Promise<void> {
  const { database, now } = services
  const open = await database.kysely
    .selectFrom('sys.refund')
    .select('id')
    .where('tenant_id', '=', order.tenant_id)
    .where('order_id', '=', order.id)
    .where('state', '=', 'REQUESTED')
    .where('reason', '=', unmadeReason)
    .where('automatic', '=', true)
    .executeTakeFirst()
  if (open === undefined) return
  await transact(database.kysely, async (trx) => {
    const withdrawn = await trx
      .updateTable('sys.refund')
      .set({ state: 'REJECTED', decided_at: now() })
      .where('tenant_id', '=', order.tenant_id)
      .where('id', '=', open.id)
      .where('state', '=', 'REQUESTED')
      .returning('id')
      .executeTakeFirst()
    if (withdrawn === undefined) return
    await trx
      .updateTable('sys.pay_discrepancy')
      .set({ settled: true, settled_at: now(), note: t('zh-CN', 'document.madeAfterAll') })
      .where('tenant_id', '=', order.tenant_id)
      .where('order_no', '=', order.order_no)
      .where('kind', '=', 'paidNotMade')
      .where('settled', '=', false)
      .execute()
    auditPay(services, trx, order.tenant_id, {
      action: 'refund.reject',
      object: 'RPT_ORDER',
      objectId: order.order_no,
      result: 'ok',
      detail: { refund: open.id, reason: 'made' },
    })
  })
}
