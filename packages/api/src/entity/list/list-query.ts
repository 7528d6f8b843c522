// Options of a page's body besides filters and sorts (docs/rules/contract.md#lists).
import { queryOperators } from '../enums.ts'
import type { WireValue } from '../values.ts'

/**
 * Operators of the leaves of `where`. `during` takes a period, which the server resolves when it is asked; the last
 * two take no value.
 */
export const whereOperators = [...queryOperators, 'during', 'isEmpty', 'notEmpty'] as const
export type WhereOperator = (typeof whereOperators)[number]

export interface WhereLeaf {
  /** A field, or `@TAG.attrName`: the rows of another entity whose field names the row. */
  readonly column: string
  readonly op: WhereOperator
  /** The number of rows, where the column is of related ones. */
  readonly value?: unknown
  /** The conditions that the related rows meet. */
  readonly where?: Where | undefined
  /** The condition on related rows in words, as it was set up. */
  readonly name?: string | undefined
}
export type WhereNode = WhereLeaf | Where
/** Begins the column of a condition on related rows (docs/rules/contract.md#related-rows). */
export const relatedMark = '@'
export const isRelatedLeaf = ({ column }: Pick<WhereLeaf, 'column'>): boolean =>
  column.startsWith(relatedMark)
/** Conditions of which all or any hold: at most 3 levels and 30 leaves. */
export type Where = { readonly and: readonly WhereNode[] } | { readonly or: readonly WhereNode[] }

export const groupUnits = ['day', 'month', 'year'] as const
export type GroupUnit = (typeof groupUnits)[number]
/** `by`: for dates and datetimes, a day unless it says otherwise. */
export interface Dimension {
  readonly column: string
  readonly by?: GroupUnit | undefined
}
/** With `table` a page has groups with figures in place of rows (docs/rules/contract.md#tables-of-groups). */
export interface GroupQuery extends Dimension {
  readonly table?: TableQuery | undefined
}

/**
 * Rows with the same value. `value` has the form of a cell; of a date or datetime it is
 * `YYYY-MM-DD`, `YYYY-MM` or `YYYY` by the unit; null (or `[]`) for rows without a value.
 */
export interface ListGroup {
  readonly value: WireValue
  readonly count: number
}

/**
 * `count`, `empty`, `distinct` count rows with a value, rows without, and values; `below` rows whose value
 * is low (docs/rules/contract.md#low-numbers).
 */
export const footerFunctions = [
  'sum',
  'avg',
  'min',
  'max',
  'count',
  'below',
  'empty',
  'distinct',
] as const
export type FooterFunction = (typeof footerFunctions)[number]
export interface FooterQuery {
  readonly column: string
  readonly fn: FooterFunction
}
/** An average has at most 6 decimals. */
export interface FooterValue extends FooterQuery {
  readonly value: WireValue
}

/** A figure of each group. `where`: only over the rows of the group for which it holds. */
export interface GroupFigure extends FooterQuery {
  readonly where?: Where | undefined
  /** Heads its column in place of the field's label and the function. */
  readonly name?: string | undefined
}

export const groupComparisons = ['ge', 'gt', 'le', 'lt', 'equal', 'notEqual'] as const
export type GroupComparison = (typeof groupComparisons)[number]
/** A condition on groups: on their number of rows, or on the figure at that place. */
export interface GroupCondition {
  readonly of: 'count' | number
  readonly op: GroupComparison
  readonly value: number
}
/** The order of groups: of what they show, of their number of rows, or of the figure at that place. */
export interface GroupOrder {
  readonly by: 'value' | 'count' | number
  readonly asc: boolean
}
/** How a table shows groups. `across`: a second dimension, whose values head the columns. */
export interface TableQuery {
  readonly across?: Dimension | undefined
  readonly figures?: readonly GroupFigure[] | undefined
  /** All hold. */
  readonly having?: readonly GroupCondition[] | undefined
  readonly order?: GroupOrder | undefined
}

/** `figures` in the order of the query. */
export interface TableCell {
  readonly count: number
  readonly figures: readonly WireValue[]
}
interface TableRow {
  readonly value: WireValue
  /** By the heads; null where no row has both values. */
  readonly cells: readonly (TableCell | null)[]
  readonly all: TableCell
}
/** A page of groups. Totals are over all groups that meet the conditions, not those of the page alone. */
export interface GroupTable {
  /** The values of the second dimension; empty without one. */
  readonly heads: readonly WireValue[]
  readonly rows: readonly TableRow[]
  readonly totals: readonly (TableCell | null)[]
  readonly all: TableCell
}

/** Lists filter and sort by these although no definition names them, where the table has the column. */
export const listTimes = ['createTime', 'updateTime'] as const
export type ListTime = (typeof listTimes)[number]
