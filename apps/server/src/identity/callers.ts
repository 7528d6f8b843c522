// Callers are remembered between calls. A statement of the call then shows that nothing about them has changed
// (docs/rules/security.md#s4).
import { type RawBuilder, sql } from 'kysely'
import type { Services } from '../model/context.ts'
import type { CallerProof, Subject } from '../platform/context.ts'
import type { MemoryKind } from '../platform/memory.ts'
import type { FactorState } from './factor/factors.ts'
import { Slot } from '../platform/database/statements/statement-template.ts'

/** A subject with the state that only the entry of the API uses. */
export interface SessionSubject extends Subject {
  readonly mustChangePassword: boolean
  readonly factor: FactorState
}

/** For changes of a role that leave its version alone, which only other programs make. */
const lifetimeMs = 30_000

interface Remembered {
  readonly subject: SessionSubject
  readonly stamp: string
  readonly expiresAt: number
}
/** By the hash of the access token. */
const callers: MemoryKind<Remembered> = { name: 'callers', limit: 5_000, age: lifetimeMs }

/** Stands for the hash of the caller's access token in a statement that many callers share. */
export const tokenSlot = new Slot('access token')

/**
 * An expression whose value changes with all that decides who a caller is and what it may do: its
 * session, account and its person, organisation, school, and the versions of its roles.
 */
export function callerStamp(tenant: string, hash: string | Slot): RawBuilder<string | null> {
  return sql`(
    select row(s.ended_at, s.user_id, x.status, u.account, u.name, u.status, u.must_change_password,
      u.person_tag, u.person_id, o.id, o.name, (
        select string_agg(concat_ws(':', r.id, r.version, r.status, r.code), ',' order by r.id)
        from sys.role r
        where r.tenant_id = ${tenant}::int8 and r.id::text = any(u.role_ids) and r.deleted_at is null
      ))::text
    from sys.session s
    join sys.tenant x on x.id = s.tenant_id
    left join sys.app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id
      and s.kind = 'staff' and u.deleted_at is null
    left join sys.org o on o.tenant_id = u.tenant_id and o.id = u.org_id
    where s.tenant_id = ${tenant}::int8 and s.access_hash = ${hash}
  )`
}

/** A statement has shown that the remembered caller has changed: the caller is read and the call made anew. */
export class CallerChanged extends Error {
  constructor() {
    super('The caller has changed since it was remembered.')
    this.name = 'CallerChanged'
  }
}

export function rememberCaller(
  { memory }: Pick<Services, 'memory'>,
  hash: string,
  caller: Remembered,
): void {
  memory.of(callers).set(hash, caller)
}

export interface RecalledCaller {
  readonly subject: SessionSubject
  readonly proof: CallerProof
  /** Whether a check has passed. */
  readonly isProven: () => boolean
}

/** The caller as of its last call, with the means to show that this still holds. */
export function recallCaller(
  { database, memory, now }: Pick<Services, 'database' | 'memory' | 'now'>,
  tenant: string,
  hash: string,
): RecalledCaller | undefined {
  const known = memory.of(callers)
  const found = known.get(hash)
  if (found === undefined || now().getTime() >= found.expiresAt) {
    known.delete(hash)
    return undefined
  }
  let isProven = false
  const check = (value: unknown) => {
    if (value !== found.stamp) {
      known.delete(hash)
      throw new CallerChanged()
    }
    isProven = true
  }
  return {
    subject: found.subject,
    proof: {
      hash,
      // With the same text as `callerStamp` (migration 0046).
      value: sql<string | null>`sys.caller_stamp(${tenant}::int8, ${hash}::text)`,
      check,
      confirm: async () => {
        const { rows } = await sql<{ caller: string | null }>`
          select ${callerStamp(tenant, hash)} as caller`.execute(database.kysely)
        check(rows[0]?.caller)
      },
    },
    isProven: () => isProven,
  }
}
