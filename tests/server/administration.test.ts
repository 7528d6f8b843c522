import { limits, problemOf } from '@jiaowu/api'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tidy } from '../../apps/server/src/platform/housekeeping.ts'
import { selfAdministrationMigration } from '../../apps/server/src/platform/database/migrations/0010-self-administration.ts'
import { sendSms } from '../../apps/server/src/platform/sms/index.ts'
import { csvOf, importFile, settled } from '../support/imports.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp({ RECYCLE_DAYS: '30', HISTORY_DAYS: '90' })
  admin = await app.signIn('admin')
}, 60_000)
afterAll(() => app.close())

const problem = (work: Promise<unknown>) => work.then(() => null, problemOf)
const codeOf = async (work: Promise<unknown>) => (await problem(work))?.code ?? 200
const station = 'SYS_STATION'
async function make(code: string, name = code) {
  return (await admin.entityData.create({ params: { tag: station }, body: { code, name } })).id
}
async function bin(searchKey = '', as = admin) {
  return (
    await as.history.recycled({ params: { tag: station }, body: { searchKey, pageSize: 100 } })
  ).records.map(({ id }) => id)
}
const remove = (ids: string, tag = station) => admin.entityData.remove({ params: { tag, ids } })
function purge(ids: string, count: number, tag = station, as = admin) {
  return as.history.purge({ params: { tag, ids }, body: { count } })
}
const day = 86_400_000
/** A role with these permissions, held by `viewer`. */
async function give(codes: readonly string[]) {
  const roles = (await admin.entityData.page({ params: { tag: 'SYS_ROLE' }, body: {} })).records
  const id = roles.find((row) => row['code'] === 'ROLE_VIEWER')?.id ?? ''
  const { version } = await admin.role.permissions({ params: { id } })
  await admin.role.savePermissions({
    params: { id },
    body: { version, codes: [...codes], rules: [] },
  })
}

const org = 'SYS_ORG'
async function under(parent: string, as = admin) {
  return (await as.tree.children({ params: { tag: org }, body: { parent } })).records
}
function named(nodes: readonly { readonly row: { readonly [name: string]: unknown } }[]) {
  return nodes.map(({ row }) => row['name'])
}
async function add(name: string, pid?: string) {
  return (
    await admin.entityData.create({
      params: { tag: org },
      body: { code: name, name, ...(pid === undefined ? {} : { pid: [{ id: pid, name: '' }] }) },
    })
  ).id
}
const get = (id: string) => admin.entityData.get({ params: { tag: org, id } })
async function move(id: string, parent: string, before: string | null = null, as = admin) {
  return as.tree.move({
    params: { tag: org, id },
    body: { version: (await get(id)).version ?? 1, parent, before },
  })
}

describe('a tree of records', () => {
  let school = ''
  beforeAll(async () => {
    school = (await under('0'))[0]?.row.id ?? ''
  })

  it('is told of in the configuration, and opens a level at a time', async () => {
    expect((await admin.entityData.config({ params: { tag: org } })).tree).toEqual({
      parentField: 'pid',
      sortField: 'sort',
    })
    expect((await admin.entityData.config({ params: { tag: 'SYS_STATION' } })).tree).toBeUndefined()
    const [root, ...more] = await under('0')
    expect([named(root === undefined ? [] : [root]), more, root?.children]).toEqual([
      ['示范大学'],
      [],
      7,
    ])
    expect((await under(school)).map(({ parent, children }) => [parent, children])).toEqual(
      Array.from({ length: 7 }, () => [school, 0]),
    )
    expect(await codeOf(admin.tree.children({ params: { tag: 'SYS_STATION' }, body: {} }))).toBe(
      403,
    )
  })
  it('moves by rank and by parent, numbers siblings anew, and leaves a history', async () => {
    const [a = '', b = '', c = ''] = [
      await add('甲', school),
      await add('乙', school),
      await add('丙', school),
    ]
    await move(c, school, a)
    await move(b, school, c)
    expect(
      named(await under(school)).filter((name) => ['甲', '乙', '丙'].includes(String(name))),
    ).toEqual(['乙', '丙', '甲'])
    await move(a, b)
    expect([named(await under(b)), (await get(a))['pid'], (await get(a))['sort']]).toEqual([
      ['甲'],
      [{ id: b, name: '乙' }],
      1,
    ])
    expect(
      (await admin.history.of({ params: { tag: org, id: a } })).entries.flatMap(({ changes }) =>
        changes.map(({ attrName }) => attrName),
      ),
    ).toContain('pid')
    await move(a, '0')
    expect(named(await under('0'))).toEqual(['示范大学', '甲'])
  })
  it('refuses circles, however they come about, and grows no deeper than people can follow', async () => {
    const [top = '', middle = ''] = [await add('圈上'), '']
    const low = await add('圈中', top)
    const lowest = await add('圈下', low)
    for (const below of [top, low, lowest])
      expect((await problem(move(top, below)))?.issues?.map(({ rule }) => rule)).toEqual(['parent'])
    expect(
      await codeOf(
        admin.entityData.update({
          params: { tag: org, id: top },
          body: { version: (await get(top)).version ?? 1, pid: lowest },
        }),
      ),
    ).toBe(42200)
    expect(middle).toBe('')
    // Two who each put one below the other: one of them comes too late.
    const other = await add('另一棵')
    const outcomes = await Promise.all([codeOf(move(top, other)), codeOf(move(other, lowest))])
    expect(outcomes.toSorted((x, y) => x - y)).toEqual([200, 42200])
    let deepest = await add('第 1 层')
    for (let level = 2; level <= limits.treeDepth; level += 1)
      deepest = await add(`第 ${level} 层`, deepest)
    expect((await problem(add('太深', deepest)))?.issues).toMatchObject([
      { rule: 'depth', msg: `最多 ${limits.treeDepth} 层` },
    ])
    expect((await problem(move(low, deepest)))?.issues).toMatchObject([{ rule: 'depth' }])
    const { id: jobId } = await importFile(
      admin,
      org,
      csvOf(`机构代码,机构名称,上级机构\nD9,导入的第九层,第 ${limits.treeDepth} 层\n`),
    )
    await admin.job.resume({ params: { id: jobId }, body: {} }) // data of the system itself are confirmed
    const job = await settled(admin, jobId)
    expect([
      job.errors.map(({ rule }) => rule),
      (
        await admin.entityData.page({
          params: { tag: org },
          body: { queries: { name: '导入的第九层' } },
        })
      ).total,
    ]).toEqual([['depth'], 0])
  })
  it('takes nothing from elsewhere, nor from those who may not', async () => {
    const foreign = await app.signIn('admin', '10001')
    const [theirs] = await under('0', foreign)
    const mine = await add('我方')
    expect((await problem(move(mine, theirs?.row.id ?? '')))?.issues).toMatchObject([
      { rule: 'choice' },
    ])
    expect(
      await codeOf(
        foreign.tree.move({ params: { tag: org, id: mine }, body: { version: 1, parent: '0' } }),
      ),
    ).toBe(404)
    expect([await under(theirs?.row.id ?? ''), named(await under('0', foreign))]).toEqual([
      [],
      ['第二示范学院'],
    ])
    expect(
      await codeOf(
        admin.tree.move({ params: { tag: org, id: mine }, body: { version: 99, parent: '0' } }),
      ),
    ).toBe(40900)
    expect(
      (
        await problem(
          admin.tree.move({
            params: { tag: org, id: mine },
            body: {
              version: (await get(mine)).version ?? 1,
              parent: '0',
              before: theirs?.row.id ?? '',
            },
          }),
        )
      )?.issues,
    ).toMatchObject([{ rule: 'value' }])
    const clerk = await app.signIn('clerk')
    expect([
      await codeOf(clerk.tree.children({ params: { tag: org }, body: {} })),
      await codeOf(move(mine, '0', null, clerk)),
    ]).toEqual([403, 403])
  })
  it('keeps what others stand below, and brings nothing back below what is gone', async () => {
    const parent = await add('上级')
    const [one, two] = [await add('下一', parent), await add('下二', parent)]
    const refused = await problem(admin.entityData.remove({ params: { tag: org, ids: parent } }))
    expect([refused?.code, refused?.message]).toEqual([409, '还有 2 个下级，请先移走或删除下级'])
    expect(
      await admin.entityData.remove({ params: { tag: org, ids: `${parent},${one},${two}` } }),
    ).toEqual({ deleted: 3 })
    expect(
      (await problem(admin.history.restore({ params: { tag: org, ids: one } })))?.message,
    ).toBe('它的上级也已删除，请先恢复上级')
    expect(await admin.history.restore({ params: { tag: org, ids: `${one},${parent}` } })).toEqual({
      restored: 2,
    })
  })
  it('finds with the way from the top', async () => {
    const { records, complete } = await admin.tree.search({
      params: { tag: org },
      body: { queries: { name: '教务处' } },
    })
    expect([
      records.map(({ row, hit, parent }) => [row['name'], hit === true, parent === '0']),
      complete,
    ]).toEqual([
      [
        ['示范大学', false, true],
        ['教务处', true, false],
      ],
      true,
    ])
    expect(
      await codeOf(admin.tree.search({ params: { tag: org }, body: { queries: { sort: '1' } } })),
    ).toBe(42200)
  })
  it('puts rows of a plain list in a given order: all, or none', async () => {
    const items = async () =>
      (
        await admin.dictionaryItem.page({
          body: { queries: { dictCode: 'gender' }, sorts: [{ column: 'sort', asc: true }] },
        })
      ).records
    const [male, female] = (await items()).map(({ id }) => id)
    const order = (ids: readonly (string | undefined)[]) =>
      admin.tree.order({ params: { tag: 'SYS_DICT_ITEM' }, body: { ids: ids.map(String) } })
    expect(await order([female, male])).toEqual({ changed: 2 })
    expect(
      (await admin.dictionary.codes({ query: { codes: 'gender' } }))['gender']?.map(
        ({ name }) => name,
      ),
    ).toEqual(['女', '男'])
    expect([
      await codeOf(order([male, '1'])),
      await codeOf(order([male, male])),
      (await items()).map(({ id }) => id),
    ]).toEqual([404, 42200, [female, male]])
    await order([male, female])
  })
})

describe('the recycle bin', () => {
  it('is searched by what lists show, and emptied by those who may, when they type how many', async () => {
    const [one, two] = [await make('BIN_1', '会被找到'), await make('BIN_2', '百分之百%')]
    const files = app.services.database.kysely
    await files
      .insertInto('sys.attachment')
      .values({
        id: '77',
        tenant_id: '10000',
        biz_type: station,
        biz_id: one,
        name: 'a.txt',
        size: '1',
        type: 'text/plain',
        storage_name: 'x',
        sha256: '',
      })
      .execute()
    await remove(`${one},${two}`)
    expect([await bin('找到'), await bin('%'), await bin('BIN_'), await bin('没有')]).toEqual([
      [one],
      [two],
      [two, one],
      [],
    ])
    expect((await admin.history.recycled({ params: { tag: station }, body: {} })).keptDays).toBe(30)
    await give(['entity:SYS_STATION:view', 'entity:SYS_STATION:delete'])
    expect(await codeOf(purge(one, 1, station, await app.signIn('viewer')))).toBe(403)
    expect([
      await codeOf(purge(one, 2)),
      await codeOf(purge(`${one},1`, 2)),
      await bin('BIN_'),
    ]).toEqual([42200, 404, [two, one]])
    expect(await purge(one, 1)).toEqual({ purged: 1 })
    expect([
      await bin('BIN_'),
      await codeOf(admin.history.restore({ params: { tag: station, ids: one } })),
    ]).toEqual([[two], 404])
    const left = await files
      .selectFrom('sys.row_history')
      .select('id')
      .where('row_id', '=', one)
      .execute()
    const file = await files
      .selectFrom('sys.attachment')
      .select('deleted_at')
      .where('id', '=', '77')
      .executeTakeFirstOrThrow()
    const told = await files
      .selectFrom('sys.audit_log')
      .select(['account', 'object'])
      .where('action', '=', 'entity.purge')
      .where('object_id', '=', one)
      .execute()
    expect([left, file.deleted_at === null, told]).toEqual([
      [],
      false,
      [{ account: 'admin', object: station }],
    ])
  })
  it('keeps what others point at, in a bin or not; a live record is nobody’s to purge', async () => {
    const kept = await make('KEPT')
    const user = await admin.entityData.create({
      params: { tag: 'SYS_USER' },
      body: {
        account: 'sits-there',
        name: '坐着',
        password: 'correct horse battery',
        station: kept,
      },
    })
    expect(await codeOf(purge(kept, 1))).toBe(404)
    await remove(user.id, 'SYS_USER')
    await remove(kept)
    expect((await problem(purge(kept, 1)))?.message).toBe(
      '回收站或系统中还有数据引用它，请先处理那些数据',
    )
    await purge(user.id, 1, 'SYS_USER')
    expect(await purge(kept, 1)).toEqual({ purged: 1 })
    const role = await admin.entityData.create({
      params: { tag: 'SYS_ROLE' },
      body: { code: 'ROLE_GOING', name: '要走的' },
    })
    await admin.role.savePermissions({
      params: { id: role.id },
      body: { version: Number(role.version), codes: ['entity:EDU_STUDENT:view'], rules: [] },
    })
    await remove(role.id, 'SYS_ROLE')
    expect(await purge(role.id, 1, 'SYS_ROLE')).toEqual({ purged: 1 })
  })
  it('empties itself after the days it was given, and histories are as old as they may be', async () => {
    const [old, used, user] = [await make('OLD'), await make('USED'), 'still-here']
    await admin.entityData.create({
      params: { tag: 'SYS_USER' },
      body: { account: user, name: '仍在', password: 'correct horse battery' },
    })
    await remove(`${old},${used}`)
    await app.services.database.kysely
      .updateTable('sys.app_user')
      .set({ station_id: used })
      .where('account', '=', user)
      .execute() // as an import of another program might
    const count = async () =>
      Number(
        (
          await app.services.database.kysely
            .selectFrom('sys.row_history')
            .select((e) => e.fn.countAll<string>().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      )
    app.advance(29 * day)
    await tidy(app.services)
    expect(
      (
        await app.services.database.kysely
          .selectFrom('sys.station')
          .select('id')
          .where('id', 'in', [old, used])
          .execute()
      ).length,
    ).toBe(2)
    app.advance(2 * day)
    await tidy(app.services)
    expect(
      await app.services.database.kysely
        .selectFrom('sys.station')
        .select('id')
        .where('id', 'in', [old, used])
        .execute(),
    ).toEqual([{ id: used }])
    expect(await count()).toBeGreaterThan(0)
    app.advance(60 * day)
    await tidy(app.services)
    expect(await count()).toBe(0)
    admin = await app.signIn('admin') // sessions are not that old
  })
})

describe('the audit trail', () => {
  it('is read by those who hold its own permission beside that of the entity, and holds no secrets', async () => {
    await give(['entity:SYS_LOG:view', 'entity:SYS_LOG:export'])
    const viewer = await app.signIn('viewer')
    const log = { params: { tag: 'SYS_LOG' } }
    const tags = async () => JSON.stringify(await viewer.session.menu({})).includes('SYS_LOG')
    expect([
      await codeOf(viewer.entityData.page({ ...log, body: {} })),
      await codeOf(viewer.entityData.config(log)),
      await codeOf(viewer.tree.search({ ...log, body: { queries: {} } })),
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

describe('rows of the product itself', () => {
  it('are neither added nor deleted, and nobody is offered to', async () => {
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
      await codeOf(remove(tenant?.id ?? '', 'SYS_TENANT')),
      await codeOf(
        admin.entityData.update({
          params: { tag: 'SYS_TENANT', id: tenant?.id ?? '' },
          body: { version: tenant?.version, name: '改了名的大学' },
        }),
      ),
    ]).toEqual([403, 200])
  })
})

describe('a school', () => {
  it('is founded, closed and opened by the first one alone, with an administrator of its own', async () => {
    const second = await app.signIn('admin', '10001')
    expect([
      await codeOf(second.tenants.list({})),
      await codeOf(second.tenants.create({ body: { code: '20001', name: '偷办的' } })),
      JSON.stringify(await second.session.menu({})).includes('/tenants'),
      JSON.stringify(await admin.session.menu({})).includes('/tenants'),
    ]).toEqual([404, 404, false, true])
    expect(await codeOf((await app.signIn('registrar')).tenants.list({}))).toBe(403)
    const { account, password } = await admin.tenants.create({
      body: { code: '20001', name: '新办学院' },
    })
    expect([
      await codeOf(admin.tenants.create({ body: { code: '20001', name: '再办' } })),
      await codeOf(admin.tenants.create({ body: { code: '7', name: '短' } })),
      await codeOf(admin.tenants.enable({ params: { id: '10000' }, body: { enabled: false } })),
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
    expect([entries.length > 20, await codeOf(there.session.whoami({}))]).toEqual([true, 40005])
    await admin.tenants.enable({ params: { id: '20001' }, body: { enabled: true } })
    const again = await admin.tenants.resetAdministrator({ params: { id: '20001' } })
    expect([
      again.password === password,
      (await enter(again.password)).userInfo.mustChangePassword,
    ]).toEqual([false, true])
  })
})

describe('what entities of the system do', () => {
  it('a menu entry keeps the entity it belongs to; a dictionary goes when it is empty; a text without its code is not sent', async () => {
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
    expect((await problem(remove(dict.id, 'SYS_DICT')))?.message).toBe(
      '字典里还有 1 个选项，请先删除选项',
    )
    await admin.dictionaryItem.remove({ query: { ids: item.id } })
    expect(await remove(dict.id, 'SYS_DICT')).toEqual({ deleted: 1 })
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
    expect(sent.content).toBe('您的验证码是 ******，5 分钟内有效。')
  })
})

describe('a message', () => {
  it('reaches its reader and nobody else', async () => {
    const viewer = await app.signIn('viewer')
    const { id: reader } = await viewer.session.whoami({})
    expect(
      (
        await problem(
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
      await codeOf(admin.messages.read({ params: { id } })),
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

describe('a difference in the books', () => {
  it('is settled with a reason by one and looked at by another', async () => {
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
      await codeOf(registrar.print.settleDiscrepancy({ ...row, body: { note: '' } })),
      await codeOf(registrar.print.checkDiscrepancy({ ...row, body: { agree: true } })),
    ]).toEqual([42200, 404])
    await registrar.print.settleDiscrepancy({ ...row, body: { note: '线下核对' } })
    expect(await list('0')).toMatchObject([
      { settledBy: '教务管理员', note: '线下核对', checkedAt: null, mayCheck: false },
    ])
    expect(
      (await problem(registrar.print.checkDiscrepancy({ ...row, body: { agree: true } })))?.message,
    ).toBe('须由另一位工作人员复核')
    await admin.print.checkDiscrepancy({ ...row, body: { agree: false } })
    expect([(await list('1')).length, (await list('0')).length]).toEqual([1, 0])
    await registrar.print.settleDiscrepancy({ ...row, body: { note: '再次核对' } })
    await admin.print.checkDiscrepancy({ ...row, body: { agree: true } })
    expect(await list('0')).toMatchObject([{ checkedBy: '系统管理员', mayCheck: false }])
    expect([
      await codeOf(admin.print.checkDiscrepancy({ ...row, body: { agree: false } })),
      (await admin.print.discrepancies({ query: { open: '0', day: '2026-03-02' } })).length,
    ]).toEqual([404, 0])
  })
})

describe('menus of schools that are there already', () => {
  it('get the new pages once, beside what they belong to, and keep what was renamed or thrown away', async () => {
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
    expect(before).toHaveLength(4) // a new school has them
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
