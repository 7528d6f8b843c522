import type { Where } from '@jiaowu/api/entity/list/list-query'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'
import type { Context } from '../../../model/context.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { Invalid } from '../../../platform/refusal.ts'
import { entityDataHandlers } from '../../handlers/entity-data.ts'

let fixture: Fixture
let everyone: Context
const teams = '@T_TEAM.deptId'

beforeAll(async () => {
  fixture = await openFixture()
  everyone = fixture.context({ permissions: new Set(['ALL_PERMISSION']) })
  await sql`insert into biz.t_dept (id, tenant_id, name) values
    (1, 10000, 'one'), (2, 10000, 'two'), (3, 10000, 'none'), (4, 10000, 'gone')`.execute(
    databaseOf(fixture),
  )
  await sql`insert into biz.t_team (id, tenant_id, name, dept_id, deleted_at) values
    (1, 10000, 'a', 1, null), (2, 10000, 'a', 2, null), (3, 10000, 'b', 2, null),
    (4, 10000, 'a', null, null), (5, 10000, 'a', 4, now()), (6, 10001, 'a', 3, null)`.execute(
    databaseOf(fixture),
  )
})
afterAll(() => fixture.close())

async function findDepartments(where: Where, context = everyone): Promise<string> {
  const { records, total } = await entityDataHandlers.page(
    {
      params: { tag: 'T_DEPT' },
      query: undefined,
      body: {
        pageSize: 100,
        pageNum: 1,
        sorts: [{ column: 'name', asc: true }],
        queries: {},
        where,
      },
    },
    context,
  )
  expect(total).toBe(records.length)
  return records.map(({ name }) => name).join(' ')
}
async function captureFaults(where: Where, context = everyone): Promise<string[]> {
  const error = await findDepartments(where, context).catch((thrown: unknown) => thrown)
  if (!(error instanceof Invalid)) throw new Error(`not Invalid: ${String(error)}`)
  return error.faults.map(({ path, rule }) => `${path} ${rule}`)
}
const whereNamed = (name: string): Where => ({
  and: [{ column: 'name', op: 'equal', value: name }],
})

it.each([
  ['lt', 1, undefined, 'gone none'],
  ['ge', 1, undefined, 'one two'],
  ['ge', 2, undefined, 'two'],
  ['lt', 2, undefined, 'gone none one'],
  ['equal', 0, undefined, 'gone none'],
  ['equal', 1, undefined, 'one'],
  ['ge', 0, undefined, 'gone none one two'],
  ['ge', '1', 'b', 'two'],
  ['lt', 1, 'b', 'gone none one'],
] as const)('rows with teams %s %s, named %s', async (op, value, name, found) => {
  const where = name === undefined ? {} : { where: whereNamed(name) }
  expect(await findDepartments({ and: [{ column: teams, op, value, ...where }] })).toBe(found)
})

it('stands beside other conditions, and one without a number restricts nothing', async () => {
  const leaf = { column: teams, op: 'ge', value: 1 } as const
  expect(await findDepartments({ and: [leaf, { column: 'name', op: 'like', value: 'w' }] })).toBe(
    'two',
  )
  expect(
    await findDepartments({ or: [leaf, { column: 'name', op: 'equal', value: 'gone' }] }),
  ).toBe('gone one two')
  expect(await findDepartments({ and: [{ ...leaf, value: null }] })).toBe('gone none one two')
})

it('is refused for what is unknown, is no number, or the caller may not view or filter by', async () => {
  const leaf = { column: teams, op: 'ge', value: 1 } as const
  for (const column of ['@T_TEAM.name', '@T_SAMPLE.name', '@NONE.deptId', '@'])
    expect(await captureFaults({ and: [{ ...leaf, column }] })).toEqual([
      'where.and.0.column unknownField',
    ])
  for (const value of [-1, 1.5, 'x', 20_000])
    expect(await captureFaults({ and: [{ ...leaf, value }] })).toEqual(['where.and.0.value value'])
  expect(await captureFaults({ and: [{ ...leaf, op: 'like' }] })).toEqual([
    'where.and.0.value value',
  ])
  expect(await captureFaults({ and: [{ ...leaf, where: { and: [{ ...leaf }] } }] })).toEqual([
    'where.and.0.where.and.0.column unknownField',
  ])
  expect(
    await captureFaults({
      and: [{ column: 'name', op: 'like', value: 'a', where: whereNamed('a') }],
    }),
  ).toEqual(['where.and.0.where unknownField'])
  const blind = await fixture.granted(await fixture.role('blind', ['entity:T_DEPT:view'], []))
  expect(await captureFaults({ and: [leaf] }, fixture.context(blind))).toEqual([
    'where.and.0.column unknownField',
  ])
  const both = ['entity:T_DEPT:view', 'entity:T_TEAM:view']
  const hidden = await fixture.role('hidden', both, [
    { tag: 'T_TEAM', overrides: { deptId: { isQuery: 0 } } },
  ])
  expect(
    await captureFaults({ and: [leaf] }, fixture.context(await fixture.granted(hidden))),
  ).toEqual(['where.and.0.column unknownField'])
})

it('counts the rows that the caller may see', async () => {
  const both = ['entity:T_DEPT:view', 'entity:T_TEAM:view']
  const some = await fixture.role('some', both, [
    { tag: 'T_TEAM', scope: 'expression', expression: "row.name == 'b'" },
  ])
  const context = fixture.context(await fixture.granted(some))
  expect(await findDepartments({ and: [{ column: teams, op: 'ge', value: 1 }] }, context)).toBe(
    'two',
  )
})
