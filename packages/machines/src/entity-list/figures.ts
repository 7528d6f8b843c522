import type { Field } from '@jiaowu/api/entity/config'
import {
  type FooterFunction,
  footerFunctions,
  type FooterValue,
} from '@jiaowu/api/entity/list/list-query'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { WireValue } from '@jiaowu/api/entity/values'
import { hasLow, shownNumber } from '../shown-number.ts'
import { toGroupKey } from './group-key.ts'

/** Whether lists group by a field: a choice, a yes or no, or a date of one plain value. */
export function canGroup(field: Field): boolean {
  const { family, sortable, multiple } = findKind(field.uiType)
  return isPlain(field) && sortable && !multiple && ['choice', 'flag', 'temporal'].includes(family)
}

/** Whether a group has units: months and years besides days. */
export function hasUnits({ uiType }: Field): boolean {
  return findKind(uiType).temporal?.hasDay === true
}

/** Whether a figure over all rows exists for a field. */
export function figureFitsField(field: Field, fn: FooterFunction): boolean {
  if (!isPlain(field)) return false
  const { family } = findKind(field.uiType)
  switch (fn) {
    case 'count':
    case 'empty':
    case 'distinct':
      return true
    case 'below':
      return family === 'number' && hasLow(field.options)
    case 'sum':
    case 'avg':
      return family === 'number'
    case 'min':
    case 'max':
      return family === 'number' || family === 'temporal'
  }
}

/** Figures are over what lists sort by: one plain value that is not personal. */
function isPlain({ isList, sortable, pii }: Field): boolean {
  return isList === 1 && sortable && (pii ?? null) === null
}

/** The figures that a field can have, in the order of menus. */
export function figuresFor(field: Field): readonly FooterFunction[] {
  return footerFunctions.filter((fn) => figureFitsField(field, fn))
}

/** Decimals of averages of fields that name none. */
const averageDecimals = 2

/** A figure as lists show it; a dash where no row has a value. */
export function figureText({ fn, value }: FooterValue, field: Field, locale: Locale): string {
  if (value === null) return '—'
  if (fn === 'count' || fn === 'empty' || fn === 'distinct' || fn === 'below')
    return Number(value).toLocaleString(locale)
  if (findKind(field.uiType).family !== 'number') return findKind(field.uiType).toText(value)
  const { options } = field
  return shownNumber(
    value,
    fn === 'avg'
      ? { ...options, precision: Math.max(options.precision ?? 0, averageDecimals) }
      : options,
    locale,
  )
}

/** The name of a group; the text of groups without a value is the caller's language. */
export function groupName(value: WireValue, field: Field, locale: Locale): string {
  const key = toGroupKey(value)
  if (key === '') return t(locale, 'group.empty')
  const { family } = findKind(field.uiType)
  if (family === 'flag') return t(locale, key === '1' ? 'common.yes' : 'common.no')
  if (family !== 'choice') return key
  const name = Array.isArray(value) ? findKind(field.uiType).toText(value) : ''
  return name === '' || name === key
    ? (field.dictData?.find(({ id }) => id === key)?.name ?? key)
    : name
}
