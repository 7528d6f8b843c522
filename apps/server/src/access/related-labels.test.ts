import type { DictItem } from '@jiaowu/api/entity/values'
import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hidden, openDepartments, type Departments } from '../../testing/entities/departments.ts'
import { definition, type Fixture } from '../../testing/entities/fixture.ts'
import type { Context } from '../model/context.ts'
import { loadRelation } from '../model/definition/relation.ts'
import { entityDataHandlers } from '../entities/handlers/entity-data.ts'
import { fromTable } from '../model/definition/from-table.ts'
import { databaseOf } from '../platform/database/any-database.ts'
import { relatedLabel } from './lookup-access.ts'

let fixture: Fixture
let staff: Departments['staff']

let last = 900
function buildLabelColumn(attrName: string, columnName: string, dictValue?: string): FieldDraft {
  last += 1
  return {
    id: String(last),
    attrName,
    uiLabel: attrName,
    columnName,
    isList: 1,
    isDetail: 1,
    ...(dictValue === undefined ? {} : { uiType: 'select' as const, dictType: 1, dictValue }),
  }
}

/** Relations whose labels are relations, dictionaries and patterns of them, and two that go in a circle. */
beforeAll(async () => {
  ;({ fixture, staff } = await openDepartments())
  await sql`
    insert into biz.t_team (id, tenant_id, name, dept_id)
    values (31, 10000, 'one', 11), (32, 10000, 'two', 14), (33, 10000, 'three', null)`.execute(
    databaseOf(fixture),
  )
  await sql`update biz.t_dept set pid = 13 where id = 11`.execute(databaseOf(fixture))
  await sql`
    insert into biz.t_sample (id, tenant_id, name, team_id, dept_id, kind) values
      (41, 10000, 's1', 31, 11, 'a'), (42, 10000, 's2', 32, 14, 'b'), (43, 10000, 's3', 33, 12, 'a')`.execute(
    databaseOf(fixture),
  )
  for (const each of [
    definition('L_DEPT', 't_dept', [
      buildLabelColumn('name', 'name'),
      buildLabelColumn('secret', 'secret'),
      buildLabelColumn('parent', 'pid', 'L_DEPT.parent'),
      buildLabelColumn('above', 'pid', 'L_DEPT.name'),
    ]),
    definition('L_TEAM', 't_team', [
      buildLabelColumn('name', 'name'),
      buildLabelColumn('dept', 'dept_id', 'L_DEPT.name'),
      buildLabelColumn('secretOf', 'dept_id', 'L_DEPT.secret'),
      buildLabelColumn('above', 'dept_id', 'L_DEPT.above'),
      buildLabelColumn('circle', 'dept_id', 'L_DEPT.parent'),
    ]),
    definition(
      'L_PAIR',
      't_team',
      [buildLabelColumn('name', 'name'), buildLabelColumn('dept', 'dept_id', 'L_DEPT.name')],
      { tagField: 'dept', options: { titlePattern: '{name} · {dept}' } },
    ),
    definition('L_SAMPLE', 't_sample', [
      buildLabelColumn('name', 'name'),
      buildLabelColumn('dept', 'team_id', 'L_TEAM.dept'),
      buildLabelColumn('secretOf', 'team_id', 'L_TEAM.secretOf'),
      buildLabelColumn('above', 'team_id', 'L_TEAM.above'),
      buildLabelColumn('circle', 'team_id', 'L_TEAM.circle'),
      buildLabelColumn('pair', 'team_id', 'L_PAIR'),
      buildLabelColumn('pairsDept', 'team_id', 'L_PAIR.dept'),
    ]),
  ])
    await fixture.define(each)
})
afterAll(() => fixture.close())

async function labels(context: Context, attrName: string): Promise<readonly string[]> {
  const { records } = await entityDataHandlers.page(
    {
      params: { tag: 'L_SAMPLE' },
      query: undefined,
      body: { pageSize: 50, pageNum: 1, sorts: [], queries: {} },
    },
    context,
  )
  return records
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .flatMap((row) => (row[attrName] as readonly DictItem[]).map(({ name }) => name))
}

async function choices(context: Context, fieldId: string, searchKey: string) {
  const found = await entityDataHandlers.lookup(
    {
      params: { tag: 'L_SAMPLE' },
      query: undefined,
      body: { fieldId, searchKey, pageNum: 1, pageSize: 50 },
    },
    context,
  )
  return 'records' in found ? found.records.map(({ name }) => name).toSorted() : []
}

it.each([
  ['dept', ['a', 'd', 'three']],
  ['above', ['c', 'd', 'three']],
  ['pair', ['one · a', 'two · d', 'three']],
  ['pairsDept', ['one · a', 'two · d', 'three']],
])('the column %s shows the label of the label', async (attrName, expected) => {
  expect(await labels(fixture.context(), attrName)).toEqual(expected)
})

it('a label that leads back to itself is replaced by the title', async () => {
  expect(await labels(fixture.context(), 'circle')).toEqual(['a', 'd', 'three'])
})

it('a lookup shows, finds and orders by the label of the label', async () => {
  expect(await choices(fixture.context(), 'dept', '')).toEqual(['a', 'd', 'three'])
  expect(await choices(fixture.context(), 'dept', 'd')).toEqual(['d'])
  expect(await choices(fixture.context(), 'pair', '· a')).toEqual(['one · a'])
})

it('a field that is hidden in the related entity is in no label of a label', async () => {
  const reader = await staff(
    [{ tag: 'L_DEPT', overrides: hidden }],
    ['entity:L_SAMPLE:view', 'entity:L_TEAM:view', 'entity:L_DEPT:view'],
  )
  expect(await labels(fixture.context(), 'secretOf')).toEqual(['sa', 'sd', 'three'])
  expect(await labels(reader, 'secretOf')).toEqual(['a', 'd', 'three'])
  expect(await choices(reader, 'secretOf', 'sa')).toEqual([])
})

it('the label of a stored key is one SQL expression, to sort by', async () => {
  const context = fixture.context()
  const entity = await fixture.registry.get(context.subject.tenant, 'L_SAMPLE')
  const field = entity.field('dept')
  const relation = field === undefined ? null : await loadRelation(context, field)
  expect(relation).not.toBeNull()
  if (relation === null) return
  const label = relatedLabel(context, relation, sql`t.team_id`)
  const { rows } = await sql<{ label: string }>`
    select ${label} as label from ${fromTable(entity)} order by ${label} desc`.execute(
    databaseOf(context),
  )
  expect(rows.map((row) => row.label)).toEqual(['three', 'd', 'a'])
})
