import { createHash, randomBytes } from 'node:crypto'
import { documentCodeAlphabet, documentCodeLength } from '@jiaowu/api/document-code'

/** Characters that mark the school: 10 bits, which leaves 70 random ones. */
const markLength = 2

/**
 * A new verification code. It begins with a mark of the school, so that the search starts there; the
 * mark is no secret. 256 is a multiple of 32, so every character is equally likely.
 */
export function newCode(tenant: string): string {
  return computeSchoolMark(tenant) + encodeLetters(randomBytes(documentCodeLength - markLength))
}

/**
 * Tries the schools first whose prefix the code carries. Codes without a prefix may be of any
 * school.
 */
export function likelyFirst(code: string, schools: readonly string[]): string[] {
  const isLikely = (school: string) => code.startsWith(computeSchoolMark(school))
  return [...schools.filter(isLikely), ...schools.filter((school) => !isLikely(school))]
}

function computeSchoolMark(tenant: string): string {
  return encodeLetters(createHash('sha256').update(tenant).digest().subarray(0, markLength))
}

function encodeLetters(bytes: Uint8Array): string {
  return [...bytes].map((byte) => documentCodeAlphabet[byte & 31]).join('')
}
