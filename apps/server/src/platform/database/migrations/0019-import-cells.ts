import type { Migration } from '../migrate.ts'
import { run } from './columns.ts'

/**
 * What reading changed in the cells of a row (`tidied`: attrName to the cell's text), and cells
 * corrected during the review: wire values as JSON, encrypted where their column is.
 */
export const importCellsMigration: Migration = {
  name: '0019-import-cells',
  up: (db) =>
    run(db, [
      'alter table sys.job_row add column tidied jsonb',
      `create table sys.job_cell (
        tenant_id bigint not null, job_id bigint not null references sys.job(id) on delete cascade,
        row_no integer not null, attr_name text not null, value jsonb not null,
        primary key (job_id, row_no, attr_name))`,
    ]),
}
