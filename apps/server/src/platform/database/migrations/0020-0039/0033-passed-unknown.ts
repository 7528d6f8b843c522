import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** A grade without a mark is neither passed nor failed. */
export const passedUnknownMigration: Migration = {
  name: '0033-passed-unknown',
  up: (db) =>
    run(db, [
      `alter table biz.grade alter column passed drop not null, alter column passed drop default`,
      `update biz.grade set passed = null where score is null and passed is not null`,
    ]),
}
