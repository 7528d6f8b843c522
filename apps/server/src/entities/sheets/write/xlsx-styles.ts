// The style sheet of an export (ECMA-376 §18.8): a style for the cells of each column.
import type { SheetColumn } from '../format.ts'
import { chooseNumberFormat, numberFormats } from '../style.ts'

/** Indexes into `cellXfs` of the styles that every workbook has. `bare` has no border. */
export const fixedStyles = { bare: 0, plain: 1, heading: 2 } as const

export interface StyleSheet {
  readonly xml: string
  /** Index of the style of the cells of each column. */
  readonly cells: readonly number[]
  /**
   * Index of the style of each whole column: rows that people add below have the format of the
   * column, and no borders to the end of the sheet.
   */
  readonly columns: readonly number[]
}

/** A font with Chinese characters that Excel and WPS bring along; charset 134 is GB2312. */
const font = '<sz val="11"/><name val="等线"/><charset val="134"/>'
const edge = (side: string) => `<${side} style="thin"><color rgb="FFD3D8DE"/></${side}>`
const fixedParts = [
  `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
  '<fills count="3"><fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill>',
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE5E8EB"/></patternFill></fill></fills>',
  `<borders count="2"><border/><border>${['left', 'right', 'top', 'bottom'].map(edge).join('')}`,
  '</border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>',
].join('')
/** In the order of `fixedStyles`. */
const fixedXfs = [
  '<xf numFmtId="0" xfId="0"/>',
  '<xf numFmtId="0" borderId="1" xfId="0" applyBorder="1"/>',
  `<xf numFmtId="${numberFormats.text.id}" fontId="1" fillId="2" borderId="1" xfId="0"` +
    ' applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"/>',
]

/** Characters: columns as wide as this hold long texts, which are wrapped. */
const wrappedWidth = 40
/** The first id that ECMA-376 leaves to number formats of the workbook. */
const firstOwnFormat = 164
const wrapped = ' applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>'

/** The style sheet of a workbook with these columns. */
export function buildStyleSheet(columns: readonly SheetColumn[]): StyleSheet {
  const formats = new Map<string, number>(
    Object.values(numberFormats).map(({ code, id }) => [code, id]),
  )
  const own: string[] = []
  const xfs = [...fixedXfs]
  const indexOf = (xf: string): number => {
    const known = xfs.indexOf(xf)
    return known === -1 ? xfs.push(xf) - 1 : known
  }
  const formatId = (code: string): number => {
    const known = formats.get(code)
    if (known !== undefined) return known
    const id = firstOwnFormat + own.length
    own.push(`<numFmt numFmtId="${id}" formatCode="${code}"/>`)
    formats.set(code, id)
    return id
  }
  const ids = columns.map((column) => formatId(chooseNumberFormat(column)))
  const cells = columns.map((column, i) => indexOf(cellXf(ids[i] ?? 0, isWrapped(column))))
  const whole = ids.map((id) =>
    indexOf(
      id === 0
        ? '<xf numFmtId="0" xfId="0"/>'
        : `<xf numFmtId="${id}" xfId="0" applyNumberFormat="1"/>`,
    ),
  )
  const numFmts = own.length === 0 ? '' : `<numFmts count="${own.length}">${own.join('')}</numFmts>`
  return {
    xml:
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      `${numFmts}${fixedParts}<cellXfs count="${xfs.length}">${xfs.join('')}</cellXfs></styleSheet>`,
    cells,
    columns: whole,
  }
}

function isWrapped(column: SheetColumn): boolean {
  return column.type === 'text' && column.width >= wrappedWidth
}

function cellXf(format: number, isWide: boolean): string {
  const number = format === 0 ? '' : ' applyNumberFormat="1"'
  const head = `<xf numFmtId="${format}" borderId="1" xfId="0"${number} applyBorder="1"`
  return isWide ? `${head}${wrapped}` : `${head}/>`
}
