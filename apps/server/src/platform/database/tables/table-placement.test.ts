import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../../testing/database/database.ts'
import type { Database } from '../open-database.ts'
import { tablePlacement } from './table-placement.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const ofSchools = Object.entries(tablePlacement).flatMap(([name, placement]) =>
  placement === 'school' ? [name] : [],
)

it('declares every table of the product as of schools, shared or local', async () => {
  const { rows } = await sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('biz', 'sys') and c.relkind in ('r', 'p')`.execute(database.kysely)
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(tablePlacement).toSorted())
})

it('begins every unique key of a school with the school, which is never null', async () => {
  const { rows } = await sql<{ definition: string; first: string; required: boolean }>`
    select pg_get_indexdef(i.indexrelid) as definition, a.attname::text as first,
      a.attnotnull as required
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indisunique and i.indrelid = any(${ofSchools}::text[]::regclass[])`.execute(
    database.kysely,
  )
  expect(rows.length).toBeGreaterThan(60)
  expect(rows.filter(({ first, required }) => first !== 'tenant_id' || !required)).toEqual([])
})

it('begins every foreign key of a school with the school', async () => {
  const { rows } = await sql<{ name: string; definition: string }>`
    select conrelid::regclass || '.' || conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conrelid = any(${ofSchools}::text[]::regclass[])`.execute(
    database.kysely,
  )
  expect(rows.length).toBeGreaterThan(20)
  const narrow = /^FOREIGN KEY \(tenant_id, [^)]+\) REFERENCES [^(]+\(tenant_id, /
  expect(rows.filter(({ definition }) => !narrow.test(definition))).toEqual([])
})
