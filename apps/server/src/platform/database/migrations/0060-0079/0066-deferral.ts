import { index, run, schoolTable } from '../columns.ts'
import { addMenuLeaf } from '../menu-leaf.ts'
import type { Migration } from '../migrate.ts'

const comments = {
  id: '编号',
  org_id: '所属机构',
  create_time: '创建时间',
  update_time: '更新时间',
  student_id: '学生',
  term: '学期',
  grade_id: '课程成绩',
  reason: '缓考原因',
  state: '状态',
}

/** Applications to defer an exam, and their entry in the menus of schools that list grades. */
export const deferralMigration: Migration = {
  name: '0066-deferral',
  up: async (db) => {
    await run(db, [
      schoolTable(
        'biz.deferral',
        'id',
        `id bigint not null, org_id bigint, create_user bigint,
         create_time timestamptz not null default now(), update_user bigint,
         update_time timestamptz not null default now(), version integer not null default 1,
         deleted_at timestamptz, student_id bigint not null, term text not null, grade_id bigint not null,
         reason text not null, state text not null,
         foreign key (tenant_id, student_id) references biz.student (tenant_id, id),
         foreign key (tenant_id, grade_id) references biz.grade (tenant_id, id)`,
      ),
      index('biz.deferral', 'student_id'),
      index('biz.deferral', 'grade_id'),
      index('biz.deferral', 'create_time'),
      ...Object.entries(comments).map(
        ([column, comment]) => `comment on column biz.deferral.${column} is '${comment}'`,
      ),
    ])
    await addMenuLeaf(db, {
      name: '缓考',
      nameEn: 'Deferred exams',
      tag: 'EDU_DEFERRAL',
      icon: 'time',
      beside: ['EDU_GRADE'],
    })
  },
}
