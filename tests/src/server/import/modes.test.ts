import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../../apps/server/src/testing/app.ts'
import { cellsOf, importFile, sheetOf } from '../../support/imports.ts'

let app: TestApp
let api: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => { app = await testApp(); api = await app.signIn('admin') })
afterAll(() => app.close())

const head = ['院系代码', '院系名称', '英文名称', '院长']
const byCode = async (code: string) => (await api.entityData.page({ params: { tag: 'EDU_FACULTY' }, body: { queries: { code } } })).records[0]

it('inserts every row, or none', async () => {
  const good = await importFile(api, 'EDU_FACULTY', await sheetOf([head, ['I01', '导入一', 'One', null], ['I02', '导入二', null, '李四']]))
  expect(good).toMatchObject({ status: 'done', phase: 'finished', total: 2, inserted: 2, updated: 0, skipped: 0, failed: 0, errors: [] })
  expect(await byCode('I01')).toMatchObject({ name: '导入一', nameEn: 'One' })
  const bad = await importFile(api, 'EDU_FACULTY', await sheetOf([head, ['I03', '导入三'], ['I04', null], ['I01', '又一']]))
  expect(bad).toMatchObject({ status: 'failed', total: 3, inserted: 0, failed: 2, message: '有 2 行不正确，没有写入任何数据' })
  expect(bad.errors).toMatchObject([{ row: 3, column: '院系名称', rule: 'required' }, { row: 4, column: '院系代码', value: 'I01', rule: 'unique' }])
  expect(await byCode('I03')).toBeUndefined()
})
