import type { RoleEntityRule } from '@jiaowu/api/entity/role'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
type Client = Awaited<ReturnType<TestApp['signIn']>>
let admin: Client
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

function captureRoleStatus(work: Promise<unknown>) {
  return work.then(
    () => 'ok',
    (error: { problem: { code: number } }) => error.problem.code,
  )
}
async function loadRoleRows(tag: string, queries: object = {}) {
  return (
    await admin.entityData.page({
      params: { tag },
      body: { pageSize: 100, queries: { ...queries } },
    })
  ).records
}
async function findRoleId(code: string) {
  return (await loadRoleRows('SYS_ROLE')).find((row) => row['code'] === code)?.id ?? ''
}
async function findUserRow(account: string) {
  return (await loadRoleRows('SYS_USER')).find((row) => row['account'] === account) ?? { id: '' }
}
const loadPermissions = (id: string, as = admin) => as.role.permissions({ params: { id } })
async function grant(id: string, more: readonly string[], rules?: readonly RoleEntityRule[]) {
  const { version, codes, rules: before } = await loadPermissions(id)
  return admin.role.savePermissions({
    params: { id },
    body: { version, codes: [...codes, ...more], rules: [...(rules ?? before)] },
  })
}
function rule(tag: string, more: Partial<RoleEntityRule>): RoleEntityRule {
  return {
    tag,
    scope: 'all',
    expression: null,
    overrides: {},
    ...more,
  }
}
function readRoleAudit(action: string) {
  return app.services.database.kysely
    .selectFrom('sys.audit_log')
    .select(['account', 'result', 'object_id', 'detail'])
    .where('action', '=', action)
    .orderBy('seq')
    .execute()
}

describe('permissions of a role', () => {
  it('list entities in the groups of the menu, with scopes and fields', async () => {
    const { groups, functions, holds, fixed, codes } = await loadPermissions(
      await findRoleId('ROLE_CLERK'),
    )
    expect(groups[0]?.name).toBe('教学管理')
    expect(groups[0]?.entities[0]).toMatchObject({
      tag: 'EDU_STUDENT',
      name: '学生',
      scopes: ['all', 'own', 'org', 'org_tree', 'expression'],
    })
    expect(
      groups[0]?.entities[0]?.fields.find(({ attrName }) => attrName === 'studentNo')?.flags,
    ).toEqual({ isList: 1, isQuery: 1, isDetail: 1, isExport: 1, isAdd: 1, isEdit: 2 })
    expect(functions).toContain('pay:refund')
    expect([holds, fixed, codes]).toEqual([
      ['ALL_PERMISSION'],
      false,
      ['entity:EDU_STUDENT:add', 'entity:EDU_STUDENT:update', 'entity:EDU_STUDENT:view'],
    ])
  })
  it('take effect on the next request as a whole, and are audited', async () => {
    const id = await findRoleId('ROLE_VIEWER')
    const viewer = await app.signIn('viewer')
    const [one] = await loadRoleRows('EDU_STUDENT')
    expect(
      await captureRoleStatus(
        viewer.entityData.export({ params: { tag: 'EDU_STUDENT' }, body: {} }),
      ),
    ).toBe(403)
    const saved = await grant(
      id,
      ['entity:EDU_STUDENT:export'],
      [
        rule('EDU_STUDENT', {
          scope: 'expression',
          expression: `row.studentNo == '${String(one?.['studentNo'])}'`,
          overrides: {
            idCard: { isList: 0, isDetail: 0, isEdit: 0, isAdd: 0, isExport: 0, isQuery: 0 },
            basic: {},
          },
        }),
      ],
    )
    expect(
      await captureRoleStatus(
        viewer.entityData.export({ params: { tag: 'EDU_STUDENT' }, body: {} }),
      ),
    ).toBe('ok')
    const { records, total } = await viewer.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: {},
    })
    expect([
      total,
      records[0]?.['studentNo'],
      records[0] !== undefined && 'idCard' in records[0],
    ]).toEqual([1, one?.['studentNo'], false])
    expect(saved.rules.map(({ overrides }) => Object.keys(overrides))).toEqual([['idCard']])
    expect((await readRoleAudit('role.permissions')).at(-1)).toMatchObject({
      account: 'admin',
      result: 'ok',
      object_id: id,
      detail: { added: ['entity:EDU_STUDENT:export'], removed: [], rules: ['EDU_STUDENT'] },
    })
    await admin.role.savePermissions({
      params: { id },
      body: {
        version: saved.version,
        codes: saved.codes.filter((code) => code !== 'entity:EDU_STUDENT:export'),
        rules: [],
      },
    })
    expect(
      await captureRoleStatus(
        viewer.entityData.export({ params: { tag: 'EDU_STUDENT' }, body: {} }),
      ),
    ).toBe(403)
    expect((await viewer.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })).total).toBe(
      96,
    )
  })
  it('are not overwritten after a concurrent save, which returns the current state', async () => {
    const id = await findRoleId('ROLE_CLERK')
    const { version, codes } = await loadPermissions(id)
    await grant(id, ['print:preview'])
    const late = await admin.role
      .savePermissions({ params: { id }, body: { version, codes: [...codes], rules: [] } })
      .catch((error: { problem: unknown }) => error.problem)
    expect(late).toMatchObject({
      code: 40900,
      data: { version: version + 1, codes: [...codes, 'print:preview'] },
    })
  })
  it('refuse changes of the administrator’s role and unknown codes', async () => {
    const [fixed, clerk] = [
      await loadPermissions(await findRoleId('ROLE_ADMIN')),
      await loadPermissions(await findRoleId('ROLE_CLERK')),
    ]
    const save = (
      { id, version, codes }: typeof clerk,
      more: readonly string[],
      rules: readonly RoleEntityRule[] = [],
    ) =>
      captureRoleStatus(
        admin.role.savePermissions({
          params: { id },
          body: { version, codes: [...codes, ...more], rules: [...rules] },
        }),
      )
    expect(await save(fixed, ['entity:design'])).toBe(409)
    expect(await save(clerk, ['ALL_PERMISSION'])).toBe(42200)
    expect(await save(clerk, ['entity:NOWHERE:view'])).toBe(42200)
    expect(await save(clerk, [], [rule('NOWHERE', { scope: 'own' })])).toBe(42200)
    expect(
      await save(
        clerk,
        [],
        [rule('EDU_STUDENT', { scope: 'expression', expression: 'row.nothing == 1' })],
      ),
    ).toBe(42200)
    expect(
      await save(clerk, [], [rule('EDU_STUDENT', { overrides: { nothing: { isList: 0 } } })]),
    ).toBe(42200)
    expect((await loadPermissions(clerk.id)).version).toBe(clerk.version)
  })
  it('include a check of a row rule before saving', async () => {
    const check = (expression: string) =>
      admin.role.checkScope({ body: { tag: 'EDU_STUDENT', expression } })
    expect(await check('true')).toEqual({ fault: null, rows: 96, all: 96 })
    expect(await check("row.studentNo == 'none'")).toEqual({ fault: null, rows: 0, all: 96 })
    expect((await check('row.studentNo ==')).fault).toContain('表达式有误')
    expect((await check("row.secret == '1'")).fault).toContain('secret')
  })
})

describe('a user without the administrator’s role', () => {
  it('grants and revokes only permissions, rows and fields of their own', async () => {
    const clerkRole = await findRoleId('ROLE_CLERK')
    await grant(
      clerkRole,
      ['entity:SYS_ROLE:view', 'entity:SYS_ROLE:update'],
      [rule('EDU_STUDENT', { scope: 'org', overrides: { idCard: { isList: 0 } } })],
    )
    const clerk = await app.signIn('clerk')
    const made = await admin.entityData.create({
      params: { tag: 'SYS_ROLE' },
      body: { code: 'ROLE_HELP', name: '帮手' },
    })
    await grant(made.id, ['pay:refund'])
    const target = await loadPermissions(made.id, clerk)
    expect(
      target.groups.flatMap(({ entities }) => entities).find(({ tag }) => tag === 'EDU_GRADE')
        ?.fields,
    ).toEqual([])
    const save = (codes: readonly string[], rules: readonly RoleEntityRule[] = []) =>
      captureRoleStatus(
        clerk.role.savePermissions({
          params: { id: made.id },
          body: { version: target.version, codes: [...codes], rules: [...rules] },
        }),
      )
    const own = rule('EDU_STUDENT', { scope: 'org', overrides: { idCard: { isList: 0 } } })
    expect(await save([...target.codes, 'entity:EDU_GRADE:view'])).toBe(403)
    expect(await save([])).toBe(403) // would revoke pay:refund, which the caller does not hold
    expect(await save([...target.codes, 'entity:EDU_STUDENT:view'])).toBe(403) // would show every row
    expect(
      await save([...target.codes, 'entity:EDU_STUDENT:view'], [{ ...own, overrides: {} }]),
    ).toBe(403)
    expect(
      (await readRoleAudit('role.savePermissions')).filter(
        ({ account, result }) => account === 'clerk' && result === 'denied',
      ),
    ).toHaveLength(4)
    expect(await save([...target.codes, 'entity:EDU_STUDENT:view'], [own])).toBe('ok')
  })
  it('cannot change accounts and roles with more permissions', async () => {
    const clerkRole = await findRoleId('ROLE_CLERK')
    await grant(clerkRole, ['entity:SYS_USER:view', 'entity:SYS_USER:update'])
    const clerk = await app.signIn('clerk')
    const [registrar, me] = [await findUserRow('registrar'), await findUserRow('clerk')]
    expect(
      await captureRoleStatus(clerk.account.resetPassword({ params: { id: registrar.id } })),
    ).toBe(403)
    expect(
      await captureRoleStatus(
        clerk.entityData.update({
          params: { tag: 'SYS_USER', id: me.id },
          body: { version: me['version'], roles: [clerkRole, await findRoleId('ROLE_REGISTRAR')] },
        }),
      ),
    ).toBe(403)
    const [registrarRole] = (await loadRoleRows('SYS_ROLE')).filter(
      (row) => row['code'] === 'ROLE_REGISTRAR',
    )
    expect(
      await captureRoleStatus(
        clerk.entityData.update({
          params: { tag: 'SYS_ROLE', id: registrarRole?.id ?? '' },
          body: { version: registrarRole?.['version'], status: '0' },
        }),
      ),
    ).toBe(403)
    expect((await readRoleAudit('account.resetPassword')).at(-1)).toMatchObject({
      account: 'clerk',
      result: 'denied',
    })
  })
})

it('keeps at least one administrator', async () => {
  const [me, role] = [
    await findUserRow('admin'),
    (await loadRoleRows('SYS_ROLE')).find((row) => row['code'] === 'ROLE_ADMIN'),
  ]
  const update = (tag: string, row: typeof role, body: object) =>
    captureRoleStatus(
      admin.entityData.update({
        params: { tag, id: row?.id ?? '' },
        body: { version: row?.['version'], ...body },
      }),
    )
  expect(await update('SYS_USER', me, { status: '0' })).toBe(409)
  expect(await update('SYS_USER', me, { roles: [] })).toBe(409)
  expect(await update('SYS_ROLE', role, { status: '0' })).toBe(409)
  expect(
    await captureRoleStatus(admin.entityData.remove({ params: { tag: 'SYS_USER', ids: me.id } })),
  ).toBe(409)
  const second = await admin.entityData.create({
    params: { tag: 'SYS_USER' },
    body: { account: 'second', name: '二', password: testPassword, roles: [role?.id ?? ''] },
  })
  expect(await update('SYS_USER', second, { status: '0' })).toBe('ok')
  expect(await update('SYS_USER', me, { status: '0' })).toBe(409)
})

describe('accounts made together', () => {
  it('get one-time passwords, and a wrong one stops no other', async () => {
    const made = await admin.account.createMany({
      body: {
        accounts: [
          ...Array.from({ length: 20 }, (_, n) => ({ account: `batch${n}`, name: `批${n}` })),
          { account: 'batch1', name: '重复' },
          { account: 'x', name: '' },
        ],
      },
    })
    expect(made.map(({ password }) => password !== null)).toEqual([
      ...Array.from({ length: 20 }, () => true),
      false,
      false,
    ])
    expect(made[20]?.issues[0]?.path).toBe('account')
    expect(new Set(made.slice(0, 20).map(({ password }) => password)).size).toBe(20)
    const signIn = (account: string, password: string) =>
      app
        .client('')
        .session.signIn({ body: { grant_type: 'password', username: account, password } })
    const tokens = await signIn('batch0', made[0]?.password ?? '')
    expect(tokens.userInfo.mustChangePassword).toBe(true)
    expect(await captureRoleStatus(signIn('batch0', made[1]?.password ?? ''))).not.toBe('ok')
  })
})

describe('a password reset', () => {
  it('returns a random password once, ends the sessions, and requires a new password', async () => {
    const viewer = await app.signIn('viewer')
    const { id } = await findUserRow('viewer')
    const first = await admin.account.resetPassword({ params: { id } })
    const second = await admin.account.resetPassword({ params: { id } })
    expect(first).toMatchObject({
      account: 'viewer',
      name: '查询用户',
      password: expect.stringMatching(/^[a-zA-Z2-9]{14}$/),
    })
    expect(second.password).not.toBe(first.password)
    expect(await captureRoleStatus(viewer.session.whoami({}))).toBe(40003)
    const signIn = (password: string) =>
      app
        .client('')
        .session.signIn({ body: { grant_type: 'password', username: 'viewer', password } })
    expect(await captureRoleStatus(signIn(first.password))).not.toBe('ok')
    const tokens = await signIn(second.password)
    const client = app.client(tokens.access_token)
    expect(tokens.userInfo.mustChangePassword).toBe(true)
    expect(
      await captureRoleStatus(client.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })),
    ).toBe(403)
    await client.session.changePassword({
      body: { oldPassword: second.password, newPassword: 'a brand new password' },
    })
    expect(
      await captureRoleStatus(client.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })),
    ).toBe('ok')
    const lines = await readRoleAudit('account.resetPassword')
    expect(
      lines.filter(({ account, object_id }) => account === 'admin' && object_id === id),
    ).toHaveLength(2)
    expect(
      JSON.stringify(
        await app.services.database.kysely.selectFrom('sys.audit_log').select('detail').execute(),
      ),
    ).not.toContain(second.password)
  })
  it('is refused for oneself, without the permission, and for unknown users', async () => {
    const registrar = await app.signIn('registrar')
    expect(
      await captureRoleStatus(
        admin.account.resetPassword({ params: { id: (await findUserRow('admin')).id } }),
      ),
    ).toBe(409)
    expect(
      await captureRoleStatus(
        registrar.account.resetPassword({ params: { id: (await findUserRow('viewer')).id } }),
      ),
    ).toBe(403)
    expect(await captureRoleStatus(admin.account.resetPassword({ params: { id: '1' } }))).toBe(404)
    expect(await captureRoleStatus(admin.account.resetPassword({ params: { id: 'x' } }))).toBe(404)
  })
})
