import { messageText } from '@jiaowu/api/texts/index'
import type { Logger } from 'pino'
import { FileMissing, FilesUnavailable } from '../platform/files/driver.ts'
import type { Caller } from '../platform/requests/caller.ts'
import { requestIdHeader } from '../platform/requests/trace.ts'
import { Invalid, notFound, Refusal } from '../platform/refusal.ts'
import { Unwanted } from '../platform/database/open-database.ts'
import { StorageFull } from '../platform/database/embedded/free-space.ts'
import {
  brokenConstraint,
  isReadOnlyDatabase,
  isUnanswered,
  isUnavailable,
} from '../platform/database/problems.ts'
import { compressAnswer } from './compressed.ts'
import { replySecured } from './requests/security-headers.ts'

const always = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
}

/**
 * `{ success, code, msg, data, traceId }` (docs/rules/contract.md#envelope). A flat reply repeats the
 * keys of `data` at the top level.
 */
export function succeed(data: unknown, traceId: string, flat = false): Response {
  return json(200, wrapSuccess(data, traceId, flat), traceId)
}

/** The same, compressed where the caller accepts it (`accept-encoding`). */
export async function succeedCompressed(
  accepted: string | null,
  ...[data, traceId, flat]: Parameters<typeof succeed>
): Promise<Response> {
  const text = JSON.stringify(wrapSuccess(data, traceId, flat))
  const { body, headers } = await compressAnswer(text, accepted)
  return replySecured(body, 200, { ...always, ...headers, [requestIdHeader]: traceId })
}

function wrapSuccess(data: unknown, traceId: string, flat = false) {
  return {
    ...(flat && typeof data === 'object' ? data : {}),
    success: true,
    code: 200,
    msg: '',
    data: data ?? null,
    traceId,
  }
}

function json(
  status: number,
  body: unknown,
  traceId: string,
  headers: Record<string, string> = {},
) {
  const text = JSON.stringify(body)
  return replySecured(text, status, {
    ...always,
    'content-length': String(Buffer.byteLength(text)),
    [requestIdHeader]: traceId,
    ...headers,
  })
}

/**
 * Answers a refusal with its message, and keeps its key for the log. Any other error is a bug: logged with its trace
 * id, answered without its text (docs/rules/security.md#c5).
 */
export function fail(error: unknown, caller: Caller, log: Logger): Response {
  const { locale, traceId } = caller
  const refusal = asRefusal(error)
  caller.why = refusal?.text.key ?? 'fault'
  // The operator must know about a row without its file and about a failing file store.
  if (error instanceof FileMissing || error instanceof FilesUnavailable)
    log.error({ err: error, traceId }, 'a stored file could not be read')
  if (refusal === null) {
    log.error({ err: error, traceId }, 'unexpected failure')
    const msg = messageText(locale, { key: 'problem.internal' })
    return json(500, { success: false, code: 500, msg, data: null, traceId }, traceId)
  }
  const data =
    refusal instanceof Invalid
      ? { issues: refusal.issues(locale), ...(refusal.data as object) }
      : refusal.data
  const headers: Record<string, string> =
    refusal.retryAfter === null ? {} : { 'retry-after': String(refusal.retryAfter) }
  return json(
    refusal.status,
    { success: false, code: refusal.code, msg: messageText(locale, refusal.text), data, traceId },
    traceId,
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
  if (error instanceof Unwanted) return new Refusal(503, { key: 'problem.unavailable' })
  return error instanceof FilesUnavailable || isUnavailable(error)
    ? new Refusal(503, { key: unavailableText(error) }, { retryAfter: 2 })
    : null
}

function unavailableText(error: unknown) {
  if (isReadOnlyDatabase(error)) return 'problem.readOnly'
  return isUnanswered(error) ? 'problem.unanswered' : 'problem.unavailable'
}
