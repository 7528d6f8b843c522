/** Milliseconds of 2024-01-01: ids stay below 2^63 until 2093. */
const epoch = Date.UTC(2024, 0, 1)
const sequenceBits = 12n
const nodeBits = 10n

/**
 * Snowflake ids as strings: 41 bits of time, 10 of node, 12 of sequence. They increase even
 * when the clock steps back.
 * @param node 0 to 1023, different for every instance that shares a database
 */
export function snowflake(node: number, now: () => number = Date.now): () => string {
  let last = 0
  let sequence = 0n
  return () => {
    const at = Math.max(now(), last)
    sequence = at === last ? sequence + 1n : 0n
    last = at
    if (sequence >= 1n << sequenceBits) {
      last += 1
      sequence = 0n
    }
    return (
      (BigInt(last - epoch) << (nodeBits + sequenceBits)) |
      (BigInt(node & 1023) << sequenceBits) |
      sequence
    ).toString()
  }
}

const largest = 2n ** 63n - 1n
/** Whether the text is an id that fits a bigint column. */
export const isId = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) <= largest

/** When a snowflake id was made, in milliseconds since 1970; null for an id of another kind. */
export function madeAt(id: string): number | null {
  if (!isId(id)) return null
  const time = Number(BigInt(id) >> (nodeBits + sequenceBits))
  return time === 0 ? null : time + epoch
}
