// The functions that formulas of derived fields may call (docs/rules/contract.md#derived-fields). All
// of them are pure.
import { ExpressionError, type FunctionName } from './ast.ts'
import { numberOf, plainOf } from './operands.ts'
import { roundTo } from './round.ts'

const day = 86_400_000

const implementations: Readonly<Record<FunctionName, (values: readonly unknown[]) => unknown>> = {
  round: ([value, places = 0]) => roundTo(numberOf(value), numberOf(places)),
  min: (values) => Math.min(...values.map(numberOf)),
  max: (values) => Math.max(...values.map(numberOf)),
  abs: ([value]) => Math.abs(numberOf(value)),
  len: ([value]) => [...textOf(value)].length,
  concat: (values) => values.map(textOf).join(''),
  coalesce: (values) => values.map(plainOf).find((value) => value !== null && value !== '') ?? null,
  daysBetween: ([from, to]) => (dayOf(to) - dayOf(from)) / day,
}

/** @throws ExpressionError for an operand of a wrong type, an empty number or an empty date */
export function callFunction(name: FunctionName, values: readonly unknown[]): unknown {
  return implementations[name](values)
}

/** An empty value is the empty text. */
function textOf(value: unknown): string {
  const plain = plainOf(value)
  if (plain === null) return ''
  if (typeof plain === 'string' || typeof plain === 'number') return String(plain)
  throw new ExpressionError('type', 0, typeof plain)
}

/** Midnight of a date or of the day of a datetime, in milliseconds; days have no time zone. */
function dayOf(value: unknown): number {
  const text = plainOf(value)
  const found = typeof text === 'string' ? /^\d{4}-\d\d-\d\d/.exec(text) : null
  const at = found === null ? Number.NaN : Date.parse(`${found[0]}T00:00:00Z`)
  if (Number.isNaN(at)) throw new ExpressionError('type', 0, String(text))
  return at
}
