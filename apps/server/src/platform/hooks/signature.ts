import { createHmac } from 'node:crypto'

/** HMAC-SHA256 of the time in seconds, a dot and the body, in hexadecimal (docs/rules/contract.md#hooks). */
export function hmac(secret: string, at: number, body: string): string {
  return createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
}
