// Whether an index of the table serves a search or an order of lists, and the statement that makes one
// (docs/rules/database.md#indexes-for-lists).
import { sql } from 'kysely'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import { familyOf } from '../../model/fields/column.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import {
  type IndexUse,
  type ProposedIndex,
  proposeIndex,
  type SearchExtensions,
} from './propose-index.ts'

/** Smaller tables are read whole as fast as through an index. */
const fewRows = 10_000

interface IndexRow {
  method: string
  columns: string[]
  definition: string
}

/**
 * Answers the index that a use of a column lacks; null where one serves it, none
 * could, or the table is small.
 */
export async function missingIndexes(
  db: AnyDatabase,
  table: CatalogTable,
): Promise<(columnName: string, use: string) => ProposedIndex | null> {
  const { rows, extensions, indexes } = await readIndexes(db, table)
  if (rows <= fewRows) return () => null
  return (columnName, use) => {
    const column = table.columns.get(columnName)
    const wanted: IndexUse = use === 'order' ? 'order' : toQueryOperator(use)
    if (column === undefined) return null
    const proposed = proposeIndex(table, column, wanted, extensions)
    const isKeyed = wanted === 'order' && familyOf(column) === 'text'
    if (proposed === null || indexes.some((index) => serves(index, columnName, wanted, isKeyed)))
      return null
    return proposed
  }
}

/** Parts of texts and items of lists need an index of their own kind; all else follows a btree. */
function serves(
  { method, columns, definition }: IndexRow,
  column: string,
  use: IndexUse,
  isKeyed: boolean,
): boolean {
  if (definition.includes('sort_key') || isKeyed)
    return isKeyed && definition.includes('sort_key') && columns.includes(column)
  const isParts = ['like', 'leftLike', 'rightLike'].includes(use)
  if (method === 'gin' || method === 'gist')
    return isParts
      ? columns.includes(column) && /bigrams|trgm|bigm/.test(definition)
      : use !== 'order' && columns.includes(column)
  const [first, second] = columns
  const leads = first === column || (first === 'tenant_id' && second === column)
  return isParts
    ? use === 'rightLike' && leads && definition.includes('text_pattern_ops')
    : method === 'btree' && leads && !definition.includes('text_pattern_ops')
}

async function readIndexes(
  db: AnyDatabase,
  { schema, name }: CatalogTable,
): Promise<{ rows: number; extensions: SearchExtensions; indexes: readonly IndexRow[] }> {
  const found = await sql<{ rows: number; trigrams: boolean; bigrams: boolean }>`
    select coalesce(sum(c.reltuples), 0)::float8 as rows,
      exists (select 1 from pg_catalog.pg_extension where extname = 'pg_trgm') as trigrams,
      exists (select 1 from pg_catalog.pg_extension where extname = 'pg_bigm') as bigrams
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema}::text and c.relname = ${name}::text`.execute(db)
  const [{ rows = 0, trigrams = false, bigrams = false } = {}] = found.rows
  if (rows <= fewRows) return { rows, extensions: { trigrams, bigrams }, indexes: [] }
  // Expressions name their columns through pg_depend.
  const indexes = await sql<IndexRow>`
    select m.amname::text as method, pg_get_indexdef(x.indexrelid) as definition,
      array(
        select a.attname::text from unnest(x.indkey::int2[]) with ordinality as k(no, at)
        join pg_catalog.pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.no
        where k.at <= x.indnkeyatts order by k.at
      ) || array(
        select a.attname::text from pg_catalog.pg_depend d
        join pg_catalog.pg_attribute a on a.attrelid = x.indrelid and a.attnum = d.refobjsubid
        where x.indexprs is not null and d.objid = x.indexrelid and d.refobjid = x.indrelid
          and d.refobjsubid > 0
      ) as columns
    from pg_catalog.pg_index x
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    join pg_catalog.pg_am m on m.oid = i.relam
    join pg_catalog.pg_class c on c.oid = x.indrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema}::text and c.relname = ${name}::text and x.indisvalid
      and (x.indpred is null or pg_get_expr(x.indpred, x.indrelid) = '(deleted_at IS NULL)')
    order by 2`.execute(db)
  return { rows, extensions: { trigrams, bigrams }, indexes: indexes.rows }
}
