// Facts about the stored values of tables that are drafted: how long texts are, which values a column with
// a list of choices holds, and whether all rows share one value.
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { identifier, tableName } from '../../model/definition/names.ts'
import { familyOf } from '../../model/fields/column.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { readComment } from './choices.ts'
import { type InspectedColumn, type InspectedTable, ofSchool, type StoredFacts } from './inspect.ts'

/** Rows whose texts are measured. */
const measured = 1_000
/** Rows whose values are compared with a list of choices. */
const compared = 10_000
const mostValues = 60
const tablesPerStatement = 20

/** The tables with the facts of their columns. Views and foreign tables are not run for them. */
export async function withStoredFacts(
  context: Context,
  tables: readonly InspectedTable[],
): Promise<readonly InspectedTable[]> {
  const plain = tables.filter(
    (table) => table.catalog.kind === 'table' && table.columns.some(isMeasured),
  )
  const found = new Map<InspectedTable, ReadonlyMap<string, StoredFacts>>()
  for (let i = 0; i < plain.length; i += tablesPerStatement)
    await readFacts(context, plain.slice(i, i + tablesPerStatement), found)
  return tables.map((table) => {
    const facts = found.get(table)
    return facts === undefined
      ? table
      : {
          ...table,
          columns: table.columns.map((column) => {
            const stored = facts.get(column.name)
            return stored === undefined ? column : { ...column, stored }
          }),
        }
  })
}

function isMeasured(column: InspectedColumn): boolean {
  return ['text', 'integer'].includes(familyOf(column) ?? '') || column.type === 'uuid'
}

const hasListedChoices = ({ comment }: InspectedColumn) => readComment(comment).choices !== null

interface FactsRow {
  at: number
  longest: (number | null)[]
  lines: (boolean | null)[]
  kinds: number[]
  rows: number
  values: Record<string, string[]>
}

async function readFacts(
  context: Context,
  tables: readonly InspectedTable[],
  found: Map<InspectedTable, ReadonlyMap<string, StoredFacts>>,
): Promise<void> {
  const { rows } = await sql<FactsRow>`
    ${sql.join(
      tables.map((table, at) => selectFacts(table, at, context.subject.tenant)),
      sql` union all `,
    )}`.execute(databaseOf(context))
  for (const row of rows) {
    const table = tables[row.at]
    if (table === undefined || row.rows === 0) continue
    const facts = table.columns.filter(isMeasured).map(({ name }, at) => {
      const [kinds = 0, longest = null] = [row.kinds[at], row.longest[at]]
      return [
        name,
        {
          longest,
          hasLines: row.lines[at] === true,
          isShared: row.rows > 1 && kinds <= 1,
          values: row.values[name] ?? [],
        },
      ] as const
    })
    found.set(table, new Map(facts))
  }
}

function selectFacts(table: InspectedTable, at: number, tenant: string): RawBuilder<unknown> {
  const columns = table.columns.filter(isMeasured)
  const from = sql`${tableName(table.schema, table.name)} ${ofSchool(table.catalog, tenant)}`
  const names = columns.map(({ name }) => identifier(name))
  const each = (build: (name: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    sql.join(names.map((name) => build(sql`${name}`)))
  const values = columns.filter(hasListedChoices).map(
    ({ name }) => sql`${name}::text, array(
      select distinct btrim(value) from (
        select ${identifier(name)}::text as value from ${from} limit ${compared}
      ) as looked where btrim(value) <> '' limit ${mostValues})`,
  )
  return sql`select ${at}::int4 as at,
    array[${each((name) => sql`max(length(${name}::text))`)}]::int4[] as longest,
    array[${each((name) => sql`bool_or(${name}::text ~ '[\r\n]')`)}] as lines,
    array[${each((name) => sql`count(distinct ${name}::text)`)}]::int4[] as kinds,
    count(*)::int4 as rows,
    jsonb_build_object(${sql.join(values)}) as values
    from (select ${sql.join(names)} from ${from} limit ${measured}) as measured`
}
