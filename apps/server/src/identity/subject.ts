import { adminRole, allPermission } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Services, Subject } from '../context.ts'
import { maskMobile } from '../students/mask.ts'
import { readStudent, studentRole } from '../students/subject.ts'
import { endAllOf, readSession, sessionRefusal } from './sessions.ts'

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
      'o.id as org_id',
      'o.name as org_name',
      't.status as tenant_status',
    ])
    .where('u.tenant_id', '=', tenant)
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

export type UserRecord = NonNullable<Awaited<ReturnType<typeof readUser>>>

/** The enabled roles of a user and their permissions. */
export async function readRoles(
  { database: { kysely } }: Services,
  { role_ids, tenant_id }: Pick<UserRecord, 'role_ids' | 'tenant_id'>,
) {
  if (role_ids.length === 0) return { roles: [], roleIds: [], permissions: new Set<string>() }
  const rows = await kysely
    .selectFrom('sys.role as r')
    .leftJoin('sys.role_permission as p', (join) =>
      join.onRef('p.tenant_id', '=', 'r.tenant_id').onRef('p.role_id', '=', 'r.id'),
    )
    .select(['r.id', 'r.code', 'p.code as permission'])
    .where(sql<string>`r.id::text`, 'in', role_ids)
    .where('r.tenant_id', '=', tenant_id)
    .where('r.status', '=', '1')
    .where('r.deleted_at', 'is', null)
    .execute()
  const roles = [...new Set(rows.map((row) => row.code))]
  const permissions = new Set(
    rows.flatMap(({ permission }) => (permission === null ? [] : [permission])),
  )
  // Only the server grants this, and to this role alone (docs/rules/security.md#permissions).
  if (roles.includes(adminRole)) permissions.add(allPermission)
  return { roles, roleIds: [...new Set(rows.map((row) => row.id))], permissions }
}

export function isActive(user: UserRecord | undefined): user is UserRecord {
  return user !== undefined && user.status === '1' && user.tenant_status === '1'
}

/** A subject with the state that only the entry of the API uses. */
export interface SessionSubject extends Subject {
  readonly mustChangePassword: boolean
}

const bearer = /^bearer\s+(\S+)$/i

/**
 * The subject of a request. Read on every request, so that sign-out, disabling and role changes take
 * effect on the next call. @throws Refusal 401
 */
export async function readSubject(
  services: Services,
  authorization: string | null,
): Promise<SessionSubject> {
  if (authorization === null || authorization === '')
    throw sessionRefusal(401, 'problem.pleaseLogin')
  const token = bearer.exec(authorization)?.[1]
  if (token === undefined) throw sessionRefusal(40002, 'problem.tokenMalformed')
  const session = await readSession(services, token)
  return session.kind === 'student' ? studentOf(services, session) : staffOf(services, session)
}

/** A student has an account while a mobile is bound, and no permission (docs/rules/security.md#permissions). */
async function studentOf(services: Services, session: LiveSession): Promise<SessionSubject> {
  const student = await readStudent(services, session.tenant_id, session.user_id)
  if (student === undefined) throw await disabled(services, session)
  return {
    kind: 'student',
    userId: student.id,
    account: maskMobile(student.account_mobile),
    name: student.name,
    tenant: student.tenant_id,
    sessionId: session.id,
    mustChangePassword: false,
    roles: [studentRole],
    roleIds: [],
    permissions: new Set(),
    org: null,
  }
}

async function disabled(services: Services, { tenant_id, user_id }: LiveSession) {
  const owner = { tenant: tenant_id, userId: user_id }
  await endAllOf(services.database.kysely, services, owner, 'disabled')
  return sessionRefusal(40005, 'problem.accountDisabled')
}

async function staffOf(services: Services, session: LiveSession): Promise<SessionSubject> {
  const user = await readUser(services, session.tenant_id, session.user_id)
  if (!isActive(user)) throw await disabled(services, session)
  const granted = await readRoles(services, user)
  return {
    kind: session.kind,
    userId: user.id,
    account: user.account,
    name: user.name,
    tenant: user.tenant_id,
    sessionId: session.id,
    mustChangePassword: user.must_change_password,
    ...granted,
    org: user.org_id === null ? null : { id: user.org_id, name: user.org_name ?? '' },
  }
}

type LiveSession = Awaited<ReturnType<typeof readSession>>
