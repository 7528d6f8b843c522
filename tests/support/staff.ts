import type { TestApp } from '@jiaowu/server/testing'
import { startSession } from '@jiaowu/server/testing/pay'

interface Staff {
  readonly id: string
  readonly token: string
}

/** A new account of the first school with a role of its own. */
export async function newStaff(
  app: TestApp,
  admin: Awaited<ReturnType<TestApp['signIn']>>,
  account: string,
  { codes, rules = [] }: { readonly codes: readonly string[]; readonly rules?: readonly object[] },
): Promise<Staff> {
  const role = await admin.entityData.create({
    params: { tag: 'SYS_ROLE' },
    body: { code: `T_${account.toUpperCase().replaceAll('-', '_')}`, name: account },
  })
  const { version } = await admin.role.permissions({ params: { id: role.id } })
  await admin.role.savePermissions({
    params: { id: role.id },
    body: { version, codes: [...codes], rules: rules as never },
  })
  return await newAccount(app, account, [role.id])
}

export async function newAccount(
  { services }: TestApp,
  account: string,
  roles: readonly string[],
): Promise<Staff> {
  const id = services.newId()
  await services.database.kysely
    .insertInto('sys.app_user')
    .values({
      id,
      tenant_id: '10000',
      account,
      name: account,
      password_hash: 'none',
      role_ids: roles,
    } as never)
    .execute()
  const session = await startSession(
    services,
    {
      userId: id,
      tenant: '10000',
      kind: 'staff',
      ip: '127.0.0.1',
      userAgent: null,
      by: 'password',
    },
    async () => {},
  )
  return { id, token: session.access }
}
