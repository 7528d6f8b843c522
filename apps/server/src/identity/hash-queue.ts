// Hashes of passwords take their turn: a few at a time, so that sign-ins cannot overload the server, while the others
// wait (docs/rules/security.md#decisions). Networks are served in turn, so that a crowd of tries from one of them
// delays the people of another by one hash each.
import { Refusal } from '../platform/refusal.ts'

export interface HashLimits {
  /** Hashes that are made at the same time. */
  readonly atOnce: number
  /** Hashes that may wait. */
  readonly waiting: number
}

/** For whom a hash is made. */
export interface HashCaller {
  /** The network of the caller; hashes without one share a turn. */
  readonly network?: string
  /** By which the caller asks for its place. */
  readonly key?: string | undefined
}

interface Waiting {
  readonly key: string | undefined
  readonly go: () => void
}

/** A place in the queue. */
export interface Place {
  /** Hashes that are made before this one. */
  readonly before: number
  readonly seconds: number
}

/** @param clock in milliseconds */
export function createHashQueue(limits: HashLimits, clock: () => number = () => performance.now()) {
  let current = limits
  let running = 0
  let count = 0
  /** Milliseconds of a hash, smoothed. */
  let pace = 50
  // Networks in the order of their next turn.
  const lanes = new Map<string, Waiting[]>()

  const takeNext = (): Waiting | undefined => {
    for (const [network, lane] of lanes) {
      const next = lane.shift()
      lanes.delete(network)
      if (lane.length > 0) lanes.set(network, lane)
      if (next === undefined) continue
      count -= 1
      return next
    }
    return undefined
  }
  const wait = ({ network = '', key }: HashCaller): Promise<void> => {
    if (count >= current.waiting)
      throw new Refusal(
        503,
        { key: 'session.crowded' },
        { retryAfter: Math.max(1, Math.ceil((count * pace) / current.atOnce / 1000)) },
      )
    const { promise, resolve } = Promise.withResolvers<void>()
    const lane = lanes.get(network) ?? []
    lane.push({ key, go: resolve })
    lanes.set(network, lane)
    count += 1
    return promise
  }
  return {
    limit: (changed: HashLimits): void => {
      current = changed
    },
    /** @throws Refusal 503 when as many wait as may */
    run: async <T>(caller: HashCaller, work: () => Promise<T>): Promise<T> => {
      if (running >= current.atOnce) await wait(caller)
      else running += 1
      const started = clock()
      try {
        return await work()
      } finally {
        pace += (clock() - started - pace) / 8
        const next = takeNext()
        if (next === undefined) running -= 1
        else next.go()
      }
    },
    /** Null for a key that does not wait. */
    findPlace: (key: string): Place | null => {
      for (const [network, lane] of lanes) {
        const at = lane.findIndex((each) => each.key === key)
        if (at < 0) continue
        const others = [...lanes].filter(([name]) => name !== network)
        const before =
          at + others.reduce((sum, [, { length }]) => sum + Math.min(length, at + 1), 0)
        return { before, seconds: Math.ceil(((before + 1) * pace) / current.atOnce / 1000) }
      }
      return null
    },
    waiting: () => count,
  }
}
