// A number per school and table that every write raises in its own transaction (../finish-write.ts).
import { type RawBuilder, sql } from 'kysely'

/** The versions of several tables as one text, which changes with a write to any of them. */
export function tableVersions(tenant: string, tables: readonly string[]): RawBuilder<string> {
  const [first = '', ...more] = tables.map((table) => tableVersion(tenant, table))
  return more.length === 0 ? sql`${first}` : sql`concat_ws(' ', ${sql.join([first, ...more])})`
}

/** The version as of the statement's snapshot; '0' before the first write. */
function tableVersion(tenant: string, table: string): RawBuilder<string> {
  return sql`coalesce((select tv.version from sys.table_version tv
    where tv.tenant_id = ${tenant}::int8 and tv.table_name = ${table}::text), 0)::text`
}
