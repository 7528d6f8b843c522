// Reads the rows of a sheet while it is inflated, holding only the current chunk.
import type { Archive } from './zip.ts'
import { mergeFiller, type Merges, noMerges, readMerges } from './merges.ts'
import {
  cellIsBlank,
  FileProblem,
  firstRows,
  type RawCell,
  type RawRow,
  readChunk,
  type ReadLimits,
  type SheetPreview,
  type SheetReading,
} from './model.ts'
import { dateCellOf } from './serial-date.ts'
import { listSheet, signatureSheet } from '../signature.ts'
import {
  type NumberStyle,
  readSharedStrings,
  readStyles,
  readWorkbook,
  textCollector,
  unescapeText,
} from './workbook.ts'
import { decodeXml, xmlParser } from './xml.ts'

interface Parts {
  readonly strings: readonly string[]
  readonly styles: readonly NumberStyle[]
  readonly from1904: boolean
  readonly limits: ReadLimits
}

/**
 * Opens a workbook with the first rows of its sheets. Reads the parts in the order they are
 * needed, whatever their order in the zip.
 * @throws FileProblem
 */
export async function readXlsx(archive: Archive, limits: ReadLimits): Promise<SheetReading> {
  const book = await readWorkbook(archive)
  const parts: Parts = {
    strings: await readSharedStrings(archive, book.sharedStrings),
    styles: await readStyles(archive, book.styles),
    from1904: book.from1904,
    limits,
  }
  const isSigned = book.sheets.some(({ name }) => name === signatureSheet)
  const own = book.sheets.filter(
    ({ name }) => name !== signatureSheet && !(isSigned && name === listSheet),
  )
  const listed = [...own.filter(({ visible }) => visible), ...own.filter(({ visible }) => !visible)]
  if (listed[0]?.visible !== true) throw new FileProblem({ key: 'transfer.file.noSheet' })
  if (listed.length > limits.sheets)
    throw new FileProblem({ key: 'transfer.file.tooManySheets', params: { n: limits.sheets } })
  const signature = book.sheets.find(({ name }) => name === signatureSheet)
  const sheets: SheetPreview[] = []
  for (const { name, path, visible } of listed) {
    const hidden = new Set<number>()
    const rows = await firstRows(sheetRows(archive, path, parts, noMerges, hidden))
    sheets.push({
      name,
      rows,
      ...(visible ? {} : { isHidden: true }),
      ...(hidden.size === 0 ? {} : { hiddenColumns: [...hidden] }),
    })
  }
  return {
    head: {
      sheets,
      from1904: book.from1904,
      signature: signature === undefined ? null : await firstCell(archive, signature.path, parts),
    },
    rows: async function* (indexes) {
      for (const index of indexes) {
        const { path } = listed[index] ?? {}
        if (path === undefined) continue
        const merges = await readMerges(archive, path)
        for await (const chunk of sheetRows(archive, path, parts, merges))
          yield index === 0 ? chunk : chunk.map((row) => ({ ...row, sheet: index }))
      }
    },
  }
}

async function firstCell(archive: Archive, path: string, parts: Parts): Promise<string | null> {
  const wide = { ...parts, limits: { ...parts.limits, cell: 65_536 } }
  for await (const [first] of sheetRows(archive, path, wide, noMerges)) {
    const cell = first?.cells[0]
    return typeof cell === 'string' ? cell : null
  }
  return null
}

/** Column index of a reference, from 0: `AB12` → 27. */
function parseColumnIndex(reference: string): number {
  let n = 0
  for (let i = 0; i < reference.length; i += 1) {
    const code = reference.charCodeAt(i)
    if (code < 65 || code > 90) break
    n = n * 26 + code - 64
  }
  return n - 1
}

function numberCell(text: string, style: NumberStyle | undefined, from1904: boolean): RawCell {
  const n = Number(text)
  if (!Number.isFinite(n)) return { odd: 'error', text }
  if (style?.isDateTime === true) return dateCellOf(n, from1904) ?? { odd: 'error', text }
  if (style !== undefined && style.pad > 0 && Number.isInteger(n) && n >= 0)
    return String(n).padStart(style.pad, '0')
  // As it is shown: 0.85 under a format of percent is 85%.
  if (style?.isPercent === true) return `${Number((n * 100).toPrecision(12))}%`
  return n
}

interface StoredCell {
  readonly type: string
  readonly value: string
  readonly hasFormula: boolean
  readonly style: NumberStyle | undefined
}

/** The value of a cell; of a formula its stored result. */
function cellValue(
  { type, value, hasFormula, style }: StoredCell,
  strings: readonly string[],
  from1904: boolean,
): RawCell {
  if (hasFormula && type !== 'str') {
    if (value === '') return { odd: 'formula', text: '' }
    // Some programs store the text of a result without saying that it is one.
    if (type === 'n' && !Number.isFinite(Number(value))) return unescapeText(value)
  }
  if (type === 'e') return { odd: 'error', text: value }
  if (value === '') return type === 'str' ? '' : null
  if (type === 's') return strings[Number(value)] ?? { odd: 'error', text: value }
  if (type === 'str') return unescapeText(value)
  if (type === 'b') return value.trim() === '1'
  if (type === 'd') return isoCell(value.trim())
  return numberCell(value.trim(), style, from1904)
}

const isoDay = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](.+))?$/
const isoClock =
  /^T?(?:(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?|(\d\d)(\d\d)(\d\d))(?:Z|[+-]\d\d(?::?\d\d)?)?$/
const isoSpan = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/

/** An ISO 8601 date, time, or length of time of less than a day; any other text stays one. */
function isoCell(text: string): RawCell {
  const [, year, month, date, rest] = isoDay.exec(text) ?? []
  const clock = parseIsoClock(rest ?? (year === undefined ? text : '00:00'))
  if (clock === null) return text
  return { day: year === undefined ? null : `${year}-${month}-${date}`, clock }
}

function parseIsoClock(text: string): string | null {
  const [, ...parts] = isoClock.exec(text) ?? []
  const [hours, minutes, seconds = '00'] = parts[0] === undefined ? parts.slice(3) : parts
  if (hours !== undefined) return Number(hours) < 24 ? `${hours}:${minutes}:${seconds}` : null
  const span = isoSpan.exec(text)
  if (span === null || text === 'PT') return null
  const [h, m, s] = [1, 2, 3].map((at) => Number(span[at] ?? 0))
  const all = (h ?? 0) * 3_600 + (m ?? 0) * 60 + (s ?? 0)
  return all < 86_400 ? new Date(all * 1_000).toISOString().slice(11, 19) : null
}

function isOn(attribute: string | undefined): boolean {
  return ['1', 'true', 'on'].includes(attribute ?? '')
}

/** A `col` stands for the columns from `min` to `max`. */
function addColumns(
  columns: Set<number>,
  { hidden, min = '0', max = '0' }: Readonly<Record<string, string>>,
  most: number,
): void {
  if (!isOn(hidden)) return
  for (let column = Math.max(1, Number(min)); column <= Math.min(Number(max), most); column += 1)
    columns.add(column)
}

/** A row with what there is to say of it. */
function rawRow(
  row: number,
  cells: readonly RawCell[],
  told: {
    readonly computed: number
    readonly filled: number
    readonly beyond: RawRow['beyond']
    readonly isHidden: boolean
  },
): RawRow {
  const { computed, filled, beyond, isHidden } = told
  return {
    row,
    cells,
    ...(computed === 0 ? {} : { computed }),
    ...(filled === 0 ? {} : { filled }),
    ...(beyond === undefined ? {} : { beyond }),
    ...(isHidden ? { isHidden } : {}),
  }
}

/** An XML listener for a sheet that appends finished rows to `rows`. */
function rowCollector(
  { strings, styles, from1904, limits }: Parts,
  merges: Merges,
  rows: RawRow[],
  hiddenColumns: Set<number>,
) {
  let [rowNumber, column, type, style, value, inValue, hasFormula, inCell] = [
    0,
    -1,
    '',
    0,
    '',
    false,
    false,
    false,
  ]
  let cells: RawCell[] = []
  let [computed, isHidden] = [0, false]
  let beyond: RawRow['beyond']
  const filler = mergeFiller(merges)
  const inline = textCollector()

  const endCell = () => {
    inCell = false
    if (hasFormula && (value !== '' || type === 'str')) computed += 1
    let cell =
      type === 'inlineStr'
        ? inline.collected()
        : cellValue({ type, value, hasFormula, style: styles[style] }, strings, from1904)
    if (typeof cell === 'string' && cell.length > limits.cell)
      cell = { odd: 'tooLong', text: cell.slice(0, 40_000) }
    if (cellIsBlank(cell)) return
    if (column >= limits.columns) {
      beyond = { cells: (beyond?.cells ?? 0) + 1, column: beyond?.column ?? column + 1 }
      return
    }
    while (cells.length < column) cells.push(null)
    cells[column] = cell
  }
  return {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : parseColumnIndex(attributes.r)
        ;[type, style, value, hasFormula, inCell] = [
          attributes.t ?? 'n',
          Number(attributes.s ?? 0),
          '',
          false,
          true,
        ]
        inline.reset()
      } else if (name === 'row') {
        rowNumber = attributes.r === undefined ? rowNumber + 1 : Number(attributes.r)
        ;[column, cells, computed, beyond] = [-1, [], 0, undefined]
        isHidden = isOn(attributes.hidden)
      } else if (name === 'col') addColumns(hiddenColumns, attributes, limits.columns)
      else if (inCell) {
        if (name === 'v') inValue = true
        else if (name === 'f') hasFormula = true
        else inline.open(name)
      }
    },
    text: (piece: string) => {
      if (inValue) value += piece
      else if (inCell) inline.text(piece)
    },
    close: (name: string) => {
      if (name === 'v') inValue = false
      else if (name === 'c') endCell()
      else if (name === 'row') {
        const filled = filler(rowNumber, cells)
        if (cells.length > 0 || beyond !== undefined)
          rows.push(rawRow(rowNumber, cells, { computed, filled, beyond, isHidden }))
      } else if (inCell) inline.close(name)
    },
  }
}

async function* sheetRows(
  archive: Archive,
  path: string,
  parts: Parts,
  merges: Merges,
  hiddenColumns = new Set<number>(),
): AsyncGenerator<RawRow[]> {
  const rows: RawRow[] = []
  const parser = xmlParser(rowCollector(parts, merges, rows, hiddenColumns))
  const stream = await archive.open(path)
  try {
    for await (const text of decodeXml(stream)) {
      parser.write(text)
      while (rows.length >= readChunk) yield rows.splice(0, readChunk)
    }
    parser.end()
    while (rows.length > 0) yield rows.splice(0, readChunk)
  } finally {
    stream.destroy()
  }
}
