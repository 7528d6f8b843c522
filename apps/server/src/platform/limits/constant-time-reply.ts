import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds (docs/rules/security.md#sign-in). */
const [step, jitter] = [400, 20]

/**
 * Settles at the next multiple of 400 ms (± 20), so that the response time does not reveal whether
 * something was found.
 */
export async function constantTimeReply<T>(work: Promise<T>): Promise<T> {
  const started = performance.now()
  const [outcome] = await Promise.allSettled([work])
  const took = performance.now() - started
  const wait =
    Math.max(1, Math.ceil(took / step)) * step - took + randomInt(2 * jitter + 1) - jitter
  await sleep(Math.max(0, wait))
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
