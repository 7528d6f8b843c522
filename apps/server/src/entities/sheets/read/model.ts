// The output of every file reader: rows of cells as in the file, not yet interpreted by fields.
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import type { FoundEncoding } from './encoding.ts'
import { UserFacingError } from '../../../platform/user-facing-error.ts'

/** A number cell formatted as date or time. `day` is null for a time of day alone. */
export interface DateCell {
  readonly day: string | null
  readonly clock: string
}
/** A cell without an importable value: the reason, and its text. */
export interface OddCell {
  readonly odd: 'formula' | 'error' | 'tooLong'
  readonly text: string
}
export type RawCell =
  | string
  | number
  | boolean
  | null
  | DateCell
  | OddCell
  | { readonly wire: unknown }

export function isDateCell(cell: RawCell): cell is DateCell {
  return typeof cell === 'object' && cell !== null && 'clock' in cell
}
export function isOddCell(cell: RawCell): cell is OddCell {
  return typeof cell === 'object' && cell !== null && 'odd' in cell
}
/** A value of an ndjson line, already in wire form. */
export function isWireCell(cell: RawCell): cell is { readonly wire: unknown } {
  return typeof cell === 'object' && cell !== null && 'wire' in cell
}

export interface RawRow {
  /** The row number shown by the spreadsheet; the line number in csv and ndjson. */
  readonly row: number
  readonly cells: readonly RawCell[]
  /** Index of the row's sheet in {@link RawHead.sheets}; absent for the first. */
  readonly sheet?: number
  /** Cells that hold the stored result of a formula; absent when there are none. */
  readonly computed?: number
  /** Cells filled from the merged cell above; absent when there are none. */
  readonly filled?: number
  /** Cells in columns beyond those that are read, and the first column of them, from 1. */
  readonly beyond?: { readonly cells: number; readonly column: number }
  /** The spreadsheet does not show it: it is hidden, or a filter leaves it out. */
  readonly isHidden?: true
}

/** A sheet and the first rows of it. */
export interface SheetPreview {
  readonly name: string
  readonly rows: readonly RawRow[]
  /** The workbook does not show it. */
  readonly isHidden?: true
  /** Columns that the sheet does not show, from 1; absent when there are none. */
  readonly hiddenColumns?: readonly number[]
}
/** Rows of a preview: titles and instructions above a heading are shorter. */
export const previewRows = 40

/** Facts about a file that a reader knows before reading rows. */
export interface RawHead {
  /** In the order of the workbook, hidden ones last; one without a name in csv and ndjson. */
  readonly sheets: readonly SheetPreview[]
  /** Whether dates count from 1904, the old Mac default. */
  readonly from1904: boolean
  /** The text of the signature sheet, if there is one. */
  readonly signature: string | null
  /** The encoding of a csv. */
  readonly encoding?: FoundEncoding
}

/** A file opened by a reader. */
export interface SheetReading {
  readonly head: RawHead
  /** The rows of these sheets, one after another, in chunks of one sheet each. */
  readonly rows: (sheets: readonly number[]) => AsyncGenerator<RawRow[]>
}

/** The first rows of a reading, which then ends. */
export async function firstRows(rows: AsyncGenerator<RawRow[]>): Promise<RawRow[]> {
  const found: RawRow[] = []
  for await (const chunk of rows) {
    found.push(...chunk.slice(0, previewRows - found.length))
    if (found.length >= previewRows) break
  }
  return found
}

/** The file cannot be imported as a whole; the message gives the reason. */
export class FileProblem extends UserFacingError {
  constructor(text: Message) {
    super('FileProblem', text)
  }
}

export interface ReadLimits {
  readonly rows: number
  readonly columns: number
  /** Maximum characters of a cell. */
  readonly cell: number
  /** Maximum bytes, counted while inflating instead of trusting the sizes in headers. */
  readonly unpacked: number
  /** Maximum parts of a workbook besides its sheets. */
  readonly entries: number
  readonly sheets: number
  /** Maximum ratio of unpacked to packed size, beyond the first megabyte. */
  readonly ratio: number
}
/** docs/rules/security.md#files, "Excel import" */
export const readLimits = {
  /** Cells of further columns are counted and told. */
  columns: limits.importColumns,
  cell: 4_000,
  unpacked: 200 * 1024 * 1024,
  entries: 200,
  sheets: 1_000,
  ratio: 100,
} as const satisfies Omit<ReadLimits, 'rows'>
/** Rows per chunk. */
export const readChunk = 500

export function cellIsBlank(cell: RawCell): boolean {
  return (
    cell === null ||
    (typeof cell === 'string' && cell.trim() === '') ||
    (isWireCell(cell) && (cell.wire === null || cell.wire === ''))
  )
}

/** The text of a cell for messages, samples and results. */
export function cellText(cell: RawCell): string {
  if (cell === null) return ''
  if (isDateCell(cell))
    return cell.day === null
      ? cell.clock
      : cell.clock === '00:00:00'
        ? cell.day
        : `${cell.day} ${cell.clock}`
  if (isOddCell(cell)) return cell.text
  if (isWireCell(cell))
    return cell.wire === null
      ? ''
      : typeof cell.wire === 'string'
        ? cell.wire
        : (JSON.stringify(cell.wire) ?? '')
  return typeof cell === 'boolean' ? (cell ? 'TRUE' : 'FALSE') : String(cell)
}
