import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Message } from '@jiaowu/api/texts/index'
import type { Pair } from '@jiaowu/api/texts/group'
import { limits } from '@jiaowu/api/limits'
import type { Row, Sort } from '@jiaowu/api/entity/values'
import type { Page, PageQuery } from '@jiaowu/api/entity/list/page'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import { listNames, namedRows } from '../buttons/names.ts'
import { pressQuestion, recordName } from '../buttons/question.ts'
import type { Query } from './conditions/conditions.ts'
import type { EntityListContext, Look } from './context.ts'
import { groupedQuery } from './groups.ts'
import type { Chosen } from './ports.ts'

/** How a list shows its rows unless somebody says otherwise. */
export const plainLook: Look = { group: null, footer: [], frozen: null }

/** A list opened without filters and sorts. */
export const noQuery: Query = { queries: {}, sorts: [] }

/**
 * Ascending, descending, none (docs/spec/1-entity-console.md §4). Without `multi` other columns
 * lose their sorts.
 */
export function cycleSort(sorts: readonly Sort[], column: string, multi: boolean): readonly Sort[] {
  const now = sorts.find((sort) => sort.column === column)
  const next: Sort[] =
    now === undefined ? [{ column, asc: true }] : now.asc ? [{ column, asc: false }] : []
  if (!multi) return next
  if (now === undefined) return [...sorts, ...next].slice(-limits.maxSorts)
  return sorts.flatMap((sort) => (sort.column === column ? next : [sort]))
}

/** Filters without the blank ones, which match any row. */
export function filledQueries(
  queries: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(queries).filter(([, value]) => !isBlankCondition(value)))
}

function isBlankCondition(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.every(isBlankCondition))
  )
}

export function selects({ options }: EntityConfig): boolean {
  return options.selection && (options.multiSelect || options.singleSelect)
}

export function selectsMany(config: EntityConfig): boolean {
  return selects(config) && config.options.multiSelect && !config.options.singleSelect
}

/**
 * Selected rows: `selected` of the page, or, where `matching` is not null, all that match the
 * filter except those ids.
 */
export interface Selection {
  readonly selected: readonly string[]
  readonly matching: readonly string[] | null
}

export function toChosenRows({ selected, matching }: Selection): Chosen {
  return matching === null ? { ids: selected } : { except: matching }
}

/**
 * The selected rows after a page was loaded: the choice outlives the page; of all that match, those
 * of the page.
 */
export function selectedOn(
  { records }: Page,
  { selected, matching }: Selection,
): readonly string[] {
  return matching === null
    ? selected
    : withoutIds(
        records.map(({ id }) => id),
        matching,
      )
}

function withoutIds(ids: readonly string[], gone: readonly string[]): readonly string[] {
  return ids.filter((id) => !gone.includes(id))
}

/**
 * The selection after a click on a row. A single-select table keeps the last row only
 * (docs/spec/1-entity-console.md §4); where all matching rows are selected, the click adds or
 * removes an exception.
 */
export function toggleRow(
  { options }: EntityConfig,
  { selected, matching }: Selection,
  id: string,
): Selection {
  const isOn = selected.includes(id)
  const rest = withoutIds(selected, [id])
  return {
    selected: isOn ? rest : options.singleSelect || !options.multiSelect ? [id] : [...selected, id],
    matching: matching === null ? null : isOn ? [...matching, id] : withoutIds(matching, [id]),
  }
}

/** The selection after a click on the checkbox in the header. */
export function toggleRows(page: readonly string[], { selected, matching }: Selection): Selection {
  const isOn = page.every((id) => selected.includes(id))
  if (matching !== null)
    return isOn
      ? { selected: [], matching: null }
      : { selected: page, matching: withoutIds(matching, page) }
  const others = withoutIds(selected, page)
  return { selected: isOn ? others : [...others, ...page], matching: null }
}

/** Conditions that decide which rows a list shows. */
interface Conditions {
  readonly applied: Readonly<Record<string, unknown>>
  readonly where: Where | null
}

export function hasConditions({ applied, where }: Conditions): boolean {
  return where !== null || Object.keys(applied).length > 0
}

/** Conditions and order as the calls take them. */
export function buildRowsQuery({
  applied,
  where,
  sorts,
}: Conditions & { readonly sorts: readonly Sort[] }): Pick<
  PageQuery,
  'queries' | 'sorts' | 'where'
> {
  return { sorts, queries: filledQueries(applied), ...(where === null ? {} : { where }) }
}

/** Builds the query of an export: the rows that match, or the table that is shown. */
export function buildExportQuery(
  context: EntityListContext,
): Pick<PageQuery, 'queries' | 'sorts' | 'where' | 'group'> {
  const { group } = context
  return { ...buildRowsQuery(context), ...(group?.table === undefined ? {} : { group }) }
}

export function buildPageQuery(context: EntityListContext): PageQuery {
  const { pageNum, pageSize, counting, group } = context
  const query = buildRowsQuery(context)
  // A page of groups, whose order is that of the table.
  if (group?.table !== undefined) return { pageNum, pageSize, ...query, sorts: [], group }
  return {
    pageNum,
    pageSize,
    ...query,
    ...groupedQuery(context, query),
    // Another page or order of the same rows: their number is known. Groups count their rows.
    ...(counting && group === null ? {} : { withTotal: false }),
  }
}

/** Whether groups or footers are to be loaded beside the rows; a table of groups has its own figures. */
export function wantsFigures({ group, footer }: Look): boolean {
  return group?.table === undefined && (group !== null || footer.length > 0)
}

/** Groups and footers over all rows that match, and the number of grouped rows. */
export function buildFiguresQuery(context: EntityListContext): PageQuery {
  const { group, footer } = context
  return {
    pageNum: 1,
    pageSize: 1,
    ...buildRowsQuery(context),
    ...(group === null ? { withTotal: false } : { group }),
    ...(footer.length === 0 ? {} : { footer }),
  }
}

export function lastPage(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size))
}

/**
 * The page to load instead of an empty one. When an estimated total is wrong as well, the first
 * page.
 */
export function nearestPage(total: number, size: number, pageNum: number): number {
  const last = lastPage(total, size)
  return last < pageNum ? last : 1
}

/** The question that a button asks before it acts; null: none. */
export function findPressQuestion(
  config: EntityConfig | null,
  code: string,
  row: Row | null,
): string | Message | null {
  const button = config?.buttons.find((each) => each.code === code)
  return button === undefined ? null : pressQuestion(button, row, config)
}

/** The names of a page's rows, and of the selected rows on other pages. */
export function collectRowNames(
  { records }: Page,
  config: EntityConfig,
  known: Readonly<Record<string, string>>,
  selected: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...selected.flatMap((id) => (known[id] === undefined ? [] : [[id, known[id]] as const])),
    ...records.map((row) => [row.id, recordName(row, config)] as const),
  ])
}

/** The names of the first of these rows. */
export function nameRows(
  { names }: Pick<EntityListContext, 'names'>,
  ids: readonly string[],
): readonly string[] {
  return ids.slice(0, namedRows).map((id) => names[id] ?? id)
}

/** Names what was exported: the chosen rows, those of an only page, or else the entity. */
export function nameExport(context: EntityListContext): Pair {
  const { exporting, config, page, total, totalIsEstimate } = context
  const { only = null } = exporting ?? {}
  const shown = page?.records ?? []
  const ids =
    only !== null
      ? 'ids' in only
        ? only.ids
        : undefined
      : total === shown.length && !totalIsEstimate
        ? shown.map(({ id }) => id)
        : undefined
  if (ids !== undefined && ids.length > 0) return listNames(nameRows(context, ids), ids.length)
  return listNames([config?.name ?? ''])
}

/** Builds the query of the exact count: the rows of all pages, in no order. */
export function buildCountQuery(context: EntityListContext): PageQuery {
  return { pageNum: 1, pageSize: 1, ...buildRowsQuery(context), sorts: [] }
}

type Counted = Pick<EntityListContext, 'total' | 'totalIsEstimate' | 'exactFor' | 'inexact'>

/**
 * The total of a page, or the one known before where the page came without. An estimate replaces no exact
 * total of the same conditions; it has them counted again.
 */
export function resolveTotal(
  { total, totalIsEstimate = false, table }: Pick<Page, 'total' | 'totalIsEstimate' | 'table'>,
  context: EntityListContext,
): Counted {
  const { exactFor, inexact } = context
  const known = { total: context.total, totalIsEstimate: context.totalIsEstimate, exactFor }
  if (total === null) return { ...known, inexact }
  // The number of groups is none of rows.
  if (table !== undefined) return { total, totalIsEstimate, exactFor: null, inexact: false }
  if (!totalIsEstimate) return exactly(total, context)
  return exactFor === formatConditionsKey(context)
    ? { ...known, totalIsEstimate: false, inexact: true }
    : { total, totalIsEstimate, exactFor: null, inexact: true }
}

/** A total that was counted under the present conditions. */
export function exactly(total: number, context: EntityListContext): Counted {
  return { total, totalIsEstimate: false, exactFor: formatConditionsKey(context), inexact: false }
}

function formatConditionsKey(context: EntityListContext): string {
  const { queries, where } = buildRowsQuery(context)
  return JSON.stringify([queries, where ?? null])
}
