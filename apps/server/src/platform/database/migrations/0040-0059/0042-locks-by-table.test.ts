import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../../testing/database/database.ts'
import { quietLog } from '../../../../../testing/quiet-log.ts'
import { migrate } from '../migrate.ts'
import { run } from '../columns.ts'
import { migrations } from '../index.ts'

const before = migrations.filter(({ name }) => name < '0042')
const upToHere = migrations.filter(({ name }) => name < '0043')

const definition = (by: readonly string[]) =>
  JSON.stringify({
    schemaName: 'biz',
    tableName: 'grade',
    options: { entry: { by } },
    fields: [
      { attrName: 'course', columnName: 'course_id' },
      { attrName: 'term', columnName: 'term' },
    ],
  })

it('names locked sheets by table and column, by the definition of their school', async () => {
  const database = await testDatabase({ blank: true })
  const db = database.kysely as unknown as Kysely<unknown>
  await migrate(db, before, quietLog)
  await run(db, [`delete from sys.entity where tag = 'EDU_GRADE'`])
  for (const [id, tenant, by] of [
    [1, 0, ['course', 'term']],
    [2, 10001, ['term', 'course']],
  ] as const)
    await sql`
      insert into sys.entity (id, tenant_id, tag, name, definition, version)
      values (${id}::int8, ${tenant}::int8, 'EDU_GRADE', 'x', ${definition(by)}::jsonb, 1)`.execute(
      db,
    )
  const rows = [
    [10000, '["7","2026-1"]'],
    [10001, '["2026-1","8"]'],
    // A sheet of a definition that had one field more: it locked nothing.
    [10001, '["2026-1","8","9"]'],
  ] as const
  for (const [tenant, sheet] of rows)
    await sql`
      insert into sys.entry_lock (tenant_id, tag, sheet, user_id, locked_at)
      values (${tenant}::int8, 'EDU_GRADE', ${sheet}::text, 5, '2026-03-01')`.execute(db)
  await migrate(db, upToHere, quietLog)
  const { rows: after } = await sql`
    select tenant_id::text as tenant, table_name, sheet, user_id::text as "user"
    from sys.entry_lock order by tenant_id`.execute(db)
  expect(after).toEqual([
    {
      tenant: '10000',
      table_name: 'biz.grade',
      sheet: '{"course_id":"7","term":"2026-1"}',
      user: '5',
    },
    {
      tenant: '10001',
      table_name: 'biz.grade',
      sheet: '{"course_id":"8","term":"2026-1"}',
      user: '5',
    },
  ])
  await database.close()
})
