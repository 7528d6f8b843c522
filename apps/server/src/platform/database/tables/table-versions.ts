// A number per school and table that every write raises in its own transaction (../finish-write.ts).
import { type RawBuilder, sql } from 'kysely'

/** The version as of the statement's snapshot; '0' before the first write. */
export function tableVersion(tenant: string, table: string): RawBuilder<string> {
  return sql`coalesce((select tv.version from sys.table_version tv
    where tv.tenant_id = ${tenant}::int8 and tv.table_name = ${table}::text), 0)::text`
}
