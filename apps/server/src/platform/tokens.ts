import { parseJson } from '@jiaowu/api/exact-json'
import { isId } from './id.ts'
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'

/** The tokens of a client. The database stores only their hashes (docs/rules/security.md#s1). */
export interface TokenPair {
  readonly access: string
  readonly refresh: string
}

export const newToken = (): string => randomBytes(32).toString('base64url') // 256 bits

export function hashOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

/**
 * A token that names its school, because it is all that a request brings: `7ps.` before the random
 * part, which alone keeps it secret.
 */
export function newTokenOf(tenant: string): string {
  return `${BigInt(tenant).toString(36)}.${newToken()}`
}

/** The school of a token; null for those issued before tokens named it, undefined for another text. */
export function schoolOfToken(token: string): string | null | undefined {
  const [, school, random] = /^(?:([\da-z]{1,13})\.)?([\w-]{43})$/.exec(token) ?? []
  if (random === undefined) return undefined
  if (school === undefined) return null
  const id = fromBase36(school)
  return isId(id) ? id : undefined
}

function fromBase36(digits: string): string {
  let value = 0n
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  return value.toString()
}

/**
 * Encrypts the successor's tokens with the refresh token they replace, so that a lost reply can be
 * repeated without storing readable tokens.
 */
export function seal(pair: TokenPair, refresh: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFrom(refresh), nonce)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(pair), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

function keyFrom(refresh: string) {
  return Buffer.from(hkdfSync('sha256', refresh, '', 'jiaowu successor', 32))
}

export function unseal(text: string, refresh: string): TokenPair {
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(refresh), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return parseJson(
    Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8'),
  ) as TokenPair
}
