// Reads the rows of one page. A deep page starts at a bookmark instead of counting its way from the first row
// (docs/rules/database.md#deep-pages).
import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { callerStamp, tokenSlot } from '../../../identity/callers.ts'
import {
  Slot,
  createStatementTemplate,
} from '../../../platform/database/statements/statement-template.ts'
import { listTables } from '../../../access/access.ts'
import { tableVersions } from '../../../platform/database/tables/table-versions.ts'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import { allOf, type Condition } from '../../../model/definition/names.ts'
import { idRef } from '../../../model/definition/row-key.ts'
import { type Bookmark, findBookmarks, type Bookmarks, sampleStep } from './bookmarks.ts'
import { rowsByLabel } from './label-runs.ts'
import { sampledBookmarks, sampledDistance } from './sampled-bookmarks.ts'
import { type CountedTotal, estimatedTotal } from '../totals/count.ts'
import { keyList, keyRefs, readOrderKeys, keyTexts, rowsAfter } from './keyset.ts'
import { fromPlan, orderBy, type QueryPlan } from '../query.ts'
import { type RawRow, selectList } from '../rows.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import type { PageWindow, FoundRows, RowsPlan } from './page-window.ts'

/** Beyond this offset pages use bookmarks; below, counting rows costs less than a millisecond. */
const deepOffset = 1_000
/** Beyond this offset the query finds ids first, then joins the rows. */
const idsFirstOffset = 1_000
const sizeSlot = new Slot('size')
const offsetSlot = new Slot('offset')
/** Statements of one list: those of its first pages have their size and offset in the text. */
const maxStatements = 30

/** @param key of the list, null when nothing about it is remembered */
export async function readWindow(
  context: Context,
  plan: RowsPlan,
  fields: readonly LoadedField[],
  window: PageWindow,
  key: string | null,
  known: CountedTotal | undefined,
): Promise<FoundRows> {
  const byLabel = await rowsByLabel(context, plan, window, { key, known }, (part, span, of) =>
    readAsOrdered(context, part, fields, span, of.key, of.known),
  )
  return byLabel ?? (await readAsOrdered(context, plan, fields, window, key, known))
}

async function readAsOrdered(
  context: Context,
  plan: RowsPlan,
  fields: readonly LoadedField[],
  window: PageWindow,
  key: string | null,
  known: CountedTotal | undefined,
): Promise<FoundRows> {
  const read = async (part: Part) => {
    const { rows } = await databaseOf(context).executeQuery(
      compiledStatement(context, part, fields, key !== null),
    )
    if (rows[0] === undefined) await context.proof?.confirm()
    else context.proof?.check(rows[0].caller)
    return { rows, version: typeof rows[0]?.tv === 'string' ? rows[0].tv : null }
  }
  const { size, offset } = window
  if (key === null || offset <= deepOffset)
    return { ...(await read({ ...plan, size, offset })), isExact: true }
  return await readDeep(context, { ...plan, statements: undefined }, window, key, known, read)
}

type ReadPart = (
  part: Part,
) => Promise<{ readonly rows: readonly RawRow[]; readonly version: string | null }>

async function readDeep(
  context: Context,
  plan: RowsPlan,
  window: PageWindow,
  key: string,
  known: CountedTotal | undefined,
  read: ReadPart,
): Promise<FoundRows> {
  const { size, offset } = window
  const marks = findBookmarks(context, key, plan.order)
  const fromEnd = await readFromEnd(plan, window, known, marks, read)
  if (fromEnd !== null) return fromEnd
  const start = await findStart(context, plan, marks, offset, known?.total)
  const { lead, ...part } = partFrom(plan, start, window)
  const found = await read(part)
  const rows = found.rows.slice(lead)
  // The condition of a bookmark leaves rows without a value at the end out.
  if (start !== undefined && rows.length < size && plan.order[0]?.nullable === true)
    return { ...(await read({ ...plan, size, offset })), isExact: true }
  const [before, last] = [lead === 1 ? found.rows[0] : undefined, rows.at(-1)]
  const isFresh = marks.seen(found.version)
  if (before !== undefined) marks.add({ offset, keys: readOrderKeys(plan.order, before) })
  if (last !== undefined)
    marks.add({ offset: offset + rows.length, keys: readOrderKeys(plan.order, last) })
  const version = rows.length === 0 ? null : found.version
  return { rows, version, isExact: start === undefined || isFresh }
}

/** A page that is nearer to the end than to a bookmark before it; null for others, and where the total has changed. */
async function readFromEnd(
  plan: RowsPlan,
  window: PageWindow,
  known: CountedTotal | undefined,
  marks: Bookmarks,
  read: ReadPart,
): Promise<FoundRows | null> {
  const { size, offset } = window
  if (known?.isEstimate !== false || offset >= known.total || offset <= known.total / 2) return null
  const fromMark = offset - (marks.before(offset)?.offset ?? 0)
  if (known.total - offset - size >= fromMark) return null
  const found = await read({ ...backwards(plan, window, known.total), withKeys: true })
  if (found.version !== known.version) return null
  const rows = found.rows.toReversed()
  const last = rows.at(-1)
  // The next page starts behind this one instead of at the end.
  if (last !== undefined && marks.seen(found.version))
    marks.add({ offset: offset + rows.length, keys: readOrderKeys(plan.order, last) })
  return { ...found, rows, isExact: true }
}

/**
 * The plan of the rows after a bookmark before the offset, and how many of them come before it: for reads that go on
 * to the end of the list.
 */
export async function planFrom(
  context: Context,
  plan: QueryPlan,
  key: string | null,
  offset: number,
): Promise<{ readonly plan: QueryPlan; readonly offset: number }> {
  // The condition of a bookmark leaves rows without a value at the end out.
  if (key === null || offset <= deepOffset || plan.order[0]?.nullable === true)
    return { plan, offset }
  const start = await findStart(context, plan, findBookmarks(context, key, plan.order), offset)
  return start === undefined
    ? { plan, offset }
    : {
        plan: { ...plan, where: whereAfter(plan, start) },
        offset: offset - start.offset,
      }
}

function whereAfter({ where, order }: QueryPlan, { keys }: Bookmark): Condition {
  return allOf([where, rowsAfter(order, keys)])
}

/** The rows of a page from a bookmark on. `lead`: how many rows before the page come along. */
function partFrom(
  plan: RowsPlan,
  start: Bookmark | undefined,
  { size, offset }: PageWindow,
): Part & { readonly lead: number } {
  if (start === undefined) return { ...plan, size, offset, withKeys: true, lead: 0 }
  const where = whereAfter(plan, start)
  // The row before the page makes the bookmark that the same page starts from next time.
  const lead = offset > start.offset ? 1 : 0
  const rest = offset - start.offset - lead
  return { ...plan, where, size: size + lead, offset: rest, withKeys: true, lead }
}

interface Part extends RowsPlan {
  readonly size: number
  readonly offset: number
  /** To make a bookmark of the last row. */
  readonly withKeys?: boolean
}

/** The same rows in the opposite order, counted from the end. */
function backwards(plan: RowsPlan, window: PageWindow, total: number): Part {
  const size = Math.min(window.size, total - window.offset)
  return {
    ...plan,
    // PostgreSQL's default puts nulls last when ascending and first when descending: the order turns as a whole.
    order: plan.order.map((term) => ({ ...term, asc: !term.asc })),
    size,
    offset: total - window.offset - size,
  }
}

function compiledStatement(
  context: Context,
  part: Part,
  fields: readonly LoadedField[],
  isRemembered: boolean,
): CompiledQuery<RawRow> {
  const { statements, size, offset } = part
  const { proof } = context
  const isFixed = part.hasOnePlan === true && offset <= 10 * size
  const form = [
    proof === undefined ? '' : 'proven',
    isFixed ? `${size} ${offset}` : offset > idsFirstOffset ? 'ids' : 'rows',
  ].join()
  const made =
    statements?.get(form) ??
    createStatementTemplate(
      databaseOf(context),
      statement(part, fields, { isRemembered, isFixed, isProven: proof !== undefined }),
    )
  if (statements !== undefined) {
    if (statements.size >= maxStatements) statements.clear()
    statements.set(form, made)
  }
  const values = new Map<Slot, unknown>([
    [sizeSlot, size],
    [offsetSlot, offset],
    [tokenSlot, proof?.hash],
  ])
  return made(values)
}

function statement(
  { access, where, order, extra, size, offset, withKeys = false }: Part,
  fields: readonly LoadedField[],
  is: { readonly [name in 'isRemembered' | 'isFixed' | 'isProven']: boolean },
): RawBuilder<RawRow> {
  const [from, ordered] = [fromPlan({ access, order }), orderBy(order)]
  const columns = sql.join([
    selectList(access, fields),
    ...(extra === undefined ? [] : [extra]),
    ...(is.isRemembered ? [sql`${tableVersions(access.tenant, listTables(access))} as tv`] : []),
    ...(withKeys ? [keyList(order)] : []),
    ...(is.isProven ? [sql`${callerStamp(access.tenant, tokenSlot)} as caller`] : []),
  ])
  const limit = is.isFixed
    ? sql`limit ${sql.lit(size)} offset ${sql.lit(offset)}`
    : sql`limit ${sizeSlot} offset ${offsetSlot}`
  if (offset <= idsFirstOffset)
    return sql<RawRow>`
      select ${columns} from ${from} where ${where}
      order by ${ordered} ${limit}`
  const id = idRef(access.entity)
  return sql<RawRow>`
    select ${columns} from ${from}
    join (
      select ${id} as found from ${from} where ${where}
      order by ${ordered} limit ${sizeSlot} offset ${offsetSlot}
    ) as ids on ids.found = ${id}
    where ${access.rows}
    order by ${ordered}`
}

/** The bookmark to start from; makes bookmarks on the way to the offset when none is near. */
async function findStart(
  context: Context,
  plan: QueryPlan,
  marks: Bookmarks,
  offset: number,
  knownTotal?: number,
): Promise<Bookmark | undefined> {
  const distance = () => offset - (marks.before(offset)?.offset ?? 0)
  const isNear = () => distance() <= 2 * sampleStep
  const way = async () => {
    if (distance() > sampledDistance) {
      const total = knownTotal ?? (await estimatedTotal(databaseOf(context), plan)) ?? 0
      for (const mark of await sampledBookmarks(context, plan, offset, total)) marks.add(mark)
    }
    if (!isNear()) await markWay(context, plan, marks, offset)
  }
  // The bookmarks that another request has made may end before this offset.
  if (!isNear() && !(await marks.make(way)) && !isNear()) await way()
  return marks.before(offset)
}

/** Makes bookmarks from the last one before the offset up to it. */
async function markWay(
  context: Context,
  plan: QueryPlan,
  marks: Bookmarks,
  offset: number,
): Promise<void> {
  const { where, order } = plan
  const nearest = marks.before(offset)
  const distance = offset - (nearest?.offset ?? 0)
  const from = nearest === undefined ? where : whereAfter(plan, nearest)
  const { rows } = await sql<RawRow>`
    select ${keyTexts(order)}, n::int8 as n from (
      select ${keyRefs(order)}, row_number() over (order by ${orderBy(order)}) as n
      from ${fromPlan(plan)} where ${from}
      order by ${orderBy(order)} limit ${distance}
    ) as passed where n % ${sampleStep}::int8 = 0 or n = ${distance}::int8`.execute(
    databaseOf(context),
  )
  for (const row of rows)
    marks.add({ offset: (nearest?.offset ?? 0) + Number(row.n), keys: readOrderKeys(order, row) })
}
