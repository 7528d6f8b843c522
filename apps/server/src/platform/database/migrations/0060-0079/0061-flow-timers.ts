import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { snowflake } from '../../../id.ts'
import { index, reference, run, schoolTable } from '../columns.ts'
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
    await addLeaf(db)
  },
}

/** The entry of the calendar, in the menus of schools that list their parameters. */
async function addLeaf(db: Kysely<unknown>): Promise<void> {
  const newId = snowflake(randomInt(1024))
  const { rows } = await sql<{ tenant_id: string; pid: string; sort: number }>`
    select m.tenant_id::text as tenant_id, m.pid::text as pid,
      (select max(s.sort) from sys.menu s where s.tenant_id = m.tenant_id and s.pid = m.pid)::int4 as sort
    from sys.menu m
    where m.tag = 'SYS_PARAM' and m.deleted_at is null
    order by m.tenant_id`.execute(db)
  for (const { tenant_id, pid, sort } of rows)
    await sql`
      insert into sys.menu (id, tenant_id, pid, name, name_en, path, icon, tag, sort)
      values (${newId()}::int8, ${tenant_id}::int8, ${pid}::int8, '工作日历', 'Working calendar',
        '/entity/SYS_CALENDAR_DAY/search', 'calendar', 'SYS_CALENDAR_DAY', ${sort + 1}::int4)`.execute(
      db,
    )
}
