// Parses the value of a filter into operands, checked by the field kind's schema and by the column
// (docs/rules/security.md#i2).
import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import { fieldKinds, isEmpty } from '@jiaowu/api/fields/kinds'
import { isFen, isMoney } from '@jiaowu/api/fields/money'
import { limits } from '@jiaowu/api/limits'
import { readRangeEnd } from '@jiaowu/api/fields/dates'
import type { QueryOperator } from '@jiaowu/api/entity/enums'
import type { TextKey } from '@jiaowu/api/texts/index'
import { findMisfitText } from '@jiaowu/validation'
import * as v from 'valibot'
import { type Column, columnViolation, isStorable } from '../../../model/fields/column.ts'
import type { LoadedField } from '../../../model/definition/loaded.ts'

/** An operand that cannot be compared with the field. The query compiler adds the path. */
export class OperandFault extends Error {
  readonly rule: string
  readonly key: TextKey
  constructor(rule: string, key: TextKey = 'rule.value') {
    super(rule)
    this.name = 'OperandFault'
    this.rule = rule
    this.key = key
  }
}

/**
 * How much of a date or datetime an operand covers when it was written with less than the field
 * holds (docs/rules/contract.md#ranges); null: as much as the field holds.
 */
export type Unit = 'month' | 'day' | null
/** An end of a range; `value` is the first moment of its unit. */
export interface Bound {
  readonly value: string
  readonly unit: Unit
}

export type Operands =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly value: string | boolean; readonly unit: Unit }
  | {
      readonly kind: 'list'
      readonly values: readonly (string | boolean)[]
      /** The unit that each value covers; absent: as much as the field holds. */
      readonly units?: readonly Unit[]
      /** The text that the values were split from, where it may be one value itself. */
      readonly whole?: string
    }
  | { readonly kind: 'range'; readonly from: Bound | null; readonly to: Bound | null }
  | { readonly kind: 'pattern'; readonly text: string }

const none: Operands = { kind: 'none' }
/**
 * docs/rules/contract.md#entity-data: `in` takes at most 500 values (docs/rules/security.md#i2).
 */
export const maxValues = limits.maxInValues
const maxPattern = 200
const patterns: readonly QueryOperator[] = ['like', 'leftLike', 'rightLike']

/** The operands of one filter; `none` for an empty one. @throws OperandFault */
export function parseOperands(
  field: LoadedField,
  column: Column,
  operator: QueryOperator,
  raw: unknown,
): Operands {
  if (isEmpty(raw)) return none
  if (patterns.includes(operator)) return patternOperands(raw)
  if (operator === 'between') return rangeOperands(field, column, raw)
  if (field.kind.family === 'choice') {
    return choiceOperands(field, column, raw)
  }
  if (operator === 'in' || operator === 'multiContains') return listOperands(field, column, raw)
  const { value, unit } = moment(field, column, raw)
  return value === null ? none : { kind: 'one', value, unit }
}

function patternOperands(raw: unknown): Operands {
  const text = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw
  if (typeof text !== 'string' && typeof text !== 'number') return invalidOperand()
  if (String(text).length > maxPattern || !isStorable(text)) return invalidOperand()
  return { kind: 'pattern', text: String(text) }
}

function invalidOperand(): never {
  throw new OperandFault('value')
}

function rangeOperands(field: LoadedField, column: Column, raw: unknown): Operands {
  const ends = typeof raw === 'string' ? raw.split(/[,，]/) : raw
  if (!Array.isArray(ends) || ends.length !== 2) return invalidOperand()
  const [from = null, to = null] = ends.map((end: unknown): Bound | null => {
    const { value, unit } =
      field.kind.family === 'choice'
        ? { value: choiceIds(field, column, end)[0] ?? null, unit: null }
        : moment(field, column, end)
    return value === null ? null : { value: String(value), unit }
  })
  if (from === null && to === null) return none
  if (from !== null && to !== null && isAfter(field, from.value, findLastSecond(to)))
    throw new OperandFault('range', 'rule.range')
  return { kind: 'range', from, to }
}

/** A scalar, with the part of a date or datetime that it covers. */
function moment(field: LoadedField, column: Column, raw: unknown) {
  const end =
    field.kind.temporal?.hasDay === true && typeof raw === 'string' ? readRangeEnd(raw) : undefined
  if (end === undefined) return { value: scalar(field, column, raw), unit: null }
  const unit: Unit =
    end.unit === 'month' || (end.unit === 'day' && field.kind.temporal?.unit === 'second')
      ? end.unit
      : null
  return { value: scalar(field, column, end.from, unit), unit }
}

/** The last second of what a bound covers, as text in the form of its value. */
export function findLastSecond({ value, unit }: Bound): string {
  if (unit === null) return value
  const [year = 0, month = 0] = value.split('-').map(Number)
  const day =
    unit === 'day'
      ? value.slice(0, 10)
      : new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
  return value.length > 10 ? `${day} 23:59:59` : day
}

/**
 * Ids of choices, sent as `[{id,name}]`, one item, an id or a list of ids
 * (docs/rules/contract.md#entity-data).
 */
function choiceIds(field: LoadedField, column: Column, raw: unknown): (string | boolean)[] {
  if (Array.isArray(raw) && raw.length > maxValues)
    throw new OperandFault('in', 'entity.tooManyValues')
  const parsed = v.safeParse(fieldKinds.multiSelect.value, raw)
  if (!parsed.success) return invalidOperand()
  const element: Column = { ...column, length: null, type: column.type.replace(/^_/, '') }
  return (parsed.output as readonly DictItem[]).map((item) => {
    const stored = field.kind.multiple ? item.id : field.storage.store([item], column)
    if (columnViolation(stored, element) !== null) return invalidOperand()
    return typeof stored === 'boolean' ? stored : String(stored)
  })
}

/**
 * A text with commas is the id of one choice or a list of ids (docs/rules/contract.md#row-ids): both
 * are kept where it can be either.
 */
function choiceOperands(field: LoadedField, column: Column, raw: unknown): Operands {
  if (typeof raw !== 'string' || !raw.includes(',')) {
    const values = choiceIds(field, column, raw)
    return values.length === 0 ? none : { kind: 'list', values }
  }
  const words = raw.split(',').filter((id) => id.trim() !== '')
  const whole = readOrNull(() => choiceIds(field, column, [raw]))
  const values = readOrNull(() => choiceIds(field, column, words))
  if (values === null || values.length === 0)
    return whole === null ? invalidOperand() : { kind: 'list', values: whole }
  const [one] = whole ?? []
  return { kind: 'list', values, ...(typeof one === 'string' && { whole: one }) }
}

/** Null for an operand that cannot be compared. Too many values are refused whatever they mean. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof OperandFault && error.rule === 'value') return null
    throw error
  }
}

/** A time with the zone of ISO 8601 behind it. */
const zoned = /\d:\d\d.*(z|[+-]\d\d(:?\d\d)?)$/i

/** A single value of a kind other than choice, in its stored form. */
function scalar(
  field: LoadedField,
  column: Column,
  raw: unknown,
  unit: Unit = null,
): string | boolean | null {
  const parsed = v.safeParse(field.kind.value, column.type === 'bool' ? toFlag(raw) : raw)
  if (!parsed.success) {
    const isZoned = field.kind.temporal !== undefined && typeof raw === 'string' && zoned.test(raw)
    throw new OperandFault('value', isZoned ? 'rule.zonedTime' : findMisfitText(field.kind))
  }
  if (isMoney(field.definition) && !isFen(parsed.output))
    throw new OperandFault('value', 'rule.amount')
  const stored = field.storage.store(parsed.output as WireValue, column)
  if (stored === null) return null
  const unfit = columnViolation(stored, { ...column, length: null })
  // A day begins with its first moment, also where the clocks skipped midnight.
  if (unfit === 'skippedTime' && unit === null) throw new OperandFault(unfit, 'rule.skippedTime')
  if (unfit !== null && unfit !== 'skippedTime') return invalidOperand()
  return typeof stored === 'boolean' ? stored : String(stored)
}

/** A row with a flag as its key is named `true` or `false`. */
function toFlag(raw: unknown): unknown {
  return raw === 'true' ? true : raw === 'false' ? false : raw
}

function isAfter(field: LoadedField, from: string, to: string): boolean {
  if (field.kind.family !== 'number') return from > to
  return Number(from) > Number(to)
}

function listOperands(field: LoadedField, column: Column, raw: unknown): Operands {
  const list = splitList(raw).filter((each) => !isEmpty(each))
  if (list.length > maxValues) throw new OperandFault('in', 'entity.tooManyValues')
  const read = list
    .map((each) => moment(field, column, each))
    .flatMap(({ value, unit }) => (value === null ? [] : [{ value, unit }]))
  return read.length === 0
    ? none
    : {
        kind: 'list',
        values: read.map(({ value }) => value),
        units: read.map(({ unit }) => unit),
        ...(mayBeOne(field, raw) && { whole: raw }),
      }
}

/** Whether a text with commas, as addresses send lists, may also be one value (docs/rules/contract.md#row-ids). */
function mayBeOne(field: LoadedField, raw: unknown): raw is string {
  return field.kind.family === 'text' && typeof raw === 'string' && raw.includes(',')
}

function splitList(raw: unknown): unknown[] {
  return Array.isArray(raw)
    ? raw
    : typeof raw === 'string'
      ? raw.split(/[,，]/).map((part) => part.trim())
      : [raw]
}
