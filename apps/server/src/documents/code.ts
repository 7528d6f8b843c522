import { randomBytes } from 'node:crypto'

/** Crockford's base 32: digits and capitals without I, L, O and U, so that nothing is misread from paper. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/** A new verification code: 16 characters of 5 bits, 80 bits of chance (security §5). */
export const newCode = (): string => [...randomBytes(length)].map((byte) => alphabet[byte & 31]).join('')

/** As printed: `7K3M-9XQ2-...`, four by four. */
export const printedCode = (code: string): string => code.replace(/(.{4})(?!$)/g, '$1-')

/** What a person typed, as the code it stands for; null when it cannot be one. */
export const readCode = (typed: string): string | null => {
  if (typed.length > 64) return null
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return code.length === length && [...code].every((character) => alphabet.includes(character)) ? code : null
}
