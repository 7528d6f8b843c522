import fc from 'fast-check'
import { sql } from 'kysely'
import { pinyin } from 'pinyin-pro'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { entityDataHandlers } from '../../handlers/entity-data.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { definition, type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'

let fixture: Fixture
const people = ['张三', '李振生', '曾国藩', '长孙无忌', '单于 Ann', '阿依古丽·买买提', 'Zhang San']
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
    union all select 20000 + n, 10000, x from unnest(${people}::text[]) with ordinality as p(x, n)
    union all select 10000 + n, 10001, '张伟' || n from generate_series(1, 2000) n`.execute(db)
  await sql`create index on biz.t_team using gin (sys.bigrams(tenant_id, name))
    where deleted_at is null`.execute(db)
  await sql`create index on biz.t_team using gin (sys.bigrams(tenant_id, sys.initials(name)))
    where deleted_at is null`.execute(db)
  await sql`analyze biz.t_team`.execute(db)
  const field = { uiLabel: 'n', isList: 1, isQuery: 1, queryType: 'like' } as const
  const name = { ...field, attrName: 'name', columnName: 'name' }
  await fixture.define(definition('T_FIND', 't_team', [{ ...name, id: '900' }]))
  await fixture.define(
    definition('T_STARTS', 't_team', [{ ...name, id: '901', queryType: 'rightLike' }]),
  )
})
afterAll(async () => {
  await fixture.close()
})

async function findByText(tag: string, wanted: string) {
  const { records } = await entityDataHandlers.page(
    {
      params: { tag },
      query: undefined,
      body: { pageSize: 1000, pageNum: 1, sorts: [], queries: { name: wanted } },
    },
    fixture.context(),
  )
  return records.map(({ name }) => name).toSorted()
}

/** The function of migration 0020, which indexes were built with. */
const firstBigrams = sql`create function biz.first_bigrams(school bigint, value text) returns text[]
  language sql immutable strict parallel safe as $$
    select coalesce(array_agg(distinct school || ':' || substr(v, n, 2)), '{}'::text[])
    from (select lower(value) as v) as folded, generate_series(1, char_length(v) - 1) as n
  $$`

it('the pairs of a text are those that existing indexes hold', async () => {
  const db = databaseOf(fixture)
  await firstBigrams.execute(db)
  const anything = fc.string({ unit: 'grapheme', maxLength: 80 })
  const seeded = fc.array(fc.constantFrom(...letters, 'İ', 'ß', '𠮷'), { maxLength: 120 })
  const random = fc
    .sample(
      fc.oneof(
        anything,
        seeded.map((parts) => parts.join('')),
      ),
      { numRuns: 600, seed: 5 },
    )
    .map((text) => text.replaceAll('\u0000', ''))
  const asked = ['', 'a', 'ab', '张伟', '😀😀', 'x'.repeat(51), 'x'.repeat(52), ...random, null]
  const { rows } = await sql<{ text: string; first: string[] | null; now: string[] | null }>`
    select u.x as text, biz.first_bigrams(10000, u.x) as first, sys.bigrams(10000, u.x) as now
    from unnest(${asked}::text[]) as u(x)`.execute(db)
  expect(rows).toHaveLength(asked.length)
  const pairsOf = (pairs: string[] | null) =>
    pairs === null ? null : [...new Set(pairs)].toSorted()
  for (const { text, first, now } of rows) expect(pairsOf(now), text).toEqual(pairsOf(first))
})

it('a search by an index of bigrams finds the same rows', async () => {
  const { table } = await fixture.registry.get('10000', 'T_FIND')
  expect([...(table.bigrams ?? [])]).toEqual(['name'])
  const some = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(some, async (parts) => {
      const wanted = parts.join('')
      const expected = [...texts, ...people].filter((text) =>
        text.toLowerCase().includes(wanted.toLowerCase()),
      )
      expect(await findByText('T_FIND', wanted)).toEqual(expected.toSorted())
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

it('finds names by the initials of their Pinyin', async () => {
  expect(await findByText('T_FIND', 'zs')).toEqual(['张三', '李振生', '长孙无忌'].toSorted())
  expect(await findByText('T_FIND', 'ZGF')).toEqual(['曾国藩'])
  expect(await findByText('T_FIND', 'syann')).toEqual(['单于 Ann'])
  expect(await findByText('T_FIND', 'zhang s')).toEqual(['Zhang San'])
  expect(await findByText('T_STARTS', 'zs')).toEqual(['张三', '长孙无忌'].toSorted())
  expect(await findByText('T_STARTS', 'aygl')).toEqual(['阿依古丽·买买提'])
})

it('the letters are those of pinyin-pro', async () => {
  const names = ['欧阳修', '万俟卨', '尉迟恭', '解缙', '仇英', '乐毅', '王羲之', '龘靐龍']
  const { rows } = await sql<{ letters: string[]; none: string | null }>`
    select array(select sys.initials(x) from unnest(${names}::text[]) with ordinality as u(x, n)
      order by n) as letters, sys.initials(null) as none`.execute(databaseOf(fixture))
  const first = { mode: 'surname', pattern: 'first', toneType: 'none', type: 'array' } as const
  expect(rows[0]?.letters).toEqual(names.map((name) => pinyin(name, first).join('')))
  expect(rows[0]?.none).toBeNull()
})

it('a search by initials reads both indexes', async () => {
  const plan = await sql<{ 'QUERY PLAN': string }>`
    explain select * from biz.t_team t where t.deleted_at is null
      and (sys.bigrams(t.tenant_id, t.name) @> sys.bigrams(10000, 'zsf')
        or sys.bigrams(t.tenant_id, sys.initials(t.name)) @> sys.bigrams(10000, 'zsf'))`.execute(
    databaseOf(fixture),
  )
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
    /BitmapOr[^]*t_team_bigrams_idx[^]*t_team_bigrams_idx1/,
  )
})

it('finds masked names by their whole only', async () => {
  const field = { id: '902', uiLabel: 'n', isList: 1, isQuery: 1, queryType: 'like' } as const
  const name = { ...field, attrName: 'name', columnName: 'name', pii: 'name' } as const
  await fixture.define(definition('T_MASKED', 't_team', [name]))
  expect(await findByText('T_MASKED', 'zs')).toEqual([])
  expect(await findByText('T_MASKED', '张三')).toEqual(['张*'])
})
