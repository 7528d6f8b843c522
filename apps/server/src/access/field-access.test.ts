import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  allPermissions,
  clerk,
  type Departments,
  departmentsPage,
  hidden,
  joinNames,
  openDepartments,
  type PageQuery,
  captureStatus,
} from '../../testing/entities/departments.ts'
import type { Fixture } from '../../testing/entities/fixture.ts'
import { entityDataHandlers } from '../entities/handlers/entity-data.ts'
import { databaseOf } from '../platform/database/any-database.ts'
import type { Invalid } from '../platform/refusal.ts'

let fixture: Fixture
let staff: Departments['staff']
beforeAll(async () => {
  ;({ fixture, staff } = await openDepartments())
})
afterAll(() => fixture.close())

describe('fields', () => {
  it('hidden from a role do not exist for it', async () => {
    const context = await staff([{ tag: 'T_DEPT', overrides: hidden }])
    expect(JSON.stringify(await departmentsPage(context))).not.toContain('"s')
    expect(await captureStatus(departmentsPage(context, { queries: { secret: 'sa' } }))).toBe(
      'queries.secret unknownField',
    )
    expect(
      await captureStatus(departmentsPage(context, { sorts: [{ column: 'secret', asc: true }] })),
    ).toBe('sorts.secret unknownField')
    expect(
      await captureStatus(
        entityDataHandlers.create(
          { params: { tag: 'T_DEPT' }, query: undefined, body: { name: 'x', secret: 's' } },
          context,
        ),
      ),
    ).toBe('secret unknownField')
    expect(
      await captureStatus(
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
  it('that are read-only for a role are not written', async () => {
    const context = await staff([{ tag: 'T_DEPT', overrides: { secret: { isEdit: 2, isAdd: 2 } } }])
    expect(
      await captureStatus(
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
      await captureStatus(
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
  it('are combined per row, not separately', async () => {
    const own = await fixture.role('OWN', allPermissions, [{ tag: 'T_DEPT', scope: 'own' }])
    const wide = await fixture.role('WIDE', allPermissions, [{ tag: 'T_DEPT', overrides: hidden }])
    const context = fixture.context({
      ...clerk,
      ...(await fixture.granted(own, wide)),
    })
    expect(
      (await departmentsPage(context))
        .map(({ name, secret }) => `${String(name)}${String(secret)}`)
        .join(),
    ).toBe('asa,bundefined,csc,dundefined')
    expect(joinNames(await departmentsPage(context, { queries: { secret: 'sa' } }))).toBe('a')
    expect(joinNames(await departmentsPage(context, { queries: { secret: 'sb' } }))).toBe('')
    expect(
      joinNames(await departmentsPage(context, { sorts: [{ column: 'secret', asc: true }] })),
    ).toBe('acbd')
    const row = (id: string, body: object) =>
      captureStatus(
        entityDataHandlers.update(
          { params: { tag: 'T_DEPT', id }, query: undefined, body: { version: 1, ...body } },
          context,
        ),
      )
    expect(await row('12', { secret: 'x' })).toBe('secret unknownField')
    expect(await row('11', { secret: 'sa' })).toBe(200)
  })
  it('that are hidden do not influence any answer', async () => {
    const context = await staff([{ tag: 'T_DEPT', overrides: hidden }])
    const asked: PageQuery[] = [
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
            departmentsPage(context, query).catch((error: unknown) => (error as Invalid).faults),
          ),
        ),
      )
    const before = await answers()
    await sql`update biz.t_dept set secret = 'leak'`.execute(databaseOf(fixture))
    expect(await answers()).toBe(before)
  })
})
