import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import type { Kysely } from 'kysely'
import { inject } from 'vitest'
import { watchFreeSpace } from '../../src/platform/database/embedded/free-space.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { migrations } from '../../src/platform/database/migrations/index.ts'
import { databaseOn, openDatabase } from '../../src/platform/database/open-database.ts'
import type { Database } from '../../src/platform/database/open-database.ts'
import { extensions } from '../../src/platform/database/embedded/pglite-session.ts'
import { embeddedPool, postgresPool } from '../../src/platform/database/pools.ts'
import { createOnce } from './create-once.ts'
import { memoryEngine } from './memory-engine.ts'
import { quietLog } from '../quiet-log.ts'
import '../statements/watch.ts'
import { templateDatabase } from './store.ts'
import { administer } from './template.ts'

export interface TestDatabaseOptions {
  /** Without migrations, as before the first start. */
  readonly blank?: boolean
  /** Initial data. An embedded database is filled once per run and name, then copied. */
  readonly filled?: { readonly name: string; readonly fill: (database: Database) => Promise<void> }
}

/**
 * Buffers as in production; clearing those of the default takes a fifth of a second. New log files
 * are not filled with zeros: the folder is in memory.
 */
const settings = ['shared_buffers=16MB', 'wal_init_zero=off']
const startParams = [...PGlite.defaultStartParams, ...settings.flatMap((each) => ['-c', each])]
/** Log files of 1 MB instead of 16: each database of a test copies them. */
const initDbStartParams = ['--wal-segsize=1']
/** Two thirds of the files of a new data folder belong to databases that no test connects to. */
const dropUnused = [
  'update pg_database set datistemplate = false',
  'drop database template0',
  'drop database template1',
]

const space = (directory: string) => watchFreeSpace(directory, 0)

const openUntypedTest = (database: Database) => database.kysely as unknown as Kysely<unknown>

/**
 * A migrated database for one test file; `close()` it in afterAll. Uses PGlite in memory, or with
 * TEST_ENGINE=postgres the PostgreSQL started for the run.
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<Database> {
  const { directory, postgresUrl } = inject('testStore')
  if (postgresUrl === undefined) return onMemory(await copyDatabase(directory, options), directory)
  const database = await onPostgres(postgresUrl, directory, options.blank === true)
  await options.filled?.fill(database)
  return database
}

/** The embedded database as in production; with TEST_ENGINE=postgres an ordinary test database. */
export async function diskDatabase(
  dataDir: string,
  fill: (database: Database) => Promise<void>,
): Promise<Database> {
  if (inject('testStore').postgresUrl !== undefined)
    return await testDatabase({ filled: { name: 'unused', fill } })
  const database = await openDatabase({ dataDir }, quietLog)
  await migrate(openUntypedTest(database), migrations, quietLog)
  await fill(database)
  return database
}

function onMemory(pg: PGlite, directory: string): Database {
  const engine = memoryEngine(pg)
  const pool = embeddedPool(engine, quietLog)
  return databaseOn(
    {
      engine: 'pglite',
      pool,
      space: space(directory),
      healthy: () => pg.ready,
      cutAfter: () => () => false,
      allow: (_seconds, work) => work(),
      maintain: async () => {},
      close: async () => {
        await pool.end()
        await engine.stop()
      },
    },
    quietLog,
  )
}

async function copyDatabase(directory: string, options: TestDatabaseOptions): Promise<PGlite> {
  return PGlite.create({
    extensions,
    startParams,
    loadDataDir: await snapshot(directory, options),
  })
}

const snapshots = new Map<string, ArrayBuffer>()

async function snapshot(directory: string, options: TestDatabaseOptions): Promise<Blob> {
  const name =
    options.blank === true
      ? 'blank'
      : [migrationsHash(), ...(options.filled === undefined ? [] : [options.filled.name])].join('-')
  const bytes =
    snapshots.get(name) ??
    new Uint8Array(
      readFileSync(
        await createOnce(join(directory, `${name}.tar`), (part) =>
          makeSnapshot(directory, part, options),
        ),
      ),
    ).buffer
  snapshots.set(name, bytes)
  return new Snapshot(bytes)
}

/**
 * A data folder as PGlite loads it, by `arrayBuffer` alone. A plain Blob copies its bytes twice, which
 * took a third of each start.
 */
class Snapshot extends Blob {
  readonly #bytes: ArrayBuffer

  constructor(bytes: ArrayBuffer) {
    super([])
    this.#bytes = bytes
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.#bytes)
  }
}

let knownHash: string | null = null

/** Read once: no migration changes while tests run. */
function migrationsHash(): string {
  return (knownHash ??= hashOfMigrations())
}

function hashOfMigrations(): string {
  const folder = dirname(
    fileURLToPath(new URL('../../src/platform/database/migrations/index.ts', import.meta.url)),
  )
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Each snapshot continues the one before: blank, migrated, filled. */
async function makeSnapshot(directory: string, file: string, options: TestDatabaseOptions) {
  const { blank = false, filled } = options
  const pg = blank
    ? await PGlite.create({ extensions, startParams, initDbStartParams })
    : await copyDatabase(directory, filled === undefined ? { blank: true } : {})
  if (blank) for (const statement of dropUnused) await pg.exec(statement)
  const database = onMemory(pg, directory)
  if (!blank && filled === undefined) await migrate(openUntypedTest(database), migrations, quietLog)
  await filled?.fill(database)
  await pg.exec('checkpoint')
  writeFileSync(file, new Uint8Array(await (await pg.dumpDataDir('none')).arrayBuffer()))
  await database.close()
}

async function onPostgres(url: string, directory: string, blank: boolean): Promise<Database> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await administer(url, `create database ${name} ${blank ? '' : `template ${templateDatabase}`}`)
  const pool = postgresPool(`${url}${name}`, quietLog)
  return databaseOn(
    {
      engine: 'postgres',
      pool,
      space: space(directory),
      healthy: () => !pool.ending,
      cutAfter: () => () => false,
      allow: (_seconds, work) => work(),
      maintain: async () => {},
      close: async () => {
        await pool.end()
        await administer(url, `drop database ${name} with (force)`)
      },
    },
    quietLog,
  )
}
