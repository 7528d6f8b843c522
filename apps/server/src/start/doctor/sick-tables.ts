import { sql } from 'kysely'
import { databaseOf } from '../../platform/database/any-database.ts'
import { isUnavailable } from '../../platform/database/problems.ts'
import type { Open } from './finding.ts'

export interface SickTable {
  readonly table: string
  readonly message: string
}

/** Reads every value of every table of the server. */
export async function findSickTables(patient: Open): Promise<SickTable[]> {
  const db = databaseOf(patient)
  const schemas = [...new Set(['sys', 'biz', ...patient.settings.businessSchemas])]
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname::text as schema, c.relname::text as name from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas}::text[]) and c.relkind = 'r'
      and has_table_privilege(c.oid, 'select') order by 1, 2`.execute(db)
  const sick: SickTable[] = []
  await patient.database.long(async () => {
    for (const { schema, name } of tables)
      try {
        await sql`select sum(hashtext(t::text)::int8), 'doctor' as by from ${sql.table(`${schema}.${name}`)} t`.execute(
          db,
        )
      } catch (error) {
        if (isUnavailable(error)) throw error
        const message = error instanceof Error ? error.message : String(error)
        sick.push({ table: `${schema}.${name}`, message })
      }
  })
  return sick
}
