import type { FooterQuery, FooterValue, GroupQuery, ListGroup, Where } from './list/list-query.ts'

/** Colours of dictionary items. */
export const itemTones = ['green', 'blue', 'orange', 'red', 'grey'] as const
export type ItemTone = (typeof itemTones)[number]

/**
 * An item of a dictionary, a lookup of another entity, or a list of attachments
 * (docs/spec/1-entity-console.md §3).
 */
export interface DictItem {
  readonly id: string
  readonly name: string
  /** Tree kinds only: the parent's id, `'0'` at the root. */
  readonly pid?: string
  /** Colour of a dictionary's item, where it has one. */
  readonly tone?: ItemTone
  /** The second line of a choice, such as the number and class of a student. */
  readonly note?: string
  /** The values of a chosen row that formulas read, where the reader may see them. */
  readonly values?: Readonly<Record<string, WireValue>>
}

/**
 * Value of a field on the wire (docs/rules/contract.md#entity-data). Empty is null, or `[]` for
 * lists.
 */
export type WireValue = string | number | readonly DictItem[] | null

/**
 * A row, keyed by attrName. `version` is sent back with updates, which fail when the stored version
 * differs.
 */
export interface Row {
  readonly id: string
  readonly version?: number | string
  readonly [attrName: string]: WireValue | undefined
}

/**
 * Keys of a row's metadata: values sent under them belong to no field
 * (docs/rules/contract.md#entity-data).
 */
const carriedNames = ['id', 'tag', 'ts', 'version', '$title'] as const
export function isCarried(attrName: string): boolean {
  return (carriedNames as readonly string[]).includes(attrName)
}

/** Values of a form. */
export type Values = Readonly<Record<string, WireValue>>

export interface Sort {
  readonly column: string
  readonly asc: boolean
}

/**
 * Query parameters of a list (docs/spec/1-entity-console.md §3). A `between` value is `[from, to]`;
 * either end can be null.
 */
export interface PageQuery {
  readonly pageSize: number
  readonly pageNum: number
  readonly sorts: readonly Sort[]
  readonly queries: Readonly<Record<string, unknown>>
  readonly where?: Where | undefined
  /** False: `total` is null and nothing is counted. */
  readonly withTotal?: boolean | undefined
  readonly group?: GroupQuery | undefined
  /** Figures over all rows that match. */
  readonly footer?: readonly FooterQuery[] | undefined
  /**
   * Id of a saved view, whose filters and sorts apply unless the query has its own
   * (docs/rules/contract.md#entity-data).
   */
  readonly view?: string | undefined
}

/** An estimated total as it is shown: its first three digits, so that it does not look counted. */
export function shownEstimate(total: number): number {
  return Number(total.toPrecision(3))
}

/**
 * A page of rows (docs/spec/1-entity-console.md §3). `totalIsEstimate`: the total was not counted
 * exactly (docs/rules/contract.md#entity-data).
 */
export interface Page<T = Row> {
  readonly records: readonly T[]
  /** Null when the query asked for none. */
  readonly total: number | null
  readonly size: number
  readonly current: number
  readonly totalIsEstimate?: boolean
  /**
   * Number of the view's filters and sorts left out because their fields are gone or hidden from
   * the caller.
   */
  readonly viewLacks?: number
  /** The first `limits.maxGroups` groups; `moreGroups` when there are more. */
  readonly groups?: readonly ListGroup[]
  readonly moreGroups?: boolean
  /** In the order of the query. */
  readonly footer?: readonly FooterValue[]
}
