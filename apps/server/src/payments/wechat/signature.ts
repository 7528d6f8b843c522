import { createDecipheriv, type KeyObject, randomBytes, sign, verify } from 'node:crypto'

export interface Signer {
  readonly mchid: string
  readonly serial: string
  readonly key: KeyObject
}

/** The Authorization header of a request; `path` with its query. */
export function authorization(
  { mchid, serial, key }: Signer,
  method: string,
  path: string,
  body: string,
  timestamp: number,
): string {
  const nonce = randomBytes(16).toString('hex')
  const signature = sign(
    'sha256',
    joinSignedLines(method, path, String(timestamp), nonce, body),
    key,
  ).toString('base64')
  return `WECHATPAY2-SHA256-RSA2048 mchid="${mchid}",nonce_str="${nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${serial}"`
}

/** The text that WeChat Pay API v3 signs: lines, each with its line feed (接口规则, 签名). */
function joinSignedLines(...parts: readonly string[]): Buffer {
  return Buffer.from(parts.map((part) => `${part}\n`).join(''))
}

/** The four signature headers of an answer or a notification. */
export interface Seal {
  readonly timestamp: string
  readonly nonce: string
  readonly signature: string
  readonly serial: string
}

export function readSeal(headers: Headers): Seal | null {
  const [timestamp, nonce, signature, serial] = ['timestamp', 'nonce', 'signature', 'serial'].map(
    (name) => headers.get(`wechatpay-${name}`),
  )
  return timestamp && nonce && signature && serial ? { timestamp, nonce, signature, serial } : null
}

export function isGenuine(
  key: KeyObject,
  { timestamp, nonce, signature }: Seal,
  body: string,
): boolean {
  return verify(
    'sha256',
    joinSignedLines(timestamp, nonce, body),
    key,
    Buffer.from(signature, 'base64'),
  )
}

const clockSkew = 300 // seconds; an older message may be a replay

export function isFresh({ timestamp }: Seal, now: Date): boolean {
  return (
    /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) <= clockSkew
  )
}

/** The only way in which WeChat encrypts certificates and notifications. */
export const sealAlgorithm = 'AEAD_AES_256_GCM'

export interface Sealed {
  readonly ciphertext: string
  readonly nonce: string
  readonly associated_data?: string | undefined
}

/**
 * Decrypts AEAD_AES_256_GCM with the API v3 key.
 * @throws when the text was altered or the key is wrong
 */
export function openSealed(
  apiV3Key: string,
  { ciphertext, nonce, associated_data = '' }: Sealed,
): string {
  const bytes = Buffer.from(ciphertext, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(nonce))
  decipher.setAAD(Buffer.from(associated_data))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}
