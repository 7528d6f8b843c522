import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../model/context.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { definition, type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { refused } from '../../../testing/refused.ts'

let fixture: Fixture
let context: Context
beforeAll(async () => {
  fixture = await openFixture()
  context = fixture.context()
  await sql`
    insert into biz.t_dept (id, tenant_id, pid, name)
    values (1, 10000, 0, '理学院'), (2, 10000, 1, '数学系'), (3, 10000, 1, '100%_系')`.execute(
    databaseOf(fixture),
  )
  await sql`
    insert into biz.t_team (id, tenant_id, name, dept_id)
    select n, 10000, '班' || lpad(n::text, 2, '0'), 2 + n % 2
    from generate_series(1, 25) n`.execute(databaseOf(fixture))
})
afterAll(async () => {
  await fixture.close()
})

describe('pages', () => {
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
  it('sort by the id of an entity without an id field', async () => {
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
  it('show the root of a tree as an empty parent', async () => {
    const [root] = (await page('T_DEPT', { sorts: [{ column: 'id', asc: true }] })).records
    expect(root).toMatchObject({ id: '1', pid: [] })
    const made = await entityDataHandlers.create(
      { params: { tag: 'T_DEPT' }, query: undefined, body: { name: 'x', pid: '0' } },
      context,
    )
    expect(made.pid).toEqual([])
  })
  it('can be defined on the audit log, which no entity may write', async () => {
    await fixture.define({
      tag: 'SYS_LOG',
      name: 'log',
      schemaName: 'sys',
      tableName: 'audit_log',
      fields: [{ id: '720', attrName: 'action', uiLabel: 'a', columnName: 'action', isList: 1 }],
    })
    expect((await page('SYS_LOG', {})).total).toBe(0)
    expect(
      await refused(
        Promise.resolve(
          entityDataHandlers.create(
            { params: { tag: 'SYS_LOG' }, query: undefined, body: { action: 'x' } },
            context,
          ),
        ),
      ),
    ).toBe(403)
    expect(
      await refused(
        Promise.resolve(
          entityDataHandlers.remove(
            { params: { tag: 'SYS_LOG', ids: '1' }, query: undefined, body: undefined },
            context,
          ),
        ),
      ),
    ).toBe(403)
  })
  it('of notices may contain all rows', async () => {
    await fixture.define({
      tag: 'SYS_NOTICE',
      name: 'n',
      schemaName: 'sys',
      tableName: 'notice',
      fields: [
        { id: '730', attrName: 'noticeTitle', uiLabel: 't', columnName: 'notice_title', isList: 1 },
      ],
    })
    await sql`
      insert into sys.notice (id, tenant_id, notice_title)
      select n, 10000, 't' || n
      from generate_series(1, 1005) n`.execute(databaseOf(fixture))
    const all = await page('SYS_NOTICE', { pageSize: -1, pageNum: -1 })
    expect([all.records.length, all.total, all.size, all.current]).toEqual([1000, 1005, 1000, 1])
  })
  it.each([
    ['createTime', 'create_time', 't_team_dept_time', '"create_time"'],
    ['name', 'sys.sort_key(name)', 't_team_dept_name', 'sys.sort_key'],
  ])(
    'keep a plan of the database where one index serves them for any value, by %s',
    async (column, key, index, mark) => {
      const db = databaseOf(fixture)
      await sql`create index ${sql.id(index)} on biz.t_team (tenant_id, dept_id, ${sql.raw(key)}, id)
      where deleted_at is null`.execute(db)
      fixture.context().registry.invalidate()
      const sorts = [{ column, asc: true }]
      for (let turn = 0; turn < 10; turn += 1) {
        const dept = String(2 + (turn % 2))
        const { records } = await page('T_TEAM', { queries: { deptId: dept }, sorts })
        expect(records.map(({ deptId }) => deptId)).toEqual(
          Array.from({ length: 3 }, () => [expect.objectContaining({ id: dept })]),
        )
        await page('T_TEAM', { queries: { name: '班01' }, sorts })
      }
      const { rows } = await sql<{ kept: boolean; served: boolean }>`
      select statement like '%limit 3 offset 0%' as served, generic_plans > 0 as kept
      from pg_prepared_statements
      where statement like '%"biz"."t_team"%order by %' || ${mark}::text || '%'
        and statement not like '%pg_prepared%'
      order by 1`.execute(db)
      expect(rows).toEqual([
        // Planned by its values unless the planner sees nothing to gain.
        { served: false, kept: expect.anything() },
        { served: true, kept: true },
      ])
    },
  )
})
