// Watches the database on a connection of its own. A silent connection beside a new one that answers
// means that connections are lost without a reset: the pool then opens new ones, long before the
// time limits of statements. Logs one line when the database goes and one when it is back.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { ReadOnlyDatabase } from '../problems.ts'
import { isReadOnly, type ServerPool } from './pool.ts'
import type { DatabaseServer } from './servers.ts'

/** Whether statements can run, and if not, why. */
export type Availability = 'ok' | 'away' | 'readOnly' | 'exhausted'

export interface WatchTiming {
  readonly everyMs: number
  /** While the database is away. */
  readonly everyMsAway: number
  /** Silence after which a second connection is tried. */
  readonly patienceMs: number
  /** How much longer a silent connection may take than a new one. */
  readonly graceMs: number
  /** A caller that waits longer for a connection makes the pool exhausted. */
  readonly waitMs: number
}
const usual: WatchTiming = {
  everyMs: 2_000,
  everyMsAway: 500,
  patienceMs: 3_000,
  graceMs: 500,
  waitMs: 2_000,
}

export interface DatabaseWatch {
  availability(): Availability
  /** Looks at once instead of after the interval. */
  look(): void
  stop(): Promise<void>
}

interface Line {
  readonly client: pg.Client
  readonly server: DatabaseServer
  readonly openedAt: number
}
type Answer = 'writable' | 'readOnly' | { readonly error: unknown }
type Reason = Exclude<Availability, 'ok' | 'exhausted'>
interface Failure {
  readonly reason: Reason
  readonly error: unknown
}

export function watchDatabase(
  pool: ServerPool,
  log: Log,
  timing: Partial<WatchTiming> = {},
): DatabaseWatch {
  const times = { ...usual, ...timing }
  const watch = new Watch(pool, log, times)
  const stopping = new AbortController()
  let waking = new AbortController()
  const look = () => waking.abort()
  pool.onTrouble = look
  const pause = (ms: number, signal: AbortSignal) =>
    sleep(ms, undefined, { ref: false, signal }).catch(() => {})
  const rounds = (async () => {
    while (!stopping.signal.aborted) {
      await watch.round()
      // However many callers are in trouble, the next round comes after this pause.
      await pause(times.everyMsAway, stopping.signal)
      if (watch.reason === undefined)
        await pause(
          times.everyMs - times.everyMsAway,
          AbortSignal.any([stopping.signal, waking.signal]),
        )
      waking = new AbortController()
    }
  })()
  return {
    availability: () => watch.reason ?? (pool.longestWaitMs() > times.waitMs ? 'exhausted' : 'ok'),
    look,
    stop: () => {
      stopping.abort()
      watch.stop()
      return rounds
    },
  }
}

class Watch {
  /** Why statements cannot run. */
  reason: Reason | undefined
  readonly #pool: ServerPool
  readonly #log: Log
  readonly #times: WatchTiming
  #line: Line | undefined
  #opening: pg.Client | undefined
  #lastServer: DatabaseServer | undefined
  #failedAt = 0
  #isStopped = false

  constructor(pool: ServerPool, log: Log, times: WatchTiming) {
    this.#pool = pool
    this.#log = log
    this.#times = times
  }

  stop(): void {
    this.#isStopped = true
    this.#close()
    if (this.#opening !== undefined) hangUp(this.#opening)
  }

  async round(): Promise<void> {
    const line = this.#line
    if (line === undefined) return this.#use(await this.#open(), false)
    const answer = askServer(line.client)
    const first = await withinTime(answer, this.#times.patienceMs)
    if (first === 'writable') {
      this.#endAbandoned(line)
      return this.#report(undefined)
    }
    if (first !== undefined) {
      this.#close()
      return this.#use(await this.#open(), first === 'readOnly')
    }
    const fresh = await this.#open()
    // A busy server answers late on both connections, and on the old one first.
    const graceMs = 'client' in fresh ? this.#times.graceMs : 0
    if ((await withinTime(answer, graceMs)) === 'writable') {
      if ('client' in fresh) hangUp(fresh.client)
      return this.#report(undefined)
    }
    this.#close()
    this.#use(fresh, true)
  }

  #close(): void {
    if (this.#line !== undefined) hangUp(this.#line.client)
    this.#line = undefined
  }

  /** Watches the new connection from now on. `wasUseless`: the one before was silent or read-only. */
  #use(fresh: Line | Failure, wasUseless: boolean): void {
    if (this.#isStopped) {
      if ('client' in fresh) hangUp(fresh.client)
      return
    }
    if (!('client' in fresh)) return this.#report(fresh)
    const { server, openedAt } = fresh
    const before = this.#lastServer
    const hasMoved = before !== undefined && server !== before
    const isBack = this.reason !== undefined
    this.#line = fresh
    this.#lastServer = server
    if (hasMoved || isBack || wasUseless) this.#pool.renew(openedAt)
    if (!isBack && (hasMoved || wasUseless))
      this.#log.warn(
        { server: server.name, before: before?.name },
        hasMoved
          ? 'the database has moved to another server'
          : 'connections to the database were lost; new ones are opened',
      )
    this.#endAbandoned(fresh)
    this.#report(undefined)
  }

  #endAbandoned({ client }: Line): void {
    this.#pool.endAbandoned(client).catch((error: unknown) => {
      this.#log.debug({ err: error }, 'sessions of lost connections could not be ended')
    })
  }

  /** A connection to the first server that answers and takes writes. */
  async #open(): Promise<Line | Failure> {
    const { servers } = this.#pool
    let failure: Failure | undefined
    for (let tries = 0; tries < servers.all.length && !this.#isStopped; tries += 1) {
      const server = servers.current()
      const openedAt = performance.now()
      const client = new pg.Client({
        ...this.#pool.options,
        connectionString: server.url,
        connectionTimeoutMillis: this.#times.patienceMs,
      })
      client.on('error', () => {})
      this.#opening = client
      const opened = client.connect().then(
        () => askServer(client),
        (error: unknown) => ({ error }),
      )
      const answer = (await withinTime(opened, this.#times.patienceMs)) ?? {
        error: new Error(`no answer within ${this.#times.patienceMs} ms`),
      }
      this.#opening = undefined
      if (answer === 'writable') return { client, server, openedAt }
      hangUp(client)
      servers.leave(server)
      if (answer === 'readOnly') failure = { reason: 'readOnly', error: new ReadOnlyDatabase() }
      else failure ??= { reason: 'away', error: answer.error }
    }
    return failure ?? { reason: 'away', error: undefined }
  }

  #report(failure: Failure | undefined): void {
    if (failure !== undefined && this.reason === undefined) {
      this.#failedAt = performance.now()
      const server = this.#pool.servers.all.map(({ name }) => name).join(', ')
      this.#log.error(
        { server, err: failure.error },
        failure.reason === 'readOnly'
          ? 'the database is read-only'
          : 'the database does not answer',
      )
    }
    if (failure === undefined && this.reason !== undefined) {
      const seconds = Math.round((performance.now() - this.#failedAt) / 100) / 10
      this.#log.warn({ server: this.#line?.server.name, seconds }, 'the database is back')
    }
    this.reason = failure?.reason
  }
}

function askServer(client: pg.Client): Promise<Answer> {
  return isReadOnly(client).then(
    (readOnly) => (readOnly ? 'readOnly' : 'writable'),
    (error: unknown) => ({ error }),
  )
}

/** The value, or undefined when it takes longer. */
async function withinTime<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  const late = new AbortController()
  const timer = sleep(ms, undefined, { signal: late.signal }).catch(() => undefined)
  return await Promise.race([promise, timer]).finally(() => late.abort())
}

/** Without waiting for a reply. */
function hangUp(client: pg.Client): void {
  client.connection.stream.destroy()
}
