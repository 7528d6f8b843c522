// No joined text stands for a list where a value may hold the separator (docs/rules/contract.md#row-ids).
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const keys = ['A', 'B', 'A,B', 'C~D', '100%', 'a"b', "it's", 'x\ny', '%2C', 'A%2CB']

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)
  await run('create table biz.part (code text primary key, name text not null)')
  await run(
    'create table biz.supply (id serial primary key, code text not null references biz.part(code), note text)',
  )
  for (const key of keys) {
    await sql`insert into biz.part (code, name) values (${key}::text, ${`part ${key}`}::text)`.execute(
      app.services.database.kysely,
    )
    await sql`insert into biz.supply (code, note) values (${key}::text, ${key}::text)`.execute(
      app.services.database.kysely,
    )
  }
  const { drafts } = await admin.design.draftAll({
    body: { tables: ['biz.part', 'biz.supply'] },
  })
  await admin.design.adopt({
    body: {
      definitions: drafts.map(({ definition }) => ({
        ...definition,
        fields: definition.fields.map((field) =>
          field.columnName === 'code' ? { ...field, isQuery: 1 as const } : field,
        ),
      })),
    },
  })
}, 60_000)
afterAll(() => app.close())

async function notes(value: unknown): Promise<unknown[]> {
  const { records } = await admin.entityData.page({
    params: { tag: 'SUPPLY' },
    body: { queries: { code: value }, pageSize: 100 },
  })
  return records.map((row) => row['note']).toSorted()
}

it('a text is the key of one row where a row has it, and a list otherwise', async () => {
  expect(await notes('A,B')).toEqual(['A,B'])
  expect(await notes('A,C~D')).toEqual(['A', 'C~D'])
  expect(await notes('B,A')).toEqual(['A', 'B'])
})

it.each(keys)('%j is found as it is, in each form of a choice', async (key) => {
  for (const value of [key, [key], [{ id: key }], { id: key }])
    expect(await notes(value)).toEqual([key])
})

it('lists stay lists', async () => {
  expect(await notes([{ id: 'A' }, { id: 'B' }])).toEqual(['A', 'B'])
  expect(await notes(['A,B', 'A'])).toEqual(['A', 'A,B'])
})

it('too many choices are refused like too many texts', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => String(n))
  for (const value of [many, many.map((id) => ({ id })), many.join(',')])
    await expect(notes(value)).rejects.toMatchObject({
      problem: { issues: [{ path: 'queries.code', msg: '一次最多查询 500 个值' }] },
    })
})
