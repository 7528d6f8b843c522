import type { Locale } from '@jiaowu/api/locale'
import type { Hono } from 'hono'

/** Facts that every handler knows about a request besides the request itself. */
export interface Caller {
  readonly ip: string
  readonly locale: Locale
  readonly traceId: string
  /** The path that the contract declares for the call, once one is found, for metrics. */
  declaredPath?: string
}
export type Router = Hono<{ Bindings: Caller }>
