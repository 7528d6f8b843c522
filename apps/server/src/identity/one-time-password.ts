import { randomInt } from 'node:crypto'

// 56 letters and digits without look-alikes; 14 of them give 81 bits.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** A random password that the user must change at the first sign-in. */
export function oneTimePassword(): string {
  return Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)] ?? '').join('')
}
