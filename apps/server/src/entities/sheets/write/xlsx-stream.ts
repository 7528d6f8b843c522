// Writes an xlsx workbook as a stream of zip entries, in constant memory.
import { cutText } from '@jiaowu/api/cut-text'
import type { Readable } from 'node:stream'
import type { Cell, SheetColumn } from '../format.ts'
import { guardText } from '../formula.ts'
import { frozenRows, sheetTitle } from '../style.ts'
import { cellSerial } from './serial.ts'
import { fixedStyles, type StyleSheet, buildStyleSheet } from './xlsx-styles.ts'
import { zipStream } from './zip-stream.ts'

/** Rows in chunks; the next chunk is read when the one before was consumed. */
export type CellChunks = AsyncIterable<readonly (readonly Cell[])[]>

/** A further sheet with data for programs, such as the signature. */
export interface ExtraSheet {
  readonly name: string
  readonly hidden: boolean
  readonly rows: readonly (readonly Cell[])[]
}

export interface Book {
  readonly sheetName: string
  readonly columns: readonly SheetColumn[]
  readonly chunks: CellChunks
  readonly extras?: readonly ExtraSheet[]
}

/** A column while its cells are written. */
interface WrittenColumn {
  readonly letter: string
  readonly style: number
  readonly type: SheetColumn['type']
}

/** Excel's limit of characters in a cell. */
const maxCell = 32_767

/** Deflate level: a higher one takes half as long again to save a tenth of the size. */
const compression = 3

/**
 * Characters XML cannot contain, which Excel writes as `_x0000_`; and an underscore that begins
 * text of that form.
 */
const notXml = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g
const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const xmlSpecial = /[&<>"]/g

const xmlHeader = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const relationshipsType = 'application/vnd.openxmlformats-package.relationships+xml'

/** An xlsx file with one visible sheet. Destroying the stream stops reading the rows. */
export function xlsxStream(book: Book): Readable {
  const extras = book.extras ?? []
  const styles = buildStyleSheet(book.columns)
  const sheets = [{ name: sheetTitle(book.sheetName), hidden: false }, ...extras]
  return zipStream(
    [
      { name: '[Content_Types].xml', content: [contentTypesXml(sheets.length)] },
      { name: '_rels/.rels', content: [relationships([['officeDocument', 'xl/workbook.xml']])] },
      { name: 'xl/workbook.xml', content: [workbookXml(sheets)] },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: [
          relationships([
            ...sheets.map((_sheet, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
            ['styles', 'styles.xml'],
          ]),
        ],
      },
      { name: 'xl/styles.xml', content: [styles.xml] },
      { name: 'xl/worksheets/sheet1.xml', content: sheetXml(book, styles) },
      ...extras.map((extra, i) => ({
        name: `xl/worksheets/sheet${i + 2}.xml`,
        content: [extraXml(extra)],
      })),
    ],
    compression,
  )
}

function contentTypesXml(sheetCount: number): string {
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${sheetType}.${type}+xml"/>`
  return [
    `${xmlHeader}<Types xmlns="${packaged}/content-types">`,
    `<Default Extension="rels" ContentType="${relationshipsType}"/>`,
    override('workbook', 'sheet.main'),
    override('styles', 'styles'),
    ...Array.from({ length: sheetCount }, (_, i) =>
      override(`worksheets/sheet${i + 1}`, 'worksheet'),
    ),
    '</Types>',
  ].join('')
}

function relationships(lines: readonly (readonly [type: string, target: string])[]): string {
  const items = lines.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`,
  )
  return `${xmlHeader}<Relationships xmlns="${packaged}/relationships">${items.join('')}</Relationships>`
}

function workbookXml(sheets: readonly Pick<ExtraSheet, 'name' | 'hidden'>[]): string {
  const items = sheets.map(({ name, hidden }, i) => {
    const state = hidden ? ' state="veryHidden"' : ''
    return `<sheet name="${xmlText(name)}" sheetId="${i + 1}"${state} r:id="rId${i + 1}"/>`
  })
  return [
    `${xmlHeader}<workbook xmlns="${main}" xmlns:r="${office}">`,
    `<sheets>${items.join('')}</sheets>`,
    // Each printed page begins with the heading (ECMA-376 §18.2.6).
    '<definedNames><definedName name="_xlnm.Print_Titles" localSheetId="0">',
    `${xmlText(quotedName(sheets[0]?.name ?? ''))}!$1:$${frozenRows}`,
    '</definedName></definedNames></workbook>',
  ].join('')
}

function quotedName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`
}

/** Characters: wider sheets would be too small to read on one page of A4. */
const pageWidth = 260
/** Percent of the size on the screen, for sheets that go over several pages in width. */
const pagedScale = 60

/** Landscape, as wide as one page where that can be read, with page numbers. */
function pageXml(columns: readonly SheetColumn[]): { readonly fit: string; readonly page: string } {
  const shown = columns.filter(({ hidden }) => hidden !== true)
  const fits = shown.reduce((sum, { width }) => sum + width, 0) <= pageWidth
  const size = fits ? 'fitToHeight="0"' : `scale="${pagedScale}"`
  return {
    fit: fits ? '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' : '',
    page: [
      '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>',
      `<pageSetup paperSize="9" orientation="landscape" ${size}/>`,
      '<headerFooter><oddFooter>&amp;C&amp;P / &amp;N</oddFooter></headerFooter>',
    ].join(''),
  }
}

async function* sheetXml({ columns, chunks }: Book, styles: StyleSheet): AsyncGenerator<string> {
  const written = columns.map((column, i) => ({
    letter: columnLetters(i),
    style: styles.cells[i] ?? fixedStyles.plain,
    type: column.type,
  }))
  yield `${xmlHeader}<worksheet xmlns="${main}">`
  const { fit, page } = pageXml(columns)
  yield `${fit}${viewsXml()}${columnsXml(columns, styles)}<sheetData>`
  yield rowXml(
    1,
    columns.map(({ header }) => header),
    written.map(({ letter }) => ({ letter, style: fixedStyles.heading, type: 'text' })),
  )
  let row = 1
  for await (const chunk of chunks) {
    let xml = ''
    for (const cells of chunk) xml += rowXml((row += 1), cells, written)
    if (xml !== '') yield xml
  }
  const last = columnLetters(Math.max(0, columns.length - 1))
  const filter = columns.length === 0 ? '' : `<autoFilter ref="A1:${last}${row}"/>`
  yield `</sheetData>${filter}${page}</worksheet>`
}

function viewsXml(): string {
  const firstBelow = `A${frozenRows + 1}`
  return [
    '<sheetViews><sheetView workbookViewId="0">',
    `<pane ySplit="${frozenRows}" topLeftCell="${firstBelow}" activePane="bottomLeft"`,
    ' state="frozen"/></sheetView></sheetViews>',
  ].join('')
}

function columnsXml(columns: readonly SheetColumn[], styles: StyleSheet): string {
  if (columns.length === 0) return ''
  const items = columns.map((column, i) => {
    const hidden = column.hidden === true ? ' hidden="1"' : ''
    const range = `min="${i + 1}" max="${i + 1}"`
    return `<col ${range} width="${column.width}" customWidth="1" style="${styles.columns[i] ?? 0}"${hidden}/>`
  })
  return `<cols>${items.join('')}</cols>`
}

function extraXml({ rows }: ExtraSheet): string {
  const data = rows.map((cells, i) => rowXml(i + 1, cells, [])).join('')
  return `${xmlHeader}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`
}

/** A row of cells. An empty cell is written where its column has a style, to keep its border. */
function rowXml(row: number, cells: readonly Cell[], columns: readonly WrittenColumn[]): string {
  let xml = `<row r="${row}">`
  for (let i = 0; i < cells.length; i += 1) xml += cellXml(row, i, cells[i] ?? null, columns[i])
  return `${xml}</row>`
}

function cellXml(row: number, index: number, cell: Cell, column?: WrittenColumn): string {
  const ref = `${column?.letter ?? columnLetters(index)}${row}`
  const style = column?.style ?? fixedStyles.bare
  if (cell === null) return style === fixedStyles.bare ? '' : `<c r="${ref}" s="${style}"/>`
  if (typeof cell === 'number') return numberCell(ref, cell, column)
  const serial = column === undefined ? null : cellSerial(column.type, cell)
  return serial === null
    ? textCell(ref, cutText(guardText(cell), maxCell, { unit: 'utf16' }), style)
    : `<c r="${ref}" s="${style}"><v>${serial}</v></c>`
}

/** A number in a column of another type keeps its digits instead of being shown as a date. */
function numberCell(ref: string, cell: number, column: WrittenColumn | undefined): string {
  const style = column?.type === 'number' ? column.style : fixedStyles.plain
  return Number.isFinite(cell) ? `<c r="${ref}" s="${style}"><v>${cell}</v></c>` : ''
}

/** `A`, `B` … `Z`, `AA` … from a column index. */
function columnLetters(column: number): string {
  return (
    (column < 26 ? '' : columnLetters(Math.floor(column / 26) - 1)) +
    String.fromCharCode(65 + (column % 26))
  )
}

function textCell(ref: string, text: string, style: number): string {
  if (text === '') return `<c r="${ref}" s="${style}"/>`
  const inline = `<is><t xml:space="preserve">${xmlText(text)}</t></is>`
  return `<c r="${ref}" s="${style}" t="inlineStr">${inline}</c>`
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
