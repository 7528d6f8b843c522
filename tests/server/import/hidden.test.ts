// Parts that a spreadsheet does not show: the review says of each hidden sheet, column and row what is taken.
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { Job } from '@jiaowu/api/contract/job'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFile, waitForJob } from '../../support/imports.ts'

let app: TestApp
let api: Client<typeof contract>
const tag = 'EDU_FACULTY'
beforeAll(async () => {
  app = await testApp()
  api = await app.signIn('admin')
})
afterAll(() => app.close())

const heading = ['院系代码', '院系名称']

async function buildBook(fill: (book: ExcelJS.Workbook) => void): Promise<File> {
  const book = new ExcelJS.Workbook()
  fill(book)
  return new File([await book.xlsx.writeBuffer()], 'hidden.xlsx')
}

function addSheet(
  book: ExcelJS.Workbook,
  name: string,
  rows: readonly (readonly string[])[],
  state: 'visible' | 'hidden' | 'veryHidden' = 'visible',
): ExcelJS.Worksheet {
  const sheet = book.addWorksheet(name, { state })
  sheet.addRows(rows.map((row) => [...row]))
  return sheet
}

async function review(file: File, choices: object = {}): Promise<Job> {
  app.advance(1_000)
  const job = await importFile(api, tag, file, { pauseAt: 'review', ...choices })
  expect(job, job.message ?? '').toMatchObject({ status: 'paused' })
  return job
}
async function readAgain({ id }: Job, reading: object): Promise<Job> {
  await api.job.resume({ params: { id }, body: { reading, pauseAt: 'review' } })
  return await waitForJob(api, id)
}

describe('hidden sheets', () => {
  const book = () =>
    buildBook((each) => {
      addSheet(each, '旧表', [heading, ['H1', '旧一'], ['H2', '旧二']], 'hidden')
      addSheet(each, '代码', [heading, ['H3', '暗三']], 'veryHidden')
      addSheet(each, '院系', [heading, ['H4', '新四']])
    })

  it('are listed, told of, and read only when they are chosen', async () => {
    const job = await review(await book())
    expect(
      job.sheet?.sheets?.map(({ name, chosen, isHidden }) => [name, chosen, isHidden ?? false]),
    ).toEqual([
      ['院系', true, false],
      ['旧表', false, true],
      ['代码', false, true],
    ])
    expect(job.sheet?.notes).toEqual([
      '隐藏的工作表没有读取：旧表、代码；需要时可在“工作表和表头”中选择',
    ])
    expect([job.total, job.review.fresh]).toEqual([1, 1])
    const chosen = await readAgain(job, { sheets: ['院系', '旧表'] })
    expect([chosen.total, chosen.review.fresh]).toEqual([3, 3])
    expect(chosen.sheet?.notes).toEqual([
      '隐藏的工作表没有读取：代码；需要时可在“工作表和表头”中选择',
      '按您的选择读取了隐藏的工作表：旧表',
    ])
    await api.job.cancel({ params: { id: job.id } })
  })

  it('are no way into the import where nothing else has rows', async () => {
    const file = await buildBook((each) => {
      addSheet(each, '空表', [])
      addSheet(each, '旧表', [heading, ['H1', '旧一']], 'hidden')
    })
    expect(await importFile(api, tag, file, { pauseAt: 'review' })).toMatchObject({
      status: 'failed',
      message:
        '看得见的工作表都是空的，只有隐藏的工作表有内容：旧表。请在表格软件中取消隐藏后重新上传，或在终端中用 --sheet 指定它',
    })
    const asked = await review(file, { reading: JSON.stringify({ sheets: ['旧表'] }) })
    expect(asked.review.fresh).toBe(1)
    await api.job.cancel({ params: { id: asked.id } })
  })
})

describe('hidden and filtered rows, and hidden columns', () => {
  const book = () =>
    buildBook((each) => {
      const sheet = addSheet(each, '院系', [
        heading,
        ...Array.from({ length: 12 }, (_none, n) => [`R${n}`, `行 ${n}`]),
      ])
      sheet.autoFilter = 'A1:B13'
      for (const row of [3, 4, 5, 9, 10, 11, 12]) sheet.getRow(row).hidden = true
      sheet.getColumn(2).hidden = true
    })

  it('are imported, which the review says with their number', async () => {
    const job = await review(await book())
    expect(job.sheet).toMatchObject({
      hiddenRows: { rows: 7, left: false },
      notes: [
        '表中隐藏的列也会导入：B 院系名称；不需要时请把它对应为“不导入”',
        '有 7 行在表中被隐藏或筛选掉，也会导入：第 3、4、5、9、10… 行；不需要时可选“不导入隐藏的行”',
      ],
    })
    expect(job.review.fresh).toBe(12)
    await api.job.cancel({ params: { id: job.id } })
  })

  it('can be left out, which keeps the columns that were assigned', async () => {
    const first = await review(await book())
    const mapped = await (async () => {
      await api.job.resume({
        params: { id: first.id },
        body: {
          mapping: [
            { column: 1, attrName: 'code' },
            { column: 2, attrName: 'name' },
          ],
          pauseAt: 'review',
        },
      })
      return await waitForJob(api, first.id)
    })()
    expect(mapped.sheet?.columns.map(({ by }) => by)).toEqual(['asked', 'asked'])
    const left = await readAgain(mapped, { leaveHidden: true })
    expect(left.review.fresh).toBe(5)
    expect(left.sheet).toMatchObject({ hiddenRows: { rows: 7, left: true } })
    expect(left.sheet?.columns.map(({ by }) => by)).toEqual(['asked', 'asked'])
    expect(left.sheet?.notes).toContain(
      '有 7 行在表中被隐藏或筛选掉，按您的选择不导入：第 3、4、5、9、10… 行',
    )
    // Another heading keeps the choice.
    const again = await readAgain(left, { sheets: ['院系'], heading: 1 })
    expect([again.review.fresh, again.sheet?.hiddenRows?.left]).toEqual([5, true])
    await api.job.resume({ params: { id: first.id }, body: { confirm: true } })
    const done = await waitForJob(api, first.id)
    expect([done.status, done.inserted]).toEqual(['done', 5])
    const { records } = await api.entityData.page({
      params: { tag },
      body: { pageSize: 100, queries: { name: '行 ' } },
    })
    expect(records.map(({ name }) => name).toSorted()).toEqual(
      [0, 4, 5, 6, 11].map((n) => `行 ${n}`).toSorted(),
    )
  })

  it('are counted sheet by sheet, and corrections keep the choice', async () => {
    const file = await buildBook((each) => {
      for (const name of ['甲', '乙']) {
        const sheet = addSheet(each, name, [heading, [`${name}1`, '一'], [`${name}2`, '']])
        sheet.addRow([`${name}3`, '三']).hidden = true
      }
    })
    const job = await review(file, {
      reading: JSON.stringify({ sheets: ['甲', '乙'], leaveHidden: true }),
    })
    expect(job.sheet?.notes).toContain(
      '有 2 行在表中被隐藏或筛选掉，按您的选择不导入：第 甲!4、乙!4 行',
    )
    expect([job.review.fresh, job.review.wrong]).toEqual([2, 2])
    await api.job.mend({
      params: { id: job.id },
      body: { cells: [{ row: 3, sheet: '甲', attrName: 'name', value: '二' }] } as never,
    })
    const mended = await waitForJob(api, job.id)
    expect([mended.review.fresh, mended.review.wrong, mended.total]).toEqual([3, 1, 4])
    await api.job.cancel({ params: { id: job.id } })
  })
})

it('says nothing of the column and the sheet that exports of the console hide', async () => {
  const { stream } = await api.entityData.export({
    params: { tag },
    body: { pageSize: -1, pageNum: -1, queries: {}, sorts: [], format: 'xlsx' },
  })
  const file = new File([await new Response(stream).arrayBuffer()], 'export.xlsx')
  const job = await importFile(api, tag, file, { mode: 'update', pauseAt: 'review' })
  expect([job.status, job.sheet?.notes, job.sheet?.hiddenRows]).toEqual(['paused', [], undefined])
  expect(job.sheet?.sheets).toBeUndefined()
  await api.job.cancel({ params: { id: job.id } })
})
