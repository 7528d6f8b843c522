// A folder whose names repeat already stays openable (docs/rules/database.md#names-that-identify).
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { canonicalNamesMigration } from '../../../apps/server/src/platform/database/migrations/0040-0059/0040-canonical-names.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

it('rows that repeat a name are kept, and no other can be added', async () => {
  const db = app.services.database.kysely
  const run = (text: string) => sql.raw(text).execute(db)
  for (const name of ['app_user_account', 'role_code', 'role_name', 'org_code'])
    await run(`drop index sys.sys_${name}_canonical_key`)
  await run('drop function sys.canonical_name')
  const add = (id: number, code: string) =>
    run(`insert into sys.role (id, tenant_id, code, name)
      values (${id}, 10000, '${code}', '${code} ${id}')`)
  await add(901, 'Proctor')
  await add(902, 'proctor')
  await canonicalNamesMigration.up(db as never)
  await expect(add(903, 'PROCTOR')).rejects.toThrow('sys_role_code_canonical_key')
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from sys.role where tenant_id = 10000 and code ilike 'proctor'`.execute(db)
  expect(rows).toEqual([{ n: '2' }])
})
