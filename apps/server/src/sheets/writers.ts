// Rows as files: xlsx, csv and ndjson. Each takes rows in chunks and asks for the next only when the reader has taken the last.
import { PassThrough, Readable, type Writable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import ExcelJS from 'exceljs'
import { guardText } from './formula.ts'

export interface SheetColumn {
  readonly header: string
  readonly type: 'text' | 'number'
  readonly width: number
  readonly hidden?: boolean
}
/** A text stays a text and a number a number, whatever they look like. */
export type Cell = string | number | null
export type Chunks = AsyncIterable<readonly (readonly Cell[])[]>

/** What Excel takes in one cell. */
const maxCell = 32_767
const cellText = (text: string): string => guardText(text).slice(0, maxCell)
const sheetCell = (cell: Cell): Cell => (typeof cell === 'string' ? cellText(cell) : cell)

/**
 * What exceljs 4.4 pipes a sheet into on its way to the zip: a stream of an older readable-stream, whose state is not public.
 * It hands every 64 KB on without waiting for room, so we wait; writers.test.ts reads slowly and would see it stop working.
 */
interface Entry extends Writable { readonly _writableState: { readonly needDrain: boolean } }
const entryOf = (sheet: ExcelJS.Worksheet): Entry | undefined => (sheet as unknown as { stream: { pipes: readonly Entry[] } }).stream.pipes[0]
const drained = async (sheet: ExcelJS.Worksheet, out: Writable): Promise<void> => {
  const entry = entryOf(sheet)
  if (entry?._writableState.needDrain !== true || out.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  entry.once('drain', resolve)
  out.once('close', resolve)
  await promise
  entry.off('drain', resolve)
  out.off('close', resolve)
}

const styleOf = ({ type }: SheetColumn) => (type === 'text' ? { numFmt: '@' } : {})
/** How many rows go into the sheet before the reader is waited for. */
const rowsBetweenWaits = 200

const fillSheet = async (sheet: ExcelJS.Worksheet, chunks: Chunks, out: Writable): Promise<boolean> => {
  for await (const chunk of chunks) {
    for (const [index, cells] of chunk.entries()) {
      sheet.addRow(cells.map(sheetCell)).commit()
      if (index % rowsBetweenWaits === 0) await drained(sheet, out)
      if (out.destroyed) return false
    }
    await drained(sheet, out)
    if (out.destroyed) return false
  }
  return true
}

/** Sheets a program reads and a person does not see: a template's signature, the items of its drop-downs. */
export interface ExtraSheet {
  readonly name: string
  readonly hidden: boolean
  readonly widths?: readonly number[]
  readonly rows: readonly (readonly Cell[])[]
}
export interface Book {
  readonly sheetName: string
  readonly columns: readonly SheetColumn[]
  readonly chunks: Chunks
  readonly extras?: readonly ExtraSheet[]
  /** Called when the heading stands, before any row: data validations and the like. */
  readonly decorate?: (sheet: ExcelJS.Worksheet) => void
}

const addExtra = (book: ExcelJS.stream.xlsx.WorkbookWriter, { name, hidden, widths, rows }: ExtraSheet): void => {
  const sheet = book.addWorksheet(name, { state: hidden ? 'veryHidden' : 'visible' })
  if (widths !== undefined) sheet.columns = widths.map((width) => ({ width, style: { numFmt: '@', alignment: { wrapText: true, vertical: 'top' } } }))
  for (const cells of rows) sheet.addRow(cells.map(sheetCell)).commit()
  sheet.commit()
}

/** A sheet's name may not hold these, nor be longer than 31 characters. */
const sheetTitle = (name: string): string => name.replace(/[\\/*?:[\]]/g, ' ').slice(0, 31).trim() || 'Sheet1'

/** archiver would hold a megabyte between the sheet and us; it takes this option though its types do not say so. */
const narrow: object = { highWaterMark: 64 * 1024 }

/** An xlsx file as a stream; memory stays flat however many rows there are. Destroying it stops the rows. */
export const xlsxStream = ({ sheetName, columns, chunks, extras = [], decorate }: Book): Readable => {
  const out = new PassThrough({ highWaterMark: 64 * 1024 })
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: false, zip: narrow })
  const write = async (): Promise<void> => {
    const sheet = book.addWorksheet(sheetTitle(sheetName), { views: [{ state: 'frozen', ySplit: 1 }] })
    sheet.columns = columns.map((column) => ({ header: guardText(column.header), width: column.width, hidden: column.hidden ?? false, style: styleOf(column) }))
    sheet.getRow(1).font = { bold: true }
    sheet.getRow(1).commit()
    decorate?.(sheet)
    if (!(await fillSheet(sheet, chunks, out))) return
    sheet.commit()
    for (const extra of extras) addExtra(book, extra)
    await book.commit()
  }
  write().catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))))
  out.once('close', () => { (book as unknown as { zip: { abort: () => void } }).zip.abort() })
  return out
}

/** RFC 4180 with a mark for Excel that it is UTF-8. */
export const csvStream = (columns: readonly SheetColumn[], chunks: Chunks): Readable => {
  const lines = async function* () {
    yield `\uFEFF${stringify([columns.map(({ header }) => guardText(header))], { record_delimiter: 'windows' })}`
    for await (const chunk of chunks) yield stringify(chunk.map((cells) => cells.map((cell) => (typeof cell === 'string' ? guardText(cell) : cell))), { record_delimiter: 'windows' })
  }
  return Readable.from(lines(), { objectMode: false })
}

/** One JSON object a line; values as they stand on the wire. */
export const ndjsonStream = (chunks: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>): Readable => {
  const lines = async function* () {
    for await (const chunk of chunks) if (chunk.length > 0) yield `${chunk.map((row) => JSON.stringify(row)).join('\n')}\n`
  }
  return Readable.from(lines(), { objectMode: false })
}
