import type { Migration } from '../migrate.ts'
import { run } from './columns.ts'

/** How wide a person left the columns of a list: `{"name": 180}`. It is theirs alone, and no part of any view. */
export const columnWidthsMigration: Migration = {
  name: '0012-column-widths',
  up: (db) => run(db, ['alter table sys.list_layout add column widths jsonb']),
}
