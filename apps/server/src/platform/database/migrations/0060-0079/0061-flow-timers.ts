import { index, reference, run, schoolTable } from '../columns.ts'
import { addMenuLeaf } from '../menu-leaf.ts'
import type { Migration } from '../migrate.ts'

const comments = {
  id: '编号',
  org_id: '所属机构',
  create_time: '创建时间',
  update_time: '更新时间',
  day: '日期',
  name: '名称',
  is_work: '是否工作日',
}

/** Timers of flows, and the calendar that counts their working days (docs/rules/contract.md#flows). */
export const flowTimersMigration: Migration = {
  name: '0061-flow-timers',
  up: async (db) => {
    await run(db, [
      schoolTable(
        'sys.flow_timer',
        'id',
        `id bigint not null, case_id bigint not null, event text not null, next_at timestamptz not null,
         leased_until timestamptz, attempts integer not null default 0, done_at timestamptz, failure text,
         unique (tenant_id, case_id, event), ${reference('case_id', 'sys.flow_case')}`,
      ),
      `create index sys_flow_timer_due_idx on sys.flow_timer (next_at) where done_at is null`,
      schoolTable(
        'sys.calendar_day',
        'id',
        `id bigint not null, org_id bigint, create_user bigint, create_time timestamptz not null default now(),
         update_user bigint, update_time timestamptz not null default now(),
         version integer not null default 1, deleted_at timestamptz,
         day date not null, name text not null, is_work text not null default '0'`,
      ),
      `create unique index sys_calendar_day_day_key on sys.calendar_day (tenant_id, day)
         where deleted_at is null`,
      index('sys.calendar_day', 'create_time'),
      ...Object.entries(comments).map(
        ([column, comment]) => `comment on column sys.calendar_day.${column} is '${comment}'`,
      ),
    ])
    await addMenuLeaf(db, {
      name: '工作日历',
      nameEn: 'Working calendar',
      tag: 'SYS_CALENDAR_DAY',
      icon: 'calendar',
      beside: ['SYS_PARAM'],
    })
  },
}
