import { type Kysely, sql } from 'kysely'

/** The columns of every table with rows of tenants. The program assigns `id`. */
const standardColumns = `
  id bigint primary key,
  tenant_id bigint not null,
  org_id bigint,
  create_user bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  version integer not null default 1,
  deleted_at timestamptz`

/** Runs statements one after another. Only for constant texts of migrations. */
export async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A table of migrations up to 0017, with the standard columns; migration 0018 has rebuilt its key. */
export function table(name: string, columns: string): string {
  return `create table ${name} (${standardColumns},${columns})`
}
/** A table of rows of schools. `key` identifies a row within its school. */
export function schoolTable(name: string, key: string, columns: string): string {
  return `create table ${name} (tenant_id bigint not null, ${columns}, primary key (tenant_id, ${key}))`
}
/** A foreign key to a row of the same school. */
export function reference(column: string, target: string): string {
  return `foreign key (tenant_id, ${column}) references ${target} (tenant_id, id)`
}
/** Unique per tenant among the rows outside the recycle bin. */
export function unique(name: string, columns: string): string {
  return `create unique index ${indexName(name, columns)}_key on ${name} (tenant_id, ${columns})
    where deleted_at is null`
}
export function index(name: string, columns: string): string {
  return `create index ${indexName(name, columns)}_idx on ${name} (tenant_id, ${columns})`
}
/** An index of the rows outside the recycle bin, so that lists can count with an index-only scan. */
export function liveIndex(name: string, columns: string): string {
  return `create index ${indexName(name, columns)}_live on ${name} (tenant_id, ${columns})
    where deleted_at is null`
}

function indexName(table: string, columns: string): string {
  return `${table.replace('.', '_')}_${columns.replace(/[^a-z_]+/g, '_')}`
}
