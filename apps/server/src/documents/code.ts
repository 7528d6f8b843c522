import { createHash, randomBytes } from 'node:crypto'
import { documentCodeAlphabet, documentCodeLength } from '@jiaowu/api/document-code'

/** Characters that mark the school: 10 bits, which leaves 70 random ones. */
const markLength = 2

/**
 * A new verification code. It begins with a mark of the school, so that the search starts there; the
 * mark is no secret. 256 is a multiple of 32, so every character is equally likely.
 */
export function newCode(tenant: string): string {
  return markOf(tenant) + lettersOf(randomBytes(documentCodeLength - markLength))
}

/** Those schools first whose mark the code bears. Codes from before there were marks may be of any. */
export function likelyFirst(code: string, schools: readonly string[]): string[] {
  const isLikely = (school: string) => code.startsWith(markOf(school))
  return [...schools.filter(isLikely), ...schools.filter((school) => !isLikely(school))]
}

function markOf(tenant: string): string {
  return lettersOf(createHash('sha256').update(tenant).digest().subarray(0, markLength))
}

function lettersOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => documentCodeAlphabet[byte & 31]).join('')
}
