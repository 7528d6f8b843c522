// What is done with the provider: each wish of the outbox, outside any transaction, its result written in one (docs/rules/security.md#payments, workers).
import type { Services } from '../context.ts'
import { revokeDocument, documentOfOrder } from '../documents/index.ts'
import { transact } from '../platform/database/transact.ts'
import { t } from '@jiaowu/api'
import { GatewayFailure, type RefundAnswer, type VerifiedPayment } from './gateway.ts'
import { gatewayOf } from './gateways.ts'
import { again, claimDue, claimOf, done, fulfil, type Wish, wish } from './outbox.ts'
import { auditPay, settle } from './settle.ts'
import { grace } from './states.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
/** After the order was made (docs/rules/security.md#payments). */
const queryAt = [5, 10, 20, 30, 60, 120, 180, 240]
  .map((s) => s * second)
  .concat([5 * minute, 15 * minute, 30 * minute, hour, 6 * hour, 24 * hour])
const retryAfter = [5 * second, 15 * second, minute, 5 * minute, 15 * minute, hour]
const createTries = 3
const createPause = 500
type Order = Awaited<ReturnType<typeof orderOf>>

const runners = {
  create: runCreate,
  query: runQuery,
  close: runClose,
  refund: runRefund,
  revoke: runRevoke,
} as const

/** One try to get the order its code. False when somebody else is at it. */
export function createNow(services: Services, orderId: string): Promise<boolean> {
  return now(services, orderId, 'create')
}

async function now(
  services: Services,
  orderId: string,
  kind: 'create' | 'close',
): Promise<boolean> {
  const mine = await claimOf(services, orderId, kind)
  if (mine !== undefined) await run(services, mine)
  return mine !== undefined
}

async function run(services: Services, mine: Wish): Promise<void> {
  try {
    await runners[mine.kind](services, mine)
  } catch (error) {
    services.log.error(
      { err: error, kind: mine.kind },
      'a wish to the payment provider could not be carried out',
    )
    await again(services.database.kysely, services, mine.id, later(mine.attempts), failureOf(error))
  }
}

function later(attempts: number): number {
  return retryAfter[Math.min(attempts, retryAfter.length) - 1] ?? hour
}

function failureOf(error: unknown): string {
  return (
    error instanceof GatewayFailure
      ? error.message
      : error instanceof Error
        ? error.name
        : 'unknown'
  ).slice(0, 200)
}

/** One try to close the order. */
export function closeNow(services: Services, orderId: string): Promise<boolean> {
  return now(services, orderId, 'close')
}

const atOnce = 8

/** Carries out what is due, several at once, until nothing is. Returns how many wishes were looked at. */
export async function runDue(services: Services, most = 200): Promise<number> {
  let count = 0
  while (count < most) {
    const mine = await claimDue(services, atOnce)
    if (mine.length === 0) break
    await Promise.all(mine.map((each) => run(services, each)))
    count += mine.length
  }
  return count
}

function orderOf({ database: { kysely } }: Services, id: string) {
  return kysely
    .selectFrom('biz.print_order as o')
    .innerJoin('biz.report as r', 'r.id', 'o.report_id')
    .select([
      'o.id',
      'o.tenant_id',
      'o.order_no',
      'o.state',
      'o.amount_fen',
      'o.expires_at',
      'o.create_time',
      'r.report_name',
      'r.report_language',
    ])
    .where('o.id', '=', id)
    .executeTakeFirstOrThrow()
}

function change(
  db: Services['database']['kysely'],
  services: Services,
  id: string,
  from: Order['state'],
  to: Order['state'],
  more: { code_url?: string; failure?: string; closed_at?: Date } = {},
) {
  return db
    .updateTable('biz.print_order')
    .set((e) => ({
      state: to,
      update_time: services.now(),
      version: e('version', '+', 1),
      ...more,
    }))
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst()
}

function created(services: Services, { id }: Wish, order: Order, codeUrl: string) {
  return transact(services.database.kysely, async (trx) => {
    await done(trx, services, id)
    if (
      (await change(trx, services, order.id, 'CREATING', 'PENDING', { code_url: codeUrl })) !==
      undefined
    )
      await wish(trx, services, order, 'query', { afterMs: queryAt[0] ?? 0 })
  })
}

/** The provider could not be had. It may have made the trade all the same, so it is closed there. */
function notCreated(services: Services, { id }: Wish, order: Order, failure: string) {
  return transact(services.database.kysely, async (trx) => {
    await done(trx, services, id, failure)
    if ((await change(trx, services, order.id, 'CREATING', 'FAILED', { failure })) === undefined)
      return
    await wish(trx, services, order, 'close')
    await wish(trx, services, order, 'query', { afterMs: minute })
  })
}

/** The provider says it was paid. A payment that does not fit is people's business, and is not asked after again. */
async function settleFor(services: Services, mine: Wish, payment: VerifiedPayment): Promise<void> {
  const outcome = await settle(services, payment, 'query')
  await done(services.database.kysely, services, mine.id, outcome === 'mismatch' ? outcome : null)
}

async function runCreate(services: Services, mine: Wish): Promise<void> {
  const {
    database: { kysely },
  } = services
  const order = await orderOf(services, mine.order_id)
  if (order.state !== 'CREATING') return done(kysely, services, mine.id)
  const gateway = gatewayOf(services)
  const expiresAt = new Date(new Date(order.expires_at ?? order.create_time).getTime() + grace)
  try {
    const { codeUrl } = await gateway.create({
      orderNo: order.order_no,
      amountFen: order.amount_fen,
      description: t(order.report_language === 'en' ? 'en' : 'zh-CN', 'order.product', {
        report: order.report_name,
      }),
      expiresAt,
    })
    return await created(services, mine, order, codeUrl)
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error
    if (!error.final && mine.attempts < createTries)
      return again(kysely, services, mine.id, createPause, failureOf(error))
    const known = await gateway.query(order.order_no).catch(() => null)
    if (known?.state === 'paid') return await settleFor(services, mine, known.payment)
    await notCreated(services, mine, order, failureOf(error))
  }
}

/** The next moment of the schedule, counted from the order's making; null when it is over. */
function nextQuery({ now }: Services, { create_time }: Order): number | null {
  const age = now().getTime() - new Date(create_time).getTime()
  const next = queryAt.find((at) => at > age + second)
  return next === undefined ? null : next - age
}

async function runQuery(services: Services, mine: Wish): Promise<void> {
  const {
    database: { kysely },
  } = services
  const order = await orderOf(services, mine.order_id)
  if (!['CREATING', 'PENDING', 'CLOSING', 'CLOSED', 'FAILED'].includes(order.state))
    return done(kysely, services, mine.id)
  const known = await gatewayOf(services)
    .query(order.order_no)
    .catch((error: unknown) => failureOf(error))
  if (typeof known !== 'string' && known.state === 'paid') {
    return settleFor(services, mine, known.payment)
  }
  const next = nextQuery(services, order)
  const failure = typeof known === 'string' ? known : null
  return next === null
    ? done(kysely, services, mine.id, failure)
    : again(kysely, services, mine.id, next, failure)
}

function closed(services: Services, { id }: Wish, order: Order) {
  return transact(services.database.kysely, async (trx) => {
    await done(trx, services, id)
    await change(trx, services, order.id, 'CLOSING', 'CLOSED', { closed_at: services.now() })
  })
}

/** What becomes of an order the provider may or may not have closed: paid after all, closed and confirmed, or to be asked again. */
async function confirmClosed(
  services: Services,
  mine: Wish,
  order: Order,
  answer: 'closed' | 'refused',
): Promise<void> {
  const known = await gatewayOf(services).query(order.order_no)
  if (known.state === 'paid') return settleFor(services, mine, known.payment)
  const isOver = answer === 'closed' && known.state !== 'open' && known.state !== 'paying'
  if (isOver || known.state === 'closed') {
    await closed(services, mine, order)
    return
  }
  await again(
    services.database.kysely,
    services,
    mine.id,
    later(mine.attempts),
    `close: ${known.state}`,
  )
}

async function runClose(services: Services, mine: Wish): Promise<void> {
  const {
    database: { kysely },
  } = services
  const order = await orderOf(services, mine.order_id)
  if (order.state !== 'CLOSING' && order.state !== 'FAILED') return done(kysely, services, mine.id)
  // A create under way would open again what is closed before it.
  const creating = await kysely
    .selectFrom('sys.pay_outbox')
    .select('id')
    .where('order_id', '=', order.id)
    .where('kind', '=', 'create')
    .where('done_at', 'is', null)
    .where('leased_until', '>', services.now().toISOString())
    .executeTakeFirst()
  if (creating !== undefined) return again(kysely, services, mine.id, second)
  await fulfil(kysely, services, order.id, ['create'])
  // From here on the order is not taken back: the close is on its way.
  const sent = await kysely
    .updateTable('biz.print_order')
    .set({ close_sent_at: services.now() })
    .where('id', '=', order.id)
    .where('state', 'in', ['CLOSING', 'FAILED'])
    .returning('id')
    .executeTakeFirst()
  if (sent === undefined) return done(kysely, services, mine.id)
  try {
    const answer = await gatewayOf(services).close(order.order_no)
    await confirmClosed(services, mine, order, answer)
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error
    await again(kysely, services, mine.id, later(mine.attempts), failureOf(error))
  }
}

function refundOf({ database: { kysely } }: Services, id: string) {
  return kysely.selectFrom('sys.refund').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function refunded(
  services: Services,
  mine: Wish,
  order: Order,
  refundId: string,
  answer: RefundAnswer,
): Promise<void> {
  const {
    database: { kysely },
    now,
    log,
  } = services
  const outcome = await transact(kysely, async (trx) => {
    if (answer === 'processing') {
      await trx
        .updateTable('sys.refund')
        .set({ state: 'SENT' })
        .where('id', '=', refundId)
        .where('state', '=', 'DUE')
        .execute()
      await change(trx, services, order.id, 'REFUND_DUE', 'REFUNDING')
      await again(trx, services, mine.id, later(mine.attempts))
      return null
    }
    await trx
      .updateTable('sys.refund')
      .set(
        answer === 'done'
          ? { state: 'DONE', done_at: now() }
          : { state: 'FAILED', failure: 'provider', done_at: now() },
      )
      .where('id', '=', refundId)
      .execute()
    await change(trx, services, order.id, 'REFUND_DUE', 'REFUNDING')
    if (answer === 'done') await change(trx, services, order.id, 'REFUNDING', 'REFUNDED')
    await done(trx, services, mine.id, answer === 'failed' ? 'provider' : null)
    return answer
  })
  if (outcome === null) return
  if (outcome === 'failed')
    log.error({ orderNo: order.order_no }, 'a refund failed at the provider: a person has to look')
  await auditPay(services, order.tenant_id, {
    action: 'pay.refund',
    object: 'RPT_ORDER',
    objectId: order.order_no,
    result: outcome === 'done' ? 'ok' : 'failed',
    detail: { refund: refundId },
  })
}

async function runRefund(services: Services, mine: Wish): Promise<void> {
  const {
    database: { kysely },
  } = services
  const [order, refund] = [
    await orderOf(services, mine.order_id),
    await refundOf(services, mine.refund_id ?? '0'),
  ]
  if (refund.state !== 'DUE' && refund.state !== 'SENT') return done(kysely, services, mine.id)
  const gateway = gatewayOf(services)
  const ask = () =>
    gateway.refund({
      orderNo: order.order_no,
      refundNo: refund.refund_no,
      amountFen: refund.amount_fen,
      totalFen: order.amount_fen,
      reason: refund.automatic ? t('zh-CN', 'refund.late') : refund.reason,
    })
  try {
    // A refund whose answer was lost is asked after before it is asked for again; the provider knows its number either way.
    const known =
      refund.state === 'SENT' || mine.attempts > 1
        ? await gateway.queryRefund(refund.refund_no)
        : 'unknown'
    await refunded(services, mine, order, refund.id, known === 'unknown' ? await ask() : known)
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error
    await again(kysely, services, mine.id, later(mine.attempts), failureOf(error))
  }
}

/** The document of a refunded order stands no longer. */
async function runRevoke(services: Services, mine: Wish): Promise<void> {
  const order = await orderOf(services, mine.order_id)
  const refund = await services.database.kysely
    .selectFrom('sys.refund')
    .select('approved_by')
    .where('order_id', '=', order.id)
    .where('approved_by', 'is not', null)
    .executeTakeFirst()
  const document = await documentOfOrder(services, order.tenant_id, order.order_no)
  if (document !== null && document !== undefined && document.revokedAt === null)
    await revokeDocument(services, {
      tenant: order.tenant_id,
      number: document.number,
      reason: t('zh-CN', 'order.refunded'),
      by: refund?.approved_by ?? '0',
    })
  await done(services.database.kysely, services, mine.id)
}
