import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { ReviewRow } from '@jiaowu/api/contract/job'
import type { Row, Sort, Values, WireValue } from '@jiaowu/api/entity/values'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import type { Block } from './clipboard/clipboard.ts'
import type { KeyAsk, PasteMatch } from './matching/types.ts'

/** The rows of a grid: the filters and sorts of its list. */
export interface GridQuery {
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  readonly where?: Where | null
}
export interface GridInput {
  readonly tag: string
  readonly query: GridQuery
  /** attrNames of the columns in their order; null: those of the definition. */
  readonly columns: readonly string[] | null
  readonly mayEdit: boolean
  readonly mayAdd: boolean
  /** The history of an earlier visit. */
  readonly history: GridHistory | null
  /** Edits that an earlier visit left unsaved. */
  readonly kept?: KeptEdits | null
}

/** By the id of a row in a flow: the fields that its state leaves open. */
export type OpenFields = Readonly<Record<string, readonly string[]>>

/** A place in the grid. `row` counts all rows of the query, then the new ones. */
export interface Place {
  readonly row: number
  readonly col: number
}
/** From the active cell, where a selection was begun, to where it was extended. */
export interface GridSelection {
  readonly anchor: Place
  readonly focus: Place
}

/** Edits that were typed into a row and are not stored. */
export interface RowEdit {
  /** Null: a new row. */
  readonly id: string | null
  /** The row as it was when it was changed first; null for new rows and for rows out of sight. */
  readonly base: Row | null
  readonly values: Values
  /** The values of the write under way, or of a create without an answer. */
  readonly sent: Values | null
  readonly isSaving: boolean
  /** Cells that are not sent, with the reason. The name '' stands for the whole row. */
  readonly faults: Readonly<Record<string, string | Message>>
  /** Somebody else changed the same cells: their row. */
  readonly theirs: Row | null
  /** Values that the cells must still hold for an undo to be written. */
  readonly expects: Values | null
  /** A new row is sent once the focus has left it. */
  readonly isReleased: boolean
  /** The person and time of the stored row; null where they are not known. */
  readonly theirsBy: ChangedBy | null
  /** The row is sent only when none of its cells is refused, as a paste announced. */
  readonly isWhole: boolean
}

/** `name` null: the system. */
export interface ChangedBy {
  readonly name: string | null
  /** Time of the school, as answers have it. */
  readonly at: string
}

/** Edits that were typed and are not stored: facts that a surface keeps over a reload. */
export interface KeptEdits {
  readonly version: 1
  readonly rows: readonly { readonly key: string; readonly edit: RowEdit }[]
}

/** A row below those of the query. */
interface AddedRow {
  readonly key: string
  /** Null until it is stored. */
  readonly row: Row | null
}

interface ChangedCell {
  /** Id of the row, or key of a new one. */
  readonly key: string
  readonly attrName: string
  readonly before: WireValue
  readonly after: WireValue
}
/** The values that a write gives a row; `id` null: a new row. */
export interface RowWrite {
  readonly id: string | null
  readonly values: Readonly<Record<string, unknown>>
}
/** One step of undo and redo. */
export type GridAction =
  | { readonly kind: 'cells'; readonly cells: readonly ChangedCell[] }
  | {
      readonly kind: 'rows'
      readonly before: readonly RowWrite[]
      readonly after: readonly RowWrite[]
      /** Ids of the rows that it added. */
      readonly added: readonly string[]
    }
/** Steps that survive a reload; the last is the next to undo or redo. */
export interface GridHistory {
  readonly version: 1
  readonly undo: readonly GridAction[]
  readonly redo: readonly GridAction[]
}

/** A change of many cells, before it is checked. `id` undefined: the row is not loaded. */
export interface PasteRow {
  /** Null: its number in the grid is not known. */
  readonly index: number | null
  readonly id: string | null | undefined
  /** Values of the cells in the stored row; null for new rows and those that are not loaded. */
  readonly held: Readonly<Record<string, WireValue>> | null
  /** All values of the row before the change, what bounds read; null where they are not known. */
  readonly whole: Values | null
  readonly values: Readonly<Record<string, WireValue>>
}
export interface PasteDraft {
  readonly rows: readonly PasteRow[]
  /** Columns beyond the right edge. */
  readonly cut: number
  /** attrNames of columns that cannot be changed. */
  readonly readonly: readonly string[]
  /** Cells whose line breaks become blanks. */
  readonly mended: number
}
/** A line is left out, written to its row all the same, or made a new row. */
export type Settlement = 'left' | 'taken' | 'new'
/** Effects that a change of many cells would have. */
export interface PasteCheck {
  /** Null: none of the rows can be written. */
  readonly jobId: string | null
  /** Cells of stored rows that would change. */
  readonly cells: number
  /** Rows that would change, be added, stay as they are, and that are refused. */
  readonly changed: number
  readonly fresh: number
  readonly same: number
  readonly wrong: number
  /** The first rows of each kind. */
  readonly rows: readonly ReviewRow[]
  readonly refused: readonly ReviewRow[]
  readonly before: readonly RowWrite[]
  readonly after: readonly RowWrite[]
  /** All rows that are refused, as they were sent. */
  readonly left: readonly RefusedRow[]
}
/** `id` null: a new row; `index` null: its number is not known. */
export interface RefusedRow {
  readonly id: string | null
  readonly index: number | null
  readonly held: Values | null
  readonly values: Values
  /** By attrName; the name '' stands for the whole row. */
  readonly faults: Readonly<Record<string, string>>
}

/** The rows of the keys in a pasted block are asked for in parts. */
export interface Finding {
  readonly parts: readonly KeyAsk[]
  /** How many of them are answered. */
  readonly answered: number
  readonly rows: readonly Row[]
}

export interface GridContext {
  readonly tag: string
  readonly query: GridQuery
  readonly chosen: readonly string[] | null
  readonly mayEdit: boolean
  readonly mayAdd: boolean
  readonly config: EntityConfig | null
  readonly columns: readonly Field[]
  /** Null until the first block is loaded. */
  readonly total: number | null
  readonly totalIsEstimate: boolean
  /** The conditions under which `total` is exact; null: under none. */
  readonly exactFor: string | null
  /** The first block came with an estimate: the exact number is counted beside the others. */
  readonly inexact: boolean
  /** Whether `total` is that of the present query. */
  readonly isCounted: boolean
  /** The open fields of loaded rows in a flow. */
  readonly open: OpenFields
  /** Blocks of `limits.gridBlock` rows by number. */
  readonly blocks: Readonly<Record<string, readonly Row[]>>
  /** Numbers of the blocks that need not be loaded again. */
  readonly fresh: readonly number[]
  /** First and last block in sight. */
  readonly sight: readonly [number, number]
  /** The block that is being loaded. */
  readonly asked: number
  readonly added: readonly AddedRow[]
  /** Number of the next new row. */
  readonly nextKey: number
  readonly selection: GridSelection
  /** `isTyped`: begun by typing over the cell, not by opening its value. */
  readonly edit: { readonly value: WireValue; readonly isTyped: boolean } | null
  readonly edits: Readonly<Record<string, RowEdit>>
  readonly history: GridHistory
  /** The block that is pasted, how its lines found their rows, and what was decided on lines by number. */
  readonly pasted: Block | null
  /** The questions about its rows, and what those that are answered found. */
  readonly finding: Finding | null
  readonly match: PasteMatch | null
  readonly settled: Readonly<Record<number, Settlement>>
  /** The event that waits for rows that are not loaded. */
  readonly pending: GridEvent | null
  /** Edits that an earlier visit left unsaved, until the definition is known. */
  readonly kept: KeptEdits | null
  readonly paste: PasteDraft | null
  readonly check: PasteCheck | null
  /** The step that is being undone or redone by a job. */
  readonly reverting: { readonly action: GridAction; readonly to: 'undo' | 'redo' } | null
  /** Why the definition or a block could not be loaded. */
  readonly problem: Problem | null
  /** Why rows wait to be saved again. */
  readonly saveProblem: Problem | null
}

export type Direction = 'down' | 'up' | 'right' | 'left' | 'none'
export type GridEvent =
  | { readonly type: 'rows.need'; readonly first: number; readonly last: number }
  | { readonly type: 'query.change'; readonly query: GridQuery }
  | { readonly type: 'grid.refresh' }
  | { readonly type: 'range.select'; readonly anchor: Place; readonly focus: Place }
  | {
      readonly type: 'cell.move'
      readonly rows: number
      readonly cols: number
      readonly extend: boolean
    }
  /** `text`: what was typed; null edits the value that is there. */
  | { readonly type: 'edit.start'; readonly text: string | null }
  | { readonly type: 'edit.change'; readonly value: WireValue }
  | { readonly type: 'edit.commit'; readonly move: Direction }
  | { readonly type: 'edit.cancel' }
  /** An input method begins and ends a composition. */
  | { readonly type: 'compose.start' }
  | { readonly type: 'compose.end'; readonly text: string }
  /** Loads what is selected, so that it can be copied. */
  | { readonly type: 'cells.copy' }
  | { readonly type: 'fetch.cancel' }
  | { readonly type: 'cells.clear' }
  /** Continues the selected cells down to `row`; without it, the first selected row over the others. */
  | { readonly type: 'cells.fill'; readonly row: number | null }
  | { readonly type: 'cells.replace'; readonly find: string; readonly by: string }
  | { readonly type: 'row.add' }
  | { readonly type: 'row.revert' }
  | { readonly type: 'stale.take'; readonly side: 'mine' | 'theirs' }
  /** Goes to the next row that is not stored. */
  | { readonly type: 'unsaved.show' }
  /** The user leaves: what is not stored is stored, or asked about. */
  | { readonly type: 'grid.leave' }
  | { readonly type: 'leave.stay' }
  | { readonly type: 'leave.discard' }
  | { readonly type: 'paste.start'; readonly block: Block }
  /** `as` null: decided again. */
  | { readonly type: 'line.settle'; readonly line: number; readonly as: Settlement | null }
  /** All lines that are to be decided on and can be so. */
  | { readonly type: 'lines.settle'; readonly as: Settlement }
  /** Another key for a line, whose row is looked for again. */
  | { readonly type: 'line.correct'; readonly line: number; readonly text: string }
  | { readonly type: 'paste.confirm' }
  | { readonly type: 'paste.cancel' }
  | { readonly type: 'history.undo' }
  | { readonly type: 'history.redo' }
  /** Unsaved rows are sent and missing ones loaded again, now: the network may be back. */
  | { readonly type: 'grid.retry' }

export type GridEmitted =
  /** For the live region and, when `tone` is not plain, a toast. */
  | {
      readonly type: 'said'
      readonly tone: 'plain' | 'success' | 'warning' | 'danger'
      readonly message: Message | string
    }
  /** The selected cells were loaded to be copied. */
  | { readonly type: 'copied'; readonly block: Block }
  /** The history changed: keep it for a reload. */
  | { readonly type: 'history'; readonly history: GridHistory }
  /** Rows were stored: other lists of the entity are out of date. */
  | { readonly type: 'stored' }
  /** Nothing is unsaved, or it was given up: the surface closes the grid. */
  | { readonly type: 'left' }
