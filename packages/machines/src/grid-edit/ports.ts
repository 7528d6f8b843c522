import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Problem } from '@jiaowu/api/problem'
import type { Row, Values } from '@jiaowu/api/entity/values'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'
import type { KeyAsk } from './matching/types.ts'
import type { ChangedBy, GridQuery, OpenFields, PasteCheck, PasteRow, RowWrite } from './context.ts'

export interface RowSave {
  /** Id of the row, or key of a new one: the same key again makes no second row. */
  readonly key: string
  readonly id: string | null
  readonly version: Row['version'] | null
  readonly values: Values
  /** The row is read first, and is stale unless it holds these values. */
  readonly expects: Values | null
}
export type SaveAnswer =
  | { readonly key: string; readonly row: Row }
  /** `by`: who stored the newer row of a stale one. */
  | { readonly key: string; readonly problem: Problem; readonly by?: ChangedBy | null }

export interface GridPorts {
  readonly loadConfig: Port<{ readonly tag: string }, EntityConfig>
  /** Rows `block * limits.gridBlock` and following. `total` is null when it was not asked for. */
  readonly loadBlock: Port<
    {
      readonly tag: string
      readonly query: GridQuery
      readonly block: number
      readonly withTotal: boolean
    },
    {
      readonly rows: readonly Row[]
      readonly total: number | null
      readonly isEstimate: boolean
      /** By the id of a row in a flow: the fields that may be changed. */
      readonly open?: OpenFields
    }
  >
  /** The exact number of rows, where a block came with an estimate. */
  readonly countRows: Port<
    { readonly tag: string; readonly query: GridQuery },
    { readonly total: number }
  >
  /** The rows of the blocks from `first` to `last`. */
  readonly loadRows: Port<
    {
      readonly tag: string
      readonly query: GridQuery
      readonly first: number
      readonly last: number
    },
    { readonly rows: readonly Row[] }
  >
  /**
   * The rows that lines of a pasted block can belong to: all of a list with at most `limits.gridWhole`
   * rows, else those with one of the keys.
   */
  readonly findRows: Port<
    {
      readonly tag: string
      readonly query: GridQuery
      readonly total: number
      readonly asks: readonly KeyAsk[]
    },
    { readonly rows: readonly Row[]; readonly isWhole: boolean }
  >
  /** Answers for each row; rejects only when no row was sent. */
  readonly saveRows: Port<
    { readonly tag: string; readonly rows: readonly RowSave[] },
    readonly SaveAnswer[]
  >
  /** Checks a change of many rows as a job that writes nothing until it is confirmed. */
  readonly checkPaste: Port<
    { readonly tag: string; readonly query: GridQuery; readonly rows: readonly PasteRow[] },
    PasteCheck
  >
  /** Writes what was checked, without the refused rows. Answers the ids of the new rows. */
  readonly writePaste: Port<
    { readonly jobId: string | null },
    { readonly changed: number; readonly added: readonly string[] }
  >
  readonly dropPaste: Port<{ readonly jobId: string | null }, void>
  /** Undoes or redoes a step of many rows: all of it or nothing. */
  readonly revertRows: Port<
    {
      readonly tag: string
      readonly write: readonly RowWrite[]
      readonly remove: readonly string[]
    },
    { readonly added: readonly string[] }
  >
}

export function gridActors(ports: GridPorts): ActorsOf<GridPorts> {
  return createPortActors(ports, [
    'loadConfig',
    'loadBlock',
    'countRows',
    'loadRows',
    'findRows',
    'saveRows',
    'checkPaste',
    'writePaste',
    'dropPaste',
    'revertRows',
  ])
}
