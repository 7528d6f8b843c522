import type { Migration } from '../migrate.ts'
import { run, schoolTable } from '../columns.ts'

/**
 * Counts the writes to the rows of a school in a table, so that every server knows whether a total it
 * remembers still holds (docs/rules/database.md#counting).
 */
export const tableVersionsMigration: Migration = {
  name: '0020-table-versions',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.table_version',
        'table_name',
        'table_name text not null, version bigint not null',
      ),
      // Updated by every write: room for the next version on the same page.
      'alter table sys.table_version set (fillfactor = 50)',
    ]),
}
