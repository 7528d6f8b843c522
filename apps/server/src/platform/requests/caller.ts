import type { Locale } from '@jiaowu/api/locale'
import type { Hono } from 'hono'

/** Facts that every handler knows about a request besides the request itself. */
export interface Caller {
  readonly ip: string
  readonly locale: Locale
  readonly traceId: string
  /** The path that the contract declares for the call, once one is found, for metrics. */
  declaredPath?: string
  /** The school of the session, once one is found, for the log. */
  school?: string
  /** Key of the text of a refusal, or `fault`, for the log. */
  why?: string
}
export type Router = Hono<{ Bindings: Caller }>
