import type { DictItem } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  clerk,
  type Departments,
  hidden,
  openDepartments,
} from '../../testing/entities/departments.ts'
import { definition, type Fixture } from '../../testing/entities/fixture.ts'
import type { Context } from '../model/context.ts'
import { entityDataHandlers } from '../entities/handlers/entity-data.ts'
import { databaseOf } from '../platform/database/any-database.ts'

let fixture: Fixture
let staff: Departments['staff']
const asker = ['entity:T_ASKER:view']
const asking = (id: string, dictValue: string) => ({
  id,
  attrName: `d${id}`,
  uiLabel: id,
  columnName: 'dept_id',
  uiType: 'select' as const,
  dictType: 1 as const,
  dictValue,
  isList: 1 as const,
})

/** An entity over teams that asks for departments by name and by the hidden field. */
beforeAll(async () => {
  ;({ fixture, staff } = await openDepartments())
  await fixture.define(
    definition('T_ASKER', 't_team', [asking('901', 'T_DEPT.name'), asking('902', 'T_DEPT.secret')]),
  )
  await sql`
    insert into biz.t_team (id, tenant_id, name, dept_id)
    values (31, 10000, 'one', 11), (32, 10000, 'two', 14)`.execute(databaseOf(fixture))
})
afterAll(() => fixture.close())

async function lookUpNames(context: Context, fieldId: string, searchKey: string | null = null) {
  const found = await entityDataHandlers.lookup(
    {
      params: { tag: 'T_ASKER' },
      query: undefined,
      body: { fieldId, searchKey, pageNum: 1, pageSize: 50 },
    },
    context,
  )
  return 'records' in found ? found.records.map(({ name }) => name).toSorted() : []
}

async function loadShownLabels(context: Context) {
  const { records } = await entityDataHandlers.page(
    {
      params: { tag: 'T_ASKER' },
      query: undefined,
      body: { pageSize: 50, pageNum: 1, sorts: [], queries: {} },
    },
    context,
  )
  return records.flatMap((row) => row['d902'] as readonly DictItem[]).map(({ name }) => name)
}

describe('a lookup', () => {
  it('answers ids and labels to a caller without the view of its target', async () => {
    const context = await staff([], asker)
    expect(await lookUpNames(context, '901')).toEqual(['a', 'b', 'c', 'd'])
    expect(await lookUpNames(context, '902')).toEqual(['sa', 'sb', 'sc', 'sd'])
  })
  it('obeys the row rule that a role of the caller has on the table', async () => {
    const context = await staff([{ tag: 'T_DEPT', scope: 'org' }], asker)
    expect(await lookUpNames(context, '901')).toEqual(['a'])
  })
  it('shows the title where the label is hidden, and does not search the hidden one', async () => {
    const context = await staff([{ tag: 'T_DEPT', overrides: hidden }], asker)
    expect(await lookUpNames(context, '902')).toEqual(['a', 'b', 'c', 'd'])
    expect(await lookUpNames(context, '902', 'sa')).toEqual([])
    expect(await loadShownLabels(context)).toEqual(expect.arrayContaining(['a', 'd']))
  })
  it('shows the id where the title is hidden too', async () => {
    const context = await staff(
      [{ tag: 'T_DEPT', overrides: { ...hidden, name: hidden.secret } }],
      asker,
    )
    expect(await lookUpNames(context, '902')).toEqual(['11', '12', '13', '14'])
  })
  it('answers the records of some names, in either case', async () => {
    const context = await staff([], asker)
    const named = async (fieldId: string, names: string[]) => {
      const body = { fieldId, names, pageNum: 1, pageSize: 50 }
      const found = await entityDataHandlers.lookup(
        { params: { tag: 'T_ASKER' }, query: undefined, body },
        context,
      )
      return 'records' in found ? found.records.map(({ name }) => name).toSorted() : []
    }
    expect(await named('901', ['A', 'd', 'x', '1'])).toEqual(['a', 'd'])
    expect(await named('902', ['sb', 'b', 'c'])).toEqual(['sb'])
    expect(await named('901', [])).toEqual([])
    const hides = await staff([{ tag: 'T_DEPT', overrides: hidden }], asker)
    const byHidden = { fieldId: '902', names: ['sa'], pageNum: 1, pageSize: 50 }
    const asked = { params: { tag: 'T_ASKER' }, query: undefined, body: byHidden }
    expect(await entityDataHandlers.lookup(asked, hides)).toMatchObject({ records: [] })
  })
  it('is narrowed by the roles that view the target, and not widened by others', async () => {
    const viewing = await fixture.role(
      'VIEWS',
      ['entity:T_DEPT:view'],
      [{ tag: 'T_DEPT', scope: 'org', overrides: hidden }],
    )
    const other = await fixture.role('OTHER', asker)
    const context = fixture.context({
      ...clerk,
      ...(await fixture.granted(viewing, other)),
    })
    expect(await lookUpNames(context, '902')).toEqual(['a'])
    // Labels of rows outside the caller's rows are their ids.
    expect((await loadShownLabels(context)).toSorted()).toEqual(['14', 'a'])
  })
})
