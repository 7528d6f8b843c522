import type { Services } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import type { OrderKey } from '../orders/order-row.ts'
import { GatewayFailure } from '../gateway.ts'
import { findGateway } from '../gateways.ts'
import { backoffMs, failureText, second } from './backoff.ts'
import {
  changeState,
  type EntryOrder,
  type EntryRun,
  selectEntryOrder,
  settleReported,
} from './order-of-entry.ts'
import { completeAll, completeEntry, renewEntry, retryEntry } from './outbox.ts'

/** Closes the order at the provider, then makes sure that it was not paid in the meantime. */
export async function closeAtProvider(services: Services, run: EntryRun): Promise<void> {
  const { lease, job } = run
  const { kysely } = services.database
  const order = await selectEntryOrder(services, job)
  if (order.state !== 'CLOSING' && order.state !== 'FAILED')
    return completeEntry(kysely, services, lease)
  // A creation under way could reopen what is closed before it ends.
  if (await isBeingCreated(services, order)) return retryEntry(kysely, services, lease, second)
  if (!(await markCloseSent(services, run, order))) return completeEntry(kysely, services, lease)
  try {
    const answer = await findGateway(services).close(order.order_no)
    await confirmClosed(services, run, order, answer)
  } catch (error) {
    if (!(error instanceof GatewayFailure)) throw error
    await retryEntry(kysely, services, lease, backoffMs(job.attempts), failureText(error))
  }
}

async function isBeingCreated(
  { database: { kysely }, now }: Services,
  order: OrderKey,
): Promise<boolean> {
  const creating = await kysely
    .selectFrom('sys.pay_outbox')
    .select('id')
    .where('tenant_id', '=', order.tenant_id)
    .where('order_id', '=', order.id)
    .where('kind', '=', 'create')
    .where('done_at', 'is', null)
    .where('leased_until', '>', now().toISOString())
    .executeTakeFirst()
  return creating !== undefined
}

/** From here on the order cannot be reopened for payment. Returns false when it is no longer closing. */
function markCloseSent(services: Services, { lease }: EntryRun, order: OrderKey): Promise<boolean> {
  return transact(services.database.kysely, async (trx) => {
    await renewEntry(trx, services, lease)
    await completeAll(trx, services, order, ['create'])
    const sent = await trx
      .updateTable('biz.print_order')
      .set({ close_sent_at: services.now() })
      .where('tenant_id', '=', order.tenant_id)
      .where('id', '=', order.id)
      .where('state', 'in', ['CLOSING', 'FAILED'])
      .returning('id')
      .executeTakeFirst()
    return sent !== undefined
  })
}

/** Queries the order after the close: it may be paid after all, closed, or still open and to be closed again later. */
async function confirmClosed(
  services: Services,
  run: EntryRun,
  order: EntryOrder,
  answer: 'closed' | 'refused',
): Promise<void> {
  const { lease, job } = run
  const { kysely } = services.database
  const reported = await findGateway(services).query(order.order_no)
  if (reported.state === 'paid') return settleReported(services, run, reported.payment)
  const isOver = answer === 'closed' && reported.state !== 'open' && reported.state !== 'paying'
  if (!isOver && reported.state !== 'closed') {
    const failure = `close: ${reported.state}`
    return retryEntry(kysely, services, lease, backoffMs(job.attempts), failure)
  }
  await transact(kysely, async (trx) => {
    await completeEntry(trx, services, lease)
    await changeState(trx, services, order, {
      from: 'CLOSING',
      to: 'CLOSED',
      more: { closed_at: services.now() },
    })
  })
}
