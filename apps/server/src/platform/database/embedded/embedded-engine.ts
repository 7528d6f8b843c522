// Supervises the PGlite thread: starts it, passes messages, and restarts it when it hangs, panics or
// exits.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { durableStartParams } from './durable-fs.ts'
import type { Engine, Receiver } from './engine.ts'
import type { Log } from '../log.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts'

export interface EngineOptions {
  readonly directory: string
  readonly log: Log
  readonly startParams?: readonly string[]
  /** A longer statement counts as a hang: PGlite can neither cancel one nor time it out. */
  readonly statementSeconds?: number
  /** A transaction without a statement for this long is rolled back, as in PostgreSQL. */
  readonly idleInTransactionSeconds?: number
}

export interface EmbeddedEngine extends Engine {
  healthy(): boolean
  /** No statement is running and no transaction is open. */
  idle(): boolean
  stop(): Promise<void>
}

const reopenPauses = [200, 1_000, 3_000, 10_000]

class WorkerEngine implements EmbeddedEngine {
  #options: EngineOptions
  #worker: Worker | undefined
  #opening: Promise<void> | undefined
  #receivers = new Map<number, Receiver>()
  #lastSession = 0
  #running = 0
  #open: { session: number; idleSeconds: number } | undefined
  #busySeconds = 0
  #stopping = false
  #reopenFailed = false
  #stopped: (() => void) | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(options: EngineOptions) {
    this.#options = options
  }

  async start() {
    await this.#spawn()
    // Counts ticks instead of reading the clock: a suspended laptop or a busy main thread is no hang.
    this.#watch = setInterval(() => this.#tick(), 1_000).unref()
  }

  #spawn() {
    const { directory, startParams = durableStartParams } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const workerData: WorkerStart = { directory, startParams }
    const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
      workerData,
      execArgv: [],
      name: 'pglite',
    })
    let ready = false
    const failed = (sentence: string) => {
      if (!ready) {
        void worker.terminate()
        reject(new Error(sentence))
      } else if (this.#worker === worker) this.#reopen(sentence)
    }
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') {
        ready = true
        this.#worker = worker
        resolve()
      } else if (message.kind === 'failed') failed(message.sentence)
      else if (message.kind === 'aborted')
        failed('PostgreSQL stopped itself; the disk may be full or broken')
      else if (this.#worker === worker) this.#receive(message)
    })
    worker.on('error', (error) => failed(String(error)))
    worker.on('exit', () => failed('the database thread ended'))
    return promise
  }

  #receive(message: Exclude<FromWorker, { kind: 'ready' | 'failed' | 'aborted' }>) {
    if (message.kind === 'bytes') {
      this.#receivers.get(message.session)?.receive(message.bytes)
    } else if (message.kind === 'answered') {
      this.#running -= 1
      this.#busySeconds = 0
      this.#open = message.inTransaction ? { session: message.session, idleSeconds: 0 } : undefined
    } else this.#stopped?.()
  }

  #tick() {
    const { statementSeconds = 60, idleInTransactionSeconds = 60, log } = this.#options
    if (this.#worker && this.#running > 0) {
      this.#busySeconds += 1
      if (this.#busySeconds > statementSeconds)
        this.#reopen(`a statement ran for more than ${statementSeconds} s`)
    } else if (this.#open) {
      this.#open.idleSeconds += 1
      if (this.#open.idleSeconds > idleInTransactionSeconds) {
        const { session } = this.#open
        log.error(
          `a transaction was idle for more than ${idleInTransactionSeconds} s and is rolled back`,
        )
        this.#receivers
          .get(session)
          ?.lost(new Error('The transaction was idle for too long and was rolled back.'))
        this.end(session)
      }
    }
  }

  /** Ends the thread, fails every waiting statement, and opens the database again. */
  #reopen(reason: string) {
    const { log } = this.#options
    const worker = this.#worker
    this.#worker = undefined
    this.#running = 0
    this.#busySeconds = 0
    this.#open = undefined
    const receivers = [...this.#receivers.values()]
    this.#receivers.clear()
    for (const receiver of receivers)
      receiver.lost(new Error('The embedded database was restarted.'))
    if (this.#stopping) {
      this.#stopped?.()
      return
    }
    log.error({ reason }, 'the embedded database is restarted')
    this.#opening = (async () => {
      await worker?.terminate()
      for (let attempt = 0; !this.#stopping; attempt += 1) {
        try {
          await this.#spawn()
          this.#reopenFailed = false
          log.info('the embedded database is open again')
          return
        } catch (error) {
          this.#reopenFailed = true
          log.error({ err: error }, 'the embedded database could not be opened')
          await sleep(reopenPauses[Math.min(attempt, reopenPauses.length - 1)], undefined, {
            ref: false,
          })
        }
      }
    })()
  }

  async ready() {
    // Waits for the first attempt to reopen, which is short; after a failure it may take long.
    if (!this.#worker && !this.#reopenFailed) await this.#opening
    if (!this.#worker) throw new Error('The embedded database is not open.')
  }

  open(receiver: Receiver) {
    this.#lastSession += 1
    this.#receivers.set(this.#lastSession, receiver)
    return this.#lastSession
  }

  send(session: number, messages: Uint8Array<ArrayBuffer>) {
    if (!this.#worker || !this.#receivers.has(session)) return
    this.#running += 1
    this.#open = undefined
    const message: ToWorker = { kind: 'messages', session, messages }
    this.#worker.postMessage(message, [messages.buffer])
  }

  end(session: number) {
    if (!this.#receivers.delete(session) || this.#stopping) return
    if (this.#open?.session === session) this.#open = undefined
    const message: ToWorker = { kind: 'end', session }
    this.#worker?.postMessage(message)
  }

  healthy() {
    return this.#worker !== undefined && !this.#stopping
  }

  idle() {
    return this.#running === 0 && this.#open === undefined
  }

  async stop() {
    this.#stopping = true
    clearInterval(this.#watch)
    await this.#opening
    const worker = this.#worker
    if (!worker) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#stopped = resolve
    const message: ToWorker = { kind: 'stop' }
    worker.postMessage(message)
    await promise
    this.#worker = undefined
    await worker.terminate()
  }
}

/**
 * Opens the database directory in its own thread.
 * @throws Error with a sentence for the operator when it cannot be opened or is not durable
 */
export async function startEngine(options: EngineOptions): Promise<EmbeddedEngine> {
  const engine = new WorkerEngine(options)
  await engine.start()
  return engine
}
