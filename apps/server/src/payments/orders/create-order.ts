import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../model/context.ts'
import type { InTransaction } from '../../platform/context.ts'
import type { DocumentContent } from '../../platform/database/tables/document-content.ts'
import { keepSoldContent, sellableContent } from '../../documents/index.ts'
import { brokenConstraint } from '../../platform/database/problems.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'
import { Refusal } from '../../platform/refusal.ts'
import { enqueue } from '../outbox/outbox.ts'
import { runNow } from '../outbox/payment-handler.ts'
import { entitle } from '../settle-payment.ts'
import { payable, reuseLeft, toStatus } from '../states.ts'
import { buildOrderAnswer, type OrderAnswer, timeLeft } from './answer.ts'
import { beginClosing } from './close-order.ts'
import { type CounterIssue, insertOrder } from './insert-order.ts'
import { type Buyer, orderById, type OrderRow, selectOrders } from './order-row.ts'
import { isEntitled, computePrice } from './price.ts'

type Db = Services['database']['kysely']
/** Adds the audit line of an order to the transaction that stores it. */
export type RecordOrder = (trx: InTransaction, orderNo: string) => void

/**
 * The order of a student for a report: the free one, the open one, or a new one with its QR code
 * (docs/rules/security.md#payments). The row, the content that is sold and the outbox entry are committed before
 * the provider is called.
 * @throws Refusal 404; 409 when it is cancelled at the same time; 422 when the document cannot be made; 503 when
 * the provider cannot be reached
 */
export async function createOrder(
  services: Services,
  buyer: Buyer,
  record: RecordOrder = () => undefined,
): Promise<OrderAnswer> {
  const kept = await keptFreeOrder(services.database.kysely, buyer)
  const sold = kept === undefined ? await sellableContent(services, buyer) : null
  const order = await waitForCode(services, await placeOnce(services, { ...buyer, sold }, record))
  const data = { orderNo: order.order_no, code_status: toStatus(order.state) }
  if (order.state === 'FAILED' || order.state === 'CREATING')
    throw new Refusal(503, { key: 'order.payUnavailable' }, { retryAfter: 5, data })
  if (order.state === 'CLOSING' || order.state === 'CLOSED')
    throw new Refusal(409, { key: 'order.closed' }, { data })
  return buildOrderAnswer(services, order)
}

/** The school issues the document itself: recorded as an order, without payment or entitlement of the student. */
export async function staffOrder(
  services: Services,
  buyer: Buyer,
  { by, ...issue }: CounterIssue & { readonly by: string },
  record: RecordOrder,
): Promise<OrderAnswer> {
  const order = await transact(services.database.kysely, async (trx) => {
    const made = await insertOrder(trx, services, buyer, {
      state: 'FREE',
      amountFen: 0,
      payType: 'free',
      source: 'staff',
      by,
      issue,
    })
    record(trx, made.order_no)
    return made
  })
  return buildOrderAnswer(services, order)
}

const patienceMs = 15_000 // docs/rules/security.md#r18: the server's own deadline
const pollMs = 150

/** Waits until the order has its code: this request calls the provider, unless another worker already does. */
async function waitForCode(services: Services, placed: OrderRow): Promise<OrderRow> {
  const until = performance.now() + patienceMs
  let order = placed
  while (order.state === 'CREATING' && performance.now() < until) {
    await runNow(services, order, 'create')
    order = await orderById(services.database.kysely, order)
    if (order.state === 'CREATING') await sleep(pollMs)
  }
  return order
}

/**
 * One of simultaneous requests inserts; the others violate the unique index, and find its row when
 * they retry.
 */
async function placeOnce(
  services: Services,
  buyer: SoldBuyer,
  record: RecordOrder,
): Promise<OrderRow> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await placeOrder(services, buyer, record)
    } catch (error) {
      if (tries === 5 || brokenConstraint(error)?.kind !== 'unique') throw error
    }
  }
}

/** A buyer with the content that is sold; null for a free order made before. */
type SoldBuyer = Buyer & { readonly sold: DocumentContent | null }

function placeOrder(services: Services, buyer: SoldBuyer, record: RecordOrder): Promise<OrderRow> {
  return transact(services.database.kysely, async (trx) => {
    const order = await orderFor(trx, services, buyer)
    record(trx, order.order_no)
    return order
  })
}

/** The order that the request gets: the free one, an open one, or a new one. */
async function orderFor(trx: Db, services: Services, buyer: SoldBuyer): Promise<OrderRow> {
  const { amountFen } = await computePrice(trx, buyer)
  const entitled = amountFen === 0 && (await isEntitled(trx, buyer))
  if (amountFen === 0) return freeOrder(trx, services, buyer, entitled)
  const reusable = await reuse(trx, services, buyer)
  if (reusable !== undefined) return await selling(trx, services, reusable, buyer)
  const order = await insertOrder(trx, services, buyer, {
    state: 'CREATING',
    amountFen,
    payType: 'wechat',
  })
  await selling(trx, services, order, buyer)
  await enqueue(trx, services, order, 'create')
  return order
}

/** Fixes what an order sells. @throws Refusal 503 when the free order was refunded at this moment */
async function selling(
  trx: Db,
  services: Services,
  order: OrderRow,
  { sold }: SoldBuyer,
): Promise<OrderRow> {
  if (sold === null) throw new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 1 })
  await keepSoldContent(trx, services, order, sold)
  return order
}

/** The free order of a student who is entitled. */
async function keptFreeOrder(db: Db, buyer: Buyer): Promise<OrderRow | undefined> {
  return (await isEntitled(db, buyer))
    ? await selectOrders(db, buyer).where('state', '=', 'FREE').executeTakeFirst()
    : undefined
}

/** The one free order of the student and report, inserted when there is none. */
async function freeOrder(
  db: Db,
  services: Services,
  buyer: SoldBuyer,
  entitled: boolean,
): Promise<OrderRow> {
  const existing = await selectOrders(db, buyer).where('state', '=', 'FREE').executeTakeFirst()
  if (existing !== undefined && entitled) return existing
  const order =
    existing ??
    (await selling(
      db,
      services,
      await insertOrder(db, services, buyer, { state: 'FREE', amountFen: 0, payType: 'free' }),
      buyer,
    ))
  if (!entitled) await entitle(db, services, order)
  return order
}

/** An order with enough time left to pay: the open one, or one being closed whose close was not sent yet. */
async function reuse(db: Db, services: Services, buyer: Buyer): Promise<OrderRow | undefined> {
  const open = await selectOrders(db, buyer)
    .where('state', 'in', [...payable, 'CLOSING'])
    .orderBy('id', 'desc')
    .forUpdate()
    .execute()
  const current = open.find(({ state }) => payable.includes(state))
  if (current !== undefined) {
    if (timeLeft(services, current) > reuseLeft) return current
    await beginClosing(db, services, current)
    return undefined
  }
  const closing = open.find(
    (order) =>
      order.close_sent_at === null &&
      order.code_url !== null &&
      timeLeft(services, order) > reuseLeft,
  )
  return closing === undefined ? undefined : reopen(db, services, closing)
}

async function reopen(db: Db, services: Services, order: OrderRow): Promise<OrderRow> {
  // Deleted, not completed: the key of a completed entry would block a later close.
  await db
    .deleteFrom('sys.pay_outbox')
    .where('tenant_id', '=', order.tenant_id)
    .where('order_id', '=', order.id)
    .where('kind', '=', 'close')
    .execute()
  exactlyOne(
    await db
      .updateTable('biz.print_order')
      .set({ state: 'PENDING', update_time: services.now() })
      .where('tenant_id', '=', order.tenant_id)
      .where('id', '=', order.id)
      .executeTakeFirst(),
    order.order_no,
  )
  return { ...order, state: 'PENDING' }
}
