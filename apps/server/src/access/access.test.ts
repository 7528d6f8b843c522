import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  clerk,
  type Departments,
  departmentsPage,
  joinNames,
  openDepartments,
  captureStatus,
} from '../../testing/entities/departments.ts'
import { type Fixture, otherTenant } from '../../testing/entities/fixture.ts'
import type { Context } from '../model/context.ts'
import { entityDataHandlers } from '../entities/handlers/entity-data.ts'

let fixture: Fixture
let staff: Departments['staff']
beforeAll(async () => {
  ;({ fixture, staff } = await openDepartments())
})
afterAll(() => fixture.close())

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
  ])('of scope %s are the same for every call', async (_scope, rules, expected) => {
    const context = await staff(rules)
    expect(joinNames(await departmentsPage(context))).toBe(expected)
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
        await captureStatus(
          entityDataHandlers.get(
            { params: { tag: 'T_DEPT', id }, query: undefined, body: undefined },
            context,
          ),
        ),
      ]).toEqual([name, wanted])
      expect([
        name,
        await captureStatus(
          entityDataHandlers.update(
            { params: { tag: 'T_DEPT', id }, query: undefined, body: { version: 1 } },
            context,
          ),
        ),
      ]).toEqual([name, wanted])
      if (wanted === 404)
        expect(
          await captureStatus(
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
    expect(joinNames(await departmentsPage(context))).toBe('z')
    expect(
      await captureStatus(
        entityDataHandlers.get(
          { params: { tag: 'T_DEPT', id: '11' }, query: undefined, body: undefined },
          context,
        ),
      ),
    ).toBe(404)
    expect(
      await captureStatus(
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
  it('cannot be moved out of the caller’s scope', async () => {
    const context = await staff([
      { tag: 'T_DEPT', scope: 'expression', expression: "row.name == 'a' or row.name == 'n'" },
    ])
    expect(
      await captureStatus(
        entityDataHandlers.create(
          { params: { tag: 'T_DEPT' }, query: undefined, body: { name: 'x' } },
          context,
        ),
      ),
    ).toBe(403)
    expect(
      await captureStatus(
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
    expect(joinNames(await departmentsPage(fixture.context()))).toBe('abcd')
  })
})

describe('permissions', () => {
  it('are checked for each call', async () => {
    const calls: readonly [string, (context: Context) => unknown][] = [
      [
        'view',
        (c) =>
          entityDataHandlers.config(
            { params: { tag: 'T_DEPT' }, query: undefined, body: undefined },
            c,
          ),
      ],
      ['view', (c) => departmentsPage(c)],
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
        expect([action, needed, await captureStatus(call(context))]).toEqual([
          action,
          needed,
          needed === action ? 200 : 403,
        ])
    }
    expect(
      await captureStatus(
        entityDataHandlers.remove(
          { params: { tag: 'T_DEPT', ids: '11' }, query: undefined, body: undefined },
          await staff([], ['entity:T_DEPT:view']),
        ),
      ),
    ).toBe(403)
    expect(await captureStatus(departmentsPage(fixture.context({ kind: 'student' })))).toBe(403)
  })
  it('of one role do not apply to the rows of another', async () => {
    const viewer = await fixture.role('V', ['entity:T_DEPT:view'])
    const editor = await fixture.role(
      'E',
      ['entity:T_DEPT:view', 'entity:T_DEPT:update'],
      [{ tag: 'T_DEPT', scope: 'own' }],
    )
    const context = fixture.context({
      ...clerk,
      ...(await fixture.granted(viewer, editor)),
    })
    expect(joinNames(await departmentsPage(context))).toBe('abcd')
    expect(
      await captureStatus(
        entityDataHandlers.update(
          { params: { tag: 'T_DEPT', id: '12' }, query: undefined, body: { version: 1 } },
          context,
        ),
      ),
    ).toBe(404)
    expect(
      await captureStatus(
        entityDataHandlers.update(
          { params: { tag: 'T_DEPT', id: '11' }, query: undefined, body: { version: 1 } },
          context,
        ),
      ),
    ).toBe(200)
  })
})
