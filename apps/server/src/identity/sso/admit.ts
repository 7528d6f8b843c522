// Lets a person of a provider in: the account, its roles, a new account where the settings say so
// (docs/rules/security.md#s8).
import { randomBytes } from 'node:crypto'
import { adminRole } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { assertDutiesApart, dutyRoles } from '../../access/duties.ts'
import type { Context, Services } from '../../model/context.ts'
import type { AuditEvent } from '../../platform/context.ts'
import { recordHistory } from '../../model/row-history.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { type LoadedEntity, valueFields } from '../../model/definition/loaded.ts'
import { columnKey, tableKey } from '../../model/definition/column-key.ts'
import { auditIn } from '../../platform/audit/write.ts'
import { raiseVersion } from '../../platform/database/finish-write.ts'
import { brokenConstraint } from '../../platform/database/problems.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'
import type { SsoProvider } from '../../platform/settings/settings-sso.ts'
import { hashPassword } from '../password.ts'
import { isActive, readUser, type UserRecord } from '../subject.ts'
import { type Identity, SsoFault } from './identity-provider.ts'
import { readAccountKey, matchAccount, readPersonName } from './match-account.ts'
import { planRoles, type RolePlan } from './role-mapping.ts'

type Db = Services['database']['kysely']
type Claims = Identity['claims']

/**
 * The active account of an identity, with the roles that its groups give it from now on. @throws SsoFault
 */
export async function admit(
  context: Context,
  provider: SsoProvider,
  claims: Claims,
): Promise<UserRecord> {
  const { database, log } = context
  const key = readAccountKey(provider, claims)
  const found =
    (await matchAccount(database.kysely, provider, key)) ??
    (await createAccount(context, provider, key, claims))
  const user = await readUser(context, provider.tenant, found)
  if (!isActive(user)) throw new SsoFault('disabled')
  const { missing } = await applyRoles(context, provider, user, claims)
  if (missing.length > 0)
    log.warn(
      { provider: provider.id, missing },
      'a provider maps groups to roles that do not exist',
    )
  // With the roles as they are now.
  return (await readUser(context, provider.tenant, found)) ?? user
}

interface SchoolRoles {
  readonly idOf: ReadonlyMap<string, string>
  readonly codeOf: ReadonlyMap<string, string>
}

export async function rolesOfSchool(db: Db, tenant: string): Promise<SchoolRoles> {
  const rows = await db
    .selectFrom('sys.role')
    .select(['id', 'code'])
    .where('tenant_id', '=', tenant)
    .where('deleted_at', 'is', null)
    .execute()
  return {
    idOf: new Map(rows.map(({ id, code }) => [code, id])),
    codeOf: new Map(rows.map(({ id, code }) => [id, code])),
  }
}

async function applyRoles(
  context: Context,
  provider: SsoProvider,
  { id, account, tenant_id: tenant }: UserRecord,
  claims: Claims,
): Promise<RolePlan> {
  const { kysely } = context.database
  if (provider.groups === undefined) return { added: [], taken: [], missing: [] }
  const accounts = await context.registry.get(tenant, 'SYS_USER')
  return await transact(kysely, async (trx) => {
    // Also orders the changes of administrators, of whom one must remain.
    await sql`select id from sys.tenant where id = ${tenant}::int8 for update`.execute(trx)
    const { role_ids: before } = await trx
      .selectFrom('sys.app_user')
      .select('role_ids')
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const roles = await rolesOfSchool(trx, tenant)
    const held = before.flatMap((role) => roles.codeOf.get(role) ?? [])
    const plan = await withAdministrators(
      trx,
      tenant,
      id,
      planRoles(provider.groups, claims, new Set(roles.idOf.keys()), held),
    )
    if (plan.added.length + plan.taken.length === 0) return plan
    const takenIds = new Set(plan.taken.map((code) => roles.idOf.get(code)))
    const after = [
      ...before.filter((role) => !takenIds.has(role)),
      ...plan.added.flatMap((code) => roles.idOf.get(code) ?? []),
    ]
    exactlyOne(
      await trx
        .updateTable('sys.app_user')
        .set((e) => ({
          role_ids: after,
          version: e('version', '+', 1),
          update_time: context.now(),
        }))
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .executeTakeFirst(),
      account,
    )
    await assertDutiesApart(trx as unknown as AnyDatabase, context, tenant)
    await noteRoles(trx, context, accounts, { tenant, id }, { action: 'update', before, after })
    auditAs(
      context,
      trx,
      { tenant, id, account },
      {
        action: 'account.mapRoles',
        detail: { provider: provider.id, added: plan.added, taken: plan.taken },
      },
    )
    return plan
  })
}

const offices: readonly string[] = [adminRole, ...Object.values(dutyRoles)]

/** Leaves the roles of administrators to the last one of each. */
async function withAdministrators(
  trx: Db,
  tenant: string,
  id: string,
  plan: RolePlan,
): Promise<RolePlan> {
  const taken = plan.taken.filter((code) => offices.includes(code))
  if (taken.length === 0) return plan
  const { rows } = await sql<{ code: string }>`
    select distinct r.code from sys.app_user u
    join sys.role r on r.tenant_id = u.tenant_id and r.id::text = any(u.role_ids)
    where u.tenant_id = ${tenant}::int8 and u.id <> ${id}::int8 and u.status = '1'
      and u.deleted_at is null and r.code = any(${taken}::text[]) and r.status = '1'
      and r.deleted_at is null`.execute(trx)
  const left = new Set(rows.map(({ code }) => code))
  return { ...plan, taken: plan.taken.filter((code) => !offices.includes(code) || left.has(code)) }
}

/** The history of the account's row, by its own person. */
async function noteRoles(
  trx: Db,
  context: Context,
  entity: LoadedEntity,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  {
    action,
    before,
    after,
  }: {
    readonly action: 'add' | 'update'
    readonly before: readonly string[]
    readonly after: readonly string[]
  },
): Promise<void> {
  const field = valueFields(entity).find(({ column }) => column?.name === 'role_ids')
  if (field === undefined) return
  raiseVersion(trx, tenant, tableKey(entity))
  const choices = (ids: readonly string[]) => ids.map((role) => ({ id: role, name: '' }))
  await recordHistory(
    trx as unknown as AnyDatabase,
    { ...context, subject: { ...context.subject, tenant, userId: id } },
    entity,
    [
      {
        id,
        action,
        changes: [
          {
            attrName: field.definition.attrName,
            key: columnKey(entity, field),
            from: choices(before),
            to: choices(after),
          },
        ],
      },
    ],
  )
}

/** @throws SsoFault where the provider creates none */
async function createAccount(
  context: Context,
  provider: SsoProvider,
  key: string,
  claims: Claims,
): Promise<string> {
  const { tenant, create, match } = provider
  if (create === undefined || match !== 'account') throw new SsoFault('unknown')
  // A password that nobody knows: the account has none until an administrator resets it.
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'))
  const id = context.newId()
  const accounts = await context.registry.get(tenant, 'SYS_USER')
  try {
    await transact(context.database.kysely, async (trx) => {
      const role = (await rolesOfSchool(trx, tenant)).idOf.get(create.role)
      const role_ids = role === undefined ? [] : [role]
      await trx
        .insertInto('sys.app_user')
        .values({
          id,
          tenant_id: tenant,
          account: key,
          name: readPersonName(claims, key),
          password_hash,
          role_ids,
        })
        .execute()
      await assertDutiesApart(trx as unknown as AnyDatabase, context, tenant)
      await noteRoles(
        trx,
        context,
        accounts,
        { tenant, id },
        { action: 'add', before: [], after: role_ids },
      )
      auditAs(
        context,
        trx,
        { tenant, id, account: key },
        {
          action: 'account.createByProvider',
          detail: { provider: provider.id, role: create.role },
        },
      )
    })
    return id
  } catch (error) {
    if (brokenConstraint(error)?.kind !== 'unique') throw error
    // Another sign-in of the same person was faster.
    const made = await matchAccount(context.database.kysely, provider, key)
    if (made === undefined) throw error
    return made
  }
}

function auditAs(
  context: Context,
  trx: Db,
  {
    tenant,
    id,
    account,
  }: { readonly tenant: string; readonly id: string; readonly account: string },
  { action, detail }: Pick<AuditEvent, 'action' | 'detail'>,
): void {
  const { ip, traceId } = context
  auditIn(
    context,
    trx,
    { tenant, userId: id, account, ip, traceId },
    { action, object: 'SYS_USER', objectId: id, result: 'ok', ...(detail && { detail }) },
  )
}
