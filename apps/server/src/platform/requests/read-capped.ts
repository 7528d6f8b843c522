import { Refusal } from '../refusal.ts'

// docs/rules/security.md#f10: after ten seconds at least 10 KB/s, and no pause of ten seconds.
const graceMs = 10_000
const bytesPerMs = 10
/** Smaller bodies cannot arrive in more than the ten seconds of grace at that rate, so they are read as a whole. */
const smallBytes = 64 * 1024

const tooLarge = () => new Refusal(413, { key: 'problem.tooLarge' })
const tooSlow = () => new Refusal(408, { key: 'server.tooSlow' })

/**
 * Reads a body of at most `max` bytes. Counts them while they arrive: Content-Length may be wrong.
 * @throws Refusal 413, 408
 */
export async function readCapped(
  request: Request,
  max: number,
  timeoutMs = graceMs,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > max) throw tooLarge()
  if (length > 0 && length <= smallBytes) {
    // The listener ends a body at its declared length; reading it as a stream costs a copy of the request.
    const whole = new Uint8Array(await withTimeout(request.arrayBuffer(), timeoutMs))
    if (whole.byteLength > max) throw tooLarge()
    return whole
  }
  const reader = request.body?.getReader()
  if (reader === undefined) return new Uint8Array(0)
  const parts: Uint8Array[] = []
  const started = performance.now()
  let total = 0
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), timeoutMs)
      if (done) return joinParts(parts, total)
      total += value.byteLength
      if (total > max) throw tooLarge()
      parts.push(value)
      const took = performance.now() - started
      if (took > timeoutMs && total < took * bytesPerMs) throw tooSlow()
    }
  } catch (error) {
    // Nothing more is read; a failure to cancel means that the caller is gone.
    reader.cancel().catch(() => undefined)
    throw error
  }
}

function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow()), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

function joinParts(parts: readonly Uint8Array[], total: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
