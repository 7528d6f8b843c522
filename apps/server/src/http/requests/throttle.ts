import { Refusal } from '../../platform/refusal.ts'

interface Bucket {
  tokens: number
  at: number
}
interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** A token, and an address nobody is signed in from: a campus is one address (docs/rules/security.md#c9). */
export const rates = {
  session: { perSecond: 50, burst: 200 },
  address: { perSecond: 30, burst: 200 },
} as const satisfies Record<string, Rate>

/** Token buckets in memory, per key. Fairness for one instance; what must hold across instances is counted in the database. */
export function createThrottle(now: () => number) {
  const buckets = new Map<string, Bucket>()
  return (key: string, { perSecond, burst }: Rate): void => {
    if (buckets.size > 50_000) buckets.clear()
    const at = now()
    const bucket = buckets.get(key) ?? { tokens: burst, at }
    bucket.tokens = Math.min(
      burst,
      bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * perSecond,
    ) // a clock set back takes nothing away
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
