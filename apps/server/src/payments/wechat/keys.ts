import { parseJson } from '@jiaowu/api'
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { type WechatAccount } from '../../platform/settings/settings-gateways.ts'
import { open } from './signature.ts'

const certificateList = v.object({
  data: v.array(
    v.object({
      serial_no: v.string(),
      encrypt_certificate: v.object({
        ciphertext: v.string(),
        nonce: v.string(),
        associated_data: v.optional(v.string()),
      }),
    }),
  ),
})
const freshFor = 6 * 3_600_000 // WeChat requires less than 12 h
const refusedFor = 60_000

/** The public keys that WeChat signs with, by serial number; several during a rotation. */
export interface PlatformKeys {
  /** Undefined when the serial is unknown, also after a fresh download. */
  readonly get: (serial: string) => Promise<KeyObject | undefined>
  /**
   * Reads the answer of `/v3/certificates`. Each certificate is encrypted with the API v3 key,
   * which authenticates it.
   * @throws when none can be read
   */
  readonly learn: (body: string) => void
}

/** `download` fetches the certificates and calls `learn`. In public-key mode it is never called. */
export function createKeys(
  account: WechatAccount,
  now: () => Date,
  download: () => Promise<void>,
): PlatformKeys {
  const known = new Map<string, KeyObject>()
  const fixed = account.publicKey
  if (fixed !== undefined) known.set(fixed.id, createPublicKey(readFileSync(fixed.file)))
  let learnedAt = Number.NEGATIVE_INFINITY
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const refresh = (): Promise<void> => {
    asking ??= download().finally(() => {
      asking = undefined
    })
    askedAt = now().getTime()
    return asking
  }
  return {
    get: async (serial) => {
      const at = now().getTime()
      if (
        fixed === undefined &&
        known.has(serial) &&
        at - learnedAt > freshFor &&
        at - askedAt > refusedFor
      )
        await refresh().catch(() => {})
      // An unknown serial is a new certificate or forged: download at most once a minute.
      if (
        fixed === undefined &&
        !known.has(serial) &&
        (asking !== undefined || at - askedAt > refusedFor)
      )
        await refresh()
      return known.get(serial)
    },
    learn: (body) => {
      const { data } = v.parse(certificateList, parseJson(body))
      const read = data.map(
        ({ serial_no, encrypt_certificate }) =>
          [serial_no, readCertificate(open(account.apiV3Key, encrypt_certificate), now())] as const,
      )
      const valid = read.filter((each): each is readonly [string, KeyObject] => each[1] !== null)
      if (valid.length === 0) throw new Error('no platform certificate is valid')
      known.clear()
      for (const [serial, key] of valid) known.set(serial, key)
      learnedAt = now().getTime()
    },
  }
}

function readCertificate(pem: string, now: Date): KeyObject | null {
  const certificate = new X509Certificate(pem)
  return new Date(certificate.validTo) > now ? certificate.publicKey : null
}
