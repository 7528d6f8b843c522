import { findCampusFactor } from '../../platform/limits/budgets.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { Refusal } from '../../platform/refusal.ts'

interface Bucket {
  tokens: number
  at: number
}
interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/**
 * Per session, and per address for calls without a session. A whole campus can share one address
 * (docs/rules/security.md#c9).
 */
export function createRates(settings: Settings) {
  const rate = (perSecond: number, burst = 4 * perSecond): Rate => ({ perSecond, burst })
  return {
    session: rate(settings.callsPerSecond),
    /** A setting that was lowered since holds for tokens made before. */
    token: (perSecond: number) => rate(Math.min(perSecond, settings.tokenCallsPerSecond)),
    /** A campus that shares its addresses gets more. */
    address: (ip: string) => {
      const perSecond = settings.addressCallsPerSecond * findCampusFactor({ settings, ip })
      return rate(perSecond, Math.max(200, 4 * perSecond))
    },
  }
}
export type Rates = ReturnType<typeof createRates>

/** Takes one token of a key's bucket. @throws Refusal 429 */
export type Throttle = (key: string, rate: Rate) => void

/**
 * Token buckets in memory, one per key. They keep one instance fair; limits that must hold across
 * instances are counted in the database (platform/limits).
 */
export function createThrottle(now: () => number): Throttle {
  const buckets = new Map<string, Bucket>()
  return (key: string, { perSecond, burst }: Rate): void => {
    if (buckets.size > 50_000) buckets.clear()
    const at = now()
    const bucket = buckets.get(key) ?? { tokens: burst, at }
    // A clock set back removes no tokens.
    bucket.tokens = Math.min(
      burst,
      bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * perSecond,
    )
    bucket.at = at
    buckets.set(key, bucket)
    if (bucket.tokens < 1)
      throw new Refusal(
        429,
        { key: 'problem.tooMany' },
        { retryAfter: Math.ceil((1 - bucket.tokens) / perSecond) },
      )
    bucket.tokens -= 1
  }
}
