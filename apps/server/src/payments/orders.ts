import type { CodeStatus } from '@jiaowu/api'
import type { Services } from '../context.ts'
import { assertMayBeIssued } from '../documents/content/eligible.ts'
import { gatherContent } from '../documents/content/gather.ts'
import { notFound, Refusal } from '../platform/refusal.ts'
import { brokenConstraint } from '../platform/database/problems.ts'
import type { OrderState } from '../platform/database/tables-student.ts'
import { transact } from '../platform/database/transact.ts'
import { gatewayOf } from './gateways.ts'
import { fulfil, type OutboxOrder, wish } from './outbox.ts'
import { auditPay, entitle, settle } from './settle.ts'
import { grace, payable, payWindow, reuseLeft, statusOf, yuanOf } from './states.ts'
import { closeNow, createNow } from './work.ts'

type Db = Services['database']['kysely']
/** Whose order of which report; ids come from the session and from a checked row. */
export interface Buyer {
  readonly tenant: string
  readonly studentId: string
  readonly reportId: string
}
export interface OrderAnswer {
  readonly orderNo: string
  readonly code_status: CodeStatus
  readonly code_url: string | null
  readonly amount: number
  readonly expires_in: number
}

const columns = [
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
interface OrderRow {
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

/** Fen for the next download of the report: its price the first time, nothing after (docs/spec/2-student-service-and-designer.md §9, docs/rules/security.md#n12). @throws Refusal 404 */
export async function priceOf(db: Db, buyer: Buyer): Promise<{ name: string; amountFen: number }> {
  const report = await db
    .selectFrom('biz.report')
    .select(['report_name', 'price_fen'])
    .where('tenant_id', '=', buyer.tenant)
    .where('id', '=', buyer.reportId)
    .where('enabled', '=', '1')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (report === undefined) throw notFound()
  return {
    name: report.report_name,
    amountFen: (await isEntitled(db, buyer)) ? 0 : report.price_fen,
  }
}

async function isEntitled(db: Db, { tenant, studentId, reportId }: Buyer): Promise<boolean> {
  return (
    (await db
      .selectFrom('sys.entitlement')
      .select('id')
      .where('tenant_id', '=', tenant)
      .where('student_id', '=', studentId)
      .where('report_id', '=', reportId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()) !== undefined
  )
}

const newOrderNo = ({ newId }: Services) => `JW${newId()}`

export function orderById(db: Db, id: string) {
  return db
    .selectFrom('biz.print_order')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

const patienceMs = 15_000 // docs/rules/security.md#r18: the server's own deadline
const look = 150

/**
 * The order of a student for a report: free, the open one, or a new one with its code (docs/rules/security.md#payments). The row and the wish stand before
 * the provider is asked. @throws Refusal 404; 503 when the provider cannot be had
 */
export async function createOrder(services: Services, buyer: Buyer): Promise<OrderAnswer> {
  const order = await withCode(services, await placeOnce(services, buyer))
  if (order.state === 'FAILED' || order.state === 'CREATING')
    throw new Refusal(
      503,
      { key: 'order.payUnavailable' },
      { retryAfter: 5, data: { orderNo: order.order_no, code_status: statusOf(order.state) } },
    )
  if (order.state === 'CLOSING' || order.state === 'CLOSED')
    throw new Refusal(
      409,
      { key: 'order.closed' },
      { data: { orderNo: order.order_no, code_status: statusOf(order.state) } },
    ) // cancelled at the same moment
  return answerOf(services, order)
}

/** Waits until the order has its code, by making it or by watching who does. */
async function withCode(services: Services, placed: OrderRow): Promise<OrderRow> {
  const until = performance.now() + patienceMs
  let order = placed
  while (order.state === 'CREATING' && performance.now() < until) {
    await createNow(services, order.id)
    order = await orderById(services.database.kysely, order.id)
    if (order.state === 'CREATING') await nap(look)
  }
  return order
}

function nap(ms: number) {
  return new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Of ten at once one inserts; the others run into the index and find its row. */
async function placeOnce(services: Services, buyer: Buyer): Promise<OrderRow> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await place(services, buyer)
    } catch (error) {
      if (tries === 5 || brokenConstraint(error)?.kind !== 'unique') throw error
    }
  }
}

function place(services: Services, buyer: Buyer): Promise<OrderRow> {
  return transact(services.database.kysely, async (trx) => {
    const { amountFen } = await priceOf(trx, buyer)
    const entitled = amountFen === 0 && (await isEntitled(trx, buyer))
    if (amountFen === 0) return freeOrder(trx, services, buyer, entitled)
    const before = await reuse(trx, services, buyer)
    if (before !== undefined) return before
    await assertIssuable(trx, buyer)
    const order = await insertOrder(trx, services, buyer, {
      state: 'CREATING',
      amountFen,
      payType: 'wechat',
    })
    await wish(trx, services, order, 'create')
    return order
  })
}

/** Free of charge: the one free order of the student and report, made when there is none. */
async function freeOrder(
  db: Db,
  services: Services,
  buyer: Buyer,
  entitled: boolean,
): Promise<OrderRow> {
  const before = await ordersOf(db, buyer).where('state', '=', 'FREE').executeTakeFirst()
  if (before !== undefined && entitled) return before
  const order =
    before ??
    (await insertOrder(db, services, buyer, { state: 'FREE', amountFen: 0, payType: 'free' }))
  if (!entitled) await entitle(db, services, order)
  return order
}

function ordersOf(db: Db, { tenant, studentId, reportId }: Buyer) {
  return db
    .selectFrom('biz.print_order')
    .select(columns)
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', studentId)
    .where('report_id', '=', reportId)
    .where('source', '=', 'student')
    .where('deleted_at', 'is', null)
}

function insertOrder(
  db: Db,
  services: Services,
  { tenant, studentId, reportId }: Buyer,
  more: {
    state: 'FREE' | 'CREATING'
    amountFen: number
    payType: string
    source?: 'student' | 'staff'
    by?: string | null
  },
) {
  return db
    .insertInto('biz.print_order')
    .values({
      id: services.newId(),
      tenant_id: tenant,
      order_no: newOrderNo(services),
      student_id: studentId,
      report_id: reportId,
      amount_fen: more.amountFen,
      pay_type: more.payType,
      state: more.state,
      source: more.source ?? 'student',
      gateway: more.state === 'FREE' ? null : gatewayOf(services).name,
      code_url: null,
      failure: null,
      create_user: more.by ?? null,
      create_time: services.now(),
      update_time: services.now(),
      expires_at: more.state === 'FREE' ? null : new Date(services.now().getTime() + payWindow),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** An order that can still be paid in peace: the open one, or the one being closed whose close was not sent yet. */
async function reuse(db: Db, services: Services, buyer: Buyer): Promise<OrderRow | undefined> {
  const open = await ordersOf(db, buyer)
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
  if (closing === undefined) return undefined
  // The wish to close is taken back whole, so that it can be had again.
  await db
    .deleteFrom('sys.pay_outbox')
    .where('order_id', '=', closing.id)
    .where('kind', '=', 'close')
    .execute()
  await db
    .updateTable('biz.print_order')
    .set({ state: 'PENDING', update_time: services.now() })
    .where('id', '=', closing.id)
    .execute()
  return { ...closing, state: 'PENDING' }
}

function timeLeft({ now }: Services, { expires_at }: OrderRow) {
  return expires_at === null ? 0 : new Date(expires_at).getTime() - now().getTime()
}

/** From here the order is no longer for paying; what is asked of the provider stands in the same transaction. False when it was not open. */
async function beginClosing(db: Db, services: Services, order: OutboxOrder): Promise<boolean> {
  const changed = await db
    .updateTable('biz.print_order')
    .set((e) => ({ state: 'CLOSING', update_time: services.now(), version: e('version', '+', 1) }))
    .where('id', '=', order.id)
    .where('state', 'in', payable)
    .returning('id')
    .executeTakeFirst()
  if (changed === undefined) return false
  await wish(db, services, order, 'close')
  await wish(db, services, order, 'query', { afterMs: reuseLeft })
  return true
}

/** Nobody pays for what the school would then refuse to certify. @throws Refusal 422 */
async function assertIssuable(db: Db, buyer: Buyer): Promise<void> {
  assertMayBeIssued(await gatherContent(db, buyer))
}

function answerOf(
  { now }: Services,
  { order_no, state, code_url, amount_fen, expires_at }: OrderRow,
): OrderAnswer {
  return {
    orderNo: order_no,
    code_status: statusOf(state),
    code_url: state === 'PENDING' ? code_url : null,
    amount: yuanOf(amount_fen),
    expires_in:
      state === 'PENDING' && expires_at !== null
        ? Math.max(0, Math.floor((new Date(expires_at).getTime() - now().getTime()) / 1000))
        : 0,
  }
}

/** The school issues the document itself: a record, no money, no right of the student. */
export async function staffOrder(
  services: Services,
  buyer: Buyer,
  by: string,
): Promise<OrderAnswer> {
  return answerOf(
    services,
    await insertOrder(services.database.kysely, services, buyer, {
      state: 'FREE',
      amountFen: 0,
      payType: 'free',
      source: 'staff',
      by,
    }),
  )
}

/** A student's own order; others' do not exist (docs/rules/security.md#n11). @throws Refusal 404 */
export async function ownOrder(
  { database: { kysely } }: Services,
  tenant: string,
  studentId: string,
  orderNo: string,
): Promise<OrderRow> {
  const order = await kysely
    .selectFrom('biz.print_order')
    .select(columns)
    .where('order_no', '=', orderNo)
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', studentId)
    .where('source', '=', 'student')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (order === undefined) throw notFound()
  return order
}

/** Any order of a school, for its staff. @throws Refusal 404 */
export async function anyOrder(
  { database: { kysely } }: Services,
  tenant: string,
  orderNo: string,
): Promise<OrderRow> {
  const order = await kysely
    .selectFrom('biz.print_order')
    .select(columns)
    .where('order_no', '=', orderNo)
    .where('tenant_id', '=', tenant)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (order === undefined) throw notFound()
  return order
}

const queryPatienceMs = 1_500 // docs/rules/security.md#payments

/**
 * Asks for an order to be closed. '2' when the provider has confirmed it, '0' while it has not.
 * @throws Refusal 409 whose data says '1' when the order is paid after all (docs/rules/security.md#h7)
 */
export async function cancelOrder(
  services: Services,
  order: OrderRow,
): Promise<{ code_status: CodeStatus }> {
  const {
    database: { kysely },
  } = services
  if (payable.includes(order.state)) {
    await settleIfPaid(services, order.order_no)
    const closing = await transact(kysely, (trx) => beginClosing(trx, services, order))
    if (closing)
      await auditPay(services, order.tenant_id, {
        action: 'order.cancel',
        object: 'RPT_ORDER',
        objectId: order.order_no,
        result: 'ok',
      })
  }
  if ((await orderById(kysely, order.id)).state === 'CLOSING') await closeNow(services, order.id)
  const { state } = await orderById(kysely, order.id)
  if (statusOf(state) === '1') throw paidAfterAll(state)
  return { code_status: statusOf(state) }
}

/** Whether the provider knows of a payment just before we close; a provider that does not answer is asked again by the worker. */
async function settleIfPaid(services: Services, orderNo: string): Promise<void> {
  const known = await gatewayOf(services)
    .query(orderNo, queryPatienceMs)
    .catch(() => null)
  if (known?.state === 'paid') await settle(services, known.payment, 'query')
}

function paidAfterAll(state: OrderState) {
  return new Refusal(409, { key: 'order.paid' }, { data: { code_status: statusOf(state) } })
}

/** Orders whose time is over begin to close: 180 s and the grace (docs/rules/security.md#payments). */
export async function expireOrders(services: Services): Promise<number> {
  const {
    database: { kysely },
    now,
  } = services
  const due = await kysely
    .selectFrom('biz.print_order')
    .select(['id', 'tenant_id', 'order_no'])
    .where('state', 'in', payable)
    .where('expires_at', '<', new Date(now().getTime() - grace).toISOString())
    .orderBy('expires_at')
    .limit(100)
    .execute()
  for (const order of due) {
    await transact(kysely, async (trx) => {
      if (await beginClosing(trx, services, order))
        await fulfil(trx, services, order.id, ['create'])
    })
  }
  return due.length
}
