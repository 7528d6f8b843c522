import { randomBytes } from 'node:crypto'
import type { Services } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { reachableUrl } from '../address.ts'
import {
  type BillLine,
  GatewayFailure,
  type GatewayOrder,
  type GatewayRefund,
  type GatewayState,
  type PayGateway,
} from '../gateway.ts'

export const cashierPath = '/pay/sandbox/'

/**
 * A provider made of two tables, for development: its QR code leads to a page with buttons to pay
 * or to fail. Production refuses it.
 */
export function sandboxGateway(services: Services): PayGateway {
  return {
    name: 'sandbox',
    create: (order) => createTrade(services, order),
    query: (orderNo) => queryTrade(services, orderNo),
    close: (orderNo) => close(services, orderNo),
    refund: (asked) => refund(services, asked),
    queryRefund: async (refundNo) =>
      (await services.database.kysely
        .selectFrom('sys.sandbox_refund')
        .select('refund_no')
        .where('refund_no', '=', refundNo)
        .executeTakeFirst()) === undefined
        ? 'unknown'
        : 'done',
    bill: (day) => bill(services, day),
  }
}

async function createTrade(
  services: Services,
  { orderNo, amountFen, description, expiresAt }: GatewayOrder,
): Promise<{ codeUrl: string }> {
  const {
    database: { kysely },
    now,
    settings,
  } = services
  await kysely
    .insertInto('sys.sandbox_trade')
    .values({
      order_no: orderNo,
      token: randomBytes(16).toString('base64url'),
      amount_fen: amountFen,
      description,
      state: 'NOTPAY',
      transaction_id: null,
      expires_at: expiresAt,
      create_time: now(),
    })
    .onConflict((c) => c.column('order_no').doNothing())
    .execute()
  const made = await trade(services, orderNo)
  if (made === undefined || made.amount_fen !== amountFen)
    throw new GatewayFailure('sandbox: the number is taken', { final: true })
  return { codeUrl: `${reachableUrl(settings)}${cashierPath}${made.token}` }
}

function trade({ database: { kysely } }: Services, orderNo: string) {
  return kysely
    .selectFrom('sys.sandbox_trade')
    .selectAll()
    .where('order_no', '=', orderNo)
    .executeTakeFirst()
}

async function queryTrade(services: Services, orderNo: string): Promise<GatewayState> {
  const found = await trade(services, orderNo)
  if (found === undefined) return { state: 'unknown' }
  const { state, transaction_id, amount_fen, paid_at } = found
  if (state === 'SUCCESS')
    return {
      state: 'paid',
      payment: {
        orderNo,
        transactionId: transaction_id ?? '',
        amountFen: amount_fen,
        paidAt: new Date(paid_at ?? 0),
      },
    }
  return { state: state === 'CLOSED' ? 'closed' : state === 'REFUND' ? 'refunded' : 'open' }
}

async function close({ database: { kysely } }: Services, orderNo: string): Promise<'closed'> {
  await kysely
    .updateTable('sys.sandbox_trade')
    .set({ state: 'CLOSED' })
    .where('order_no', '=', orderNo)
    .where('state', 'in', ['NOTPAY', 'PAYERROR'])
    .execute()
  return 'closed'
}

function refund(
  { database: { kysely }, now }: Services,
  { orderNo, refundNo, amountFen }: GatewayRefund,
): Promise<'done' | 'failed'> {
  return transact(kysely, async (trx) => {
    const paid = await trx
      .selectFrom('sys.sandbox_trade')
      .select(['amount_fen', 'state'])
      .where('order_no', '=', orderNo)
      .forUpdate()
      .executeTakeFirst()
    const known = await trx
      .selectFrom('sys.sandbox_refund')
      .selectAll()
      .where('order_no', '=', orderNo)
      .execute()
    if (known.some((each) => each.refund_no === refundNo)) return 'done'
    const before = known.reduce((sum, each) => sum + each.amount_fen, 0)
    if (
      paid === undefined ||
      (paid.state !== 'SUCCESS' && paid.state !== 'REFUND') ||
      before + amountFen > paid.amount_fen
    )
      return 'failed'
    await trx
      .insertInto('sys.sandbox_refund')
      .values({ refund_no: refundNo, order_no: orderNo, amount_fen: amountFen, create_time: now() })
      .execute()
    await trx
      .updateTable('sys.sandbox_trade')
      .set({ state: 'REFUND' })
      .where('order_no', '=', orderNo)
      .execute()
    return 'done'
  })
}

async function bill({ database: { kysely } }: Services, day: string): Promise<BillLine[]> {
  const [from, to] = [
    new Date(`${day}T00:00:00+08:00`),
    new Date(new Date(`${day}T00:00:00+08:00`).getTime() + 86_400_000),
  ]
  const paid = await kysely
    .selectFrom('sys.sandbox_trade')
    .selectAll()
    .where('paid_at', '>=', from.toISOString())
    .where('paid_at', '<', to.toISOString())
    .execute()
  const back = await kysely
    .selectFrom('sys.sandbox_refund')
    .selectAll()
    .where('create_time', '>=', from.toISOString())
    .where('create_time', '<', to.toISOString())
    .execute()
  return [
    ...paid.map((each): BillLine => ({
      orderNo: each.order_no,
      kind: 'payment',
      amountFen: each.amount_fen,
      transactionId: each.transaction_id ?? '',
    })),
    ...back
      .filter((each) => dayInChina(each.create_time) === day)
      .map((each): BillLine => ({
        orderNo: each.order_no,
        kind: 'refund',
        amountFen: each.amount_fen,
        transactionId: each.refund_no,
      })),
  ]
}

function dayInChina(moment: string) {
  return new Date(new Date(moment).getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
}

export function tradeByToken({ database: { kysely } }: Services, token: string) {
  return kysely
    .selectFrom('sys.sandbox_trade')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirst()
}

/**
 * A button of the payment page. Paying twice pays once; a closed or expired order cannot be paid.
 */
export async function recordPress(
  { database: { kysely }, now }: Services,
  token: string,
  button: 'pay' | 'fail',
): Promise<void> {
  const at = now()
  await kysely
    .updateTable('sys.sandbox_trade')
    .set(
      button === 'pay'
        ? { state: 'SUCCESS', paid_at: at, transaction_id: `SB${randomBytes(10).toString('hex')}` }
        : { state: 'PAYERROR' },
    )
    .where('token', '=', token)
    .where('state', 'in', ['NOTPAY', 'PAYERROR'])
    .where('expires_at', '>', at.toISOString())
    .execute()
}
