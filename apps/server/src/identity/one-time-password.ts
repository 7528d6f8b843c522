import { randomInt } from 'node:crypto'

// Letters and digits that nobody confuses when they are read out: 56 of them, 14 long, 81 bits.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** To be changed at the first sign-in. */
export function oneTimePassword(): string {
  return Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)] ?? '').join('')
}
