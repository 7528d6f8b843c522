// The keys of the audit chains (docs/rules/security.md#l1). They stay outside of the database: who writes its
// tables makes no line that verifies.
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'

interface Key {
  /** Names the key in lines; tells nothing about it. */
  readonly id: string
  readonly lines: KeyObject
  readonly records: KeyObject
}

/** The first key writes, all of them verify. */
export interface AuditKeys {
  /** The id of the key that writes. */
  readonly current: string
  readonly ids: readonly string[]
  /**
   * The key of one line, by its content: with it the database links the line to the one before, whose hash it
   * knows first. It serves no other content. Undefined for an id that is not here.
   */
  readonly lineKey: (content: string, id?: string) => Buffer | undefined
  /** Signs marks and anchors. */
  readonly mac: (text: string) => string
  readonly isMac: (text: string, mac: string, id: string | null) => boolean
}

/** The keys do not fit the database. The message is a sentence for the operator. */
export class AuditKeyError extends Error {
  override readonly name = 'AuditKeyError'
}

/** @param secrets 32 bytes each; the first one writes */
export function createAuditKeys(secrets: readonly Buffer[]): AuditKeys {
  const keys = secrets.map(derive)
  const [writing] = keys
  if (writing === undefined) throw new AuditKeyError('There is no key for the audit log.')
  const byId = new Map(keys.map((key) => [key.id, key]))
  const macOf = ({ records }: Key, text: string) =>
    createHmac('sha256', records).update(text).digest('base64url')
  return {
    current: writing.id,
    ids: keys.map(({ id }) => id),
    lineKey: (content, id = writing.id) => {
      const key = byId.get(id)
      return key && createHmac('sha256', key.lines).update(content).digest()
    },
    mac: (text) => macOf(writing, text),
    isMac: (text, mac, id) => {
      const key = id === null ? undefined : byId.get(id)
      return key !== undefined && isSameText(macOf(key, text), mac)
    },
  }
}

/** Keys that are opened later: the check against the database needs its tables. */
export interface LateAuditKeys extends AuditKeys {
  readonly use: (keys: AuditKeys) => void
}

export function lateAuditKeys(): LateAuditKeys {
  let opened: AuditKeys | undefined
  const now = (): AuditKeys => {
    if (opened === undefined) throw new AuditKeyError('The key of the audit log is not open yet.')
    return opened
  }
  return {
    use: (keys) => {
      opened = keys
    },
    get current() {
      return now().current
    },
    get ids() {
      return now().ids
    },
    lineKey: (content, id) => now().lineKey(content, id),
    mac: (text) => now().mac(text),
    isMac: (text, mac, id) => now().isMac(text, mac, id),
  }
}

/** The hash of a keyed line: HMAC-SHA-256 under the key of the line. */
export function keyedLink(lineKey: Buffer, previous: string, number: string): string {
  return createHmac('sha256', lineKey).update(`${previous}\n${number}`).digest('base64url')
}

/** The padded keys of HMAC (RFC 2104), in hexadecimal: SQL has SHA-256 and no HMAC. */
export function paddedKeys(lineKey: Buffer): { readonly inner: string; readonly outer: string } {
  const block = Buffer.concat([lineKey, Buffer.alloc(64 - lineKey.length)])
  const padded = (pad: number) => Buffer.from(block.map((byte) => byte ^ pad)).toString('hex')
  return { inner: padded(0x36), outer: padded(0x5c) }
}

function derive(secret: Buffer): Key {
  const part = (info: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `jiaowu audit log: ${info}`, bytes))
  return {
    id: part('id', 6).toString('base64url'),
    lines: createSecretKey(part('lines', 32)),
    records: createSecretKey(part('records', 32)),
  }
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
