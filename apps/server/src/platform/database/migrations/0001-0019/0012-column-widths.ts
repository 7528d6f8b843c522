import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** Column widths chosen by a user per list: `{"name": 180}`. They belong to no view. */
export const columnWidthsMigration: Migration = {
  name: '0012-column-widths',
  up: (db) => run(db, ['alter table sys.list_layout add column widths jsonb']),
}
