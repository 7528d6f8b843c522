import type {
  FooterFunction,
  FooterQuery,
  FooterValue,
  GroupQuery,
  ListGroup,
  WhereLeaf,
} from '@jiaowu/api/entity/list/list-query'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'

/** Deeds of a column's menu on its list. */
export interface ColumnDeeds {
  readonly sort: (column: string, asc: boolean) => void
  readonly filter: (leaf: WhereLeaf) => void
  readonly hide: (column: string) => void
  readonly group: (group: GroupQuery | null) => void
  readonly foot: (column: string, fn: FooterFunction | null) => void
  readonly freeze: (column: string | null) => void
  /** The parts that the list shows now. */
  readonly shown: Pick<EntityListView, 'group' | 'footer' | 'frozen'>
  /** Figures over the rows that match. */
  readonly measure: (
    figures: readonly FooterQuery[],
    signal: AbortSignal,
  ) => Promise<readonly FooterValue[]>
  /** Counts of the column's values over the rows that match; the query of the list is added. */
  readonly count: (column: string, signal: AbortSignal) => Promise<readonly ListGroup[]>
}
