import { reference, run, schoolTable } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/** Programs that are told of writes, and the calls to them (docs/rules/contract.md#hooks). */
export const hooksMigration: Migration = {
  name: '0082-hooks',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.hook',
        'id',
        `id bigint not null, name text not null, url text not null, tag text not null, events text[] not null,
         secret text not null, create_user bigint not null, create_time timestamptz not null`,
      ),
      schoolTable(
        'sys.hook_delivery',
        'id',
        `id bigint not null, hook_id bigint not null, row_key text not null, event text not null,
         content text not null, status integer, create_time timestamptz not null, next_at timestamptz not null,
         leased_until timestamptz, attempts integer not null default 0, done_at timestamptz, failure text,
         ${reference('hook_id', 'sys.hook')} on delete cascade`,
      ),
      `create index sys_hook_delivery_due_idx on sys.hook_delivery (next_at) where done_at is null`,
      `create index sys_hook_delivery_row_idx on sys.hook_delivery (tenant_id, hook_id, row_key, id)
       where done_at is null`,
      `create index sys_hook_delivery_list_idx on sys.hook_delivery (tenant_id, hook_id, id)`,
    ]),
}
