import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { createRegistry } from './registry.ts'
import { databaseOf } from '../read/rows.ts'
import { definition, type Fixture, openFixture } from '../../../testing/entities/fixture.ts'

let fixture: Fixture
let context: Context
beforeAll(async () => {
  fixture = await openFixture()
  context = fixture.context()
  await sql`insert into biz.t_dept (id, tenant_id, pid, name) values (1, 10000, 0, '理学院'), (2, 10000, 1, '数学系'), (3, 10000, 1, '100%_系')`.execute(
    databaseOf(fixture),
  )
  await sql`insert into biz.t_team (id, tenant_id, name, dept_id) select n, 10000, '班' || lpad(n::text, 2, '0'), 2 + n % 2 from generate_series(1, 25) n`.execute(
    databaseOf(fixture),
  )
})
afterAll(async () => {
  await fixture.close()
})

function config(tag: string, as = context) {
  return Promise.resolve(
    entityDataHandlers.config({ params: { tag }, query: undefined, body: undefined }, as),
  )
}
function lookup(fieldId: string, more: object = {}, as = context) {
  return Promise.resolve(
    entityDataHandlers.lookup(
      {
        params: { tag: 'T_SAMPLE' },
        query: undefined,
        body: { fieldId, pageNum: 1, pageSize: 10, ...more },
      },
      as,
    ),
  )
}
async function refused(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  )
  if (error instanceof Invalid)
    return error.faults.map(({ path, rule }) => `${path} ${rule}`).join()
  return error instanceof Refusal ? error.status : error
}

describe('config', () => {
  it('tells nothing of tables, columns or statements', async () => {
    await fixture.define(
      definition(
        'T_SECRETIVE',
        't_sample',
        [
          {
            id: '700',
            attrName: 'name',
            uiLabel: '名',
            columnName: 'name',
            tableName: 't_sample',
            columnType: 'varchar',
            columnComment: 'inner',
            comments: 'inner',
            uiType: 'select',
            dictType: 2,
            dictValue: 'select secret from inner_table',
          },
          {
            id: '701',
            attrName: 'createTime',
            uiLabel: '创建',
            columnName: 'create_time',
            uiType: 'datetime',
            isDetail: 1,
          },
        ],
        {
          buttons: [
            {
              code: 'run',
              name: '运行',
              nameEn: 'Run',
              position: 1,
              eventType: 2,
              eventContent: 'delete from inner_table',
            },
            { code: 'off', name: '停', position: 1, status: 0 },
            {
              code: 'go',
              name: '去',
              position: 2,
              positionExp: "row.name == '1'",
              eventContent: [{ do: 'refresh' }],
            },
          ],
        },
      ),
    )
    const found = await config('T_SECRETIVE', fixture.context({}, 'en'))
    expect(JSON.stringify(found)).not.toMatch(/inner|t_sample|varchar|columnName/)
    expect(found.buttons.map(({ code, name, eventContent }) => [code, name, eventContent])).toEqual(
      [
        ['run', 'Run', null],
        ['go', '去', [{ do: 'refresh' }]],
      ],
    )
    expect(found.fields.map(({ attrName, isAdd, isEdit }) => [attrName, isAdd, isEdit])).toEqual([
      ['name', 1, 1],
      ['createTime', 2, 2],
    ])
    expect(
      await refused(
        Promise.resolve(
          entityDataHandlers.lookup(
            {
              params: { tag: 'T_SECRETIVE' },
              query: undefined,
              body: { fieldId: '700', pageNum: 1, pageSize: 10 },
            },
            context,
          ),
        ),
      ),
    ).toBe(422)
  })
  it('speaks the language asked for, with its dictionaries', async () => {
    const [zh, en] = [await config('T_SAMPLE'), await config('T_SAMPLE', fixture.context({}, 'en'))]
    const field = (from: typeof zh, attrName: string) =>
      from.fields.find((each) => each.attrName === attrName)
    expect([zh.name, en.name, field(zh, 'name')?.uiLabel, field(en, 'name')?.uiLabel]).toEqual([
      'T_SAMPLE',
      'Sample',
      '名称',
      'Name',
    ])
    expect([
      field(zh, 'kind')?.dictData,
      field(en, 'kind')?.dictData?.map(({ name }) => name),
    ]).toEqual([
      [
        { id: '1', name: '甲', pid: '0' },
        { id: '2', name: '乙', pid: '0' },
        { id: '3', name: '丙', pid: '0' },
      ],
      ['First', 'Second', 'Third'],
    ])
    expect([
      field(zh, 'name')?.sortable,
      field(zh, 'tags')?.sortable,
      field(zh, 'nick')?.sortable,
      field(zh, 'photo')?.isQuery,
    ]).toEqual([true, false, false, 0])
    expect(zh.permissions).toEqual(
      ['view', 'add', 'update', 'delete', 'export'].map((action) => `entity:T_SAMPLE:${action}`),
    )
  })
  it('asks at most once a second, and then sees what another instance saved', async () => {
    let clock = 0
    const registry = createRegistry(fixture.database, context.log, () => clock)
    const name = async () => (await registry.get('10000', 'T_PLAIN')).definition.name
    expect(await name()).toBe('T_PLAIN')
    await sql`update sys.entity set definition = jsonb_set(definition, '{name}', '"elsewhere"'), version = version + 1 where tag = 'T_PLAIN'`.execute(
      databaseOf(fixture),
    )
    clock = 999
    expect(await name()).toBe('T_PLAIN')
    clock = 1000
    expect(await name()).toBe('elsewhere')
  })
  it('notices a definition that was saved, by whomever', async () => {
    const before = (await config('T_TEAM')).name
    await sql`update sys.entity set definition = jsonb_set(definition, '{name}', '"改名"'), version = version + 1 where tag = 'T_TEAM'`.execute(
      databaseOf(fixture),
    )
    fixture.registry.invalidate()
    expect([before, (await config('T_TEAM')).name]).toEqual(['T_TEAM', '改名'])
    await fixture.define(
      definition(
        'T_TEAM',
        't_team',
        [{ id: '301', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1 }],
        { name: '别家' },
      ),
      '10001',
    )
    expect([
      (await config('T_TEAM')).name,
      (await config('T_TEAM', fixture.context({ tenant: '10001' }))).name,
    ]).toEqual(['改名', '别家'])
  })
})

describe('lookup', () => {
  it('pages and searches another entity by name', async () => {
    expect(await lookup('111')).toEqual({
      records: Array.from({ length: 10 }, (_, i) => ({
        id: String(i + 1),
        name: `班${String(i + 1).padStart(2, '0')}`,
      })),
      total: 25,
    })
    expect(await lookup('111', { pageNum: 3 })).toMatchObject({
      records: [{ id: '21' }, { id: '22' }, { id: '23' }, { id: '24' }, { id: '25' }],
      total: 25,
    })
    expect(await lookup('111', { searchKey: '班1' })).toMatchObject({ total: 10 })
    expect(await lookup('111', { searchKey: '%' })).toEqual({ records: [], total: 0 })
    expect(await lookup('teamId', { searchKey: '25' })).toEqual({
      records: [{ id: '25', name: '班25' }],
      total: 1,
    })
  })
  it('keeps a child to its parent, however the parent is sent', async () => {
    for (const deptId of ['2', ['2'], [{ id: '2', name: '数学系' }], { id: '2' }, 2])
      expect(await lookup('111', { cascades: { deptId } })).toMatchObject({ total: 12 })
    for (const deptId of [null, '', []])
      expect(await lookup('111', { cascades: { deptId } })).toMatchObject({ total: 25 })
    expect(await lookup('111', { cascades: { deptId: "2' or 1=1" } })).toEqual({
      records: [],
      total: 0,
    })
    expect(await lookup('111', { cascades: { nothing: '2' } })).toMatchObject({ total: 25 })
  })
  it('sends trees whole and flat', async () => {
    expect(await lookup('126')).toEqual([
      { id: '1', name: '理学院', pid: '0' },
      { id: '2', name: '数学系', pid: '1' },
      { id: '3', name: '100%_系', pid: '1' },
    ])
  })
  it('pages dictionaries too', async () => {
    expect(await lookup('109', { pageSize: 2 })).toEqual({
      records: [
        { id: '1', name: '甲' },
        { id: '2', name: '乙' },
      ],
      total: 3,
    })
    expect(await lookup('109', { searchKey: 'sec' }, fixture.context({}, 'en'))).toEqual({
      records: [{ id: '2', name: 'Second' }],
      total: 1,
    })
  })
  it('answers the form call alike, with or without the tag', async () => {
    const form = (body: object) =>
      Promise.resolve(
        entityDataHandlers.lookupForm(
          {
            params: {},
            query: undefined,
            body: { fieldId: '111', pageNum: 1, pageSize: 10, ...body },
          },
          context,
        ),
      )
    expect(await form({ cascades: '{"deptId":"2"}' })).toMatchObject({ total: 12 })
    expect(await form({ tag: 'T_SAMPLE' })).toMatchObject({ total: 25 })
    expect(await refused(form({ cascades: '{' }))).toBe('cascades value')
    expect(await refused(form({ fieldId: 'nothing' }))).toBe('fieldId unknownField')
    expect(await refused(form({ tag: 'NOTHING' }))).toBe(404)
  })
  it('refuses fields without choices, unknown ones, and pages out of reach', async () => {
    expect(await refused(lookup('101'))).toBe('fieldId unknownField')
    expect(await refused(lookup('99999'))).toBe('fieldId unknownField')
    expect(await refused(lookup('111', { pageNum: 0 }))).toBe('pageNum range')
    expect(await refused(lookup('111', { pageNum: 5000 }))).toBe('pageNum range')
    expect(await refused(lookup('111', { searchKey: 'a\u0000' }))).toBe('searchKey value')
  })
})

describe('ids and roots', () => {
  const page = (tag: string, body: object) =>
    Promise.resolve(
      entityDataHandlers.page(
        {
          params: { tag },
          query: undefined,
          body: { pageSize: 3, pageNum: 1, sorts: [], queries: {}, ...body },
        },
        context,
      ),
    )
  it('sorts by the id though no field shows it', async () => {
    await fixture.define(
      definition('T_NO_ID', 't_team', [
        { id: '710', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1, isExport: 1 },
      ]),
    )
    expect(
      (await page('T_NO_ID', { sorts: [{ column: 'id', asc: true }] })).records.map(({ id }) => id),
    ).toEqual(['1', '2', '3'])
    expect(
      (await page('T_NO_ID', { sorts: [{ column: 'id', asc: false }] })).records.map(
        ({ id }) => id,
      ),
    ).toEqual(['25', '24', '23'])
    const csv = await entityDataHandlers.export(
      {
        params: { tag: 'T_NO_ID' },
        query: undefined,
        body: {
          pageSize: 1,
          pageNum: 1,
          sorts: [{ column: 'id', asc: true }],
          queries: {},
          columns: ['id', 'name'],
          format: 'csv',
        },
      },
      context,
    )
    expect(await csv.text()).toBe('id,n\r\n1,班01\r\n')
  })
  it('shows the root of a tree as no parent', async () => {
    const [root] = (await page('T_DEPT', { sorts: [{ column: 'id', asc: true }] })).records
    expect(root).toMatchObject({ id: '1', pid: [] })
    const made = await entityDataHandlers.create(
      { params: { tag: 'T_DEPT' }, query: undefined, body: { name: 'x', pid: '0' } },
      context,
    )
    expect(made.pid).toEqual([])
  })
  it('never writes the audit log through an entity', async () => {
    await fixture.define({
      tag: 'T_LOG',
      name: 'log',
      schemaName: 'sys',
      tableName: 'audit_log',
      fields: [{ id: '720', attrName: 'action', uiLabel: 'a', columnName: 'action', isList: 1 }],
    })
    expect((await page('T_LOG', {})).total).toBe(0)
    expect(
      await refused(
        Promise.resolve(
          entityDataHandlers.create(
            { params: { tag: 'T_LOG' }, query: undefined, body: { action: 'x' } },
            context,
          ),
        ),
      ),
    ).toBe(403)
    expect(
      await refused(
        Promise.resolve(
          entityDataHandlers.remove(
            { params: { tag: 'T_LOG', ids: '1' }, query: undefined, body: undefined },
            context,
          ),
        ),
      ),
    ).toBe(403)
  })
  it('gives the notices whole, and nothing else', async () => {
    await fixture.define({
      tag: 'SYS_NOTICE',
      name: 'n',
      schemaName: 'sys',
      tableName: 'notice',
      fields: [
        { id: '730', attrName: 'noticeTitle', uiLabel: 't', columnName: 'notice_title', isList: 1 },
      ],
    })
    await sql`insert into sys.notice (id, tenant_id, notice_title) select n, 10000, 't' || n from generate_series(1, 1005) n`.execute(
      databaseOf(fixture),
    )
    const all = await page('SYS_NOTICE', { pageSize: -1, pageNum: -1 })
    expect([all.records.length, all.total, all.size, all.current]).toEqual([1000, 1005, 1000, 1])
  })
})

describe('accounts', () => {
  it('are not lifted by those below an administrator', async () => {
    await fixture.define({
      tag: 'T_USER',
      name: 'u',
      schemaName: 'sys',
      tableName: 'app_user',
      fields: [
        { id: '740', attrName: 'account', uiLabel: 'a', columnName: 'account', isList: 1 },
        { id: '741', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1 },
        {
          id: '742',
          attrName: 'password',
          uiLabel: 'p',
          columnName: 'password_hash',
          uiType: 'password',
        },
        {
          id: '743',
          attrName: 'roles',
          uiLabel: 'r',
          columnName: 'role_ids',
          uiType: 'multiSelect',
          isList: 1,
        },
      ],
    })
    const administrators = await fixture.role('ROLE_ADMIN', ['ALL_PERMISSION'])
    const permissions = ['view', 'add', 'update', 'delete'].map(
      (action) => `entity:T_USER:${action}`,
    )
    const helper = await fixture.role('HELPER', permissions)
    const clerk = fixture.context({
      userId: '7',
      roles: ['HELPER'],
      roleIds: [helper],
      permissions: new Set(permissions),
    })
    const create = (body: object, as: Context) =>
      Promise.resolve(
        entityDataHandlers.create(
          {
            params: { tag: 'T_USER' },
            query: undefined,
            body: { password: 'correct horse', ...body },
          },
          as,
        ),
      )
    const chief = await create({ account: 'chief', name: '主', roles: [administrators] }, context)
    expect(await refused(create({ account: 'x', name: 'x', roles: [administrators] }, clerk))).toBe(
      403,
    )
    const plain = await create({ account: 'plain', name: '从', roles: [helper] }, clerk)
    const update = (row: typeof plain, body: object) =>
      Promise.resolve(
        entityDataHandlers.update(
          {
            params: { tag: 'T_USER', id: row.id },
            query: undefined,
            body: { version: row.version, ...body },
          },
          clerk,
        ),
      )
    expect(await refused(update(plain, { roles: [administrators] }))).toBe(403)
    expect(await refused(update(chief, { password: 'a new password' }))).toBe(403)
    expect(
      await refused(
        Promise.resolve(
          entityDataHandlers.remove(
            { params: { tag: 'T_USER', ids: chief.id }, query: undefined, body: undefined },
            clerk,
          ),
        ),
      ),
    ).toBe(403)
    expect(await refused(create({ account: 'nobody', name: 'n', password: '' }, clerk))).toBe(
      'password required',
    )
    const db = databaseOf(fixture)
    await sql`insert into sys.session (id, family_id, tenant_id, user_id, kind, access_hash, access_expires_at, refresh_hash, refresh_expires_at, absolute_expires_at) values (1, 1, 10000, ${plain.id}::int8, 'staff', 'a', now(), 'r', now(), now())`.execute(
      db,
    )
    await update(plain, { password: 'another password' })
    const { rows } = await sql<
      Record<string, unknown>
    >`select u.must_change_password, s.ended_reason from sys.app_user u join sys.session s on s.user_id = u.id where u.id = ${plain.id}::int8`.execute(
      db,
    )
    expect(rows).toEqual([{ must_change_password: true, ended_reason: 'password' }])
  })
})

describe('the tables a registry knows', () => {
  it('are read once and again when one is another, a second late at most, whoever changed it', async () => {
    const db = databaseOf(fixture)
    let clock = 0
    const registry = createRegistry(
      fixture.database,
      { error: () => {}, warn: () => {} } as never,
      () => clock,
    )
    const names = async () => [
      ...((await registry.catalog()).get('biz.t_team')?.columns.keys() ?? []),
    ]
    const first = await registry.catalog()
    clock += 5_000
    expect(await registry.catalog()).toBe(first)
    const before = await names()
    await sql`alter table biz.t_team add column motto text`.execute(db)
    expect(await names()).toEqual(before)
    clock += 1_000
    expect(await names()).toEqual([...before, 'motto'])
    for (const change of [
      "alter table biz.t_team alter column motto set default ''",
      'alter table biz.t_team alter column motto type varchar(9)',
      'create unique index t_team_motto on biz.t_team (motto) where motto is null',
      'alter table biz.t_team drop column motto',
    ]) {
      const known = await registry.catalog()
      await sql.raw(change).execute(db)
      registry.invalidate()
      expect(await registry.catalog(), change).not.toBe(known)
    }
    expect(await names()).toEqual(before)
  })
})
