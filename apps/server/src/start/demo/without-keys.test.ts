import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../testing/database/database.ts'
import type { Database } from '../../platform/database/open-database.ts'
import { transact } from '../../platform/database/transact.ts'
import { schoolTables } from './fill-school.ts'
import { withoutKeys } from './without-keys.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Keys and indexes of the tables in schema `biz`, as the database writes them. */
async function definitions(): Promise<readonly string[]> {
  const { rows } = await sql<{ text: string }>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as text
    from pg_constraint where connamespace = 'biz'::regnamespace
    union all
    select indexdef from pg_indexes where schemaname = 'biz'
    order by 1`.execute(database.kysely)
  return rows.map(({ text }) => text)
}

it('leaves every key and index as it was, and none while it fills', async () => {
  const before = await definitions()
  const fewer = await transact(database.kysely, async (trx) => {
    let within: readonly string[] = []
    await withoutKeys(trx, schoolTables, async () => {
      const { rows } = await sql<{ text: string }>`
        select conname as text from pg_constraint
        where conrelid = any(${schoolTables}::regclass[]) and contype = 'f'`.execute(trx)
      within = rows.map(({ text }) => text)
    })
    return within
  })
  expect(before.filter((text) => text.includes('FOREIGN KEY')).length).toBeGreaterThan(5)
  expect(fewer).toEqual([])
  expect(await definitions()).toEqual(before)
})

it('refuses rows that break a key, and keeps nothing of them', async () => {
  const before = await definitions()
  const filled = transact(database.kysely, (trx) =>
    withoutKeys(trx, schoolTables, async () => {
      await sql`insert into biz.grade (tenant_id, id, student_id, course_id, term)
        values (10000, 1, 2, 3, '2025-1')`.execute(trx)
    }),
  )
  await expect(filled).rejects.toThrow('grade_')
  expect(await definitions()).toEqual(before)
})
