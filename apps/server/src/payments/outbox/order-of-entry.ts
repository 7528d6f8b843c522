import type { Services } from '../../model/context.ts'
import type { OrderState } from '../../platform/database/tables/tables-student.ts'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import type { OrderKey } from '../orders/order-row.ts'
import { settlePayment } from '../settle-payment.ts'
import type { VerifiedPayment } from '../gateway.ts'
import { completeEntry, type OutboxEntry } from './outbox.ts'

/** A run of one call to the provider. */
export type EntryRun = JobRun<OutboxEntry>
/** The order of a call, with the name of its report. */
export type EntryOrder = Awaited<ReturnType<typeof selectEntryOrder>>

export function selectEntryOrder(
  { database: { kysely } }: Services,
  { tenant_id, order_id }: Pick<OutboxEntry, 'tenant_id' | 'order_id'>,
) {
  return kysely
    .selectFrom('biz.print_order as o')
    .innerJoin('biz.report as r', (join) =>
      join.onRef('r.tenant_id', '=', 'o.tenant_id').onRef('r.id', '=', 'o.report_id'),
    )
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
    .where('o.tenant_id', '=', tenant_id)
    .where('o.id', '=', order_id)
    .executeTakeFirstOrThrow()
}

interface Transition {
  readonly from: OrderState
  readonly to: OrderState
  readonly more?: { code_url?: string; failure?: string; closed_at?: Date }
}

/** Moves an order on. Returns false, and changes nothing, when it is no longer in `from`. */
export async function changeState(
  db: Services['database']['kysely'],
  { now }: Pick<Services, 'now'>,
  { tenant_id, id }: OrderKey,
  { from, to, more = {} }: Transition,
): Promise<boolean> {
  const changed = await db
    .updateTable('biz.print_order')
    .set((e) => ({ state: to, update_time: now(), version: e('version', '+', 1), ...more }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/**
 * Books a payment that the provider reports. A mismatch is left to the staff and ends the call too, so that the
 * provider is not queried again.
 */
export async function settleReported(
  services: Services,
  { lease }: EntryRun,
  payment: VerifiedPayment,
): Promise<void> {
  const outcome = await settlePayment(services, payment, 'query')
  if (outcome === 'paid' || outcome === 'refund') return // settling has completed the order's calls
  const failure = outcome === 'mismatch' ? outcome : null
  await completeEntry(services.database.kysely, services, lease, failure)
}
