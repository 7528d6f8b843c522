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
  readonly column: string
  readonly op: WhereOperator
  readonly value?: unknown
}
export type WhereNode = WhereLeaf | Where
/** Conditions of which all or any hold: at most 3 levels and 30 leaves. */
export type Where = { readonly and: readonly WhereNode[] } | { readonly or: readonly WhereNode[] }

export const groupUnits = ['day', 'month', 'year'] as const
export type GroupUnit = (typeof groupUnits)[number]
/** `by`: for dates and datetimes, a day unless it says otherwise. */
export interface GroupQuery {
  readonly column: string
  readonly by?: GroupUnit | undefined
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

/** Lists filter and sort by these although no definition names them, where the table has the column. */
export const listTimes = ['createTime', 'updateTime'] as const
export type ListTime = (typeof listTimes)[number]
