import { maskPii } from '@jiaowu/api/pii'
import { piiKinds } from '@jiaowu/api/entity/enums'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { maskedRef } from './masked-ref.ts'

const samples = [
  '',
  '张',
  '欧阳修',
  '110105194912310021',
  '11010549123102X',
  'E12345678',
  'H1',
  'a@b.cn',
  '@b.cn',
  'ann@x@b.cn',
  '6222',
]
let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

it.each(piiKinds)('masks in the database as in the code: %s', async (kind) => {
  const { rows } = await sql<{ v: string; m: string }>`
    select t.v, ${maskedRef(kind, 'v')} as m
    from unnest(${samples}::text[]) with ordinality as t(v, n) order by t.n`.execute(
    app.services.database.kysely,
  )
  expect(rows.map(({ v, m }) => [v, m])).toEqual(samples.map((v) => [v, maskPii(kind, v)]))
})
