// Three extra rules for the entities of accounts and roles (docs/rules/security.md#threats P2, §6,
// H9): a user cannot create or change an account or role with more permissions than their own;
// setting the password of an account ends its sessions and requires a new password at the next
// sign-in; and one administrator must remain.
import { adminRole, allPermission, may } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { LoadedEntity } from '../definition/loaded.ts'
import type { AnyDatabase } from '../read/rows.ts'

const isAccounts = (entity: LoadedEntity): boolean => isTable(entity, 'app_user')
const isRoles = (entity: LoadedEntity): boolean => isTable(entity, 'role')

/** Call before and after a write to these rows, in its transaction. @throws Refusal 403 */
export async function guardAccounts(
  db: AnyDatabase,
  context: Context,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<void> {
  if (!(isAccounts(entity) || isRoles(entity)) || may(context.subject.permissions, allPermission))
    return
  if (await exceedsCaller(db, context, entity, ids))
    throw new Refusal(403, { key: 'role.holdsMore' })
}

/**
 * Whether one of the accounts or roles has a permission the caller lacks. Administrators have all.
 */
async function exceedsCaller(
  db: AnyDatabase,
  { subject }: Context,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<boolean> {
  const roles = isRoles(entity)
    ? sql`r.id::text = any(${ids}::text[])`
    : sql`exists (
        select 1 from sys.app_user u
        where u.id::text = any(${ids}::text[]) and r.id::text = any(u.role_ids)
          and u.tenant_id = ${subject.tenant}::int8
      )`
  const { rows } = await sql`
    select 1 from sys.role r
    left join sys.role_permission p on p.tenant_id = r.tenant_id and p.role_id = r.id
    where r.tenant_id = ${subject.tenant}::int8 and ${roles} and r.deleted_at is null and (
      r.code = ${adminRole}
      or (p.code is not null and p.code <> all(${[...subject.permissions]}::text[]))
    ) limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Call after changing or deleting rows, in the same transaction. Locks the tenant, so that two
 * administrators cannot remove each other at the same time.
 * @throws Refusal 409
 */
export async function assertAdministratorRemains(
  db: AnyDatabase,
  { subject: { tenant } }: Context,
  entity: LoadedEntity,
): Promise<void> {
  if (!isAccounts(entity) && !isRoles(entity)) return
  await sql`select id from sys.tenant where id = ${tenant}::int8 for update`.execute(db)
  const { rows } = await sql`
    select 1 from sys.app_user u
    join sys.role r on r.id::text = any(u.role_ids) and r.tenant_id = u.tenant_id
    where u.tenant_id = ${tenant}::int8 and u.status = '1' and u.deleted_at is null
      and r.code = ${adminRole} and r.status = '1' and r.deleted_at is null limit 1`.execute(db)
  if (rows.length === 0) throw new Refusal(409, { key: 'role.lastAdministrator' })
}

export async function afterPasswordChange(
  db: AnyDatabase,
  { now, subject: { tenant } }: Context,
  entity: LoadedEntity,
  id: string,
): Promise<void> {
  if (!isAccounts(entity)) return
  exactlyOne(
    await sql`
      update sys.app_user set must_change_password = true
      where tenant_id = ${tenant}::int8 and id = ${id}::int8`.execute(db),
    entity.definition.name,
  )
  await sql`
    update sys.session set ended_at = ${now().toISOString()}::timestamptz, ended_reason = 'password'
    where tenant_id = ${tenant}::int8 and user_id = ${id}::int8 and ended_at is null`.execute(db)
}

function isTable({ table }: LoadedEntity, name: string): boolean {
  return table.schema === 'sys' && table.name === name
}
