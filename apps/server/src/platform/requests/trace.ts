// The id by which a call is found again: in its answer, in the log and the audit log, and at providers.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, randomFillSync } from 'node:crypto'
import { scrubPersonal } from '@jiaowu/api/pii'

export interface Trace {
  /** `X-Request-Id` of the caller or its proxy, else the trace id of `traceparent`, else a new one. */
  readonly id: string
  /** From a valid `traceparent` (W3C Trace Context, level 1). */
  readonly parent?: { readonly trace: string; readonly flags: string }
  /** Headers of every reply to the call. */
  readonly reply?: Readonly<Record<string, string>>
}

export const requestIdHeader = 'x-request-id'

const goodId = /^[\w.:-]{8,64}$/
const traceParent =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(?:-|$)/
/** Without those that are mistaken for each other when somebody reads an id out. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const newIdLength = 12

const traces = new AsyncLocalStorage<Trace>()

/** Reads both headers. An id that looks like an ID number or a mobile is not taken (docs/rules/security.md#d4). */
export function readTrace(headers: Headers): Trace {
  const sent = headers.get(requestIdHeader)
  const [, trace, flags] = traceParent.exec(headers.get('traceparent') ?? '') ?? []
  const id = sent !== null && goodId.test(sent) && scrubPersonal(sent) === sent ? sent : trace
  return {
    id: id ?? createTraceId(),
    ...(trace !== undefined && flags !== undefined && { parent: { trace, flags } }),
  }
}

/** Random bytes for the next 340 ids: asking the system for each costs a fiftieth of a call. */
const pool = new Uint8Array(340 * newIdLength)
let poolAt = pool.length

/** A short one, because people read it out on the telephone: 59 random bits. */
export function createTraceId(): string {
  if (poolAt === pool.length) {
    randomFillSync(pool)
    poolAt = 0
  }
  let id = ''
  for (const end = poolAt + newIdLength; poolAt < end; poolAt += 1)
    id += letters[(pool[poolAt] ?? 0) % letters.length]
  return id
}

/** Runs a call, or the job that one has started. */
export function inTrace<Result>(trace: Trace, work: () => Result): Result {
  return traces.run(trace, work)
}

/** For the lines of the log; undefined outside of calls and jobs. */
export function findTrace(): Trace | undefined {
  return traces.getStore()
}

/** Headers of a call to another system, so that its operators find it by the same ids. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const trace = traces.getStore()
  if (trace === undefined) return {}
  const { id, parent } = trace
  return {
    [requestIdHeader]: id,
    ...(parent !== undefined && {
      traceparent: `00-${parent.trace}-${randomBytes(8).toString('hex')}-${parent.flags}`,
    }),
  }
}
