import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase } from '../../../../testing/database/database.ts'
import type { Database } from '../open-database.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** The order of people, as every browser knows it. */
const people = new Intl.Collator('zh-u-kn')

async function sortInDatabase(texts: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ x: string }>`
    select x from unnest(${[...texts]}::text[]) x order by sys.sort_key(x), x collate "C"`.execute(
    database.untyped,
  )
  return rows.map(({ x }) => x)
}

it.each([
  ['case and width', ['Zoo', 'AMREF', 'apple', 'Ａmref', 'Amref', 'amref', 'amreg']],
  [
    'Chinese by Pinyin',
    ['张', '李', '王', '阿', '陈', '曾', '单', '佟', '闫', '邹', '赵', '钱', '孙'],
  ],
  [
    'numbers by value',
    ['第10章', '第1章', '第2章', '第１2章', '2', '10', '010', '9', 'a2', 'a10', 'a'],
  ],
  [
    'signs, numbers, Chinese, Latin',
    ['b', '王', '1', '-', ' ', '(', 'A', '_', '.', '王1', '王a', '王-'],
  ],
  [
    'accents',
    ['é', 'e', 'f', 'ö', 'o', 'p', 'Émile', 'Emily', 'emil', 'straße', 'strasse', 'strata'],
  ],
  ['beginnings', ['李', '李明', '李明1', '李 明', '李-明', '', '李A', '李·明']],
  ['codes', ['MATH-2024-1', 'MATH-2024-10', 'math-2024-2', 'CS101', 'CS99', 'cs100', 'CS']],
  [
    'people',
    ['欧阳修', '阿依古丽·买买提', '欧 阳', 'John Smith', 'john smith', '张三', '张三丰', '张'],
  ],
])('orders as people do: %s', async (what, texts) => {
  const got = await sortInDatabase(texts)
  expect(got).toHaveLength(texts.length)
  // In zh the tones of a vowel come before the vowel.
  const collator =
    what === 'accents' ? new Intl.Collator('zh-u-kn', { sensitivity: 'base' }) : people
  for (const [at, text] of got.slice(1).entries())
    expect([got[at], text, collator.compare(got[at] ?? '', text) <= 0]).toEqual([
      got[at],
      text,
      true,
    ])
})

it('orders every character between U+4E00 and U+9FFF as a browser does', async () => {
  const all = Array.from({ length: 0x9fff - 0x4e00 + 1 }, (_none, at) =>
    String.fromCodePoint(0x4e00 + at),
  )
  const got = await sortInDatabase(all)
  const wrong = got.slice(1).filter((text, at) => people.compare(got[at] ?? '', text) > 0)
  // Another version of ICU may know other readings of a few.
  expect(wrong.length).toBeLessThan(50)
})

it('is the same whatever the collation, and tells different texts apart', async () => {
  const texts = ['a', 'A', 'ａ', 'á', 'a\u0301', '01', '1', '１', 'あ', 'ア', 'Ω', 'ω', '\u200ba']
  const { rows } = await sql<{ keys: string; n: number }>`
    select count(distinct sys.sort_key(x))::int4 as n,
      bool_and(sys.sort_key(x) = sys.sort_key(x collate "C"))::text as keys
    from unnest(${texts}::text[]) x`.execute(database.untyped)
  expect(rows).toEqual([{ n: texts.length, keys: 'true' }])
})

it('takes anything a text may hold', async () => {
  const texts = [
    '𠮷田',
    '㐀',
    '豈',
    '〇',
    '가',
    '😀',
    '\n\t',
    '9'.repeat(200),
    '中'.repeat(300),
    '%_\\\'"$',
  ]
  expect(await sortInDatabase(texts)).toHaveLength(texts.length)
  const { rows } = await sql<{ most: number }>`
    select max(length(sys.sort_key(x)))::int4 as most from unnest(${texts}::text[]) x`.execute(
    database.untyped,
  )
  // An entry of an index has 2,700 bytes at most.
  expect(rows[0]?.most).toBeLessThan(1_000)
})
