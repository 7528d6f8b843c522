// The look of every sheet: exports (written as XML) and import templates (written with exceljs).
import { cutText } from '@jiaowu/api/cut-text'
import type { Column, Font, WorksheetView } from 'exceljs'
import type { SheetColumn } from './format.ts'

/** Built-in number formats: their id in a style sheet (ECMA-376 §18.8.30), and their code. */
export const numberFormats = {
  general: { id: 0, code: 'General' },
  text: { id: 49, code: '@' },
} as const

/** Rows that stay visible when scrolling: the heading. */
export const frozenRows = 1

/** The font of headings. */
export const headingFont = { bold: true } as const satisfies Partial<Font>

/** The font of the heading of a required column in a template. */
export const requiredFont = {
  ...headingFont,
  color: { argb: 'FFCD4246' },
} as const satisfies Partial<Font>

/** The font of a template's example row. */
export const exampleFont = {
  italic: true,
  color: { argb: 'FF738091' },
} as const satisfies Partial<Font>

/** Keeps the heading of an exceljs worksheet visible. */
export const frozenHeading = {
  state: 'frozen',
  ySplit: frozenRows,
} as const satisfies Partial<WorksheetView>

/**
 * The code of a column's number format. Text keeps 18-digit numbers and leading zeros when edited;
 * dates are written as the product shows them, whatever the language of the spreadsheet program.
 */
export function chooseNumberFormat({
  type,
  decimals,
}: Pick<SheetColumn, 'type' | 'decimals'>): string {
  switch (type) {
    case 'text':
      return numberFormats.text.code
    case 'date':
      return 'yyyy-mm-dd'
    case 'datetime':
      return 'yyyy-mm-dd hh:mm:ss'
    case 'time':
      return 'hh:mm:ss'
    case 'number':
      return decimals === undefined || decimals === 0
        ? numberFormats.general.code
        : `0.${'0'.repeat(decimals)}`
  }
}

/** The style of an exceljs column; none for the general format. */
export function columnStyle(
  column: Pick<SheetColumn, 'type' | 'decimals'>,
): Partial<Column['style']> {
  const numFmt = chooseNumberFormat(column)
  return numFmt === numberFormats.general.code ? {} : { numFmt }
}

/** Removes characters not allowed in the name of a sheet, and cuts it at 31 characters. */
export function sheetTitle(name: string): string {
  return cutText(name.replace(/[\\/*?:[\]]/g, ' '), 31, { unit: 'utf16' }).trim() || 'Sheet1'
}
