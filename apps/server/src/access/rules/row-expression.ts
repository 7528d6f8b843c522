// Compiles a row rule (`row.classId in user.classes`) to an SQL condition. Refuses what it cannot compile.
import {
  type BinaryOperator,
  type Expression,
  ExpressionError,
  parseExpression,
} from '@jiaowu/validation'
import { type RawBuilder, sql } from 'kysely'
import {
  type Column,
  castOf,
  familyOf,
  isArray,
  columnViolation,
} from '../../entities/fields/column.ts'
import { toInstant } from '../../entities/fields/school-time.ts'
import {
  allOf,
  always,
  anyOf,
  columnRef,
  type Condition,
  never,
  typed,
} from '../../entities/definition/names.ts'

/** The column that `row.name` means: stored rules name columns, those of the role page attributes. */
export type ColumnOf = (name: string) => Column | undefined

/** The value of `user` in a rule: plain data from the session. */
export type RuleUser = Readonly<Record<string, unknown>>

type Operand =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'value'; readonly value: unknown }

const flipped: Readonly<Partial<Record<BinaryOperator, BinaryOperator>>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}
const orders: Readonly<Partial<Record<BinaryOperator, string>>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

/** @throws ExpressionError when it does not parse or has no SQL form; the caller must then show no row */
export function rowCondition(source: string, columnOf: ColumnOf, user: RuleUser): Condition {
  return conditionOf(parseExpression(source), columnOf, user)
}

/** @throws ExpressionError unless it uses only comparisons, `in`, `and`, `or`, `not` on fields and `user` */
function conditionOf(node: Expression, columnOf: ColumnOf, user: RuleUser): Condition {
  if (node.type === 'literal' && typeof node.value === 'boolean') return node.value ? always : never
  if (node.type === 'unary' && node.operator === 'not')
    return sql`(not ${conditionOf(node.operand, columnOf, user)})`
  if (node.type !== 'binary') return refuse(node.type)
  if (node.operator === 'and')
    return allOf([conditionOf(node.left, columnOf, user), conditionOf(node.right, columnOf, user)])
  if (node.operator === 'or')
    return anyOf([conditionOf(node.left, columnOf, user), conditionOf(node.right, columnOf, user)])
  const [left, right] = [
    operandOf(node.left, columnOf, user),
    operandOf(node.right, columnOf, user),
  ]
  if (node.operator === 'in') return inList(left, right)
  if (node.operator === 'not in') return sql`(not ${inList(left, right)})`
  if (['+', '-', '*', '/'].includes(node.operator)) return refuse(node.operator)
  return comparison(node.operator, left, right)
}

function refuse(token: string): never {
  throw new ExpressionError('type', 0, token)
}

function operandOf(node: Expression, columnOf: ColumnOf, user: RuleUser): Operand {
  if (
    node.type === 'member' &&
    node.object.type === 'name' &&
    node.object.name === 'row' &&
    node.property.type === 'literal'
  ) {
    const attrName = String(node.property.value)
    const column = columnOf(attrName)
    return column === undefined ? refuse(attrName) : { kind: 'column', column }
  }
  return { kind: 'value', value: constantOf(node, user) }
}

/** `user.org.id` → the value itself; own properties only. */
function constantOf(node: Expression, user: RuleUser): unknown {
  if (node.type === 'literal') return node.value
  if (node.type === 'name' && node.name === 'user') return user
  if (node.type === 'list') return node.items.map((item) => constantOf(item, user))
  if (node.type === 'member' && node.property.type === 'literal') {
    const object = constantOf(node.object, user)
    const key = String(node.property.value)
    return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
      ? (object as Record<string, unknown>)[key]
      : null
  }
  return refuse(node.type)
}

function inList(left: Operand, right: Operand): Condition {
  if (left.kind === 'column' && right.kind === 'value')
    return Array.isArray(right.value)
      ? membership(left.column, right.value)
      : right.value === null
        ? never
        : refuse('in')
  if (left.kind === 'value' && right.kind === 'column' && isArray(right.column))
    return isScalar(left.value) ? membership(right.column, [left.value]) : never
  if (left.kind === 'value' && right.kind === 'value' && Array.isArray(right.value))
    return right.value.map(String).includes(String(left.value)) ? always : never
  return refuse('in')
}

function membership(column: Column, list: readonly unknown[]): Condition {
  const family = familyOf(column)
  if (family === undefined || list.length > 500) return refuse('in')
  const ids = list.map(plain)
  if (isArray(column)) {
    const values = ids
      .filter((id) => isScalar(id) && columnViolation([String(id)], column) === null)
      .map(String)
    return notNull(column, sql`${columnRef(column.name)} && ${typed(values, castOf(column))}`)
  }
  return anyOf(ids.map((id) => equality(column, id)))
}

/** Replaces a choice by its id, as expressions of forms do. */
function plain(value: unknown): unknown {
  return Array.isArray(value) &&
    value.length === 1 &&
    typeof value[0] === 'object' &&
    value[0] !== null &&
    'id' in value[0]
    ? value[0].id
    : value
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Never null, so that `not` is the exact opposite: an empty column equals nothing. */
function notNull(column: Column, condition: Condition): Condition {
  return sql`(${condition} and ${columnRef(column.name)} is not null)`
}

function equality(column: Column, value: unknown): Condition {
  const operand = plain(value)
  if (operand === null || operand === undefined) return sql`(${columnRef(column.name)} is null)`
  if (isArray(column)) return membership(column, [operand])
  const right = bound(operand, column)
  return right === undefined ? never : notNull(column, sql`${columnRef(column.name)} = ${right}`)
}

/** The value as an operand for this column; undefined when the column cannot hold it. */
function bound(value: unknown, column: Column): RawBuilder<unknown> | undefined {
  const family = familyOf(column)
  if (family === undefined || !isScalar(value)) return undefined
  const stored =
    family === 'boolean' ? value === true || value === '1' || value === 1 : String(value)
  if (columnViolation(stored, { ...column, length: null }) !== null) return undefined
  const operand = typed(stored, castOf(column))
  // Times of rules are the school's, as everywhere.
  return family === 'instant' ? toInstant(operand) : operand
}

function comparison(operator: BinaryOperator, left: Operand, right: Operand): Condition {
  if (left.kind === 'value' && right.kind === 'column')
    return comparison(flipped[operator] ?? operator, right, left)
  if (left.kind === 'value' && right.kind === 'value') return refuse(operator)
  const { column } = left as Extract<Operand, { kind: 'column' }>
  const isEqual = operator === '==' || operator === '==='
  if (right.kind === 'column') {
    if (familyOf(column) !== familyOf(right.column)) return refuse(operator)
    const same = sql`(${columnRef(column.name)} is not distinct from ${columnRef(right.column.name)})`
    return isEqual
      ? same
      : operator === '!=' || operator === '!=='
        ? sql`(not ${same})`
        : refuse(operator)
  }
  if (isEqual) return equality(column, right.value)
  if (operator === '!=' || operator === '!==') return sql`(not ${equality(column, right.value)})`
  const sign = orders[operator]
  const operand = bound(plain(right.value), column)
  if (sign === undefined || isArray(column)) return refuse(operator)
  return operand === undefined
    ? never
    : notNull(column, sql`${columnRef(column.name)} ${sql.raw(sign)} ${operand}`)
}
