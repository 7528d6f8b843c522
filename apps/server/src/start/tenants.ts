import { adminRole } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { dutyRoles } from '../access/duties.ts'
import { oneTimePassword } from '../identity/one-time-password.ts'
import { hashPassword } from '../identity/password.ts'
import type { Context, ServerHandlers } from '../model/context.ts'
import { installTenant, refreshApis } from './install/install-tenant.ts'
import { localTime } from '../model/fields/local-time.ts'
import { isId } from '../platform/id.ts'
import { notFound, Refusal } from '../platform/refusal.ts'
import { brokenConstraint } from '../platform/database/problems.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import { inEachSchool } from '../platform/database/schools.ts'
import { transact } from '../platform/database/transact.ts'

export const tenantsHandlers: ServerHandlers['tenants'] = {
  list: async (_input, context) => {
    const rows = await context.database.kysely
      .selectFrom('sys.tenant as t')
      .select(['t.id', 't.name', 't.status', 't.remarks', 't.create_time'])
      .orderBy('t.id')
      .execute()
    const staff = new Map<string, number>()
    await inEachSchool(context, 'counting staff', async (tenant) => {
      staff.set(tenant, await countStaff(context, tenant))
    })
    return rows.map(({ id, name, status, remarks, create_time }) => ({
      id,
      name,
      enabled: status === '1',
      remarks,
      staff: staff.get(id) ?? 0,
      createTime: localTime(new Date(create_time)),
      own: id === context.subject.tenant,
    }))
  },
  create: async ({ body: { code, name } }, context) => {
    const password = oneTimePassword()
    const adminPasswordHash = await hashPassword(password)
    const {
      database: { kysely },
      newId,
    } = context
    await transact(kysely, async (trx) => {
      await installTenant(trx, newId, {
        id: code,
        code,
        name,
        adminPasswordHash,
        mustChangePassword: true,
      })
      await refreshApis(trx, newId, code)
      context.audit(
        { action: 'tenant.create', object: 'SYS_TENANT', objectId: code, result: 'ok' },
        trx,
      )
    }).catch((error: unknown) => {
      throw brokenConstraint(error)?.kind === 'unique'
        ? new Refusal(409, { key: 'tenant.taken' })
        : error
    })
    return { account: 'admin', password }
  },
  enable: async ({ params: { id }, body: { enabled } }, context) => {
    const tenant = await otherTenant(context, id)
    await transact(context.database.kysely, async (trx) => {
      exactlyOne(
        await trx
          .updateTable('sys.tenant')
          .set((e) => ({ status: enabled ? '1' : '0', version: e('version', '+', 1) }))
          .where('id', '=', tenant)
          .executeTakeFirst(),
        tenant,
      )
      const action = enabled ? 'tenant.enable' : 'tenant.disable'
      context.audit({ action, object: 'SYS_TENANT', objectId: tenant, result: 'ok' }, trx)
    })
    return null
  },
  resetAdministrator: async ({ params: { id } }, context) => {
    const tenant = await otherTenant(context, id)
    const password = oneTimePassword()
    const hash = await hashPassword(password)
    const account = await transact(context.database.kysely, async (trx) => {
      const {
        rows: [admin],
      } = await sql<{ id: string; account: string }>`
        select u.id::text as id, u.account from sys.app_user u
        join sys.role r on r.id::text = any(u.role_ids) and r.tenant_id = u.tenant_id
        where u.tenant_id = ${tenant}::int8 and u.deleted_at is null and u.status = '1'
          and r.code in (${adminRole}, ${dutyRoles.security}) and r.deleted_at is null
        order by r.code, u.id limit 1 for update of u`.execute(trx)
      if (admin === undefined) throw notFound()
      exactlyOne(
        await trx
          .updateTable('sys.app_user')
          .set((e) => ({
            password_hash: hash,
            password_changed_at: context.now(),
            must_change_password: true,
            version: e('version', '+', 1),
          }))
          .where('tenant_id', '=', tenant)
          .where('id', '=', admin.id)
          .executeTakeFirst(),
        admin.account,
      )
      await trx
        .updateTable('sys.session')
        .set({ ended_at: context.now(), ended_reason: 'password' })
        .where('tenant_id', '=', tenant)
        .where('user_id', '=', admin.id)
        .where('ended_at', 'is', null)
        .execute()
      context.audit(
        {
          action: 'account.resetPassword',
          object: 'SYS_TENANT',
          objectId: tenant,
          result: 'ok',
          detail: { account: admin.account },
        },
        trx,
      )
      return admin.account
    })
    return { account, password }
  },
}

async function countStaff({ database: { kysely } }: Context, tenant: string): Promise<number> {
  const { n } = await kysely
    .selectFrom('sys.app_user')
    .where('tenant_id', '=', tenant)
    .where('deleted_at', 'is', null)
    .select((e) => e.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The id of a tenant other than the caller's. @throws Refusal 404, 409 for the caller's own */
async function otherTenant(context: Context, id: string): Promise<string> {
  if (id === context.subject.tenant) throw new Refusal(409, { key: 'tenant.notOwn' })
  const found = isId(id)
    ? await context.database.kysely
        .selectFrom('sys.tenant')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (found === undefined) throw notFound()
  return found.id
}
