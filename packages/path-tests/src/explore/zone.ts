import type { Timed } from './schedule.ts'

/**
 * The possible ages of the running timers at one point of a path, as a matrix of difference bounds:
 * `bounds[i * size + j]` is the most that age i can exceed age j; clock 0 is always 0. Reading a
 * path step by step this way tells at each step whether its timers can end in that order, without
 * going back to the start (Dill 1989; the symbolic states of timed automata).
 */
export interface Zone {
  readonly ids: readonly string[]
  readonly lengths: readonly number[]
  readonly bounds: Float64Array
}

export const noTimers: Zone = { ids: [], lengths: [], bounds: new Float64Array(1) }

/**
 * The zone after one more step; null when the step cannot happen then.
 * @param together timers may end at one instant, in the order in which they were started
 */
export function afterStep(
  zone: Zone,
  { fires, starts, stops }: Timed,
  together = false,
): Zone | null {
  const elapsed = elapse(zone, fires, together)
  if (elapsed === null) return null
  const begun = new Set(starts.map(({ id }) => id))
  const kept = zone.ids.flatMap((id, index) =>
    id === fires || stops.includes(id) || begun.has(id) ? [] : [index + 1],
  )
  const from = [0, ...kept, ...starts.map(() => 0)]
  const size = from.length
  const bounds = new Float64Array(size * size)
  const old = zone.ids.length + 1
  // A timer that starts now has the age of clock 0.
  for (let i = 0; i < size; i += 1)
    for (let j = 0; j < size; j += 1)
      bounds[i * size + j] = elapsed[(from[i] ?? 0) * old + (from[j] ?? 0)] ?? 0
  return {
    ids: [...kept.map((index) => zone.ids[index - 1] ?? ''), ...starts.map(({ id }) => id)],
    lengths: [...kept.map((index) => zone.lengths[index - 1] ?? 0), ...starts.map(({ ms }) => ms)],
    bounds,
  }
}

/**
 * Lets any time pass: the timer that fires has exactly its length, all others are at least a
 * millisecond short of theirs, because the order of two steps at one instant is undefined. With
 * `together`, a timer that was started after the one that fires may be due at the same instant.
 */
function elapse(
  { ids, lengths, bounds }: Zone,
  fires: string | null,
  together: boolean,
): Float64Array | null {
  const fired = fires === null ? -1 : ids.indexOf(fires)
  const size = ids.length + 1
  const next = bounds.slice()
  if (fires !== null && !ids.includes(fires))
    return size === 1 ? next : elapse({ ids, lengths, bounds }, null, together)
  for (let i = 1; i < size; i += 1) {
    const length = lengths[i - 1] ?? 0
    const isFired = ids[i - 1] === fires
    const mayBeDue = together && fired !== -1 && i - 1 > fired
    next[i * size] = isFired || mayBeDue ? length : length - 1
    if (isFired) next[i] = Math.min(next[i] ?? 0, -length)
  }
  return tighten(next, size)
}

/** The bounds that follow from one another; null when they contradict each other. */
function tighten(next: Float64Array, size: number): Float64Array | null {
  for (let k = 0; k < size; k += 1)
    for (let i = 0; i < size; i += 1)
      for (let j = 0; j < size; j += 1) {
        const through = (next[i * size + k] ?? 0) + (next[k * size + j] ?? 0)
        if (through < (next[i * size + j] ?? 0)) next[i * size + j] = through
      }
  for (let i = 0; i < size; i += 1) if ((next[i * size + i] ?? 0) < 0) return null
  return next
}
