import type { Row } from '@jiaowu/api'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context, Subject } from '../context.ts'
import { entityDataHandlers } from '../entities/handlers/entity-data.ts'
import { Invalid, Refusal } from '../platform/refusal.ts'
import { databaseOf } from '../entities/read/rows.ts'
import { type Fixture, openFixture, otherTenant } from '../../testing/entities/fixture.ts'

type Asked = Partial<Parameters<typeof entityDataHandlers.page>[0]['body']>
let fixture: Fixture
const all = ['view', 'add', 'update', 'delete', 'export'].map((action) => `entity:T_DEPT:${action}`)
const none: Partial<Subject> = {
  userId: '7',
  account: 'clerk',
  name: '文员',
  roles: ['CLERK'],
  permissions: new Set(),
  roleIds: [],
  org: { id: '60', name: '学院' },
}
const hidden = { secret: { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 } }

async function staff(
  rules: Parameters<Fixture['role']>[2] = [],
  permissions: readonly string[] = all,
  more: Partial<Subject> = {},
): Promise<Context> {
  const roleId = await fixture.role(`R${Math.random()}`, permissions, rules)
  return fixture.context({ ...none, permissions: new Set(permissions), roleIds: [roleId], ...more })
}
async function page(context: Context, query: Asked = {}) {
  return (
    await entityDataHandlers.page(
      {
        params: { tag: 'T_DEPT' },
        query: undefined,
        body: {
          pageSize: 100,
          pageNum: 1,
          sorts: [{ column: 'id', asc: true }],
          queries: {},
          ...query,
        },
      },
      context,
    )
  ).records
}
const names = (rows: readonly Row[]) => rows.map(({ name }) => name).join('')
async function statusOf(work: Promise<unknown> | unknown) {
  const error = await Promise.resolve(work).then(
    async (answer) => {
      if (answer instanceof Response) await answer.body?.cancel()
      return null
    },
    (e: unknown) => e,
  )
  if (error === null) return 200
  if (!(error instanceof Refusal)) throw error
  return error instanceof Invalid
    ? error.faults.map(({ path, rule }) => `${path} ${rule}`).join()
    : error.status
}

beforeAll(async () => {
  fixture = await openFixture()
  const db = databaseOf(fixture)
  await sql`insert into sys.org (id, tenant_id, pid, code, name) values (60, 10000, 0, 'o1', '学院'), (61, 10000, 60, 'o2', '系'), (62, 10000, 61, 'o3', '室'), (70, 10000, 0, 'o4', '别处')`.execute(
    db,
  )
  await sql`insert into biz.t_dept (id, tenant_id, org_id, create_user, name, secret) values
    (11, 10000, 60, 7, 'a', 'sa'), (12, 10000, 61, 8, 'b', 'sb'), (13, 10000, 62, 7, 'c', 'sc'), (14, 10000, 70, 8, 'd', 'sd'), (21, 10001, 60, 7, 'z', 'sz')`.execute(
    db,
  )
  await sql`insert into biz.t_dept (id, tenant_id, name, deleted_at) values (15, 10000, 'gone', now())`.execute(
    db,
  )
})
afterAll(async () => {
  await fixture.close()
})

describe('rows', () => {
  it.each<[string, Parameters<Fixture['role']>[2], string]>([
    ['all', [], 'abcd'],
    ['own', [{ tag: 'T_DEPT', scope: 'own' }], 'ac'],
    ['org', [{ tag: 'T_DEPT', scope: 'org' }], 'a'],
    ['org and below', [{ tag: 'T_DEPT', scope: 'org_tree' }], 'abc'],
    [
      'an expression',
      [
        {
          tag: 'T_DEPT',
          scope: 'expression',
          expression: "row.name in ['a', 'd'] or row.secret == 'sb'",
        },
      ],
      'abd',
    ],
    [
      'an expression over the user',
      [
        {
          tag: 'T_DEPT',
          scope: 'expression',
          expression: "row.name != user.account and not (row.name == 'a')",
        },
      ],
      'bcd',
    ],
    [
      'an expression with no SQL form',
      [{ tag: 'T_DEPT', scope: 'expression', expression: 'row.name + 1 == 2' }],
      '',
    ],
    [
      'an expression that does not parse',
      [{ tag: 'T_DEPT', scope: 'expression', expression: "row.name == 'a' or" }],
      '',
    ],
    ['no expression', [{ tag: 'T_DEPT', scope: 'expression' }], ''],
  ])('of %s, everywhere alike', async (_scope, rules, expected) => {
    const context = await staff(rules)
    expect(names(await page(context))).toBe(expected)
    for (const [id, name] of [
      ['11', 'a'],
      ['12', 'b'],
      ['13', 'c'],
      ['14', 'd'],
      ['15', 'gone'],
      ['21', 'z'],
    ] as const) {
      const wanted = expected.includes(name) ? 200 : 404
      expect([
        name,
        await statusOf(
          entityDataHandlers.get(
            { params: { tag: 'T_DEPT', id }, query: undefined, body: undefined },
            context,
          ),
        ),
      ]).toEqual([name, wanted])
      expect([
        name,
        await statusOf(
          entityDataHandlers.update(
            { params: { tag: 'T_DEPT', id }, query: undefined, body: { version: 1 } },
            context,
          ),
        ),
      ]).toEqual([name, wanted])
      if (wanted === 404)
        expect(
          await statusOf(
            entityDataHandlers.remove(
              { params: { tag: 'T_DEPT', ids: id }, query: undefined, body: undefined },
              context,
            ),
          ),
        ).toBe(404)
    }
    const file = await entityDataHandlers.export(
      {
        params: { tag: 'T_DEPT' },
        query: undefined,
        body: {
          pageSize: -1,
          pageNum: -1,
          sorts: [{ column: 'id', asc: true }],
          queries: {},
          format: 'ndjson',
        },
      },
      context,
    )
    expect(
      (await file.text())
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).name)
        .join(''),
    ).toBe(expected)
    const lookup = await entityDataHandlers.lookup(
      {
        params: { tag: 'T_DEPT' },
        query: undefined,
        body: { fieldId: '202', pageNum: 1, pageSize: 100 },
      },
      context,
    )
    expect((lookup as { name: string }[]).map(({ name }) => name).join('')).toBe(expected)
  })
  it('of another tenant do not exist', async () => {
    const context = fixture.context({ tenant: otherTenant })
    expect(names(await page(context))).toBe('z')
    expect(
      await statusOf(
        entityDataHandlers.get(
          { params: { tag: 'T_DEPT', id: '11' }, query: undefined, body: undefined },
          context,
        ),
      ),
    ).toBe(404)
    expect(
      await statusOf(
        entityDataHandlers.page(
          {
            params: { tag: 'T_PLAIN' },
            query: undefined,
            body: { pageSize: 10, pageNum: 1, sorts: [], queries: {} },
          },
          context,
        ),
      ),
    ).toBe(404)
  })
  it('may not be written out of the own scope', async () => {
    const context = await staff([
      { tag: 'T_DEPT', scope: 'expression', expression: "row.name == 'a' or row.name == 'n'" },
    ])
    expect(
      await statusOf(
        entityDataHandlers.create(
          { params: { tag: 'T_DEPT' }, query: undefined, body: { name: 'x' } },
          context,
        ),
      ),
    ).toBe(403)
    expect(
      await statusOf(
        entityDataHandlers.update(
          {
            params: { tag: 'T_DEPT', id: '11' },
            query: undefined,
            body: { version: 1, name: 'x' },
          },
          context,
        ),
      ),
    ).toBe(403)
    expect(names(await page(fixture.context()))).toBe('abcd')
  })
})

describe('permissions', () => {
  it('are asked for each call', async () => {
    const calls: readonly [string, (context: Context) => unknown][] = [
      [
        'view',
        (c) =>
          entityDataHandlers.config(
            { params: { tag: 'T_DEPT' }, query: undefined, body: undefined },
            c,
          ),
      ],
      ['view', (c) => page(c)],
      [
        'view',
        (c) =>
          entityDataHandlers.get(
            { params: { tag: 'T_DEPT', id: '11' }, query: undefined, body: undefined },
            c,
          ),
      ],
      [
        'view',
        (c) =>
          entityDataHandlers.lookup(
            {
              params: { tag: 'T_DEPT' },
              query: undefined,
              body: { fieldId: '202', pageNum: 1, pageSize: 10 },
            },
            c,
          ),
      ],
      [
        'view',
        (c) =>
          entityDataHandlers.lookupForm(
            { params: {}, query: undefined, body: { fieldId: '202', pageNum: 1, pageSize: 10 } },
            c,
          ),
      ],
      [
        'update',
        (c) =>
          entityDataHandlers.update(
            { params: { tag: 'T_DEPT', id: '11' }, query: undefined, body: { version: 1 } },
            c,
          ),
      ],
      [
        'add',
        (c) =>
          entityDataHandlers.template(
            { params: { tag: 'T_DEPT' }, query: undefined, body: undefined },
            c,
          ),
      ],
      [
        'export',
        (c) =>
          entityDataHandlers.export(
            {
              params: { tag: 'T_DEPT' },
              query: undefined,
              body: { pageSize: -1, pageNum: -1, sorts: [], queries: {}, format: 'csv' },
            },
            c,
          ),
      ],
    ]
    for (const action of ['view', 'add', 'update', 'delete', 'export']) {
      const context = await staff([], [`entity:T_DEPT:${action}`])
      for (const [needed, call] of calls)
        expect([action, needed, await statusOf(call(context))]).toEqual([
          action,
          needed,
          needed === action ? 200 : 403,
        ])
    }
    expect(
      await statusOf(
        entityDataHandlers.remove(
          { params: { tag: 'T_DEPT', ids: '11' }, query: undefined, body: undefined },
          await staff([], ['entity:T_DEPT:view']),
        ),
      ),
    ).toBe(403)
    expect(await statusOf(page(fixture.context({ kind: 'student' })))).toBe(403)
  })
  it('held by one role do not lend the rows of another', async () => {
    const viewer = await fixture.role('V', ['entity:T_DEPT:view'])
    const editor = await fixture.role(
      'E',
      ['entity:T_DEPT:view', 'entity:T_DEPT:update'],
      [{ tag: 'T_DEPT', scope: 'own' }],
    )
    const context = fixture.context({
      ...none,
      permissions: new Set(['entity:T_DEPT:view', 'entity:T_DEPT:update']),
      roleIds: [viewer, editor],
    })
    expect(names(await page(context))).toBe('abcd')
    expect(
      await statusOf(
        entityDataHandlers.update(
          { params: { tag: 'T_DEPT', id: '12' }, query: undefined, body: { version: 1 } },
          context,
        ),
      ),
    ).toBe(404)
    expect(
      await statusOf(
        entityDataHandlers.update(
          { params: { tag: 'T_DEPT', id: '11' }, query: undefined, body: { version: 1 } },
          context,
        ),
      ),
    ).toBe(200)
  })
})

describe('fields', () => {
  it('hidden from a role do not exist for it', async () => {
    const context = await staff([{ tag: 'T_DEPT', overrides: hidden }])
    expect(JSON.stringify(await page(context))).not.toContain('"s')
    expect(await statusOf(page(context, { queries: { secret: 'sa' } }))).toBe(
      'queries.secret unknownField',
    )
    expect(await statusOf(page(context, { sorts: [{ column: 'secret', asc: true }] }))).toBe(
      'sorts.secret unknownField',
    )
    expect(
      await statusOf(
        entityDataHandlers.create(
          { params: { tag: 'T_DEPT' }, query: undefined, body: { name: 'x', secret: 's' } },
          context,
        ),
      ),
    ).toBe('secret unknownField')
    expect(
      await statusOf(
        entityDataHandlers.update(
          {
            params: { tag: 'T_DEPT', id: '11' },
            query: undefined,
            body: { version: 1, secret: 'sa' },
          },
          context,
        ),
      ),
    ).toBe('secret unknownField')
    const config = await entityDataHandlers.config(
      { params: { tag: 'T_DEPT' }, query: undefined, body: undefined },
      context,
    )
    expect(config.fields.map(({ attrName }) => attrName)).toEqual(['id', 'name', 'pid'])
    const file = await entityDataHandlers.export(
      {
        params: { tag: 'T_DEPT' },
        query: undefined,
        body: { pageSize: -1, pageNum: -1, sorts: [], queries: {}, format: 'csv' },
      },
      context,
    )
    expect((await file.text()).split('\r\n')[0]).toBe('id,name,pid')
  })
  it('read-only for a role are not written', async () => {
    const context = await staff([{ tag: 'T_DEPT', overrides: { secret: { isEdit: 2, isAdd: 2 } } }])
    expect(
      await statusOf(
        entityDataHandlers.update(
          {
            params: { tag: 'T_DEPT', id: '11' },
            query: undefined,
            body: { version: 1, secret: 'other' },
          },
          context,
        ),
      ),
    ).toBe('secret notWritable')
    expect(
      await statusOf(
        entityDataHandlers.update(
          {
            params: { tag: 'T_DEPT', id: '11' },
            query: undefined,
            body: { version: 1, secret: 'sa' },
          },
          context,
        ),
      ),
    ).toBe(200)
  })
  it('are never widened by a role', async () => {
    await fixture.define({
      tag: 'T_NARROW',
      name: 'n',
      tableName: 't_dept',
      fields: [
        { id: '600', attrName: 'id', uiLabel: 'id', columnName: 'id' },
        { id: '601', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1 },
        { id: '602', attrName: 'secret', uiLabel: 's', columnName: 'secret', isAdd: 0, isEdit: 0 },
      ],
    })
    const context = await staff(
      [
        {
          tag: 'T_NARROW',
          overrides: {
            secret: { isList: 1, isQuery: 1, isDetail: 1, isExport: 1, isAdd: 1, isEdit: 1 },
          },
        },
      ],
      ['entity:T_NARROW:view'],
    )
    const { records } = await entityDataHandlers.page(
      {
        params: { tag: 'T_NARROW' },
        query: undefined,
        body: { pageSize: 10, pageNum: 1, sorts: [], queries: {} },
      },
      context,
    )
    expect(records.length).toBe(4)
    expect(records.every((row) => !('secret' in row))).toBe(true)
  })
  it('add up per row, not apart', async () => {
    const own = await fixture.role('OWN', all, [{ tag: 'T_DEPT', scope: 'own' }])
    const wide = await fixture.role('WIDE', all, [{ tag: 'T_DEPT', overrides: hidden }])
    const context = fixture.context({ ...none, permissions: new Set(all), roleIds: [own, wide] })
    expect(
      (await page(context)).map(({ name, secret }) => `${String(name)}${String(secret)}`).join(),
    ).toBe('asa,bundefined,csc,dundefined')
    expect(names(await page(context, { queries: { secret: 'sa' } }))).toBe('a')
    expect(names(await page(context, { queries: { secret: 'sb' } }))).toBe('')
    expect(names(await page(context, { sorts: [{ column: 'secret', asc: true }] }))).toBe('acbd')
    const row = (id: string, body: object) =>
      statusOf(
        entityDataHandlers.update(
          { params: { tag: 'T_DEPT', id }, query: undefined, body: { version: 1, ...body } },
          context,
        ),
      )
    expect(await row('12', { secret: 'x' })).toBe('secret unknownField')
    expect(await row('11', { secret: 'sa' })).toBe(200)
  })
  it('hidden ones leak nothing: two databases that differ only there answer alike', async () => {
    const context = await staff([{ tag: 'T_DEPT', overrides: hidden }])
    const asked: Asked[] = [
      {},
      { queries: { name: 'a' } },
      { queries: { secret: 'sa' } },
      { queries: { secret: 'leak' } },
      { sorts: [{ column: 'secret', asc: false }] },
      { sorts: [{ column: 'name', asc: false }] },
    ]
    const answers = async () =>
      JSON.stringify(
        await Promise.all(
          asked.map((query) =>
            page(context, query).catch((error: unknown) => (error as Invalid).faults),
          ),
        ),
      )
    const before = await answers()
    await sql`update biz.t_dept set secret = 'leak'`.execute(databaseOf(fixture))
    expect(await answers()).toBe(before)
  })
})
