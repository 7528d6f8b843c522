// Reads the rows of one sheet while it is inflated, holding only the current chunk.
import type { Archive } from './zip.ts'
import {
  cellIsBlank,
  FileProblem,
  type RawCell,
  type RawRow,
  readChunk,
  type ReadLimits,
  type SheetReading,
} from './model.ts'
import { dateCellOf } from './serial-date.ts'
import { signatureSheet } from '../signature.ts'
import {
  type NumberStyle,
  readSharedStrings,
  readStyles,
  readWorkbook,
  textCollector,
  unescapeText,
} from './workbook.ts'
import { textOf, xmlParser } from './xml.ts'

interface Parts {
  readonly strings: readonly string[]
  readonly styles: readonly NumberStyle[]
  readonly from1904: boolean
  readonly limits: ReadLimits
}

/**
 * Opens the first visible sheet. Reads the parts in the order they are needed, whatever their order
 * in the zip.
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
  const visible = book.sheets.filter((sheet) => sheet.visible && sheet.name !== signatureSheet)
  const [first, ...others] = visible
  if (first === undefined) throw new FileProblem({ key: 'transfer.file.noSheet' })
  const signature = book.sheets.find(({ name }) => name === signatureSheet)
  return {
    head: {
      sheetName: first.name,
      from1904: book.from1904,
      otherSheets: others.map(({ name }) => name),
      signature: signature === undefined ? null : await firstCell(archive, signature.path, parts),
    },
    rows: sheetRows(archive, first.path, parts),
  }
}

async function firstCell(archive: Archive, path: string, parts: Parts): Promise<string | null> {
  for await (const [first] of sheetRows(archive, path, {
    ...parts,
    limits: { ...parts.limits, cell: 65_536 },
  })) {
    const cell = first?.cells[0]
    return typeof cell === 'string' ? cell : null
  }
  return null
}

/** Column index of a reference, from 0: `AB12` → 27. */
function columnOf(reference: string): number {
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
  return n
}

/** An XML listener for a sheet that appends finished rows to `rows`. */
function rowCollector({ strings, styles, from1904, limits }: Parts, rows: RawRow[]) {
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
  const inline = textCollector()

  const cellValue = (): RawCell => {
    if (type === 'inlineStr') return inline.collected()
    if (hasFormula) return { odd: 'formula', text: unescapeText(value) }
    if (type === 'e') return { odd: 'error', text: value }
    if (value === '') return type === 'str' ? '' : null
    if (type === 's') return strings[Number(value)] ?? { odd: 'error', text: value }
    if (type === 'str') return unescapeText(value)
    if (type === 'b') return value.trim() === '1'
    if (type === 'd') {
      const [day = '', clock = '00:00:00'] = value.split('T')
      return { day, clock: clock.slice(0, 8) }
    }
    return numberCell(value.trim(), styles[style], from1904)
  }
  const endCell = () => {
    inCell = false
    let cell = cellValue()
    if (typeof cell === 'string' && cell.length > limits.cell)
      cell = { odd: 'tooLong', text: cell.slice(0, 40_000) }
    if (cellIsBlank(cell)) return
    if (column >= limits.columns)
      throw new FileProblem({ key: 'transfer.file.tooManyColumns', params: { n: limits.columns } })
    while (cells.length < column) cells.push(null)
    cells[column] = cell
  }
  return {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
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
        ;[column, cells] = [-1, []]
      } else if (inCell) {
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
        if (cells.length > 0) rows.push({ row: rowNumber, cells })
      } else if (inCell) inline.close(name)
    },
  }
}

async function* sheetRows(archive: Archive, path: string, parts: Parts): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = []
  const parser = xmlParser(rowCollector(parts, (rows = [])))
  for await (const text of textOf(await archive.open(path))) {
    parser.write(text)
    while (rows.length >= readChunk) yield rows.splice(0, readChunk)
  }
  parser.end()
  while (rows.length > 0) yield rows.splice(0, readChunk)
}
