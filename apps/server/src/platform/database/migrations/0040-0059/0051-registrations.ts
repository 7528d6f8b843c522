import { index, run, schoolTable } from '../columns.ts'
import { addMenuLeaf } from '../menu-leaf.ts'
import type { Migration } from '../migrate.ts'

const comments = {
  id: '编号',
  org_id: '所属机构',
  create_time: '申请时间',
  update_time: '更新时间',
  student_id: '学生',
  mobile: '申请的手机号',
  state: '状态',
  expires_at: '有效期至',
  decided_by: '审核人',
  decided_at: '审核时间',
}

/**
 * Requests of students to register with a mobile that is not on file (docs/rules/security.md#p2), and the entry
 * of their list in the menus of schools that list orders or reports.
 */
export const registrationsMigration: Migration = {
  name: '0051-registrations',
  up: async (db) => {
    await run(db, [
      schoolTable(
        'biz.registration',
        'id',
        `id bigint not null, org_id bigint, create_user bigint, create_time timestamptz not null default now(),
         update_user bigint, update_time timestamptz not null default now(),
         version integer not null default 1, deleted_at timestamptz,
         student_id bigint not null, mobile text not null, state text not null default 'PENDING'
           check (state in ('PENDING', 'APPROVED', 'REFUSED', 'DONE', 'EXPIRED')),
         expires_at timestamptz not null, decided_by bigint, decided_at timestamptz,
         foreign key (tenant_id, student_id) references biz.student (tenant_id, id) on delete cascade`,
      ),
      `create unique index biz_registration_open_key on biz.registration (tenant_id, student_id, mobile)
         where state in ('PENDING', 'APPROVED') and deleted_at is null`,
      index('biz.registration', 'student_id'),
      index('biz.registration', 'create_time'),
      ...Object.entries(comments).map(
        ([column, comment]) => `comment on column biz.registration.${column} is '${comment}'`,
      ),
    ])
    await addMenuLeaf(db, {
      name: '注册审核',
      nameEn: 'Registrations',
      tag: 'RPT_REGISTRATION',
      icon: 'mobile-phone',
      beside: ['RPT_ORDER', 'RPT_REPORT'],
    })
  },
}
