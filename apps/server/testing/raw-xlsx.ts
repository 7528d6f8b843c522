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
  readonly order?: (names: string[]) => string[]
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

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
  order = (names) => names,
}: RawXlsx): Promise<File> {
  const sheets = [{ name, state: 'visible' }, ...moreSheets]
  const parts: Record<string, string | Uint8Array<ArrayBuffer>> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${head}<workbook ${main}><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${sheets.map((sheet, i) => `<sheet name="${sheet.name}" sheetId="${i + 1}" state="${sheet.state ?? 'visible'}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
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
    ...(strings === undefined
      ? {}
      : {
          'xl/sharedStrings.xml': `${head}<sst ${main}>${strings.map((text) => `<si>${text.startsWith('<') ? text : `<t xml:space="preserve">${text}</t>`}</si>`).join('')}</sst>`,
        }),
    ...entries,
  }
  const bytes = await downloadZip(
    order(Object.keys(parts)).map((part) => ({
      name: part,
      input: parts[part] ?? '',
      lastModified: new Date(0),
    })),
  ).arrayBuffer()
  return new File([new Uint8Array(bytes)], 'raw.xlsx')
}

function relations(lines: readonly (readonly [string, string])[]) {
  return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`).join('')}</Relationships>`
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
  return `${head}<styleSheet ${main}><numFmts count="${own.length}">${own.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats.map((format, i) => `<xf numFmtId="${typeof format === 'string' ? 170 + i : format}"/>`).join('')}</cellXfs></styleSheet>`
}

/** A row of inline texts. */
export function texts(row: number, ...cells: readonly (string | null)[]): string {
  return `<row r="${row}">${cells.map((text, i) => (text === null ? '' : `<c r="${String.fromCharCode(65 + i)}${row}" t="inlineStr"><is><t>${text}</t></is></c>`)).join('')}</row>`
}
