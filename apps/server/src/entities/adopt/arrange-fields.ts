// Which fields a list shows and searches, and in which order: what names a row and the records that it is
// about come first.
import type { EntityDraft, FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { titleNames } from '@jiaowu/api/entity/title'
import { findKind } from '@jiaowu/api/fields/kinds'
import { familyOf } from '../../model/fields/column.ts'
import { isOwnSchema } from '../../model/definition/school-columns.ts'
import type { InspectedTable } from './inspect.ts'
import { isStampName } from './names.ts'
import { namesRow } from './title.ts'

const mostListed = 10
const mostFilters = 8

/**
 * The fields with their places in lists, once relations are resolved. At most ten are listed and eight
 * searched: names, keys, relations, choices and dates before numbers and texts.
 */
export function arrangeFields(
  table: InspectedTable,
  { fields, tagField, options }: Pick<EntityDraft, 'fields' | 'tagField' | 'options'>,
  key: readonly string[],
): FieldDraft[] {
  const titles = new Set([tagField ?? '', ...titleNames(options?.titlePattern ?? '')])
  const place = {
    table,
    key,
    titles,
    unique: uniqueColumns(table),
    hasPattern: options?.titlePattern !== undefined,
  }
  const isOwn = isOwnSchema(table.schema)
  const listed = pickBest(
    fields,
    (field) => weigh(field, place),
    isOwn && fields.length <= 12 ? 12 : mostListed,
  )
  const searched = pickBest(
    fields,
    (field) =>
      (isLong(field) && !isOwn) || isOddType(table, field) || isBareNumber(field)
        ? 0
        : weigh(field, place),
    mostFilters,
  )
  const arranged = fields.map((field) => ({
    ...field,
    isList: listed.has(field.attrName) ? (1 as const) : (0 as const),
    isQuery: searched.has(field.attrName) && !isHiddenKey(field) ? (1 as const) : (0 as const),
    // The name of a row stays readable: it tells the rows apart.
    ...(titles.has(field.attrName) && field.pii === 'name' ? { pii: null } : {}),
  }))
  return isOwn ? arranged : orderFields(arranged, place)
}

export const isHiddenKey = ({ isPk, isAdd }: FieldDraft) => isPk === 1 && isAdd === 0

interface FieldPlace {
  readonly table: InspectedTable
  readonly key: readonly string[]
  /** Fields that name a row. */
  readonly titles: ReadonlySet<string>
  readonly unique: ReadonlySet<string>
  /** Several fields name a row together. */
  readonly hasPattern: boolean
}

function uniqueColumns({ catalog }: InspectedTable): ReadonlySet<string> {
  return new Set(
    [...catalog.uniques.values()].flatMap((columns) => (columns.length === 1 ? columns : [])),
  )
}

function pickBest(
  fields: readonly FieldDraft[],
  worth: (field: FieldDraft) => number,
  most: number,
): ReadonlySet<string> {
  return new Set(
    fields
      .map((field) => ({ field, worth: worth(field) }))
      .filter((each) => each.worth > 0)
      .toSorted((a, b) => b.worth - a.worth)
      .slice(0, most)
      .map(({ field }) => field.attrName),
  )
}

function weigh(field: FieldDraft, place: FieldPlace): number {
  const { table, key, titles, unique } = place
  const { family, temporal, secret } = findKind(field.uiType ?? 'input')
  const column = field.columnName ?? ''
  if (field.isList !== 1 || secret) return 0
  if (titles.has(field.attrName)) return isNaming(field, place) ? 100 : 94
  if (isRelation(field)) return isAside(field, table) ? 30 : 95
  if (key.includes(column)) return 90
  if (unique.has(column)) return 80
  if (/^(deleted|del_flag|is_deleted|tenant_id|sort|version|remarks?)$/.test(column)) return 5
  if (family === 'choice') return 70
  if (family === 'flag') return 50
  if (temporal !== null) return isStampName(column) ? 20 : 60
  // The number of another table's row says little, and no one searches a range of them.
  if (family === 'number') return isBareNumber(field) ? 8 : 45
  return isLong(field) ? 10 : 40
}

/** The name of a row, its typed key and its relations go before the other fields, in form and list. */
function orderFields(fields: readonly FieldDraft[], place: FieldPlace): FieldDraft[] {
  const rank = (field: FieldDraft): number => {
    if (isHiddenKey(field)) return 0
    if (place.key.includes(field.columnName ?? '') && !isRelation(field)) return 1
    if (place.titles.has(field.attrName)) return isNaming(field, place) ? 2 : 4
    return isRelation(field) && !isAside(field, place.table) && field.isList === 1 ? 3 : 5
  }
  return fields
    .toSorted((a, b) => rank(a) - rank(b) || (a.uiSort ?? 0) - (b.uiSort ?? 0))
    .map((field, at) => ({ ...field, uiSort: at + 1 }))
}

/** A title of a table without a name is any text of it, and says less than the records it is about. */
function isNaming(field: FieldDraft, { table, unique, hasPattern }: FieldPlace): boolean {
  return hasPattern || unique.has(field.columnName ?? '') || namesRow(field, table)
}

function isRelation({ dictType }: FieldDraft): boolean {
  return dictType === dictTypes.entity
}

/** A relation that says little about a row: who wrote it, or a record that all rows share. */
function isAside({ columnName }: FieldDraft, table: InspectedTable): boolean {
  const column = columnName ?? ''
  const stored = table.columns.find(({ name }) => name === column)?.stored
  return isStampName(column) || /^(tenant|org)_?id$/i.test(column) || stored?.isShared === true
}

/** The number of a row of another table, without a relation to it. */
function isBareNumber({ uiType = 'input', columnName }: FieldDraft): boolean {
  return findKind(uiType).family === 'number' && /(^|_)id$|[a-z]I[dD]$/.test(columnName ?? '')
}

/** A text of several lines. */
function isLong({ uiType = 'input' }: FieldDraft): boolean {
  const { family, singleLine } = findKind(uiType)
  return family === 'text' && !singleLine
}

function isOddType({ catalog }: InspectedTable, { columnName }: FieldDraft): boolean {
  const column = catalog.columns.get(columnName ?? '')
  return column !== undefined &&
    ['other', 'json', 'texts', 'integers'].includes(familyOf(column) ?? '')
    ? (column.sqlType ?? '').endsWith('[]') || familyOf(column) === 'json'
    : false
}
