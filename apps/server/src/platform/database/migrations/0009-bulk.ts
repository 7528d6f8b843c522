import type { Migration } from '../migrate.ts'
import { run } from './columns.ts'

/** Changes of many rows are jobs without a file (contract: bulk). */
export const bulkMigration: Migration = {
  name: '0009-bulk',
  up: (db) =>
    run(db, [
      'alter table sys.job alter column file drop not null',
      'alter table sys.job alter column choice_hash drop not null',
      // A run looks for the oldest job of its own kind.
      `create index sys_job_waiting_idx on sys.job (kind, id) where status in ('queued', 'running', 'paused')`,
      'drop index if exists sys.sys_job_open_idx',
    ]),
}
