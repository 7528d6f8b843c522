// The functions that formulas of derived fields may call (docs/rules/contract.md#derived-fields). All
// of them are pure.
import { ExpressionError, type FunctionName } from './ast.ts'
import { toNumberOperand, toPlainOperand } from './operands.ts'
import { roundTo } from './round.ts'

const day = 86_400_000

const implementations: Readonly<Record<FunctionName, (values: readonly unknown[]) => unknown>> = {
  round: ([value, places = 0]) => roundTo(toNumberOperand(value), toNumberOperand(places)),
  min: (values) => Math.min(...values.map(toNumberOperand)),
  max: (values) => Math.max(...values.map(toNumberOperand)),
  abs: ([value]) => Math.abs(toNumberOperand(value)),
  len: ([value]) => [...toExpressionText(value)].length,
  concat: (values) => values.map(toExpressionText).join(''),
  coalesce: (values) =>
    values.map(toPlainOperand).find((value) => value !== null && value !== '') ?? null,
  daysBetween: ([from, to]) => (parseDay(to) - parseDay(from)) / day,
}

/** @throws ExpressionError for an operand of a wrong type, an empty number or an empty date */
export function callFunction(name: FunctionName, values: readonly unknown[]): unknown {
  return implementations[name](values)
}

/** An empty value is the empty text. */
function toExpressionText(value: unknown): string {
  const plain = toPlainOperand(value)
  if (plain === null) return ''
  if (typeof plain === 'string' || typeof plain === 'number') return String(plain)
  throw new ExpressionError('type', 0, typeof plain)
}

/** Midnight of a date or of the day of a datetime, in milliseconds; days have no time zone. */
function parseDay(value: unknown): number {
  const text = toPlainOperand(value)
  const found = typeof text === 'string' ? /^\d{4}-\d\d-\d\d/.exec(text) : null
  const at = found === null ? Number.NaN : Date.parse(`${found[0]}T00:00:00Z`)
  if (Number.isNaN(at)) throw new ExpressionError('type', 0, String(text))
  return at
}
