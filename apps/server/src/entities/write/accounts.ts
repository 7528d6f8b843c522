// Extra rules for the entities of accounts and roles (docs/rules/security.md#threats P2, §6, H9): a user cannot
// create or change an account or role with more permissions than their own; setting the password of an account
// ends its sessions and requires a new password at the next sign-in; nobody changes their own roles or person; one
// administrator must remain; and three administrators stay apart.
import { adminRole, allPermission } from '@jiaowu/api/limits'
import { isEmpty } from '@jiaowu/api/fields/kinds'
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
import { buildFilterFault } from '../read/query.ts'
import { type Batch, readRowKey, readRowKeys } from './writer.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'

const isAccounts = (entity: LoadedEntity): boolean => isTable(entity, 'app_user')
const isRoles = (entity: LoadedEntity): boolean => isTable(entity, 'role')

/** The caller has every right that these accounts or roles have, and no duties are mixed. @throws Refusal 403, 409 */
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

export async function assertRights({ trx, writer, rows }: Batch): Promise<void> {
  await guardAccounts(trx, writer.context, writer.entity, readRowKeys(rows))
}

/** Reads the caller's own roles and person before the write; they are the same after it. @throws Refusal 403 */
export async function assertOwnRoles(batch: Batch): Promise<() => Promise<void>> {
  const { trx, writer, rows } = batch
  const read = async () =>
    isAccounts(writer.entity) ? await ownRoles(trx, writer.context, readRowKeys(rows)) : undefined
  const before = await read()
  return async () => {
    if (before !== undefined && (await read()) !== before)
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

/** Words the refusal of an import for a value that another row has. */
export function takenMessage(entity: LoadedEntity, attrName: string): Message {
  return isAccounts(entity) && entity.column(attrName)?.name === 'person_id'
    ? personTaken
    : { key: 'rule.unique' }
}

/** Handing out rights needs a fresh proof. Jobs have asked for it when they were started. */
export async function askFreshProof({ trx, writer, rows }: Batch): Promise<void> {
  const isGrant = rows.some(({ changes }) =>
    changes.some(({ field, value }) => isGranting(writer.entity, field) && !isEmpty(value)),
  )
  if (isGrant) await writer.context.proveFresh(trx)
}

/**
 * A person has at most one account, also where two entities are on the table of the person: the index of
 * accounts tells their tags apart. @throws Invalid
 */
export async function assertOnePerson({ trx, writer, rows: written }: Batch): Promise<void> {
  const { context, entity } = writer
  const { registry, subject } = context
  const { tenant } = subject
  if (!isAccounts(entity)) return
  const { rows } = await sql<{ own: string; other: string }>`
    select distinct u.person_tag as own, o.person_tag as other from sys.app_user u
    join sys.app_user o on o.tenant_id = u.tenant_id and o.person_id = u.person_id
    where u.tenant_id = ${tenant}::int8 and u.id = any(${readRowKeys(written)}::int8[]) and u.deleted_at is null
      and o.person_tag <> u.person_tag and o.deleted_at is null`.execute(trx)
  for (const { own, other } of rows) {
    const [first, second] = [await registry.find(tenant, own), await registry.find(tenant, other)]
    if (first === undefined || second === undefined || tableKey(first) !== tableKey(second))
      continue
    const field = entity.fields.find(({ column }) => column?.name === 'person_id')
    const path = field?.definition.attrName ?? 'id'
    throw new Invalid([buildFilterFault(path, 'unique', personTaken)])
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

/** Locks the tenant, so that two administrators cannot remove each other at the same time. @throws Refusal 409 */
export async function assertAdministrators({ trx, writer }: Batch): Promise<void> {
  const { context, entity } = writer
  const { tenant } = context.subject
  if (!isAccounts(entity) && !isRoles(entity)) return
  const isSplit = await hasSplitDuties(trx, tenant, { lock: true })
  const needed = isSplit ? Object.values(dutyRoles) : [adminRole]
  const { rows } = await sql`
    select distinct r.code from sys.app_user u
    join sys.role r on r.id::text = any(u.role_ids) and r.tenant_id = u.tenant_id
    where u.tenant_id = ${tenant}::int8 and u.status = '1' and u.deleted_at is null
      and r.code = any(${needed}::text[]) and r.status = '1' and r.deleted_at is null`.execute(trx)
  if (rows.length < needed.length) throw new Refusal(409, { key: 'role.lastAdministrator' })
}

/** Characters that a new password of an account needs; read for the entities of accounts alone. */
export async function passwordLengthFor(context: Context, entity: LoadedEntity): Promise<number> {
  return isAccounts(entity) ? await readPasswordLength(context, context.subject.tenant) : 0
}

/** A person whose password an administrator has set signs in anew, and sets another one. */
export async function endSessionsOfPassword({ trx, writer, rows }: Batch): Promise<void> {
  if (!isAccounts(writer.entity)) return
  for (const row of rows)
    if (row.changes.some(({ field, value }) => field.kind.secret && !isEmpty(value)))
      await endAccountSessions(trx, writer.context, writer.entity, readRowKey(row))
}

async function endAccountSessions(
  db: AnyDatabase,
  { now, subject: { tenant } }: Context,
  entity: LoadedEntity,
  id: string,
): Promise<void> {
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
