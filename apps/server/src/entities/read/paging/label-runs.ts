// Pages of lists in the order of a label, without making and sorting the label of every row: how many rows store each
// value says which values a page holds (docs/rules/database.md#order).
import { sql } from 'kysely'
import type { MemoryKind } from '../../../platform/memory.ts'
import type { Context } from '../../../model/context.ts'
import { listTables } from '../../../access/access.ts'
import { tableVersions } from '../../../platform/database/tables/table-versions.ts'
import { allOf, anyOf, type Condition, formatTyped } from '../../../model/definition/names.ts'
import type { OrderTerm, QueryPlan } from '../query.ts'
import type { RawRow } from '../rows.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import type { CountedTotal } from '../totals/count.ts'
import { buildMark } from './bookmarks.ts'
import type { FoundRows, PageWindow, RowsPlan } from './page-window.ts'

/** Shorter lists are sorted at once. */
const shortList = 1_000
/** Values of one list that are remembered, some 100 bytes each. */
const maxValues = 20_000
/** The longest time they outlive writes of other programs, as totals do. */
const lifetimeMs = 30_000
/** How long a list with more values is not asked again. */
const tooManyMs = 600_000
/** Rows of the values of a page that are sorted together. */
const sortedRows = 2_000

/** The rows of one label. */
interface Run {
  /** The stored values that show it; null: no value. */
  readonly values: readonly (string | null)[]
  readonly count: number
}
interface Runs {
  /** Ascending; null: too many. */
  readonly runs: readonly Run[] | null
  /** Versions of the table of the list, and of those of the labels. */
  readonly version: string
  readonly labels: string
  readonly at: number
}
type Label = NonNullable<OrderTerm['label']>
interface Kept {
  readonly known?: Runs | undefined
  readonly making?: Promise<Runs> | undefined
}
const lists: MemoryKind<Kept> = { name: 'label runs', limit: 100 }

interface ListState {
  readonly key: string | null
  readonly known: CountedTotal | undefined
}
type ReadPart = (plan: RowsPlan, window: PageWindow, of: ListState) => Promise<FoundRows>

/**
 * A page of a list whose first order is a label. Null where that is not worth it, or where the rows have changed
 * meanwhile: the caller then sorts all of them.
 */
export async function rowsByLabel(
  context: Context,
  plan: RowsPlan,
  window: PageWindow,
  { key, known }: ListState,
  read: ReadPart,
): Promise<FoundRows | null> {
  const [first, ...rest] = plan.order
  const { label } = first ?? {}
  if (key === null || first === undefined || label === undefined || rest.length === 0) return null
  if (known?.isEstimate === false && known.total <= shortList) return null
  const list = `${key} ${buildMark(context, plan.order)}`
  for (const isLast of [false, true]) {
    const runs = await findRuns(context, plan, label, list, isLast)
    if (runs.runs === null) return null
    const found = await readPieces(plan, { ...runs, runs: runs.runs }, window, key, read)
    if (found !== null) return found
  }
  return null
}

interface Piece {
  readonly values: readonly (string | null)[]
  readonly offset: number
  readonly size: number
  readonly count: number
  /** All of its rows show the same label. */
  readonly isOne: boolean
}

/** Null: the table, or a label, is no longer as it was counted. */
async function readPieces(
  plan: RowsPlan,
  { runs, version, labels }: Runs & { readonly runs: readonly Run[] },
  window: PageWindow,
  key: string,
  read: ReadPart,
): Promise<FoundRows | null> {
  const [first, ...rest] = plan.order
  const { label } = first ?? {}
  if (label === undefined) return null
  const pieces = buildPieces(first?.asc === false ? runs.toReversed() : runs, window)
  const rows: RawRow[] = []
  for (const { values, offset, size, count, isOne } of pieces) {
    const part: RowsPlan = {
      ...plan,
      where: allOf([plan.where, holds(label, values)]),
      order: isOne ? rest : plan.order,
      extra: sql.join([
        ...(plan.extra === undefined ? [] : [plan.extra]),
        sql`${readVersions(plan, label)} as lv`,
      ]),
      hasOnePlan: false,
      statements: undefined,
    }
    const found = await read(
      part,
      { ...window, size, offset },
      {
        key: `${key} ${JSON.stringify(values)}`,
        known: { total: count, isEstimate: false, version },
      },
    )
    const isSame = found.version === version && found.rows.every(({ lv }) => lv === labels)
    if (!isSame || found.rows.length !== size) return null
    rows.push(...found.rows)
  }
  // Past the end it is not known whether there are more rows by now.
  return rows.length === 0 ? null : { rows, version, isExact: false }
}

/** The parts of a page: the rows of few values are sorted together, and those of one label need no sort by it. */
function buildPieces(runs: readonly Run[], { size, offset }: PageWindow): Piece[] {
  const found: (Run & { readonly start: number })[] = []
  let start = 0
  for (const run of runs) {
    if (start >= offset + size) break
    if (start + run.count > offset) found.push({ ...run, start })
    start += run.count
  }
  const [first, last] = [found[0], found.at(-1)]
  if (first === undefined || last === undefined) return []
  const together = last.start + last.count - first.start
  const groups =
    together <= sortedRows
      ? [found]
      : [[first], found.slice(1, -1), found.length > 1 ? [last] : []].filter(
          ({ length }) => length > 0,
        )
  return groups.flatMap((group) => {
    const [from, to] = [
      group[0]?.start ?? 0,
      (group.at(-1)?.start ?? 0) + (group.at(-1)?.count ?? 0),
    ]
    const [begin, end] = [Math.max(from, offset), Math.min(to, offset + size)]
    return {
      values: group.flatMap(({ values }) => values),
      offset: begin - from,
      size: end - begin,
      count: to - from,
      isOne: group.length === 1,
    }
  })
}

/** The rows that store one of the values. */
function holds({ stored, storedCast, rows }: Label, values: readonly (string | null)[]): Condition {
  const given = values.filter((value) => value !== null)
  const isIn =
    given.length === 1
      ? sql`${stored} = ${formatTyped(given[0], storedCast)}`
      : sql`${stored} = any(${formatTyped(given, `${storedCast}[]`)})`
  const filled = allOf([...(given.length === 0 ? [] : [isIn]), ...(rows === null ? [] : [rows])])
  if (given.length === values.length) return filled
  const empty: Condition =
    rows === null ? sql`${stored} is null` : sql`(case when ${rows} then ${stored} end) is null`
  return given.length === 0 ? empty : anyOf([filled, empty])
}

async function findRuns(
  context: Context,
  plan: QueryPlan,
  label: Label,
  list: string,
  anew: boolean,
): Promise<Runs> {
  const all = context.memory.of(lists)
  const kept = all.get(list)
  const age =
    kept?.known === undefined ? Infinity : Math.abs(context.now().getTime() - kept.known.at)
  if (
    kept?.known !== undefined &&
    age < (kept.known.runs === null ? tooManyMs : anew ? 0 : lifetimeMs)
  )
    return kept.known
  const making = kept?.making ?? countedRuns(context, plan, label)
  all.set(list, { ...kept, making })
  try {
    const known = await making
    all.set(list, { known })
    return known
  } catch (error) {
    all.delete(list)
    throw error
  }
}

async function countedRuns(context: Context, plan: QueryPlan, label: Label): Promise<Runs> {
  const at = context.now().getTime()
  const { access, where } = plan
  const { stored, rows: may, make } = label
  const value = may === null ? stored : sql`(case when ${may} then ${stored} end)`
  const { rows } = await sql<{
    value: string | null
    n: string | number
    same: boolean | null
    few: boolean
    tv: string
    lv: string
  }>`
    with v as materialized (
      select ${value} as value, count(*) as n from ${fromTable(access.entity)} where ${where}
      group by 1 limit ${maxValues + 1}),
    few as materialized (select count(*) <= ${maxValues} as yes from v)
    select v.value::text as value, v.n::int8 as n, k.key = lag(k.key) over (order by k.key) as same,
      (select yes from few) as few,
      ${tableVersions(access.tenant, listTables(access))} as tv, ${readVersions(plan, label)} as lv
    from v left join lateral (
      select case when (select yes from few) then ${make(sql`v.value`)} end as key offset 0) as k on true
    order by k.key limit (select case when yes then null else 1 end from few)`.execute(
    databaseOf(context),
  )
  const { tv = '', lv = '', few = true } = rows[0] ?? {}
  const runs: { values: (string | null)[]; count: number }[] = []
  for (const row of few ? rows : []) {
    const last = row.same === true ? runs.at(-1) : undefined
    if (last === undefined) runs.push({ values: [row.value], count: Number(row.n) })
    else {
      last.values.push(row.value)
      last.count += Number(row.n)
    }
  }
  return { runs: few ? runs : null, version: tv, labels: lv, at }
}

/** The versions of the tables of the labels, as one text. */
function readVersions({ access }: QueryPlan, { tables }: Label) {
  return tables.length === 0 ? sql`''` : tableVersions(access.tenant, [...new Set(tables)])
}
