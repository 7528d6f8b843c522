import type { Field } from '@jiaowu/api/entity/config'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'
import type { WireValue } from '@jiaowu/api/entity/values'

/**
 * A number as lists and details show it: the column's decimals, thousands, amounts in yuan. Texts
 * that are no number, and numbers beyond 15 digits, stay as they are.
 */
export function shownNumber(
  value: unknown,
  { precision, money }: Field['options'],
  locale: Locale,
): string {
  const number = typeof value === 'number' ? value : Number.NaN
  if (!Number.isFinite(number)) return value === null || value === undefined ? '' : String(value)
  const digits = money === 'fen' ? 2 : precision
  return (money === 'fen' ? number / 100 : number).toLocaleString(locale, {
    useGrouping: money === 'fen' || precision !== undefined,
    ...(digits === undefined
      ? { maximumFractionDigits: 10 }
      : { minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, 0) }),
  })
}

/**
 * Whether a list marks the number as low: its switch is off in the row, or it is below a fixed number.
 * The server counts the same rows (docs/rules/contract.md#low-numbers).
 */
export function isLow(
  value: WireValue | undefined,
  { warnBelow, warnUnless }: Field['options'],
  row: Readonly<Record<string, WireValue | undefined>>,
): boolean {
  if (value === undefined || isEmpty(value)) return false
  if (warnUnless !== undefined) return row[warnUnless] === '0'
  return warnBelow !== undefined && typeof value === 'number' && value < warnBelow
}

/** Whether a field says which of its numbers are low. */
export function hasLow({ warnBelow, warnUnless }: Field['options']): boolean {
  return warnBelow !== undefined || warnUnless !== undefined
}
