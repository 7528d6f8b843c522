// Reading a whole result in pieces: each starts where the last row ended, so nothing is held open between them (db.md 3.7).
import type { Row } from '@jiaowu/api'
import { type RawBuilder, sql } from 'kysely'
import type { LoadedField } from './loaded.ts'
import { allOf, anyOf, type Condition, never, typed } from './names.ts'
import { type OrderTerm, orderBy, type QueryPlan } from './query.ts'
import { type AnyDatabase, fromTable, type RawRow, readRow, selectList } from './rows.ts'

const chunkSize = 1_000

type Key = string | null
const same = ({ ref, cast }: OrderTerm, key: Key): Condition => (key === null ? sql`${ref} is null` : sql`${ref} = ${typed(key, cast)}`)
/** PostgreSQL's own order: empty last when ascending, first when descending. */
const beyond = ({ ref, cast, asc, nullable }: OrderTerm, key: Key): Condition => {
  if (key === null) return asc ? never : sql`${ref} is not null`
  const past = asc ? sql`${ref} > ${typed(key, cast)}` : sql`${ref} < ${typed(key, cast)}`
  return asc && nullable ? sql`(${past} or ${ref} is null)` : past
}
const after = (order: readonly OrderTerm[], keys: readonly Key[]): Condition =>
  anyOf(order.map((term, index) => allOf([...order.slice(0, index).map((before, i) => same(before, keys[i] ?? null)), beyond(term, keys[index] ?? null)])))

const keyList = (order: readonly OrderTerm[]): RawBuilder<unknown> => sql.join(order.map(({ ref }, index) => sql`(${ref})::text as ${sql.id(`k${index}`)}`))

/** Every row of the plan, a chunk at a time, at most `most`. A row changed meanwhile appears as it is when it is reached. */
export const chunksOf = async function* (db: AnyDatabase, plan: QueryPlan, fields: readonly LoadedField[], most: number): AsyncGenerator<Row[]> {
  const { access, where, order } = plan
  let keys: readonly Key[] | null = null
  for (let left = most; left > 0;) {
    const size = Math.min(chunkSize, left)
    const from: Condition = keys === null ? where : allOf([where, after(order, keys)])
    const { rows }: { rows: RawRow[] } = await sql<RawRow>`select ${selectList(access, fields)}, ${keyList(order)} from ${fromTable(access.entity)} where ${from} order by ${orderBy(order)} limit ${size}`.execute(db)
    if (rows.length > 0) yield rows.map((raw) => readRow(access, fields, raw, 'export'))
    const last = rows.at(-1)
    if (last === undefined || rows.length < size) return
    keys = order.map((_term, index) => { const key = last[`k${index}`]; return typeof key === 'string' ? key : null })
    left -= rows.length
  }
}
