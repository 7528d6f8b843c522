import type { Discrepancy } from '@jiaowu/api/contract/student/print'
import type { Services } from '../model/context.ts'
import { inEachSchool } from '../platform/database/schools.ts'
import { transact } from '../platform/database/transact.ts'
import type { BillLine } from './gateway.ts'
import { findGateway } from './gateways.ts'
import { schoolOfOrder, schoolOfRefund } from './orders/order-number.ts'
import { auditPay, settlePayment } from './settle-payment.ts'

interface Difference {
  readonly tenant: string
  readonly orderNo: string
  readonly kind: Discrepancy['kind']
  readonly ourFen: number | null
  readonly theirFen: number | null
}

/**
 * Compares a day's bill with our records. Books payments that we missed, and records the other
 * differences for the staff.
 * @throws GatewayFailure
 */
export async function reconcileDay(
  services: Services,
  day: string,
): Promise<{ compared: number; found: number }> {
  const {
    database: { kysely },
    newId,
    now,
    log,
  } = services
  const gateway = findGateway(services)
  const lines = await gateway.bill(day)
  const found: Difference[] = []
  for (const line of lines)
    found.push(
      ...(line.kind === 'payment'
        ? await comparePayment(services, line, gateway.name)
        : await compareRefund(services, line)),
    )
  await inEachSchool(services, 'comparing the bill', async (tenant) => {
    found.push(...(await missingInBill(services, tenant, day, lines, gateway.name)))
  })
  await transact(kysely, async (trx) => {
    for (const { tenant, orderNo, kind, ourFen, theirFen } of found) {
      await trx
        .insertInto('sys.pay_discrepancy')
        .values({
          id: newId(),
          tenant_id: tenant,
          day,
          order_no: orderNo,
          kind,
          our_fen: ourFen,
          their_fen: theirFen,
          create_time: now(),
        })
        .onConflict((c) => c.columns(['tenant_id', 'day', 'order_no', 'kind']).doNothing())
        .execute()
    }
    auditPay(services, trx, '0', {
      action: 'pay.reconcile',
      object: 'RPT_ORDER',
      objectId: day,
      result: found.length === 0 ? 'ok' : 'failed',
      detail: { compared: lines.length, found: found.length },
    })
  })
  if (found.length > 0)
    log.error({ day, found: found.length }, "the provider's bill and our records differ")
  return { compared: lines.length, found: found.length }
}

/**
 * Books a payment of the bill that we do not have: the bill is as reliable as a notification
 * (docs/rules/security.md#payments).
 */
async function comparePayment(
  services: Services,
  line: BillLine,
  gatewayName: string,
): Promise<Difference[]> {
  const {
    database: { kysely },
  } = services
  const tenant = await schoolOfOrder(services, line.orderNo)
  const order = await kysely
    .selectFrom('biz.print_order as o')
    .leftJoin('sys.payment as p', (join) =>
      join.onRef('p.tenant_id', '=', 'o.tenant_id').onRef('p.order_id', '=', 'o.id'),
    )
    .select(['o.tenant_id', 'o.amount_fen', 'p.amount_fen as paid_fen', 'p.transaction_id'])
    .where('o.tenant_id', '=', tenant ?? '0')
    .where('o.order_no', '=', line.orderNo)
    .where('o.gateway', '=', gatewayName)
    .executeTakeFirst()
  if (order === undefined)
    return [
      {
        tenant: '0',
        orderNo: line.orderNo,
        kind: 'paidUnknown',
        ourFen: null,
        theirFen: line.amountFen,
      },
    ]
  const base = {
    tenant: order.tenant_id,
    orderNo: line.orderNo,
    ourFen: order.paid_fen,
    theirFen: line.amountFen,
  }
  if (order.paid_fen !== null)
    return order.paid_fen === line.amountFen && order.transaction_id === line.transactionId
      ? []
      : [{ ...base, kind: 'amount' }]
  const outcome = await settlePayment(
    services,
    {
      orderNo: line.orderNo,
      transactionId: line.transactionId,
      amountFen: line.amountFen,
      paidAt: services.now(),
    },
    'bill',
  )
  return outcome === 'paid' || outcome === 'refund' || outcome === 'repeat'
    ? []
    : [{ ...base, ourFen: order.amount_fen, kind: 'paidNotHere' }]
}

async function compareRefund(services: Services, line: BillLine): Promise<Difference[]> {
  const tenant = await schoolOfRefund(services, line.transactionId)
  const refund = await services.database.kysely
    .selectFrom('sys.refund')
    .select(['tenant_id', 'amount_fen', 'state'])
    .where('tenant_id', '=', tenant ?? '0')
    .where('refund_no', '=', line.transactionId)
    .executeTakeFirst()
  if (refund?.amount_fen === line.amountFen && (refund.state === 'DONE' || refund.state === 'SENT'))
    return []
  return [
    {
      tenant: refund?.tenant_id ?? '0',
      orderNo: line.orderNo,
      kind: 'refundNotHere',
      ourFen: refund?.amount_fen ?? null,
      theirFen: line.amountFen,
    },
  ]
}

/** Payments and refunds of a school that we have and the bill lacks. */
async function missingInBill(
  { database: { kysely } }: Services,
  tenant: string,
  day: string,
  lines: readonly BillLine[],
  gatewayName: string,
): Promise<Difference[]> {
  const [from, to] = dayBounds(day)
  const theirs = new Set(lines.map((line) => line.transactionId))
  const paid = await kysely
    .selectFrom('sys.payment as p')
    .innerJoin('biz.print_order as o', (join) =>
      join.onRef('o.tenant_id', '=', 'p.tenant_id').onRef('o.id', '=', 'p.order_id'),
    )
    .select(['p.tenant_id', 'o.order_no', 'p.amount_fen', 'p.transaction_id'])
    .where('p.tenant_id', '=', tenant)
    .where('p.paid_at', '>=', from)
    .where('p.paid_at', '<', to)
    .where('o.gateway', '=', gatewayName)
    .execute()
  const back = await kysely
    .selectFrom('sys.refund as f')
    .innerJoin('biz.print_order as o', (join) =>
      join.onRef('o.tenant_id', '=', 'f.tenant_id').onRef('o.id', '=', 'f.order_id'),
    )
    .select(['f.tenant_id', 'o.order_no', 'f.amount_fen', 'f.refund_no'])
    .where('f.tenant_id', '=', tenant)
    .where('f.state', '=', 'DONE')
    .where('f.done_at', '>=', from)
    .where('f.done_at', '<', to)
    .where('o.gateway', '=', gatewayName)
    .execute()
  return [
    ...paid
      .filter((each) => !theirs.has(each.transaction_id))
      .map((each): Difference => ({
        tenant: each.tenant_id,
        orderNo: each.order_no,
        kind: 'notPaidThere',
        ourFen: each.amount_fen,
        theirFen: null,
      })),
    ...back
      .filter((each) => !theirs.has(each.refund_no))
      .map((each): Difference => ({
        tenant: each.tenant_id,
        orderNo: each.order_no,
        kind: 'refundNotThere',
        ourFen: each.amount_fen,
        theirFen: null,
      })),
  ]
}

function dayBounds(day: string) {
  const from = new Date(`${day}T00:00:00+08:00`)
  return [from.toISOString(), new Date(from.getTime() + 86_400_000).toISOString()] as const
}
