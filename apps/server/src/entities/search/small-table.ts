import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import type { MemoryKind } from '../../platform/memory.ts'
import { databaseOf } from '../../platform/database/any-database.ts'

/** Rows that a search reads without an index. */
const smallRows = 50_000
const sizes: MemoryKind<Promise<boolean>> = { name: 'sizes of tables', limit: 1_000, age: 600_000 }

/** Whether the planner expects few rows in the table; views are not small, whatever is behind them. */
export async function isSmallTable(context: Context, { table }: LoadedEntity): Promise<boolean> {
  if ((table.kind ?? 'table') !== 'table') return false
  return await context.memory.share(sizes, `${table.schema}.${table.name}`, async () => {
    const { rows } = await sql<{ rows: number }>`
      select coalesce(sum(c.reltuples), 0)::float8 as rows from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${table.schema}::text and c.relname = ${table.name}::text
    `.execute(databaseOf(context))
    return (rows[0]?.rows ?? 0) < smallRows
  })
}
