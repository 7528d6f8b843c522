// Imports a large file with 37 invalid rows, once with `abort` and once with `skip`. `ROWS=50000`
// runs the largest file that the default settings accept.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../apps/server/testing/app.ts'
import { toCsv, importFile } from '../../support/imports.ts'

const rows = Number(process.env.ROWS ?? 10_000)
const wrong = 37

let app: TestApp
let api: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

function isWrong(i: number): boolean {
  return i % Math.floor(rows / wrong) === 7 && i < wrong * Math.floor(rows / wrong)
}
const file = toCsv(
  `院系代码,院系名称,网址\n${Array.from({ length: rows }, (_, i) => `L${i},${isWrong(i) && i % 2 === 0 ? '' : `院系 ${i}`},${isWrong(i) && i % 2 === 1 ? 'no address' : ''}\n`).join('')}`,
)
async function countStoredRows() {
  return (
    await api.entityData.page({
      params: { tag: 'EDU_FACULTY' },
      body: { pageSize: 1, queries: { code: 'L' } },
    })
  ).total
}

it(`${rows} rows with ${wrong} wrong: none with abort, all the good ones with skip`, async () => {
  const started = performance.now()
  const aborted = await importFile(api, 'EDU_FACULTY', file)
  expect(aborted).toMatchObject({
    status: 'failed',
    total: rows,
    inserted: 0,
    failed: wrong,
    review: { fresh: rows - wrong, wrong },
    message: `有 ${wrong} 行不正确，没有写入任何数据`,
  })
  expect(aborted.errors).toHaveLength(wrong)
  expect(aborted.errors[0]).toMatchObject({ row: 9 })
  expect(await countStoredRows()).toBe(0)
  const checked = performance.now()
  const skipped = await importFile(api, 'EDU_FACULTY', file, { onError: 'skip' })
  expect(skipped).toMatchObject({
    status: 'done',
    total: rows,
    inserted: rows - wrong,
    failed: wrong,
  })
  expect(await countStoredRows()).toBe(rows - wrong)
  console.log(
    `${rows} rows, ${wrong} wrong: abort answered in ${((checked - started) / 1000).toFixed(1)} s with none written, skip wrote ${rows - wrong} in ${((performance.now() - checked) / 1000).toFixed(1)} s`,
  )
}, 300_000)
