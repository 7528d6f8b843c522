// Tables, columns and unique constraints as PostgreSQL's own catalog describes them. The registry
// caches the result until a table changes.
import { type Kysely, sql } from 'kysely'
import { valueColumnOf } from '../../pii/sealed-columns.ts'
import type { Column } from '../fields/column.ts'

export interface CatalogTable {
  readonly schema: string
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /** Name of a unique constraint or index → its columns; maps a violation to its fields. */
  readonly uniques: ReadonlyMap<string, readonly string[]>
  /**
   * Columns that identify a row of a school: not null, and alone or with the school in a unique
   * index over all rows.
   */
  readonly keys: ReadonlySet<string>
  /** Columns whose pairs of characters are indexed (docs/rules/database.md#searches). */
  readonly bigrams?: ReadonlySet<string>
}

interface ColumnRow {
  table_schema: string
  table_name: string
  column_name: string
  udt_name: string
  is_nullable: string
  column_default: string | null
  is_generated: string
  is_identity: string
  character_maximum_length: number | null
  numeric_precision: number | null
  numeric_scale: number | null
}
interface UniqueRow {
  schema: string
  table: string
  name: string
  columns: string[]
  /** Covers every row by exactly these columns: neither partial nor over expressions. */
  whole: boolean
}

const schemas = ['biz', 'sys']

/** Every table of the business and system schemas, by `schema.table`. */
export type Catalog = ReadonlyMap<string, CatalogTable>

/**
 * A fingerprint of the tables, columns and indexes of these schemas. It changes with every
 * migration or manual DDL, and costs about a twentieth of reading the catalog.
 */
export async function readCatalogStamp(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    with tables as (
      select c.oid, n.nspname || '.' || c.relname as name from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any(${schemas}::text[]) and c.relkind in ('r', 'p')
    )
    select md5(coalesce(string_agg(concat_ws(' ', t.name, a.attnum, a.attname, a.atttypid,
        a.atttypmod, a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated, a.attisdropped),
        ',' order by t.name, a.attnum), ''))
      || (
        select count(*) || ' ' || coalesce(sum(x.indexrelid::int8), 0)
        from pg_catalog.pg_index x join tables on tables.oid = x.indrelid
      ) as stamp
    from tables t join pg_catalog.pg_attribute a on a.attrelid = t.oid
    where a.attnum > 0`.execute(db)
  return rows[0]?.stamp ?? ''
}

export async function readCatalog(db: Kysely<unknown>): Promise<Catalog> {
  const columns = Map.groupBy(
    await readColumns(db),
    (row) => `${row.table_schema}.${row.table_name}`,
  )
  const bigrams = Map.groupBy(await readBigrams(db), (row) => row.table)
  const uniques = Map.groupBy(await readUniques(db), (row) => `${row.schema}.${row.table}`)
  return new Map(
    [...columns].map(([key, rows]) => {
      const its = uniques.get(key) ?? []
      const known = new Map(rows.map((row) => [row.column_name, columnOf(row)]))
      return [
        key,
        {
          schema: rows[0]?.table_schema ?? '',
          name: rows[0]?.table_name ?? '',
          columns: known,
          // The blind index stands for the encrypted column, which is never equal to itself.
          uniques: new Map(
            its.map(({ name, columns: of }) => [
              name,
              of.map((column) => valueColumnOf(key, column)),
            ]),
          ),
          keys: new Set(its.flatMap((unique) => keyOf(unique, known))),
          bigrams: new Set(bigrams.get(key)?.map(({ column }) => column)),
        },
      ]
    }),
  )
}

function keyOf({ columns, whole }: UniqueRow, known: ReadonlyMap<string, Column>): string[] {
  const [only = '', ...more] = columns.filter((name) => name !== 'tenant_id')
  return whole && more.length === 0 && known.get(only)?.nullable === false ? [only] : []
}

async function readColumns(db: Kysely<unknown>) {
  const { rows } = await sql<ColumnRow>`
    select table_schema, table_name, column_name, udt_name, is_nullable, column_default,
      is_generated, is_identity, character_maximum_length::int4 as character_maximum_length,
      numeric_precision::int4 as numeric_precision, numeric_scale::int4 as numeric_scale
    from information_schema.columns
    where table_schema = any(${schemas}::text[]) order by ordinal_position`.execute(db)
  return rows
}

async function readUniques(db: Kysely<unknown>) {
  const { rows } = await sql<UniqueRow>`
    select n.nspname::text as schema, t.relname::text as "table", i.relname::text as name,
      array_agg(a.attname::text order by a.attnum) as columns,
      bool_and(x.indisvalid and x.indpred is null and x.indexprs is null) as whole
    from pg_catalog.pg_index x
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    join pg_catalog.pg_class t on t.oid = x.indrelid
    join pg_catalog.pg_namespace n on n.oid = t.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = any(x.indkey::int2[])
    where x.indisunique and n.nspname = any(${schemas}::text[])
    group by n.nspname, t.relname, i.relname`.execute(db)
  return rows
}

/** Valid indexes over `sys.bigrams(tenant_id, column)` of all rows, or of those outside the recycle bin. */
async function readBigrams(db: Kysely<unknown>): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; text: string }>`
    select n.nspname || '.' || t.relname as "table", pg_get_indexdef(x.indexrelid) as text
    from pg_catalog.pg_index x
    join pg_catalog.pg_class t on t.oid = x.indrelid
    join pg_catalog.pg_namespace n on n.oid = t.relnamespace
    where n.nspname = any(${schemas}::text[]) and x.indexprs is not null and x.indisvalid`.execute(
    db,
  )
  const indexed =
    /USING gin \(sys\.bigrams\(tenant_id, \(?([a-z_0-9]+)\)?(?:::text)?\)\)(?: WHERE \(deleted_at IS NULL\))?$/
  return rows.flatMap(({ table, text }) => {
    const column = indexed.exec(text)?.[1]
    return column === undefined ? [] : [{ table, column }]
  })
}

function columnOf(row: ColumnRow): Column {
  return {
    name: row.column_name,
    type: row.udt_name,
    length: row.character_maximum_length,
    precision: row.udt_name === 'numeric' ? row.numeric_precision : null,
    scale: row.udt_name === 'numeric' ? row.numeric_scale : null,
    nullable: row.is_nullable === 'YES',
    hasDefault: row.column_default !== null || row.is_identity === 'YES',
    generated: row.is_generated === 'ALWAYS',
  }
}
