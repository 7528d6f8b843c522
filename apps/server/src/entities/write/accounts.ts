// Extra rules for the entities of accounts and roles (docs/rules/security.md#threats P2, §6, H9): a user cannot
// create or change an account or role with more permissions than their own; setting the password of an account
// ends its sessions and requires a new password at the next sign-in; nobody changes their own roles or person; one
// administrator must remain; and three administrators stay apart.
import { adminRole, allPermission } from '@jiaowu/api/limits'
import { may } from '@jiaowu/api/entity/permission'
import type { Message } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import {
  assertDutiesApart,
  codesOfOthers,
  dutyRoles,
  hasSplitDuties,
  ownRoles,
} from '../../access/duties.ts'
import type { Context } from '../../model/context.ts'
import { readPasswordLength } from '../../identity/password-rules.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { fault } from '../read/query.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'

const isAccounts = (entity: LoadedEntity): boolean => isTable(entity, 'app_user')
const isRoles = (entity: LoadedEntity): boolean => isTable(entity, 'role')

/** Call before and after a write to these rows, in its transaction. @throws Refusal 403 */
export async function guardAccounts(
  db: AnyDatabase,
  context: Context,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<void> {
  if (!(isAccounts(entity) || isRoles(entity))) return
  const isFree = may(context.subject.permissions, allPermission)
  if (!isFree && (await exceedsCaller(db, context, entity, ids)))
    throw new Refusal(403, { key: 'role.holdsMore' })
  await assertDutiesApart(db, context, context.subject.tenant)
}

/** Reads the caller's own roles and person before a write; the result asserts that they are the same after it. */
export async function keepOwnRoles(
  db: AnyDatabase,
  context: Context,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<() => Promise<void>> {
  const before = isAccounts(entity) ? await ownRoles(db, context, ids) : undefined
  return async () => {
    if (before !== undefined && (await ownRoles(db, context, ids)) !== before)
      throw new Refusal(403, { key: 'role.notOwn' })
  }
}

/**
 * The columns of accounts by which a person could make themselves another one, or give themselves rights: row
 * rules let in by `user.person`.
 */
const grantingColumns: readonly string[] = ['role_ids', 'password_hash', 'person_tag', 'person_id']

/** Whether writing a field hands out rights: the roles, the password or the person of an account. */
export function isGranting(entity: LoadedEntity, { column }: LoadedField): boolean {
  return isAccounts(entity) && column !== null && grantingColumns.includes(column.name)
}

/** The index by which a person has at most one account of a school. */
export const personIndex = 'sys_app_user_person_key'
export const personTaken: Message = { key: 'entity.personTaken' }

/** What an import says of a value that another row has. */
export function takenMessage(entity: LoadedEntity, attrName: string): Message {
  return isAccounts(entity) && entity.column(attrName)?.name === 'person_id'
    ? personTaken
    : { key: 'rule.unique' }
}

/**
 * A person has at most one account, also where two entities are on the table of the person: the index of
 * accounts tells their tags apart. Call after a write, in its transaction. @throws Invalid
 */
export async function guardPersons(
  db: AnyDatabase,
  { registry, subject: { tenant } }: Pick<Context, 'registry' | 'subject'>,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<void> {
  if (!isAccounts(entity) || ids.length === 0) return
  const { rows } = await sql<{ own: string; other: string }>`
    select distinct u.person_tag as own, o.person_tag as other from sys.app_user u
    join sys.app_user o on o.tenant_id = u.tenant_id and o.person_id = u.person_id
    where u.tenant_id = ${tenant}::int8 and u.id = any(${[...ids]}::int8[]) and u.deleted_at is null
      and o.person_tag <> u.person_tag and o.deleted_at is null`.execute(db)
  for (const { own, other } of rows) {
    const [first, second] = [await registry.find(tenant, own), await registry.find(tenant, other)]
    if (first === undefined || second === undefined || tableKey(first) !== tableKey(second))
      continue
    const field = entity.fields.find(({ column }) => column?.name === 'person_id')
    const path = field?.definition.attrName ?? 'id'
    throw new Invalid([fault(path, 'unique', personTaken)])
  }
}

/**
 * Whether one of the accounts or roles has a permission the caller lacks. Administrators have all.
 */
async function exceedsCaller(
  db: AnyDatabase,
  context: Context,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<boolean> {
  const { subject } = context
  const others = await codesOfOthers(db, context)
  const isLacking =
    others === null
      ? sql`p.code <> all(${[...subject.permissions]}::text[])`
      : sql`p.code = any(${[...others]}::text[])`
  // A role that hands out rights by its code holds more than its permissions.
  const offices = [adminRole, dutyRoles.security].filter((code) => !subject.roles.includes(code))
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
      r.code = any(${offices}::text[])
      or (p.code is not null and ${isLacking})
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
  const isSplit = await hasSplitDuties(db, tenant, { lock: true })
  const needed = isSplit ? Object.values(dutyRoles) : [adminRole]
  const { rows } = await sql`
    select distinct r.code from sys.app_user u
    join sys.role r on r.id::text = any(u.role_ids) and r.tenant_id = u.tenant_id
    where u.tenant_id = ${tenant}::int8 and u.status = '1' and u.deleted_at is null
      and r.code = any(${needed}::text[]) and r.status = '1' and r.deleted_at is null`.execute(db)
  if (rows.length < needed.length) throw new Refusal(409, { key: 'role.lastAdministrator' })
}

/** Characters that a new password of an account needs; read for the entities of accounts alone. */
export async function passwordLengthFor(context: Context, entity: LoadedEntity): Promise<number> {
  return isAccounts(entity) ? await readPasswordLength(context, context.subject.tenant) : 0
}

/** Call after the hash of an account was written, in the same transaction. */
export async function afterPasswordChange(
  db: AnyDatabase,
  { now, subject: { tenant } }: Context,
  entity: LoadedEntity,
  id: string,
): Promise<void> {
  if (!isAccounts(entity)) return
  exactlyOne(
    await sql`
      update sys.app_user set must_change_password = true,
        password_changed_at = ${now().toISOString()}::timestamptz
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
