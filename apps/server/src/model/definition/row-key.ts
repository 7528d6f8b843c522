// The id of a row on the wire (docs/rules/contract.md#row-ids): the value of a single key column, or
// the percent-encoded values of several, joined by `~`. Rows of tables and views without a key are
// named by a keyed digest of their values, and are never written.
import { decodeRowId, encodeRowId } from '@jiaowu/api/row-id'
import { type RawBuilder, sql } from 'kysely'
import { chooseCast, type Column, columnViolation, familyOf } from '../fields/column.ts'
import type { Slot } from '../../platform/database/statements/statement-template.ts'
import type { LoadedEntity } from './loaded.ts'
import { allOf, columnRef, type Condition, never, formatTyped } from './names.ts'

export type Keyed = Pick<LoadedEntity, 'key' | 'digest'>

/** The id of a row as SQL: the column itself for a single key, else a text. */
export function idRef({ key, digest }: Keyed, alias?: string): RawBuilder<unknown> {
  const [only, ...more] = key
  if (only !== undefined && more.length === 0) return columnRef(only.name, alias)
  if (only !== undefined)
    return sql`(${sql.join(
      key.map((column) => partRef(column, alias)),
      sql` || '~' || `,
    )})`
  return digest === null
    ? sql`null::text`
    : sql`md5(${formatTyped(digest.secret(), 'text')} || row(${sql.join(
        digest.columns.map(({ name }) => columnRef(name, alias)),
      )})::text)`
}

/** The id of a row as text. */
export function idText(entity: Keyed, alias?: string): RawBuilder<unknown> {
  const [only, ...more] = entity.key
  return only !== undefined && more.length === 0
    ? keyText(only, alias)
    : sql`${idRef(entity, alias)}::text`
}

/** The text of a key value, whatever time zone the transaction has. */
function keyText(column: Column, alias?: string): RawBuilder<unknown> {
  return castKeyToText(column, columnRef(column.name, alias))
}

/** The text of a value of the key column. */
export function castKeyToText(column: Column, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return familyOf(column) === 'instant'
    ? sql`((${value} at time zone 'UTC')::text || '+00')`
    : sql`${value}::text`
}

/** A value percent-encoded as `encodeRowId` does it. */
function partRef(column: Column, alias?: string): RawBuilder<unknown> {
  const text = keyText(column, alias)
  return ['integer', 'uuid'].includes(familyOf(column) ?? '')
    ? text
    : sql`(case when ${text} collate "C" ~ '^[A-Za-z0-9._-]*$' then ${text} else (
        select string_agg(case when s.c collate "C" ~ '^[A-Za-z0-9._-]$' then s.c
          else regexp_replace(upper(encode(convert_to(s.c, 'UTF8'), 'hex')), '(..)', '%\\1', 'g')
          end, '' order by s.n)
        from regexp_split_to_table(${text}, '') with ordinality as s(c, n)) end)`
}

/** Matches the rows with these ids; ignores ids that the key cannot hold. */
export function hasId(entity: Keyed, ids: readonly string[]): Condition {
  const { key } = entity
  const [only, ...more] = key
  if (only === undefined)
    return entity.digest === null || ids.length === 0
      ? never
      : sql`${idRef(entity)} = any(${formatTyped([...ids], 'text[]')})`
  if (more.length === 0) {
    const known = ids.filter((id) => fitsKey(id, only))
    const [first] = known
    if (first === undefined) return never
    return known.length === 1 ? isOne(only, first) : equalsAnyKey(only, known)
  }
  const rows = ids.flatMap((id) => {
    const values = decodeRowId(id, key.length)
    return values !== null && values.every((value, i) => fitsKey(value, key[i] ?? only))
      ? [values]
      : []
  })
  if (rows.length === 0) return never
  const [first] = rows
  if (rows.length === 1 && first !== undefined)
    return allOf(
      key.map((column, i) => sql`${comparableKey(column)} = ${operand(column, first[i])}`),
    )
  return sql`(${sql.join(key.map(comparableKey))}) in (${sql.join(
    rows.map((values) => sql`(${sql.join(key.map((column, i) => operand(column, values[i])))})`),
  )})`
}

/** As `hasId` for one id, with a place for it; null for keys of several columns, and without one. */
export function hasIdIn({ key: [only, ...more] }: Keyed, id: Slot): Condition | null {
  return only === undefined || more.length > 0 ? null : isOne(only, id)
}

/** Whether a key of one column can hold the id. */
export function fitsOnlyKey({ key: [only] }: Keyed, id: string): boolean {
  return only !== undefined && fitsKey(id, only)
}

/** PostgreSQL keeps a plan for equality with one value; for a list it plans each run anew. */
function isOne(column: Column, id: string | Slot): Condition {
  return familyOf(column) === 'other'
    ? sql`${columnRef(column.name)}::text = ${formatTyped(id, 'text')}`
    : sql`${columnRef(column.name)} = ${formatTyped(id, keyCast(column))}`
}

function equalsAnyKey(column: Column, ids: readonly string[]): Condition {
  return familyOf(column) === 'other'
    ? sql`${columnRef(column.name)}::text = any(${formatTyped(ids, 'text[]')})`
    : sql`${columnRef(column.name)} = any(${formatTyped(ids, `${keyCast(column)}[]`)})`
}

/** The column or expression that equals the operands. Types only the database can read compare as text. */
function comparableKey(column: Column): RawBuilder<unknown> {
  return familyOf(column) === 'other'
    ? sql`${columnRef(column.name)}::text`
    : columnRef(column.name)
}

function operand(column: Column, value: string | undefined): RawBuilder<unknown> {
  return formatTyped(value ?? null, familyOf(column) === 'other' ? 'text' : keyCast(column))
}

/** Ids hold the instant itself, with its offset from UTC. */
export function keyCast(column: Column): string {
  return familyOf(column) === 'instant' ? 'timestamptz' : chooseCast(column)
}

const stamp = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?([+-]\d\d(:\d\d)?)?)?$/

/** Whether the key column can hold the value, so that an odd id finds nothing instead of failing. */
function fitsKey(value: string, column: Column): boolean {
  switch (familyOf(column)) {
    case 'timestamp':
    case 'instant':
      return stamp.test(value) && columnViolation(value.slice(0, 10), column) === null
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$/.test(value)
    default:
      return columnViolation(value, { ...column, length: null }) === null
  }
}

/** Whether the text may be the id of a row. */
export function isPossibleId({ key }: Keyed, id: string): boolean {
  const values = decodeRowId(id, key.length)
  return (
    values !== null &&
    values.every((value, i) => {
      const column = key[i]
      return column === undefined || fitsKey(value, column)
    })
  )
}

/** The id of the row with these key values; null when one of them is missing. */
export function idOfValues(values: readonly (string | null)[]): string | null {
  return values.includes(null) ? null : encodeRowId(values as readonly string[])
}
