import { type Field, type FooterFunction, kindOf } from '@jiaowu/api'

/** Whether lists group by a field: a choice, a yes or no, or a date of one plain value. */
export function canGroup(field: Field): boolean {
  const { family, sortable, multiple } = kindOf(field.uiType)
  return isPlain(field) && sortable && !multiple && ['choice', 'flag', 'temporal'].includes(family)
}

/** Whether a group has units: months and years besides days. */
export function hasUnits({ uiType }: Field): boolean {
  return kindOf(uiType).temporal?.hasDay === true
}

/** Whether a figure over all rows exists for a field. */
export function fits(field: Field, fn: FooterFunction): boolean {
  if (!isPlain(field)) return false
  const { family } = kindOf(field.uiType)
  switch (fn) {
    case 'count':
    case 'empty':
    case 'distinct':
      return true
    case 'below':
      return family === 'number' && field.options.warnBelow !== undefined
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
