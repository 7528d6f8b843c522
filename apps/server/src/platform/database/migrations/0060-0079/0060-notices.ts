import type { Migration } from '../migrate.ts'
import { run, schoolTable } from '../columns.ts'

/**
 * Notices of flows: messages with the event that they tell of, what is to be sent besides, and the choices of
 * people (docs/rules/contract.md#notices).
 */
export const noticesMigration: Migration = {
  name: '0060-notices',
  up: (db) =>
    run(db, [
      `alter table sys.message add column kind text not null default 'system', add column tag text,
         add column row_id text, add column event_key text`,
      `create unique index sys_message_event_key on sys.message (tenant_id, receiver_id, event_key)
         where event_key is not null`,
      schoolTable(
        'sys.notice_task',
        'id',
        `id bigint not null, receiver_id bigint not null, event_key text not null, channel text not null,
         title text not null, content text not null, next_at timestamptz not null, leased_until timestamptz,
         attempts integer not null default 0, done_at timestamptz, failure text,
         unique (tenant_id, receiver_id, event_key, channel)`,
      ),
      `create index sys_notice_task_due_idx on sys.notice_task (next_at) where done_at is null`,
      schoolTable(
        'sys.notice_choice',
        'user_id, kind, channel',
        `user_id bigint not null, kind text not null, channel text not null, is_on boolean not null`,
      ),
    ]),
}
