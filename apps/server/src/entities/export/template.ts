// The import template: a heading with notes, an example row, columns that check what is typed into
// them, instructions, and a signature that names the entity, its columns and the example.
import { dictTypes } from '@jiaowu/api/entity/enums'
import { isMoney, valueText } from '@jiaowu/api/fields/money'
import type { Locale } from '@jiaowu/api/locale'
import { messageText, t } from '@jiaowu/api/texts/index'
import { type BoundName, boundsIn, findRules } from '@jiaowu/validation'
import type ExcelJS from 'exceljs'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { toSheetColumns } from '../sheets/cells.ts'
import { guardText } from '../sheets/formula.ts'
import { listSheet, buildSignature, signatureSheet } from '../sheets/signature.ts'
import { addValidations, exampleCells, type TemplateColumn } from './template-cells.ts'
import {
  columnStyle,
  exampleFont,
  frozenHeading,
  headingFont,
  numberFormats,
  requiredFont,
  sheetTitle,
} from '../sheets/style.ts'
import { sheetResponse } from '../sheets/writers.ts'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import { labelRef, lookupAccess } from '../../access/lookup-access.ts'
import { dictionaryItems } from '../../model/definition/dictionary.ts'
import {
  entityName,
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../model/definition/loaded.ts'
import { textKey } from '../read/order/order-keys.ts'
import { loadRelation } from '../../model/definition/relation.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { isEditable } from '../write/values/values.ts'

/** Number of names in one drop-down. */
const maxItems = 500

/**
 * The fields editable when adding, without pictures and without passwords that are not required.
 */
function templateFields(access: EntityAccess): LoadedField[] {
  return valueFields(access.entity).filter((field) => {
    const { kind, definition } = field
    return (
      isEditable(access, field, 'add') &&
      kind.family !== 'media' &&
      (!kind.secret || definition.valids.required === true)
    )
  })
}

/** @throws Refusal 403 without the right to add */
export async function createTemplate(context: Context, entity: LoadedEntity): Promise<Response> {
  const access = await accessTo(context, entity, 'add')
  const { locale } = context
  const fields = templateFields(access)
  const columns = toSheetColumns(fields, locale)
  const prepared: TemplateColumn[] = []
  for (const field of fields)
    prepared.push({
      field,
      names: await choiceNames(context, field),
      rule: ruleText(locale, entity, field),
    })
  const example = exampleCells(locale, prepared).map(guardText)
  // Loaded when the first template is asked for: loading takes a tenth of the server's start.
  const { default: excel } = await import('exceljs')
  const book = new excel.Workbook()
  const sheet = book.addWorksheet(sheetTitle(entityName(entity, locale)), {
    views: [frozenHeading],
  })
  sheet.columns = columns.map((column) => ({
    header: guardText(column.header),
    width: column.width,
    style: columnStyle(column),
  }))
  for (const [index, { field, rule }] of prepared.entries()) {
    const cell = sheet.getCell(1, index + 1)
    cell.font = isRequired(field) ? requiredFont : headingFont
    cell.note = buildColumnNote(locale, field, rule)
  }
  addExample(sheet, example)
  addValidations(sheet, book.addWorksheet(listSheet, { state: 'veryHidden' }), prepared)
  addInstructions(
    book,
    locale,
    prepared,
    columns.map(({ header }) => header),
  )
  book
    .addWorksheet(signatureSheet, { state: 'veryHidden' })
    .addRow([JSON.stringify({ ...buildSignature(entity, 'template', fields), example })])
  const bytes = new Uint8Array(await book.xlsx.writeBuffer())
  return sheetResponse(
    bytes,
    `${entityName(entity, locale)}-${t(locale, 'entity.sheet.template')}`,
    'xlsx',
  )
}

/** Written as text, so that the file keeps the cells by which an import recognises the row. */
function addExample(sheet: ExcelJS.Worksheet, example: readonly string[]): void {
  for (const [index, text] of example.entries()) {
    const cell = sheet.getCell(2, index + 1)
    if (text !== '') cell.value = text
    cell.numFmt = numberFormats.text.code
    cell.font = exampleFont
  }
}

/** Describes the values of a column, shown when the pointer rests on its heading. */
function buildColumnNote(locale: Locale, field: LoadedField, rule: string): string {
  return [
    ...(isRequired(field) ? [t(locale, 'entity.sheet.required')] : []),
    formatHint(locale, field),
    ...(rule === '' ? [] : [rule]),
  ].join('\n')
}

function formatHint(locale: Locale, { definition, storage }: LoadedField): string {
  return t(locale, isMoney(definition) ? 'entity.sheet.amount' : storage.sheet.hint)
}

async function choiceNames(context: Context, field: LoadedField): Promise<string[]> {
  const { dictType, dictValue } = field.definition
  if (field.kind.family === 'flag')
    return [t(context.locale, 'common.yes'), t(context.locale, 'common.no')]
  if (field.kind.family !== 'choice' || field.kind.multiple) return []
  if (dictType === dictTypes.dictionary && dictValue !== null)
    return (await dictionaryItems(context, dictValue)).map(({ name }) => name)
  const relation = await loadRelation(context, field)
  // Personal data is masked wherever it names a row, and a mask could not be imported.
  if (relation === null || relation.pii !== null) return []
  const access = lookupAccess(context, relation.target)
  const name = labelRef(context, access, relation)
  const { rows } = await sql<{ name: string }>`
    select n.name from (
      select distinct ${name}::text as name from ${fromTable(relation.target)}
      where ${access.rows} and ${name} is not null
    ) as n order by ${textKey(sql`n.name`)}, n.name limit ${maxItems + 1}`.execute(
    databaseOf(context),
  )
  return rows.length > maxItems ? [] : rows.map((row) => row.name)
}

function isRequired({ definition: { valids }, column }: LoadedField): boolean {
  return valids.required === true || (column !== null && !column.nullable && !column.hasDefault)
}

function addInstructions(
  book: ExcelJS.Workbook,
  locale: Locale,
  columns: readonly TemplateColumn[],
  headers: readonly string[],
): void {
  const sheet = book.addWorksheet(t(locale, 'entity.sheet.instructions'))
  sheet.columns = [24, 28, 8, 48].map((width) => ({
    width,
    style: {
      numFmt: numberFormats.text.code,
      alignment: { wrapText: true, vertical: 'top' },
    },
  }))
  sheet.addRow([t(locale, 'entity.sheet.intro')])
  sheet.addRow([t(locale, 'entity.sheet.textCells')])
  sheet.addRow([])
  sheet.addRow(
    (
      [
        'entity.sheet.column',
        'entity.sheet.kind',
        'entity.sheet.required',
        'entity.sheet.rule',
      ] as const
    ).map((key) => t(locale, key)),
  ).font = headingFont
  for (const [index, { field, rule }] of columns.entries()) {
    sheet.addRow(
      [
        headers[index] ?? '',
        formatHint(locale, field),
        isRequired(field) ? t(locale, 'common.yes') : '',
        rule,
      ].map(guardText),
    )
  }
}

function ruleText(locale: Locale, entity: LoadedEntity, field: LoadedField): string {
  const { valids, options, attrName, comments } = field.definition
  const maxLength = options.maxLength ?? valids.maxLength
  return [
    ...(maxLength !== undefined && field.kind.family === 'text'
      ? [t(locale, 'entity.sheet.maxLength', { n: maxLength })]
      : []),
    ...(options.precision === undefined || isMoney(field.definition)
      ? []
      : [t(locale, 'entity.sheet.precision', { n: options.precision })]),
    ...boundTexts(locale, field),
    ...(entity.definition.options.serialNumField === attrName
      ? [t(locale, 'entity.sheet.serial')]
      : []),
    ...findRules(valids.type).map(({ message }) => messageText(locale, { key: message })),
    ...(comments === null ? [] : [comments]),
  ].join('; ')
}

/** Bounds that are the same in every row. */
function boundTexts(locale: Locale, { definition }: LoadedField): string[] {
  return Object.entries(boundsIn(definition, null)).map(([name, bound]) =>
    t(locale, `rule.${name as BoundName}`, { bound: valueText(definition, bound) }),
  )
}
