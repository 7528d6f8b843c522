// Amounts: integer fen on the wire and in client state, yuan with two decimals wherever people read or type them.
import type { Field } from '../entity/config.ts'
import type { WireValue } from '../entity/values.ts'
import { isEmpty, findKind } from './kinds.ts'

/** Whether the field holds an amount in fen (`options.money` of its definition). */
export function isMoney({ uiType, options }: Pick<Field, 'uiType' | 'options'>): boolean {
  return options.money === 'fen' && findKind(uiType).family === 'number'
}

/** Whether a value of the wire is empty or a whole number of fen. */
export function isFen(value: unknown): boolean {
  return isEmpty(value) || /^[+-]?\d+$/.test(String(value))
}

/** An amount in fen as plain yuan: 123450 is `1234.50`. Text that is no number of fen stays as it is. */
export function yuanText(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  const [, sign = '', digits = ''] = /^([+-]?)(\d+)$/.exec(text) ?? []
  if (digits === '') return text
  const padded = digits.replace(/^0+/, '').padStart(3, '0')
  return `${sign === '-' ? '-' : ''}${padded.slice(0, -2)}.${padded.slice(-2)}`
}

/** A value as one line of plain text, as people read and type it. */
export function valueText(
  field: Pick<Field, 'uiType' | 'options'>,
  value: WireValue | undefined,
): string {
  return isMoney(field) ? yuanText(value) : findKind(field.uiType).toText(value)
}
