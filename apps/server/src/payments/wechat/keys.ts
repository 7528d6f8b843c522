import { parseJson } from '@jiaowu/api/exact-json'
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { type WechatAccount } from '../../platform/settings/settings-gateways.ts'
import { openSealed, sealAlgorithm } from './signature.ts'

const certificateList = v.object({
  data: v.array(
    v.object({
      serial_no: v.string(),
      effective_time: v.optional(v.string()),
      encrypt_certificate: v.object({
        algorithm: v.optional(v.literal(sealAlgorithm)),
        ciphertext: v.string(),
        nonce: v.string(),
        associated_data: v.optional(v.string()),
      }),
    }),
  ),
})
const freshFor = 6 * 3_600_000 // WeChat requires less than 12 h
const refusedFor = 60_000

/**
 * The keys that WeChat signs with, by serial: the public key of the settings (`PUB_KEY_ID_...`) and the platform
 * certificates. During the changeover from certificates to the public key it signs with either.
 */
export interface PlatformKeys {
  /** Undefined when the serial is unknown, also after a fresh download of the certificates. */
  readonly get: (serial: string) => Promise<KeyObject | undefined>
  /** The serial that requests ask WeChat to sign with; undefined when there is none. */
  readonly wanted: () => Promise<string | undefined>
  /**
   * Reads the answer of `/v3/certificates`. Each certificate is encrypted with the API v3 key,
   * which authenticates it.
   * @throws when none can be read
   */
  readonly learn: (body: string) => void
  /** How many certificates are known. */
  readonly count: () => number
}

interface Certificate {
  readonly key: KeyObject
  readonly since: number
}

export function isPublicKeyId(serial: string): boolean {
  return serial.startsWith('PUB_KEY_ID_')
}

/** `download` fetches the certificates and calls `learn`. */
export function createKeys(
  account: WechatAccount,
  now: () => Date,
  download: () => Promise<void>,
): PlatformKeys {
  const fixed =
    account.publicKey === undefined
      ? undefined
      : { id: account.publicKey.id, key: createPublicKey(readFileSync(account.publicKey.file)) }
  const known = new Map<string, Certificate>()
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
  const mayAsk = () => asking !== undefined || now().getTime() - askedAt > refusedFor
  return {
    get: async (serial) => {
      if (isPublicKeyId(serial) || serial === fixed?.id)
        return serial === fixed?.id ? fixed.key : undefined
      const isOld = now().getTime() - learnedAt > freshFor
      if (known.has(serial) && isOld && mayAsk()) await refresh().catch(() => {})
      // An unknown serial is a new certificate or forged: download at most once a minute. Merchants who have the
      // public key may have no certificates.
      if (!known.has(serial) && mayAsk())
        await (fixed === undefined ? refresh() : refresh().catch(() => {}))
      return known.get(serial)?.key
    },
    wanted: async () => {
      if (fixed !== undefined) return fixed.id
      if (known.size === 0 && mayAsk()) await refresh()
      const [newest] = [...known].sort(([, a], [, b]) => b.since - a.since)
      return newest?.[0]
    },
    count: () => known.size,
    learn: (body) => {
      const { data } = v.parse(certificateList, parseJson(body))
      const read = data.flatMap(({ serial_no, effective_time, encrypt_certificate }) => {
        const key = readCertificate(openSealed(account.apiV3Key, encrypt_certificate), now())
        const since = Date.parse(effective_time ?? '')
        return key === null
          ? []
          : [[serial_no, { key, since: Number.isNaN(since) ? 0 : since }] as const]
      })
      if (read.length === 0) throw new Error('no platform certificate is valid')
      known.clear()
      for (const [serial, certificate] of read) known.set(serial, certificate)
      learnedAt = now().getTime()
    },
  }
}

function readCertificate(pem: string, now: Date): KeyObject | null {
  const certificate = new X509Certificate(pem)
  return new Date(certificate.validTo) > now ? certificate.publicKey : null
}
