import { CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { type Settings, SettingsError } from '../settings/settings.ts'
import { createDataFolder } from './embedded/data-folder.ts'
import { databaseDirectory } from './embedded/database-directory.ts'
import { lockDataDirectory } from './embedded/data-lock.ts'
import { startEngine } from './embedded/embedded-engine.ts'
import type { EngineOptions } from './embedded/embedded-engine.ts'
import { watchFreeSpace } from './embedded/free-space.ts'
import type { FreeSpace } from './embedded/free-space.ts'
import type { Log } from './log.ts'
import { startMaintenance } from './embedded/maintenance.ts'
import { embeddedPool, endPool, postgresPool } from './pools.ts'
import type { Tables } from './tables.ts'
import { sqlState } from './problems.ts'
import { guardedPool, transact, withoutTransactionHook } from './transact.ts'

export interface Database {
  readonly kysely: Kysely<Tables>
  readonly engine: 'pglite' | 'postgres'
  /** The engine runs and holds the lock of the data directory. Cheap; `answers` queries the database. */
  healthy(): boolean
  /** Whether the database answers a statement within two seconds. */
  answers(): Promise<boolean>
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
  /** Runs `work`, whose statements may take longer than those of requests: migrations, jobs. */
  long<Result>(work: () => Promise<Result>): Promise<Result>
  /** Updates statistics and, on the embedded engine, writes a checkpoint. Call it after an import. */
  maintain(): Promise<void>
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
  cutAfter(milliseconds: number): () => boolean
  allow<Result>(seconds: number, work: () => Promise<Result>): Promise<Result>
  maintain(db: Kysely<unknown>): Promise<void>
  close(db: Kysely<unknown>): Promise<void>
}

/** The time of `Database.limited` is up. */
export class TimeIsUp extends Error {
  constructor(milliseconds: number) {
    super(`A limited transaction took more than ${milliseconds} ms.`)
    this.name = 'TimeIsUp'
  }
}

const answerWithinMs = 2_000
const longSeconds = 600
/** SQLSTATE of a statement that statement_timeout has ended. */
const queryCancelled = '57014'

export function databaseOn(backing: Backing): Database {
  const { engine, pool, space, healthy, allow, maintain, close } = backing
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardedPool(pool) }) })
  const untyped = kysely as unknown as Kysely<unknown>
  let closing: Promise<void> | undefined
  return {
    kysely,
    engine,
    healthy,
    answers: async () => {
      const { promise: late, resolve } = Promise.withResolvers<false>()
      const timer = setTimeout(resolve, answerWithinMs, false)
      const answer = sql`select 1`.execute(kysely).then(
        () => true,
        () => false,
      )
      return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
    },
    freeBytes: space.bytes,
    enoughSpace: space.enough,
    assertWritable: space.assertWritable,
    limited: (milliseconds, work) => limited(kysely, backing, milliseconds, work),
    long: (work) => allow(longSeconds, work),
    maintain: () => allow(longSeconds, () => maintain(untyped)),
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

async function limited<Result>(
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
    return await withoutTransactionHook(() => transact(kysely, reading))
  } catch (error) {
    if (release() || sqlState(error) === queryCancelled) throw new TimeIsUp(milliseconds)
    throw error
  } finally {
    release()
  }
}

/**
 * Opens the embedded database, or the PostgreSQL of DATABASE_URL.
 * @throws DataDirectoryInUse and other errors whose message is a sentence for the operator
 */
export function openDatabase(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl'>,
  log: Log,
  embedded: Partial<EngineOptions> = {},
): Promise<Database> {
  return settings.databaseUrl === undefined
    ? openEmbedded(settings.dataDir, log, embedded)
    : openPostgres(settings.databaseUrl, settings.dataDir, log)
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
    return databaseOn({
      engine: 'pglite',
      pool,
      space: watchFreeSpace(dataDir),
      healthy: () => engine.healthy() && lock.held(),
      cutAfter: (milliseconds) => engine.cutAfter(milliseconds),
      allow: (seconds, work) => engine.allow(seconds, work),
      maintain: () => maintenance.run(),
      close: async () => {
        maintenance.stop()
        await endPool(pool)
        await engine.stop()
        lock.release()
      },
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openPostgres(
  connectionString: string,
  dataDir: string,
  log: Log,
): Promise<Database> {
  createDataFolder(dataDir)
  const pool = postgresPool(connectionString, log)
  try {
    await pool.query('select 1')
  } catch (error) {
    await endPool(pool)
    const reason =
      error instanceof Error && error.message !== '' ? error.message : 'nothing answers there'
    throw new SettingsError(`DATABASE_URL cannot be used: ${reason}.`)
  }
  return databaseOn({
    engine: 'postgres',
    pool,
    space: watchFreeSpace(dataDir),
    healthy: () => !pool.ending,
    cutAfter: () => () => false, // statement_timeout does it
    allow: (_seconds, work) => work(),
    maintain: async () => {}, // autovacuum runs on its own
    close: () => endPool(pool),
  })
}
