// What a reader of any file kind hands on: rows of cells as they stand in the file, not yet told what they mean.
import type { Message } from '@jiaowu/api'
import { Said } from '../../../platform/said.ts'

/** A cell whose number is formatted as a moment. `day` is null for a bare time of day. */
export interface DateCell {
  readonly day: string | null
  readonly clock: string
}
/** A cell that no import takes a value from: what it is, and what stands in it. */
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
/** A value of an ndjson line: already in the form of the wire. */
export function isWireCell(cell: RawCell): cell is { readonly wire: unknown } {
  return typeof cell === 'object' && cell !== null && 'wire' in cell
}

export interface RawRow {
  /** As the person sees it in the sheet's margin; the line of a csv or ndjson. */
  readonly row: number
  readonly cells: readonly RawCell[]
}

/** What is known of a file before its rows. */
export interface RawHead {
  readonly sheetName: string
  readonly otherSheets: readonly string[]
  /** Days are counted from 1904, as old Macs did. */
  readonly from1904: boolean
  /** The text of the signature sheet, if there is one. */
  readonly signature: string | null
}

/** The file itself cannot be imported; the sentence says why. */
export class FileProblem extends Said {
  constructor(say: Message) {
    super('FileProblem', say)
  }
}

export interface ReadLimits {
  readonly rows: number
  readonly columns: number
  /** Characters of one cell. */
  readonly cell: number
  /** Bytes counted while inflating: what headers say of sizes is not believed. */
  readonly unpacked: number
  readonly entries: number
  /** Unpacked to packed, beyond the first megabyte. */
  readonly ratio: number
}
export const importColumns = 100
/** docs/rules/security.md#files, "Excel import" */
export const readLimits = {
  columns: importColumns,
  cell: 4_000,
  unpacked: 200 * 1024 * 1024,
  entries: 200,
  ratio: 100,
} as const satisfies Omit<ReadLimits, 'rows'>
/** Rows handed on at once. */
export const readChunk = 500

export function cellIsBlank(cell: RawCell): boolean {
  return (
    cell === null ||
    (typeof cell === 'string' && cell.trim() === '') ||
    (isWireCell(cell) && (cell.wire === null || cell.wire === ''))
  )
}

/** A cell as a person reads it: in messages, samples and the result. */
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
    return typeof cell.wire === 'string' ? cell.wire : (JSON.stringify(cell.wire) ?? '')
  return typeof cell === 'boolean' ? (cell ? 'TRUE' : 'FALSE') : String(cell)
}
