const keptMs = 60_000
const most = 40

/**
 * Gives the same promise to everyone who asks for the same thing within a minute, and forgets failures at once.
 * A person who reloads a preview all day costs one drawing a minute and takes no one else's turn.
 */
export function recently<T>(now: () => number = Date.now) {
  const kept = new Map<string, { readonly at: number; readonly made: Promise<T> }>()
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const at = now()
    for (const [old, entry] of kept)
      if (at - entry.at >= keptMs || kept.size > most) kept.delete(old) // the oldest come first
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
