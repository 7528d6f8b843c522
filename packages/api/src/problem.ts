import type { Locale } from './locale.ts'
import { type Message, say } from './texts/index.ts'

/** What a person can do about a failed call: sign in, read the reason, mend fields, wait, or look at the network. */
export type ProblemKind = 'session' | 'refused' | 'invalid' | 'timeout' | 'transport'

/** One field's fault: `path` is an attrName (or `queries.x`), `rule` the rule's name, `msg` the sentence. */
export interface Issue {
  readonly path: string
  readonly rule: string
  readonly msg: string
}

/** Session-invalid codes (docs/spec/1-entity-console.md §8, docs/rules/contract.md#envelope). */
export const sessionCodes: readonly number[] = [
  401, 40000, 40001, 40002, 40003, 40005, 40006, 40008,
]
/** A stale version on update; `data` holds the current row (docs/rules/contract.md#envelope). */
export const staleCode = 40900
/** Invalid fields; `data.issues` lists them (docs/rules/contract.md#envelope). */
export const invalidCode = 42200

/** The plain form of a problem that machines keep in context: JSON only. */
export interface Problem {
  readonly kind: ProblemKind
  readonly code: number
  /** The server's own sentence, already in the person's language, or one of ours. */
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

/** Any thrown value as a {@link Problem}: machines call it in every `onError`. */
export function problemOf(error: unknown): Problem {
  return error instanceof ApiProblem
    ? error.problem
    : { kind: 'transport', code: 0, message: { key: 'problem.network' }, ...blank }
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

/** The sentence to show. */
export function problemText(locale: Locale, problem: Problem): string {
  return typeof problem.message === 'string' ? problem.message : say(locale, problem.message)
}

/** A refused reply (`success: false`, or an error status) as a problem. `body` is what was parsed, or null when it was not JSON. */
export function problemOfReply(status: number, body: unknown): ApiProblem {
  const { code: rawCode, msg, data, traceId } = record(body)
  const code = typeof rawCode === 'number' ? rawCode : status
  const issues = issuesOf(data)
  const pleaseLogin =
    msg === '请先登录' || (typeof msg === 'string' && msg.toLowerCase() === 'please log in first') // docs/spec/1-entity-console.md §8
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
    traceId: typeof traceId === 'string' ? traceId : null,
  })
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function issuesOf(data: unknown): Issue[] {
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
