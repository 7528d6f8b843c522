// Reads the catalog of the database for the tables that may become entities: first which there are,
// then the details of those asked for, each in a fixed number of statements for any number of
// tables.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { Catalog, CatalogTable } from '../../model/definition/catalog.ts'
import { tableName } from '../../model/definition/names.ts'
import { listBases } from '../../model/definition/origins/view-guard.ts'
import { isOwnSchema, isSchoolColumn } from '../../model/definition/school-columns.ts'
import type { Column } from '../../model/fields/column.ts'
import type { Choice } from './choices.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'

/** Facts that stored rows tell of a column; every part is unknown where there is none. */
export interface StoredFacts {
  /** Characters of the longest text; null where no row has any. */
  readonly longest: number | null
  /** Whether a text has several lines. */
  readonly hasLines: boolean
  /** Whether several rows share one value. */
  readonly isShared: boolean
  /** The values of a column whose comment lists choices, up to a number. */
  readonly values: readonly string[]
}

export interface InspectedColumn extends Column {
  readonly comment: string
  /** As PostgreSQL prints it: `character varying(20)`, `mood[]`. */
  readonly shownType: string
  /** The expression of the default; null without one. */
  readonly defaultText: string | null
  readonly isIdentity: boolean
  /** The labels of an enum type, and its name. */
  readonly labels: readonly string[]
  readonly enumName: string | null
  /** The names of the columns that a view shows here. */
  readonly baseNames: readonly string[]
  /** Definitions of the check constraints on this column alone, those of its domain included. */
  readonly checks: readonly string[]
  /** Facts from stored rows, where they were looked at. */
  readonly stored?: StoredFacts
  /** Choices that its maker knows, whatever the catalog says. */
  readonly choices?: readonly Choice[]
}
export interface ForeignKey {
  readonly columns: readonly string[]
  readonly schema: string
  readonly table: string
  readonly targets: readonly string[]
  /** Columns of the key that say nothing more about the record, but must be those of the record. */
  readonly besides: readonly string[]
}
export interface InspectedTable {
  readonly schema: string
  readonly name: string
  readonly comment: string
  readonly catalog: CatalogTable
  readonly columns: readonly InspectedColumn[]
  readonly links: readonly ForeignKey[]
}

/** A table without its columns and links. */
export interface ListedTable extends Pick<
  InspectedTable,
  'schema' | 'name' | 'comment' | 'catalog'
> {
  readonly oid: number
}

interface ColumnRow {
  table: number
  name: string
  comment: string | null
  shown: string
  default: string | null
  identity: string
  enum: string | null
  labels: string[] | null
}
interface ConstraintRow {
  table: number
  kind: string
  definition: string
  columns: string[]
  schema: string | null
  target: string | null
  targets: string[] | null
  /** The targets that name a row by themselves. */
  alone: string[] | null
}
interface TableRow {
  oid: number
  key: string
  comment: string | null
}

/** The tables of these schemas, sorted by name, without partitions and the tables of extensions. */
export async function listTables(
  context: Pick<Context, 'database' | 'registry'>,
  schemas: readonly string[],
): Promise<readonly ListedTable[]> {
  const catalog: Catalog = await context.registry.catalog(0)
  return (await readTables(databaseOf(context), schemas)).flatMap(({ oid, key, comment }) => {
    const table = catalog.get(key)
    return table === undefined
      ? []
      : [{ oid, schema: table.schema, name: table.name, comment: comment ?? '', catalog: table }]
  })
}

export async function inspectTables(
  context: Pick<Context, 'database'>,
  tables: readonly ListedTable[],
): Promise<readonly InspectedTable[]> {
  if (tables.length === 0) return []
  const db = databaseOf(context)
  const oids = tables.map(({ oid }) => oid)
  const columns = Map.groupBy(await readColumns(db, oids), ({ table }) => table)
  const constraints = Map.groupBy(await readConstraints(db, oids), ({ table }) => table)
  return tables.map(({ oid, schema, name, comment, catalog }) => {
    const its = constraints.get(oid) ?? []
    return {
      schema,
      name,
      comment,
      catalog,
      columns: (columns.get(oid) ?? []).flatMap((row) => inspectedColumn(catalog, row, its) ?? []),
      links: listForeignKeys(schema, its),
    }
  })
}

function inspectedColumn(
  table: CatalogTable,
  row: ColumnRow,
  constraints: readonly ConstraintRow[],
): InspectedColumn | null {
  const column = table.columns.get(row.name)
  return column === undefined
    ? null
    : {
        ...column,
        comment: row.comment ?? '',
        shownType: row.shown,
        defaultText: row.default,
        isIdentity: row.identity !== '',
        labels: row.labels ?? [],
        enumName: row.enum,
        baseNames: listBases(table, row.name).map((base) => base.column),
        checks: constraints
          .filter(({ kind, columns: [only, ...more] }) => {
            return kind === 'c' && only === row.name && more.length === 0
          })
          .map(({ definition }) => definition),
      }
}

function listForeignKeys(own: string, constraints: readonly ConstraintRow[]): ForeignKey[] {
  const links = constraints
    .flatMap((constraint) => parseForeignKey(own, constraint))
    .toSorted((a, b) => a.besides.length - b.besides.length)
  // A column that two keys point with chooses by the plainer one.
  return links.filter(
    ({ columns }, at) =>
      columns.length > 1 ||
      links.findIndex((other) => other.columns.length === 1 && other.columns[0] === columns[0]) ===
        at,
  )
}

function parseForeignKey(own: string, constraint: ConstraintRow): ForeignKey[] {
  const { kind, columns, schema, target, targets, alone } = constraint
  if (kind !== 'f' || schema === null || target === null || targets === null) return []
  const pairs = columns.map((column, at) => ({ column, target: targets[at] ?? '' }))
  // Rows of the product's own tables are those of the school in any case.
  const open = pairs.filter((pair) => pair.target !== 'tenant_id' || !isOwnSchema(schema))
  const one = open.length === 1 ? open[0] : open.find((pair) => alone?.includes(pair.target))
  const chosen = one === undefined ? pairs : [one]
  return [
    {
      schema,
      table: target,
      columns: chosen.map(({ column }) => column),
      targets: chosen.map((pair) => pair.target),
      besides: pairs.flatMap(({ column }) =>
        chosen.some((each) => each.column === column) ||
        (column === 'tenant_id' && isOwnSchema(own))
          ? []
          : [column],
      ),
    },
  ]
}

/** An oid as a number: it has up to 32 bits. */
const selectOid = (oid: RawBuilder<unknown>) => sql<number>`${oid}::int8::float8`

async function readTables(db: Kysely<unknown>, schemas: readonly string[]) {
  const { rows } = await sql<TableRow>`
    select ${selectOid(sql`c.oid`)} as oid, n.nspname || '.' || c.relname as key,
      obj_description(c.oid, 'pg_class') as comment
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas}::text[]) and c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not c.relispartition and not exists (
        select 1 from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
      )
    order by array_position(${schemas}::text[], n.nspname::text), c.relname`.execute(db)
  return rows
}

async function readColumns(db: Kysely<unknown>, oids: readonly number[]) {
  const { rows } = await sql<ColumnRow>`
    select ${selectOid(sql`a.attrelid`)} as "table", a.attname::text as name,
      col_description(a.attrelid, a.attnum) as comment,
      format_type(a.atttypid, a.atttypmod) as shown, a.attidentity::text as identity,
      case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as default,
      e.name as enum, e.labels
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_type t on t.oid = a.atttypid
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join lateral (
      select y.typname::text as name, array_agg(l.enumlabel::text order by l.enumsortorder) as labels
      from pg_catalog.pg_enum l join pg_catalog.pg_type y on y.oid = l.enumtypid
      where l.enumtypid = case when t.typtype = 'd' then t.typbasetype else t.oid end
      group by y.typname
    ) e on true
    where a.attrelid = any(${oids}::oid[]) and a.attnum > 0 and not a.attisdropped
    order by a.attrelid, a.attnum`.execute(db)
  return rows
}

async function readConstraints(db: Kysely<unknown>, oids: readonly number[]) {
  const { rows } = await sql<ConstraintRow>`
    select ${selectOid(sql`k.conrelid`)} as "table", k.contype::text as kind, pg_get_constraintdef(k.oid) as definition,
      array(select a.attname::text from unnest(k.conkey) with ordinality as u(no, at)
        join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.no
        order by u.at) as columns,
      fn.nspname::text as schema, f.relname::text as target,
      array(select a.attname::text from unnest(k.confkey) with ordinality as u(no, at)
        join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.no
        order by u.at) as targets,
      array(select a.attname::text from unnest(k.confkey) as u(no)
        join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.no
        where exists (select 1 from pg_catalog.pg_index i
          where i.indrelid = k.confrelid and i.indisunique and i.indpred is null
            and i.indexprs is null and i.indnkeyatts = 1 and i.indkey[0] = u.no)) as alone
    from pg_catalog.pg_constraint k
    left join pg_catalog.pg_class f on f.oid = k.confrelid
    left join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
    where k.conrelid = any(${oids}::oid[]) and k.contype in ('c', 'f')
      and (k.contype <> 'f' or not f.relispartition)
    union all
    select ${selectOid(sql`a.attrelid`)}, 'c', pg_get_constraintdef(k.oid), array[a.attname::text],
      null, null, null, null
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_constraint k on k.contypid = a.atttypid and k.contypid <> 0
    where a.attrelid = any(${oids}::oid[]) and a.attnum > 0 and k.contype = 'c'`.execute(db)
  return rows
}

/** Rows up to this number are counted; the database's estimate stands for larger tables. */
const countedRows = 10_000

/**
 * The number of rows by `schema.table`. Null where it is unknown: views are not run to count them, and
 * a large table may never have been analysed. Of a school's table, the rows of the school.
 */
export async function countTables(
  db: AnyDatabase,
  tables: readonly CatalogTable[],
  tenant: string,
): Promise<ReadonlyMap<string, number | null>> {
  const counts = new Map<string, number | null>()
  const plain = tables.filter(({ kind }) => kind === 'table')
  for (let i = 0; i < plain.length; i += 50) {
    const part = plain.slice(i, i + 50)
    const { rows } = await sql<{ at: number; n: string; estimate: string }>`
      ${sql.join(
        part.map(
          (table, at) => sql`select ${at}::int4 as at, (
              select count(*) from (
                select 1 from ${tableName(table.schema, table.name)} ${ofSchool(table, tenant)}
                limit ${countedRows + 1}
              ) as found
            ) as n, ${selectEstimate(table)} as estimate`,
        ),
        sql` union all `,
      )}`.execute(db)
    for (const { at, n, estimate } of rows) {
      const table = part[at]
      if (table === undefined) continue
      const counted = Number(n)
      const isCounted = counted <= countedRows
      const about = Number(estimate) > countedRows ? Number(estimate) : null
      counts.set(`${table.schema}.${table.name}`, isCounted ? counted : about)
    }
  }
  return counts
}

/** Selects the rows of the school in a school's table. */
export function ofSchool({ schema, columns, isOfSchools }: CatalogTable, tenant: string) {
  const column = columns.get('tenant_id')
  return column !== undefined && (isOfSchools === true || isSchoolColumn(schema, column))
    ? sql`where tenant_id = ${tenant}::int8`
    : sql``
}

const selectEstimate = ({ schema, name }: CatalogTable) => sql`(
  select coalesce(sum(c.reltuples), 0)::int8 from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = ${schema}::text and c.relname = ${name}::text)`
