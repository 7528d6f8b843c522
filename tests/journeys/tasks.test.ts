// What everyday tasks cost in clicks and keys, from the home page to the stored result. The table is in
// docs/tasks.md; a test fails when it is out of date.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { browserFixture } from '../support/browser-fixture.ts'
import { gridCellOf as cell, sheetOfGrades } from '../support/grid-page.ts'

const stage = browserFixture()
const counted: string[] = []
afterAll(async () => {
  if (counted.length < 5) return
  const table = await readFile(new URL('../../docs/tasks.md', import.meta.url), 'utf8')
  expect(counted.filter((line) => !table.includes(line))).toEqual([])
})

/** A page that counts what is done on it; a combination of keys counts as one. */
class Hands {
  readonly page: Page
  private clicks = 0
  private keys = 0
  constructor(page: Page) {
    this.page = page
  }
  async click(target: Locator): Promise<void> {
    await target.click()
    this.clicks += 1
  }
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key)
    this.keys += 1
  }
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
    this.keys += [...text].length
  }
  /** Ctrl+V of what a spreadsheet put on the clipboard. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((data) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', data)
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    }, text)
    this.keys += 1
  }
  async menu(name: string): Promise<void> {
    await this.click(
      this.page.getByRole('navigation').getByRole('link', { name, exact: true }).first(),
    )
  }
  done(task: string): void {
    counted.push(`| ${task} | ${this.clicks} | ${this.keys} |`)
  }
}

async function hands(): Promise<Hands> {
  const { page } = await stage.staff('admin', '/', { width: 1440, height: 900 })
  return new Hands(page)
}
async function openSheet(by: Hands): Promise<void> {
  const { course, term } = await sheetOfGrades(stage.server)
  await by.menu('成绩录入')
  for (const [name, option] of [
    ['course', course],
    ['term', term],
  ] as const) {
    await by.click(by.page.locator(`#entry-${name}`))
    await by.type(option.slice(0, 4))
    await by.click(
      by.page.getByRole('listbox').getByRole('option', { name: option, exact: true }).first(),
    )
  }
  await cell(by.page, 1, '成绩').waitFor()
}

it('corrects a mark', async () => {
  const by = await hands()
  await by.menu('成绩')
  await by.click(by.page.getByRole('button', { name: '表格编辑' }))
  await by.click(cell(by.page, 2, '成绩'))
  await by.type('88')
  await by.press('Enter')
  await by.page.getByRole('group', { name: '第 2 行，绩点：3.8' }).first().waitFor()
  await by.page.getByText('已保存', { exact: true }).waitFor()
  by.done('correct a mark 更正一个成绩')
})

it('enters forty marks from Excel', async () => {
  const by = await hands()
  await openSheet(by)
  await by.click(cell(by.page, 1, '成绩'))
  await by.paste(`${Array.from({ length: 40 }, (_none, i) => 60 + (i % 40)).join('\r\n')}\r\n`)
  await by.click(
    by.page.getByRole('dialog', { name: '确认粘贴' }).getByRole('button', { name: '写入' }),
  )
  await by.page.getByRole('group', { name: '第 2 行，成绩：61' }).first().waitFor()
  by.done('40 marks of a course from Excel 从 Excel 录入 40 个成绩')
})

it('fills down a column', async () => {
  const by = await hands()
  await by.menu('课程')
  await by.click(by.page.getByRole('button', { name: '表格编辑' }))
  await by.click(cell(by.page, 1, '学分'))
  for (let n = 0; n < 9; n += 1) await by.press('Shift+ArrowDown')
  const text = await cell(by.page, 1, '学分').innerText()
  await by.press('Control+d')
  const write = by.page
    .getByRole('dialog', { name: '确认粘贴' })
    .getByRole('button', { name: '写入' })
  const filled = by.page.getByRole('group', { name: `第 10 行，学分：${text}` }).first()
  await write.or(filled).first().waitFor()
  if (await write.isVisible()) await by.click(write)
  await filled.waitFor()
  by.done('fill a value down ten rows 向下填充 10 行')
})

it('finds a student by name, and sends a link to what is shown', async () => {
  const by = await hands()
  await by.menu('学生')
  await by.click(
    by.page.getByRole('search').or(by.page.getByLabel('查询条件')).getByLabel('姓名').first(),
  )
  await by.type('张')
  await by.press('Enter')
  await by.page.waitForURL(/name=/)
  by.done('find by name 按姓名查找')
  const { page } = await stage.staff('admin', '/')
  await page.goto(by.page.url())
  await page.locator('tbody tr').filter({ hasText: '张' }).first().waitFor()
  counted.push('| send a link to what is shown 发送当前页链接 | 0 | 2 |')
})
