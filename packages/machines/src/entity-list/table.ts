// Tables of groups: what they may show, how their parts change, and the rows behind a cell.
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import {
  type Dimension,
  type FooterQuery,
  type GroupCondition,
  type GroupFigure,
  type GroupOrder,
  type GroupQuery,
  type TableCell,
  type TableQuery,
  type Where,
  type WhereLeaf,
} from '@jiaowu/api/entity/list/list-query'
import { joinedWhere } from '@jiaowu/api/entity/list/where-parts'
import { cutText } from '@jiaowu/api/cut-text'
import { limits } from '@jiaowu/api/limits'
import type { Locale } from '@jiaowu/api/locale'
import { findKind } from '@jiaowu/api/fields/kinds'
import { t } from '@jiaowu/api/texts/index'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { TablePlace } from './context.ts'
import { shownLeaves } from './conditions/shown-conditions.ts'
import { listLeaves } from './conditions/where.ts'
import { canGroup, figureFitsField, figureText, groupName, hasUnits } from './figures.ts'
import { toGroupKey } from './group-key.ts'

type Config = Pick<EntityConfig, 'fields' | 'times'>

function findField({ fields }: Config, name: string): Field | undefined {
  return fields.find(({ attrName }) => attrName === name)
}

/** A dimension as its field has it: dates by month unless something else is said. */
export function buildDimension(field: Field, by?: Dimension['by']): Dimension {
  const column = field.attrName
  return hasUnits(field) ? { column, by: by ?? 'month' } : { column }
}

/** Whether a list of this definition has the table. `isFilter`: whether it filters by the column. */
export function tableFits(
  config: Config,
  { column, table }: GroupQuery,
  isFilter: (column: string) => boolean,
): boolean {
  if (table === undefined) return true
  const { across, figures = [], having = [], order } = table
  const head = across === undefined ? undefined : findField(config, across.column)
  const places = [...having.map(({ of }) => of), order?.by]
  return (
    (across === undefined || (head !== undefined && canGroup(head) && across.column !== column)) &&
    places.every((place) => typeof place !== 'number' || place < figures.length) &&
    figures.every((figure) => {
      const field = findField(config, figure.column)
      const leaves = figure.where === undefined ? [] : listLeaves(figure.where)
      return (
        field !== undefined &&
        figureFitsField(field, figure.fn) &&
        leaves.every((leaf) => isFilter(leaf.column))
      )
    })
  )
}

/** The group as a table of its rows, with the figures that stand below the list. */
export function asTable(group: Dimension, footer: readonly FooterQuery[]): GroupQuery {
  const figures = footer.slice(0, limits.maxTableFigures)
  return { ...group, table: { figures, order: { by: 'count', asc: false } } }
}

const withTable = (group: GroupQuery, table: TableQuery): GroupQuery => ({
  ...group,
  table: { ...group.table, ...table },
})

/** Adds a figure, by which the groups are then ordered, the largest first. */
export function withFigure(group: GroupQuery, figure: GroupFigure): GroupQuery {
  const figures = group.table?.figures ?? []
  return figures.length >= limits.maxTableFigures
    ? group
    : withTable(group, { figures: [...figures, figure], order: { by: figures.length, asc: false } })
}

/** Replaces a figure, such as by one with a condition. */
export function withFigureAt(group: GroupQuery, place: number, figure: GroupFigure): GroupQuery {
  const figures = group.table?.figures ?? []
  return withTable(group, { figures: figures.map((each, at) => (at === place ? figure : each)) })
}

/** Takes a figure away, with the order by it and the conditions on it. */
export function withoutFigure(group: GroupQuery, place: number): GroupQuery {
  const { figures = [], having = [], order } = group.table ?? {}
  const moved = (of: 'count' | number) => (typeof of === 'number' && of > place ? of - 1 : of)
  return withTable(group, {
    figures: figures.filter((_each, at) => at !== place),
    having: having
      .filter(({ of }) => of !== place)
      .map((each) => ({ ...each, of: moved(each.of) })),
    order:
      order === undefined || order.by === place
        ? { by: 'count', asc: false }
        : { ...order, by: order.by === 'value' ? 'value' : moved(order.by) },
  })
}

export function withHaving(group: GroupQuery, condition: GroupCondition): GroupQuery {
  const having = (group.table?.having ?? []).filter(
    ({ of, op }) => of !== condition.of || op !== condition.op,
  )
  return withTable(group, { having: [...having, condition].slice(-limits.maxTableConditions) })
}

export function withoutHaving(group: GroupQuery, place: number): GroupQuery {
  return withTable(group, {
    having: (group.table?.having ?? []).filter((_each, at) => at !== place),
  })
}

/** Orders by a column of the table: the other way round where it is ordered by it already. */
export function withOrder(group: GroupQuery, by: GroupOrder['by'], asc?: boolean): GroupQuery {
  const now = group.table?.order ?? { by: 'value', asc: true }
  const next = now.by === by ? !now.asc : by === 'value'
  return withTable(group, { order: { by, asc: asc ?? next } })
}

/** Other rows or columns; a dimension that the other one had is exchanged for it. */
export function withDimensions(
  group: GroupQuery,
  rows: Dimension,
  across: Dimension | null,
): GroupQuery {
  const { table = {} } = group
  const { across: _before, ...rest } = table
  const isSame = across !== null && across.column === rows.column
  const head = isSame ? (rows.column === group.column ? null : toDimension(group)) : across
  return { ...rows, table: { ...rest, ...(head === null ? {} : { across: head }) } }
}

/** A dimension alone, without the table of its groups. */
export function toDimension({ column, by }: Dimension): Dimension {
  return { column, ...(by === undefined ? {} : { by }) }
}

/** Heads the column of a figure; null: the number of rows. */
export function figureTitle(config: Config, figure: GroupFigure | null, locale: Locale): string {
  if (figure === null) return t(locale, 'table.count')
  if (figure.name !== undefined) return figure.name
  const field = findField(config, figure.column)
  return `${field?.uiLabel ?? figure.column} ${t(locale, `figure.${figure.fn}`)}`
}

/** The figure over the rows alone for which a condition holds, named by it. */
export function onlyFigure(
  config: Config,
  { column, fn }: GroupFigure,
  where: Where | null,
  locale: Locale,
): GroupFigure {
  if (where === null) return { column, fn }
  const words = shownLeaves(config, where, [], locale).map(({ label, text }) => `${label} ${text}`)
  const title = figureTitle(config, { column, fn }, locale)
  const name = cutText(`${title}（${words.join('，')}）`, limits.viewName)
  return { column, fn, where, name }
}

/** The figures that a table shows: the number of rows stands for itself, unless a cross table has others. */
export function shownFigures({ table }: GroupQuery): readonly (number | null)[] {
  const places = (table?.figures ?? []).map((_each, place) => place)
  return table?.across !== undefined && places.length > 0 ? places : [null, ...places]
}

/** The titles of the figures that a table shows, in their order. */
export function shownTitles(config: Config, group: GroupQuery, locale: Locale): string[] {
  const { figures = [] } = group.table ?? {}
  return shownFigures(group).map((place) =>
    figureTitle(config, place === null ? null : (figures[place] ?? null), locale),
  )
}

/** A figure of a cell as lists show it. @param place null: the number of rows */
export function tableText(
  config: Config,
  { table }: GroupQuery,
  cell: TableCell | null,
  place: number | null,
  locale: Locale,
): string {
  if (cell === null) return ''
  if (place === null) return cell.count.toLocaleString(locale)
  const figure = table?.figures?.[place]
  const field = figure === undefined ? undefined : findField(config, figure.column)
  if (figure === undefined || field === undefined) return ''
  return figureText({ ...figure, value: cell.figures[place] ?? null }, field, locale)
}

/** The name of a row or a head. */
export function dimensionName(
  config: Config,
  { column }: Dimension,
  value: WireValue,
  locale: Locale,
): string {
  const field = findField(config, column)
  return field === undefined ? toGroupKey(value) : groupName(value, field, locale)
}

/** The conditions of the rows that a cell counts; null: lists do not filter by its columns. */
export function whereOfCell(
  config: Config,
  group: GroupQuery,
  { row, head, figure }: TablePlace,
): Where | null {
  const { across, figures } = group.table ?? {}
  const rowLeaf = row === undefined ? [] : [dimensionLeaf(config, group, row)]
  const headLeaf =
    head === undefined || across === undefined ? [] : [dimensionLeaf(config, across, head)]
  const leaves = [...rowLeaf, ...headLeaf]
  const known = leaves.filter((leaf) => leaf !== null)
  if (known.length < leaves.length) return null
  const asked = figure === undefined ? undefined : figures?.[figure]
  const low = asked?.fn === 'below' ? lowLeaf(config, asked.column) : null
  const all = [...known, ...(low === null ? [] : [low])]
  return joinedWhere(all.length === 0 ? null : { and: all }, asked?.where ?? null)
}

function dimensionLeaf(
  config: Config,
  { column, by }: Dimension,
  value: WireValue,
): WhereLeaf | null {
  const field = findField(config, column)
  if (field?.isQuery !== 1) return null
  const key = toGroupKey(value)
  if (key === '') return { column, op: 'isEmpty' }
  if (by === 'year') return { column, op: 'between', value: [`${key}-01`, `${key}-12`] }
  if (by !== undefined || hasUnits(field)) return { column, op: 'between', value: [key, key] }
  const isChoice = findKind(field.uiType).family === 'choice'
  return isChoice
    ? { column, op: 'in', value: Array.isArray(value) ? value : [key] }
    : { column, op: 'equal', value: key }
}

/** The condition of what the figure `below` counts. */
function lowLeaf(config: Config, column: string): WhereLeaf | null {
  const { warnUnless, warnBelow } = findField(config, column)?.options ?? {}
  if (warnUnless !== undefined)
    return findField(config, warnUnless)?.isQuery === 1
      ? { column: warnUnless, op: 'equal', value: '0' }
      : null
  return warnBelow === undefined || findField(config, column)?.isQuery !== 1
    ? null
    : { column, op: 'lt', value: warnBelow }
}
