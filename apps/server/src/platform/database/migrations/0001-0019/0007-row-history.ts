import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** Changes of each row with values, which the audit log must not hold (docs/rules/security.md#l1). */
const rowHistory = [
  `create table sys.row_history (id bigint primary key, tenant_id bigint not null, tag text not null,
    row_id text not null, action text not null check (action in ('add', 'update', 'delete', 'restore')),
    at timestamptz not null, user_id bigint, changes jsonb not null default '[]')`,
  `create index sys_row_history_of_idx on sys.row_history (tenant_id, tag, row_id, id desc)`,
]

export const rowHistoryMigration: Migration = {
  name: '0007-row-history',
  up: (db) => run(db, rowHistory),
}
