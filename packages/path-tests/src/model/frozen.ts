/** 2024-01-01T00:00:00Z: what `Date.now()` and `new Date()` give while a machine makes a step. */
const frozenAt = 1_704_067_200_000

class FrozenDate extends Date {
  constructor(...parts: [] | [number | string | Date]) {
    if (parts.length === 0) super(frozenAt)
    else super(...(parts as unknown as [number]))
  }

  static override now(): number {
    return frozenAt
  }
}

/**
 * Runs `body` with the clock stopped and `Math.random` giving the same sequence each time, so that
 * a machine that reads them makes the same step in the model and in the running actor.
 */
export function runFrozen<T>(body: () => T): T {
  const { Date: realDate } = globalThis
  const { random } = Math
  if (realDate === (FrozenDate as DateConstructor)) return body()
  let state = 0x9e3779b9
  globalThis.Date = FrozenDate as DateConstructor
  // Mulberry32, a small generator with a period of 2^32.
  Math.random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  try {
    return body()
  } finally {
    globalThis.Date = realDate
    Math.random = random
  }
}
