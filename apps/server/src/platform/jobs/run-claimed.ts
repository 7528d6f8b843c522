import type { PlatformServices } from '../context.ts'
import { countJobRun } from '../counters.ts'
import { isUnavailable } from '../database/problems.ts'
import { FilesUnavailable } from '../files/driver.ts'
import { createTraceId, inTrace } from '../requests/trace.ts'
import type { Claimed, JobHandler } from './job-handler.ts'
import { LeaseLost, QueueStopping } from './lease.ts'

const neverAborted = new AbortController().signal

/**
 * Runs one claimed job, renewing its lease meanwhile. Does not throw for errors of the run: they end in the store's
 * `suspend` or `fail`. When that fails too, the lease runs out and another worker takes the job.
 */
export function runClaimed<Job, Parts extends PlatformServices>(
  services: Parts,
  handler: JobHandler<Job, Parts>,
  claimed: Claimed<Job>,
  signal: AbortSignal = neverAborted,
): Promise<void> {
  return inTrace({ id: claimed.trace ?? createTraceId() }, () =>
    runLeased(services, handler, claimed, signal),
  )
}

async function runLeased<Job, Parts extends PlatformServices>(
  services: Parts,
  handler: JobHandler<Job, Parts>,
  claimed: Claimed<Job>,
  signal: AbortSignal,
): Promise<void> {
  const stopRenewing = keepRenewing(services, handler, claimed)
  try {
    await services.database.long(() => handler.run(services, { ...claimed, signal }))
    countJobRun(handler.kind, 'ended')
  } catch (error) {
    await endBroken(services, handler, claimed, error)
  } finally {
    await stopRenewing()
  }
}

/** Returns what ends the renewals, after the one under way. */
function keepRenewing<Job, Parts extends PlatformServices>(
  services: Parts,
  { store, renewMs }: JobHandler<Job, Parts>,
  { lease }: Claimed<Job>,
): () => Promise<void> {
  let renewing: Promise<unknown> | null = null
  const timer = setInterval(() => {
    renewing ??= store
      .renew(services, lease)
      .catch(() => false)
      .finally(() => {
        renewing = null
      })
  }, renewMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    if (renewing !== null) await renewing
  }
}

async function endBroken<Job, Parts extends PlatformServices>(
  services: Parts,
  { kind, store }: JobHandler<Job, Parts>,
  claimed: Claimed<Job>,
  error: unknown,
): Promise<void> {
  const { log } = services
  const job = claimed.lease.id
  if (error instanceof LeaseLost) {
    countJobRun(kind, 'lost')
    log.info({ job, kind }, 'a job was taken over or ended by another worker')
    return
  }
  const isTemporary =
    error instanceof QueueStopping || error instanceof FilesUnavailable || isUnavailable(error)
  countJobRun(kind, isTemporary ? 'suspended' : 'fault')
  if (!isTemporary) log.error({ err: error, job, kind }, 'a job failed unexpectedly')
  const ended = isTemporary
    ? store.suspend(services, claimed)
    : store.fail(services, claimed, error)
  await ended.catch((reason: unknown) => {
    log.warn({ err: reason, job, kind }, 'a job could not be given back; its lease will run out')
  })
}
