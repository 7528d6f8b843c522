import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/** Runs of a custom SQL that exceeded their time, by a hash of its text. */
export const customSqlCutsMigration: Migration = {
  name: '0016-custom-sql-cuts',
  up: (db) =>
    run(db, [
      `create table sys.custom_sql_cut (
        tenant_id bigint not null,
        digest text not null,
        cuts integer not null,
        last_cut timestamptz not null,
        primary key (tenant_id, digest)
      )`,
    ]),
}
