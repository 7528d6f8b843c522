import type { Field } from '@jiaowu/api/entity/config'
import type { Locale } from '@jiaowu/api/locale'

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

/** Whether a list marks the number as low. */
export function isLow(value: unknown, { warnBelow }: Field['options']): boolean {
  return warnBelow !== undefined && typeof value === 'number' && value < warnBelow
}
