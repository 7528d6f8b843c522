import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'

/** The use of a column of a block: `check` compares it, and `none` leaves it out. */
export interface PasteColumn {
  /** The text of the heading; empty without one. */
  readonly header: string
  readonly attrName: string | null
  readonly use: 'key' | 'write' | 'check' | 'none'
}
/**
 * `new`: below the last row. `unknown`: no row has the key. `ambiguous`: several have. `repeated`: another
 * line has the same row. `differs`: the row holds something else in a column that cannot be changed.
 */
export type LineVerdict = 'ready' | 'new' | 'unknown' | 'ambiguous' | 'repeated' | 'differs'
export interface PasteLine {
  /** Number of the line in the block, from 1. */
  readonly line: number
  readonly verdict: LineVerdict
  /** The row of the line, and its number in the grid, from 0, where that is known. */
  readonly row: Row | null
  readonly index: number | null
  /** The text of the line in the column by which rows are found. */
  readonly key: string
  /** Texts of the row in the columns that name it, and of the line there. */
  readonly held: string
  readonly pasted: string
}
export interface PasteMatch {
  /** attrName of the column by which rows were found; null: by place. */
  readonly by: string | null
  /** Number of the heading line, from 1; 0: none. */
  readonly heading: number
  readonly columns: readonly PasteColumn[]
  readonly lines: readonly PasteLine[]
}

export interface MatchSubject {
  readonly config: EntityConfig
  /** The columns of the grid. */
  readonly columns: readonly Field[]
  /** Fields whose rows are all known; null: of every field. */
  readonly keys: readonly string[] | null
  /** The rows that a line can belong to. */
  readonly rows: readonly Row[]
  /** The number of a row in the grid, and the row at a number; null where that is not known. */
  readonly indexOf: (row: Row) => number | null
  readonly rowAt: (index: number) => Row | null
  /** Where the block is pasted. */
  readonly top: number
  readonly left: number
  /** Number of stored rows: lines below them are new ones. */
  readonly total: number
  readonly mayAdd: boolean
  readonly isEditable: (field: Field) => boolean
}

/** Rows whose value of a field is one of these texts. */
export interface KeyAsk {
  /** The field whose values name rows. */
  readonly key: string
  /** The field that lists are filtered by. */
  readonly attrName: string
  readonly texts: readonly string[]
  /** The relation whose records have these names; null: the values are the texts themselves. */
  readonly fieldId: string | null
}

/** A line with its number in the block, from 1. */
export interface BlockLine {
  readonly line: number
  readonly cells: readonly string[]
}
