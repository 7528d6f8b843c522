import { downloadZip } from 'client-zip'

export interface RawXlsx {
  /** Content of `<sheetData>`. */
  readonly rows: string
  /** Content after `</sheetData>`: merged cells, hyperlinks. */
  readonly after?: string
  readonly strings?: readonly string[]
  /** Number formats of the cell styles 0, 1, 2 …: built-in numbers or format codes. */
  readonly formats?: readonly (number | string)[]
  readonly from1904?: boolean
  readonly moreSheets?: readonly {
    readonly name: string
    readonly rows: string
    readonly state?: string
  }[]
  readonly name?: string
  /** Archive entries by name, replaced or added. */
  readonly entries?: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>
  /** The separator of folders in names of entries. */
  readonly separator?: '/' | '\\'
  readonly order?: (names: string[]) => string[]
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const schemas = 'http://schemas.openxmlformats.org'
const main = [
  `xmlns="${schemas}/spreadsheetml/2006/main"`,
  `xmlns:r="${schemas}/officeDocument/2006/relationships"`,
].join(' ')

/** Builds a workbook from XML parts, as Excel, WPS or an attacker may write it and no library does. */
export async function rawXlsx({
  rows,
  after,
  strings,
  formats = [0],
  from1904 = false,
  moreSheets = [],
  name = 'Sheet1',
  entries = {},
  separator = '/',
  order = (names) => names,
}: RawXlsx): Promise<File> {
  const sheets = [{ name, state: 'visible' }, ...moreSheets]
  const parts: Record<string, string | Uint8Array<ArrayBuffer>> = {
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbookXml(sheets, from1904),
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_sheet, i) => ['worksheet', `worksheets/sheet${i + 1}.xml`] as const),
      ['styles', 'styles.xml'],
      ...(strings === undefined ? [] : [['sharedStrings', 'sharedStrings.xml'] as const]),
    ]),
    'xl/worksheets/sheet1.xml': sheetXml(rows, after),
    ...Object.fromEntries(
      moreSheets.map((sheet, i) => [`xl/worksheets/sheet${i + 2}.xml`, sheetXml(sheet.rows)]),
    ),
    'xl/styles.xml': stylesXml(formats),
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': sharedStringsXml(strings) }),
    ...entries,
  }
  const bytes = await downloadZip(
    order(Object.keys(parts)).map((part) => ({
      name: part.replaceAll('/', separator),
      input: parts[part] ?? '',
      lastModified: new Date(0),
    })),
  ).arrayBuffer()
  return new File([new Uint8Array(bytes)], 'raw.xlsx')
}

const contentTypes = [
  `${head}<Types xmlns="${schemas}/package/2006/content-types">`,
  '<Default Extension="xml" ContentType="application/xml"/></Types>',
].join('')

function workbookXml(
  sheets: readonly { readonly name: string; readonly state?: string }[],
  from1904: boolean,
) {
  const entries = sheets.map(
    ({ name, state = 'visible' }, i) =>
      `<sheet name="${name}" sheetId="${i + 1}" state="${state}" r:id="rId${i + 1}"/>`,
  )
  const properties = `<workbookPr${from1904 ? ' date1904="1"' : ''}/>`
  return `${head}<workbook ${main}>${properties}<sheets>${entries.join('')}</sheets></workbook>`
}

function sharedStringsXml(strings: readonly string[]) {
  const items = strings.map((text) =>
    text.startsWith('<') ? `<si>${text}</si>` : `<si><t xml:space="preserve">${text}</t></si>`,
  )
  return `${head}<sst ${main}>${items.join('')}</sst>`
}

function relations(lines: readonly (readonly [string, string])[]) {
  const types = `${schemas}/officeDocument/2006/relationships`
  const entries = lines.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${types}/${type}" Target="${target}"/>`,
  )
  return [
    `${head}<Relationships xmlns="${schemas}/package/2006/relationships">`,
    ...entries,
    '</Relationships>',
  ].join('')
}

function sheetXml(rows: string, after = '') {
  return `${head}<worksheet ${main}><sheetData>${rows}</sheetData>${after}</worksheet>`
}

function stylesXml(formats: readonly (number | string)[]) {
  const own = formats.flatMap((format, i) =>
    typeof format === 'string'
      ? [`<numFmt numFmtId="${170 + i}" formatCode="${format.replaceAll('"', '&quot;')}"/>`]
      : [],
  )
  const styles = formats.map(
    (format, i) => `<xf numFmtId="${typeof format === 'string' ? 170 + i : format}"/>`,
  )
  return [
    `${head}<styleSheet ${main}><numFmts count="${own.length}">${own.join('')}</numFmts>`,
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>',
    `<cellXfs>${styles.join('')}</cellXfs></styleSheet>`,
  ].join('')
}

/** A row of inline texts. */
export function texts(row: number, ...cells: readonly (string | null)[]): string {
  const entries = cells.map((text, i) => {
    const reference = `${String.fromCharCode(65 + i)}${row}`
    return text === null ? '' : `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
  })
  return `<row r="${row}">${entries.join('')}</row>`
}
