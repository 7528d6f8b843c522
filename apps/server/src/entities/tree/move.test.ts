import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessTo } from '../../access/access.ts'
import { definition, type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { moveRow } from './move.ts'
import { loadChildren } from './read.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
  const db = databaseOf(fixture)
  await sql`create table biz.t_node (id bigint primary key, tenant_id bigint not null, org_id bigint,
    create_user bigint, create_time timestamptz not null default now(), update_user bigint,
    update_time timestamptz not null default now(), version integer not null default 1,
    deleted_at timestamptz, name varchar(40), pid bigint, place integer, dept_id bigint, kind varchar(10))`.execute(
    db,
  )
  // The names of the departments, and the places of the kinds, are the other way round than their ids.
  await sql`insert into biz.t_dept (id, tenant_id, name)
    values (1, 10000, '数学院'), (2, 10000, '第10院'), (3, 10000, '第2院'), (4, 10000, 'B院')`.execute(
    db,
  )
  await sql`update sys.dict_item set sort = -sort where dict_code = 't_kind'`.execute(db)
})
afterAll(async () => {
  await fixture.close()
})

it.each([
  ['a relation', 'deptId', [3, 2, 1, 4]],
  ['a choice of a dictionary', 'kind', [3, 2, 1, 4]],
] as const)(
  'siblings of one place are numbered as they are shown, by %s',
  async (_what, column, shown) => {
    const field = (id: string, attrName: string, columnName: string, more = {}) => ({
      id,
      attrName,
      uiLabel: attrName,
      columnName,
      isList: 1 as const,
      isDetail: 1 as const,
      ...more,
    })
    await fixture.define(
      definition(
        'T_NODE',
        't_node',
        [
          field('950', 'id', 'id', { isPk: 1 as const, isAdd: 0 as const, isEdit: 0 as const }),
          field('951', 'name', 'name'),
          field('952', 'pid', 'pid', {
            uiType: 'selectTree',
            dictType: 1,
            dictValue: 'T_NODE.name',
          }),
          field('953', 'place', 'place', { uiType: 'inputNumber' }),
          field('954', 'deptId', 'dept_id', {
            uiType: 'select',
            dictType: 1,
            dictValue: 'T_DEPT.name',
          }),
          field('955', 'kind', 'kind', { uiType: 'select', dictType: 0, dictValue: 't_kind' }),
        ],
        {
          parentField: 'pid',
          options: {
            sorts: [
              { column: 'place', asc: true },
              { column, asc: true },
            ],
          },
        },
      ),
    )
    const db = databaseOf(fixture)
    await sql`delete from biz.t_node`.execute(db)
    await sql`insert into biz.t_node (id, tenant_id, name, place, dept_id, kind)
    select n, 10000, 'n' || n, 0, n, case when n < 4 then n::text else 'gone' end
    from generate_series(1, 4) n`.execute(db)
    const context = fixture.context()
    const entity = await fixture.registry.get('10000', 'T_NODE')
    const access = await accessTo(context, entity, 'view')
    const listed = async () =>
      (await loadChildren(context, access, '0', 1)).records.map(({ row }) => Number(row.id))
    expect(await listed()).toEqual(shown)
    const [first = 0, second = 0, ...rest] = shown
    // The second is moved before the first: all others stay as they were shown.
    await moveRow(context, entity, String(second), {
      version: 1,
      parent: '0',
      before: String(first),
    })
    expect(await listed()).toEqual([second, first, ...rest])
    const { rows } = await sql<{ id: string; place: number }>`
    select id, place from biz.t_node order by place`.execute(db)
    expect(rows.map(({ id, place }) => [Number(id), place])).toEqual(
      [second, first, ...rest].map((id, at) => [id, at + 1]),
    )
  },
)
