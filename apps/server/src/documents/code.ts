import { randomBytes } from 'node:crypto'
import { documentCodeAlphabet, documentCodeLength } from '@jiaowu/api'

/** A new verification code. 256 is a multiple of 32, so every character is equally likely. */
export function newCode(): string {
  return [...randomBytes(documentCodeLength)]
    .map((byte) => documentCodeAlphabet[byte & 31])
    .join('')
}
