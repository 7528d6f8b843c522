import { setImmediate as immediate } from 'node:timers/promises'

/** Resolves after all promise chains that can continue. */
export async function waitForPromises(): Promise<void> {
  await immediate()
}

interface Waiting {
  readonly due: number
  readonly call: () => void
}

/**
 * A clock that moves only by `advance`, for `createActor(…, { clock })` and everything that shares it.
 * It stops at every due timer and lets promises continue there; `SimulatedClock` of xstate jumps to the end first,
 * so that a chain of 1 s timers over 180 s would be 179 s late.
 */
export class VirtualClock {
  #now = 0
  #id = 0
  readonly #waiting = new Map<number, Waiting>()

  readonly now = (): number => this.#now
  readonly setTimeout = (call: () => void, ms = 0): number => {
    this.#id += 1
    this.#waiting.set(this.#id, { due: this.#now + Math.max(0, ms), call })
    return this.#id
  }
  readonly clearTimeout = (id: number): void => {
    this.#waiting.delete(id)
  }
  /** Number of running timers; 0 after everything was disposed of. */
  get size(): number {
    return this.#waiting.size
  }

  /** Advances by `ms`. @throws when timers start timers endlessly. */
  async advance(ms: number, between: () => Promise<void> = waitForPromises): Promise<void> {
    const end = this.#now + ms
    for (let fired = 0; ; fired += 1) {
      const next = [...this.#waiting]
        .filter(([, { due }]) => due <= end)
        .sort(([a, { due: first }], [b, { due: second }]) => first - second || a - b)[0]
      if (next === undefined) break
      if (fired > 10_000)
        throw new Error(
          `more than 10,000 timers ran out within ${ms} ms: a timer without delay starts itself`,
        )
      const [id, { due, call }] = next
      this.#waiting.delete(id)
      this.#now = due
      call()
      await between()
    }
    this.#now = end
  }
}
