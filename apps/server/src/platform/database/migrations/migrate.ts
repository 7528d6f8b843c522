import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely, Transaction } from 'kysely'
import { addExtensions } from '../extensions.ts'
import type { Log } from '../log.ts'
import { sqlState } from '../problems.ts'

export interface Migration {
  /** Sorts in order of application and never changes afterwards: `0001-accounts`. */
  readonly name: string
  up(db: Kysely<unknown>): Promise<void>
}

/** The database does not match this program. The message is a sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

const ledger = [
  sql`create schema if not exists sys`,
  sql`create table if not exists sys.migration (
    name text primary key, applied_at timestamptz not null default now())`,
  sql`create table if not exists sys.migration_turn (id integer primary key)`,
  sql`insert into sys.migration_turn (id) values (1) on conflict do nothing`,
]
const attempts = 5

/** For each statement of a migration: keys and indexes of large tables take hours at most. */
export const migrationSeconds = 6 * 3600

/** Applies the missing migrations and returns their names. @throws MigrationError */
export async function migrate(
  db: Kysely<unknown>,
  migrations: readonly Migration[],
  log: Log,
): Promise<string[]> {
  for (const [index, { name }] of migrations.entries()) {
    const before = migrations[index - 1]?.name
    if (before !== undefined && before >= name)
      throw new MigrationError(`Migration ${name} must sort after ${before}.`)
  }
  // Nothing to do needs no right to create anything (docs/operations.md#roles-on-postgresql).
  if (await isMigrated(db, migrations)) return []
  await addExtensions(db, log)
  await createLedger(db)
  const done: string[] = []
  const applied = await readApplied(db)
  refuseNewer(applied, migrations)
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
    if (await db.transaction().execute((trx) => apply(trx, migration))) {
      done.push(migration.name)
      log.info({ migration: migration.name }, 'migration applied')
    }
  }
  refuseNewer(await readApplied(db), migrations)
  return done
}

/** Every migration of this program has been applied. @throws MigrationError when others have too */
async function isMigrated(db: Kysely<unknown>, migrations: readonly Migration[]): Promise<boolean> {
  const { rows } = await sql<{ ledger: string | null }>`
    select to_regclass('sys.migration')::text as ledger`.execute(db)
  if (rows[0]?.ledger == null) return false
  const applied = await readApplied(db)
  refuseNewer(applied, migrations)
  return migrations.every(({ name }) => applied.has(name))
}

/** Retries, because "if not exists" fails while another instance creates the same object. */
async function createLedger(db: Kysely<unknown>) {
  for (const statement of ledger) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await statement.execute(db)
        break
      } catch (error) {
        if (attempt === attempts || sqlState(error) === undefined) throw error
        await sleep(attempt * 50)
      }
    }
  }
}

async function readApplied(db: Kysely<unknown>) {
  const { rows } = await sql<{
    name: string
  }>`select name from sys.migration order by name`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]) {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new MigrationError(
      `The database was changed by a newer version of this program (${unknown.join(', ')}): ` +
        `start that version, or restore a backup.`,
    )
}

/** Applies one migration in one transaction. A row lock serialises instances; false when another has applied it. */
async function apply(trx: Transaction<unknown>, migration: Migration) {
  await sql`set local statement_timeout = 0`.execute(trx)
  // Citus refuses to change a table that the transaction has read over several connections. Other engines
  // ignore the setting.
  await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`.execute(trx)
  await sql`select id from sys.migration_turn where id = 1 for update`.execute(trx)
  const applied = await readApplied(trx)
  if (applied.has(migration.name)) return false
  const later = [...applied].find((name) => name > migration.name)
  if (later !== undefined)
    throw new MigrationError(
      `Migration ${migration.name} is missing although ${later} was already applied: a program between two releases ` +
        `has made this database. Restore a backup that a release has made, or start the program that made it.`,
    )
  await migration.up(trx)
  await sql`insert into sys.migration (name) values (${migration.name})`.execute(trx)
  return true
}
