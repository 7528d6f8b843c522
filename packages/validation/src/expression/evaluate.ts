import { type BinaryOperator, type Expression, ExpressionError } from './ast.ts'
import { callFunction } from './functions.ts'
import { isPerson, roots } from './names.ts'
import { isObjectValue, toNumberOperand, toPlainOperand } from './operands.ts'

/** The values an expression can read, under three roots (docs/rules/contract.md#definitions). */
export interface ExpressionScope {
  readonly row: Readonly<Record<string, unknown>>
  readonly user: Readonly<Record<string, unknown>>
  readonly mode: string
}

const operations: Readonly<
  Record<Exclude<BinaryOperator, 'and' | 'or'>, (left: unknown, right: unknown) => unknown>
> = {
  '==': loosely,
  '!=': (a, b) => !loosely(a, b),
  '===': strictly,
  '!==': (a, b) => !strictly(a, b),
  '<': (a, b) => compareOperands(a, b) < 0,
  '<=': (a, b) => compareOperands(a, b) <= 0,
  '>': (a, b) => compareOperands(a, b) > 0,
  '>=': (a, b) => compareOperands(a, b) >= 0,
  in: isWithin,
  'not in': (a, b) => !isWithin(a, b),
  '+': (a, b) =>
    typeof toPlainOperand(a) === 'string' || typeof toPlainOperand(b) === 'string'
      ? `${String(toPlainOperand(a) ?? '')}${String(toPlainOperand(b) ?? '')}`
      : toNumberOperand(a) + toNumberOperand(b),
  '-': (a, b) => toNumberOperand(a) - toNumberOperand(b),
  '*': (a, b) => toNumberOperand(a) * toNumberOperand(b),
  '/': (a, b) => toNumberOperand(a) / toNumberOperand(b),
}

/**
 * @throws ExpressionError for an unknown name, a property of nothing, or operands of wrong types
 */
export function evaluate(node: Expression, scope: ExpressionScope): unknown {
  switch (node.type) {
    case 'literal':
      return node.value
    case 'list':
      return node.items.map((item) => evaluate(item, scope))
    case 'name':
      if (!roots.has(node.name)) throw new ExpressionError('unknownName', 0, node.name)
      return scope[node.name as keyof ExpressionScope]
    case 'member':
      if (isPerson(node)) return personIn(scope)
      return readOwnProperty(evaluate(node.object, scope), evaluate(node.property, scope))
    case 'conditional':
      return evaluate(truthy(evaluate(node.test, scope)) ? node.yes : node.no, scope)
    case 'unary': {
      const operand = evaluate(node.operand, scope)
      if (node.operator === 'not') return !truthy(operand)
      return node.operator === '-' ? -toNumberOperand(operand) : toNumberOperand(operand)
    }
    case 'binary': {
      const left = evaluate(node.left, scope)
      if (node.operator === 'and') return truthy(left) ? evaluate(node.right, scope) : left
      if (node.operator === 'or') return truthy(left) ? left : evaluate(node.right, scope)
      return operations[node.operator](left, evaluate(node.right, scope))
    }
    case 'call':
      return callFunction(
        node.name,
        node.arguments.map((each) => evaluate(each, scope)),
      )
    default:
      return node satisfies never
  }
}

/** The id of `user.person`, which belongs to the account of the caller; null without one. */
function personIn({ user }: ExpressionScope): unknown {
  const person = Object.hasOwn(user, 'person') ? user['person'] : null
  return isObjectValue(person) && 'id' in person ? person['id'] : (person ?? null)
}

/** Reads own properties only, so that expressions cannot reach a prototype. */
function readOwnProperty(object: unknown, key: unknown): unknown {
  if (typeof key !== 'string' && typeof key !== 'number')
    throw new ExpressionError('type', 0, typeof key)
  if (typeof object === 'string') return key === 'length' ? object.length : undefined
  if (!isObjectValue(object)) throw new ExpressionError('noProperty', 0, String(key))
  const values = valuesOfChoice(object)
  if (values !== null && Object.hasOwn(values, key)) return values[key]
  return Object.hasOwn(object, key) ? (object as Record<string | number, unknown>)[key] : undefined
}

/** The values of the one chosen row that formulas read. */
function valuesOfChoice(object: unknown): Readonly<Record<string, unknown>> | null {
  const [only, more] = Array.isArray(object) ? (object as readonly unknown[]) : []
  return more === undefined && isObjectValue(only) && isObjectValue(only.values)
    ? only.values
    : null
}

function truthy(value: unknown): boolean {
  const p = toPlainOperand(value)
  return p !== null && p !== false && p !== 0 && p !== ''
}

export { truthy }

function loosely(left: unknown, right: unknown): boolean {
  const [a, b] = [toPlainOperand(left), toPlainOperand(right)]
  if (a === b || isWithinDay(a, b)) return true
  return (
    (typeof a === 'number' && typeof b === 'string' && b.trim() !== '' && a === Number(b)) ||
    (typeof a === 'string' && typeof b === 'number' && a.trim() !== '' && Number(a) === b)
  )
}

function strictly(left: unknown, right: unknown): boolean {
  const [a, b] = [toPlainOperand(left), toPlainOperand(right)]
  return a === b || isWithinDay(a, b)
}

/** A day without a clock means the whole day where it is compared with a moment, as in filters. */
function isWithinDay(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false
  return (dayText.test(a) && isMomentOnDay(a, b)) || (dayText.test(b) && isMomentOnDay(b, a))
}

const dayText = /^\d{4}-\d\d-\d\d$/
const clockText = /^[ T]\d\d:\d\d(:\d\d(\.\d+)?)?$/

function isMomentOnDay(day: string, text: string): boolean {
  return text.startsWith(day) && clockText.test(text.slice(day.length))
}

function compareOperands(left: unknown, right: unknown): number {
  const [a, b] = [toPlainOperand(left), toPlainOperand(right)]
  if (a === null || b === null) return Number.NaN
  if (isWithinDay(a, b)) return 0
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return Number(a) - Number(b)
}

function isWithin(item: unknown, list: unknown): boolean {
  if (typeof list === 'string') return list.includes(String(toPlainOperand(item) ?? ''))
  if (!Array.isArray(list)) throw new ExpressionError('type', 0, 'in')
  return list.some((entry) =>
    loosely(item, isObjectValue(entry) && 'id' in entry ? entry.id : entry),
  )
}
