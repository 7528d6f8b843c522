// Rows as files: xlsx, csv and ndjson. Each takes rows in chunks and asks for the next only when the reader has taken the last.
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { guardText } from './formula.ts'
import { zipStream } from './zip-stream.ts'

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

/** What XML cannot hold is written as Excel writes it, and so is text that already looks like that. */
const notXml = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g
const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const xmlSpecial = /[&<>"]/g
const styles = { plain: 0, text: 1, heading: 2 } as const

/** Sheets a program reads and a person does not see: a template's signature, the items of its drop-downs. */
export interface ExtraSheet {
  readonly name: string
  readonly hidden: boolean
  readonly rows: readonly (readonly Cell[])[]
}
export interface Book {
  readonly sheetName: string
  readonly columns: readonly SheetColumn[]
  readonly chunks: Chunks
  readonly extras?: readonly ExtraSheet[]
}

const xmlHeader = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const stylesXml = `${xmlHeader}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" xfId="0"/><xf numFmtId="49" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`

const rowsXml = async function* ({ columns, chunks }: Book): AsyncGenerator<string> {
  const styled = columns.map(({ type }, i) => ({
    letter: columnLetters(i),
    style: type === 'text' ? styles.text : styles.plain,
  }))
  const cols = columns.map(
    ({ width, hidden, type }, i) =>
      `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1" style="${type === 'text' ? styles.text : styles.plain}"${hidden === true ? ' hidden="1"' : ''}/>`,
  )
  yield `${xmlHeader}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${cols.length === 0 ? '' : `<cols>${cols.join('')}</cols>`}<sheetData>`
  yield rowXml(
    1,
    columns.map(({ header }) => header),
    styled.map(({ letter }) => ({ letter, style: styles.heading })),
  )
  let row = 1
  for await (const chunk of chunks) {
    let xml = ''
    for (const cells of chunk) xml += rowXml((row += 1), cells, styled)
    if (xml !== '') yield xml
  }
  yield '</sheetData></worksheet>'
}

/** Quick rather than small: a slower level takes half as long again for a tenth less. */
const compression = 3

/** An xlsx file as a stream; memory stays flat however many rows there are. Destroying it stops the rows. */
export function xlsxStream(book: Book): Readable {
  const sheets = [{ name: sheetTitle(book.sheetName), hidden: false }, ...(book.extras ?? [])]
  return zipStream(
    [
      {
        name: '[Content_Types].xml',
        content: [
          `${xmlHeader}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/>${sheets.map((_sheet, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${sheetType}.worksheet+xml"/>`).join('')}</Types>`,
        ],
      },
      { name: '_rels/.rels', content: [relationships([['officeDocument', 'xl/workbook.xml']])] },
      {
        name: 'xl/workbook.xml',
        content: [
          `${xmlHeader}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.map(({ name, hidden }, i) => `<sheet name="${xmlText(name)}" sheetId="${i + 1}"${hidden ? ' state="veryHidden"' : ''} r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
        ],
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: [
          relationships([
            ...sheets.map((_sheet, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
            ['styles', 'styles.xml'],
          ]),
        ],
      },
      { name: 'xl/styles.xml', content: [stylesXml] },
      { name: 'xl/worksheets/sheet1.xml', content: rowsXml(book) },
      ...(book.extras ?? []).map((extra, i) => ({
        name: `xl/worksheets/sheet${i + 2}.xml`,
        content: [extraXml(extra)],
      })),
    ],
    compression,
  )
}

/** A sheet's name may not hold these, nor be longer than 31 characters. */
function sheetTitle(name: string): string {
  return (
    name
      .replace(/[\\/*?:[\]]/g, ' ')
      .slice(0, 31)
      .trim() || 'Sheet1'
  )
}

function relationships(lines: readonly (readonly [type: string, target: string])[]): string {
  return `${xmlHeader}<Relationships xmlns="${packaged}/relationships">${lines.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`
}

function xmlText(text: string): string {
  const clean =
    text.search(notXml) !== -1
      ? text.replace(
          notXml,
          (c) => `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
        )
      : text
  return clean.search(xmlSpecial) !== -1
    ? clean.replace(xmlSpecial, (c) => xmlEntities[c] ?? c)
    : clean
}

function extraXml({ rows }: ExtraSheet): string {
  return `${xmlHeader}<worksheet xmlns="${main}"><sheetData>${rows.map((cells, i) => rowXml(i + 1, cells, [])).join('')}</sheetData></worksheet>`
}

/** A row of cells: a text stays a text whatever it looks like, an empty one keeps its column's format. */
function rowXml(
  row: number,
  cells: readonly Cell[],
  columns: readonly { readonly letter: string; readonly style: number }[],
): string {
  let xml = `<row r="${row}">`
  for (let i = 0; i < cells.length; i += 1) {
    const cell = cells[i]
    const { letter, style } = columns[i] ?? { letter: columnLetters(i), style: styles.plain }
    const ref = `${letter}${row}`
    if (typeof cell === 'number')
      xml += Number.isFinite(cell) ? `<c r="${ref}"><v>${cell}</v></c>` : ''
    else if (typeof cell === 'string')
      xml += textCell(ref, guardText(cell).slice(0, maxCell), style)
    else if (style === styles.text) xml += `<c r="${ref}" s="${style}"/>`
  }
  return `${xml}</row>`
}

function columnLetters(column: number): string {
  return (
    (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) +
    String.fromCharCode(65 + (column % 26))
  )
}

function textCell(ref: string, text: string, style: number): string {
  return text === ''
    ? `<c r="${ref}" s="${style}"/>`
    : `<c r="${ref}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
}

/** RFC 4180 with a mark for Excel that it is UTF-8. */
export function csvStream(columns: readonly SheetColumn[], chunks: Chunks): Readable {
  const lines = async function* () {
    yield `\uFEFF${stringify([columns.map(({ header }) => guardText(header))], { record_delimiter: 'windows' })}`
    for await (const chunk of chunks)
      yield stringify(
        chunk.map((cells) =>
          cells.map((cell) => (typeof cell === 'string' ? guardText(cell) : cell)),
        ),
        { record_delimiter: 'windows' },
      )
  }
  return Readable.from(lines(), { objectMode: false })
}

/** One JSON object a line; values as they stand on the wire. */
export function ndjsonStream(
  chunks: AsyncIterable<readonly Readonly<Record<string, unknown>>[]>,
): Readable {
  const lines = async function* () {
    for await (const chunk of chunks)
      if (chunk.length > 0) yield `${chunk.map((row) => JSON.stringify(row)).join('\n')}\n`
  }
  return Readable.from(lines(), { objectMode: false })
}
