// Parses the value of a filter into operands, checked by the field kind's schema and by the column
// (docs/rules/security.md#i2).
import {
  type DictItem,
  fieldKinds,
  isEmpty,
  type QueryOperator,
  type TextKey,
  type WireValue,
} from '@jiaowu/api'
import * as v from 'valibot'
import { type Column, columnViolation } from '../fields/column.ts'
import type { LoadedField } from '../definition/loaded.ts'

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

export type Operands =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly value: string | boolean }
  | { readonly kind: 'list'; readonly values: readonly (string | boolean)[] }
  | { readonly kind: 'range'; readonly from: string | null; readonly to: string | null }
  | { readonly kind: 'pattern'; readonly text: string }

const none: Operands = { kind: 'none' }
/**
 * docs/rules/contract.md#entity-data: `in` takes at most 500 values (docs/rules/security.md#i2).
 */
const maxValues = 500
const maxPattern = 200
const patterns: readonly QueryOperator[] = ['like', 'leftLike', 'rightLike']
const textColumn: Column = {
  name: 'x',
  type: 'text',
  length: null,
  precision: null,
  scale: null,
  nullable: true,
  hasDefault: false,
  generated: false,
}

/** The operands of one filter; `none` for an empty one. @throws OperandFault */
export function operandsOf(
  field: LoadedField,
  column: Column,
  operator: QueryOperator,
  raw: unknown,
): Operands {
  if (isEmpty(raw)) return none
  if (patterns.includes(operator)) return patternOperands(raw)
  if (operator === 'between') return rangeOperands(field, column, raw)
  if (field.kind.family === 'choice') {
    const values = choiceIds(field, column, raw)
    return values.length === 0 ? none : { kind: 'list', values }
  }
  if (operator === 'in' || operator === 'multiContains') return listOperands(field, column, raw)
  const value = scalar(field, column, raw)
  return value === null ? none : { kind: 'one', value }
}

function patternOperands(raw: unknown): Operands {
  const text = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw
  if (typeof text !== 'string' && typeof text !== 'number') return invalidOperand()
  if (String(text).length > maxPattern || columnViolation(String(text), textColumn) !== null)
    return invalidOperand()
  return { kind: 'pattern', text: String(text) }
}

function invalidOperand(): never {
  throw new OperandFault('value')
}

function rangeOperands(field: LoadedField, column: Column, raw: unknown): Operands {
  const ends = typeof raw === 'string' ? raw.split(/[,，]/) : raw
  if (!Array.isArray(ends) || ends.length !== 2) return invalidOperand()
  const [from = null, to = null] = ends.map((end: unknown) => {
    const value =
      field.kind.family === 'choice'
        ? (choiceIds(field, column, end)[0] ?? null)
        : scalar(field, column, end)
    return value === null ? null : String(value)
  })
  if (from === null && to === null) return none
  if (from !== null && to !== null && isAfter(field, from, to))
    throw new OperandFault('range', 'rule.range')
  return { kind: 'range', from, to }
}

/**
 * Ids of choices, sent as `[{id,name}]`, one item, an id or a list of ids
 * (docs/rules/contract.md#entity-data).
 */
function choiceIds(field: LoadedField, column: Column, raw: unknown): (string | boolean)[] {
  const split = typeof raw === 'string' && raw.includes(',') ? raw.split(',') : raw
  const parsed = v.safeParse(fieldKinds.multiSelect.value, split)
  if (!parsed.success) return invalidOperand()
  const element: Column = { ...column, length: null, type: column.type.replace(/^_/, '') }
  return (parsed.output as readonly DictItem[]).map((item) => {
    const stored = field.kind.multiple ? item.id : field.storage.store([item], column)
    if (columnViolation(stored, element) !== null) return invalidOperand()
    return typeof stored === 'boolean' ? stored : String(stored)
  })
}

/** A single value of a kind other than choice, in its stored form. */
function scalar(field: LoadedField, column: Column, raw: unknown): string | boolean | null {
  const parsed = v.safeParse(field.kind.value, raw)
  if (!parsed.success) return invalidOperand()
  const stored = field.storage.store(parsed.output as WireValue, column)
  if (stored === null) return null
  if (columnViolation(stored, { ...column, length: null }) !== null) return invalidOperand()
  return typeof stored === 'boolean' ? stored : String(stored)
}

function isAfter(field: LoadedField, from: string, to: string): boolean {
  if (field.kind.family !== 'number') return from > to
  return Number(from) > Number(to)
}

function listOperands(field: LoadedField, column: Column, raw: unknown): Operands {
  const list = listOf(raw).filter((each) => !isEmpty(each))
  if (list.length > maxValues) throw new OperandFault('in', 'entity.tooManyValues')
  const values = list.map((each) => scalar(field, column, each)).filter((each) => each !== null)
  return values.length === 0 ? none : { kind: 'list', values }
}

function listOf(raw: unknown): unknown[] {
  return Array.isArray(raw)
    ? raw
    : typeof raw === 'string'
      ? raw.split(/[,，]/).map((part) => part.trim())
      : [raw]
}
