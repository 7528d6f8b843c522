const keptMs = 60_000
const most = 40

/**
 * Caches results for a minute, so that concurrent and repeated requests for the same key share one
 * computation. Failures are not cached.
 */
export function createRecentCache<T>(now: () => number = Date.now) {
  const kept = new Map<string, { readonly at: number; readonly made: Promise<T> }>()
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const at = now()
    for (const [old, entry] of kept)
      if (at - entry.at >= keptMs || kept.size > most) kept.delete(old) // in insertion order, so the oldest first
    const known = kept.get(key)
    if (known !== undefined) return known.made
    const made = make()
    kept.set(key, { at, made })
    made.catch(() => {
      if (kept.get(key)?.made === made) kept.delete(key)
    })
    return made
  }
}
