import { type Kysely, sql } from 'kysely'

/** The columns every tenant's table has; `id` is given by the program. */
export const kept = `
  id bigint primary key,
  tenant_id bigint not null,
  org_id bigint,
  create_user bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  version integer not null default 1,
  deleted_at timestamptz`

/** Runs statements one by one. Only for constant text of migrations: nothing from outside ever reaches it. */
export async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A table with the kept columns. */
export function table(name: string, columns: string): string {
  return `create table ${name} (${kept},${columns})`
}
/** Unique among the rows that are not in the recycle bin, per tenant. */
export function unique(name: string, columns: string): string {
  return `create unique index ${name.replace('.', '_')}_${columns.replace(/[^a-z_]+/g, '_')}_key on ${name} (tenant_id, ${columns}) where deleted_at is null`
}
export function index(name: string, columns: string): string {
  return `create index ${name.replace('.', '_')}_${columns.replace(/[^a-z_]+/g, '_')}_idx on ${name} (tenant_id, ${columns})`
}
/** An index of the rows that are not in the recycle bin, per tenant: as lists ask, so that a count need not look at the rows. */
export function live(name: string, columns: string): string {
  return `create index ${name.replace('.', '_')}_${columns.replace(/[^a-z_]+/g, '_')}_live on ${name} (tenant_id, ${columns}) where deleted_at is null`
}
