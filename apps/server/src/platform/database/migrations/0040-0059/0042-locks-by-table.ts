import { parseJson } from '@jiaowu/api/exact-json'
import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Locks of submitted entry sheets by table and column instead of by tag and the order of a
 * definition's fields (docs/rules/contract.md#entry-sheets). `sheet`: a JSON object of values by
 * column. A lock whose definition names other fields by now locked nothing and is left out.
 */
export const locksByTableMigration: Migration = {
  name: '0042-locks-by-table',
  up: async (db) => {
    const locks = await readLocks(db)
    await run(db, [
      `delete from sys.entry_lock`,
      `alter table sys.entry_lock rename column tag to table_name`,
    ])
    for (const { tenant, table, sheet, user, at } of locks)
      await sql`
        insert into sys.entry_lock (tenant_id, table_name, sheet, user_id, locked_at)
        values (${tenant}::int8, ${table}::text, ${sheet}::text, ${user}::int8, ${at}::timestamptz)
        on conflict do nothing`.execute(db)
  },
}

interface Found {
  readonly tenant: string
  readonly table: string
  readonly by: readonly string[] | null
  readonly fields: readonly { readonly attrName: string; readonly columnName?: string | null }[]
  readonly sheet: string
  readonly user: string
  readonly at: string
}

/** The locks with the sheet named by column. */
async function readLocks(db: Kysely<unknown>): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select distinct on (l.tenant_id, l.tag, l.sheet)
      l.tenant_id::text as tenant, l.sheet, l.user_id::text as user, l.locked_at::text as at,
      coalesce(e.definition->>'schemaName', 'biz') || '.' || (e.definition->>'tableName') as "table",
      e.definition->'options'->'entry'->'by' as by, e.definition->'fields' as fields
    from sys.entry_lock l
    join sys.entity e on e.tag = l.tag and e.tenant_id in (l.tenant_id, 0)
    order by l.tenant_id, l.tag, l.sheet, e.tenant_id desc`.execute(db)
  return rows.flatMap((row) => {
    const values = parseJson(row.sheet) as string[]
    const by = row.by ?? []
    if (by.length === 0 || by.length !== values.length) return []
    const named = by.map((name, i) => {
      const field = row.fields.find(({ attrName }) => attrName === name)
      return [field?.columnName ?? `custom:${name}`, values[i]] as const
    })
    const sheet = Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    return [{ ...row, sheet: JSON.stringify(sheet) }]
  })
}
