import { expect, it } from 'vitest'
import { sampleColumn } from '../../../../testing/entities/sample-column.ts'
import { type IndexOrder, buildSortKeyName } from '../../../model/definition/catalog.ts'
import { isServedByOneIndex } from './served.ts'

const types: Readonly<Record<string, string>> = {
  tenant_id: 'int8',
  city: 'varchar',
  grade: 'int4',
  score: 'numeric',
  id: 'int8',
  'a "b" and c': 'text',
  short: 'bpchar',
}
const columns = new Map(
  Object.entries(types).map(([name, type]) => [name, sampleColumn(name, type)] as const),
)
const byCity: IndexOrder = { columns: ['tenant_id', 'city', 'score', 'id'], isLive: true }
const school = '"t"."tenant_id" = $1::int8'
const kept = `(${school} and "t"."deleted_at" is null)`
const city = '"t"."city" = $2::text'
const newest = '"t"."score" desc, "t"."id" desc'

const byName: IndexOrder = {
  columns: ['tenant_id', 'grade', buildSortKeyName('city'), 'id'],
  isLive: true,
}
const grade = '"t"."grade" = $2::int8'

function isServed(where: string, order: string, orders: readonly IndexOrder[] = [byCity, byName]) {
  const table = { schema: 'biz', name: 't', columns, uniques: new Map(), keys: new Set<string>() }
  return isServedByOneIndex({ table: { ...table, orders } }, where, order)
}

it.each([
  ['equalities and the order behind them', `(${kept} and ${city})`, newest],
  ['either direction', `(${kept} and ${city})`, '"t"."score" asc, "t"."id" asc'],
  ['a part of the order', `(${kept} and ${city})`, '"t"."score" desc'],
  [
    'an order by what is equal in all rows',
    `(${kept} and ${city})`,
    '"t"."city" desc, "t"."score" desc',
  ],
  [
    'an order of texts as people have it',
    `(${kept} and ${grade})`,
    'sys.sort_key("t"."city"::text) asc, "t"."id" asc',
  ],
  [
    'such an order of one text',
    `(${kept} and ${city})`,
    'sys.sort_key("t"."city"::text) asc, "t"."score" asc',
  ],
])('one index serves %s', (_what, where, order) => expect(isServed(where, order)).toBe(true))

it.each([
  ['mixed directions', `(${kept} and ${city})`, '"t"."score" desc, "t"."id" asc'],
  ['an order that skips a column', `(${kept} and ${city})`, '"t"."id" desc'],
  ['an order by an expression', `(${kept} and ${city})`, '"t"."score"::numeric desc'],
  ['a column with another order behind it', `(${kept} and ${grade})`, newest],
  ['a column that no index begins with', `(${kept} and "t"."score" = $2::numeric)`, newest],
  ['a condition besides', `(${kept} and ${city} and "t"."grade" = $3::int8)`, newest],
  ['a range', `(${kept} and ${city} and "t"."score" >= $3::numeric)`, newest],
  ['a choice of values', `(${kept} and "t"."city" = any($2::text[]))`, newest],
  ['an alternative', `(${kept} and (${city} or ${city}))`, newest],
  ['a negation', `(${kept} and not (${city}))`, newest],
  ['an order of texts by their bytes', `(${kept} and ${grade})`, '"t"."city" asc, "t"."id" asc'],
  ['an order of texts by another key', `(${kept} and ${grade})`, 'lower("t"."city"::text) asc'],
  [
    'an order of texts as people have it, of another column',
    `(${kept} and ${grade})`,
    'sys.sort_key("t"."a ""b"" and c"::text) asc, "t"."id" asc',
  ],
  ['a search', `(${kept} and "t"."city" like $2::text)`, newest],
  ['a comparison in another type', `(${kept} and "t"."city" = $2::bpchar)`, newest],
  ['a padded column', `(${kept} and "t"."short" = $2::text)`, newest],
  ['an index without deleted rows', `(${school} and ${city})`, newest],
  ['a list without a school', '(true and true)', newest],
])('no index serves %s', (_what, where, order) => expect(isServed(where, order)).toBe(false))

it('no index over all rows serves a list without the deleted ones', () =>
  expect(isServed(`(${kept} and ${city})`, newest, [{ ...byCity, isLive: false }])).toBe(false))

it('reads names with quotes', () => {
  const named = { columns: ['tenant_id', 'a "b" and c'], isLive: false }
  expect(isServed(school, '"t"."a ""b"" and c" asc', [named])).toBe(true)
  expect(isServed(`(${school} and "t"."a ""b"" and c" = $2::text)`, newest, [named])).toBe(false)
})
