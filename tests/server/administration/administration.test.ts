import { toProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selfAdministrationMigration } from '../../../apps/server/src/platform/database/migrations/0001-0019/0010-self-administration.ts'
import { sendSms } from '../../../apps/server/src/platform/sms/index.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

const captureAnyProblem = (work: Promise<unknown>) => work.then(() => null, toProblem)
const captureCode = async (work: Promise<unknown>) => (await captureAnyProblem(work))?.code ?? 200
function removeByIds(ids: string, tag: string) {
  return admin.entityData.remove({ params: { tag, ids } })
}
/** Sets the permissions of the role of `viewer`. */
async function give(codes: readonly string[]) {
  const roles = (await admin.entityData.page({ params: { tag: 'SYS_ROLE' }, body: {} })).records
  const id = roles.find((row) => row['code'] === 'ROLE_VIEWER')?.id ?? ''
  const { version } = await admin.role.permissions({ params: { id } })
  await admin.role.savePermissions({
    params: { id },
    body: { version, codes: [...codes], rules: [] },
  })
}

describe('the audit log', () => {
  it('needs its own permission besides that of the entity, and holds no secrets', async () => {
    await give(['entity:SYS_LOG:view', 'entity:SYS_LOG:export'])
    const viewer = await app.signIn('viewer')
    const log = { params: { tag: 'SYS_LOG' } }
    const tags = async () => JSON.stringify(await viewer.session.menu({})).includes('SYS_LOG')
    expect([
      await captureCode(viewer.entityData.page({ ...log, body: {} })),
      await captureCode(viewer.entityData.config(log)),
      await captureCode(viewer.tree.search({ ...log, body: { queries: {} } })),
      await tags(),
    ]).toEqual([403, 403, 403, false])
    await give(['entity:SYS_LOG:view', 'audit:view'])
    const { records } = await viewer.entityData.page({
      ...log,
      body: { queries: { action: [{ id: 'session.signIn', name: '' }], result: 'ok' } },
    })
    expect([records.length > 0, records[0]?.['action'], await tags()]).toEqual([
      true,
      [{ id: 'session.signIn', name: '登录' }],
      true,
    ])
    await admin.entityData.create({
      params: { tag: 'SYS_USER' },
      body: {
        account: 'has-secret',
        name: '密',
        password: 'Very-secret-2026',
        mobile: '13912345678',
      },
    })
    const [latest] = (
      await viewer.entityData.page({
        ...log,
        body: { queries: { action: 'entity.add' }, pageSize: 1 },
      })
    ).records
    const shown = await viewer.entityData.get({ params: { tag: 'SYS_LOG', id: latest?.id ?? '' } })
    expect(shown).toMatchObject({
      object: 'SYS_USER',
      detail: expect.stringContaining('password'),
      traceId: expect.stringMatching(/./),
    })
    expect(JSON.stringify(shown)).not.toMatch(/Very-secret|13912345678/)
  })
})

describe('rows that belong to the product', () => {
  it('cannot be added or deleted, and the configuration says so', async () => {
    const of = (tag: string) => admin.entityData.config({ params: { tag } })
    expect([
      (await of('SYS_LOG')).refuses,
      (await of('SYS_API')).refuses,
      (await of('SYS_TENANT')).permissions,
      (await of('SYS_ORG')).refuses,
    ]).toEqual([
      ['add', 'update', 'delete'],
      ['add', 'delete'],
      ['entity:SYS_TENANT:view', 'entity:SYS_TENANT:update', 'entity:SYS_TENANT:export'],
      undefined,
    ])
    const [tenant] = (await admin.entityData.page({ params: { tag: 'SYS_TENANT' }, body: {} }))
      .records
    expect([
      await captureCode(removeByIds(tenant?.id ?? '', 'SYS_TENANT')),
      await captureCode(
        admin.entityData.update({
          params: { tag: 'SYS_TENANT', id: tenant?.id ?? '' },
          body: { version: tenant?.version, name: '改了名的大学' },
        }),
      ),
    ]).toEqual([403, 200])
  })
})

describe('a tenant', () => {
  it('is created, disabled and enabled by the first tenant only, with its own administrator', async () => {
    const second = await app.signIn('admin', '10001')
    expect([
      await captureCode(second.tenants.list({})),
      await captureCode(second.tenants.create({ body: { code: '20001', name: '偷办的' } })),
      JSON.stringify(await second.session.menu({})).includes('/tenants'),
      JSON.stringify(await admin.session.menu({})).includes('/tenants'),
    ]).toEqual([404, 404, false, true])
    expect(await captureCode((await app.signIn('registrar')).tenants.list({}))).toBe(403)
    const { account, password } = await admin.tenants.create({
      body: { code: '20001', name: '新办学院' },
    })
    expect([
      await captureCode(admin.tenants.create({ body: { code: '20001', name: '再办' } })),
      await captureCode(admin.tenants.create({ body: { code: '7', name: '短' } })),
      await captureCode(
        admin.tenants.enable({ params: { id: '10000' }, body: { enabled: false } }),
      ),
    ]).toEqual([409, 42200, 409])
    const enter = async (secret: string) => {
      const { access_token, userInfo } = await app.client('').session.signIn({
        body: { grant_type: 'password', username: account, password: secret, tenant: '20001' },
      })
      return { there: app.client(access_token), userInfo }
    }
    const { there, userInfo } = await enter(password)
    expect([
      userInfo.mustChangePassword,
      (await admin.tenants.list({})).find(({ id }) => id === '20001'),
    ]).toEqual([
      true,
      expect.objectContaining({ name: '新办学院', enabled: true, staff: 1, own: false }),
    ])
    const entries = await app.services.database.kysely
      .selectFrom('sys.menu')
      .select('id')
      .where('tenant_id', '=', '20001')
      .execute()
    await admin.tenants.enable({ params: { id: '20001' }, body: { enabled: false } })
    expect([entries.length > 20, await captureCode(there.session.whoami({}))]).toEqual([
      true,
      40005,
    ])
    await admin.tenants.enable({ params: { id: '20001' }, body: { enabled: true } })
    const reset = await admin.tenants.resetAdministrator({ params: { id: '20001' } })
    expect([
      reset.password === password,
      (await enter(reset.password)).userInfo.mustChangePassword,
    ]).toEqual([false, true])
  })
})

describe('system entities', () => {
  it('keep the entity of a menu entry, dictionaries with items, and the code in SMS texts', async () => {
    const menu = await admin.entityData.create({
      params: { tag: 'SYS_MENU' },
      body: { name: '成绩另一处', path: '/entity/EDU_GRADE/search', entityTag: 'EDU_GRADE' },
    })
    expect([
      menu['entityTag'],
      JSON.stringify(await (await app.signIn('clerk')).session.menu({})).includes('成绩另一处'),
    ]).toEqual(['EDU_GRADE', false])
    const dict = await admin.entityData.create({
      params: { tag: 'SYS_DICT' },
      body: { code: 'colour', name: '颜色' },
    })
    const item = await admin.dictionaryItem.create({
      body: { dictCode: 'colour', itemCode: 'r', name: '红' },
    })
    expect((await captureAnyProblem(removeByIds(dict.id, 'SYS_DICT')))?.message).toBe(
      '字典里还有 1 个选项，请先删除选项',
    )
    await admin.dictionaryItem.remove({ query: { ids: item.id } })
    expect(await removeByIds(dict.id, 'SYS_DICT')).toEqual({ deleted: 1 })
    await app.services.database.kysely
      .updateTable('sys.sms_template')
      .set({ content: '没有代码的内容' })
      .where('tenant_id', '=', '10000')
      .where('code', '=', 'LOGIN_CODE')
      .execute()
    await sendSms(app.services, '10000', '13900000000', 'LOGIN_CODE', { code: '424242' })
    const sent = await app.services.database.kysely
      .selectFrom('sys.sms_task')
      .select('content')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(sent.content).toBe('您的登录验证码是 ******，5 分钟内有效。')
  })
})

describe('a message', () => {
  it('reaches only its receiver', async () => {
    const viewer = await app.signIn('viewer')
    const { id: reader } = await viewer.session.whoami({})
    expect(
      (
        await captureAnyProblem(
          admin.entityData.create({ params: { tag: 'SYS_MESSAGE' }, body: { title: '没有人收' } }),
        )
      )?.issues,
    ).toMatchObject([{ path: 'receiver', rule: 'required' }])
    const { id } = await admin.entityData.create({
      params: { tag: 'SYS_MESSAGE' },
      body: { title: '开会', content: '下午两点', receiver: reader },
    })
    expect(await viewer.messages.mine({})).toMatchObject({
      unread: 1,
      records: [{ id, title: '开会', content: '下午两点', sender: '系统管理员', readAt: null }],
    })
    expect([
      (await admin.messages.mine({})).records,
      await captureCode(admin.messages.read({ params: { id } })),
    ]).toEqual([[], 404])
    expect([
      await viewer.messages.read({ params: { id } }),
      await viewer.messages.read({ params: { id } }),
    ]).toEqual([{ unread: 0 }, { unread: 0 }])
    expect((await admin.entityData.get({ params: { tag: 'SYS_MESSAGE', id } }))['status']).toEqual([
      { id: '1', name: '已读' },
    ])
  })
})

describe('a discrepancy of payments', () => {
  it('is resolved with a reason by one user and checked by another', async () => {
    const { kysely } = app.services.database
    await kysely
      .insertInto('sys.pay_discrepancy')
      .values({
        id: '501',
        tenant_id: '10000',
        day: '2026-03-01',
        order_no: 'JWlost',
        kind: 'paidUnknown',
        our_fen: null,
        their_fen: 500,
        create_time: app.services.now(),
      })
      .execute()
    const registrar = await app.signIn('registrar')
    const row = { params: { id: '501' } }
    const list = async (open: '0' | '1', as = registrar) =>
      as.print.discrepancies({ query: { open, day: '2026-03-01' } })
    expect([
      await captureCode(registrar.print.settleDiscrepancy({ ...row, body: { note: '' } })),
      await captureCode(registrar.print.checkDiscrepancy({ ...row, body: { agree: true } })),
    ]).toEqual([42200, 404])
    await registrar.print.settleDiscrepancy({ ...row, body: { note: '线下核对' } })
    expect(await list('0')).toMatchObject([
      { settledBy: '教务管理员', note: '线下核对', checkedAt: null, mayCheck: false },
    ])
    expect(
      (await captureAnyProblem(registrar.print.checkDiscrepancy({ ...row, body: { agree: true } })))
        ?.message,
    ).toBe('须由另一位工作人员复核')
    await admin.print.checkDiscrepancy({ ...row, body: { agree: false } })
    expect([(await list('1')).length, (await list('0')).length]).toEqual([1, 0])
    await registrar.print.settleDiscrepancy({ ...row, body: { note: '再次核对' } })
    await admin.print.checkDiscrepancy({ ...row, body: { agree: true } })
    expect(await list('0')).toMatchObject([{ checkedBy: '系统管理员', mayCheck: false }])
    expect([
      await captureCode(admin.print.checkDiscrepancy({ ...row, body: { agree: false } })),
      (await admin.print.discrepancies({ query: { open: '0', day: '2026-03-02' } })).length,
    ]).toEqual([404, 0])
  })
})

describe('menus of existing tenants', () => {
  it('get the new pages once beside related entries, and keep renamed and deleted entries', async () => {
    const { kysely } = app.services.database
    const of = (tenant: string) =>
      kysely
        .selectFrom('sys.menu')
        .select(['path', 'pid', 'name', 'deleted_at'])
        .where('tenant_id', '=', tenant)
        .where('path', 'in', [
          '/print/refunds',
          '/print/reconciliation',
          '/dictionary/preview',
          '/entity/config',
        ])
        .orderBy('path')
        .execute()
    const before = await of('10000')
    expect(before).toHaveLength(4) // a new tenant has them
    await kysely
      .deleteFrom('sys.menu')
      .where('tenant_id', '=', '10001')
      .where('path', 'in', ['/print/reconciliation', '/dictionary/preview'])
      .execute()
    await kysely
      .updateTable('sys.menu')
      .set({ name: '我们的退款' })
      .where('tenant_id', '=', '10001')
      .where('path', '=', '/print/refunds')
      .execute()
    await kysely
      .updateTable('sys.menu')
      .set({ deleted_at: app.services.now() })
      .where('tenant_id', '=', '10001')
      .where('path', '=', '/entity/config')
      .execute()
    await kysely
      .updateTable('sys.menu')
      .set({ name: '改了名的分支' })
      .where('tenant_id', '=', '10001')
      .where('name', '=', '报表服务')
      .execute()
    for (let twice = 0; twice < 2; twice += 1)
      await selfAdministrationMigration.leaves(kysely as never)
    const after = await of('10001')
    expect(after.map(({ path, name, deleted_at }) => [path, name, deleted_at === null])).toEqual([
      ['/dictionary/preview', '字典预览', true],
      ['/entity/config', '实体配置', false],
      ['/print/reconciliation', '对账差异', true],
      ['/print/refunds', '我们的退款', true],
    ])
    const parent = await kysely
      .selectFrom('sys.menu')
      .select('name')
      .where('id', '=', after.find(({ path }) => path === '/print/reconciliation')?.pid ?? '')
      .executeTakeFirst()
    expect([parent?.name, await of('10000')]).toEqual(['改了名的分支', before])
  })
})
