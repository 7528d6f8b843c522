import { isMoney, yuanText } from '@jiaowu/api/fields/money'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import type { LoadedField } from '../../model/definition/loaded.ts'
import type { Cell, SheetColumn } from './format.ts'

/**
 * A wire value as a cell. Rich text keeps its markup, so that importing an export changes nothing.
 */
export function toSheetCell(
  field: LoadedField,
  value: WireValue | undefined,
  locale: Locale,
): Cell {
  if (value === null || value === undefined) return null
  if (field.kind.family === 'flag') return yesNo(locale, value)
  if (field.kind.markup) return String(value)
  // Sheets hold amounts in yuan, as lists show them.
  if (typeof value === 'number') return isMoney(field.definition) ? value / 100 : value
  const text = field.kind.toText(value)
  return text === '' ? null : text
}

/** A value as one line of text for users, such as the old and new values of a preview. */
export function shownText(
  field: LoadedField,
  value: WireValue | undefined,
  locale: Locale,
): string | null {
  const cell = isMoney(field.definition)
    ? yuanText(value) || null
    : toSheetCell(field, value, locale)
  return cell === null ? null : String(cell)
}

function yesNo(locale: Locale, value: WireValue | undefined): Cell {
  return value === '1' ? t(locale, 'common.yes') : value === '0' ? t(locale, 'common.no') : null
}

export function toSheetCells(fields: readonly LoadedField[], row: Row, locale: Locale): Cell[] {
  return fields.map((field) => toSheetCell(field, row[field.definition.attrName], locale))
}

/** The columns of a sheet, headed by labels; by attrNames where two fields share a label. */
export function toSheetColumns(fields: readonly LoadedField[], locale: Locale): SheetColumn[] {
  const labels = fields.map((field) => chooseLabel(field, locale))
  return fields.map((field, index) => {
    const label = labels[index] ?? ''
    const { type, width } = field.storage.sheet
    const header =
      labels.filter((other) => other === label).length > 1 || label === 'id'
        ? field.definition.attrName
        : label
    return {
      header,
      type,
      decimals: isMoney(field.definition) ? 2 : field.definition.options.precision,
      width: Math.max(width, Math.min(40, [...header].length * 2 + 2)),
    }
  })
}

function chooseLabel({ definition: { uiLabel, options } }: LoadedField, locale: Locale): string {
  return locale === 'en' && options.labelEn !== undefined && options.labelEn !== ''
    ? options.labelEn
    : uiLabel
}

/** The column of row ids, by which an import matches the rows of an edited export. */
export const keyColumn: SheetColumn = { header: 'id', type: 'text', width: 22, hidden: true }
