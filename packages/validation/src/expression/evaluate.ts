import { type BinaryOperator, type Expression, ExpressionError, type FunctionName } from './ast.ts'
import { roundTo } from './round.ts'

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
  '===': (a, b) => plain(a) === plain(b),
  '!==': (a, b) => plain(a) !== plain(b),
  '<': (a, b) => order(a, b) < 0,
  '<=': (a, b) => order(a, b) <= 0,
  '>': (a, b) => order(a, b) > 0,
  '>=': (a, b) => order(a, b) >= 0,
  in: within,
  'not in': (a, b) => !within(a, b),
  '+': (a, b) =>
    typeof plain(a) === 'string' || typeof plain(b) === 'string'
      ? `${String(plain(a) ?? '')}${String(plain(b) ?? '')}`
      : number(a) + number(b),
  '-': (a, b) => number(a) - number(b),
  '*': (a, b) => number(a) * number(b),
  '/': (a, b) => number(a) / number(b),
}

export const roots: ReadonlySet<string> = new Set(['row', 'user', 'mode'])

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
      return read(evaluate(node.object, scope), evaluate(node.property, scope))
    case 'conditional':
      return evaluate(truthy(evaluate(node.test, scope)) ? node.yes : node.no, scope)
    case 'unary': {
      const operand = evaluate(node.operand, scope)
      if (node.operator === 'not') return !truthy(operand)
      return node.operator === '-' ? -number(operand) : number(operand)
    }
    case 'binary': {
      const left = evaluate(node.left, scope)
      if (node.operator === 'and') return truthy(left) ? evaluate(node.right, scope) : left
      if (node.operator === 'or') return truthy(left) ? left : evaluate(node.right, scope)
      return operations[node.operator](left, evaluate(node.right, scope))
    }
    case 'call':
      return called(node.name, node.arguments, scope)
    default:
      return node satisfies never
  }
}

const numeric: Readonly<
  Record<Exclude<FunctionName, 'if'>, (values: readonly number[]) => number>
> = {
  round: ([value = 0, digits = 0]) => roundTo(value, digits),
  floor: ([value = 0]) => Math.floor(value),
  ceil: ([value = 0]) => Math.ceil(value),
  abs: ([value = 0]) => Math.abs(value),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
}

function called(name: FunctionName, given: readonly Expression[], scope: ExpressionScope): unknown {
  if (name !== 'if') return numeric[name](given.map((each) => number(evaluate(each, scope))))
  const [test, yes, no] = given
  const chosen = test !== undefined && truthy(evaluate(test, scope)) ? yes : no
  return chosen === undefined ? null : evaluate(chosen, scope)
}

/** Reads own properties only, so that expressions cannot reach a prototype. */
function read(object: unknown, key: unknown): unknown {
  if (typeof key !== 'string' && typeof key !== 'number')
    throw new ExpressionError('type', 0, typeof key)
  if (typeof object === 'string') return key === 'length' ? object.length : undefined
  if (!isRecord(object)) throw new ExpressionError('noProperty', 0, String(key))
  const values = valuesOfChoice(object)
  if (values !== null && Object.hasOwn(values, key)) return values[key]
  return Object.hasOwn(object, key) ? (object as Record<string | number, unknown>)[key] : undefined
}

/** The values of the one chosen row that formulas read. */
function valuesOfChoice(object: unknown): Readonly<Record<string, unknown>> | null {
  const [only, more] = Array.isArray(object) ? (object as readonly unknown[]) : []
  return more === undefined && isRecord(only) && isRecord(only.values) ? only.values : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function truthy(value: unknown): boolean {
  const p = plain(value)
  return p !== null && p !== false && p !== 0 && p !== ''
}

/** A choice is compared by its id: `row.status == '1'` matches `[{ id: '1', name: '在读' }]`. */
function plain(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1 && isRecord(value[0]) && 'id' in value[0])
    return value[0].id
  if (Array.isArray(value) && value.length === 0) return null
  return value ?? null
}

function number(value: unknown): number {
  const n = plain(value)
  const read =
    typeof n === 'number' ? n : typeof n === 'string' && n.trim() !== '' ? Number(n) : Number.NaN
  if (Number.isNaN(read)) throw new ExpressionError('type', 0, String(n))
  return read
}

export { truthy }

function loosely(left: unknown, right: unknown): boolean {
  const [a, b] = [plain(left), plain(right)]
  if (a === b) return true
  return (
    (typeof a === 'number' && typeof b === 'string' && b.trim() !== '' && a === Number(b)) ||
    (typeof a === 'string' && typeof b === 'number' && a.trim() !== '' && Number(a) === b)
  )
}

function order(left: unknown, right: unknown): number {
  const [a, b] = [plain(left), plain(right)]
  if (a === null || b === null) return Number.NaN
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return Number(a) - Number(b)
}

function within(item: unknown, list: unknown): boolean {
  if (typeof list === 'string') return list.includes(String(plain(item) ?? ''))
  if (!Array.isArray(list)) throw new ExpressionError('type', 0, 'in')
  return list.some((entry) => loosely(item, isRecord(entry) && 'id' in entry ? entry.id : entry))
}
