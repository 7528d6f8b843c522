import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** Submitted entry sheets (docs/rules/contract.md#entry-sheets). `sheet`: JSON of their values. */
export const entryLocksMigration: Migration = {
  name: '0025-entry-locks',
  up: (db) =>
    run(db, [
      `create table sys.entry_lock (
        tenant_id bigint not null,
        tag text not null,
        sheet text not null,
        user_id bigint not null,
        locked_at timestamptz not null,
        primary key (tenant_id, tag, sheet)
      )`,
    ]),
}
