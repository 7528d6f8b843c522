/** A seeded generator (mulberry32): the same seed gives the same school on every machine. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let z = state
    z = Math.imul(z ^ (z >>> 15), z | 1)
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61)
    return ((z ^ (z >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number) => Math.floor(next() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  return {
    below,
    pick,
    /** Approximately normal around `mean`. */
    bell: (mean: number, spread: number) => mean + (next() + next() + next() + next() - 2) * spread,
    some: <T>(list: readonly T[], max: number): T[] => {
      const start = below(list.length)
      return Array.from(
        { length: below(max + 1) },
        (_none, i) => list[(start + i * 3) % list.length] as T,
      ).filter((x, i, all) => all.indexOf(x) === i)
    },
  }
}
export type Random = ReturnType<typeof createRandom>
