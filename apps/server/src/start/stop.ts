// Ends the server without a failed call: docs/decisions/0006-start-stop-and-limits.md.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Listener } from '../http/listener.ts'
import type { Services } from '../model/context.ts'
import type { HealthState } from '../platform/health.ts'
import type { App } from './app.ts'

/** Beyond LAME_DUCK and DRAIN: the wait for a gap between connections, and the closing of the database. */
export const stopMarginMs = 10_000

/**
 * A proxy that has just been told of the end of a connection may have sent a call on it. Under load it uses all that it
 * holds within this time, and each answer says that the connection ends.
 */
const longestIdleMs = 5_000

interface Running {
  readonly services: Pick<Services, 'database' | 'settings'>
  readonly app: App
  readonly state: HealthState
  readonly listener: Listener
  /** Stop jobs and timers. */
  readonly stops: readonly (() => Promise<void>)[]
}

/** After a fault new calls are refused at once: nobody knows what still works. */
export type StopReason = 'asked' | 'fault'

export async function stopServing(running: Running, reason: StopReason): Promise<void> {
  const {
    services: { database, settings },
    app,
    state,
    listener,
  } = running
  state.draining = true
  if (reason === 'asked') await sleep(settings.lameDuck * 1_000)
  const until = performance.now() + settings.drain * 1_000
  const left = () => Math.max(0, until - performance.now())
  const late = new AbortController()
  const timeout = sleep(left(), undefined, { signal: late.signal, ref: false }).catch(() => {})
  const inTime = (work: Promise<unknown>) => Promise.race([work, timeout])
  if (reason === 'fault') await inTime(app.refuse())
  await listener.closePort()
  await inTime(Promise.all([app.idle(), ...running.stops.map((stop) => stop())]))
  await listener.close(left(), Math.min(settings.lameDuck * 1_000, longestIdleMs))
  await inTime(app.idle())
  late.abort()
  await database.close()
}

const watchEveryMs = 500
/** Names of scripts that run the server; others may start it and end, while it goes on. */
const scripts = new Set(['start', 'server', 'dev'])

/**
 * Calls `onGone` when npm has ended that started this process: it passes signals only to its shell, and the server
 * would keep the port and the data directory.
 */
export function watchNpm(
  env: Readonly<Record<string, string | undefined>>,
  parents: () => string,
  onGone: () => void,
): void {
  if (!scripts.has(env['npm_lifecycle_event'] ?? '')) return
  const first = parents()
  const timer = setInterval(() => {
    if (parents() === first) return
    clearInterval(timer)
    onGone()
  }, watchEveryMs)
  timer.unref()
}
