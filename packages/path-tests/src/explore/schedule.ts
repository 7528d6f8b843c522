/** The timing of a step: the timer that it ends, the timers it starts and stops. Step 0 is the start. */
export interface Timed {
  readonly fires: string | null
  readonly starts: readonly { readonly id: string; readonly ms: number }[]
  readonly stops: readonly string[]
}

interface AtLeast {
  readonly before: number
  readonly after: number
  readonly ms: number
}

function solve(steps: readonly Timed[], constraints: readonly AtLeast[]): number[] | null {
  const times = steps.map(() => 0)
  for (let round = 0; round <= steps.length; round += 1) {
    let settled = true
    for (const { before, after, ms } of constraints) {
      const earliest = (times[before] ?? 0) + ms
      if (earliest > (times[after] ?? 0)) {
        times[after] = earliest
        settled = false
      }
    }
    if (settled) return times
  }
  return null
}

/** A timer that runs: the step that started it, its length, and its place among all that were started. */
interface Running {
  readonly at: number
  readonly ms: number
  readonly order: number
}
interface Order {
  /** Whether a timer that a step restarts has run for half its time before. */ readonly pause: boolean
  /** Whether timers may end at one instant, in the order in which they were started. */
  readonly together: boolean
}

function buildConstraints(steps: readonly Timed[], { pause, together }: Order): AtLeast[] {
  const constraints: AtLeast[] = []
  const running = new Map<string, Running>()
  let order = 0
  // No other step may happen at the instant a timer ends, because their order is undefined.
  const outlives = ({ at, ms }: Running, end: number, short = 1) => {
    if (end > at) constraints.push({ before: end, after: at, ms: short - ms })
  }
  steps.forEach(({ fires, starts, stops }, index) => {
    // A path does not end while a timer is due: it would end unseen.
    const isLast = index === steps.length - 1
    if (index > 0) constraints.push({ before: index - 1, after: index, ms: 0 })
    const fired = fires === null ? undefined : running.get(fires)
    if (fires !== null && fired !== undefined) {
      constraints.push(
        { before: fired.at, after: index, ms: fired.ms },
        { before: index, after: fired.at, ms: -fired.ms },
      )
      if (!together) outlives(fired, index - 1)
      running.delete(fires)
    }
    if (together)
      for (const [id, timer] of running) {
        const goesOn = isLast && !stops.includes(id)
        const mayBeDue = fired !== undefined && timer.order > fired.order && !goesOn
        outlives(timer, index, mayBeDue ? 0 : 1)
      }
    for (const id of stops) {
      const stopped = running.get(id)
      if (stopped !== undefined && !together) outlives(stopped, index)
      // A restart from the full time is visible only when part of the time has passed.
      if (stopped !== undefined && pause && starts.some((timer) => timer.id === id))
        constraints.push({ before: stopped.at, after: index, ms: Math.floor(stopped.ms / 2) })
      running.delete(id)
    }
    for (const { id, ms } of starts) {
      order += 1
      running.set(id, { at: index, ms, order })
    }
  })
  if (!together) for (const timer of running.values()) outlives(timer, steps.length - 1)
  return constraints
}

/**
 * The earliest time of each step of a path in milliseconds; null when no times are valid. A path
 * fixes the order in which timers end; whether the order is possible is a system of difference
 * constraints (a step comes no earlier than the one before; a timer ends exactly `ms` after it
 * started; one that is stopped or still runs has not ended yet), solved by longest paths
 * (Bellman-Ford). So "the poll's timer is still running when the countdown of 180 s ends" is
 * reached by a late answer to the previous call, at 178.001 s. A timer that a step restarts has run
 * for half its time before, where possible. Two timers end at one instant only where the path is not
 * possible otherwise, in the order in which they were started, as they do in xstate.
 */
export function schedule(steps: readonly Timed[], mayMeet = true): number[] | null {
  for (const together of mayMeet ? [false, true] : [false])
    for (const pause of [true, false]) {
      const times = solve(steps, buildConstraints(steps, { pause, together }))
      if (times !== null) return times
    }
  return null
}
