import type { Field } from '@jiaowu/api/entity/config'
import type { GroupQuery, ListGroup, Where, WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import { joinedWhere } from '@jiaowu/api/entity/list/where-parts'
import { limits } from '@jiaowu/api/limits'
import type { Row, Sort, WireValue } from '@jiaowu/api/entity/values'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import type { EntityListContext } from './context.ts'
import { hasUnits } from './figures.ts'
import { toGroupKey } from './group-key.ts'

type Grouped = Pick<
  EntityListContext,
  'config' | 'group' | 'figures' | 'opened' | 'sorts' | 'where' | 'total'
>

const lengths = { day: 10, month: 7, year: 4 } as const

/** The group that a row belongs to. */
function keyOfRow(field: Field | undefined, { column, by }: GroupQuery, row: Row): string {
  const key = toGroupKey(row[column])
  return field !== undefined && hasUnits(field) ? key.slice(0, lengths[by ?? 'day']) : key
}

function groupField({ config, group }: Pick<Grouped, 'config' | 'group'>) {
  return config?.fields.find(({ attrName }) => attrName === group?.column)
}

/** Whether groups open and close: their rows are chosen by a filter on the field. */
export function canFold(context: Pick<Grouped, 'config' | 'group' | 'figures'>): boolean {
  return context.figures !== null && groupField(context)?.isQuery === 1
}

/** A single one of all open groups closes only where all groups are known. */
export function canToggle(context: Omit<Grouped, 'sorts' | 'where' | 'total'>): boolean {
  return canFold(context) && (context.opened !== null || context.figures?.moreGroups === false)
}

/** The open groups after one of them was opened or closed; null: all. */
export function toggledGroup({ figures, opened }: Grouped, key: string): readonly string[] | null {
  const keys = (figures?.groups ?? []).map(({ value }) => toGroupKey(value))
  const now = opened ?? keys
  const next = keys.filter((each) => now.includes(each) !== (each === key))
  return figures?.moreGroups === false && next.length === keys.length ? null : next
}

/** Rows in open groups. */
export function openTotal({ opened, figures, total }: Grouped): number {
  return opened === null
    ? total
    : (figures?.groups ?? [])
        .filter(({ value }) => opened.includes(toGroupKey(value)))
        .reduce((sum, { count }) => sum + count, 0)
}

/** Order and conditions of the rows of open groups: the group's column decides first. */
export function groupedQuery(
  context: Grouped,
  query: Pick<PageQuery, 'sorts' | 'where'>,
): Pick<PageQuery, 'sorts' | 'where'> {
  const { group } = context
  if (group === null) return query
  const { column } = group
  const first: Sort = query.sorts.find((sort) => sort.column === column) ?? { column, asc: true }
  const where = joinedWhere(query.where ?? null, openedWhere(context))
  return {
    sorts: [first, ...query.sorts.filter((sort) => sort !== first)].slice(0, limits.maxSorts),
    ...(where === null ? {} : { where }),
  }
}

/** The conditions of the open groups; null when all are open, or none, whose rows are not shown. */
function openedWhere(context: Grouped): Where | null {
  const { opened, figures, group } = context
  const field = groupField(context)
  if (opened === null || opened.length === 0 || group === null || field === undefined) return null
  const { column } = group
  const filled = opened.filter((key) => key !== '')
  const leaves: WhereLeaf[] = hasUnits(field)
    ? listOpenRuns(figures?.groups ?? [], opened).map((ends) => {
        const [from = '', to = ''] = ends.toSorted()
        return { column, op: 'between', value: [toMonthKey(from, 1), toMonthKey(to, 12)] }
      })
    : filled.length === 0
      ? []
      : [{ column, op: 'in', value: filled }]
  if (opened.includes('')) leaves.push({ column, op: 'isEmpty' })
  return { or: leaves }
}

/** A year as its first or last month: an end of a range names a month or a day. */
function toMonthKey(key: string, month: number): string {
  return key.length === 4 ? `${key}-${String(month).padStart(2, '0')}` : key
}

/** First and last keys of neighbouring open groups, so that many groups need few conditions. */
function listOpenRuns(groups: readonly ListGroup[], opened: readonly string[]): string[][] {
  const runs: string[][] = []
  let isRunning = false
  for (const { value } of groups) {
    const key = toGroupKey(value)
    const isOpen = key !== '' && opened.includes(key)
    if (isOpen && isRunning) runs.at(-1)?.splice(1, 1, key)
    else if (isOpen) runs.push([key, key])
    isRunning = isOpen
  }
  return runs
}

/** A group on the shown page. */
export interface Section {
  readonly key: string
  readonly value: WireValue
  /** Rows of the group on all pages; null while they are counted. */
  readonly count: number | null
  readonly isOpen: boolean
  /** The group began on an earlier page. */
  readonly isContinued: boolean
  readonly rows: readonly Row[]
}

/**
 * The groups of a page with their rows: open groups that have rows on it, and closed ones where they come
 * in the order of groups.
 */
export function buildSections(
  context: Grouped & { readonly group: GroupQuery },
  rows: readonly Row[],
  offset: number,
): readonly Section[] {
  const { group, figures, opened } = context
  const field = groupField(context)
  const shown = opened?.length === 0 ? [] : rows
  const byKey = Map.groupBy(shown, (row) => keyOfRow(field, group, row))
  const [end, total] = [offset + shown.length, openTotal(context)]
  let start = 0
  const sections = (figures?.groups ?? []).flatMap(({ value, count }): readonly Section[] => {
    const key = toGroupKey(value)
    const isOpen = opened === null || opened.includes(key)
    const at = start
    const own = byKey.get(key) ?? []
    if (isOpen) start += count
    const isHere = isOpen ? own.length > 0 : at >= offset && (at < end || end >= total)
    byKey.delete(key)
    return isHere
      ? [{ key, value, count, isOpen, isContinued: isOpen && at < offset, rows: own }]
      : []
  })
  const uncounted = [...byKey].map(([key, own]): Section => ({
    key,
    value: own[0]?.[group.column] ?? null,
    count: null,
    isOpen: true,
    isContinued: false,
    rows: own,
  }))
  return [...sections, ...uncounted]
}
