import { Worker } from 'node:worker_threads'
import { Refusal } from '../../platform/refusal.ts'
import type { DrawJob, FromDrawer, ToDrawer } from './draw-job.ts'

/** About 13 s of work, less than a request's 15 s (docs/rules/security.md#r18). */
const longestQueue = 256
const jobSeconds = 20
/** The first job of a thread also loads the fonts, which a busy machine does slowly. */
const firstJobSeconds = 60
const idleMs = 60_000

interface Waiting {
  readonly id: number
  readonly job: DrawJob
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: Error) => void
}

/**
 * One worker thread that draws one document at a time, in the order of the calls. It starts with
 * the first job, ends when idle, and does not keep the process alive.
 */
class DrawPool {
  #worker: Worker | undefined
  #queue: Waiting[] = []
  #current: Waiting | undefined
  #lastId = 0
  #hasDrawn = false
  #timer: NodeJS.Timeout | undefined

  draw(job: DrawJob): Promise<Uint8Array> {
    if (this.#queue.length >= longestQueue)
      throw new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 5 })
    return new Promise((resolve, reject) => {
      this.#lastId += 1
      this.#queue.push({ id: this.#lastId, job, resolve, reject })
      this.#next()
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./draw-worker.ts', import.meta.url), {
      execArgv: [],
      name: 'documents',
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    worker.on('message', (message: FromDrawer) => this.#onMessage(message))
    worker.on('error', (error) =>
      this.#failCurrent(worker, error instanceof Error ? error : new Error(String(error))),
    )
    worker.on('exit', () => this.#failCurrent(worker, busy('the thread ended')))
    return worker
  }

  #next() {
    if (this.#current !== undefined) return
    clearTimeout(this.#timer)
    this.#current = this.#queue.shift()
    if (this.#current === undefined) {
      this.#worker?.unref()
      this.#timer = setTimeout(() => this.#endWorker(), idleMs).unref()
      return
    }
    const worker = (this.#worker ??= this.#start())
    worker.ref() // keeps the process alive until the job ends
    worker.postMessage({ id: this.#current.id, job: this.#current.job } satisfies ToDrawer)
    this.#timer = setTimeout(
      () => this.#failCurrent(worker, busy('it took too long')),
      (this.#hasDrawn ? jobSeconds : firstJobSeconds) * 1000,
    ).unref()
  }

  #onMessage(message: FromDrawer) {
    const current = this.#current
    if (current?.id !== message.id) return
    this.#current = undefined
    this.#hasDrawn = true
    if ('bytes' in message) current.resolve(message.bytes)
    else
      current.reject(
        'missing' in message
          ? new Refusal(422, {
              key: 'document.missingGlyphs',
              params: { characters: message.missing },
            })
          : new Error(message.failure),
      )
    this.#next()
  }

  #failCurrent(worker: Worker, error: Error) {
    if (worker !== this.#worker) return
    this.#endWorker()
    this.#current?.reject(error)
    this.#current = undefined
    this.#next()
  }

  #endWorker() {
    const worker = this.#worker
    this.#worker = undefined
    this.#hasDrawn = false
    void worker?.terminate()
  }
}

/** The next try may find a thread that has time. */
function busy(why: string): Refusal {
  const refusal = new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 5 })
  refusal.cause = new Error(`A document was not drawn: ${why}.`)
  return refusal
}

const pool = new DrawPool()

/**
 * Draws in the worker thread.
 * @throws Refusal 503 when too many jobs wait, 422 when a character cannot be drawn
 */
export const drawInWorker = (job: DrawJob): Promise<Uint8Array> => pool.draw(job)
