import { setImmediate as immediate } from 'node:timers/promises'

/** Lets every promise that can go on do so. */
export async function settled(): Promise<void> {
  await immediate()
}

interface Waiting {
  readonly due: number
  readonly call: () => void
}

/**
 * A clock that moves only when told, for `createActor(…, { clock })` and whatever else must share it.
 * It stops at every instant something is due and lets promises go on there; `SimulatedClock` of xstate jumps to the end first,
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
  /** How many timers are under way: 0 when nothing was left behind. */
  get size(): number {
    return this.#waiting.size
  }

  /** Moves on by `ms`. @throws when timers beget timers without end. */
  async advance(ms: number, between: () => Promise<void> = settled): Promise<void> {
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
