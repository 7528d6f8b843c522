import { randomInt } from 'node:crypto'

// 56 letters and digits without look-alikes; 14 of them give 81 bits.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/**
 * A random password that the user must change at the first sign-in.
 * @param least characters that the school asks for
 */
export function oneTimePassword(least = 0): string {
  return Array.from(
    { length: Math.max(14, least) },
    () => alphabet[randomInt(alphabet.length)] ?? '',
  ).join('')
}
