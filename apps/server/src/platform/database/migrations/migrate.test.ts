import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../../testing/database/database.ts'
import { quietLog } from '../../../../testing/quiet-log.ts'
import { installedExtensions } from '../extensions.ts'
import { migrate, MigrationError } from './migrate.ts'
import type { Migration } from './migrate.ts'
import type { Database } from '../open-database.ts'

let database: Database
let db: Kysely<unknown>
beforeAll(async () => {
  database = await testDatabase({ blank: true })
  db = database.kysely as unknown as Kysely<unknown>
})
afterAll(() => database.close())

function step(name: string, statement: string): Migration {
  return {
    name,
    up: async (trx) => {
      await sql.raw(statement).execute(trx)
    },
  }
}
const first = step('0001-one', 'create table sys.one (id int4 primary key)')
const second = step('0002-two', 'create table sys.two (id int4 primary key)')

async function catalog() {
  return (
    await sql`
      select table_schema, table_name, column_name from information_schema.columns
      where table_schema = 'sys' order by 1, 2, 3`.execute(db)
  ).rows
}

it('applies each migration once when several instances start together', async () => {
  const results = await Promise.all(
    Array.from({ length: 8 }, () => migrate(db, [first, second], quietLog)),
  )
  expect(results.flat().sort()).toEqual(['0001-one', '0002-two'])
})

it('changes nothing on a second run', async () => {
  const before = await catalog()
  expect(await migrate(db, [first, second], quietLog)).toEqual([])
  expect(await catalog()).toEqual(before)
})

it('rolls back a migration that fails', async () => {
  const broken: Migration = {
    name: '0003-broken',
    up: async (trx) => {
      await sql`create table sys.half (id int4)`.execute(trx)
      await sql`select 1 / 0`.execute(trx)
    },
  }
  const before = await catalog()
  await expect(migrate(db, [first, second, broken], quietLog)).rejects.toThrow('division by zero')
  expect(await catalog()).toEqual(before)
  expect(
    await migrate(
      db,
      [first, second, step('0003-broken', 'create table sys.three (id int4)')],
      quietLog,
    ),
  ).toEqual(['0003-broken'])
})

it('refuses a database that a newer program has migrated', async () => {
  await expect(migrate(db, [first], quietLog)).rejects.toThrow(MigrationError)
  await expect(migrate(db, [first], quietLog)).rejects.toThrow('0002-two, 0003-broken')
})

it('refuses a missing migration and migrations out of order', async () => {
  const known = [first, second, step('0003-broken', 'select 1')]
  await expect(
    migrate(db, [first, step('0001-z-late', 'select 1'), ...known.slice(1)], quietLog),
  ).rejects.toThrow('0001-z-late is missing')
  await expect(migrate(db, [second, first], quietLog)).rejects.toThrow('must sort after')
})

it('reads and changes the tables of a cluster over one connection for each node, and only then', async () => {
  const mode = async (on: Kysely<unknown>) =>
    (
      await sql<{ mode: string | null }>`
        select current_setting('citus.multi_shard_modify_mode', true) as mode`.execute(on)
    ).rows[0]?.mode
  const modes: unknown[] = []
  const reads: Migration = {
    name: '0009-nine',
    up: async (trx) => {
      modes.push(await mode(trx))
    },
  }
  const known = await sql<{ name: string }>`select name from sys.migration order by name`.execute(
    db,
  )
  const earlier = known.rows.map(({ name }) => step(name, 'select 1'))
  expect(await migrate(db, [...earlier, reads], quietLog)).toEqual(['0009-nine'])
  expect(modes).toEqual(['sequential'])
  expect(await mode(db)).not.toBe('sequential')
})

it('adds the extensions that speed up searches', async () => {
  expect(await installedExtensions(db)).toEqual(new Set(['pg_trgm', 'unaccent']))
})
