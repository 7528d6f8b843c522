import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../testing/database/database.ts'

it('keeps the audit log append-only', async () => {
  const database = await testDatabase()
  const { kysely } = database
  await kysely
    .insertInto('sys.audit_log')
    .values({
      id: '1',
      tenant_id: '10000',
      user_id: null,
      account: null,
      ip: null,
      action: 'test',
      object: null,
      object_id: null,
      result: 'ok',
      detail: '{}',
      trace_id: null,
      prev_hash: '',
      hash: 'a',
    })
    .execute()
  await expect(
    kysely.updateTable('sys.audit_log').set({ action: 'other' }).execute(),
  ).rejects.toThrow('append-only')
  await expect(kysely.deleteFrom('sys.audit_log').execute()).rejects.toThrow('append-only')
  await database.close()
})

it('comments every business column, because the designer uses comments as labels', async () => {
  const database = await testDatabase()
  const { rows } = await sql<{ name: string }>`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'biz' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and
    col_description(c.oid, a.attnum) is null
      and a.attname not in ('tenant_id', 'create_user', 'update_user', 'version', 'deleted_at')`.execute(
    database.kysely,
  )
  expect(rows).toEqual([])
  await database.close()
})
