import { locales } from '@jiaowu/api/locale'
import { schoolTime } from '@jiaowu/api/formats'
import { t } from '@jiaowu/api/texts/index'
import type { Services } from '../../model/context.ts'
import { sendMessage } from '../../platform/messages.ts'
import { failureInWords } from '../../platform/provider-words.ts'
import { inBothLanguages, refundDeciders } from '../refund-deciders.ts'
import { transact } from '../../platform/database/transact.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { GatewayFailure, type RefundAnswer } from '../gateway.ts'
import { findGateway } from '../gateways.ts'
import { automaticReason } from '../refund-reason.ts'
import { auditPay } from '../settle-payment.ts'
import { backoffMs, failureText, hour, second } from './backoff.ts'
import { changeState, type EntryOrder, type EntryRun, selectEntryOrder } from './order-of-entry.ts'
import { completeEntry, retryEntry } from './outbox.ts'

type Db = Services['database']['kysely']
type Refund = Awaited<ReturnType<typeof selectRefund>>

/** Requests a refund from the provider, and asks again until it is done or has failed. */
export async function refundAtProvider(services: Services, run: EntryRun): Promise<void> {
  const { lease, job } = run
  const { kysely } = services.database
  const order = await selectEntryOrder(services, job)
  const refund = await selectRefund(services, job.tenant_id, job.refund_id ?? '0')
  if (refund.state !== 'DUE' && refund.state !== 'SENT')
    return completeEntry(kysely, services, lease)
  try {
    await recordAnswer(
      services,
      run,
      order,
      refund,
      await queryOrRequestRefund(services, run, order, refund),
    )
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error
    await recordRefusal(services, run, order, refund, failureText(error))
  }
}

function selectRefund({ database: { kysely } }: Services, tenant: string, id: string) {
  return kysely
    .selectFrom('sys.refund')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Queries a refund that may have been requested before, and requests it when the provider does not know it. */
async function queryOrRequestRefund(
  services: Services,
  { job }: EntryRun,
  order: EntryOrder,
  refund: Refund,
): Promise<RefundAnswer> {
  const gateway = findGateway(services)
  const known =
    refund.state === 'SENT' || job.attempts > 1
      ? await gateway.queryRefund(refund.refund_no)
      : 'unknown'
  if (known !== 'unknown') return known
  return gateway.refund({
    orderNo: order.order_no,
    refundNo: refund.refund_no,
    amountFen: refund.amount_fen,
    totalFen: order.amount_fen,
    reason: refund.automatic ? automaticReason('zh-CN', refund.reason) : refund.reason,
  })
}

/** Milliseconds after which the staff are told of a refund that the provider keeps refusing. */
const patienceMs = hour

/** Tries again later, shows the reason in the order's details, and writes to the staff after an hour. */
function recordRefusal(
  services: Services,
  { lease, job }: EntryRun,
  order: EntryOrder,
  refund: Refund,
  failure: string,
): Promise<void> {
  const now = services.now().getTime()
  const reportAt = Date.parse(refund.decided_at ?? refund.create_time) + patienceMs
  const wait = backoffMs(job.attempts)
  // One of the tries falls on the hour, so that the message is not late by the wait of an hour.
  const afterMs = now < reportAt ? Math.min(wait, Math.max(reportAt - now, second)) : wait
  const next = schoolTime(new Date(now + afterMs).toISOString())
  return transact(services.database.kysely, async (trx) => {
    await retryEntry(trx, services, lease, afterMs, failure)
    const notes = locales.map((locale) =>
      t(locale, 'refund.orderNote', { failure, tries: job.attempts, next }),
    )
    await noteFailure(trx, order, notes.join(' / '))
    if (now < reportAt || refund.reported_at !== null) return
    services.log.error(
      { refund: refund.refund_no, failure, tries: job.attempts },
      'a refund is stuck: the provider has refused it for an hour',
    )
    await trx
      .updateTable('sys.refund')
      .set({ reported_at: services.now() })
      .where('tenant_id', '=', order.tenant_id)
      .where('id', '=', refund.id)
      .execute()
    await sendMessage(trx, services, {
      tenant: order.tenant_id,
      receivers: await refundDeciders(trx, order.tenant_id),
      ...inBothLanguages('refund.stuckTitle', 'refund.stuckContent', (locale) => ({
        orderNo: order.order_no,
        refundNo: refund.refund_no,
        tries: job.attempts,
        failure: failureInWords(locale, failure),
      })),
    })
  })
}

/** Shows in the order's details why its refund waits; null when it waits no more. */
async function noteFailure(db: Db, order: EntryOrder, failure: string | null): Promise<void> {
  await db
    .updateTable('biz.print_order')
    .set({ failure })
    .where('tenant_id', '=', order.tenant_id)
    .where('id', '=', order.id)
    .execute()
}

async function recordAnswer(
  services: Services,
  run: EntryRun,
  order: EntryOrder,
  refund: Refund,
  answer: RefundAnswer,
): Promise<void> {
  if (answer === 'processing') return recordSent(services, run, order, refund.id)
  await recordOutcome(services, run, order, refund, answer)
  if (answer === 'failed')
    services.log.error(
      { orderNo: order.order_no },
      'the provider failed a refund: the staff has to act',
    )
}

function recordSent(
  services: Services,
  { lease, job }: EntryRun,
  order: EntryOrder,
  refundId: string,
): Promise<void> {
  return transact(services.database.kysely, async (trx) => {
    await trx
      .updateTable('sys.refund')
      .set({ state: 'SENT' })
      .where('tenant_id', '=', order.tenant_id)
      .where('id', '=', refundId)
      .where('state', '=', 'DUE')
      .execute()
    await changeState(trx, services, order, { from: 'REFUND_DUE', to: 'REFUNDING' })
    await retryEntry(trx, services, lease, backoffMs(job.attempts))
  })
}

function recordOutcome(
  services: Services,
  { lease }: EntryRun,
  order: EntryOrder,
  refund: Refund,
  outcome: 'done' | 'failed',
): Promise<void> {
  return transact(services.database.kysely, async (trx) => {
    exactlyOne(
      await trx
        .updateTable('sys.refund')
        .set(
          outcome === 'done'
            ? { state: 'DONE', done_at: services.now() }
            : { state: 'FAILED', failure: 'provider', done_at: services.now() },
        )
        .where('tenant_id', '=', order.tenant_id)
        .where('id', '=', refund.id)
        .executeTakeFirst(),
      order.order_no,
    )
    await changeState(trx, services, order, { from: 'REFUND_DUE', to: 'REFUNDING' })
    if (outcome === 'done')
      await changeState(trx, services, order, { from: 'REFUNDING', to: 'REFUNDED' })
    await completeEntry(trx, services, lease, outcome === 'failed' ? 'provider' : null)
    auditPay(services, trx, order.tenant_id, {
      action: 'pay.refund',
      object: 'RPT_ORDER',
      objectId: order.order_no,
      result: outcome === 'done' ? 'ok' : 'failed',
      detail: { refund: refund.id },
    })
    await noteFailure(trx, order, outcome === 'done' ? null : 'provider')
    if (outcome === 'done') return
    await sendMessage(trx, services, {
      tenant: order.tenant_id,
      receivers: await refundDeciders(trx, order.tenant_id),
      ...inBothLanguages('refund.failedTitle', 'refund.failedContent', () => ({
        orderNo: order.order_no,
        refundNo: refund.refund_no,
      })),
    })
  })
}
