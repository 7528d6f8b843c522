// Tables, columns and unique constraints as PostgreSQL's own catalog describes them. The registry
// caches the result until a table changes.
import { type Kysely, sql } from 'kysely'
import { findValueColumn } from '../sealed/sealed-columns.ts'
import { type Column, familyOf } from '../fields/column.ts'
import { readOrigins, type TableOrigins } from './origins/origins.ts'
import { isSchoolColumn } from './school-columns.ts'

/** Schemas of a server without the setting BUSINESS_SCHEMAS, as in tests. */
const defaultSchemas = ['biz', 'public', 'sys']

export interface CatalogTable {
  readonly schema: string
  readonly name: string
  /** Absent in tests for an ordinary table. */
  readonly kind?: 'table' | 'view' | 'materialized' | 'foreign'
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
  /** Columns of names whose initials in Pinyin are indexed. */
  readonly initials?: ReadonlySet<string>
  /**
   * Sets of columns that identify a row, in the order of their index: the primary key first, then
   * the smallest. Without the column of the school.
   */
  readonly keySets?: readonly (readonly string[])[]
  /**
   * True for a table of another schema with `tenant_id` as the school of a row: the keys are those
   * of one school.
   */
  readonly isOfSchools?: boolean
  /** Indexes that read rows in the order of plain columns, as lists sort them. */
  readonly orders?: readonly IndexOrder[]
  /** Foreign keys and checks by name: maps a violation to its fields. */
  readonly constraints?: ReadonlyMap<string, TableConstraint>
  /** Actions that the database role may not perform. */
  readonly denied?: readonly TableAction[]
  /** An insert may answer no row: rules or triggers stand between. */
  readonly insertsElsewhere?: boolean
  /** A rule replaces inserts, which then cannot answer rows. */
  readonly insertsByRule?: boolean
  /** A trigger may fill or change columns before a row is stored. */
  readonly hasTriggers?: boolean
  /** A trigger acts on a row after it was stored, and may change it. */
  readonly hasAfterTriggers?: boolean
  /** A trigger acts on a written row at the commit, and may delete it. */
  readonly hasDeferredTriggers?: boolean
  /** The origins of a view's columns and rows. */
  readonly origins?: TableOrigins
}
/** Stands among the columns of an index for the key by which people order texts; names hold no such character. */
export function buildSortKeyName(column: string): string {
  return `${column}\u0000sort_key`
}

/** The columns of an index in ascending order. */
export interface IndexOrder {
  /** Names, or `buildSortKeyName` of one. */
  readonly columns: readonly string[]
  /** Without the rows of the recycle bin. */
  readonly isLive: boolean
}
interface TableConstraint {
  readonly columns: readonly string[]
  /** `schema.table` that a foreign key points to; null for a check. */
  readonly target: string | null
}
type TableAction = 'add' | 'update' | 'delete'

interface ColumnRow {
  schema: string
  table: string
  name: string
  udt: string
  kind: string
  cast: string
  nullable: boolean
  default: string | null
  identity: string
  generated: string
  typmod: number
}
interface TableRow {
  schema: string
  name: string
  relkind: string
  inserts: boolean
  updates: boolean
  deletes: boolean
  ruled: boolean
  triggered: boolean
  triggeredAfter: boolean
  deferred: boolean
}
interface UniqueRow {
  schema: string
  table: string
  name: string
  columns: string[]
  primary: boolean
  /** Covers every row by exactly these columns: neither partial nor over expressions. */
  whole: boolean
}

/** Every table of the business and system schemas, by `schema.table`. */
export type Catalog = ReadonlyMap<string, CatalogTable>

/** Tables, partitioned tables, views, materialized views and foreign tables. */
const kinds = sql`('r', 'p', 'v', 'm', 'f')`

/**
 * A fingerprint of the queries of all views and of the functions that they may call: "create or replace" keeps the
 * columns and gives a view another query. As text, for it is part of a statement.
 */
export const viewsStamp = sql`(
  select count(*) || ' ' || coalesce(sum(r.xmin::text::int8), 0) || ' ' || coalesce(sum(r.oid::int8), 0)
  from pg_catalog.pg_rewrite r where r.oid >= 16384 and r.ev_type = '1'
) || ' ' || (
  select count(*) || ' ' || coalesce(sum(p.xmin::text::int8), 0) || ' ' || coalesce(sum(p.oid::int8), 0)
  from pg_catalog.pg_proc p where p.oid >= 16384
)`

/**
 * A fingerprint of the tables, columns, indexes and triggers of these schemas. It changes with every
 * migration or manual DDL, and costs about a twentieth of reading the catalog.
 */
export async function readCatalogStamp(
  db: Kysely<unknown>,
  schemas: readonly string[] = defaultSchemas,
): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    with tables as (
      select c.oid, n.nspname || '.' || c.relname as name, c.relkind, c.relacl
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any(${schemas}::text[]) and c.relkind in ${kinds}
    )
    select md5(coalesce(string_agg(concat_ws(' ', t.name, t.relkind, t.relacl, a.attnum, a.attname,
        a.atttypid, a.atttypmod, a.attnotnull, a.atthasdef, a.attidentity, a.attgenerated,
        a.attisdropped), ',' order by t.name, a.attnum), ''))
      || (
        select count(*) || ' ' || coalesce(sum(x.indexrelid::int8), 0)
        from pg_catalog.pg_index x join tables on tables.oid = x.indrelid
      ) || ' ' || (
        select count(*) || ' ' || coalesce(sum(g.oid::int8), 0)
        from pg_catalog.pg_trigger g join tables on tables.oid = g.tgrelid where not g.tgisinternal
      ) || ' ' || (${viewsStamp}) as stamp
    from tables t join pg_catalog.pg_attribute a on a.attrelid = t.oid
    where a.attnum > 0`.execute(db)
  return rows[0]?.stamp ?? ''
}

export async function readCatalog(
  db: Kysely<unknown>,
  schemas: readonly string[] = defaultSchemas,
): Promise<Catalog> {
  const columns = Map.groupBy(await readColumns(db, schemas), (row) => `${row.schema}.${row.table}`)
  const uniques = Map.groupBy(await readUniques(db, schemas), (row) => `${row.schema}.${row.table}`)
  const constraints = Map.groupBy(
    await readConstraints(db, schemas),
    (row) => `${row.schema}.${row.table}`,
  )
  const pairs = Map.groupBy(await readPairs(db, schemas), (row) => row.table)
  const orders = Map.groupBy(await readOrders(db, schemas), (row) => row.table)
  const tables = await readTables(db, schemas)
  const origins = await readOrigins(db)
  return new Map(
    tables.map((table) => {
      const key = `${table.schema}.${table.name}`
      const its = uniques.get(key) ?? []
      const known = new Map((columns.get(key) ?? []).map((row) => [row.name, toColumn(row)]))
      const keySets = listKeySets(table.schema, its, known)
      return [
        key,
        {
          schema: table.schema,
          name: table.name,
          kind: kindOfTable(table.relkind),
          columns: known,
          // The blind index stands for the encrypted column, which is never equal to itself.
          uniques: new Map(
            its.map(({ name, columns: of }) => [
              name,
              of.map((column) => findValueColumn(key, column)),
            ]),
          ),
          keys: new Set(keySets.filter(({ length }) => length === 1).flat()),
          keySets,
          orders: (orders.get(key) ?? []).flatMap(listIndexOrders),
          constraints: new Map(
            (constraints.get(key) ?? []).map(({ name, columns: of, target }) => [
              name,
              { columns: of, target },
            ]),
          ),
          denied: deniedOn(table),
          insertsElsewhere: table.ruled || table.triggered,
          insertsByRule: table.ruled,
          hasTriggers: table.triggered,
          hasAfterTriggers: table.triggeredAfter,
          hasDeferredTriggers: table.deferred,
          ...originsIn(origins, key),
          ...searchedColumns(pairs.get(key) ?? []),
        },
      ]
    }),
  )
}

function originsIn(all: ReadonlyMap<string, TableOrigins>, key: string) {
  const origins = all.get(key)
  return origins === undefined ? {} : { origins }
}

function kindOfTable(relkind: string): NonNullable<CatalogTable['kind']> {
  return relkind === 'v'
    ? 'view'
    : relkind === 'm'
      ? 'materialized'
      : relkind === 'f'
        ? 'foreign'
        : 'table'
}

function deniedOn({ inserts, updates, deletes }: TableRow): TableAction[] {
  // Rows are locked before they are deleted, which needs the right to update.
  return [
    ...(inserts ? [] : (['add'] as const)),
    ...(updates ? [] : (['update'] as const)),
    ...(deletes && updates ? [] : (['delete'] as const)),
  ]
}

function listKeySets(
  schema: string,
  uniques: readonly UniqueRow[],
  columns: ReadonlyMap<string, Column>,
): string[][] {
  return uniques
    .filter(({ whole }) => whole)
    .map(({ columns: of, primary }) => ({
      primary,
      of: of.filter((name) => {
        const column = columns.get(name)
        return column === undefined || !isSchoolColumn(schema, column)
      }),
    }))
    .filter(({ of }) => of.length > 0 && of.every((name) => isKeyColumn(columns.get(name))))
    .toSorted((a, b) => Number(b.primary) - Number(a.primary) || a.of.length - b.of.length)
    .map(({ of }) => of)
}

/** A value that names a row is always there, and has a text form. */
function isKeyColumn(column: Column | undefined): boolean {
  return column?.nullable === false && familyOf(column) !== undefined
}

async function readTables(db: Kysely<unknown>, schemas: readonly string[]) {
  // `case` keeps the order: has_sequence_privilege fails on anything but a sequence.
  const { rows } = await sql<TableRow>`
    select n.nspname::text as schema, c.relname::text as name, c.relkind::text as relkind,
      has_table_privilege(c.oid, 'insert') and not exists (
        select 1 from pg_catalog.pg_attrdef d
        join pg_catalog.pg_depend p on p.classid = 'pg_catalog.pg_attrdef'::regclass
          and p.objid = d.oid and p.refclassid = 'pg_catalog.pg_class'::regclass
        join pg_catalog.pg_class s on s.oid = p.refobjid
        where d.adrelid = c.oid and case when s.relkind = 'S'
          then not has_sequence_privilege(s.oid, 'usage, update') else false end
      ) as inserts,
      has_table_privilege(c.oid, 'update') as updates,
      has_table_privilege(c.oid, 'delete') as deletes,
      c.relhasrules and exists (
        select 1 from pg_catalog.pg_rewrite r
        where r.ev_class = c.oid and r.ev_type = '3' and r.is_instead
      ) as ruled,
      c.relhastriggers and exists (
        select 1 from pg_catalog.pg_trigger g
        where g.tgrelid = c.oid and not g.tgisinternal and (g.tgtype & 4) > 0 and (g.tgtype & 2) > 0
      ) as triggered,
      c.relhastriggers and exists (
        select 1 from pg_catalog.pg_trigger g
        where g.tgrelid = c.oid and not g.tgisinternal and (g.tgtype & 2) = 0
      ) as "triggeredAfter",
      c.relhastriggers and exists (
        select 1 from pg_catalog.pg_trigger g
        where g.tgrelid = c.oid and not g.tgisinternal and g.tginitdeferred and (g.tgtype & 20) > 0
      ) as deferred
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas}::text[]) and c.relkind in ${kinds}
      and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')`.execute(db)
  return rows
}

async function readColumns(db: Kysely<unknown>, schemas: readonly string[]) {
  const { rows } = await sql<ColumnRow>`
    select n.nspname::text as schema, c.relname::text as "table", a.attname::text as name,
      b.typname::text as udt, b.typtype::text as kind, format_type(b.oid, -1) as "cast",
      not (a.attnotnull or t.typnotnull) as nullable, pg_get_expr(d.adbin, d.adrelid) as default,
      a.attidentity::text as identity, a.attgenerated::text as generated,
      case when t.typtype = 'd' then t.typtypmod else a.atttypmod end as typmod
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_class c on c.oid = a.attrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_type t on t.oid = a.atttypid
    join pg_catalog.pg_type b on b.oid = case when t.typtype = 'd'
      then (with recursive up as (
          select t.oid, t.typbasetype
          union all select p.oid, p.typbasetype from up
          join pg_catalog.pg_type p on p.oid = up.typbasetype
        ) select up.oid from up where up.typbasetype = 0)
      else t.oid end
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where n.nspname = any(${schemas}::text[]) and c.relkind in ${kinds}
      and a.attnum > 0 and not a.attisdropped
    order by a.attrelid, a.attnum`.execute(db)
  return rows
}

async function readUniques(db: Kysely<unknown>, schemas: readonly string[]) {
  const { rows } = await sql<UniqueRow>`
    select n.nspname::text as schema, t.relname::text as "table", i.relname::text as name,
      array_agg(a.attname::text order by k.n) as columns, bool_or(x.indisprimary) as primary,
      bool_and(x.indisvalid and x.indpred is null and x.indexprs is null) as whole
    from pg_catalog.pg_index x
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    join pg_catalog.pg_class t on t.oid = x.indrelid
    join pg_catalog.pg_namespace n on n.oid = t.relnamespace
    cross join lateral (
      select u.attnum, u.n from unnest(x.indkey::int2[]) with ordinality as u(attnum, n)
      where u.n <= x.indnkeyatts
      -- What an expression of the index reads: a refusal by it is about these columns.
      union all
      select d.refobjsubid::int2, 100 + d.refobjsubid from pg_catalog.pg_depend d
      join pg_catalog.pg_attribute e on e.attrelid = d.refobjid and e.attnum = d.refobjsubid
      where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = x.indexrelid
        and d.refobjid = x.indrelid and not d.refobjsubid = any(x.indkey::int2[])
        and strpos(pg_get_expr(x.indexprs, x.indrelid), quote_ident(e.attname)) > 0
    ) as k(attnum, n)
    join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
    where x.indisunique and n.nspname = any(${schemas}::text[])
    group by n.nspname, t.relname, i.relname`.execute(db)
  return rows
}

interface IndexedPairs {
  readonly table: string
  readonly column: string
  readonly ofInitials: boolean
}

function searchedColumns(pairs: readonly IndexedPairs[]) {
  const names = (ofInitials: boolean) =>
    new Set(pairs.filter((pair) => pair.ofInitials === ofInitials).map(({ column }) => column))
  return { bigrams: names(false), initials: names(true) }
}

/**
 * Valid indexes over `sys.bigrams(tenant_id, column)` or `sys.bigrams(tenant_id, sys.initials(column))`, of all rows
 * or of those outside the recycle bin.
 */
async function readPairs(db: Kysely<unknown>, schemas: readonly string[]): Promise<IndexedPairs[]> {
  const { rows } = await sql<{ table: string; text: string }>`
    select n.nspname || '.' || t.relname as "table", pg_get_indexdef(x.indexrelid) as text
    from pg_catalog.pg_index x
    join pg_catalog.pg_class t on t.oid = x.indrelid
    join pg_catalog.pg_namespace n on n.oid = t.relnamespace
    where n.nspname = any(${schemas}::text[]) and x.indexprs is not null and x.indisvalid`.execute(
    db,
  )
  const indexed =
    /USING gin \(sys\.bigrams\(tenant_id, (sys\.initials\()?\(?([a-z_0-9]+|"(?:[^"]|"")+")\)?(?:::text)?\)?\)\)(?: WHERE \(deleted_at IS NULL\))?$/
  return rows.flatMap(({ table, text }) => {
    const [, initials, name] = indexed.exec(text) ?? []
    const column = name?.replace(/^"|"$/g, '').replaceAll('""', '"')
    return column === undefined ? [] : [{ table, column, ofInitials: initials !== undefined }]
  })
}

interface OrderRow {
  readonly table: string
  readonly isLive: boolean
  /** Null: an expression. */
  readonly columns: readonly (string | null)[]
  readonly parts: readonly string[]
}

/**
 * Lists the orders of an index over columns and over the keys by which people order texts; none
 * with another expression.
 */
function listIndexOrders({ columns, parts, isLive }: OrderRow): IndexOrder[] {
  const names = columns.map((name, index) => name ?? sortedText(parts[index] ?? ''))
  return names.every((name) => name !== null) ? [{ columns: names, isLive }] : []
}

function sortedText(expression: string): string | null {
  const [, plain, quoted] =
    /^sys\.sort_key\((?:([a-z_][a-z_0-9$]*)|"((?:[^"]|"")+)")(?:::text)?\)$/.exec(expression) ?? []
  const name = plain ?? quoted?.replaceAll('""', '"')
  return name === undefined ? null : buildSortKeyName(name)
}

/**
 * Reads the indexes of whole tables, in the order that a column has by itself: its own collation,
 * empty values last; or in that of `sys.sort_key`.
 */
async function readOrders(db: Kysely<unknown>, schemas: readonly string[]): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select n.nspname || '.' || t.relname as "table", x.indpred is not null as "isLive",
      array_agg(a.attname::text order by k.n) as columns,
      array_agg(pg_get_indexdef(x.indexrelid, k.n::int4, true) order by k.n) as parts
    from pg_catalog.pg_index x
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    join pg_catalog.pg_am m on m.oid = i.relam and m.amname = 'btree'
    join pg_catalog.pg_class t on t.oid = x.indrelid and t.relkind = 'r'
    join pg_catalog.pg_namespace n on n.oid = t.relnamespace
    cross join lateral unnest(x.indkey::int2[], x.indclass::oid[], x.indcollation::oid[],
      x.indoption::int2[]) with ordinality as k(attnum, opclass, coll, option, n)
    left join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
      and k.attnum > 0
    join pg_catalog.pg_opclass o on o.oid = k.opclass
    where n.nspname = any(${schemas}::text[]) and x.indisvalid
      and (x.indpred is null or pg_get_expr(x.indpred, x.indrelid) = '(deleted_at IS NULL)')
      and k.n <= x.indnkeyatts
    group by n.nspname, t.relname, x.indexrelid
    having bool_and(o.opcdefault and k.coll = coalesce(a.attcollation, 0) and k.option = 0)
    order by x.indexrelid`.execute(db)
  return rows
}

interface ConstraintRow {
  schema: string
  table: string
  name: string
  columns: string[]
  target: string | null
}

async function readConstraints(db: Kysely<unknown>, schemas: readonly string[]) {
  const { rows } = await sql<ConstraintRow>`
    select n.nspname::text as schema, c.relname::text as "table", k.conname::text as name,
      array(select a.attname::text from unnest(k.conkey) with ordinality as u(no, at)
        join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.no
        order by u.at) as columns,
      fn.nspname || '.' || f.relname as target
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_class f on f.oid = k.confrelid and k.contype = 'f'
    left join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
    where n.nspname = any(${schemas}::text[]) and k.contype in ('c', 'f')`.execute(db)
  return rows
}

/** Types without a text form that a person could read or write. */
const unreadable: ReadonlySet<string> = new Set(['bytea', 'tsvector', 'gtsvector'])
const nowDefault =
  /^\(?(now\(\)|CURRENT_(TIMESTAMP|DATE|TIME)(\(\d\))?|LOCALTIME(STAMP)?(\(\d\))?|(statement|transaction|clock)_timestamp\(\)|\('now'::text\)::\w+.*)\)?(::[a-z ]+)?$/i

function toColumn(row: ColumnRow): Column {
  const lengths = ['varchar', 'bpchar']
  const isNumeric = row.udt === 'numeric' && row.typmod >= 4
  const hasText = !unreadable.has(row.udt) && row.kind !== 'p'
  return {
    name: row.name,
    type: row.udt,
    ...(hasText && { sqlType: row.cast }),
    length: lengths.includes(row.udt) && row.typmod > 4 ? row.typmod - 4 : null,
    precision: isNumeric ? ((row.typmod - 4) >> 16) & 0xffff : null,
    scale: isNumeric ? decodeScale(row.typmod) : null,
    nullable: row.nullable,
    hasDefault: row.default !== null || row.identity !== '',
    generated: row.generated !== '' || row.identity === 'a',
    ...(row.default !== null && nowDefault.test(row.default) && { defaultIsNow: true }),
  }
}

/** The scale is a signed number of 11 bits; a negative one rounds whole numbers. */
function decodeScale(typmod: number): number {
  const scale = (typmod - 4) & 0x7ff
  return scale > 1023 ? 0 : scale
}
