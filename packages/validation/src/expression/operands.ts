import { ExpressionError } from './ast.ts'

/** A choice counts as its id, and an empty one as null: `row.status == '1'` matches `[{ id: '1', name: '在读' }]`. */
export function toPlainOperand(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1 && isObjectValue(value[0]) && 'id' in value[0])
    return value[0]['id']
  if (Array.isArray(value) && value.length === 0) return null
  return value ?? null
}

/** @throws ExpressionError for what is no number and no text of one */
export function toNumberOperand(value: unknown): number {
  const n = toPlainOperand(value)
  const read =
    typeof n === 'number' ? n : typeof n === 'string' && n.trim() !== '' ? Number(n) : Number.NaN
  if (Number.isNaN(read)) throw new ExpressionError('type', 0, String(n))
  return read
}

export function isObjectValue(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
