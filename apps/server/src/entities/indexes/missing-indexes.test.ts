import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { baseRows, everything } from '../../access/access.ts'
import { definition, type Fixture, openFixture, tenant } from '../../../testing/entities/fixture.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { missingIndexes } from './missing-indexes.ts'
import { dropOldSlowLists, noteSlowList, slowLists } from './slow-lists.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await openFixture()
  const db = databaseOf(fixture)
  await sql`
    insert into biz.t_team (id, tenant_id, name)
    select n, ${tenant}::int8, '队伍' || md5(n::text) from generate_series(1, 4000) n`.execute(db)
  await sql`analyze biz.t_team`.execute(db)
  await define()
})
afterAll(async () => {
  await fixture.close()
})

async function define() {
  const field = { uiLabel: 'n', isList: 1, isQuery: 1, queryType: 'like' } as const
  await fixture.define(
    definition('T_SLOW', 't_team', [
      { ...field, id: '910', attrName: 'title', columnName: 'name' },
      {
        ...field,
        id: '911',
        attrName: 'since',
        columnName: 'create_time',
        queryType: 'between',
        uiType: 'datetime',
      },
    ]),
  )
}

async function note(query: Partial<Parameters<typeof noteSlowList>[2]>, ms: number) {
  const entity = await fixture.registry.get(tenant, 'T_SLOW')
  const access = { entity, tenant, grants: [everything], rows: baseRows(entity, tenant) }
  await noteSlowList(fixture.context(), access, { queries: {}, sorts: [], ...query }, ms)
}

it('keeps columns and operators of slow lists, without values, and forgets them after a month', async () => {
  await note({ queries: { title: '张伟' }, sorts: [{ column: 'since', asc: false }] }, 800)
  await note({ queries: { title: '李娜' }, sorts: [{ column: 'since', asc: true }] }, 900)
  await note({ where: { and: [{ column: 'title', op: 'isEmpty', value: null }] } }, 900)
  expect(await slowLists(fixture.context(), tenant)).toEqual([
    {
      tenant,
      tag: 'T_SLOW',
      uses: [
        ['since', 'order'],
        ['title', 'like'],
      ],
      calls: 1,
      worstMs: 800,
    },
  ])
  await dropOldSlowLists(
    { ...fixture.context(), now: () => new Date(Date.now() + 31 * 86_400_000) },
    tenant,
  )
  expect(await slowLists(fixture.context(), tenant)).toEqual([])
})

it('proposes what the plan lacks, tries it without leaving it, and is content once it is there', async () => {
  const db = databaseOf(fixture)
  const slow = {
    tenant,
    tag: 'T_SLOW',
    uses: [
      ['title', 'like'],
      ['since', 'order'],
    ],
    calls: 1,
    worstMs: 1,
  } as const
  const found = await missingIndexes(fixture.context(), slow, true)
  expect(found.map(({ column, use }) => [column, use])).toEqual([
    ['name', 'like'],
    ['create_time', 'order'],
  ])
  for (const { trial } of found) expect(trial?.after).toBeLessThan(trial?.before ?? 0)
  const left =
    await sql`select 1 from pg_catalog.pg_indexes where indexname like 't_team_%_list'`.execute(db)
  expect(left.rows).toEqual([])
  for (const { index } of found) await sql.raw(index.statement).execute(db)
  await sql`analyze biz.t_team`.execute(db)
  // Reads the catalog anew.
  await define()
  expect(await missingIndexes(fixture.context(), slow, false)).toEqual([])
})
