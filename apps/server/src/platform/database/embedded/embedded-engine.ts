// Supervises the PGlite thread: starts it, passes messages, and restarts it when it hangs, panics or
// exits.
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type CancelFlags, requestCancel } from './cancel.ts'
import { durableStartParams } from './durable-fs.ts'
import type { Engine, Receiver } from './engine.ts'
import type { Log } from '../log.ts'
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.ts'

export interface EngineOptions {
  readonly directory: string
  readonly log: Log
  readonly startParams?: readonly string[]
  /**
   * A longer statement is cancelled, as by statement_timeout. Requests end after 15 s anyway
   * (docs/rules/security.md#r18).
   */
  readonly statementSeconds?: number
  /** A transaction without a statement for this long is rolled back, as in PostgreSQL. */
  readonly idleInTransactionSeconds?: number
}

export interface EmbeddedEngine extends Engine {
  healthy(): boolean
  /** No statement is running and no transaction is open. */
  idle(): boolean
  /**
   * Cancels what runs after `milliseconds`, unless the returned function was called. Call it with the
   * only connection in hand, so that no other statement is cancelled. The returned function answers
   * whether the time was up.
   */
  cutAfter(milliseconds: number): () => boolean
  /** Lets the statements of `work` run for `seconds`: imports, maintenance, migrations. */
  allow<Result>(seconds: number, work: () => Promise<Result>): Promise<Result>
  /** Copies the database directory between two statements. @throws Error with a sentence */
  copyTo(target: string): Promise<void>
  stop(): Promise<void>
}

/** Default of `statementSeconds`. */
const ordinarySeconds = 15
const betweenStatementsMs = 20
const cancelWithinMs = 1_000
const reopenPauses = [200, 1_000, 3_000, 10_000]

class WorkerEngine implements EmbeddedEngine {
  #options: EngineOptions
  #worker: Worker | undefined
  #cancel: CancelFlags | undefined
  #opening: Promise<void> | undefined
  #receivers = new Map<number, Receiver>()
  #lastSession = 0
  #running = 0
  /** Counts answered messages. */
  #answers = 0
  #open: { session: number; idleSeconds: number } | undefined
  #busySeconds = 0
  #allowances: number[] = []
  #stopping = false
  #reopenFailed = false
  #stopped: (() => void) | undefined
  #watch: NodeJS.Timeout | undefined
  #copied: ((problem: string | undefined) => void) | undefined

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
        this.#cancel = message.cancel
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
      this.#answers += 1
      this.#busySeconds = 0
      this.#open = message.inTransaction ? { session: message.session, idleSeconds: 0 } : undefined
    } else if (message.kind === 'copied') this.#copied?.(message.problem)
    else this.#stopped?.()
  }

  #tick() {
    const { statementSeconds = ordinarySeconds, idleInTransactionSeconds = 60, log } = this.#options
    const allowed = Math.max(statementSeconds, ...this.#allowances)
    if (this.#worker && this.#running > 0) {
      this.#busySeconds += 1
      if (this.#busySeconds > allowed) this.#cut(`a statement ran for more than ${allowed} s`)
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

  /** Cancels the running statement; restarts the engine when that does not help within a second. */
  #cut(reason: string) {
    const { log } = this.#options
    const [worker, answers] = [this.#worker, this.#answers]
    if (this.#cancel !== undefined) requestCancel(this.#cancel)
    log.warn({ reason }, 'a statement is cancelled')
    setTimeout(() => {
      if (this.#worker === worker && this.#answers === answers) this.#reopen(reason)
    }, cancelWithinMs).unref()
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
    this.#copied?.(reason)
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

  cutAfter(milliseconds: number) {
    let isCut = false
    const check = () => {
      // Between two statements nothing needs to be ended.
      if (this.#running === 0) timer = setTimeout(check, betweenStatementsMs)
      else {
        isCut = true
        this.#cut(`a limited transaction took more than ${milliseconds} ms`)
      }
    }
    let timer = setTimeout(check, milliseconds)
    return () => {
      clearTimeout(timer)
      return isCut
    }
  }

  async allow<Result>(seconds: number, work: () => Promise<Result>) {
    this.#allowances.push(seconds)
    try {
      return await work()
    } finally {
      this.#allowances.splice(this.#allowances.indexOf(seconds), 1)
    }
  }

  healthy() {
    return this.#worker !== undefined && !this.#stopping
  }

  idle() {
    return this.#running === 0 && this.#open === undefined
  }

  async copyTo(target: string) {
    await this.ready()
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    this.#copied = resolve
    const message: ToWorker = { kind: 'copy', target }
    this.#worker?.postMessage(message)
    const problem = await promise
    if (problem !== undefined) throw new Error(problem)
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
