// Names that people cannot tell apart are one name (docs/rules/database.md#names-that-identify).
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const alike = ['stxy', 'STXY', ' stxy ', 'ｓｔｘｙ', 'st\u200bxy', '\ufeffstxy', 'Stxy\u3000']

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

async function describeVerdict(tag: string, body: Record<string, unknown>): Promise<unknown> {
  return await admin.entityData.create({ params: { tag }, body }).then(
    () => 'stored',
    (error: { problem: { issues: { path: string; rule: string }[] } }) =>
      error.problem.issues.map(({ path, rule }) => `${path} ${rule}`),
  )
}

describe('one name however it is written', () => {
  it('of an account', async () => {
    const found: unknown[] = []
    for (const account of alike)
      found.push(
        await describeVerdict('SYS_USER', {
          account,
          name: '史同学',
          password: 'Long-enough-7391!',
        }),
      )
    expect(found).toEqual(['stored', ...alike.slice(1).map(() => ['account unique'])])
  })

  it('of a role, by code and by name', async () => {
    expect(await describeVerdict('SYS_ROLE', { code: 'tutors', name: '导师组' })).toBe('stored')
    expect(await describeVerdict('SYS_ROLE', { code: 'TUTORS ', name: '另一组' })).toEqual([
      'code unique',
    ])
    expect(await describeVerdict('SYS_ROLE', { code: 'tutors2', name: '导师组\u200b' })).toEqual([
      'name unique',
    ])
  })

  it('of an organisation', async () => {
    expect(await describeVerdict('SYS_ORG', { code: 'LIB9', name: '图书馆' })).toBe('stored')
    expect(await describeVerdict('SYS_ORG', { code: 'ｌｉｂ９', name: '图书馆二' })).toEqual([
      'code unique',
    ])
  })

  it('signs in', async () => {
    for (const account of ['admin', 'ADMIN', ' ａｄｍｉｎ'])
      expect((await app.signIn(account)).token).not.toBe('')
  })
})

it('a table from elsewhere names the field of an index by an expression', async () => {
  const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)
  await run('create table biz.label (id serial primary key, word text, gone timestamptz)')
  await run('create unique index on biz.label (lower(word)) where gone is null')
  const { definition } = await admin.design.draft({
    params: { name: 'label' },
    query: { tag: 'BIZ_LABEL' },
  })
  await admin.design.create({ body: { ...definition } })
  expect(await describeVerdict('BIZ_LABEL', { word: 'Word' })).toBe('stored')
  expect(await describeVerdict('BIZ_LABEL', { word: 'WORD' })).toEqual(['word unique'])
})
