/** 2024-01-01T00:00:00Z: the time at which every path starts. */
const startedAt = 1_704_067_200_000
/** Numbers from the start until a year later are taken for times, where a machine reads the clock. */
const lastAt = startedAt + 366 * 24 * 3_600_000

let instant = startedAt
let wasRead = false
function readInstant(): number {
  wasRead = true
  return instant
}

class FrozenDate extends Date {
  constructor(...parts: [] | [number | string | Date]) {
    if (parts.length === 0) super(readInstant())
    else super(...(parts as unknown as [number]))
  }

  static override now(): number {
    return readInstant()
  }
}

/** Machines that have read the clock in a step. */
const readers = new WeakSet<object>()

/**
 * Runs `body`, a step of the machine, with the clock at the model's time and `Math.random` giving the
 * same sequence each time, so that a machine that reads them makes the same step in the model and in
 * the running actor.
 * @param now milliseconds since the start of the path
 */
export function runFrozen<T>(machine: object, now: number, body: () => T): T {
  const { Date: realDate } = globalThis
  const { random } = Math
  if (realDate === (FrozenDate as DateConstructor)) return body()
  instant = startedAt + now
  wasRead = false
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
    if (wasRead) readers.add(machine)
  }
}

/**
 * A key in which times are counted from now, where the machine reads the clock: a lock that ends in a
 * minute is the same state today and tomorrow.
 */
export function countFromNow(machine: object, key: string, now: number): string {
  if (!readers.has(machine)) return key
  return key.replaceAll(/\b17\d{11}\b|"20\d\d-\d\d-\d\dT[\d:.]+Z"/g, (found) => {
    const at = found.startsWith('"') ? Date.parse(found.slice(1, -1)) : Number(found)
    return at < startedAt || at > lastAt ? found : `"now ${at - startedAt - now} ms"`
  })
}
