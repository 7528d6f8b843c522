import type { Migration } from '../migrate.ts'
import { reference, run, schoolTable } from '../columns.ts'

/**
 * Changes of reading in the cells of a row (`tidied`: attrName to the cell's text), and cells
 * corrected during the review: wire values as JSON, encrypted where their column is.
 */
export const importCellsMigration: Migration = {
  name: '0019-import-cells',
  up: (db) =>
    run(db, [
      'alter table sys.job_row add column tidied jsonb',
      schoolTable(
        'sys.job_cell',
        'job_id, row_no, attr_name',
        `job_id bigint not null, row_no integer not null, attr_name text not null,
          value jsonb not null`,
      ),
      `alter table sys.job_cell add constraint job_cell_job_id_fkey
        ${reference('job_id', 'sys.job')} on delete cascade`,
    ]),
}
