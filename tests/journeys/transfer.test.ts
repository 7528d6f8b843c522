import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import PDFDocument from 'pdfkit'
import type { Download, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage } from '../support/browser/browser.ts'
import { type SheetCell, toSheet } from '../support/imports.ts'
import { readSheet } from '../support/sheet.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { dataRows, openDialog, settledRows } from '../support/browser/console-page.ts'

const stage = browserFixture()
let page: Page
let faults: string[] = []

const drawer = () => openDialog(page, /^(导入|导出)/)
const foot = (text: string) => drawer().getByRole('button', { name: text })
const verdicts = { fresh: '新增', changed: '变更', same: '相同', wrong: '错误' } as const
function findVerdictCount(name: keyof typeof verdicts) {
  return drawer()
    .getByRole('tab', { name: new RegExp(`${verdicts[name]}$`) })
    .locator('strong')
}
const toolbar = () => page.getByRole('toolbar')
/** The table of rows, below that of columns. */
const sheetRows = () => drawer().getByRole('table').last()
const findDoneHeading = () =>
  drawer().getByRole('heading', { name: /^((导入|导出)完成|已写入 \d+ 行，\d+ 行未写入)$/ })
const step = (name: string | RegExp) => drawer().locator('[aria-current=step]', { hasText: name })
const job = (name: string) =>
  drawer()
    .getByRole('region', { name: '最近的任务' })
    .getByRole('listitem')
    .filter({ hasText: name })
const list = '/entity/EDU_STUDENT/search'
async function openListAs(account: string) {
  ;({ page, faults } = await stage.staff(account, list))
  await toolbar().waitFor()
}
async function openImport() {
  await toolbar().getByRole('button', { name: '导入' }).click()
  await drawer().waitFor()
}
async function saveDownload(download: Download): Promise<string> {
  const path = join(stage.folder, `${Math.random()}-${download.suggestedFilename()}`)
  await download.saveAs(path)
  return path
}
async function downloading(press: () => Promise<void>): Promise<string> {
  return saveDownload((await Promise.all([page.waitForEvent('download'), press()]))[0])
}
async function sheetAt(name: string, rows: readonly (readonly SheetCell[])[]): Promise<string> {
  const path = join(stage.folder, name)
  await writeFile(path, new Uint8Array(await (await toSheet(rows)).arrayBuffer()))
  return path
}
/** The mode of the last time is remembered: each journey says its own. */
async function chooseMode(name: string) {
  // Playwright takes a radio that is checked already as done, also while the page still loads.
  const radio = drawer().getByRole('radio', { name, disabled: false })
  await radio.waitFor()
  await radio.check()
}
async function chooseFile(path: string) {
  await drawer().locator('input[type=file]').setInputFiles(path)
  await drawer()
    .getByRole('button', { name: /^删除 / })
    .waitFor()
}
const waitForReview = () => findVerdictCount('fresh').waitFor()

/** The mark of a compound file, which workbooks before 2007 are. */
const oldWorkbook = Buffer.from('d0cf11e0a1b11ae1'.padEnd(1_024, '0'), 'hex')
const heading = ['学号', '姓名', '性别', '院系', '专业', '学籍状态']
function buildStudentLine(no: string, name: string, gender = '女', major = '统计学') {
  return [no, name, gender, '数理学院', major, '在读']
}

describe('importing in the browser', () => {
  it('a sheet with wrong rows: leave them out, take the result, mend it, import it again', async () => {
    await openListAs('registrar')
    await openImport()
    const path = await sheetAt('students.xlsx', [
      heading,
      buildStudentLine('T001', '甲'),
      buildStudentLine('T002', '乙', '难'),
      buildStudentLine('T003', '丙', '男', '统记学'),
      buildStudentLine('T004', '丁'),
    ])
    await chooseFile(path)
    await foot('上传并检查').click()
    await waitForReview()
    expect(
      await Promise.all(
        (['fresh', 'changed', 'same', 'wrong'] as const).map((name) =>
          findVerdictCount(name).innerText(),
        ),
      ),
    ).toEqual(['2', '0', '0', '2'])
    const wrong = dataRows(sheetRows())
    expect(await wrong.nth(1).innerText()).toMatch(/4\s+专业\s+统记学\s+.*统计学/)
    expect(await foot('写入').isDisabled()).toBe(true)
    await drawer().getByRole('button', { name: '跳过错误的行' }).click()
    await drawer().getByText('2 行错误将被跳过').waitFor()
    await foot('写入 2 行').click()
    await findDoneHeading().waitFor()
    expect(await drawer().getByRole('definition').allInnerTexts()).toEqual(['2', '0', '0', '2'])
    const { rows } = await readSheet(
      await downloading(() => drawer().getByRole('button', { name: '下载错误的行' }).click()),
    )
    const [head = [], ...others] = rows
    expect(head.slice(-2)).toEqual(['结果', '原因'])
    expect(others.map((row) => row[0])).toEqual(['T002', 'T003'])
    // Mended in the sheet that came back, its two columns left where they are.
    const mended = await sheetAt('mended.xlsx', [
      head,
      ...others.map((row) =>
        row.map((cell, index) =>
          cell === '难'
            ? '男'
            : cell === '统记学'
              ? '统计学'
              : index >= heading.length
                ? String(cell)
                : cell,
        ),
      ),
    ] as SheetCell[][])
    await foot('再导入一个文件').click()
    await chooseFile(mended)
    await foot('上传并检查').click()
    await waitForReview()
    await expect.poll(() => findVerdictCount('fresh').innerText()).toBe('2')
    await foot('写入 2 行').click()
    await findDoneHeading().waitFor()
    await page.keyboard.press('Escape')
    await drawer().waitFor({ state: 'detached' })
    await page.getByRole('search').getByLabel('学号').fill('T00')
    await page.getByRole('search').getByRole('button', { name: '查询' }).click()
    await page.getByText('共 4 条').waitFor()
  })

  it('what was exported, edited and imported again changes exactly the edited cells', async () => {
    await openListAs('registrar')
    await page.getByRole('search').getByLabel('学号').fill('202201000')
    await page.getByRole('search').getByRole('button', { name: '查询' }).click()
    await settledRows(page)
    await toolbar().getByRole('button', { name: '导出' }).click()
    await page.getByRole('menuitem', { name: '更多选项' }).click()
    expect(await drawer().getByRole('group').first().innerText()).toContain('学号 202201000')
    await drawer().getByRole('button', { name: '全不选' }).click()
    for (const label of ['学号', '姓名', '宿舍'])
      await drawer().getByRole('checkbox', { name: label, exact: true }).check()
    await drawer().getByRole('button', { name: '上移 姓名' }).click()
    const path = await downloading(() => foot('开始导出').click())
    await findDoneHeading().waitFor()
    const { rows } = await readSheet(path)
    const [head = [], ...records] = rows
    expect(head.slice(0, 3)).toEqual(['姓名', '学号', '宿舍'])
    await foot('关闭').last().click()
    const edited = await sheetAt('edited.xlsx', [
      head,
      ...records.map((row, index) =>
        index === 0 ? [row[0], row[1], '新楼 101'] : row.slice(0, 3),
      ),
    ] as SheetCell[][])
    await openImport()
    await chooseMode('只更新')
    await drawer().getByLabel('按哪个字段匹配已有记录').selectOption('studentNo')
    await chooseFile(edited)
    await foot('上传并检查').click()
    await waitForReview()
    expect([
      await findVerdictCount('changed').innerText(),
      await findVerdictCount('same').innerText(),
      await findVerdictCount('wrong').innerText(),
    ]).toEqual(['1', String(records.length - 1), '0'])
    // The rows arrive after their counts.
    await expect.poll(() => sheetRows().getByRole('listitem').count()).toBe(1)
    expect(await sheetRows().locator('ins').innerText()).toBe('新楼 101')
    await foot('写入 1 行').click()
    await findDoneHeading().waitFor()
  })

  it('asks about an unknown column and remembers the answer', async () => {
    await openListAs('registrar')
    const rows = [
      ['学号', '姓名', '性别', '院系', '专业', '状态', '联络电话'],
      [...buildStudentLine('T101', '戊'), '13912345678'],
    ]
    for (const round of [1, 2]) {
      await openImport()
      await chooseMode('只新增')
      await chooseFile(
        await sheetAt(
          `phones-${round}.xlsx`,
          rows.map((row) => row.map((cell) => (round === 2 && cell === 'T101' ? 'T102' : cell))),
        ),
      )
      await foot('上传并检查').click()
      if (round === 1) {
        const select = drawer().getByLabel('对应字段 联络电话')
        await select.waitFor()
        expect(await select.inputValue()).toBe('')
        await select.selectOption('mobile')
        await drawer().getByLabel('对应字段 状态').selectOption('status')
        await foot('重新检查').click()
      }
      await waitForReview()
      await expect.poll(() => findVerdictCount('fresh').innerText()).toBe('1')
      await foot('写入 1 行').click()
      await findDoneHeading().waitFor()
      await foot('关闭').last().click()
      await drawer().waitFor({ state: 'detached' })
    }
  })

  it('a tab that dies in the middle: the job is found and gone on with in another', async () => {
    await openListAs('registrar')
    await openImport()
    await chooseMode('只新增')
    const path = await sheetAt('many.xlsx', [
      heading,
      ...Array.from({ length: 3000 }, (_, i) =>
        buildStudentLine(`K${String(i).padStart(5, '0')}`, `生${i}`),
      ),
    ])
    await chooseFile(path)
    await foot('上传并检查').click()
    await step('检查核对').waitFor()
    await page.close({ runBeforeUnload: false })
    page = await openPage(page.context(), faults)
    await page.goto(stage.at(list))
    await openImport()
    await job('many.xlsx').getByRole('button', { name: '继续' }).click()
    await waitForReview()
    await expect.poll(() => findVerdictCount('fresh').innerText()).toBe('3000')
    await foot('写入 3000 行').click()
    // A reload in the same tab comes back to the same job by itself.
    await step(/写入|完成/).waitFor()
    await page.reload()
    await toolbar().waitFor()
    await openImport()
    const end = findDoneHeading(),
      history = job('many.xlsx')
    await end.or(history).first().waitFor()
    if ((await history.count()) > 0) await history.getByRole('button', { name: '打开' }).click()
    await end.waitFor()
    expect(await drawer().getByRole('definition').allInnerTexts()).toEqual(['3000', '0', '0', '0'])
  }, 120_000)

  it('a file of another kind is named with the way out, one too large is refused at once', async () => {
    await openListAs('registrar')
    await openImport()
    await drawer().locator('input[type=file]').setInputFiles({
      name: 'old.xls',
      mimeType: 'application/vnd.ms-excel',
      buffer: oldWorkbook,
    })
    await foot('上传并检查').click()
    await drawer().getByText('这是旧版 Excel 文件（.xls）').waitFor()
    await foot('关闭').first().click()
    await openImport()
    await drawer()
      .locator('input[type=file]')
      .setInputFiles({
        name: 'huge.csv',
        mimeType: 'text/csv',
        buffer: Buffer.alloc(21 * 1024 * 1024),
      })
    await drawer().getByRole('alert').filter({ hasText: '21.0 MB，超过 20 MB' }).waitFor()
    expect(await foot('上传并检查').isDisabled()).toBe(true)
  })

  it('is not offered to a viewer', async () => {
    await openListAs('viewer')
    await dataRows(page).first().waitFor()
    expect(await toolbar().getByRole('button', { name: '导入' }).count()).toBe(0)
  })
})

async function pdf(): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4' })
  const parts: Buffer[] = []
  const end = new Promise<void>((resolve) => {
    document.on('end', resolve)
  })
  document.on('data', (part: Buffer) => {
    parts.push(part)
  })
  document.fontSize(30).text('first page').addPage().text('second page').end()
  await end
  return Buffer.concat(parts)
}
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('attachments in the browser', () => {
  it('several at once, one refused; looked at; taken one by one and as zip; deleted after a question', async () => {
    await openListAs('registrar')
    await dataRows(page).first().getByText('查看').click()
    const files = page.getByRole('region', { name: '附件' })
    await files.locator('input[type=file]').setInputFiles([
      { name: '证明.pdf', mimeType: 'application/pdf', buffer: await pdf() },
      { name: '照片.png', mimeType: 'image/png', buffer: pixel },
      { name: '说明.txt', mimeType: 'text/plain', buffer: Buffer.from('说明') },
      { name: 'bad.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
    ])
    await files.locator('li.is-refused', { hasText: 'bad.svg' }).waitFor()
    const stored = (name: string | RegExp) => files.getByRole('button', { name })
    await stored(/^下载 /)
      .nth(2)
      .waitFor()
    for (const name of ['证明.pdf', '照片.png', '说明.txt']) await stored(`下载 ${name}`).waitFor()
    await files.getByRole('button', { name: '移除“bad.svg”' }).click()
    await files.getByRole('button', { name: '证明.pdf', exact: true }).click()
    await page.locator('[data-page="1"]').waitFor()
    expect(await page.locator('.jw-pdf__text').textContent()).toContain('first page')
    await page.getByRole('button', { name: '下一页' }).last().click()
    await page.locator('[data-page="2"]').waitFor()
    await page.getByLabel('证明.pdf，第 2 页，共 2 页').waitFor()
    // Two are sent at a time: which was stored first is luck.
    await page.getByRole('button', { name: /一个$/, disabled: false }).first().click()
    await page.getByRole('img', { name: '照片.png' }).waitFor()
    await page.keyboard.press('Escape')
    await openDialog(page, '照片.png').waitFor({ state: 'detached' })
    expect(
      await downloading(() => files.getByRole('button', { name: '下载 说明.txt' }).click()),
    ).toContain('说明.txt')
    expect(
      await downloading(() => files.getByRole('button', { name: '全部打包下载' }).click()),
    ).toContain('下载文件.zip')
    await files.getByRole('button', { name: '删除 说明.txt' }).click()
    await page
      .getByRole('alertdialog')
      .filter({ hasText: '确认删除“说明.txt”' })
      .getByRole('button', { name: '删除' })
      .click()
    await stored('下载 说明.txt').waitFor({ state: 'detached' })
    expect(await stored(/^下载 /).count()).toBe(2)
  })
})
