// The index that serves a condition or an order of lists, as statements to run by hand
// (docs/rules/database.md#indexes-for-lists).
import { createHash } from 'node:crypto'
import type { QueryOperator } from '@jiaowu/api/entity/enums'
import { type Column, familyOf, isArray, isOrdered } from '../../model/fields/column.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import { quoteName } from '../../model/definition/names.ts'
import { isOwnColumn, isSchoolColumn } from '../../model/definition/school-columns.ts'

/** The use of an index: a condition by an operator, or the order of a list. */
export type IndexUse = QueryOperator | 'order'

/** Extensions of the database that serve searches for parts of texts. */
export interface SearchExtensions {
  readonly trigrams: boolean
  /** pg_bigm */
  readonly bigrams: boolean
}

export interface ProposedIndex {
  readonly name: string
  /** The text after the name of the table in the statement. */
  readonly body: string
  /** Locks writes to the table while it runs. */
  readonly statement: string
  /** Does not lock, runs outside of transactions; not for partitioned tables. */
  readonly concurrently: string
}

type Table = Pick<CatalogTable, 'schema' | 'name' | 'kind' | 'columns' | 'keySets'>

/**
 * The index that lets lists find or order rows by the column without reading the whole table. Null when none
 * can: views, `notEqual`, types without an order, parts of texts without an extension.
 */
export function proposeIndex(
  table: Table,
  column: Column,
  use: IndexUse,
  extensions: SearchExtensions,
): ProposedIndex | null {
  if ((table.kind ?? 'table') !== 'table' && table.kind !== 'materialized') return null
  const shape = chooseIndexShape(table, column, use, extensions)
  if (shape === null) return null
  const name = indexName(table.name, column.name, shape.suffix)
  const body = `${shape.body}${liveRows(table)}`
  const rest = `${quoteName(name)} on ${quoteName(table.schema)}.${quoteName(table.name)} ${body};`
  return {
    name,
    body,
    statement: `create index ${rest}`,
    concurrently: `create index concurrently ${rest}`,
  }
}

interface Shape {
  readonly suffix: string
  readonly body: string
}

function chooseIndexShape(
  table: Table,
  column: Column,
  use: IndexUse,
  extensions: SearchExtensions,
): Shape | null {
  switch (use) {
    case 'notEqual':
      return null
    case 'like':
    case 'leftLike':
      return partsShape(table, column, extensions)
    case 'rightLike':
      return partsShape(table, column, extensions) ?? prefixShape(table, column)
    case 'in':
    case 'multiContains':
    case 'equal':
      return isArray(column) ? arrayShape(column) : orderedShape(table, column)
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
    case 'between':
      return orderedShape(table, column)
    case 'order':
      return familyOf(column) === 'text' ? textShape(table, column) : orderedShape(table, column)
  }
}

/** The school first and the key last: one index serves equality, ranges, the order and its next page. */
function orderedShape(table: Table, column: Column): Shape | null {
  // Other types are compared by their text forms, which need not be immutable.
  if (!isOrdered(column) || familyOf(column) === 'other') return null
  const key = (table.keySets?.[0] ?? []).filter((name) => name !== column.name)
  const columns = [...listSchoolColumns(table), column.name, ...key]
  return { suffix: 'list', body: `(${columns.map(quoteName).join(', ')})` }
}

/** Texts in the order of people (docs/rules/database.md#order). */
function textShape(table: Table, column: Column): Shape {
  const ref = quoteName(column.name)
  const key = `sys.sort_key(${['text', 'varchar'].includes(column.type) ? ref : `${ref}::text`})`
  const names = (table.keySets?.[0] ?? []).map(quoteName)
  return {
    suffix: 'order',
    body: `(${[...listSchoolColumns(table).map(quoteName), key, ...names].join(', ')})`,
  }
}

function partsShape(table: Table, column: Column, extensions: SearchExtensions): Shape | null {
  if (familyOf(column) !== 'text' || column.type === 'citext') return null
  const [school] = listSchoolColumns(table)
  if (school !== undefined)
    return {
      suffix: 'bigrams',
      body: `using gin (sys.bigrams(${quoteName(school)}, ${quoteName(column.name)}))`,
    }
  if (column.type === 'bpchar') return null
  if (extensions.bigrams)
    return { suffix: 'bigm', body: `using gin (${quoteName(column.name)} gin_bigm_ops)` }
  return extensions.trigrams
    ? { suffix: 'trgm', body: `using gin (${quoteName(column.name)} gin_trgm_ops)` }
    : null
}

/** Serves starts of texts without letters, as of numbers. */
function prefixShape(table: Table, column: Column): Shape | null {
  if (!['text', 'varchar'].includes(column.type)) return null
  const columns = [
    ...listSchoolColumns(table).map(quoteName),
    `${quoteName(column.name)} text_pattern_ops`,
  ]
  return { suffix: 'prefix', body: `(${columns.join(', ')})` }
}

/** As `filter.ts` compares arrays: with those of texts or of eight-byte integers. */
function arrayShape(column: Column): Shape | null {
  const family = familyOf(column)
  if (family !== 'texts' && family !== 'integers') return null
  const type = family === 'texts' ? '_text' : '_int8'
  const ref = quoteName(column.name)
  return {
    suffix: 'items',
    body: `using gin (${column.type === type ? ref : `(${ref}::${family === 'texts' ? 'text' : 'int8'}[])`})`,
  }
}

function listSchoolColumns({ schema, columns }: Table): string[] {
  const column = columns.get('tenant_id')
  return column !== undefined && isSchoolColumn(schema, column) ? [column.name] : []
}

/** Lists leave the recycle bin out, so its rows need no place in the index. */
function liveRows({ schema, columns }: Table): string {
  const column = columns.get('deleted_at')
  return column !== undefined && isOwnColumn(schema, 'deleted_at', column)
    ? ' where "deleted_at" is null'
    : ''
}

/** Names of PostgreSQL have at most 63 bytes; a digest keeps long ones apart. */
function indexName(table: string, column: string, suffix: string): string {
  const name = `${table}_${column}_${suffix}`
  if (Buffer.byteLength(name) <= 63) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  let start = `${table}_${column}`
  while (Buffer.byteLength(start) > 63 - suffix.length - 10)
    start = [...start].slice(0, -1).join('')
  return `${start}_${digest}_${suffix}`
}
