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
const freshFor = 6 * 3_600_000 // WeChat asks for less than 12 h
const refusedFor = 60_000

/** The keys WeChat signs with, by serial; several at once while one replaces another. */
export interface PlatformKeys {
  /** Undefined: no such serial, also after asking anew. */
  readonly get: (serial: string) => Promise<KeyObject | undefined>
  /** Reads `/v3/certificates`. Each certificate is opened with the API v3 key, which is what vouches for it. @throws when none can be read */
  readonly learn: (body: string) => void
}

/** `download` fetches and learns. Public-key mode knows one key and never asks. */
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
      // An unknown serial is a new certificate, or somebody's invention: asked after once a minute at most.
      if (
        fixed === undefined &&
        !known.has(serial) &&
        (asking !== undefined || at - askedAt > refusedFor)
      )
        await refresh()
      return known.get(serial)
    },
    learn: (body) => {
      const { data } = v.parse(certificateList, JSON.parse(body))
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
