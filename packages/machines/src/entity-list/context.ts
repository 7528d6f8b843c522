import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type {
  FooterFunction,
  FooterQuery,
  GroupQuery,
  Where,
} from '@jiaowu/api/entity/list/list-query'
import type { Message } from '@jiaowu/api/texts/index'
import type { Row, Sort, WireValue } from '@jiaowu/api/entity/values'
import type { Page } from '@jiaowu/api/entity/list/page'
import type { Problem } from '@jiaowu/api/problem'
import type { Query } from './conditions/conditions.ts'
import type { Chosen, Undo } from './ports.ts'
import type { ShownView } from '../views/context.ts'

export interface EntityListInput {
  readonly tag: string
  /** Filters and sorts that win over those of the address. */
  readonly preset?: Query
  /** Query part of the list's address: conditions, sorts, page and size. */
  readonly address?: string
  /** Rows of a page where the address names no size. */
  readonly pageSize?: number
  /** Without paging a list fetches up to 1,000 rows (docs/spec/1-entity-console.md §9). */
  readonly hidePagination?: boolean
}
export type Queries = Readonly<Record<string, unknown>>
/** How a list shows its rows. */
export interface Look {
  /** Null: not grouped. */
  readonly group: GroupQuery | null
  /** Figures over all rows that match. */
  readonly footer: readonly FooterQuery[]
  /** Columns up to this one stay in place; null: those of the definition. */
  readonly frozen: string | null
}
/** Groups and footers over all rows that match, as last loaded. */
type Figures = Required<Pick<Page, 'groups' | 'moreGroups' | 'footer'>>

/** A cell whose rows are asked for; without a value of one dimension those of a total. */
export interface TablePlace {
  readonly row?: WireValue | undefined
  readonly head?: WireValue | undefined
  /** The place of a figure, which may be over some rows alone. */
  readonly figure?: number | undefined
}

export interface EntityListContext extends Look {
  readonly tag: string
  readonly config: EntityConfig | null
  /** The address until the definition is known; a preset or a view clears it. */
  readonly address: string
  /** Values of the search form. */
  readonly draft: Queries
  /** Filters of the last query. */
  readonly applied: Queries
  /** Conditions in groups, besides those of the search form; null: none. */
  readonly where: Where | null
  readonly sorts: readonly Sort[]
  readonly pageNum: number
  readonly pageSize: number
  readonly page: Page | null
  /** The groups of which `page` has a table; null: it has rows. */
  readonly tableOf: GroupQuery | null
  /** Number of rows that match, as last counted. */
  readonly total: number
  readonly totalIsEstimate: boolean
  /** The conditions under which `total` is exact; null: under none. */
  readonly exactFor: string | null
  /** The page told an estimate: the exact number is counted beside it. */
  readonly inexact: boolean
  /** The query has changed since `total` was counted. */
  readonly counting: boolean
  /** Null: not loaded, or the list has neither groups nor footers. */
  readonly figures: Figures | null
  readonly figuresAsked: boolean
  /** Keys of the open groups; null: all are open. */
  readonly opened: readonly string[] | null
  /** Ids of selected rows, on whatever page they are; of all that match, those of the page. */
  readonly selected: readonly string[]
  /** All rows that match the filter are selected except these ids; null: only `selected` are. */
  readonly matching: readonly string[] | null
  /** Ids that a confirmed delete removes: one row's, or the selection. */
  readonly pendingDeletion: readonly string[]
  /** A row was saved during the deletion: reload the rows when it ends. */
  readonly outdated: boolean
  /**
   * The rows that are loading were asked for by a step of the user, to which Back in the browser
   * returns.
   */
  readonly isStep: boolean
  readonly problem: Problem | null
  readonly exporting: {
    readonly format: ExportFormat
    readonly columns: readonly string[] | null
    readonly only: Chosen | null
    readonly bytes: number
  } | null
  /** Names of the rows seen so far that can be asked about: of the page, and those selected. */
  readonly names: Readonly<Record<string, string>>
  /** The step that can be undone; null: nothing. The number tells it from earlier ones. */
  readonly undo: Undo | null
  readonly undoNo: number
  readonly pressed: { readonly code: string; readonly row: Row | null } | null
}

export type EntityListEvent =
  | { readonly type: 'query.change'; readonly attrName: string; readonly value: unknown }
  | { readonly type: 'query.search' }
  | { readonly type: 'query.reset' }
  /** Takes one condition away. */
  | { readonly type: 'condition.remove'; readonly attrName: string }
  /** Takes all conditions away; sorts and selection stay. */
  | { readonly type: 'conditions.clear' }
  /** Other conditions in groups; null: none. */
  | { readonly type: 'where.apply'; readonly where: Where | null }
  /** Replaces all that decides what the list shows by a saved view. */
  | {
      readonly type: 'view.apply'
      readonly queries: Queries
      readonly where?: Where | null
      readonly sorts: readonly Sort[]
      readonly pageSize: number
      readonly group?: GroupQuery | null
      readonly footer?: readonly FooterQuery[]
      readonly frozen?: string | null
    }
  /** Back or Forward in the browser: shows what an earlier address said. */
  | {
      readonly type: 'address.show'
      readonly address: string
      /** Content of the view that the address names; null: it names none. */
      readonly view: ShownView | null
      /** Rows of a page where the address names no size. */
      readonly usualSize: number
    }
  | { readonly type: 'sort.cycle'; readonly column: string; readonly multi?: boolean }
  /** Orders by one column only. */
  | { readonly type: 'sort.set'; readonly column: string; readonly asc: boolean }
  /** Groups the rows, or no longer. */
  | { readonly type: 'group.set'; readonly group: GroupQuery | null }
  /** Shows the rows behind a cell of a table of groups. */
  | ({ readonly type: 'group.rows' } & TablePlace)
  /** Opens or closes one group, or all. */
  | { readonly type: 'group.toggle'; readonly key: string }
  | { readonly type: 'groups.toggle' }
  /** A figure below a column; null: none. */
  | { readonly type: 'footer.set'; readonly column: string; readonly fn: FooterFunction | null }
  /** Columns up to this one stay in place; null: those of the definition. */
  | { readonly type: 'freeze.set'; readonly column: string | null }
  /** Sent by the list itself when its groups and footers are to be loaded. */
  | { readonly type: 'figures.ask' }
  | { readonly type: 'page.go'; readonly pageNum: number }
  | { readonly type: 'page.resize'; readonly pageSize: number }
  | { readonly type: 'row.toggle'; readonly id: string }
  | { readonly type: 'rows.toggle' }
  /** Selects all rows that match the filter, not only those of the page. */
  | { readonly type: 'selection.all' }
  | { readonly type: 'selection.clear' }
  | { readonly type: 'list.refresh' }
  /** A form added or changed a row. */
  | { readonly type: 'row.saved' }
  /** With an id deletes that row, else the selection. */
  | { readonly type: 'delete.ask'; readonly id?: string }
  | { readonly type: 'delete.confirm' }
  | { readonly type: 'delete.cancel' }
  | {
      readonly type: 'export.start'
      readonly format: ExportFormat
      readonly columns?: readonly string[]
      readonly chosen?: boolean
    }
  | { readonly type: 'export.progress'; readonly bytes: number }
  | { readonly type: 'export.cancel' }
  | { readonly type: 'button.press'; readonly code: string; readonly row: Row | null }
  | { readonly type: 'press.confirm' }
  | { readonly type: 'press.cancel' }
  /** Takes back what the message of that number said. */
  | { readonly type: 'undo.press'; readonly no: number }

export type EntityListEmitted = {
  readonly type: 'toast'
  readonly tone: 'info' | 'success' | 'warning' | 'danger'
  readonly message: string | Message
  readonly lasting: boolean
  /** The message offers to take back what it says, by `undo.press` with this number. */
  readonly undo?: number
}
