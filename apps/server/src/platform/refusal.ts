import { invalidCode, type Issue, staleCode } from '@jiaowu/api/problem'
import type { Locale } from '@jiaowu/api/locale'
import { type Message, messageText } from '@jiaowu/api/texts/index'
import { UserFacingError } from './user-facing-error.ts'

/** HTTP statuses that a refusal may carry (docs/rules/contract.md#envelope). */
export type RefusalStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 413
  | 415
  | 422
  | 429
  | 501
  | 503
  | 507

/**
 * An expected refusal, answered as `success: false` with its HTTP status. Any other error is a bug
 * and answered 500 without its text.
 */
export class Refusal extends UserFacingError {
  readonly status: RefusalStatus
  /** `status`, or a more specific code (docs/rules/contract.md#envelope). */
  readonly code: number
  /** `data` of the reply. */
  readonly data: unknown
  /** Seconds for the header Retry-After. */
  readonly retryAfter: number | null

  constructor(
    status: RefusalStatus,
    message: Message,
    more: { code?: number; data?: unknown; retryAfter?: number } = {},
  ) {
    super('Refusal', message)
    this.status = status
    this.code = more.code ?? status
    this.data = more.data ?? null
    this.retryAfter = more.retryAfter ?? null
  }
}

/** The fault of one field; not yet translated. */
export interface Fault {
  readonly path: string
  readonly rule: string
  readonly message: Message
}

/** 422 with one entry per wrong field (docs/rules/contract.md#envelope). The envelope translates it. */
export class Invalid extends Refusal {
  readonly faults: readonly Fault[]
  /** @param more beside `issues` in `data` of the reply */
  constructor(faults: readonly Fault[], more: Readonly<Record<string, unknown>> = {}) {
    super(422, { key: 'problem.invalid' }, { code: invalidCode, data: more })
    this.faults = faults
  }
  issues(locale: Locale): Issue[] {
    return this.faults.map(({ path, rule, message }) => ({
      path,
      rule,
      msg: messageText(locale, message),
    }))
  }
}

export const notFound = (): Refusal => new Refusal(404, { key: 'problem.notFound' })
export const forbidden = (): Refusal => new Refusal(403, { key: 'problem.forbidden' })
/** 409/40900: the row was saved by another request meanwhile. Carries the current row. */
export function stale(current: unknown): Refusal {
  return new Refusal(409, { key: 'problem.stale' }, { code: staleCode, data: current })
}
