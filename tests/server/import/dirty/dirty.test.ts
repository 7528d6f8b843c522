import { type Job, maskPii } from '@jiaowu/api'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../../apps/server/testing/app.ts'
import { importFile } from '../../../support/imports.ts'
import { attrNameOf, dirtyCells, dirtyFiles, fileOfCells } from './files.ts'

let app: TestApp
let api: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

async function cellsOf(job: Job, verdict: 'fresh' | 'wrong') {
  const query = { verdict, pageSize: 100 }
  const { records } = await api.job.rows({ params: { id: job.id }, query })
  return records.map(({ row, cells, errors }) => ({
    row,
    errors,
    values: Object.fromEntries(cells.map(({ attrName, after }) => [attrName, after])),
  }))
}
const yesNo: Readonly<Record<string, string>> = { '1': '是', '0': '否' }
/** As the review shows it. */
function shown(attrName: string, value: unknown): unknown {
  return attrName === 'onCampus'
    ? yesNo[String(value)]
    : attrName === 'idCard'
      ? maskPii('idCard', String(value))
      : attrName === 'mobile'
        ? maskPii('mobile', String(value))
        : value
}

it('are more than sixty', () =>
  expect(dirtyCells.length + dirtyFiles.length).toBeGreaterThanOrEqual(60))

it('reads cells as they are meant, or says what is wrong with them', async () => {
  const job = await importFile(api, 'EDU_STUDENT', fileOfCells(), { pauseAt: 'review' })
  const rows = [...(await cellsOf(job, 'fresh')), ...(await cellsOf(job, 'wrong'))]
  await api.job.cancel({ params: { id: job.id } })
  for (const [i, { column, cell, value, wrong }] of dirtyCells.entries()) {
    const found = rows.find(({ row }) => row === i + 2)
    const attrName = attrNameOf[column] ?? ''
    expect(
      found?.errors.map((error) => `${error.attrName} ${error.rule}`),
      `${column} ${cell}`,
    ).toEqual(wrong === undefined ? [] : [`${attrName} ${wrong}`])
    if (value !== undefined)
      expect(found?.values[attrName], `${column} ${cell}`).toBe(shown(attrName, value))
  }
})

it.each(dirtyFiles)('$what', async ({ file, rows, first, wrong, note, refused }) => {
  const started = importFile(api, 'EDU_STUDENT', await file(), { pauseAt: 'review' })
  if (refused !== undefined) {
    await expect(started).rejects.toMatchObject({
      problem: { code: 42200, issues: [{ msg: expect.stringContaining(refused) as string }] },
    })
    return
  }
  const job = await started
  app.advance(1_000)
  const [found] = first === undefined ? [] : await cellsOf(job, 'fresh')
  await api.job.cancel({ params: { id: job.id } })
  expect(
    job.errors.map(({ rule }) => rule),
    `${job.message ?? ''} ${JSON.stringify(job.errors[0])}`,
  ).toEqual(wrong ?? [])
  if (rows !== undefined) expect(job.total).toBe(rows)
  if (note !== undefined) expect(job.sheet?.notes.join()).toContain(note)
  for (const [attrName, value] of Object.entries(first ?? {}))
    expect(found?.values[attrName], attrName).toBe(shown(attrName, value))
})
