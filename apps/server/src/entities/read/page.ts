import { setImmediate, setTimeout } from 'node:timers/promises'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import type { Page, PageQuery } from '@jiaowu/api/entity/list/page'
import type { Context } from '../../model/context.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import { type EntityAccess, isAllowed } from '../../access/access.ts'
import type { CountedTotal, Total } from './totals/count.ts'
import { assertChoices } from './filter/known-choices.ts'
import { withRelated } from './filter/related.ts'
import { labelRows } from './labels.ts'
import { noteSlowList, slowListMs } from '../indexes/slow-lists.ts'
import { type LoadedField, readableFields } from '../../model/definition/loaded.ts'
import { computeFooter } from '../figures/footer.ts'
import { computeGroups } from '../figures/groups.ts'
import { computeTable, listFigureWheres } from '../figures/table.ts'
import { readWindow } from './paging/page-rows.ts'
import type { FoundRows, PageWindow, RowsPlan } from './paging/page-window.ts'
import { findListPlan } from './plan/list-plan.ts'
import { orderKeysFor } from './order/order-keys.ts'
import { buildFilterFault, type QueryPlan } from './query.ts'
import { readableTitleFields, withTitles } from './titles.ts'
import {
  carryTotal,
  countAndRemember,
  exactlyCounted,
  guessedTotal,
  isCountedLate,
  leaveToCount,
  rememberedTotal,
} from './totals/totals.ts'

/**
 * Page size -1 (all rows) is allowed only for the notices of the sign-in page
 * (docs/rules/contract.md#student-service, docs/rules/security.md#h11).
 */
const unpagedTags: readonly string[] = ['SYS_NOTICE']

/**
 * The fields of a list: isList and readable, without passwords
 * (docs/rules/security.md#permissions).
 */
export function listFields(access: EntityAccess): LoadedField[] {
  return readableFields(access.entity).filter((field) => isAllowed(access, field, 'list'))
}

/** Lists the fields of a list, and those that only name its rows. */
function pageFields(access: EntityAccess): LoadedField[] {
  return [...new Set([...listFields(access), ...readableTitleFields(access)])]
}

/** How long a page waits for its total after its rows are there. */
const countWaitMs = 300

/** One page of rows with labels, and the total. */
export async function loadPage(
  context: Context,
  plain: EntityAccess,
  query: PageQuery,
): Promise<Page<Row>> {
  const access = await withRelated(context, plain, query.where, ...listFigureWheres(query.group))
  const span = computePageWindow(access.entity.tag, query)
  if (query.group?.table !== undefined) return await loadTablePage(context, access, query, span)
  await assertChoices(context, access, query)
  const keys = await orderKeysFor(context, access, query.sorts)
  const { plan, fields, key, isSearch, read } = findListPlan(
    context,
    access,
    query,
    pageFields,
    keys,
  )
  const known = key === null ? undefined : rememberedTotal(context, key)
  // A search that finds less than a page needs no count, and its count would read the whole table again.
  const isAside =
    query.withTotal !== false &&
    known === undefined &&
    context.database.engine === 'postgres' &&
    !isSearch &&
    !isCountedLate(context, key)
  const from = performance.now()
  const counting = isAside ? countAndRemember(context, plan, key) : undefined
  // It fails for the page below, if at all.
  counting?.catch(() => undefined)
  const found = await readWindow(context, plan, fields, span, key, known)
  const { total, isEstimate } =
    query.withTotal === false
      ? { total: null, isEstimate: false }
      : await resolvePageTotal(context, plan, key, found, span, { counting, known })
  const took = performance.now() - from
  if (took > slowListMs) await noteSlowList(context, access, query, took)
  const labelled = await labelRows(context, fields, found.rows.map(read))
  const records = withTitles(context, access.entity, labelled, listFields(access))
  const figures = await loadPageFigures(context, plan, query, found.version)
  // All groups together are all rows.
  const summed =
    isEstimate && figures.groups !== undefined && figures.moreGroups !== true
      ? figures.groups.reduce((sum, { count }) => sum + count, 0)
      : null
  return {
    records,
    total: summed ?? total,
    size: span.size,
    current: span.current,
    ...(isEstimate && summed === null && { totalIsEstimate: true }),
    ...figures,
  }
}

/** A page of groups in place of rows. */
async function loadTablePage(
  context: Context,
  access: EntityAccess,
  query: PageQuery,
  { size, current, offset }: PageWindow,
): Promise<Page<Row>> {
  const { table, groups } = await computeTable(context, access, query, { size, offset })
  return { records: [], total: groups, size, current, table }
}

/** The number of rows of a list, counted to the end. */
export async function exactTotal(
  context: Context,
  plain: EntityAccess,
  query: PageQuery,
): Promise<number> {
  const access = await withRelated(context, plain, query.where)
  await assertChoices(context, access, query)
  const { plan, key } = findListPlan(context, access, query, pageFields)
  return (await exactlyCounted(context, plan, key)).total
}

async function loadPageFigures(
  context: Context,
  plan: QueryPlan,
  { group, footer, sorts }: PageQuery,
  version: string | null,
): Promise<Pick<Page, 'groups' | 'moreGroups' | 'footer'>> {
  const grouped =
    group === undefined ? null : await computeGroups(context, plan, group, sorts, version)
  return {
    ...(grouped !== null && { groups: grouped.groups }),
    ...(grouped?.moreGroups === true && { moreGroups: true }),
    ...(footer !== undefined && { footer: await computeFooter(context, plan, footer, version) }),
  }
}

function computePageWindow(tag: string, { pageSize, pageNum }: PageQuery): PageWindow {
  if (pageSize === -1 && pageNum === -1 && unpagedTags.includes(tag))
    return { size: limits.maxPageSize, current: 1, offset: 0 }
  const faults: Fault[] = []
  if (pageSize < 1 || pageSize > limits.maxPageSize)
    faults.push(buildFilterFault('pageSize', 'range', { key: 'entity.pageSize' }))
  const offset = (pageNum - 1) * pageSize
  if (pageNum < 1 || !Number.isSafeInteger(offset))
    faults.push(buildFilterFault('pageNum', 'range', { key: 'entity.pageNum' }))
  if (faults.length > 0) throw new Invalid(faults)
  return { size: pageSize, current: pageNum, offset }
}

/** A page that is not full gives the total without counting. */
async function resolvePageTotal(
  context: Context,
  plan: RowsPlan,
  key: string | null,
  { rows, version, isExact }: FoundRows,
  { size, offset }: PageWindow,
  {
    counting,
    known,
  }: {
    readonly counting: Promise<CountedTotal> | undefined
    readonly known: CountedTotal | undefined
  },
): Promise<Total> {
  const end = offset + rows.length
  if (isExact && rows.length < size && (rows.length > 0 || offset === 0))
    return { total: end, isEstimate: false }
  // Past the end, so that the rows before the page are all there are.
  if (rows.length === 0 && offset > 0) return await countAndRemember(context, plan, key, offset)
  const total =
    counting === undefined && known?.version === version
      ? known
      : ((version === null ? null : await carryTotal(context, plan, key, version)) ??
        (await inTime(context, plan, key, counting)))
  return total.isEstimate ? { total: Math.max(total.total, end), isEstimate: true } : total
}

/**
 * The total, unless counting takes longer than a page should wait: the count goes on, and the next call takes it. The
 * embedded engine answers nothing else meanwhile.
 */
async function inTime(
  context: Context,
  plan: QueryPlan,
  key: string | null,
  aside: Promise<CountedTotal> | undefined,
): Promise<Total> {
  if (context.database.engine !== 'postgres') return await countAndRemember(context, plan, key)
  if (aside === undefined && isCountedLate(context, key))
    return await guessedTotal(context, plan, key)
  const counting = aside ?? countAndRemember(context, plan, key)
  const isLate = new AbortController()
  const late = setTimeout(countWaitMs, null, { signal: isLate.signal })
    // An answer that has arrived is read before a timer that was delayed.
    .then(() => setImmediate(null))
    .catch(() => null)
  const counted = await Promise.race([counting, late])
  isLate.abort()
  if (counted !== null) return counted
  leaveToCount(context, key, counting)
  return await guessedTotal(context, plan, key)
}
