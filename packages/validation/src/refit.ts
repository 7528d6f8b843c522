// A field whose control changes keeps what the new control can have, and loses the rest: an operator,
// a source of choices, a default or a rule left behind would be an error without a cause on the screen.
import {
  defaultTypes,
  dictTypes,
  toQueryOperator,
  type QueryOperator,
  type UiType,
} from '@jiaowu/api/entity/enums'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { FieldKind } from '@jiaowu/api/fields/families'
import { holdsValue, isFilterable, findKind } from '@jiaowu/api/fields/kinds'
import { checkField } from './field-schema.ts'

/** The field with another control, and everything else reset that the control cannot have. */
export function refit(field: FieldDefinition, uiType: UiType): FieldDefinition {
  if (field.uiType === uiType) return field
  const kind = findKind(uiType)
  const next: FieldDefinition = {
    ...field,
    uiType,
    queryType: kind.operators.includes(toQueryOperator(field.queryType))
      ? field.queryType
      : operatorFor(uiType),
    ...(isFilterable(kind) ? {} : { isQuery: 0 as const }),
    ...(kind.secret ? { isList: 0 as const, isDetail: 0 as const, isExport: 0 as const } : {}),
    ...(kind.family === 'choice' ? {} : { dictType: dictTypes.none, dictValue: null }),
    valids: fittingRules(field, kind),
    options: fittingOptions(field, kind),
  }
  return isDefaultFitting(next, kind)
    ? next
    : { ...next, uiDefaultType: defaultTypes.none, defaultValue: null }
}

/** The field with the control that its column has without the relation, as in a plain draft. */
export function withoutRelation(field: FieldDefinition): FieldDefinition {
  const type = field.columnType ?? ''
  const known = controls.find(([pattern]) => pattern.test(type))
  return refit(field, known?.[1] ?? 'input')
}
const controls: readonly (readonly [RegExp, UiType])[] = [
  [/^(smallint|integer|bigint|int[248]|numeric|decimal|real|double|float|money)/, 'inputNumber'],
  [/^bool/, 'switch'],
  [/^timestamp/, 'datetime'],
  [/^date/, 'date'],
  [/^time/, 'time'],
]

/** The operator that a filter on the kind starts with. */
export function operatorFor(uiType: UiType): QueryOperator {
  const { operators } = findKind(uiType)
  return (
    (['between', 'like', 'in', 'equal'] as const).find(
      (operator) =>
        operators.includes(operator) && !(operator === 'in' && operators.includes('like')),
    ) ?? 'equal'
  )
}

function fittingRules({ valids }: FieldDefinition, { family }: FieldKind) {
  const { type, maxLength, maxChars, minLength, min, max, step, ...rest } = valids
  return {
    ...rest,
    ...(family === 'text' && maxLength !== undefined && { maxLength }),
    ...(family === 'text' && maxChars !== undefined && { maxChars }),
    ...(family === 'text' && minLength !== undefined && { minLength }),
    ...(family === 'number' && {
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(step !== undefined && { step }),
    }),
    ...((family === 'text' || family === 'number') && type !== undefined && { type }),
  }
}

function fittingOptions({ options }: FieldDefinition, { family }: FieldKind) {
  const {
    maxLength,
    precision,
    money,
    warnBelow,
    warnUnless,
    cascades,
    valueAttr,
    items,
    ...rest
  } = options
  return {
    ...rest,
    ...(family === 'text' && maxLength !== undefined && { maxLength }),
    ...(family === 'number' && {
      ...(precision !== undefined && { precision }),
      ...(money !== undefined && { money }),
      ...(warnBelow !== undefined && { warnBelow }),
      ...(warnUnless !== undefined && { warnUnless }),
    }),
    ...(family === 'choice' && {
      ...(cascades !== undefined && { cascades }),
      ...(valueAttr !== undefined && { valueAttr }),
      ...(items !== undefined && { items }),
    }),
  }
}

function isDefaultFitting(field: FieldDefinition, kind: FieldKind): boolean {
  const { uiType, uiDefaultType, defaultValue } = field
  if (uiDefaultType === defaultTypes.none || defaultValue === null) return true
  if (!holdsValue(uiType) || kind.secret) return false
  if (uiDefaultType === defaultTypes.context)
    return kind.family === 'text' || (defaultValue === 'currentTime') === (kind.temporal !== null)
  if (uiDefaultType !== defaultTypes.text) return true
  const value = kind.multiple ? defaultValue.split(',').map((part) => part.trim()) : defaultValue
  return checkField(field, value).fault === null
}
