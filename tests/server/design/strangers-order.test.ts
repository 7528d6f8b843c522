// Tables of other programs are listed in the order of what they show, without a school, a version or an index.
import { compareNames } from '@jiaowu/api/compare-names'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const many = 6_000
const tables = `
  create schema shop;
  create table shop.maker (id serial primary key, name text not null);
  create table shop.item (id serial primary key, title text not null, maker_id int references shop.maker);
  insert into shop.maker (name) values ('张记'), ('第10铺'), ('第2铺'), ('apple'), ('Banana'), ('阿明'), ('王记');
  insert into shop.item (title, maker_id)
    select (array['第', 'b', 'Á', '李', '重庆'])[1 + n % 5] || n % 997,
      case when n % 50 = 0 then null else 1 + n % 7 end
    from generate_series(1, ${many}) n;`

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'biz,shop' })
  admin = await app.signIn('admin')
  await sql.raw(tables).execute(app.services.database.kysely)
  const { drafts } = await admin.design.draftAll({ body: { tables: ['shop.maker', 'shop.item'] } })
  await admin.design.adopt({ body: { definitions: drafts.map(({ definition }) => definition) } })
})
afterAll(() => app.close())
// Calls are counted by the minute.
beforeEach(() => app.advance(61_000))

const formatOrderedValue = (row: Row, column: string): string => {
  const value = row[column]
  return Array.isArray(value)
    ? ((value as readonly DictItem[])[0]?.name ?? '')
    : typeof value === 'string'
      ? value
      : ''
}
async function loadSortedPage(column: string, asc: boolean, pageNum: number, pageSize = 1_000) {
  const body = { pageSize, pageNum, sorts: [{ column, asc }], queries: {} }
  return (await admin.entityData.page({ params: { tag: 'ITEM' }, body })).records
}

it.each(['title', 'makerId'])('by %s, on every page', async (column) => {
  const all: Row[] = []
  for (let pageNum = 1; pageNum <= many / 1_000; pageNum += 1)
    all.push(...(await loadSortedPage(column, true, pageNum)))
  expect(new Set(all.map(({ id }) => id)).size).toBe(many)
  const expected = all.toSorted(
    (a, b) =>
      Number(formatOrderedValue(a, column) === '') - Number(formatOrderedValue(b, column) === '') ||
      compareNames(formatOrderedValue(a, column), formatOrderedValue(b, column)) ||
      Number(a.id) - Number(b.id),
  )
  expect(all.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
  for (const [pageNum, pageSize] of [
    [1, 20],
    [77, 20],
    [150, 37],
    [300, 20],
  ] as const) {
    const from = (pageNum - 1) * pageSize
    const up = await loadSortedPage(column, true, pageNum, pageSize)
    expect(up.map(({ id }) => id)).toEqual(all.slice(from, from + pageSize).map(({ id }) => id))
    const down = await loadSortedPage(column, false, pageNum, pageSize)
    const back = all.toReversed().slice(from, from + pageSize)
    expect(down.map(({ id }) => id)).toEqual(back.map(({ id }) => id))
  }
})
