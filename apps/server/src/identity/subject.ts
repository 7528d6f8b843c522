import { sql } from 'kysely'
import type { Context, Services } from '../model/context.ts'
import type { AuditActor } from '../platform/audit/line.ts'
import type { Person, RoleGrant } from '../platform/context.ts'
import { formatStudentAccount, readStudent } from './student/subject.ts'
import { studentRole } from '../access/student-role.ts'
import { demandsFactor, hasFactor, toFactorState } from './factor/factors.ts'
import { toGranted, selectGrants } from './granted.ts'
import { assertLive, endAllSessions, locateSession, sessionRefusal } from './sessions.ts'
import {
  callerStamp,
  recallCaller,
  type RecalledCaller,
  rememberCaller,
  type SessionSubject,
} from './callers.ts'
import { isProviderProof } from './provider-proof.ts'
import { noteUse } from './own-sessions.ts'
import { hashOf, schoolOfToken } from '../platform/tokens.ts'

/** The user account, for sign-in and every request. */
export function readUser({ database: { kysely } }: Services, tenant: string, userId: string) {
  return kysely
    .selectFrom('sys.app_user as u')
    .leftJoin('sys.org as o', (join) =>
      join.onRef('o.tenant_id', '=', 'u.tenant_id').onRef('o.id', '=', 'u.org_id'),
    )
    .innerJoin('sys.tenant as t', 't.id', 'u.tenant_id')
    .select([
      'u.id',
      'u.tenant_id',
      'u.account',
      'u.name',
      'u.status',
      'u.role_ids',
      'u.must_change_password',
      'u.password_hash',
      'u.password_changed_at',
      'u.person_tag',
      'u.person_id',
      'o.id as org_id',
      'o.name as org_name',
      't.status as tenant_status',
      hasFactor(tenant, sql.ref('u.id')).as('has_factor'),
      demandsFactor(tenant, sql.ref('u.role_ids')).as('demands_factor'),
    ])
    .where('u.tenant_id', '=', tenant)
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

export type UserRecord = NonNullable<Awaited<ReturnType<typeof readUser>>>

export function isActive(user: UserRecord | undefined): user is UserRecord {
  return user !== undefined && user.status === '1' && user.tenant_status === '1'
}

/** The account as the one who acts, for lines of the audit log of calls without a session. */
export function toUserActor(
  { ip, traceId }: Pick<Context, 'ip' | 'traceId'>,
  { tenant_id, id, account }: UserRecord,
): AuditActor {
  return { tenant: tenant_id, userId: id, account, ip, traceId }
}

/** The row that an account is linked to. */
export function readPerson({
  person_tag,
  person_id,
}: Pick<UserRecord, 'person_tag' | 'person_id'>): Person | null {
  return person_tag === null || person_id === null ? null : { tag: person_tag, id: person_id }
}

const bearer = /^bearer\s+(\S+)$/i

/**
 * The subject of a request. Read on every request, so that sign-out, disabling and role changes take
 * effect on the next call; in one statement, because every call pays for it. @throws Refusal 401
 */
export async function readSubject(
  services: Services,
  authorization: string | null,
): Promise<SessionSubject> {
  if (authorization === null || authorization === '')
    throw sessionRefusal(401, 'problem.pleaseLogin')
  const token = bearer.exec(authorization)?.[1]
  if (token === undefined) throw sessionRefusal(40002, 'problem.tokenMalformed')
  const { tenant, hash } = await locateSession(services, token)
  const session = await readSession(services, tenant, hash)
  assertLive(services, session)
  await noteUse(services, session)
  if (session.kind === 'student') return await buildStudentSubject(services, session)
  const subject = await buildStaffSubject(services, session)
  const expiresAt = new Date(session.access_expires_at).getTime()
  rememberCaller(services, hash, { subject, stamp: session.stamp, expiresAt })
  return subject
}

/** The staff of a token as its last call read them, for calls that prove it (docs/rules/security.md#s4). */
export function recallSubject(
  services: Services,
  authorization: string | null,
): RecalledCaller | undefined {
  const token = bearer.exec(authorization ?? '')?.[1] ?? ''
  const tenant = schoolOfToken(token)
  // Tokens without a school are from before migration 0018.
  return tenant === undefined || tenant === null
    ? undefined
    : recallCaller(services, tenant, hashOf(token))
}

/** The session of an access token with the account of its user, null where it is a student's. */
interface SessionRow {
  readonly id: string
  readonly tenant_id: string
  readonly user_id: string
  readonly kind: 'staff' | 'student'
  readonly access_expires_at: string
  readonly ended_at: string | null
  readonly ended_reason: string | null
  readonly family_id: string
  readonly used_at: string | null
  readonly proof_by: string | null
  readonly tenant_status: string
  readonly account: string | null
  readonly name: string | null
  readonly status: string | null
  readonly must_change_password: boolean | null
  readonly person_tag: string | null
  readonly person_id: string | null
  readonly org_id: string | null
  readonly org_name: string | null
  readonly granted: readonly RoleGrant[] | null
  readonly has_factor: boolean | null
  readonly demands_factor: boolean | null
  /** Read in the same snapshot. */
  readonly stamp: string
}

async function readSession(
  { database: { kysely } }: Services,
  tenant: string,
  hash: string,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select s.id, s.tenant_id, s.user_id, s.kind, s.access_expires_at, s.ended_at, s.ended_reason, s.family_id, s.used_at, s.proof_by,
      t.status as tenant_status, u.account, u.name, u.status, u.must_change_password,
      u.person_tag, u.person_id, o.id as org_id, o.name as org_name, ${selectGrants(tenant, sql`u.role_ids`)} as granted,
      ${hasFactor(tenant, sql`u.id`)} as has_factor, ${demandsFactor(tenant, sql`u.role_ids`)} as demands_factor,
      ${callerStamp(tenant, hash)} as stamp
    from sys.session s
    join sys.tenant t on t.id = s.tenant_id
    left join sys.app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id
      and s.kind = 'staff' and u.deleted_at is null
    left join sys.org o on o.tenant_id = u.tenant_id and o.id = u.org_id
    where s.tenant_id = ${tenant}::int8 and s.access_hash = ${hash}`.execute(kysely)
  return rows[0]
}

/** A student has no permission (docs/rules/security.md#permissions). */
async function buildStudentSubject(
  services: Services,
  session: SessionRow,
): Promise<SessionSubject> {
  const student = await readStudent(services, session.tenant_id, session.user_id, session.proof_by)
  if (student === undefined) throw await refuseDisabled(services, session)
  return {
    kind: 'student',
    userId: student.id,
    account: formatStudentAccount(student),
    name: student.name,
    tenant: student.tenant_id,
    sessionId: session.id,
    mustChangePassword: false,
    factor: 'proven',
    ...toGranted([]),
    roles: [studentRole],
    org: null,
    person: null,
  }
}

async function refuseDisabled(services: Services, { tenant_id, user_id }: SessionRow) {
  const owner = { tenant: tenant_id, userId: user_id }
  await endAllSessions(services.database.kysely, services, owner, 'disabled')
  return sessionRefusal(40005, 'problem.accountDisabled')
}

async function buildStaffSubject(services: Services, session: SessionRow): Promise<SessionSubject> {
  const { account, name, org_id, org_name } = session
  if (account === null || session.status !== '1' || session.tenant_status !== '1')
    throw await refuseDisabled(services, session)
  return {
    kind: session.kind,
    userId: session.user_id,
    account,
    name: name ?? '',
    tenant: session.tenant_id,
    sessionId: session.id,
    factor: toFactorState(session.proof_by, session.has_factor, session.demands_factor),
    mustChangePassword: session.must_change_password === true && !isProviderProof(session.proof_by),
    ...toGranted(session.granted ?? []),
    org: org_id === null ? null : { id: org_id, name: org_name ?? '' },
    person: readPerson(session),
  }
}
