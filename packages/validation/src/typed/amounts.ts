// Amounts are typed in yuan and stored in fen.
import { plainBlanks } from '@jiaowu/api/fields/date-words'
import type { TextKey } from '@jiaowu/api/texts/index'
import { tidyNumber } from './numbers.ts'
import { dropsMark } from './texts.ts'

/** Digits of an amount in fen that a double holds exactly. */
const maxDigits = 15

/** Typed yuan in fen, or why the text is no amount. */
export function readAmount(
  input: string,
):
  | { readonly fen: number; readonly rule: null; readonly key: null }
  | { readonly fen: null; readonly rule: string; readonly key: TextKey } {
  const yuan = tidyNumber(plainBlanks(dropsMark(input)))
  if (yuan === undefined) return { fen: null, rule: 'value', key: 'rule.amount' }
  const [, sign = '', whole = '', typed = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(yuan) ?? []
  const decimals = typed.replace(/0+$/, '')
  if (decimals.length > 2) return { fen: null, rule: 'precision', key: 'rule.amountDecimals' }
  const digits = `${whole}${decimals.padEnd(2, '0')}`.replace(/^0+(?=\d)/, '')
  if (digits.length > maxDigits) return { fen: null, rule: 'precision', key: 'rule.amountRange' }
  const fen = Number(digits)
  return { fen: sign === '-' && fen !== 0 ? -fen : fen, rule: null, key: null }
}
