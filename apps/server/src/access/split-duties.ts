// Splits the administration of a school into three, and joins it again, for the command of the server
// (docs/rules/security.md#three-administrators).
import { adminRole } from '@jiaowu/api/limits'
import { entityPermission } from '@jiaowu/api/entity/permission'
import { type Kysely, sql } from 'kysely'
import type { Services } from '../model/context.ts'
import { auditIn } from '../platform/audit/write.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import type { Tables } from '../platform/database/tables/tables.ts'
import { transact } from '../platform/database/transact.ts'
import { duties, type Duty, dutyCodes, dutyConflicts, dutyRoles } from './duties.ts'

/** The accounts do not fit. The message is a sentence for the operator. */
export class AdministratorError extends Error {
  override readonly name = 'AdministratorError'
}

const names = {
  system: ['三员·系统管理员', 'System administrator'],
  security: ['三员·安全管理员', 'Security administrator'],
  audit: ['三员·审计管理员', 'Audit administrator'],
} as const satisfies Record<Duty, readonly [string, string]>

const all = ['view', 'add', 'update', 'delete', 'export'] as const
const on = (tags: readonly string[], actions: readonly (typeof all)[number][]) =>
  tags.flatMap((tag) => actions.map((action) => entityPermission(tag, action)))

/** Besides the permissions that make the duty. */
const alsoHolds: Record<Duty, readonly string[]> = {
  system: [
    ...on(
      [
        'SYS_DICT',
        'SYS_DICT_ITEM',
        'SYS_AREA',
        'SYS_SMS_TEMPLATE',
        'SYS_NOTICE',
        'SYS_CALENDAR_DAY',
      ],
      all,
    ),
    ...on(['SYS_PARAM', 'SYS_MENU', 'SYS_API', 'SYS_APPLICATION'], ['view', 'export']),
    'view:share',
  ],
  security: [
    ...on(['SYS_ORG', 'SYS_STATION'], all),
    ...on(['SYS_USER', 'SYS_ROLE'], ['view', 'export']),
  ],
  audit: [
    ...on(['SYS_LOG'], ['view', 'export']),
    ...on(['SYS_USER', 'SYS_ROLE', 'SYS_ORG'], ['view']),
  ],
}

/**
 * Gives each of three accounts one of the three roles and takes the role that holds every right from everybody.
 * Run again, it appoints other accounts. @throws AdministratorError
 */
export async function splitDuties(
  services: Services,
  tenant: string,
  accounts: Readonly<Record<Duty, string>>,
): Promise<void> {
  if (new Set(Object.values(accounts)).size < duties.length)
    throw new AdministratorError('The three administrators must be three accounts.')
  await services.registry.all(tenant)
  await transact(services.database.kysely, async (trx) => {
    await lockSchool(trx, tenant)
    const ids = { system: '', security: '', audit: '' }
    for (const duty of duties) ids[duty] = await accountNamed(trx, tenant, accounts[duty])
    await withdraw(trx, tenant, adminRole)
    const codes = dutyCodes(services, tenant)
    for (const duty of duties) {
      const role = await dutyRole(services, trx, tenant, duty, [...codes[duty], ...alsoHolds[duty]])
      await withdraw(trx, tenant, dutyRoles[duty])
      await give(trx, tenant, ids[duty], role)
    }
    await mark(trx, tenant, true)
    const [found] = await dutyConflicts(trx as never, services, tenant)
    if (found !== undefined)
      throw new AdministratorError(
        `Account ${found.account} would hold rights of two administrators by its roles ` +
          `${found.roles.join(', ')}: take one of them away first.`,
      )
    record(services, trx, tenant, 'administrators.split', accounts)
  })
}

/** Gives one account the role that holds every right. @throws AdministratorError */
export async function joinDuties(
  services: Services,
  tenant: string,
  account: string,
): Promise<void> {
  await transact(services.database.kysely, async (trx) => {
    await lockSchool(trx, tenant)
    const id = await accountNamed(trx, tenant, account)
    const role = await roleNamed(trx, tenant, adminRole)
    if (role === undefined) throw new AdministratorError(`The school has no role ${adminRole}.`)
    await mark(trx, tenant, false)
    await give(trx, tenant, id, role)
    record(services, trx, tenant, 'administrators.join', { account })
  })
}

type Db = Kysely<Tables>

async function lockSchool(trx: Db, tenant: string): Promise<void> {
  const { rows } = await sql`
    select 1 from sys.tenant where id = ${tenant}::int8 for update`.execute(trx)
  if (rows.length === 0) throw new AdministratorError(`There is no school ${tenant}.`)
}

async function accountNamed(trx: Db, tenant: string, account: string): Promise<string> {
  const row = await trx
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('account', '=', account)
    .where('status', '=', '1')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined)
    throw new AdministratorError(`School ${tenant} has no active account "${account}".`)
  return row.id
}

async function roleNamed(trx: Db, tenant: string, code: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('sys.role')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** Made where it is missing, and brought to its shipped permissions. */
async function dutyRole(
  { newId }: Services,
  trx: Db,
  tenant: string,
  duty: Duty,
  codes: readonly string[],
): Promise<string> {
  const [name, name_en] = names[duty]
  const known = await roleNamed(trx, tenant, dutyRoles[duty])
  const id = known ?? newId()
  if (known === undefined)
    await trx
      .insertInto('sys.role')
      .values({ id, tenant_id: tenant, code: dutyRoles[duty], name, name_en })
      .execute()
  else
    exactlyOne(
      await trx
        .updateTable('sys.role')
        .set((e) => ({ status: '1', version: e('version', '+', 1) }))
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .executeTakeFirst(),
      dutyRoles[duty],
    )
  await trx
    .deleteFrom('sys.role_permission')
    .where('tenant_id', '=', tenant)
    .where('role_id', '=', id)
    .execute()
  await trx
    .insertInto('sys.role_permission')
    .values([...new Set(codes)].map((code) => ({ tenant_id: tenant, role_id: id, code })))
    .execute()
  return id
}

async function withdraw(trx: Db, tenant: string, code: string): Promise<void> {
  const role = await roleNamed(trx, tenant, code)
  if (role === undefined) return
  await sql`
    update sys.app_user set role_ids = array_remove(role_ids, ${role}), version = version + 1
    where tenant_id = ${tenant}::int8 and ${role} = any(role_ids)`.execute(trx)
}

async function give(trx: Db, tenant: string, account: string, role: string): Promise<void> {
  const written = await sql`
    update sys.app_user
    set role_ids = array_append(array_remove(role_ids, ${role}), ${role}), version = version + 1
    where tenant_id = ${tenant}::int8 and id = ${account}::int8`.execute(trx)
  exactlyOne(written, account)
}

async function mark(trx: Db, tenant: string, isSplit: boolean): Promise<void> {
  exactlyOne(
    await trx
      .updateTable('sys.tenant')
      .set((e) => ({ split_duties: isSplit, version: e('version', '+', 1) }))
      .where('id', '=', tenant)
      .executeTakeFirst(),
    tenant,
  )
}

function record(
  services: Services,
  trx: Db,
  tenant: string,
  action: string,
  detail: Readonly<Record<string, string>>,
): void {
  auditIn(
    services,
    trx,
    { tenant, userId: null, account: null, ip: '', traceId: '' },
    { action, object: 'SYS_TENANT', objectId: tenant, result: 'ok', detail },
  )
}
