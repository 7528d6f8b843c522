import { index, run, schoolTable } from '../columns.ts'
import { addMenuLeaf } from '../menu-leaf.ts'
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
  {
    name: '成绩更正',
    nameEn: 'Corrections of grades',
    tag: 'EDU_GRADE_CHANGE',
    icon: 'confirm',
    beside: ['EDU_GRADE'],
  },
  {
    name: '学籍异动',
    nameEn: 'Changes of status',
    tag: 'EDU_STATUS_CHANGE',
    icon: 'swap-horizontal',
    beside: ['EDU_STUDENT'],
  },
]

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
    for (const leaf of leaves) await addMenuLeaf(db, leaf)
  },
}
