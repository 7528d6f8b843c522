import type { contract, Handlers, Locale } from '@jiaowu/api'
import type { Logger } from 'pino'
import type { EntityRegistry } from './entities/definition/registry.ts'
import type { Settings } from './platform/settings/settings.ts'
import type { Database } from './platform/database/open-database.ts'

/** Who is calling, as read from the session on every request: a revoked role acts on the next call. */
export interface Subject {
  readonly kind: 'staff' | 'student'
  readonly userId: string
  readonly account: string
  readonly name: string
  readonly tenant: string
  readonly sessionId: string
  readonly roles: readonly string[]
  readonly roleIds: readonly string[]
  readonly permissions: ReadonlySet<string>
  readonly org: { readonly id: string; readonly name: string } | null
}

/** One line of the audit log. Field names, never their secret values (docs/rules/security.md#l1). */
export interface AuditEvent {
  readonly action: string
  readonly object?: string
  readonly objectId?: string
  readonly result: 'ok' | 'denied' | 'failed'
  readonly detail?: Readonly<Record<string, unknown>>
}

/** What lives as long as the server. */
export interface Services {
  readonly database: Database
  readonly settings: Settings
  readonly registry: EntityRegistry
  readonly log: Logger
  /** The one clock, so that tests can move it. */
  readonly now: () => Date
  /** A new snowflake id; fits a bigint. */
  readonly newId: () => string
}

/** What a handler gets besides its parsed input. */
export interface Context extends Services {
  /** Present on every call whose access is not `public`. */
  readonly subject: Subject
  readonly locale: Locale
  readonly ip: string
  readonly traceId: string
  readonly request: Request
  /** Appends to the audit log; never throws for the caller. */
  readonly audit: (event: AuditEvent) => Promise<void>
}

/** All handlers: a call of the contract without one does not compile. */
export type ServerHandlers = Handlers<typeof contract, Context>
