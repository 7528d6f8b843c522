// The pool of connections to PostgreSQL. A connection that stops answering without a reset (a moved
// address, a firewall that forgot it) is given up by time limits here and by the watch (watch.ts).
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log.ts'
import {
  ConnectionLost,
  isUnavailable,
  ReadOnlyDatabase,
  readOnlyState,
  sqlState,
} from '../problems.ts'
import { prepareStatements } from './prepared.ts'
import { type DatabaseServer, type DatabaseServers, databaseServers } from './servers.ts'

/** Longer than statement_timeout, so that a server which answers ends its statements itself. */
const statementLimitMs = 35_000
/** For the start of a connection, on every server that is tried. */
const connectMs = 5_000
const keepAliveMs = 10_000
const lifetimeSeconds = 1_800

export interface PoolTiming {
  readonly statementLimitMs: number
  readonly connectMs: number
}

export interface ServerPoolOptions {
  readonly url: string
  readonly log: Log
  /** Settings of both engines. */
  readonly common: pg.PoolConfig
  /** Statements that set up a session. */
  readonly session: string
  readonly timing?: Partial<PoolTiming>
  /** Whether statements that repeat are prepared. */
  readonly prepare?: boolean
}

interface Scope {
  /** How long a statement may take before its connection is given up. */
  readonly limitMs?: number
  readonly isReadOnly?: boolean
}
const scopes = new AsyncLocalStorage<Scope>()

/** Runs `work`, each statement of which may take this long before its connection is given up. */
export function allowStatements<Result>(seconds: number, work: () => Promise<Result>) {
  return scopes.run({ ...scopes.getStore(), limitMs: seconds * 1000 }, work)
}

/** Runs `work` in transactions that are meant to take no writes, so a refused write says nothing of the server. */
export function inReadOnlyTransactions<Result>(work: () => Promise<Result>) {
  return scopes.run({ ...scopes.getStore(), isReadOnly: true }, work)
}

/** A connection of the pool. */
interface Line {
  readonly server: DatabaseServer
  readonly openedAt: number
  /** Its application_name, by which its session is found. */
  readonly session: string
  /** To be closed when it returns to the pool. */
  isStale: boolean
}

export class ServerPool extends pg.Pool {
  readonly servers: DatabaseServers
  /** Called when a connection could not be opened, or turned out read-only. */
  onTrouble: () => void = () => {}
  readonly #lines = new Map<pg.Client, Line>()
  /** Sessions whose connection was given up here and that the server may still keep open. */
  readonly #abandoned = new Set<string>()
  readonly #waits = new Set<number>()

  constructor({ url, log, common, session, timing = {}, prepare = true }: ServerPoolOptions) {
    const servers = databaseServers(url)
    const lines = new WeakMap<pg.Client, Line>()
    const abandoned = (session: string) => this.#abandoned.add(session)
    const limits = { statementLimitMs, connectMs, ...timing, prepare }
    super({
      ...common,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      maxLifetimeSeconds: lifetimeSeconds,
      Client: addressedClient(servers, limits, {
        onLine: (client, line) => lines.set(client, line),
        onLost: (session) => abandoned(session),
      }),
      onConnect: async (client) => {
        await client.query(session)
        if (!servers.mustWrite || !(await isReadOnly(client))) return
        const server = lines.get(client as pg.Client)?.server
        if (server !== undefined) servers.leave(server)
        throw new ReadOnlyDatabase()
      },
    })
    this.servers = servers
    this.on('error', (error) => log.debug({ err: error }, 'an idle database connection was lost'))
    this.on('connect', (client) => {
      client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost'))
      const line = lines.get(client)
      if (line !== undefined) this.#lines.set(client, line)
    })
    this.on('remove', (client) => this.#lines.delete(client))
  }

  override connect(): Promise<pg.PoolClient>
  override connect(
    callback: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): void
  override connect(
    callback?: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): Promise<pg.PoolClient> | void {
    const connected = this.#connectToAny()
    if (callback === undefined) return connected
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error as Error)),
      (error: Error) => callback(error, undefined, () => {}),
    )
  }

  /** Milliseconds that the caller who has waited longest for a connection has waited. */
  longestWaitMs(): number {
    const [oldest] = this.#waits
    return oldest === undefined ? 0 : performance.now() - oldest
  }

  /** Closes the connections opened before; statements on them fail. */
  renew(openedBefore: number): void {
    for (const [client, line] of this.#lines)
      if (line.openedAt < openedBefore) {
        this.#abandoned.add(line.session)
        destroy(client, new ConnectionLost('The database stopped answering on its connections.'))
      }
  }

  /**
   * Ends the sessions of connections that were given up. A server that has not noticed keeps their
   * transactions and locks until its own time limit.
   */
  async endAbandoned(client: pg.Client): Promise<void> {
    const sessions = [...this.#abandoned]
    if (sessions.length === 0) return
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name in (${sessions
        .map((session) => client.escapeLiteral(session))
        .join(', ')})`,
    )
    for (const session of sessions) this.#abandoned.delete(session)
  }

  async #connectToAny(): Promise<pg.PoolClient> {
    const since = performance.now()
    this.#waits.add(since)
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          return this.#returning(await super.connect())
        } catch (error) {
          if (!isUnavailable(error)) throw error
          this.onTrouble()
          if (this.ending || isFull(error) || tries >= this.servers.all.length) throw error
        }
      }
    } finally {
      this.#waits.delete(since)
    }
  }

  /** The client, whose connection is closed instead of pooled when it is stale. */
  #returning(client: pg.PoolClient): pg.PoolClient {
    const { release } = client
    client.release = (error) => {
      const isStale = this.#lines.get(client)?.isStale === true
      if (isStale) this.onTrouble()
      release(error ?? isStale)
    }
    return client
  }
}

/** Whether the session takes no writes. */
export async function isReadOnly(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is_read_only: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as is_read_only`,
  )
  return rows[0]?.is_read_only === true
}

/** No connection became free in time: another server would not help. */
function isFull(error: unknown) {
  return error instanceof Error && error.message.startsWith('timeout exceeded')
}

/** A client of the server that is current when it is made. */
function addressedClient(
  servers: DatabaseServers,
  {
    statementLimitMs: limitMs,
    connectMs: connectionTimeoutMillis,
    prepare,
  }: PoolTiming & { readonly prepare: boolean },
  {
    onLine,
    onLost,
  }: {
    readonly onLine: (client: pg.Client, line: Line) => void
    readonly onLost: (session: string) => void
  },
) {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const server = servers.current()
      const session = `${config?.application_name ?? ''} ${randomBytes(6).toString('hex')}`
      super({
        ...config,
        connectionString: server.url,
        connectionTimeoutMillis,
        application_name: session,
      })
      const line: Line = { server, openedAt: performance.now(), session, isStale: false }
      onLine(this, line)
      const connect = this.connect.bind(this) as (done: (error?: Error | null) => void) => void
      this.connect = ((done: (error?: Error | null) => void) =>
        connect((error) => {
          if (error && isUnavailable(error)) servers.leave(server)
          done(error)
        })) as pg.Client['connect']
      if (prepare) prepareStatements(this)
      limitStatements(this, limitMs, (error) => {
        if (error instanceof ConnectionLost) onLost(session)
        if (sqlState(error) !== readOnlyState) return
        line.isStale = true
        servers.leave(server)
      })
    }
  }
}

type Settled = (error: Error | null | undefined, ...more: unknown[]) => void

/** Gives a connection up when a statement is not answered in time. */
function limitStatements(
  client: pg.Client,
  defaultMs: number,
  onFault: (error: unknown) => void,
): void {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const { limitMs = defaultMs, isReadOnly = false } = scopes.getStore() ?? {}
    const timer = setTimeout(() => {
      const seconds = Math.round(limitMs / 1000)
      destroy(client, new ConnectionLost(`The database did not answer within ${seconds} s.`))
    }, limitMs)
    const settled = (error: unknown) => {
      clearTimeout(timer)
      if (!isReadOnly || error instanceof ConnectionLost) onFault(error)
    }
    const last = args.at(-1)
    if (typeof last === 'function') {
      const callback = last as Settled
      return send(...args.slice(0, -1), (error: Error | null, ...more: unknown[]) => {
        settled(error)
        callback(error, ...more)
      })
    }
    const result = send(...args)
    if (result instanceof Promise) result.then(() => settled(null), settled)
    else clearTimeout(timer)
    return result
  }) as pg.Client['query']
}

function destroy(client: pg.Client, error: Error): void {
  client.connection.stream.destroy(error)
}
