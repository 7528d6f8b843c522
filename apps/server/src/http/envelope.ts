import { type Locale, say } from '@jiaowu/api'
import type { Logger } from 'pino'
import { FileMissing, FilesUnavailable } from '../platform/files/driver.ts'
import { Invalid, notFound, Refusal } from '../platform/refusal.ts'
import { StorageFull } from '../platform/database/embedded/free-space.ts'
import { brokenConstraint, isUnavailable } from '../platform/database/problems.ts'

const noStore = { 'cache-control': 'no-store' }

/** `{ success, code, msg, data, traceId }` (docs/rules/contract.md#envelope). A flat answer's keys stand at the top level too. */
export function succeed(data: unknown, traceId: string, flat = false): Response {
  return json(200, {
    ...(flat && typeof data === 'object' ? data : {}),
    success: true,
    code: 200,
    msg: '',
    data: data ?? null,
    traceId,
  })
}

function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...noStore, ...headers },
  })
}

/** A refusal with its own words; anything else is a bug: logged with its id, answered without its text (docs/rules/security.md#c5). */
export function fail(error: unknown, locale: Locale, traceId: string, log: Logger): Response {
  const refusal = asRefusal(error)
  // A row without its file, or a bucket that refuses, is for whoever looks after the server.
  if (error instanceof FileMissing || error instanceof FilesUnavailable)
    log.error({ err: error, traceId }, 'a file could not be had')
  if (refusal === null) {
    log.error({ err: error, traceId }, 'unexpected failure')
    return json(500, {
      success: false,
      code: 500,
      msg: say(locale, { key: 'problem.internal' }),
      data: null,
      traceId,
    })
  }
  const data = refusal instanceof Invalid ? { issues: refusal.issues(locale) } : refusal.data
  const headers: Record<string, string> =
    refusal.retryAfter === null ? {} : { 'retry-after': String(refusal.retryAfter) }
  return json(
    refusal.status,
    { success: false, code: refusal.code, msg: say(locale, refusal.say), data, traceId },
    headers,
  )
}

function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  const broken = brokenConstraint(error)
  if (broken?.kind === 'unique') return new Refusal(409, { key: 'problem.duplicate' })
  if (broken?.kind === 'foreignKey') return new Refusal(409, { key: 'problem.inUse' })
  if (error instanceof StorageFull) return new Refusal(507, { key: 'problem.diskFull' })
  if (error instanceof FileMissing) return notFound()
  return error instanceof FilesUnavailable || isUnavailable(error)
    ? new Refusal(503, { key: 'problem.unavailable' }, { retryAfter: 2 })
    : null
}
