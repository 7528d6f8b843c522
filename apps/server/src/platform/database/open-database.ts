import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { noteStatement } from '../counters.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'
import { createDataFolder } from './embedded/folder/data-folder.ts'
import { databaseDirectory, sizeOnDisk } from './embedded/folder/database-directory.ts'
import { lockDataDirectory } from './embedded/folder/data-lock.ts'
import { startEngine } from './embedded/embedded-engine.ts'
import type { EngineOptions } from './embedded/embedded-engine.ts'
import { watchFreeSpace } from './embedded/free-space.ts'
import type { FreeSpace } from './embedded/free-space.ts'
import { noteDamage } from './damage.ts'
import type { Log } from './log.ts'
import { startMaintenance } from './embedded/maintenance.ts'
import { embeddedPool, endPool, postgresPool } from './pools.ts'
import { allowStatements, inReadOnlyTransactions, type ServerPool } from './postgres/pool.ts'
import { type Availability, watchDatabase } from './postgres/watch.ts'
import type { Tables } from './tables/tables.ts'
import { isUnavailable, sqlState } from './problems.ts'
import { guardedPool, outsideTransactions, transact, withoutTransactionHook } from './transact.ts'

export interface Database {
  readonly kysely: Kysely<Tables>
  /** The same, for tables that only definitions and the catalog name. */
  readonly untyped: Kysely<unknown>
  readonly engine: 'pglite' | 'postgres'
  /** The engine runs and holds the lock of the data directory. Cheap; `answers` queries the database. */
  healthy(): boolean
  /** Whether statements can run. Takes two seconds at most. */
  availability(): Promise<Availability>
  /** Bytes free on the disk of DATA_DIR, and whether writing may continue. */
  freeBytes(): number
  enoughSpace(): boolean
  /** Call it before large writes and before every change by a user. @throws StorageFull */
  assertWritable(): void
  /**
   * Runs `work` in a read-only transaction whose statement is cancelled when the time is up.
   * @throws TimeIsUp
   */
  limited<Result>(
    milliseconds: number,
    work: (trx: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result>
  /**
   * Runs `work` in a read-only transaction whose statement is cancelled when `signal` is aborted.
   * @throws Unwanted
   */
  whileWanted<Result>(
    signal: AbortSignal,
    work: (trx: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result>
  /** Runs `work`, whose statements may take longer than those of requests: migrations, jobs. */
  long<Result>(work: () => Promise<Result>, seconds?: number): Promise<Result>
  /** Updates statistics and, on the embedded engine, writes a checkpoint. Call it after an import. */
  maintain(): Promise<void>
  /** Makes a data directory with a copy of the embedded database; absent on PostgreSQL. @throws Error */
  readonly copyTo?: (dataDir: string) => Promise<void>
  /** Numbers of connections, for /metrics. */
  connections(): { open: number; idle: number; waiting: number }
  /** Waits for running statements, then closes. */
  close(): Promise<void>
}

/** The parts of a Database that differ between the engines. */
interface Backing {
  readonly engine: Database['engine']
  readonly pool: pg.Pool
  readonly space: Pick<FreeSpace, 'bytes' | 'enough' | 'assertWritable' | 'stop'>
  healthy(): boolean
  /** Known without a statement; absent: a statement is tried. */
  availability?(): Availability
  cutAfter(milliseconds: number): () => boolean
  allow<Result>(seconds: number, work: () => Promise<Result>): Promise<Result>
  maintain(db: Kysely<unknown>): Promise<void>
  copyTo?(dataDir: string): Promise<void>
  close(db: Kysely<unknown>): Promise<void>
}

/** The time of `Database.limited` is up. */
export class TimeIsUp extends Error {
  constructor(milliseconds: number) {
    super(`A limited transaction took more than ${milliseconds} ms.`)
    this.name = 'TimeIsUp'
  }
}

/** Nobody waits for the work of `Database.whileWanted` any more. */
export class Unwanted extends Error {
  constructor() {
    super('The caller left.')
    this.name = 'Unwanted'
  }
}

const answerWithinMs = 2_000
const longSeconds = 600
const retryMs = 500
/** SQLSTATE of a statement that statement_timeout has ended. */
const queryCancelled = '57014'

export function databaseOn(backing: Backing, log: Log): Database {
  const { engine, pool, space, healthy, allow, maintain, close } = backing
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: guardedPool(pool) }),
    log: (event) => {
      noteStatement(log, event.query.sql, event.queryDurationMillis)
      if (event.level === 'error') noteDamage(log, event.error)
    },
  })
  const untyped = kysely as unknown as Kysely<unknown>
  let closing: Promise<void> | undefined
  return {
    kysely,
    untyped,
    engine,
    healthy,
    availability: () => {
      const known = backing.availability?.()
      return known === undefined ? tryStatement(kysely) : Promise.resolve(known)
    },
    freeBytes: space.bytes,
    enoughSpace: space.enough,
    assertWritable: space.assertWritable,
    limited: (milliseconds, work) => runLimited(kysely, backing, milliseconds, work),
    whileWanted: (signal, work) => whileWanted(kysely, backing, signal, work),
    long: (work, seconds = longSeconds) => allow(seconds, work),
    maintain: () => allow(longSeconds, () => maintain(untyped)),
    ...(backing.copyTo !== undefined && { copyTo: backing.copyTo }),
    connections: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: () => {
      closing ??= (async () => {
        await close(untyped)
        space.stop()
      })()
      return closing
    },
  }
}

async function tryStatement(kysely: Kysely<Tables>): Promise<Availability> {
  const { promise: late, resolve } = Promise.withResolvers<Availability>()
  const timer = setTimeout(resolve, answerWithinMs, 'away')
  const answer = sql`select 1`.execute(kysely).then(
    () => 'ok' as const,
    () => 'away' as const,
  )
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

async function runLimited<Result>(
  kysely: Kysely<Tables>,
  { engine, cutAfter }: Backing,
  milliseconds: number,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  let release = () => false
  try {
    const reading = async (trx: Transaction<Tables>) => {
      release = cutAfter(milliseconds)
      await trx.executeQuery(CompiledQuery.raw('set transaction read only'))
      if (engine === 'postgres')
        await trx.executeQuery(
          CompiledQuery.raw(`set local statement_timeout = ${Math.ceil(milliseconds)}`),
        )
      return await work(trx)
    }
    return await inReadOnlyTransactions(() =>
      withoutTransactionHook(() => transact(kysely, reading)),
    )
  } catch (error) {
    if (release() || sqlState(error) === queryCancelled) throw new TimeIsUp(milliseconds)
    throw error
  } finally {
    release()
  }
}

async function whileWanted<Result>(
  kysely: Kysely<Tables>,
  { engine, cutAfter }: Backing,
  signal: AbortSignal,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const reading = async (trx: Transaction<Tables>) => {
    await trx.executeQuery(CompiledQuery.raw('set transaction read only'))
    const cancel =
      engine === 'postgres' ? await canceller(kysely, trx) : () => Promise.resolve(cutAfter(0))
    let cancelling: Promise<unknown> | undefined
    const onAbort = () => {
      cancelling = cancel()
    }
    if (signal.aborted) throw new Unwanted()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await work(trx)
    } finally {
      signal.removeEventListener('abort', onAbort)
      // The connection is kept until then, so that no later statement on it is cancelled.
      const release = await cancelling?.catch(() => undefined)
      if (typeof release === 'function') release()
    }
  }
  if (signal.aborted) throw new Unwanted()
  try {
    return await inReadOnlyTransactions(() =>
      withoutTransactionHook(() => transact(kysely, reading)),
    )
  } catch (error) {
    throw signal.aborted ? new Unwanted() : error
  }
}

/** Cancels the running statement of a transaction, over another connection. */
async function canceller(kysely: Kysely<Tables>, trx: Transaction<Tables>) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
  const pid = rows[0]?.pid ?? 0
  return outsideTransactions(() => sql`select pg_cancel_backend(${pid}::int4)`.execute(kysely))
}

type PostgresSettings = Partial<Pick<Settings, 'databaseWait' | 'databasePrepare'>>

/**
 * Opens the embedded database, or the PostgreSQL of DATABASE_URL.
 * @throws DataDirectoryInUse and other errors whose message is a sentence for the operator
 */
export function openDatabase(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'> & PostgresSettings,
  log: Log,
  embedded: Partial<EngineOptions> = {},
): Promise<Database> {
  return settings.databaseUrl === undefined
    ? openEmbedded(settings.dataDir, log, embedded)
    : openPostgres(settings.databaseUrl, settings, log)
}

async function openEmbedded(
  dataDir: string,
  log: Log,
  options: Partial<EngineOptions>,
): Promise<Database> {
  const lock = lockDataDirectory(dataDir)
  try {
    const directory = databaseDirectory(dataDir, log)
    const engine = await startEngine({ directory, log, ...options })
    const pool = embeddedPool(engine, log)
    const unguarded = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    const maintenance = startMaintenance(
      unguarded,
      directory,
      {
        idle: () => engine.idle() && pool.waitingCount === 0,
        long: (work) => engine.allow(longSeconds, work),
      },
      log,
    )
    const space = watchFreeSpace(dataDir)
    return databaseOn(
      {
        engine: 'pglite',
        pool,
        space,
        healthy: () => engine.healthy() && lock.held(),
        cutAfter: (milliseconds) => engine.cutAfter(milliseconds),
        allow: (seconds, work) => engine.allow(seconds, work),
        maintain: () => maintenance.run(),
        copyTo: async (target) => {
          const needed = sizeOnDisk(directory)
          if (needed > space.bytes())
            throw new Error(`The disk of DATA_DIR has no room for a copy of ${needed} bytes.`)
          await engine.copyTo(join(target, basename(directory)))
        },
        close: async () => {
          maintenance.stop()
          await endPool(pool)
          await engine.stop()
          lock.release()
        },
      },
      log,
    )
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openPostgres(
  url: string,
  {
    dataDir,
    databaseWait = 0,
    databasePrepare = true,
  }: Pick<Settings, 'dataDir'> & PostgresSettings,
  log: Log,
): Promise<Database> {
  createDataFolder(dataDir)
  const pool = postgresPool(url, log, 10, {}, databasePrepare)
  await waitForDatabase(pool, databaseWait, log)
  const watch = watchDatabase(pool, log)
  return databaseOn(
    {
      engine: 'postgres',
      pool,
      space: watchFreeSpace(dataDir),
      healthy: () => !pool.ending,
      availability: () => watch.availability(),
      cutAfter: () => () => false, // statement_timeout does it
      allow: allowStatements,
      maintain: async () => {}, // autovacuum runs on its own
      close: async () => {
        await watch.stop()
        await endPool(pool)
      },
    },
    log,
  )
}

/** @throws SettingsError when the database cannot be used, or does not answer in time */
async function waitForDatabase(pool: ServerPool, seconds: number, log: Log): Promise<void> {
  const started = performance.now()
  const server = pool.servers.all.map(({ name }) => name).join(', ')
  for (let tries = 1; ; tries += 1) {
    try {
      await pool.query('select 1')
      if (tries > 1)
        log.warn(
          { server, seconds: secondsSince(started) },
          'the database answers; the start goes on',
        )
      return
    } catch (error) {
      const reason =
        error instanceof Error && error.message !== '' ? error.message : 'nothing answers there'
      if (!isUnavailable(error) || secondsSince(started) >= seconds) {
        await endPool(pool)
        const waited = tries > 1 ? ` (waited ${seconds} s, DATABASE_WAIT)` : ''
        throw new SettingsError(`DATABASE_URL cannot be used: ${reason}${waited}.`)
      }
      if (tries === 1)
        log.warn(
          { server, reason },
          `the database does not answer; the start waits ${seconds} s for it (DATABASE_WAIT)`,
        )
      await sleep(retryMs)
    }
  }
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 100) / 10
}
