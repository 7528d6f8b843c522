import { VirtualClock } from '@jiaowu/path-tests'

/**
 * Milliseconds; timers up to this come from libraries of the page, not from machines, and run at
 * once.
 */
const moment = 50

let ahead = 0
/** Sets the page's clock ahead without running the timers in between. */
export function setClockAhead(ms: number): void {
  ahead = ms
}

/**
 * Stops the page's clock and timers; only `advance` moves them. So a toast stays, a pause lasts,
 * and no path depends on its speed.
 */
export function freezeTime(): { readonly advance: VirtualClock['advance']; thaw(): void } {
  const clock = new VirtualClock()
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    now: Date.now,
  }
  const setTimeout = (call: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    ms <= moment
      ? setImmediate(() => {
          call(...args)
        })
      : clock.setTimeout(() => {
          call(...args)
        }, ms)
  const clearTimeout = (id: unknown) => {
    if (typeof id === 'number') clock.clearTimeout(id)
    else clearImmediate(id as NodeJS.Immediate)
  }
  Object.assign(globalThis, { setTimeout, clearTimeout })
  ahead = 0
  Date.now = () => clock.now() + ahead
  return {
    advance: (ms, between) => clock.advance(ms, between),
    thaw: () => {
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout })
      Date.now = real.now
    },
  }
}
