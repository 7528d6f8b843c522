import type { FieldNarrowing, RowScope } from '@jiaowu/api/entity/role'
import type { Locale } from '@jiaowu/api/locale'
import type { CookieOptions } from 'hono/utils/cookie'
import type { RawBuilder } from 'kysely'
import type { Logger } from 'pino'
import type { Settings } from './settings/settings.ts'
import type { AuditKeys } from './audit/keys.ts'
import type { Memory } from './memory.ts'
import type { Keys } from './keys/keys.ts'
import type { Database } from './database/open-database.ts'

/** The rule of a role on one table. */
export interface StoredRule {
  readonly scope: RowScope
  /** Names columns. */
  readonly expression: string | null
  /** By column, or `custom:attrName`. */
  readonly overrides: Readonly<Record<string, FieldNarrowing>>
}

/** The grants of one enabled role. */
export interface RoleGrant {
  readonly id: string
  readonly code: string
  readonly permissions: readonly string[]
  /** By table, as `schema.table`. */
  readonly rules: Readonly<Record<string, StoredRule>>
}

/** The caller, read from the session on every request, so that a revoked role acts on the next call. */
export interface Subject {
  readonly kind: 'staff' | 'student'
  /** A student who applies: with the rights that flows of the school give to its students (access/applicant.ts). */
  readonly isApplicant?: true
  readonly userId: string
  readonly account: string
  readonly name: string
  readonly tenant: string
  readonly sessionId: string
  /** The program's token by which the call is made for the person. */
  readonly token?: {
    readonly id: string
    readonly name: string
    readonly perSecond: number
    readonly rights: readonly string[]
  }
  /** The agent whose proposal the call carries out, which its person has confirmed. */
  readonly agent?: string
  readonly roles: readonly string[]
  readonly roleIds: readonly string[]
  readonly permissions: ReadonlySet<string>
  /** Grants of each role, because rows and fields of one role do not widen what another may do. */
  readonly grants: readonly RoleGrant[]
  readonly org: { readonly id: string; readonly name: string } | null
  /** The row that this account belongs to, as an administrator linked it; `user.person` of row rules. */
  readonly person: Person | null
}

/** A row of an entity (EDU_TEACHER, EDU_STUDENT …) by its id. */
export interface Person {
  readonly tag: string
  readonly id: string
}

/** One line of the audit log. Holds names of fields, never values of secret ones (docs/rules/security.md#l1). */
export interface AuditEvent {
  readonly action: string
  readonly object?: string
  readonly objectId?: string
  readonly result: 'ok' | 'denied' | 'failed'
  readonly detail?: Readonly<Record<string, unknown>>
}

/** A transaction of `transact`, whatever the tables its statements are typed with. */
export interface InTransaction {
  readonly isTransaction: boolean
}

/** The parts that live as long as the server. `Services` of `model/context.ts` adds the entities. */
export interface PlatformServices {
  readonly database: Database
  readonly settings: Settings
  /** Keys of personal data stored encrypted (docs/rules/security.md#d6). */
  readonly keys: Keys
  /** Keys of the audit chains (docs/rules/security.md#l1). */
  readonly auditKeys: AuditKeys
  /** Holds what the server remembers between calls. */
  readonly memory: Memory
  readonly log: Logger
  /** The only clock of the server, so that tests can move it. */
  readonly now: () => Date
  /** A new snowflake id; fits a bigint. */
  readonly newId: () => string
}

/** Cookies of the request, and those set on a successful reply to it. */
interface Cookies {
  readonly get: (name: string) => string | undefined
  readonly set: (name: string, value: string, options: CookieOptions) => void
}

/**
 * Lets a statement of a call show that its caller, remembered from an earlier call, has not changed
 * (docs/rules/security.md#s4).
 */
export interface CallerProof {
  /** Hash of the access token. */
  readonly hash: string
  /** The expression to check in the last statement of a transaction. */
  readonly value: RawBuilder<string | null>
  /** Compares the value of `callerStamp` in a statement of the call. @throws CallerChanged */
  readonly check: (found: unknown) => void
  /** Asks in a statement of its own, where the one that read rows found none. @throws CallerChanged */
  readonly confirm: () => Promise<void>
}

/** Everything that a handler gets besides its parsed input. `Context` of `model/context.ts` adds the entities. */
export interface PlatformContext extends PlatformServices {
  /** All fields empty on calls whose access is `public`. */
  readonly subject: Subject
  /** Only where the caller was not read for this call; without a check the answer is dropped. */
  readonly proof?: CallerProof
  readonly locale: Locale
  readonly ip: string
  readonly traceId: string
  readonly request: Request
  readonly cookies: Cookies
  /**
   * Appends a line to the audit log at the end of `trx`, the transaction of what the line tells of
   * (docs/rules/security.md#l1).
   */
  readonly audit: (event: AuditEvent, trx: InTransaction) => void
  /**
   * For acts that a stolen session must not be enough for: passes when the person has proved lately who they
   * are (docs/rules/security.md#s6). The contract declares which calls may ask (`fresh`). A job was asked when
   * it was started. @param trx the transaction of the act, where one is open @throws Refusal 403/40310
   */
  readonly proveFresh: (trx?: InTransaction) => Promise<void>
  /** Appends a line about something that writes nothing: a read, a refusal, a failed attempt. */
  readonly auditAlone: (event: AuditEvent) => Promise<void>
}

/** For contexts without a request, such as those of jobs: their caller was asked when the job was started. */
export const noRequest: Pick<PlatformContext, 'cookies' | 'proveFresh'> = {
  cookies: { get: () => undefined, set: () => undefined },
  proveFresh: async () => {},
}
