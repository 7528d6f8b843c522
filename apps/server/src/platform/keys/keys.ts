// Encryption of personal data at rest: AES-256-GCM, and a keyed blind index for equality
// (docs/rules/security.md#d6).
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { SealContext } from './sealed-places.ts'

/**
 * One key. Both of its parts are derived from the 32 bytes of the settings or the key file. They are key objects:
 * Node 24 takes 20 µs for a call with the bytes and 4 µs with the object.
 */
interface Key {
  /** Names the key in every ciphertext; tells nothing about it. */
  readonly id: string
  readonly encryption: KeyObject
  readonly index: KeyObject
}

/** The keys of the installation: the first one writes, all of them read. */
export interface Keys {
  /** The id of the key that writes. */
  readonly current: string
  readonly ids: readonly string[]
  /** `context` names the column: a ciphertext copied into another one does not open. */
  readonly seal: (context: SealContext, text: string) => string
  /** @throws KeyError for a key that is not here, or a ciphertext that was changed */
  readonly open: (context: string, sealed: string) => string
  /** The blind index under the key that writes: equal texts have equal indexes. */
  readonly blind: (context: string, text: string) => string
}

/** The keys do not fit the data. The message is a sentence for the operator. */
export class KeyError extends Error {
  override readonly name = 'KeyError'
}

const prefix = 'enc1'
const [ivBytes, tagBytes] = [12, 16]

/** `enc1:<key id>:<base64url of iv, ciphertext and tag>` */
export function isSealed(text: string): boolean {
  return text.startsWith(`${prefix}:`)
}

export function readKeyId(sealed: string): string {
  return sealed.split(':')[1] ?? ''
}

/** Upper case, so that `x` and `X` of an ID number are one value. */
function normalizeNumber(text: string): string {
  return text.normalize('NFKC').trim().toUpperCase()
}

/** @param secrets 32 bytes each; the first one writes */
export function createKeys(secrets: readonly Buffer[]): Keys {
  const keys = secrets.map(derive)
  const [writing] = keys
  if (writing === undefined) throw new KeyError('There is no key for personal data.')
  const byId = new Map(keys.map((key) => [key.id, key]))
  return {
    current: writing.id,
    ids: keys.map(({ id }) => id),
    seal: (context, text) => sealWithKey(writing, context, text),
    open: (context, sealed) => {
      const key = byId.get(readKeyId(sealed))
      if (key === undefined)
        throw new KeyError(
          `A value is encrypted with the key ${readKeyId(sealed)}, which is not here.`,
        )
      return openWithKey(key, context, sealed)
    },
    blind: (context, text) => blind(writing, context, text),
  }
}

/** Keys that are opened later: the check against the database needs its tables. */
export interface LateKeys extends Keys {
  readonly use: (keys: Keys) => void
}

export function lateKeys(): LateKeys {
  let opened: Keys | undefined
  const now = (): Keys => {
    if (opened === undefined) throw new KeyError('The keys of personal data are not open yet.')
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
    seal: (context, text) => now().seal(context, text),
    open: (context, sealed) => now().open(context, sealed),
    blind: (context, text) => now().blind(context, text),
  }
}

function derive(secret: Buffer): Key {
  const part = (info: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `jiaowu personal data: ${info}`, bytes))
  return {
    id: part('id', 6).toString('base64url'),
    encryption: createSecretKey(part('encryption', 32)),
    index: createSecretKey(part('index', 32)),
  }
}

function sealWithKey({ id, encryption }: Key, context: string, text: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', encryption, iv).setAAD(Buffer.from(context))
  const body = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${prefix}:${id}:${body.toString('base64url')}`
}

function openWithKey({ id, encryption }: Key, context: string, sealed: string): string {
  const body = Buffer.from(sealed.split(':')[2] ?? '', 'base64url')
  const cipher = createDecipheriv('aes-256-gcm', encryption, body.subarray(0, ivBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(body.subarray(body.length - tagBytes))
  try {
    return Buffer.concat([
      cipher.update(body.subarray(ivBytes, body.length - tagBytes)),
      cipher.final(),
    ]).toString('utf8')
  } catch {
    throw new KeyError(`A value of ${context} does not open with the key ${id}: it was changed.`)
  }
}

/** 128 bits: collisions are out of reach for any number of rows. */
function blind({ index }: Key, context: string, text: string): string {
  return createHmac('sha256', index)
    .update(`${context}\n${normalizeNumber(text)}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')
}
