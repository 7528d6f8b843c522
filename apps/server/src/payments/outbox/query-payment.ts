import type { Services } from '../../model/context.ts'
import type { OrderState } from '../../platform/database/tables/tables-student.ts'
import { findGateway } from '../gateways.ts'
import { failureText, hour, minute, second } from './backoff.ts'
import {
  type EntryOrder,
  type EntryRun,
  selectEntryOrder,
  settleReported,
} from './order-of-entry.ts'
import { completeEntry, retryEntry } from './outbox.ts'

export const firstQueryMs = 5 * second
/** When to query, counted from the creation of the order (docs/rules/security.md#payments). */
const schedule = [
  firstQueryMs,
  ...[10, 20, 30, 60, 120, 180, 240].map((seconds) => seconds * second),
  ...[5, 15, 30].map((minutes) => minutes * minute),
  ...[1, 6, 24].map((hours) => hours * hour),
]
const queried: readonly OrderState[] = ['CREATING', 'PENDING', 'CLOSING', 'CLOSED', 'FAILED']

/** Asks the provider whether the order is paid, on a schedule, in case no notification arrives. */
export async function queryPayment(services: Services, run: EntryRun): Promise<void> {
  const { lease, job } = run
  const { kysely } = services.database
  const order = await selectEntryOrder(services, job)
  if (!queried.includes(order.state)) return completeEntry(kysely, services, lease)
  const answer = await findGateway(services)
    .query(order.order_no)
    .catch((error: unknown) => failureText(error))
  if (typeof answer !== 'string' && answer.state === 'paid')
    return settleReported(services, run, answer.payment)
  const failure = typeof answer === 'string' ? answer : null
  const next = nextQueryMs(services, order)
  return next === null
    ? completeEntry(kysely, services, lease, failure)
    : retryEntry(kysely, services, lease, next, failure)
}

/** Milliseconds until the next query; null after the last. */
function nextQueryMs({ now }: Services, { create_time }: EntryOrder): number | null {
  const age = now().getTime() - new Date(create_time).getTime()
  const next = schedule.find((at) => at > age + second)
  return next === undefined ? null : next - age
}
