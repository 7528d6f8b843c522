// How long sessions last: constants that a school may shorten (docs/rules/contract.md#sessions).
import type { Services } from '../model/context.ts'
import type { Subject } from '../platform/context.ts'
import { readSchoolSettings } from '../platform/settings/school-settings.ts'

type Db = Pick<Services['database']['kysely'], 'selectFrom'>

const minute = 60_000

/** Milliseconds, but for `sessions`: concurrent sessions per user (docs/rules/security.md#s1). */
export interface SessionTimes {
  readonly access: number
  /** Without a refresh. */
  readonly idle: number
  /** From the sign-in. */
  readonly absolute: number
  readonly sessions: number
}

const accessLife = 30 * minute
const codes = {
  staff: ['STAFF_IDLE_MINUTES', 'STAFF_SESSION_MINUTES', 'STAFF_SESSIONS'],
  student: ['STUDENT_IDLE_MINUTES', 'STUDENT_SESSION_MINUTES', 'STUDENT_SESSIONS'],
} as const

/** @param db the transaction, where there is one, because the embedded database has one connection */
export async function readSessionTimes(
  db: Db,
  tenant: string,
  kind: Subject['kind'],
): Promise<SessionTimes> {
  const [idleCode, absoluteCode, sessionsCode] = codes[kind]
  const set = await readSchoolSettings(db, tenant, codes[kind])
  const idle = set[idleCode] * minute
  return {
    access: Math.min(accessLife, idle),
    idle,
    absolute: set[absoluteCode] * minute,
    sessions: set[sessionsCode],
  }
}

/** Milliseconds for which a proof of who the person is counts for all acts of its session. */
export async function readProofWindow(db: Db, tenant: string): Promise<number> {
  return (await readSchoolSettings(db, tenant, ['PROOF_MINUTES'])).PROOF_MINUTES * minute
}
