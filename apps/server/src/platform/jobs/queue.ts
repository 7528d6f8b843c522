import type { PlatformServices } from '../context.ts'
import { isUnavailable } from '../database/problems.ts'
import type { Claimed, JobHandler } from './job-handler.ts'
import { JobCancelled, QueueStopping } from './lease.ts'
import { runClaimed } from './run-claimed.ts'

/** The jobs of one kind in this process. */
export interface Queue {
  /** Starts a round now; the first call also starts the polling. During a round, another follows it. */
  readonly wake: () => void
  /** Aborts a job that this process runs. False when it does not run here. */
  readonly cancel: (id: string) => boolean
  /** Suspends what runs and starts nothing more. Resolves when the round under way has ended. */
  readonly stop: () => Promise<void>
  /** Resolves when the round under way has ended. */
  readonly settled: () => Promise<void>
}

export function createQueue<Job, Parts extends PlatformServices>(
  services: Parts,
  handler: JobHandler<Job, Parts>,
): Queue {
  return new PollingQueue(services, handler)
}

interface DrainOptions<Job> {
  /** Runs one claimed job; must not throw. */
  readonly runOne?: (claimed: Claimed<Job>) => Promise<void>
  readonly isStopped?: () => boolean
}

/** Runs jobs until none is due, `concurrency` at a time. Returns how many. */
export async function drain<Job, Parts extends PlatformServices>(
  services: Parts,
  handler: JobHandler<Job, Parts>,
  options: DrainOptions<Job> = {},
): Promise<number> {
  const runOne = options.runOne ?? ((claimed) => runClaimed(services, handler, claimed))
  const most = handler.mostPerRound ?? Number.POSITIVE_INFINITY
  let count = 0
  while (count < most && options.isStopped?.() !== true) {
    const claimed = await handler.store.claim(services, handler.concurrency)
    if (claimed.length === 0) break
    await Promise.all(claimed.map(runOne))
    count += claimed.length
  }
  return count
}

class PollingQueue<Job, Parts extends PlatformServices> implements Queue {
  readonly #services: Parts
  readonly #handler: JobHandler<Job, Parts>
  readonly #running = new Map<string, AbortController>()
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> | null = null
  #isWokenAgain = false
  #isFirstRound = true
  #isStopping = false

  constructor(services: Parts, handler: JobHandler<Job, Parts>) {
    this.#services = services
    this.#handler = handler
  }

  wake(): void {
    if (this.#isStopping) return
    this.#timer ??= setInterval(() => this.#poll(), this.#handler.pollMs).unref()
    if (this.#round !== null) {
      this.#isWokenAgain = true
      return
    }
    this.#round = this.#runRound()
      .catch((error: unknown) => {
        // The watch of the database logs once that it is away.
        if (!this.#isStopping && !isUnavailable(error))
          this.#services.log.warn(
            { err: error, kind: this.#handler.kind },
            'a round of the job queue failed; the next will retry',
          )
      })
      .finally(() => {
        this.#round = null
        if (!this.#isWokenAgain) return
        this.#isWokenAgain = false
        this.wake()
      })
  }

  #poll(): void {
    if (this.#handler.store.isQuiet?.(this.#services) !== true) this.wake()
  }

  cancel(id: string): boolean {
    const controller = this.#running.get(id)
    controller?.abort(new JobCancelled())
    return controller !== undefined
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#timer !== null) clearInterval(this.#timer)
    for (const controller of this.#running.values()) controller.abort(new QueueStopping())
    await this.#round
  }

  async settled(): Promise<void> {
    await this.#round
  }

  async #runRound(): Promise<void> {
    const services = this.#services
    const { store, beforeRound, afterRound } = this.#handler
    const mayWait = await store.recover(services, {
      running: [...this.#running.keys()],
      // The embedded database belongs to this process: when it starts, no run of an earlier one can be alive.
      alone: this.#isFirstRound && services.database.engine === 'pglite',
    })
    this.#isFirstRound = false
    await beforeRound?.(services)
    if (mayWait)
      await drain(services, this.#handler, {
        runOne: (claimed) => this.#runOne(claimed),
        isStopped: () => this.#isStopping,
      })
    await afterRound?.(services)
  }

  async #runOne(claimed: Claimed<Job>): Promise<void> {
    const controller = new AbortController()
    this.#running.set(claimed.lease.id, controller)
    if (this.#isStopping) controller.abort(new QueueStopping())
    try {
      await runClaimed(this.#services, this.#handler, claimed, controller.signal)
    } finally {
      this.#running.delete(claimed.lease.id)
    }
  }
}
