import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { databaseOf } from './rows.ts'
import { definition, type Fixture, openFixture } from '../../../testing/entities/fixture.ts'

let fixture: Fixture
const letters = ['张', '伟', '明', 'a', 'B', '%', '_', "'", '😀', ' ']
const texts = [
  ...new Set(
    Array.from({ length: 400 }, (_, i) =>
      [i, i * 7, i * 31, i * 53].map((n) => letters[n % letters.length]).join(''),
    ),
  ),
]
beforeAll(async () => {
  fixture = await openFixture()
  const db = databaseOf(fixture)
  await sql`
    insert into biz.t_team (id, tenant_id, name)
    select n, 10000, x from unnest(${texts}::text[]) with ordinality as u(x, n)
    union all select 10000 + n, 10001, '张伟' || n from generate_series(1, 2000) n`.execute(db)
  await sql`create index on biz.t_team using gin (sys.bigrams(tenant_id, name))
    where deleted_at is null`.execute(db)
  await sql`analyze biz.t_team`.execute(db)
  const field = { uiLabel: 'n', isList: 1, isQuery: 1, queryType: 'like' } as const
  await fixture.define(
    definition('T_FIND', 't_team', [{ ...field, id: '900', attrName: 'name', columnName: 'name' }]),
  )
})
afterAll(async () => {
  await fixture.close()
})

it('a search by an index of bigrams finds the same rows', async () => {
  const { table } = await fixture.registry.get('10000', 'T_FIND')
  expect([...(table.bigrams ?? [])]).toEqual(['name'])
  const some = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(some, async (parts) => {
      const wanted = parts.join('')
      const { records } = await entityDataHandlers.page(
        {
          params: { tag: 'T_FIND' },
          query: undefined,
          body: { pageSize: 1000, pageNum: 1, sorts: [], queries: { name: wanted } },
        },
        fixture.context(),
      )
      const expected = texts.filter((text) => text.toLowerCase().includes(wanted.toLowerCase()))
      expect(records.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: 100, seed: 3 },
  )
})

it('the index holds the school with each pair', async () => {
  const db = databaseOf(fixture)
  const { rows } = await sql<{ pairs: string[]; none: string[] }>`
    select sys.bigrams(7, 'ABa中') as pairs, sys.bigrams(7, '中') as none`.execute(db)
  expect([rows[0]?.pairs.toSorted(), rows[0]?.none]).toEqual([['7:ab', '7:a中', '7:ba'], []])
  const plan = await sql<{ 'QUERY PLAN': string }>`
    explain select * from biz.t_team t where t.deleted_at is null
      and sys.bigrams(t.tenant_id, t.name) @> sys.bigrams(10000, '张伟')`.execute(db)
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('t_team_bigrams_idx')
})
