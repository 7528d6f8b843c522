import type { AuditKeys } from './keys.ts'
import { sign, verify, X509Certificate } from 'node:crypto'

/** The entry of a chain in place of the lines that an archive file holds: its last line, signed. */
export interface Anchor {
  readonly tenant_id: string
  /** The number of the last archived line. */
  readonly number: string
  readonly hash: string
  readonly lines: string
  /** All archived lines are older. */
  readonly before: string
  readonly at: string
  readonly file_sha256: string
  readonly signature: string
  /** PEM, of the key that signed. */
  readonly certificate: string
  readonly key_id: string | null
  /**
   * Proves that the server made it, as a signature may be that of anybody. Null in those from before there was
   * a key.
   */
  readonly mac: string | null
}
export type UnsignedAnchor = Omit<Anchor, 'signature' | 'certificate' | 'key_id' | 'mac'>

/** RSA with SHA-256, as the key of the documents is RSA. */
export function signText(text: string, key: string): string {
  return sign('sha256', Buffer.from(text), key).toString('base64')
}

export function isSignedText(text: string, signature: string, certificate: string): boolean {
  try {
    return verify(
      'sha256',
      Buffer.from(text),
      new X509Certificate(certificate).publicKey,
      Buffer.from(signature, 'base64'),
    )
  } catch {
    return false // no certificate, or no signature of its kind of key
  }
}

export function textOfAnchor(anchor: UnsignedAnchor): string {
  return JSON.stringify([
    'jiaowu audit anchor',
    anchor.tenant_id,
    anchor.number,
    anchor.hash,
    anchor.lines,
    new Date(anchor.before).toISOString(),
    new Date(anchor.at).toISOString(),
    anchor.file_sha256,
  ])
}

/** @param anchored the last line of the newest archive from before there was a key */
export function isSignedAnchor(anchor: Anchor, keys: AuditKeys, anchored: string): boolean {
  const text = textOfAnchor(anchor)
  const isMade =
    anchor.mac === null
      ? BigInt(anchor.number) <= BigInt(anchored)
      : keys.isMac(text, anchor.mac, anchor.key_id)
  return isMade && isSignedText(text, anchor.signature, anchor.certificate)
}
