import { isIP } from 'node:net'
import * as v from 'valibot'

const year = 31_536_000

export const webEnvironment = {
  HSTS_MAX_AGE: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^\d{1,8}$/.test(text) && Number(text) <= 2 * year,
        `HSTS_MAX_AGE must be a whole number of seconds from 0 (withdraw) to ${2 * year}`,
      ),
    ),
    String(year),
  ),
  STAFF_NETWORKS: v.optional(
    addressRanges(
      'STAFF_NETWORKS must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
    ),
    '',
  ),
  FACTOR_OUTSIDE: v.optional(
    addressRanges(
      'FACTOR_OUTSIDE must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
    ),
    '',
  ),
  HOOK_NETWORKS: v.optional(
    addressRanges(
      'HOOK_NETWORKS must be IP addresses or ranges such as 10.0.0.0/8, separated by commas',
    ),
    '',
  ),
  SECURITY_CONTACT: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      ),
      v.check(
        (contacts) => contacts.every(isContact),
        'SECURITY_CONTACT must be mailto:, https: or tel: addresses, separated by commas',
      ),
    ),
    '',
  ),
}

export interface WebSettings {
  /** Seconds that browsers call this host by https alone; sent to those who came by https. */
  readonly hstsMaxAge: number
  /** Addresses and ranges from which staff sign in and work; empty for everywhere. */
  readonly staffNetworks: readonly string[]
  /** Addresses and ranges outside of which staff need a second factor; empty for no such demand. */
  readonly factorOutside: readonly string[]
  /** Private addresses and ranges that hooks may call; empty for none. */
  readonly hookNetworks: readonly string[]
  /** Addresses for reports of vulnerabilities, the preferred one first; none: no security.txt. */
  readonly securityContacts: readonly string[]
}

export function webSettings(read: {
  readonly HSTS_MAX_AGE: string
  readonly FACTOR_OUTSIDE: readonly string[]
  readonly HOOK_NETWORKS: readonly string[]
  readonly SECURITY_CONTACT: readonly string[]
  readonly STAFF_NETWORKS: readonly string[]
}): WebSettings {
  return {
    hstsMaxAge: Number(read.HSTS_MAX_AGE),
    securityContacts: read.SECURITY_CONTACT,
    factorOutside: read.FACTOR_OUTSIDE,
    hookNetworks: read.HOOK_NETWORKS,
    staffNetworks: read.STAFF_NETWORKS,
  }
}

/** Addresses and ranges, separated by commas. */
export function addressRanges(refusal: string) {
  return v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
    v.check((parts) => parts.every(isAddressOrRange), refusal),
  )
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const widest = isIP(address) === 4 ? 32 : 128
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
  )
}

function isContact(text: string): boolean {
  return (
    /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+?[\d-]+)$/.test(text) &&
    /^[!-~]{1,500}$/.test(text) &&
    URL.canParse(text)
  )
}
