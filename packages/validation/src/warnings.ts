// Findings about values that can be right all the same: they are told, and stop nothing.
import type { Field } from '@jiaowu/api/entity/config'
import type { Message } from '@jiaowu/api/texts/index'

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const
const checkDigits = '10X98765432'

/** A warning about the value of a field; null: none. */
export function findWarning({ pii }: Pick<Field, 'pii'>, value: unknown): Message | null {
  if (pii !== 'idCard' || typeof value !== 'string') return null
  const id = value.trim().toUpperCase()
  return /^\d{17}[\dX]$/.test(id) && computeCheckDigit(id) !== id[17]
    ? { key: 'form.idCheckDigit' }
    : null
}

/** The last digit of a Chinese ID number from the 17 before it (GB 11643-1999, ISO 7064 MOD 11-2). */
function computeCheckDigit(id: string): string | undefined {
  const sum = weights.reduce((before, weight, at) => before + weight * Number(id[at]), 0)
  return checkDigits[sum % 11]
}
