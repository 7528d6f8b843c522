// Reads a whole result in chunks. Each chunk starts after the last row of the one before, so no
// cursor or transaction stays open between them (docs/rules/database.md#keyset-reads).
import type { Row } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import {
  allOf,
  always,
  anyOf,
  type Condition,
  never,
  formatTyped,
} from '../../../model/definition/names.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { hasId, idText } from '../../../model/definition/row-key.ts'
import { fromPlan, type OrderTerm, orderBy, type QueryPlan } from '../query.ts'
import { type RawRow, rowReader, selectList, type ValueForm } from '../rows.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'

const defaultChunkSize = 1_000
/** Ids and keys of one statement, some 300 bytes a row. */
const idsAtOnce = 50_000

/** The sort key of a row as texts, one per term of the order. */
export type Key = string | null

/**
 * The raw rows of the plan in chunks, at most `maxRows`; `columns` include the id. A row changed during the read
 * appears as it is when its chunk is read.
 */
export async function* readRawChunks(
  db: AnyDatabase,
  plan: QueryPlan,
  columns: RawBuilder<unknown>,
  maxRows: number,
  chunkSize = defaultChunkSize,
): AsyncGenerator<RawRow[]> {
  let left = maxRows
  for (const half of listPhases(plan.order)) {
    for await (const rows of readPhase(db, plan, half, columns, left, chunkSize)) {
      left -= rows.length
      yield rows
    }
  }
}

/**
 * Reads rows with and without a value in the first term separately: an index can serve each phase,
 * but not both in one query.
 */
function listPhases([first]: readonly OrderTerm[]): readonly Condition[] {
  if (first?.nullable !== true) return [always]
  const [filled, empty] = [sql`${first.ref} is not null`, sql`${first.ref} is null`]
  return first.asc ? [filled, empty] : [empty, filled]
}

/** The same as wire rows with the fields of an export. */
export async function* readChunks(
  db: AnyDatabase,
  plan: QueryPlan,
  fields: readonly LoadedField[],
  maxRows: number,
  form: ValueForm = 'masked',
): AsyncGenerator<Row[]> {
  const read = rowReader(plan.access, fields, 'export', form)
  for await (const rows of readRawChunks(db, plan, selectList(plan.access, fields), maxRows))
    yield rows.map(read)
}

function equalsKey({ ref, cast }: OrderTerm, key: Key): Condition {
  return key === null ? sql`${ref} is null` : sql`${ref} = ${formatTyped(key, cast)}`
}

/** Follows PostgreSQL's default: nulls last when ascending, first when descending. */
function pastKey({ ref, cast, asc, nullable }: OrderTerm, key: Key): Condition {
  if (key === null) return asc ? never : sql`${ref} is not null`
  const past = asc
    ? sql`${ref} > ${formatTyped(key, cast)}`
    : sql`${ref} < ${formatTyped(key, cast)}`
  return asc && nullable ? sql`(${past} or ${ref} is null)` : past
}

/** The rows that come after the row with these keys. */
export function rowsAfter(order: readonly OrderTerm[], keys: readonly Key[]): Condition {
  return (
    comparedAsRows(order, keys) ?? allOf([...leadingBound(order, keys), afterKeys(order, keys)])
  )
}

/**
 * The same as one comparison of rows, which an index answers alone: expressions of the order are not made again for
 * each row. Null where directions differ or a value may be missing.
 */
function comparedAsRows(order: readonly OrderTerm[], keys: readonly Key[]): Condition | null {
  const [first, ...rest] = order
  if (
    first === undefined ||
    rest.length === 0 ||
    order.some(({ asc, nullable }, index) => asc !== first.asc || (index > 0 && nullable)) ||
    order.some((_term, index) => (keys[index] ?? null) === null)
  )
    return null
  const refs = sql.join(order.map(({ ref }) => ref))
  const values = sql.join(order.map(({ cast }, index) => formatTyped(keys[index], cast)))
  return sql`(${refs}) ${first.asc ? sql`>` : sql`<`} (${values})`
}

/** The rows that come before the row with these keys. */
export function rowsBefore(order: readonly OrderTerm[], keys: readonly Key[]): Condition {
  const reversed = order.map((term) => ({ ...term, asc: !term.asc }))
  // The bound of the first term would leave rows without a value out.
  return order[0]?.nullable === true ? afterKeys(reversed, keys) : rowsAfter(reversed, keys)
}

function afterKeys(order: readonly OrderTerm[], keys: readonly Key[]): Condition {
  return anyOf(
    order.map((term, index) =>
      allOf([
        ...order.slice(0, index).map((before, i) => equalsKey(before, keys[i] ?? null)),
        pastKey(term, keys[index] ?? null),
      ]),
    ),
  )
}

/**
 * A condition on the first term that `afterKeys` implies, in a form an index scan can start from.
 */
function leadingBound([first]: readonly OrderTerm[], [key = null]: readonly Key[]): Condition[] {
  return first === undefined || key === null
    ? []
    : [
        first.asc
          ? sql`${first.ref} >= ${formatTyped(key, first.cast)}`
          : sql`${first.ref} <= ${formatTyped(key, first.cast)}`,
      ]
}

/** The sort keys as they are, for a subquery whose rows `keyTexts` reads. */
export function keyRefs(order: readonly OrderTerm[]): RawBuilder<unknown> {
  return sql.join(order.map(({ ref }, index) => sql`${ref} as ${sql.id(`k${index}`)}`))
}

/** The sort keys of a subquery with `keyRefs` as `readOrderKeys` reads them. */
export function keyTexts(order: readonly OrderTerm[]): RawBuilder<unknown> {
  const names = order.map((_term, index) => sql.id(`k${index}`))
  return sql.join(names.map((name) => sql`${name}::text as ${name}`))
}

export function keyList(order: readonly OrderTerm[]): RawBuilder<unknown> {
  return sql.join(order.map(({ ref }, index) => sql`(${ref})::text as ${sql.id(`k${index}`)}`))
}

/** The keys in a row that was selected with `keyList`. */
export function readOrderKeys(order: readonly OrderTerm[], row: RawRow): Key[] {
  return order.map((_term, index) => {
    const key = row[`k${index}`]
    return typeof key === 'string' ? key : null
  })
}

async function* readPhase(
  db: AnyDatabase,
  plan: QueryPlan,
  half: Condition,
  columns: RawBuilder<unknown>,
  maxRows: number,
  chunkSize: number,
): AsyncGenerator<RawRow[]> {
  const { access, order } = plan
  const phase = { ...plan, where: allOf([plan.where, half]) }
  if (access.entity.key.length === 0 || !order.some(({ cast }) => cast === 'bytea')) {
    yield* readInOrder(db, phase, columns, maxRows, chunkSize)
    return
  }
  // Keys of texts are dear to make and to sort: the ids of many chunks are read in order first.
  const ids = sql`${idText(access.entity)} as id`
  for await (const found of readInOrder(db, phase, ids, maxRows, idsAtOnce))
    for (let from = 0; from < found.length; from += chunkSize) {
      const rows = await readByIds(db, plan, columns, found.slice(from, from + chunkSize))
      if (rows.length > 0) yield rows
    }
}

async function* readInOrder(
  db: AnyDatabase,
  { access, where, order }: QueryPlan,
  columns: RawBuilder<unknown>,
  maxRows: number,
  chunkSize: number,
): AsyncGenerator<RawRow[]> {
  let keys: readonly Key[] | null = null
  for (let left = maxRows; left > 0;) {
    const size = Math.min(chunkSize, left)
    const from: Condition = keys === null ? where : allOf([where, rowsAfter(order, keys)])
    const { rows }: { rows: RawRow[] } = await sql<RawRow>`
      select ${columns}, ${keyList(order)} from ${fromPlan({ access, order })}
      where ${from} order by ${orderBy(order)} limit ${size}`.execute(db)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) return
    keys = readOrderKeys(order, last)
    left -= rows.length
  }
}

/** The rows in the order of `found`, without those that no longer match. */
async function readByIds(
  db: AnyDatabase,
  { access, where }: QueryPlan,
  columns: RawBuilder<unknown>,
  found: readonly RawRow[],
): Promise<RawRow[]> {
  const ids = found.map(({ id }) => String(id))
  const { rows } = await sql<RawRow>`
    select ${columns} from ${fromTable(access.entity)}
    where ${allOf([where, hasId(access.entity, ids)])}`.execute(db)
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}
