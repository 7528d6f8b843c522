// Three administrators instead of one: nobody holds rights of two of them, by whatever way they are granted
// (docs/rules/security.md#three-administrators).
import { isJobOver } from '@jiaowu/api/contract/job'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archivist } from '../../../apps/server/src/identity/archivist.ts'
import { joinDuties, splitDuties } from '../../../apps/server/src/access/split-duties.ts'
import { toCsv, importFile, waitForJob } from '../../support/imports.ts'

const school = '10000'
const appointed = { system: 'sys1', security: 'sec1', audit: 'aud1' } as const
let app: TestApp
let admin: Client
/** A role that is switched off, and lets its holders write accounts. */
let helper: string
let [system, security, audit] = [] as unknown as [Client, Client, Client]
type Client = Awaited<ReturnType<TestApp['signIn']>>

const openDutiesDatabase = () => app.services.database.kysely

async function addAccount(account: string, roles: readonly string[] = []) {
  const { password_hash } = await openDutiesDatabase()
    .selectFrom('sys.app_user')
    .select('password_hash')
    .where('tenant_id', '=', school)
    .where('account', '=', 'admin')
    .executeTakeFirstOrThrow()
  const id = app.services.newId()
  await openDutiesDatabase()
    .insertInto('sys.app_user')
    .values({ id, tenant_id: school, account, name: account, password_hash, role_ids: [...roles] })
    .execute()
  return id
}
function captureRefusalPair(work: Promise<unknown>) {
  return work.then(
    () => 'ok',
    (error: { problem: { code: number; message: string } }) => [
      error.problem.code,
      error.problem.message,
    ],
  )
}
async function roleId(code: string) {
  const row = await openDutiesDatabase()
    .selectFrom('sys.role')
    .select('id')
    .where('tenant_id', '=', school)
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  return row.id
}
async function findDutyUser(account: string) {
  const row = await openDutiesDatabase()
    .selectFrom('sys.app_user')
    .select(['id', 'version', 'role_ids'])
    .where('tenant_id', '=', school)
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  return row
}
const refs = (ids: readonly string[]) => ids.map((id) => ({ id, name: '' }))
async function setRoles(as: Client, account: string, roles: readonly string[]) {
  const { id, version } = await findDutyUser(account)
  return as.entityData.update({
    params: { tag: 'SYS_USER', id },
    body: { version, roles: refs(roles) },
  })
}
async function grant(as: Client, role: string, more: readonly string[]) {
  const { version, codes, rules } = await as.role.permissions({ params: { id: role } })
  return as.role.savePermissions({
    params: { id: role },
    body: { version, codes: [...codes, ...more], rules: [...rules] },
  })
}

async function over(id: string) {
  for (;;) {
    const job = await security.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
/** Looks at a change of one row: the job runs the write and takes it back, so that it tells what would be refused. */
async function bulkChange(tag: string, id: string, set: object) {
  const body = { ids: [id], set: set as never }
  return await over((await security.bulk.update({ params: { tag }, body })).id)
}

/** An import of the product's own data waits for a confirmation. */
async function importConfirmed(tag: string, file: File) {
  const job = await importFile(security, tag, file, { mode: 'update', onError: 'abort' })
  if (job.status !== 'paused') return job
  await security.job.resume({ params: { id: job.id }, body: {} })
  return await waitForJob(security, job.id)
}

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const { id } = await admin.entityData.create({
    params: { tag: 'SYS_ROLE' },
    body: { code: 'ROLE_HELPER', name: '协助', status: '0' },
  })
  helper = id
  await grant(admin, helper, ['entity:SYS_USER:view', 'entity:SYS_USER:update'])
  for (const account of [...Object.values(appointed), 'other']) await addAccount(account)
})
afterAll(() => app.close())

describe('one administrator', () => {
  it('cannot change the own roles, and can those of others', async () => {
    const own = await findDutyUser('admin')
    const more = [...own.role_ids, await roleId('ROLE_VIEWER')]
    expect(await captureRefusalPair(setRoles(admin, 'admin', more))).toEqual([
      403,
      '不能修改自己的角色和对应人员，请由其他管理员修改',
    ])
    const { version } = await findDutyUser('admin')
    await admin.entityData.update({
      params: { tag: 'SYS_USER', id: own.id },
      body: { version, roles: refs(own.role_ids), remarks: '同样的角色' },
    })
    expect((await findDutyUser('admin')).role_ids).toEqual(own.role_ids)
    await setRoles(admin, 'other', more)
    await setRoles(admin, 'other', [])
  })
  it('names three different, active accounts of the school for the split', async () => {
    const { services } = app
    await expect(splitDuties(services, school, { ...appointed, audit: 'sec1' })).rejects.toThrow(
      'must be three accounts',
    )
    await expect(splitDuties(services, school, { ...appointed, audit: 'no' })).rejects.toThrow(
      'no active account "no"',
    )
    await expect(splitDuties(services, '77', appointed)).rejects.toThrow('There is no school 77')
  })
  it('is not split while an account would hold two duties, which is named with its roles', async () => {
    const viewer = await roleId('ROLE_VIEWER')
    const before = (await admin.role.permissions({ params: { id: viewer } })).codes
    await grant(admin, viewer, ['audit:view', 'entity:SYS_LOG:view'])
    await setRoles(admin, 'sec1', [viewer])
    await expect(splitDuties(app.services, school, appointed)).rejects.toThrow(
      /Account sec1 would hold rights of two administrators by its roles 三员·安全管理员, 查询用户/,
    )
    expect((await findDutyUser('admin')).role_ids).toEqual([await roleId('ROLE_ADMIN')])
    await setRoles(admin, 'sec1', [])
    const { version, rules } = await admin.role.permissions({ params: { id: viewer } })
    await admin.role.savePermissions({
      params: { id: viewer },
      body: { version, codes: [...before], rules: [...rules] },
    })
  })
})

describe('three administrators', () => {
  beforeAll(async () => {
    await setRoles(admin, 'sys1', [helper])
    await splitDuties(app.services, school, appointed)
    system = await app.signIn('sys1')
    security = await app.signIn('sec1')
    audit = await app.signIn('aud1')
  })

  it('leave nobody with all rights, and the old administrator with none on the next call', async () => {
    expect(
      await captureRefusalPair(admin.entityData.page({ params: { tag: 'SYS_USER' }, body: {} })),
    ).toEqual([403, expect.any(String)])
    const admins = await roleId('ROLE_ADMIN')
    const rows = await openDutiesDatabase().selectFrom('sys.app_user').select('role_ids').execute()
    expect(rows.some(({ role_ids }) => role_ids.includes(admins))).toBe(false)
  })
  it('each have their own work', async () => {
    const logOf = (as: Client) => as.entityData.page({ params: { tag: 'SYS_LOG' }, body: {} })
    expect((await logOf(audit)).records.length).toBeGreaterThan(0)
    expect(await audit.audit.verify({})).toMatchObject({ broken: null })
    for (const other of [system, security]) {
      expect(await captureRefusalPair(logOf(other))).toEqual([403, expect.any(String)])
      expect(await captureRefusalPair(other.audit.verify({}))).toEqual([403, expect.any(String)])
    }
    const rowOf = { code: 'X1', name: '新岗位' }
    await security.entityData.create({ params: { tag: 'SYS_STATION' }, body: rowOf })
    const create = { params: { tag: 'SYS_PARAM' }, body: { code: 'OWN_ONE', name: '自有' } }
    await system.entityData.create(create)
    for (const [as, tag] of [
      [system, 'SYS_USER'],
      [audit, 'SYS_USER'],
      [audit, 'SYS_PARAM'],
      [security, 'SYS_PARAM'],
    ] as const)
      expect(
        await captureRefusalPair(as.entityData.create({ params: { tag }, body: {} })),
        tag,
      ).toEqual([403, expect.any(String)])
  })
  it('hand out rights of the school’s work by office, of those of others none', async () => {
    const role = await security.entityData.create({
      params: { tag: 'SYS_ROLE' },
      body: { code: 'ROLE_OFFICE', name: '办公室' },
    })
    const { holds } = await security.role.permissions({ params: { id: role.id } })
    expect(holds).toContain('entity:EDU_GRADE:update')
    expect(holds).not.toContain('audit:view')
    expect(holds).not.toContain('entity:design')
    await grant(security, role.id, ['entity:EDU_STUDENT:view', 'print:preview'])
    await setRoles(security, 'other', [role.id])
    expect(
      (
        await (
          await app.signIn('other')
        ).entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })
      ).records.length,
    ).toBeGreaterThan(0)
    for (const code of ['audit:view', 'entity:design', 'entity:SYS_PARAM:update'])
      expect(await captureRefusalPair(grant(security, role.id, [code]))).toEqual([
        403,
        expect.stringContaining(code),
      ])
    for (const code of ['ROLE_ADMIN', 'ROLE_AUDIT_ADMIN', 'ROLE_SYSTEM_ADMIN'])
      expect(
        await captureRefusalPair(setRoles(security, 'other', [await roleId(code)])),
        code,
      ).toEqual([403, expect.any(String)])
  })
  it('keep the passwords of each other', async () => {
    for (const account of ['aud1', 'sys1']) {
      const { id } = await findDutyUser(account)
      expect(await captureRefusalPair(security.account.resetPassword({ params: { id } }))).toEqual([
        403,
        expect.any(String),
      ])
    }
    const { id } = await findDutyUser('clerk')
    expect(await security.account.resetPassword({ params: { id } })).toMatchObject({
      account: 'clerk',
    })
  })
  it('archive the log by the audit administrator alone', async () => {
    const { services } = app
    await expect(archivist(services, undefined, undefined)).rejects.toThrow('name an account')
    await expect(archivist(services, 'sec1', testPassword)).rejects.toThrow('no right to the audit')
    await expect(archivist(services, 'aud1', 'wrong')).rejects.toThrow('is not the password')
    await expect(archivist(services, 'no', testPassword)).rejects.toThrow('is not the password')
    const { id } = await findDutyUser('aud1')
    expect(await archivist(services, 'aud1', testPassword)).toEqual({
      tenant: school,
      userId: id,
      account: 'aud1',
    })
  })
  it('cannot change the permissions of a role that they hold', async () => {
    const own = await roleId('ROLE_SECURITY_ADMIN')
    expect(await captureRefusalPair(grant(security, own, ['entity:EDU_GRADE:update']))).toEqual([
      403,
      '不能修改自己所持角色的权限',
    ])
  })

  describe('stay apart', () => {
    const named = [409, expect.stringMatching(/三员分立：账号 sys1 将同时持有.*协助/)]
    const body = async (status: string) => ({
      version: (await security.entityData.get({ params: { tag: 'SYS_ROLE', id: helper } })).version,
      status,
    })

    it('when rights of one are added to a role of another', async () => {
      const role = await roleId('ROLE_AUDIT_ADMIN')
      expect(await captureRefusalPair(grant(security, role, ['entity:SYS_USER:update']))).toEqual([
        409,
        expect.stringMatching(/账号 aud1 将同时持有.*三员·审计管理员/),
      ])
    })
    it('when a form switches on a role that one of them has', async () => {
      const params = { tag: 'SYS_ROLE', id: helper }
      expect(
        await captureRefusalPair(security.entityData.update({ params, body: await body('1') })),
      ).toEqual(named)
    })
    it('when a bulk change or an import does', async () => {
      const tag = 'SYS_ROLE'
      const bulk = await bulkChange(tag, helper, { status: '1' })
      const file = toCsv('角色代码,角色名称,启用\nROLE_HELPER,协助,是\n')
      const imported = await importConfirmed(tag, file)
      expect(bulk).toMatchObject({ changed: 0, failed: 1, can: { apply: false } })
      expect(imported.status).not.toBe('done')
      for (const each of [bulk, imported]) expect(JSON.stringify(each)).toContain('三员分立')
      const { status } = await openDutiesDatabase()
        .selectFrom('sys.role')
        .select('status')
        .where('tenant_id', '=', school)
        .where('id', '=', helper)
        .executeTakeFirstOrThrow()
      expect(status).toBe('0')
    })
    it('when forms, bulk changes and imports of accounts would give one the role of another', async () => {
      const own = await roleId('ROLE_SECURITY_ADMIN')
      const { id, role_ids } = await findDutyUser('sys1')
      expect((await captureRefusalPair(setRoles(security, 'sys1', [...role_ids, own])))[0]).toBe(
        403,
      )
      const made = { account: 'new1', name: 'n1', password: 'Kx7-tests-9Q-wider' }
      const both = refs([own, await roleId('ROLE_AUDIT_ADMIN')])
      const params = { tag: 'SYS_USER' }
      const add = security.entityData.create({ params, body: { ...made, roles: both } })
      expect((await captureRefusalPair(add))[0]).toBe(403)
      const set = { roles: refs([...role_ids, own]) }
      expect(await bulkChange('SYS_USER', id, set)).toMatchObject({ changed: 0, failed: 1 })
      const file = toCsv('账号,姓名,角色\nsys1,sys1,三员·安全管理员\n')
      await importConfirmed('SYS_USER', file)
      expect((await findDutyUser('sys1')).role_ids).toEqual(role_ids)
    })
    it('and each office keeps a holder', async () => {
      const { id, version } = await findDutyUser('sec1')
      const off = { params: { tag: 'SYS_USER', id }, body: { version, status: '0' } }
      expect(await captureRefusalPair(security.entityData.update(off))).toEqual([
        409,
        expect.any(String),
      ])
    })
  })
})

describe('one administrator again', () => {
  it('gets all rights by the command, which the log names', async () => {
    await joinDuties(app.services, school, 'admin')
    expect((await admin.audit.verify({})).broken).toBe(null)
    await setRoles(admin, 'other', [await roleId('ROLE_ADMIN')])
    const lines = await openDutiesDatabase()
      .selectFrom('sys.audit_log')
      .select(['action', 'detail'])
      .where('action', 'like', 'administrators.%')
      .orderBy('seq')
      .execute()
    expect(lines).toEqual([
      { action: 'administrators.split', detail: appointed },
      { action: 'administrators.join', detail: { account: 'admin' } },
    ])
  })
})
