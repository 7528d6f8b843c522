import type { Row, Sort } from '../values.ts'
import type {
  FooterQuery,
  FooterValue,
  GroupQuery,
  GroupTable,
  ListGroup,
  Where,
} from './list-query.ts'

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
  /** True: the answer tells the fields that the flow of each row leaves open. */
  readonly withOpen?: boolean | undefined
  readonly group?: GroupQuery | undefined
  /** Figures over all rows that match. */
  readonly footer?: readonly FooterQuery[] | undefined
  /**
   * Id of a saved view, whose filters and sorts apply unless the query has its own
   * (docs/rules/contract.md#entity-data).
   */
  readonly view?: string | undefined
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
  /** With `group.table`: the page is of groups, `total` is their number, and there are no records. */
  readonly table?: GroupTable
  /**
   * By the id of the row: the fields that its flow leaves open. Rows from before the flow are left out
   * (docs/rules/contract.md#flows).
   */
  readonly open?: Readonly<Record<string, readonly string[]>>
  /** In the order of the query. */
  readonly footer?: readonly FooterValue[]
}
