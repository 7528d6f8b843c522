import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '@jiaowu/api/contract/job'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../../apps/server/testing/app.ts'
import { importFile } from '../../../support/imports.ts'
import { attrNameOf, dirtyCells, fileOfCells } from './cells.ts'
import { dirtyFiles } from './files.ts'
import { compareOutcome, importToOutcome, toReviewValue } from './outcome.ts'

let app: TestApp
let api: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

async function listReviewCells(job: Job, verdict: 'fresh' | 'wrong') {
  const query = { verdict, pageSize: 100 }
  const { records } = await api.job.rows({ params: { id: job.id }, query })
  return records.map(({ row, cells, errors }) => ({
    row,
    errors,
    values: Object.fromEntries(cells.map(({ attrName, after }) => [attrName, after])),
  }))
}
it('are sixty files, besides the cells', () => {
  expect(dirtyFiles.length).toBeGreaterThanOrEqual(60)
  expect(new Set(dirtyFiles.map(({ what }) => what)).size).toBe(dirtyFiles.length)
})

it('reads cells as they are meant, or says what is wrong with them', async () => {
  const job = await importFile(api, 'EDU_STUDENT', fileOfCells(), { pauseAt: 'review' })
  const rows = [...(await listReviewCells(job, 'fresh')), ...(await listReviewCells(job, 'wrong'))]
  await api.job.cancel({ params: { id: job.id } })
  for (const [i, { column, cell, value, wrong }] of dirtyCells.entries()) {
    const found = rows.find(({ row }) => row === i + 2)
    const attrName = attrNameOf[column] ?? ''
    expect(
      found?.errors.map((error) => `${error.attrName} ${error.rule}`),
      `${column} ${cell}`,
    ).toEqual(wrong === undefined ? [] : [`${attrName} ${wrong}`])
    if (value !== undefined)
      expect(found?.values[attrName], `${column} ${cell}`).toBe(toReviewValue(attrName, value))
  }
})

it.each(dirtyFiles)('$what', async (dirty) => {
  const found = await importToOutcome(api, await dirty.file())
  app.advance(1_000)
  expect(compareOutcome(dirty, found).join('; ')).toBe(dirty.known ?? '')
})

it('are all in the table of the documentation', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/imports.md'), 'utf8')
  expect(page.match(/^\| (?!file|-).+?(?= \|)/gm)?.map((found) => found.slice(2))).toEqual(
    dirtyFiles.map(({ what }) => what),
  )
})
