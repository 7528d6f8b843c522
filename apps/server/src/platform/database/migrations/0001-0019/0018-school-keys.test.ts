import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../../testing/database/database.ts'
import { quietLog } from '../../../../../testing/quiet-log.ts'
import { migrate } from '../migrate.ts'
import { run } from '../columns.ts'
import { migrations } from '../index.ts'

const before = migrations.filter(({ name }) => name < '0018')
const upToHere = migrations.filter(({ name }) => name < '0019')

const rows = [
  `insert into biz.faculty (id, tenant_id, code, name) values (1, 10000, 'A', 'a'), (2, 10001, 'A', 'a')`,
  `insert into biz.teacher (id, tenant_id, teacher_no, name, faculty_id) values
    (1, 10000, '1', 'a', 1), (2, 10001, '1', 'b', 2), (3, 10000, '2', 'without a faculty', null)`,
  `insert into sys.job (id, tenant_id, user_id, kind, tag, status, phase, options, locale)
    values (7, 10000, 1, 'bulk', 'T', 'done', 'finished', '{}', 'en')`,
  `insert into sys.job_row (job_id, row_no, verdict, name) values (7, 1, 'f', 'x'), (7, 2, 's', 'y')`,
  // A table that the school's own staff have added.
  `create table biz.visit (id bigint primary key, teacher_id bigint references biz.teacher(id))`,
  `insert into biz.visit values (1, 3)`,
]

/** Every row of every table but the list of migrations. */
async function readAllRows(db: Kysely<unknown>) {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('biz', 'sys') and c.relkind = 'r' and c.relname <> 'migration'
    order by 1`.execute(db)
  const content: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows: found } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.raw(name)} t order by to_jsonb(t)::text`.execute(db)
    if (found.length > 0) content[name] = found.map(({ row }) => row)
  }
  return content
}

it('keeps every row, gives rows of jobs their school, and keeps the keys of added tables', async () => {
  const database = await testDatabase({ blank: true })
  const db = database.kysely as unknown as Kysely<unknown>
  await migrate(db, before, quietLog)
  await run(db, rows)
  const content = await readAllRows(db)
  await migrate(db, upToHere, quietLog)
  const after = await readAllRows(db)
  const jobRows = after['sys.job_row'] as Record<string, unknown>[]
  expect(jobRows.map(({ tenant_id }) => tenant_id)).toEqual([10000, 10000])
  for (const row of jobRows) delete row['tenant_id']
  expect(after).toEqual(content)

  const write = (text: string) => run(db, [text])
  await expect(write('insert into biz.visit values (2, 99)')).rejects.toThrow('visit_teacher_id')
  await expect(write('update biz.teacher set faculty_id = 2 where id = 1')).rejects.toThrow(
    'teacher_faculty_id_fkey',
  )
  await expect(
    write(`insert into biz.faculty (id, tenant_id, code, name) values (1, 10000, 'B', 'b')`),
  ).rejects.toThrow('faculty_pkey')
  await database.close()
})

it('leaves a reference to another school as it is, and refuses new ones', async () => {
  const database = await testDatabase({ blank: true })
  const db = database.kysely as unknown as Kysely<unknown>
  await migrate(db, before, quietLog)
  await run(db, [...rows, 'update biz.teacher set faculty_id = 2 where id = 1'])
  await migrate(db, migrations, quietLog)
  const { rows: invalid } = await sql<{ name: string }>`
    select conname::text as name from pg_constraint where not convalidated`.execute(db)
  expect(invalid).toEqual([{ name: 'teacher_faculty_id_fkey' }])
  await expect(run(db, ['update biz.teacher set faculty_id = 2 where id = 3'])).rejects.toThrow(
    'teacher_faculty_id_fkey',
  )
  await database.close()
})
