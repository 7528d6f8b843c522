import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { snowflake } from '../../../id.ts'
import { index, run, schoolTable } from '../columns.ts'
import type { Migration } from '../migrate.ts'

const standard = `id bigint not null, org_id bigint, create_user bigint,
  create_time timestamptz not null default now(), update_user bigint,
  update_time timestamptz not null default now(), version integer not null default 1, deleted_at timestamptz`
const comments = {
  'biz.grade_change': {
    id: '编号',
    org_id: '所属机构',
    create_time: '创建时间',
    update_time: '更新时间',
    grade_id: '成绩',
    old_score: '原成绩',
    score: '更正后成绩',
    reason: '更正原因',
    state: '状态',
  },
  'biz.status_change': {
    id: '编号',
    org_id: '所属机构',
    create_time: '创建时间',
    update_time: '更新时间',
    student_id: '学生',
    kind: '异动类别',
    term: '生效学期',
    reason: '异动原因',
    state: '状态',
  },
}
const leaves = [
  ['成绩更正', 'Corrections of grades', 'EDU_GRADE_CHANGE', 'confirm', 'EDU_GRADE'],
  ['学籍异动', 'Changes of status', 'EDU_STATUS_CHANGE', 'swap-horizontal', 'EDU_STUDENT'],
] as const

/** Requests that offices decide on, and their entries in the menus of schools that list what they change. */
export const shippedFlowsMigration: Migration = {
  name: '0065-shipped-flows',
  up: async (db) => {
    await run(db, [
      schoolTable(
        'biz.grade_change',
        'id',
        `${standard}, grade_id bigint not null, old_score numeric(5,1), score numeric(5,1) not null,
         reason text not null, state text not null,
         foreign key (tenant_id, grade_id) references biz.grade (tenant_id, id)`,
      ),
      index('biz.grade_change', 'grade_id'),
      index('biz.grade_change', 'create_time'),
      schoolTable(
        'biz.status_change',
        'id',
        `${standard}, student_id bigint not null, kind text not null, term text not null,
         reason text not null, state text not null,
         foreign key (tenant_id, student_id) references biz.student (tenant_id, id)`,
      ),
      index('biz.status_change', 'student_id'),
      index('biz.status_change', 'create_time'),
      ...Object.entries(comments).flatMap(([table, columns]) =>
        Object.entries(columns).map(
          ([column, comment]) => `comment on column ${table}.${column} is '${comment}'`,
        ),
      ),
    ])
    await addLeaves(db)
  },
}

async function addLeaves(db: Kysely<unknown>): Promise<void> {
  const newId = snowflake(randomInt(1024))
  for (const [name, nameEn, tag, icon, beside] of leaves) {
    const { rows } = await sql<{ tenant_id: string; pid: string; sort: number }>`
      select distinct on (m.tenant_id) m.tenant_id::text as tenant_id, m.pid::text as pid,
        (select max(s.sort) from sys.menu s where s.tenant_id = m.tenant_id and s.pid = m.pid)::int4 as sort
      from sys.menu m
      where m.tag = ${beside}::text and m.deleted_at is null
      order by m.tenant_id, m.id`.execute(db)
    for (const { tenant_id, pid, sort } of rows)
      await sql`
        insert into sys.menu (id, tenant_id, pid, name, name_en, path, icon, tag, sort)
        values (${newId()}::int8, ${tenant_id}::int8, ${pid}::int8, ${name}, ${nameEn},
          ${`/entity/${tag}/search`}, ${icon}, ${tag}, ${sort + 1}::int4)`.execute(db)
  }
}
