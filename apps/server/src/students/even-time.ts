import { randomInt } from 'node:crypto'

const step = 400 // docs/rules/security.md#sign-in: whether something was found must not show in how long it took
const jitter = 20

/** Answers only at a multiple of 400 ms (give or take 20), however long the work took and however it ended. */
export async function evenTime<T>(work: Promise<T>): Promise<T> {
  const started = performance.now()
  const [outcome] = await Promise.allSettled([work])
  const took = performance.now() - started
  const wait =
    Math.max(1, Math.ceil(took / step)) * step - took + randomInt(2 * jitter + 1) - jitter
  await new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, wait))
  })
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
