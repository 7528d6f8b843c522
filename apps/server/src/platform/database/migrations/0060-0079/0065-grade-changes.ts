import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { snowflake } from '../../../id.ts'
import { index, run, schoolTable } from '../columns.ts'
import type { Migration } from '../migrate.ts'

const comments = {
  id: '编号',
  org_id: '所属机构',
  create_time: '创建时间',
  update_time: '更新时间',
  grade_id: '成绩',
  old_score: '原成绩',
  score: '更正后成绩',
  reason: '更正原因',
  state: '状态',
}

/** Requests to correct a grade, and their entry in the menus of schools that list grades. */
export const gradeChangesMigration: Migration = {
  name: '0065-grade-changes',
  up: async (db) => {
    await run(db, [
      schoolTable(
        'biz.grade_change',
        'id',
        `id bigint not null, org_id bigint, create_user bigint, create_time timestamptz not null default now(),
         update_user bigint, update_time timestamptz not null default now(),
         version integer not null default 1, deleted_at timestamptz,
         grade_id bigint not null, old_score numeric(5,1), score numeric(5,1) not null,
         reason text not null, state text not null,
         foreign key (tenant_id, grade_id) references biz.grade (tenant_id, id)`,
      ),
      index('biz.grade_change', 'grade_id'),
      index('biz.grade_change', 'create_time'),
      ...Object.entries(comments).map(
        ([column, comment]) => `comment on column biz.grade_change.${column} is '${comment}'`,
      ),
    ])
    await addLeaf(db)
  },
}

async function addLeaf(db: Kysely<unknown>): Promise<void> {
  const newId = snowflake(randomInt(1024))
  const { rows } = await sql<{ tenant_id: string; pid: string; sort: number }>`
    select distinct on (m.tenant_id) m.tenant_id::text as tenant_id, m.pid::text as pid,
      (select max(s.sort) from sys.menu s where s.tenant_id = m.tenant_id and s.pid = m.pid)::int4 as sort
    from sys.menu m
    where m.tag = 'EDU_GRADE' and m.deleted_at is null
    order by m.tenant_id, m.id`.execute(db)
  for (const { tenant_id, pid, sort } of rows)
    await sql`
      insert into sys.menu (id, tenant_id, pid, name, name_en, path, icon, tag, sort)
      values (${newId()}::int8, ${tenant_id}::int8, ${pid}::int8, '成绩更正', 'Corrections of grades',
        '/entity/EDU_GRADE_CHANGE/search', 'confirm', 'EDU_GRADE_CHANGE', ${sort + 1}::int4)`.execute(
      db,
    )
}
