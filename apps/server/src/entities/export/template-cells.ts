// Prepares an import template below its heading: checks of what is typed into a column, the
// drop-downs, and an example row.
import { cutText } from '@jiaowu/api/cut-text'
import { isMoney } from '@jiaowu/api/fields/money'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { boundsIn } from '@jiaowu/validation'
import type ExcelJS from 'exceljs'
import type { DataValidation } from 'exceljs'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { familyOf } from '../../model/fields/column.ts'
import { guardText } from '../sheets/formula.ts'

// exceljs has validations of ranges without declaring them.
declare module 'exceljs' {
  interface Worksheet {
    readonly dataValidations: { add: (range: string, validation: DataValidation) => void }
  }
}

/** A column of a template. */
export interface TemplateColumn {
  readonly field: LoadedField
  /** Names to choose from; empty where there are none or too many. */
  readonly names: readonly string[]
  /** The values that the column takes, in the language of the template. */
  readonly rule: string
}

/**
 * Validations reach down to this row. To the end of the sheet would be as small a file, but exceljs,
 * with which programs fill templates, expands a range to its cells and does not come back.
 */
const lastRow = 10_001
/** Excel cuts longer error messages. */
const maxMessage = 225
const earliest = new Date('1900-03-01T00:00:00Z')
/** Below the largest number that a cell holds exactly. */
const largest = 1e15

/** Adds the validation of each column, once for all its rows. */
export function addValidations(
  sheet: ExcelJS.Worksheet,
  lists: ExcelJS.Worksheet,
  columns: readonly TemplateColumn[],
): void {
  for (const [index, column] of columns.entries()) {
    const listed = lists.getColumn(index + 1)
    if (column.names.length > 0) listed.values = column.names.map(guardText)
    const letter = sheet.getColumn(index + 1).letter
    const validation = columnValidation(
      column,
      `'${lists.name}'!$${listed.letter}$1:$${listed.letter}$${column.names.length}`,
    )
    if (validation !== undefined)
      sheet.dataValidations.add(`${letter}2:${letter}${lastRow}`, validation)
  }
}

/**
 * The cells of the example row, as text. An import leaves the row out as long as it is unchanged:
 * the signature of the template names its cells.
 */
export function exampleCells(locale: Locale, columns: readonly TemplateColumn[]): string[] {
  return columns.map(({ field, names }) => buildExample(locale, field, names))
}

/** The validation of a column below the heading; undefined where anything may be typed. */
function columnValidation(
  { field, names, rule }: TemplateColumn,
  list: string,
): DataValidation | undefined {
  const shared = {
    allowBlank: true,
    showErrorMessage: true,
    error: cutText(rule, maxMessage, { unit: 'utf16' }),
  }
  const { options, valids } = field.definition
  if (names.length > 0 && !field.kind.multiple) return { ...shared, type: 'list', formulae: [list] }
  const { type } = field.storage.sheet
  if (type === 'date' || type === 'datetime')
    return { ...shared, type: 'date', operator: 'greaterThanOrEqual', formulae: [earliest] }
  if (type === 'number') {
    const { min, max } = isMoney(field.definition) ? {} : boundsIn(field.definition, null)
    return {
      ...shared,
      type: isWhole(field) ? 'whole' : 'decimal',
      operator: 'between',
      // Text is possible too: the digits of numbers that a cell cannot hold.
      errorStyle: 'warning',
      formulae: [Number(min ?? -largest), Number(max ?? largest)],
    }
  }
  const maxLength = options.maxLength ?? valids.maxLength
  if (maxLength === undefined || field.kind.family !== 'text') return undefined
  return { ...shared, type: 'textLength', operator: 'lessThanOrEqual', formulae: [maxLength] }
}

/** Examples that belong to no person: the first mobile number of a range, a reserved mail domain. */
const examplesOfRules: Readonly<Record<string, string>> = {
  mobile: '13800000000',
  Email: 'name@example.com',
  Http: 'https://example.com',
  Number: '1',
  Digits: '1',
  PositiveNumber: '1',
}

function buildExample(locale: Locale, field: LoadedField, names: readonly string[]): string {
  const { kind, definition, storage } = field
  if (kind.family === 'choice' || kind.family === 'flag')
    return names.slice(0, kind.multiple ? 2 : 1).join(',')
  if (storage.sheet.type === 'number') return isWhole(field) ? '1' : '1.5'
  const rules = (definition.valids.type ?? '').split(',').map((rule) => rule.trim())
  const byRule = rules.flatMap((rule) => examplesOfRules[rule] ?? [])[0]
  if (byRule !== undefined) return byRule
  if (kind.family !== 'temporal')
    return kind.family === 'text' && !rules.includes('Idcard') && !kind.secret
      ? cutText(t(locale, 'entity.sheet.example'), definition.options.maxLength ?? Infinity)
      : ''
  return kind.temporal?.fromMoment('2026-01-31 08:30:00') ?? ''
}

function isWhole({ column, definition }: LoadedField): boolean {
  return definition.options.precision === 0 || (column !== null && familyOf(column) === 'integer')
}
