// Three administrators instead of one (docs/rules/security.md#three-administrators): in a school that has split
// its administration no account holds rights of two of them.
import { adminRole, allPermission } from '@jiaowu/api/limits'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { sql } from 'kysely'
import type { Context } from '../model/context.ts'
import type { AnyDatabase } from '../platform/database/any-database.ts'
import { Refusal } from '../platform/refusal.ts'

export const duties = ['system', 'security', 'audit'] as const
export type Duty = (typeof duties)[number]

export const dutyRoles = {
  system: 'ROLE_SYSTEM_ADMIN',
  security: 'ROLE_SECURITY_ADMIN',
  audit: 'ROLE_AUDIT_ADMIN',
} as const satisfies Record<Duty, string>

/** Tables whose rows an entity of any name may write, by the duty that this is. */
const dutyTables: readonly (readonly [Duty, string])[] = [
  ['security', 'sys.app_user'],
  ['security', 'sys.role'],
  ['system', 'sys.param'],
  ['system', 'sys.menu'],
  ['system', 'sys.api'],
  ['system', 'sys.application'],
]
const writing = ['add', 'update', 'delete'] as const

type Registered = Pick<Context, 'registry'>

/**
 * The permissions that make each duty. Others are those of the school's work and belong to none. Reads the
 * definitions as last loaded: in a transaction a query of the registry would wait for it.
 */
export function dutyCodes(
  { registry }: Registered,
  tenant: string,
): Readonly<Record<Duty, readonly string[]>> {
  const codesOn = (duty: Duty) =>
    dutyTables
      .filter(([of]) => of === duty)
      .flatMap(([, table]) => registry.ofTable(tenant, table))
      .flatMap(({ tag }) => writing.map((action) => entityPermission(tag, action)))
  return {
    system: [
      'entity:design',
      'entity:adopt',
      'entity:sql',
      'tenant:manage',
      'job:view',
      ...codesOn('system'),
    ],
    security: codesOn('security'),
    audit: ['audit:view'],
  }
}

/** @param lock until the transaction ends, so that two grants are not made at once */
export async function hasSplitDuties(
  db: AnyDatabase,
  tenant: string,
  { lock = false } = {},
): Promise<boolean> {
  const { rows } = await sql<{ split_duties: boolean }>`
    select split_duties from sys.tenant where id = ${tenant}::int8 ${
      lock ? sql`for update` : sql``
    }`.execute(db)
  return rows[0]?.split_duties === true
}

interface Conflict {
  readonly account: string
  readonly duties: readonly Duty[]
  readonly roles: readonly string[]
}

/**
 * Call after a write of accounts, roles or permissions of roles, in its transaction. Switched-off accounts
 * count: switching one on is no grant. @throws Refusal 409 with the account and its roles
 */
export async function assertDutiesApart(
  db: AnyDatabase,
  context: Registered,
  tenant: string,
): Promise<void> {
  if (!(await hasSplitDuties(db, tenant))) return
  await hasSplitDuties(db, tenant, { lock: true })
  const [found] = await dutyConflicts(db, context, tenant)
  if (found !== undefined)
    throw new Refusal(409, {
      key: 'role.twoDuties',
      params: { account: found.account, roles: found.roles.join('、') },
    })
}

/** Accounts with rights of two duties, or with the role that holds every right. */
export async function dutyConflicts(
  db: AnyDatabase,
  context: Registered,
  tenant: string,
): Promise<readonly Conflict[]> {
  const codes = dutyCodes(context, tenant)
  const pairs = duties.flatMap((duty) => codes[duty].map((code) => [code, duty] as const))
  const { rows } = await sql<Conflict>`
    select u.account, array_agg(distinct d.duty) as duties, array_agg(distinct r.name) as roles
    from sys.app_user u
    join sys.role r on r.tenant_id = ${tenant}::int8 and r.id::text = any(u.role_ids)
      and r.status = '1' and r.deleted_at is null
    left join sys.role_permission p on p.tenant_id = ${tenant}::int8 and p.role_id = r.id
    join unnest(${pairs.map(([code]) => code)}::text[], ${pairs.map(([, duty]) => duty)}::text[])
      as d(code, duty) on d.code = p.code or r.code = ${adminRole}
    where u.tenant_id = ${tenant}::int8 and u.deleted_at is null
    group by u.id, u.account having count(distinct d.duty) > 1
    order by u.account limit 1`.execute(db)
  return rows
}

/**
 * The permissions that the caller cannot hand out, where the caller hands out rights by office: those of other
 * administrators. Null for everybody else, who hands out what they hold.
 */
export async function codesOfOthers(
  db: AnyDatabase,
  context: Pick<Context, 'registry' | 'subject'>,
): Promise<readonly string[] | null> {
  const { roles, permissions, tenant } = context.subject
  if (may(permissions, allPermission) || !roles.includes(dutyRoles.security)) return null
  if (!(await hasSplitDuties(db, tenant))) return null
  const { system, audit } = dutyCodes(context, tenant)
  return [...system, ...audit].filter((code) => !permissions.has(code))
}

/** The roles and the person of an own account among rows that are about to be written; undefined without one. */
export async function ownRoles(
  db: AnyDatabase,
  { subject: { tenant, userId } }: Pick<Context, 'subject'>,
  ids: readonly string[],
): Promise<string | undefined> {
  if (!ids.includes(userId)) return undefined
  const { rows } = await sql<{ roles: string }>`
    select row(array(select unnest(role_ids) order by 1), person_tag, person_id)::text as roles
    from sys.app_user
    where tenant_id = ${tenant}::int8 and id = ${userId}::int8`.execute(db)
  return rows[0]?.roles
}
