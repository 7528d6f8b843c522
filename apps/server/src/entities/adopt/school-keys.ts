// Tables from elsewhere that are tables of schools: an entity on them says so, or the catalog does, where
// `tenant_id` stands in their key, or spreads them over a cluster, and holds numbers of schools. They are
// drafted as such, without a question.
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import { tableName } from '../../model/definition/names.ts'
import { canBeSystem, isOwnSchema } from '../../model/definition/school-columns.ts'
import { withinSchool } from '../../model/definition/school-tables.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { type InspectedTable, inspectTables, type ListedTable } from './inspect.ts'

/** As `inspectTables`, with the keys of one school for tables of schools. */
export async function inspectForDraft(
  context: Pick<Context, 'database' | 'registry' | 'subject'>,
  listed: readonly ListedTable[],
): Promise<readonly InspectedTable[]> {
  const db = databaseOf(context)
  const tables = await inspectTables(context, listed)
  const spread = await spreadBySchool(db, listed)
  const entities = await context.registry.all(context.subject.tenant)
  const adopted = new Set(entities.filter((each) => each.has('tenant_id')).map(tableKey))
  const open = tables.filter((table) => holdsNumbers(table))
  const likely = open.filter(
    (table) =>
      !adopted.has(buildTableKey(table)) &&
      (hasSchoolInKey(table) || spread.has(buildTableKey(table))),
  )
  const schools = new Set([
    ...open.filter((table) => adopted.has(buildTableKey(table))),
    ...(await holdingSchools(db, likely)),
    ...tables.filter(showsSchools),
  ])
  return tables.map((table) => (schools.has(table) ? ofSchools(table) : table))
}

const buildTableKey = ({ schema, name }: Pick<InspectedTable, 'schema' | 'name'>) =>
  `${schema}.${name}`

function holdsNumbers({ schema, catalog }: InspectedTable): boolean {
  const column = catalog.columns.get('tenant_id')
  return (
    !isOwnSchema(schema) &&
    catalog.kind === 'table' &&
    column !== undefined &&
    !column.generated &&
    canBeSystem('tenant_id', column)
  )
}

/** A view from elsewhere that shows the school of a table of the product. */
function showsSchools({ schema, catalog }: InspectedTable): boolean {
  return (
    !isOwnSchema(schema) &&
    catalog.origins?.sources.some(
      ({ table, columns }) =>
        isOwnSchema(table.split('.')[0] ?? '') && columns.get('tenant_id') === 'tenant_id',
    ) === true
  )
}

/** Beside other columns: alone it names the tenants themselves. */
function hasSchoolInKey({ catalog: { keySets = [] } }: InspectedTable): boolean {
  const [primary = []] = keySets
  return primary.length > 1 && primary.includes('tenant_id')
}

/** Lists the tables that a cluster of Citus spreads by `tenant_id`; none without Citus. */
async function spreadBySchool(
  db: AnyDatabase,
  tables: readonly ListedTable[],
): Promise<ReadonlySet<string>> {
  const { rows: known } = await sql<{ cluster: boolean }>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as cluster`.execute(db)
  if (known[0]?.cluster !== true) return new Set()
  const { rows } = await sql<{ oid: number }>`
    select logicalrelid::oid::int8::float8 as oid from pg_catalog.pg_dist_partition
    where partkey is not null and logicalrelid::oid = any(${tables.map(({ oid }) => oid)}::oid[])
      and column_to_column_name(logicalrelid, partkey) = 'tenant_id'`.execute(db)
  const found = new Set(rows.map(({ oid }) => oid))
  return new Set(tables.filter(({ oid }) => found.has(oid)).map(buildTableKey))
}

/**
 * Keeps the tables that are empty or have a row of some school: other programs count tenants of
 * their own.
 */
async function holdingSchools(
  db: AnyDatabase,
  tables: readonly InspectedTable[],
): Promise<ReadonlySet<InspectedTable>> {
  if (tables.length === 0) return new Set()
  const { rows } = await sql<{ holds: boolean }>`
    ${sql.join(
      tables.map((table, at) => {
        const from = tableName(table.schema, table.name)
        return sql`select ${at}::int4 as at, not exists (select 1 from ${from})
          or exists (select 1 from sys.tenant s join ${from} as t on t.tenant_id = s.id) as holds`
      }),
      sql` union all `,
    )} order by at`.execute(db)
  return new Set(tables.filter((_table, at) => rows[at]?.holds === true))
}

function ofSchools(table: InspectedTable): InspectedTable {
  return {
    ...table,
    catalog: withinSchool(table.catalog),
    links: table.links.map((link) => {
      const open = link.columns.flatMap((column, at) => {
        const target = link.targets[at] ?? ''
        return column === 'tenant_id' && target === 'tenant_id' ? [] : [{ column, target }]
      })
      return {
        ...link,
        columns: open.map(({ column }) => column),
        targets: open.map(({ target }) => target),
        besides: link.besides.filter((column) => column !== 'tenant_id'),
      }
    }),
  }
}
