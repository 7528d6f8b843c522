// Compiles one filter to a SQL condition: 12 operators over every family of columns. Values are
// bound, names come from the catalog.
import type { QueryOperator } from '@jiaowu/api/entity/enums'
import { type RawBuilder, sql } from 'kysely'
import {
  chooseCast,
  type Column,
  type ColumnFamily,
  familyOf,
} from '../../../model/fields/column.ts'
import { type Edges, periodEdges, toInstant, toLocal } from '../../../model/fields/school-time.ts'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import {
  allOf,
  anyOf,
  type Condition,
  escapeLike,
  matchesPattern,
  formatTyped,
} from '../../../model/definition/names.ts'
import { type Bound, findLastSecond, OperandFault, type Operands, type Unit } from './operands.ts'
import { shownText, type Target } from '../target.ts'
import { searchCondition } from './text-search.ts'

type Value = string | boolean

/**
 * The condition, or null when the filter is empty.
 * @throws OperandFault when the operator does not apply to the field
 */
export function compileFilter(
  target: Target,
  operator: QueryOperator,
  operands: Operands,
): Condition | null {
  const family = familyOf(target.column)
  if (family === undefined) throw new OperandFault('value')
  if (family === 'other') return compileFilter(textTarget(target, operator), operator, operands)
  const isSet = target.field.kind.multiple || family === 'texts' || family === 'integers'
  switch (operands.kind) {
    case 'none':
      return null
    case 'pattern':
      return likeCondition(target, family, operator, operands.text)
    case 'range':
      if (isSet) throw new OperandFault('value')
      return rangeCondition(target, family, operands.from, operands.to)
    case 'one':
      return isSet
        ? setCondition(target, family, operator, [operands.value])
        : valueCondition(target, family, operator, operands.value, operands.unit)
    case 'list':
      return isSet
        ? setCondition(target, family, operator, operands.values)
        : listCondition(target, family, operator, operands)
  }
}

/** Whether there is no value. Never null, so that it can be negated. */
export function emptyCondition({ ref, column }: Target): Condition {
  const family = familyOf(column)
  if (family === 'text') return sql`(coalesce(${ref}, '') = '')`
  if (family === 'texts' || family === 'integers')
    return sql`(coalesce(cardinality(${ref}), 0) = 0)`
  return family === 'json'
    ? sql`(coalesce(${ref}::jsonb, 'null') in ('null', '[]', '""'))`
    : sql`(${ref} is null)`
}

/** Values of types that only the database can read are compared by their text forms. */
function textTarget(target: Target, operator: QueryOperator): Target {
  if (['gt', 'ge', 'lt', 'le', 'between'].includes(operator)) throw new OperandFault('value')
  const { column, ref } = target
  return {
    ...target,
    ref: shownText(column, ref),
    column: { ...column, type: 'text', length: null },
  }
}

/** The name gives the side of the wildcard: leftLike means "ends with", rightLike "starts with". */
function likeCondition(
  target: Target,
  family: ColumnFamily,
  operator: QueryOperator,
  text: string,
): Condition {
  const escaped = escapeLike(text)
  const like =
    operator === 'leftLike'
      ? `%${escaped}`
      : operator === 'rightLike'
        ? `${escaped}%`
        : `%${escaped}%`
  return target.searched === undefined
    ? matchesPattern(asText(target, family), like)
    : searchCondition(target.searched, asText(target, family), text, like)
}

function asText({ ref, field }: Target, family: ColumnFamily): RawBuilder<unknown> {
  if (family === 'text') return ref
  if (family === 'instant') return sql`to_char(${toLocal(ref)}, 'YYYY-MM-DD HH24:MI:SS')`
  if (family === 'timestamp') return sql`to_char(${ref}, 'YYYY-MM-DD HH24:MI:SS')`
  if (family === 'texts' || family === 'integers') return sql`array_to_string(${ref}, ',')`
  return field.kind.family === 'flag' && family === 'boolean'
    ? sql`(${ref}::int4)::text`
    : sql`${ref}::text`
}

function rangeCondition(
  target: Target,
  family: ColumnFamily,
  from: Bound | null,
  to: Bound | null,
): Condition {
  return allOf([
    ...(from === null ? [] : [sql`${target.ref} >= ${operand(from.value, target.column)}`]),
    ...(to === null
      ? []
      : [upToCondition(target, computeEdges(to.value, to.unit, target, family))]),
  ])
}

/**
 * The interval a value stands for: equality means `>= from and < to`, or `= from` when `to` is null.
 * @param unit what the value covers when it names less than the field holds
 */
function computeEdges(
  value: Value,
  unit: Unit,
  { field, column }: Target,
  family: ColumnFamily,
): Edges {
  const first = formatTyped(value, chooseCast(column))
  // A text sorts like its moments: the interval ends before the text of the next day.
  if (unit !== null && family === 'text')
    return {
      from: first,
      to: operand(dayAfter(findLastSecond({ value: String(value), unit })), column),
    }
  return periodEdges(first, unit === null ? chooseSpan(field, family) : `1 ${unit}`, family)
}

function dayAfter(moment: string): string {
  const [year = 0, month = 1, day = 1] = moment.slice(0, 10).split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10)
}

/**
 * The precision of a temporal value: `2026-01-05` compared with a timestamp means the whole day.
 */
function chooseSpan({ kind }: LoadedField, family: ColumnFamily): string | null {
  const unit = kind.temporal?.unit ?? 'second'
  const hasClock = family === 'timestamp' || family === 'instant'
  return hasClock || (unit === 'year' && family === 'date') ? `1 ${unit}` : null
}

function operand(value: Value, column: Column): RawBuilder<unknown> {
  const local = formatTyped(value, chooseCast(column))
  return familyOf(column) === 'instant' ? toInstant(local) : local
}

function upToCondition({ ref }: Target, { from, to }: Edges): Condition {
  return to === null ? sql`${ref} <= ${from}` : sql`${ref} < ${to}`
}

function setCondition(
  target: Target,
  family: ColumnFamily,
  operator: QueryOperator,
  values: readonly Value[],
): Condition {
  const { ref, type } = asArray(target, family)
  const wanted = formatTyped(values.map(String), type)
  const same = sql`(${ref} @> ${wanted} and ${ref} <@ ${wanted})`
  switch (operator) {
    case 'equal':
      return same
    case 'notEqual':
      return sql`(${target.ref} is null or not ${same})`
    case 'in':
      return sql`${ref} && ${wanted}`
    case 'multiContains':
      return sql`${ref} @> ${wanted}`
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
    case 'between':
    case 'like':
    case 'leftLike':
    case 'rightLike':
      throw new OperandFault('value')
  }
}

/** The choices of a row as an array, whatever type the column has. */
function asArray(
  { ref, column }: Target,
  family: ColumnFamily,
): { ref: RawBuilder<unknown>; type: string } {
  if (family === 'texts')
    return { ref: column.type === '_text' ? ref : sql`${ref}::text[]`, type: 'text[]' }
  if (family === 'integers')
    return { ref: column.type === '_int8' ? ref : sql`${ref}::int8[]`, type: 'int8[]' }
  if (family === 'json')
    return { ref: sql`array(select jsonb_array_elements_text(${ref}::jsonb))`, type: 'text[]' }
  return {
    ref: family === 'text' ? sql`string_to_array(${ref}, ',')` : sql`array[${ref}::text]`,
    type: 'text[]',
  }
}

function valueCondition(
  target: Target,
  family: ColumnFamily,
  operator: QueryOperator,
  value: Value,
  unit: Unit = null,
): Condition {
  const edges = computeEdges(value, unit, target, family)
  switch (operator) {
    case 'equal':
    case 'in':
    case 'multiContains':
      return equalCondition(target, edges)
    case 'notEqual':
      return sql`(${target.ref} is null or not ${equalCondition(target, edges)})`
    case 'gt':
      return afterCondition(target, edges)
    case 'ge':
      return sql`${target.ref} >= ${edges.from}`
    case 'lt':
      return sql`${target.ref} < ${edges.from}`
    case 'le':
      return upToCondition(target, edges)
    case 'between':
    case 'like':
    case 'leftLike':
    case 'rightLike':
      throw new OperandFault('value')
  }
}

function equalCondition({ ref }: Target, { from, to }: Edges): Condition {
  return to === null ? sql`${ref} = ${from}` : sql`(${ref} >= ${from} and ${ref} < ${to})`
}

function afterCondition({ ref }: Target, { from, to }: Edges): Condition {
  return to === null ? sql`${ref} > ${from}` : sql`${ref} >= ${to}`
}

function listCondition(
  target: Target,
  family: ColumnFamily,
  operator: QueryOperator,
  { values, units = [] }: Extract<Operands, { kind: 'list' }>,
): Condition {
  const [first] = values
  if (first !== undefined && values.length === 1)
    return valueCondition(target, family, operator, first, units[0])
  if (!['equal', 'notEqual', 'in', 'multiContains'].includes(operator))
    throw new OperandFault('value')
  const isIn =
    chooseSpan(target.field, family) === null &&
    family !== 'instant' &&
    units.every((unit) => unit === null)
      ? sql`${target.ref} = any(${formatTyped(values, `${chooseCast(target.column)}[]`)})`
      : anyOf(
          values.map((value, i) =>
            equalCondition(target, computeEdges(value, units[i] ?? null, target, family)),
          ),
        )
  return operator === 'notEqual' ? sql`(${target.ref} is null or not ${isIn})` : isIn
}
