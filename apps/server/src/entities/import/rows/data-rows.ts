// The rows of data of the chosen sheets, numbered as in the ledger: without headings, totals and
// notes under the table.
import type { SheetColumnInfo } from '@jiaowu/api/contract/job'
import { type ReadSheet, sheetStride } from '../../jobs/job.ts'
import { cellIsBlank, cellText, type RawCell, type RawRow } from '../../sheets/read/model.ts'

/** Counts of texts that were read in another way than they stand in the file. */
export interface Tally {
  formulas: number
  filled: number
  tidied: number
  /** Ledger numbers of rows left out: totals, notes, repeated headings. */
  readonly left: number[]
}
export function createTally(): Tally {
  return { formulas: 0, filled: 0, tidied: 0, left: [] }
}

interface Reading {
  readonly sheets: readonly ReadSheet[]
  /** The columns that are assigned to a field. */
  readonly columns: readonly SheetColumnInfo[]
  readonly idName: string
  /** The cells of a template's example row, which is not imported. */
  readonly example: readonly string[] | null
  /** Whether the file was made by a program: then every row is data. */
  readonly isPlain: boolean
  /** Whether rows that the spreadsheet does not show are not imported. */
  readonly leaveHidden: boolean
}

export const dataRows = async function* (
  chunks: AsyncGenerator<readonly RawRow[]>,
  reading: Reading,
  tally: Tally,
): AsyncGenerator<readonly RawRow[]> {
  const sheets = new Map(reading.sheets.map((sheet) => [sheet.index, sheet]))
  /** Rows that are notes unless a full row follows in the same sheet. */
  let held: RawRow[] = []
  let last = { sheet: -1, row: 0 }
  const drop = (rows: readonly RawRow[]) => {
    for (const { row } of rows) tally.left.push(row)
  }
  try {
    for await (const chunk of chunks) {
      const kept: RawRow[] = []
      for (const raw of chunk) {
        const index = raw.sheet ?? 0
        const sheet = sheets.get(index)
        if (sheet === undefined || raw.row <= sheet.headerRow) continue
        if (index !== last.sheet) {
          drop(held)
          held = []
          last = { sheet: index, row: raw.row - 1 }
        }
        if (raw.isHidden === true && reading.leaveHidden) {
          last = { sheet: index, row: raw.row }
          continue
        }
        const row = numberRow(raw, sheet)
        const gap = raw.row > last.row + 1
        const kind = classifyRow(row, reading, sheet, gap || held.length > 0)
        last = { sheet: index, row: raw.row }
        if (kind === 'example') continue
        if (kind === 'left') drop([row])
        else if (kind === 'held') held.push(row)
        else {
          kept.push(...held, row)
          held = []
          tally.formulas += raw.computed ?? 0
          tally.filled += raw.filled ?? 0
        }
      }
      if (kept.length > 0) yield kept
    }
    drop(held)
  } finally {
    await chunks.return(undefined)
  }
}

/** All rows under the headings, numbered as in the ledger. */
export const numberedRows = async function* (
  chunks: AsyncGenerator<readonly RawRow[]>,
  sheets: readonly ReadSheet[],
): AsyncGenerator<readonly RawRow[]> {
  for await (const chunk of chunks)
    yield chunk.flatMap((raw) => {
      const sheet = sheets.find(({ index }) => index === (raw.sheet ?? 0))
      return sheet === undefined || raw.row <= sheet.headerRow ? [] : [numberRow(raw, sheet)]
    })
}

/** The row with its number in the ledger, and its cells in the order of the first sheet. */
function numberRow(raw: RawRow, { index, order }: ReadSheet): RawRow {
  if (index === 0 && order === null) return raw
  const cells =
    order === null
      ? raw.cells
      : order.map((from): RawCell => (from === -1 ? null : (raw.cells[from] ?? null)))
  return { ...raw, row: index * sheetStride + raw.row, cells }
}

const total =
  /^(?:合计|总计|小计|共计|总和|平均分?|平均值|最高分?|最低分?|及格率|优秀率|total|subtotal|sum|average)[:：]?$/i
const note =
  /^(?:制表|填表|制单|统计|审核|审批|复核|负责|经办|签字|签名|盖章|打印|导出|备注|附注|注意?|说明|日期|note|remarks?|prepared by|printed)[人员者时间日期]*\d*[:：、]/i
/** A cell of a line of signatures, whose names and dates stand in the cells beside it. */
const signature =
  /^(?:制表|填表|制单|统计|审核|审批|复核|负责|经办|打印|签字|签名|盖章|日期|时间)(?:人员?|者|时间|日期)?[:：]?$/
const page = /^第\s*\d+\s*页|^共\s*\d+\s*[页条行人]|^page\s+\d+/i
/** Characters: a single cell as long as this is a sentence. */
const sentence = 12

function classifyRow(
  row: RawRow,
  reading: Reading,
  { headers, order }: ReadSheet,
  isApart: boolean,
): 'data' | 'held' | 'left' | 'example' {
  const { columns, idName } = reading
  if (isExample(row, reading)) return 'example'
  if (reading.isPlain) return 'data'
  const texts = columns.map(({ column }) => textAt(row, column - 1))
  const given = texts.filter((text) => text !== '')
  if (columns.some(({ attrName, column }) => attrName === idName && textAt(row, column - 1) !== ''))
    return 'data'
  if (isHeading(row, columns, headers)) return 'left'
  if (columns.length < 3) return 'data'
  // As they stand in the file: the cells of further sheets are in the order of the first sheet.
  const all = row.cells
    .map((_cell, index) => ({ at: order?.[index] ?? index, text: textAt(row, index) }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => a.at - b.at)
  const first = all[0]?.text ?? ''
  const start = first.replaceAll(/\s/g, '')
  if (total.test(start) && given.length < columns.length) return 'left'
  if ((note.test(start) || page.test(start)) && given.length <= columns.length / 2) return 'left'
  if (isSigned(all.map(({ text }) => text.replaceAll(/\s/g, '')))) return 'left'
  const isSparse = given.length <= 1 && all.length <= 1
  return isSparse && (isApart || first.length >= sentence) ? 'held' : 'data'
}

/** A line of signatures: its first cell is one, and so is another, or there is hardly any other. */
function isSigned(texts: readonly string[]): boolean {
  const isSign = (text: string) => signature.test(text) || note.test(text)
  return isSign(texts[0] ?? '') && (texts.length <= 2 || texts.slice(1).some(isSign))
}

/** A heading repeated inside the table, as printed pages have it. */
function isHeading(
  row: RawRow,
  columns: readonly SheetColumnInfo[],
  headers: readonly string[],
): boolean {
  const named = columns.filter(({ header }) => header !== '')
  return (
    named.length > 1 &&
    headers.length > 0 &&
    named.every(({ column, header }) => textAt(row, column - 1) === header)
  )
}

function isExample(row: RawRow, { example }: Reading): boolean {
  return (
    example !== null &&
    example.some((text) => text !== '') &&
    example.every((text, index) => textAt(row, index) === text) &&
    row.cells.slice(example.length).every(cellIsBlank)
  )
}

function textAt(row: RawRow, index: number): string {
  return cellText(row.cells[index] ?? null)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
