import type { Migration } from '../migrate.ts'
import { run, schoolTable } from '../columns.ts'

/**
 * Lists that were slow, by the columns and operators they used: no values
 * (docs/rules/database.md#indexes-for-lists).
 */
export const slowListsMigration: Migration = {
  name: '0027-slow-lists',
  up: (db) =>
    run(db, [
      schoolTable(
        'sys.slow_list',
        'tag, uses',
        `tag text not null, uses text not null, calls integer not null, worst_ms integer not null,
         last_at timestamptz not null`,
      ),
    ]),
}
