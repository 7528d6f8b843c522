// Bookmarks of long lists without sorting the list: a sample of the table's blocks says which row may be near the
// offset, and counting the rows before that row says where it is exactly (docs/rules/database.md#deep-pages).
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { type Bookmark, sampleStep } from './bookmarks.ts'
import { allOf, type Condition } from '../../../model/definition/names.ts'
import { keyRefs, readOrderKeys, type Key, keyTexts, rowsAfter, rowsBefore } from './keyset.ts'
import { fromPlan, joinOrderTables, orderBy, type QueryPlan } from '../query.ts'
import type { RawRow } from '../rows.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { type AnyDatabase, databaseOf } from '../../../platform/database/any-database.ts'

/** Shorter ways are walked: that costs less than a count. */
export const sampledDistance = 50_000
/** Rows of the list to sort in the sample, and of the table to read for it, at most. */
const sampledRows = 10_000
const readRows = 100_000
/** Rows of the sample to choose from. */
const keptRows = 1_000
const maxCounts = 3

/** The rows of the list up to a row of the sample, that included. The ends of the list have no keys. */
interface Point {
  /** Index in the sample. */
  readonly at: number
  readonly rank: number
  readonly keys?: readonly Key[]
}

/**
 * Exact bookmarks around an offset, the last of them mostly within two steps before it.
 * @param total of the list, which may be an estimate
 * @returns none for views and other tables that can't be sampled, and for samples that are too small
 */
export async function sampledBookmarks(
  context: Context,
  plan: QueryPlan,
  offset: number,
  total: number,
): Promise<readonly Bookmark[]> {
  const db = databaseOf(context)
  const sample = await sampleOrder(db, plan, Math.max(total, offset))
  if (sample.length === 0) return []
  const points: Point[] = [
    { at: -1, rank: 0 },
    { at: sample.length, rank: Math.max(total, offset + 1) },
  ]
  const found: Bookmark[] = []
  while (found.length < maxCounts) {
    const upper = points.findIndex(({ rank }) => rank > offset - sampleStep)
    const [low, high] = [points[upper - 1], points[upper]]
    if (low === undefined || high === undefined) break
    const at = between(low, high, offset - sampleStep)
    const keys = sample[at]
    // Nothing is found from a row without a value in the first column of the order.
    if (keys === undefined || keys[0] === null || at <= low.at || at >= high.at) break
    const isHighNearer = high.keys !== undefined && high.at - at < at - low.at
    const rank = await countRank(db, plan, { at, keys }, isHighNearer ? high : low)
    found.push({ offset: rank, keys })
    if (rank <= offset && offset - rank <= 2 * sampleStep) break
    points.splice(upper, 0, { at, rank, keys })
  }
  return found
}

/** Where in the sample a rank should be. */
function between(low: Point, high: Point, rank: number): number {
  const share = (rank - low.rank) / (high.rank - low.rank)
  return Math.min(
    Math.max(Math.round(low.at + share * (high.at - low.at)), low.at + 1),
    high.at - 1,
  )
}

/** Counts from a point whose rank is known, or from the beginning of the list. */
async function countRank(
  db: AnyDatabase,
  plan: QueryPlan,
  { at, keys }: { readonly at: number; readonly keys: readonly Key[] },
  { at: knownAt, rank, keys: known }: Point,
): Promise<number> {
  const { order } = plan
  if (known === undefined) return (await countPlanRows(db, plan, rowsBefore(order, keys))) + 1
  return knownAt < at
    ? rank +
        1 +
        (await countPlanRows(db, plan, allOf([rowsAfter(order, known), rowsBefore(order, keys)])))
    : rank -
        1 -
        (await countPlanRows(db, plan, allOf([rowsAfter(order, keys), rowsBefore(order, known)])))
}

/** Sort keys of rows at equal distances in the list, in its order. */
async function sampleOrder(
  db: AnyDatabase,
  { access, where, order }: QueryPlan,
  total: number,
): Promise<readonly (readonly Key[])[]> {
  const { schema, name } = access.entity.table
  // Only PostgreSQL's own storage is known to have samples.
  const { rows: tables } = await sql<{ rows: number }>`
    select c.reltuples::float8 as rows from pg_class c
    join pg_namespace n on n.oid = c.relnamespace join pg_am a on a.oid = c.relam
    where n.nspname = ${schema}::text and c.relname = ${name}::text
      and c.relkind = 'r' and a.amname = 'heap'`.execute(db)
  const tableRows = tables[0]?.rows ?? 0
  if (tableRows <= 0) return []
  const percent = 100 * Math.min(sampledRows / total, readRows / tableRows, 1)
  const { rows } = await sql<RawRow>`
    select ${keyTexts(order)} from (
      select ${keyRefs(order)}, row_number() over (order by ${orderBy(order)}) as n, count(*) over () as size
      from ${fromTable(access.entity)} tablesample system (${percent}::float8)${joinOrderTables(order)}
      where ${where}
    ) as sampled
    where size >= ${keptRows / 10}::int8 and n % greatest(size / ${keptRows}::int8, 1) = 0
    order by n`.execute(db)
  return rows.map((row) => readOrderKeys(order, row))
}

async function countPlanRows(db: AnyDatabase, plan: QueryPlan, part: Condition): Promise<number> {
  const { rows } = await sql<{ n: string | number }>`
    select count(*) as n from ${fromPlan(plan)} where ${plan.where} and ${part}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}
