// A number per school and table that every write raises in its own transaction.
import { type RawBuilder, sql } from 'kysely'
import { type AnyTransaction, beforeCommit } from '../transact.ts'

/** By transaction: school and names of the tables it has written to. */
const written = new WeakMap<object, { readonly tenant: string; readonly tables: Set<string> }[]>()

/**
 * Raises the version of a table (`biz.student`) at the end of the transaction, so that its lock is held
 * for the commit only. Tables are locked in the order of their names.
 */
export function markWritten(trx: AnyTransaction, tenant: string, table: string): void {
  const schools = written.get(trx) ?? []
  const known = schools.find((each) => each.tenant === tenant)
  if (known !== undefined) {
    known.tables.add(table)
    return
  }
  const tables = new Set([table])
  written.set(trx, [...schools, { tenant, tables }])
  beforeCommit(trx, () => raiseVersions(trx, tenant, [...tables].sort()), { first: true })
}

async function raiseVersions(
  trx: AnyTransaction,
  tenant: string,
  tables: readonly string[],
): Promise<void> {
  await sql`
    insert into sys.table_version (tenant_id, table_name, version)
    select ${tenant}::int8, x.name, 1 from unnest(${tables}::text[]) as x(name)
    on conflict (tenant_id, table_name)
      do update set version = sys.table_version.version + 1`.execute(trx)
}

/** The version as of the statement's snapshot; '0' before the first write. */
export function tableVersion(tenant: string, table: string): RawBuilder<string> {
  return sql`coalesce((select tv.version from sys.table_version tv
    where tv.tenant_id = ${tenant}::int8 and tv.table_name = ${table}::text), 0)::text`
}
