/** Crockford's base 32: digits and capitals without I, L, O and U, so that nothing is misread from paper. */
export const documentCodeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Characters of a verification code: 16 of 5 bits are 80 bits (docs/rules/security.md#files). */
export const documentCodeLength = 16

/** A verification code as printed, four by four: `7K3M-9XQ2-VB80-HDTE`. */
export const printedDocumentCode = (code: string): string => code.replace(/(.{4})(?!$)/g, '$1-')

const longest = 64

/** What a person typed or scanned, as the code it stands for; null when it cannot be one. */
export function readDocumentCode(typed: string): string | null {
  if (typed.length > longest) return null
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return code.length === documentCodeLength &&
    [...code].every((character) => documentCodeAlphabet.includes(character))
    ? code
    : null
}
