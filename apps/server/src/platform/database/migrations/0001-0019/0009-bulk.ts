import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** Bulk changes are jobs without a file. */
export const bulkMigration: Migration = {
  name: '0009-bulk',
  up: (db) =>
    run(db, [
      'alter table sys.job alter column file drop not null',
      'alter table sys.job alter column choice_hash drop not null',
      // A runner looks for the oldest job of its kind.
      `create index sys_job_waiting_idx on sys.job (kind, id) where status in ('queued', 'running',
        'paused')`,
      'drop index if exists sys.sys_job_open_idx',
    ]),
}
