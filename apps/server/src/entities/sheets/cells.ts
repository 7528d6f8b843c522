import { type Locale, t, type Row, type WireValue } from '@jiaowu/api'
import type { LoadedField } from '../definition/loaded.ts'
import type { Cell, SheetColumn } from './writers.ts'

/** A value as it stands in a cell. Rich text keeps its markup, so that a sheet read in again changes nothing. */
export function cellOf(field: LoadedField, value: WireValue | undefined, locale: Locale): Cell {
  if (value === null || value === undefined) return null
  if (field.kind.family === 'flag') return yesNo(locale, value)
  if (field.kind.markup) return String(value)
  if (typeof value === 'number') return value
  const text = field.kind.toText(value)
  return text === '' ? null : text
}

function yesNo(locale: Locale, value: WireValue | undefined): Cell {
  return value === '1' ? t(locale, 'common.yes') : value === '0' ? t(locale, 'common.no') : null
}

export function cellsOf(fields: readonly LoadedField[], row: Row, locale: Locale): Cell[] {
  return fields.map((field) => cellOf(field, row[field.definition.attrName], locale))
}

/** The heading of a sheet: the labels; where two fields share one, their attrNames, so that an import can tell them apart. */
export function columnsOf(fields: readonly LoadedField[], locale: Locale): SheetColumn[] {
  const labels = fields.map((field) => labelOf(field, locale))
  return fields.map((field, index) => {
    const label = labels[index] ?? ''
    const { type, width } = field.storage.sheet
    const header =
      labels.filter((other) => other === label).length > 1 || label === 'id'
        ? field.definition.attrName
        : label
    return { header, type, width: Math.max(width, Math.min(40, [...header].length * 2 + 2)) }
  })
}

function labelOf({ definition: { uiLabel, options } }: LoadedField, locale: Locale): string {
  return locale === 'en' && options.labelEn !== undefined && options.labelEn !== ''
    ? options.labelEn
    : uiLabel
}

/** The heading of the key column by which an edited export finds its rows again. */
export const keyColumn: SheetColumn = { header: 'id', type: 'text', width: 22, hidden: true }
