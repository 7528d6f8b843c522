// No joined text stands for a list where a value may hold the separator (docs/rules/contract.md#row-ids).
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
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
    'create table biz.supply (id serial primary key, code text not null references biz.part(code), note text, parts text)',
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
        fields: definition.fields.map((field) => withFilterField(field, definition.fields)),
      })),
    },
  })
})
afterAll(() => app.close())

/** Filters by the relation and by a text, and several choices in one text. */
function withFilterField(field: FieldDefinition, all: readonly FieldDefinition[]): FieldDefinition {
  if (field.columnName === 'code') return { ...field, isQuery: 1 }
  if (field.columnName === 'note') return { ...field, isQuery: 1, queryType: 'in' }
  const relation = all.find(({ columnName }) => columnName === 'code')
  return field.columnName === 'parts' && relation !== undefined
    ? {
        ...field,
        uiType: 'multiSelect',
        queryType: 'multiContains',
        dictType: relation.dictType,
        dictValue: relation.dictValue,
      }
    : field
}

async function notes(value: unknown, column = 'code'): Promise<unknown[]> {
  const { records } = await admin.entityData.page({
    params: { tag: 'SUPPLY' },
    body: { queries: { [column]: value }, pageSize: 100 },
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

it('a text of a text column is the value of a row where a row has it', async () => {
  expect(await notes('A,B', 'note')).toEqual(['A,B'])
  expect(await notes('A,C~D', 'note')).toEqual(['A', 'C~D'])
  expect(await notes(['A,B', 'A'], 'note')).toEqual(['A', 'A,B'])
})

it('choices joined in one text take no id with a comma', async () => {
  const add = (...ids: readonly string[]) =>
    admin.entityData.create({
      params: { tag: 'SUPPLY' },
      body: { code: [{ id: 'A' }], parts: ids.map((id) => ({ id })) },
    })
  await expect(add('B', 'A,B')).rejects.toMatchObject({
    problem: {
      issues: [{ path: 'parts', msg: expect.stringContaining('「A,B」含有逗号') as string }],
    },
  })
  const { id } = await add('B', 'C~D')
  const row = await admin.entityData.get({ params: { tag: 'SUPPLY', id } })
  expect(row['parts']).toMatchObject([{ id: 'B' }, { id: 'C~D' }])
  await admin.entityData.remove({ params: { tag: 'SUPPLY', ids: id } })
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
