// Compiles a row rule (`row.classId in user.classes`, `row.course.teacher == user.person`) to an SQL condition.
// Refuses what it cannot compile.
import {
  type BinaryOperator,
  type Expression,
  ExpressionError,
  isPerson,
  parseExpression,
} from '@jiaowu/validation'
import { type RawBuilder, sql } from 'kysely'
import {
  type Column,
  chooseCast,
  familyOf,
  isArray,
  columnViolation,
} from '../../model/fields/column.ts'
import { type Edges, periodEdges, toInstant } from '../../model/fields/school-time.ts'
import {
  allOf,
  always,
  anyOf,
  columnRef,
  type Condition,
  never,
  formatTyped,
} from '../../model/definition/names.ts'
import { type Aim, type AimedName, readAimedName } from './aimed-names.ts'

/** The column that `row.name` means: stored rules name columns, those of the role page attributes. */
export type ColumnOf = (name: string) => Column | undefined

/** The value of `user` in a rule: plain data from the session. */
export type RuleUser = Readonly<Record<string, unknown>>

/** A column with the expression that reads it. */
export interface Place {
  readonly column: Column
  readonly ref: RawBuilder<unknown>
}

/** Rows of another table that a rule reads: one row, or none, for each row of the rule's own table. */
interface RelatedRows {
  readonly from: RawBuilder<unknown>
  readonly on: Condition
  readonly placeOf: (name: string) => Place | undefined
}

/** The person of the caller's account. */
interface RulePerson {
  /** The person exists and is not in the recycle bin. */
  readonly isThere: Condition
  /** The value by which relations name the person: a bound value, or an expression that reads it. */
  readonly id: string | RawBuilder<unknown>
}

export interface RuleRelations {
  /** The rows to which `from` points, under this alias; undefined when the table is gone. */
  readonly rowsOf: (aim: Aim, from: Place, alias: string) => RelatedRows | undefined
  /** Null for an account without a person among these rows. */
  readonly personIn: (aim: Aim) => RulePerson | null
}
const noRelations: RuleRelations = { rowsOf: () => undefined, personIn: () => null }

type Operand =
  | (Place & { readonly kind: 'column'; readonly aim: Aim | null })
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'person' }

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

interface Compiling {
  readonly columnOf: ColumnOf
  readonly user: RuleUser
  readonly relations: RuleRelations
}

/**
 * A condition that is never null. A comparison across a relation that points to no row is unknown, and so
 * is one with `user.person` of an account without a person: neither it nor its negation selects the row.
 * @throws ExpressionError when it does not parse or has no SQL form; the caller must then show no row
 */
export function rowCondition(
  source: string,
  columnOf: ColumnOf,
  user: RuleUser,
  relations: RuleRelations = noRelations,
): Condition {
  return compileCondition(parseExpression(source), { columnOf, user, relations }, true)
}

/**
 * The rows on which the expression has this truth. Negations reach the comparisons, because `not` would
 * select the rows on which a comparison is unknown.
 * @throws ExpressionError unless it uses only comparisons, `in`, `and`, `or`, `not` on fields and `user`
 */
function compileCondition(node: Expression, how: Compiling, truth: boolean): Condition {
  if (node.type === 'literal' && typeof node.value === 'boolean')
    return node.value === truth ? always : never
  if (node.type === 'unary' && node.operator === 'not')
    return compileCondition(node.operand, how, !truth)
  if (node.type !== 'binary') return refuseToken(node.type)
  if (node.operator === 'and' || node.operator === 'or') {
    const sides = [
      compileCondition(node.left, how, truth),
      compileCondition(node.right, how, truth),
    ]
    return (node.operator === 'and') === truth ? allOf(sides) : anyOf(sides)
  }
  if (['+', '-', '*', '/'].includes(node.operator)) return refuseToken(node.operator)
  const read = new Map<string, RelatedRows>()
  const left = toOperand(node.left, how, read)
  const right = toOperand(node.right, how, read)
  const negates = node.operator === 'not in' || node.operator === '!=' || node.operator === '!=='
  const wanted = truth !== negates
  const operator = node.operator === 'not in' ? 'in' : negates ? '==' : node.operator
  const person = [left, right].some(({ kind }) => kind === 'person')
  const [core, isKnown] = person
    ? withPerson(operator, left, right, how)
    : [operator === 'in' ? inList(left, right) : comparison(operator, left, right), null]
  const compared = wanted ? core : sql`(not ${core})`
  const rows = [...read.values()]
  const found =
    rows.length === 0
      ? compared
      : sql`(exists (select 1 from ${sql.join(rows.map(({ from }) => from))}
          where ${allOf([...rows.map(({ on }) => on), compared])}))`
  return isKnown === null ? found : allOf([found, isKnown])
}

function refuseToken(token: string): never {
  throw new ExpressionError('type', 0, token)
}

/** @param read the related rows that the comparison reads, by the name of the relation */
function toOperand(node: Expression, how: Compiling, read: Map<string, RelatedRows>): Operand {
  if (isPerson(node)) return { kind: 'person' }
  const name = readLiteralProperty(node, 'row')
  if (name !== null) {
    const own = ownColumn(name, how.columnOf)
    return own === undefined ? refuseToken(name) : { kind: 'column', ...own }
  }
  const relation = node.type === 'member' ? readLiteralProperty(node.object, 'row') : null
  if (relation === null || node.type !== 'member')
    return { kind: 'value', value: readConstant(node, how.user) }
  if (node.property.type !== 'literal') return refuseToken(relation)
  const property = String(node.property.value)
  const from = ownColumn(relation, how.columnOf)
  if (from === undefined || from.aim === null || isArray(from.column))
    return refuseToken(`${relation}.${property}`)
  const rows = read.get(relation) ?? how.relations.rowsOf(from.aim, from, `r${read.size}`)
  const aimed = parseColumnName(property)
  const place = rows?.placeOf(aimed.column)
  if (rows === undefined || place === undefined) return refuseToken(`${relation}.${property}`)
  read.set(relation, rows)
  return { kind: 'column', ...place, aim: aimed.aim }
}

/** The literal property that the node reads from a root. */
function readLiteralProperty(node: Expression, root: string): string | null {
  return node.type === 'member' &&
    node.object.type === 'name' &&
    node.object.name === root &&
    node.property.type === 'literal'
    ? String(node.property.value)
    : null
}

function ownColumn(name: string, columnOf: ColumnOf): (Place & { aim: Aim | null }) | undefined {
  const plain = columnOf(name)
  const aimed = plain === undefined ? parseColumnName(name) : { aim: null }
  const column = plain ?? columnOf(parseColumnName(name).column)
  return column === undefined ? undefined : { column, ref: columnRef(column.name), aim: aimed.aim }
}

function parseColumnName(name: string): Omit<AimedName, 'aim'> & { readonly aim: Aim | null } {
  return readAimedName(name) ?? { column: name, aim: null }
}

/**
 * A comparison with `user.person`: whether it holds where it is known, and where it is known. Only with
 * columns that say to which rows they point: the ids of a student and of a teacher may be equal.
 */
function withPerson(
  operator: BinaryOperator,
  left: Operand,
  right: Operand,
  { relations }: Compiling,
): readonly [core: Condition, isKnown: Condition] {
  const other = left.kind === 'person' ? right : left
  if (other.kind !== 'column' || other.aim === null) return refuseToken('user.person')
  const isMember = operator === 'in' && left.kind === 'person' && isArray(other.column)
  if (!isMember && (isArray(other.column) || (operator !== '==' && operator !== '===')))
    return refuseToken('user.person')
  const person = relations.personIn(other.aim)
  if (person === null) return [never, never]
  const { id, isThere } = person
  if (typeof id === 'string')
    return [isMember ? membership(other, [id]) : equality(other, id), isThere]
  return isMember
    ? refuseToken('user.person')
    : [notNull(other, sql`${other.ref}::text is not distinct from ${id}`), isThere]
}

/** `user.org.id` → the value itself; own properties only. */
function readConstant(node: Expression, user: RuleUser): unknown {
  if (node.type === 'literal') return node.value
  if (isPerson(node)) return refuseToken('user.person')
  if (node.type === 'name' && node.name === 'user') return user
  if (node.type === 'list') return node.items.map((item) => readConstant(item, user))
  if (node.type === 'member' && node.property.type === 'literal') {
    const object = readConstant(node.object, user)
    const key = String(node.property.value)
    return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
      ? (object as Record<string, unknown>)[key]
      : null
  }
  return refuseToken(node.type)
}

function inList(left: Operand, right: Operand): Condition {
  if (left.kind === 'column' && right.kind === 'value')
    return Array.isArray(right.value)
      ? membership(left, right.value)
      : right.value === null
        ? never
        : refuseToken('in')
  if (left.kind === 'value' && right.kind === 'column' && isArray(right.column))
    return isScalar(left.value) ? membership(right, [left.value]) : never
  if (left.kind === 'value' && right.kind === 'value' && Array.isArray(right.value))
    return right.value.map(String).includes(String(left.value)) ? always : never
  return refuseToken('in')
}

function membership(place: Place, list: readonly unknown[]): Condition {
  const { column, ref } = place
  const family = familyOf(column)
  if (family === undefined || list.length > 500) return refuseToken('in')
  const ids = list.map(toPlainId)
  if (isArray(column)) {
    const values = ids
      .filter((id) => isScalar(id) && columnViolation([String(id)], column) === null)
      .map(String)
    return notNull(place, sql`${ref} && ${formatTyped(values, chooseCast(column))}`)
  }
  return anyOf(ids.map((id) => equality(place, id)))
}

/** Replaces a choice by its id, as expressions of forms do. */
function toPlainId(value: unknown): unknown {
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
function notNull({ ref }: Place, condition: Condition): Condition {
  return sql`(${condition} and ${ref} is not null)`
}

function equality(place: Place, value: unknown): Condition {
  const { column, ref } = place
  const operand = toPlainId(value)
  if (operand === null || operand === undefined) return sql`(${ref} is null)`
  if (isArray(column)) return membership(place, [operand])
  const day = dayEdges(operand, column)
  if (day !== null) return notNull(place, sql`${ref} >= ${day.from} and ${ref} < ${day.to}`)
  const right = bound(operand, column)
  return right === undefined ? never : notNull(place, sql`${ref} = ${right}`)
}

/** The value as an operand for this column; undefined when the column cannot hold it. */
function bound(value: unknown, column: Column): RawBuilder<unknown> | undefined {
  const family = familyOf(column)
  if (family === undefined || !isScalar(value)) return undefined
  const stored =
    family === 'boolean' ? value === true || value === '1' || value === 1 : String(value)
  if (columnViolation(stored, { ...column, length: null }) !== null) return undefined
  const operand = formatTyped(stored, chooseCast(column))
  // Times of rules are the school's, as everywhere.
  return family === 'instant' ? toInstant(operand) : operand
}

/** The whole day of the school, where a column of moments is compared with a day without a clock. */
function dayEdges(value: unknown, column: Column): Edges | null {
  const family = familyOf(column)
  if (family !== 'instant' && family !== 'timestamp') return null
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return null
  if (columnViolation(value, column) !== null) return null
  return periodEdges(formatTyped(value, chooseCast(column)), '1 day', family)
}

/** Compares two operands, none of them `user.person`, by `==`, `===` or an order. */
function comparison(operator: BinaryOperator, left: Operand, right: Operand): Condition {
  if (left.kind === 'value' && right.kind === 'column')
    return comparison(flipped[operator] ?? operator, right, left)
  if (left.kind !== 'column') return refuseToken(operator)
  const isEqual = operator === '==' || operator === '==='
  if (right.kind === 'column') {
    if (!isEqual || familyOf(left.column) !== familyOf(right.column)) return refuseToken(operator)
    return sql`(${left.ref} is not distinct from ${right.ref})`
  }
  if (right.kind !== 'value') return refuseToken(operator)
  return isEqual ? equality(left, right.value) : ordering(operator, left, toPlainId(right.value))
}

function ordering(operator: BinaryOperator, place: Place, value: unknown): Condition {
  const { column, ref } = place
  const sign = orders[operator]
  if (sign === undefined || isArray(column)) return refuseToken(operator)
  const day = dayEdges(value, column)
  // After a day begins with the next one; up to a day includes it.
  if (day !== null && sign === '>') return notNull(place, sql`${ref} >= ${day.to}`)
  if (day !== null && sign === '<=') return notNull(place, sql`${ref} < ${day.to}`)
  const operand = bound(value, column)
  return operand === undefined ? never : notNull(place, sql`${ref} ${sql.raw(sign)} ${operand}`)
}
