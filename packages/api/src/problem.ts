import type { Locale } from './locale.ts'
import { type Message, messageText } from './texts/index.ts'

/**
 * Ways out of a failed call for the user: sign in, read the reason, correct fields, wait, check the network, or
 * tell the fault of the program.
 */
type ProblemKind = 'session' | 'refused' | 'invalid' | 'timeout' | 'transport' | 'fault'

/**
 * An invalid field: `path` is an attrName (or `queries.x`), `rule` the rule's name, `msg` the text.
 */
export interface Issue {
  readonly path: string
  readonly rule: string
  readonly msg: string
}

/**
 * Codes of replies to an invalid session (docs/spec/1-entity-console.md §8,
 * docs/rules/contract.md#envelope).
 */
const sessionCodes: readonly number[] = [401, 40000, 40001, 40002, 40003, 40005, 40006, 40008]
/**
 * The version sent with an update is stale; `data` holds the current row
 * (docs/rules/contract.md#envelope).
 */
export const staleCode = 40900
/** The first request with the same Idempotency-Key still runs (docs/rules/contract.md#creates). */
export const keyRunningCode = 40901
/** The Idempotency-Key was sent before with another body. */
export const keyBodyCode = 42201
/** The act needs a fresh proof of who the caller is (docs/rules/security.md#s6). */
export const proofNeededCode = 40310
/** A second factor is needed; `data.factor` has the step (docs/rules/security.md#s10). */
export const factorNeededCode = 40101
/** Carries the token of `POST /auth/reauthenticate`. */
export const proofHeader = 'x-reauth'
export const idempotencyHeader = 'idempotency-key'
/** Invalid fields; `data.issues` lists them (docs/rules/contract.md#envelope). */
export const invalidCode = 42200

/** A problem as plain JSON, as machines keep it in their context. */
export interface Problem {
  readonly kind: ProblemKind
  readonly code: number
  /** The server's text in the user's language, or one of our own messages. */
  readonly message: string | Message
  readonly issues: readonly Issue[]
  readonly data: unknown
  readonly traceId: string | null
}

/** Thrown by the client for every failed call. */
export class ApiProblem extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(typeof problem.message === 'string' ? problem.message : problem.message.key)
    this.name = 'ApiProblem'
    this.problem = problem
  }
}

const blank = { issues: [], data: null, traceId: null } as const

const logged = new WeakSet<object>()

/**
 * Converts any thrown value to a {@link Problem}; machines use it in every `onError`. What is neither an answer of
 * the server nor a failure of the network is a fault of the program: it is logged once, and said as such.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof ApiProblem) return error.problem
  if (isNetworkFailure(error))
    return { kind: 'transport', code: 0, message: { key: 'problem.network' }, ...blank }
  logFault(error)
  return { kind: 'fault', code: 0, message: { key: 'problem.fault' }, ...blank }
}

/** Words of browsers and Node for a request or an answer that broke off; each has its own, as a TypeError. */
const networkWords = new RegExp(
  '^(failed to fetch|fetch failed|network ?error|the network|load failed|terminated|error in input stream|' +
    'the internet connection|a server with|could not connect|importing a module script|error loading dynamically)',
  'i',
)
const networkNames: readonly unknown[] = [
  'AbortError',
  'TimeoutError',
  'NetworkError',
  'FetchError',
]
const networkCodes = /^(E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_)|UND_ERR_)/

/** Whether `fetch`, the stream of its answer or the load of a module threw it, or the caller has left. */
export function isNetworkFailure(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, message, code, cause } = error as Partial<Error & { code: unknown }>
  return (
    networkNames.includes(name) ||
    (error instanceof TypeError && networkWords.test(message ?? '')) ||
    (typeof code === 'string' && networkCodes.test(code)) ||
    (cause !== undefined && isNetworkFailure(cause))
  )
}

/** In browsers as an error of the page, with its stack. */
function logFault(error: unknown): void {
  if (typeof error === 'object' && error !== null) {
    if (logged.has(error)) return
    logged.add(error)
  }
  const report = (globalThis as { reportError?: (error: unknown) => void }).reportError
  if (report === undefined) console.error(error) // oxlint-disable-line no-console -- the only log of the terminal
  else report(error)
}

export function timeoutProblem(): ApiProblem {
  return new ApiProblem({ kind: 'timeout', code: 0, message: { key: 'problem.timeout' }, ...blank })
}

export function networkProblem(): ApiProblem {
  return new ApiProblem({
    kind: 'transport',
    code: 0,
    message: { key: 'problem.network' },
    ...blank,
  })
}

/** The text to show, with the id by which an operator finds the call. */
export function problemText(locale: Locale, problem: Problem): string {
  const text =
    typeof problem.message === 'string' ? problem.message : messageText(locale, problem.message)
  return problem.traceId === null
    ? text
    : messageText(locale, { key: 'problem.withId', params: { text, id: problem.traceId } })
}

/**
 * The text where no field can show the issues, such as beside an uploaded file: what is wrong instead
 * of that something is.
 */
export function problemDetail(locale: Locale, problem: Problem): string {
  return problem.issues.length === 0
    ? problemText(locale, problem)
    : [...new Set(problem.issues.map(({ msg }) => msg))].join(locale === 'en' ? ' ' : '；')
}

/**
 * The problem of a refused reply (`success: false`, or an error status). `body` is the parsed body,
 * or null when it was not JSON.
 */
export function problemOfReply(status: number, body: unknown): ApiProblem {
  if (awayStatuses.includes(status) && typeof record(body)['success'] !== 'boolean')
    return awayProblem(status)
  const { code: rawCode, msg, data, traceId } = record(body)
  const code = typeof rawCode === 'number' ? rawCode : status
  const issues = readIssues(data)
  const pleaseLogin =
    // docs/spec/1-entity-console.md §8
    msg === '请先登录' || (typeof msg === 'string' && msg.toLowerCase() === 'please log in first')
  const kind: ProblemKind =
    sessionCodes.includes(code) || pleaseLogin
      ? 'session'
      : issues.length > 0
        ? 'invalid'
        : 'refused'
  return new ApiProblem({
    kind,
    code,
    issues,
    message: typeof msg === 'string' && msg !== '' ? msg : byStatus(status),
    data: data ?? null,
    traceId: typeof traceId === 'string' && traceId !== '' ? traceId : null,
  })
}

/** Answered by proxies for a server that does not answer them. */
const awayStatuses: readonly number[] = [502, 503, 504]

/** Whether the server has carried the call out is unknown, as after a connection that broke off. */
function awayProblem(code: number): ApiProblem {
  return new ApiProblem({ kind: 'transport', code, message: { key: 'problem.away' }, ...blank })
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function readIssues(data: unknown): Issue[] {
  const { issues } = record(data)
  if (!Array.isArray(issues)) return []
  return issues.map(record).map(({ path, rule, msg }) => ({
    path: String(path ?? ''),
    rule: String(rule ?? ''),
    msg: String(msg ?? ''),
  }))
}

function byStatus(status: number): Message {
  if (status === 401) return { key: 'problem.unauthorized' }
  if (status === 403) return { key: 'problem.forbidden' }
  if (status === 404) return { key: 'problem.notFound' }
  return { key: 'problem.internal' }
}
