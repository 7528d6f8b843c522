import type { DictItem, Row } from '@jiaowu/api/entity/values'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { isMoney, yuanText } from '@jiaowu/api/fields/money'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import { periods } from '@jiaowu/api/entity/list/periods'
import { t } from '@jiaowu/api/texts/index'
import { timeFields } from '@jiaowu/api/entity/list/time-fields'
import { isRelatedLeaf, type Where } from '@jiaowu/api/entity/list/list-query'
import type { Queries } from '../context.ts'
import { listLeaves } from './where.ts'

/** An applied condition in words. */
export interface ShownCondition {
  readonly attrName: string
  /** The field's label, with the operator where it is not equality. */
  readonly label: string
  readonly text: string
}

const signs: Readonly<Partial<Record<ReturnType<typeof toQueryOperator>, string>>> = {
  notEqual: '≠',
  gt: '>',
  ge: '≥',
  lt: '<',
  le: '≤',
}

/** A field's label with its operator. */
export function conditionLabel({ uiLabel, queryType }: Field): string {
  const sign = signs[toQueryOperator(queryType)]
  return sign === undefined ? uiLabel : `${uiLabel} ${sign}`
}

/** A condition of a group in words. */
export interface ShownLeaf {
  readonly path: readonly number[]
  readonly label: string
  readonly text: string
}

const wordsOf = {
  isEmpty: 'column.isEmpty',
  notEmpty: 'column.notEmpty',
} as const

/** The conditions of a group, in order. @param rows loaded rows, which hold names of ids */
export function shownLeaves(
  config: Pick<EntityConfig, 'fields' | 'times'>,
  where: Where | null,
  rows: readonly Row[],
  locale: Locale,
): readonly ShownLeaf[] {
  if (where === null) return []
  return listLeaves(where).map(({ column, op, value, path, name }) => {
    if (isRelatedLeaf({ column })) return { path, ...relatedWords(column, op, value, name) }
    const field = fieldNamed(config, column, locale)
    if (field === undefined) return { path, label: column, text: String(value ?? '') }
    if (op === 'isEmpty' || op === 'notEmpty')
      return { path, label: field.uiLabel, text: t(locale, wordsOf[op]) }
    if (op === 'during') return { path, label: field.uiLabel, text: periodText(value, locale) }
    const text = formatShownValue({ ...field, queryType: op }, value, rows, locale)
    return { path, label: conditionLabel({ ...field, queryType: op }), text }
  })
}

/** A condition on related rows as it was named, or as it stands. */
function relatedWords(column: string, op: string, value: unknown, name: string | undefined) {
  if (name !== undefined) return { label: '', text: name }
  const sign = { ge: '≥', lt: '<', equal: '=' }[op] ?? op
  return { label: column.slice(1), text: `${sign} ${String(value)}` }
}

/** The times of the list before the definition's own fields of these names. */
function fieldNamed(
  config: Pick<EntityConfig, 'fields' | 'times'>,
  name: string,
  locale: Locale,
): Field | undefined {
  return [...timeFields(config, locale), ...config.fields].find(({ attrName }) => attrName === name)
}

function periodText(value: unknown, locale: Locale): string {
  const period = periods.find((each) => each === value)
  return period === undefined ? String(value ?? '') : t(locale, `period.${period}`)
}

/** @param rows loaded rows, which hold the names of the ids that an address filters by */
export function shownConditions(
  config: Pick<EntityConfig, 'fields' | 'times'>,
  applied: Queries,
  rows: readonly Row[],
  locale: Locale,
): readonly ShownCondition[] {
  return Object.entries(applied).flatMap(([attrName, value]) => {
    const field = fieldNamed(config, attrName, locale)
    return field === undefined
      ? []
      : [
          {
            attrName,
            label: conditionLabel(field),
            text: formatShownValue(field, value, rows, locale),
          },
        ]
  })
}

function formatShownValue(
  field: Field,
  value: unknown,
  rows: readonly Row[],
  locale: Locale,
): string {
  const name = (each: unknown) => findShownName(field, each, rows, locale)
  if (!Array.isArray(value)) return name(value)
  if (toQueryOperator(field.queryType) !== 'between') return value.map(name).join('、')
  const [from = '', to = ''] = value.map((end) => (end === null ? '' : name(end)))
  return from === '' ? `≤ ${to}` : to === '' ? `≥ ${from}` : `${from} ~ ${to}`
}

function findShownName(field: Field, value: unknown, rows: readonly Row[], locale: Locale): string {
  if (typeof value === 'object' && value !== null && 'id' in value) {
    const { id, name } = value as DictItem
    return name === '' ? findShownName(field, id, rows, locale) : name
  }
  const text = String(value ?? '')
  if (isMoney(field)) return yuanText(text)
  const { family } = findKind(field.uiType)
  if (family === 'flag') return t(locale, text === '1' ? 'common.yes' : 'common.no')
  return family === 'choice'
    ? (field.dictData?.find(({ id }) => id === text)?.name ??
        nameInRows(rows, field.attrName, text) ??
        text)
    : text
}

/** The name that a loaded row gives an id. */
export function nameInRows(rows: readonly Row[], attrName: string, id: string): string | undefined {
  for (const row of rows) {
    const value = row[attrName]
    const item = Array.isArray(value)
      ? (value as readonly DictItem[]).find((each) => each.id === id)
      : undefined
    if (item !== undefined) return item.name
  }
  return undefined
}
