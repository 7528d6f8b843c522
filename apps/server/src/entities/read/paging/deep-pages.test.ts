import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { definition, type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'
import { entityDataHandlers } from '../../handlers/entity-data.ts'
import { loadChildren } from '../../tree/read.ts'
import { accessTo } from '../../../access/access.ts'
import { recycledPage } from '../../write/removal/recycle.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'

const count = 12_000
let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
  const db = databaseOf(fixture)
  // Three rows share each moment.
  await sql`insert into biz.t_team (id, tenant_id, name, deleted_at)
    select n, 10000, 'team' || n, timestamptz '2026-01-01 00:00Z' + (n / 3) * interval '1 second'
    from generate_series(1, ${sql.lit(count)}) n`.execute(db)
  await sql`insert into biz.t_dept (id, tenant_id, pid, name)
    select n, 10000, case when n = 1 then 0 else 1 end, 'dept' || n
    from generate_series(1, ${sql.lit(count)}) n`.execute(db)
})
afterAll(async () => {
  await fixture.close()
})

it('pages of the recycle bin are those that the order gives, however deep', async () => {
  await fixture.define(
    definition('T_BIN', 't_team', [
      { id: '910', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1 },
    ]),
  )
  const { table } = await fixture.registry.get('10000', 'T_BIN')
  const entity = await fixture.registry.get('10000', 'T_BIN')
  expect(table.name).toBe('t_team')
  const idsOn = async (pageNum: number, pageSize = 20) => {
    const page = await recycledPage(fixture.context(), entity, { pageNum, pageSize })
    return [page.total, page.records.map(({ id }) => Number(id))]
  }
  const { rows } = await sql<{ id: string }>`select id from biz.t_team
    order by deleted_at desc, id desc`.execute(databaseOf(fixture))
  const ids = rows.map(({ id }) => Number(id))
  for (const page of [1, 60, 299, 300, 301, 590, 600])
    expect(await idsOn(page)).toEqual([count, ids.slice((page - 1) * 20, page * 20)])
  expect(await idsOn(10_000)).toEqual([count, []])
  expect(await idsOn(3, 1)).toEqual([count, ids.slice(2, 3)])
})

it('pages of the children of a row are those of the order of the list', async () => {
  const context = fixture.context()
  const entity = await fixture.registry.get('10000', 'T_DEPT')
  const access = await accessTo(context, entity, 'view')
  const { rows } = await sql<{ id: string }>`select id from biz.t_dept where pid = 1
    order by id desc`.execute(databaseOf(fixture))
  for (const page of [1, 7, 31, 60]) {
    const { records, total } = await loadChildren(context, access, '1', page)
    expect(total).toBe(count - 1)
    expect(records.map(({ row, parent }) => [row.id, parent])).toEqual(
      rows.slice((page - 1) * 200, page * 200).map(({ id }) => [id, '1']),
    )
  }
  expect((await loadChildren(context, access, '1', 1_000)).records).toEqual([])
})

it('an export of one page has its rows, however deep', async () => {
  const exported = async (pageNum: number) => {
    const file = await entityDataHandlers.export(
      {
        params: { tag: 'T_DEPT' },
        query: undefined,
        body: {
          pageSize: 50,
          pageNum,
          sorts: [{ column: 'id', asc: true }],
          queries: {},
          columns: ['id'],
          format: 'csv',
        },
      },
      fixture.context(),
    )
    return (await file.text()).trim().split('\r\n').slice(1).map(Number)
  }
  for (const page of [1, 21, 230])
    expect(await exported(page)).toEqual(
      Array.from({ length: 50 }, (_none, n) => (page - 1) * 50 + n + 1),
    )
  expect(await exported(100_000)).toEqual([])
})
