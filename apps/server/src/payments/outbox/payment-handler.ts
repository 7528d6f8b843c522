import type { Services } from '../../model/context.ts'
import type { OutboxKind } from '../../platform/database/tables/tables-student.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { drain } from '../../platform/jobs/queue.ts'
import { runClaimed } from '../../platform/jobs/run-claimed.ts'
import { second } from './backoff.ts'
import type { OrderKey } from '../orders/order-row.ts'
import { closeAtProvider } from './close-at-provider.ts'
import { createAtProvider } from './create-at-provider.ts'
import type { EntryRun } from './order-of-entry.ts'
import { claimEntry, type OutboxEntry, outboxStore } from './outbox.ts'
import { queryPayment } from './query-payment.ts'
import { refundAtProvider } from './refund-at-provider.ts'
import { revokeOrderDocument } from './revoke-document.ts'

/** Each calls the provider outside any transaction and writes the result in one (docs/rules/security.md#payments). */
const calls = {
  create: createAtProvider,
  query: queryPayment,
  close: closeAtProvider,
  refund: refundAtProvider,
  revoke: revokeOrderDocument,
} as const satisfies Record<OutboxKind, (services: Services, run: EntryRun) => Promise<void>>

export const paymentHandler: JobHandler<OutboxEntry, Services> = {
  kind: 'payment',
  store: outboxStore,
  run: (services, run) => calls[run.job.kind](services, run),
  concurrency: 8,
  pollMs: second,
  renewMs: 10 * second,
  mostPerRound: 200,
}

/** Makes a call for an order at once, due or not. Returns false when another worker holds it or there is none. */
export async function runNow(
  services: Services,
  order: OrderKey,
  kind: OutboxKind,
): Promise<boolean> {
  const claimed = await claimEntry(services, order, kind)
  if (claimed !== undefined) await runClaimed(services, paymentHandler, claimed)
  return claimed !== undefined
}

/** Makes the calls that are due. Returns how many. */
export function runDue(services: Services): Promise<number> {
  return drain(services, paymentHandler)
}
