/**
 * Crockford's base 32: digits and capitals without I, L, O and U, which are easily misread on
 * paper.
 */
export const documentCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/**
 * Characters of a verification code: 16 of 5 bits each, 10 bits of which mark the school
 * (docs/rules/security.md#files).
 */
export const documentCodeLength = 16

/** A verification code as printed, in groups of four: `7K3M-9XQ2-VB80-HDTE`. */
export const printedDocumentCode = (code: string): string => code.replace(/(.{4})(?!$)/g, '$1-')

const longest = 64

/** Normalises a typed or scanned verification code; null when it cannot be one. */
export function readDocumentCode(typed: string): string | null {
  if (typed.length > longest) return null
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return code.length === documentCodeLength &&
    [...code].every((character) => documentCodeAlphabet.includes(character))
    ? code
    : null
}
