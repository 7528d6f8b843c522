import { run, schoolTable } from '../columns.ts'
import type { Migration } from '../migrate.ts'

/**
 * The schema of tables that designers make in the product, and what they have changed in tables
 * (docs/rules/database.md#tables-made-in-the-product). A table belongs to the school whose row made it.
 */
export const formTablesMigration: Migration = {
  name: '0075-form-tables',
  up: (db) =>
    run(db, [
      `create schema if not exists form`,
      schoolTable(
        'sys.table_change',
        'id',
        `id bigint not null, schema_name text not null, table_name text not null,
         kind text not null check (kind in ('create', 'drop', 'add', 'archive', 'restore')),
         column_name text, plan jsonb not null, statements text not null,
         undone_by bigint, create_user bigint, create_time timestamptz not null default now()`,
      ),
      `create index sys_table_change_table_idx on sys.table_change (tenant_id, schema_name, table_name, id)`,
    ]),
}
