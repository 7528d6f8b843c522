import { Refusal } from '../../platform/refusal.ts'

// docs/rules/security.md#f10: after ten seconds, at least 10 KB/s; and never ten seconds of nothing.
const graceMs = 10_000
const bytesPerMs = 10

const tooLarge = () => new Refusal(413, { key: 'problem.tooLarge' })
const tooSlow = () => new Refusal(408, { key: 'server.tooSlow' })

/** The bytes of a body, counted while they arrive: Content-Length may lie. @throws Refusal 413, 408 */
export async function readCapped(
  request: Request,
  most: number,
  patienceMs = graceMs,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge()
  const reader = request.body?.getReader()
  if (reader === undefined) return new Uint8Array(0)
  const parts: Uint8Array[] = []
  const started = performance.now()
  let total = 0
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), patienceMs)
      if (done) return joined(parts, total)
      total += value.byteLength
      if (total > most) throw tooLarge()
      parts.push(value)
      const took = performance.now() - started
      if (took > patienceMs && total < took * bytesPerMs) throw tooSlow()
    }
  } catch (error) {
    reader.cancel().catch(() => undefined) // the caller is gone or refused; nothing more is read either way
    throw error
  }
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooSlow()), ms)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

function joined(parts: readonly Uint8Array[], total: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
