// Counts the clicks and keys of everyday tasks, from the home page to the stored result. The table
// is in docs/tasks.md; a test fails when it is out of date.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { firstLine, openDialog } from '../support/browser/console-page.ts'
import { findGridCell as cell, sheetOfGrades } from '../support/browser/grid-page.ts'

const stage = browserFixture()
const counted: string[] = []
afterAll(async () => {
  if (counted.length < 13) return
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
  /** The menu of a column, and one of its entries. */
  async column(column: string): Promise<void> {
    await this.page.getByRole('columnheader', { name: column }).hover()
    await this.click(
      this.page.getByRole('button', { name: `「${column}」列菜单` }).filter({ visible: true }),
    )
  }
  async item(name: string | RegExp): Promise<void> {
    await this.click(
      this.page.getByRole('menuitem', { name, exact: true }).filter({ visible: true }),
    )
  }
  /** The drawer of the first row, in which one mark is typed and saved. */
  async markByForm(mark: string): Promise<void> {
    const drawer = openDialog(this.page, '编辑成绩')
    await this.click(
      this.page.locator('tr[data-row]:visible').first().getByRole('button', { name: '编辑' }),
    )
    await this.click(drawer.getByRole('textbox', { name: '成绩', exact: true }))
    await this.press('Control+a')
    await this.type(mark)
    await this.press('Control+s')
    await this.page.getByText('修改成功').first().waitFor()
    await drawer.waitFor({ state: 'hidden' })
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
    ['课程', course],
    ['学期', term],
  ] as const) {
    await by.click(by.page.getByRole('combobox', { name, exact: true }))
    await by.type(option.slice(0, 4))
    await by.click(
      by.page
        .getByRole('listbox')
        .getByRole('option', { name: firstLine(option) })
        .first(),
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

it('finds a person by number from anywhere', async () => {
  const by = await hands()
  await by.press('Control+k')
  await by.page.getByRole('combobox', { name: '搜索' }).waitFor()
  await by.type('2022010000')
  await by.press('Enter')
  await by.page.getByText('s2022010000@stu.example.edu.cn').first().waitFor()
  by.done('find a person by number 按学号找人')
})

it('prints a transcript at the counter', async () => {
  const by = await hands()
  await by.page.evaluate(() => {
    window.print = () => {
      const pages = document.body.lastElementChild?.querySelectorAll('img').length ?? 0
      document.title = `printed ${pages}`
    }
  })
  await by.press('Control+k')
  await by.page.getByRole('combobox', { name: '搜索' }).waitFor()
  await by.type('2022010000')
  await by.page.getByRole('option', { name: /2022010000/, selected: true }).waitFor()
  await by.press('ArrowRight')
  await by.page.getByRole('option', { name: '打印', exact: true }).waitFor()
  await by.type('打印')
  await by.press('Enter')
  const drawer = openDialog(by.page, /打印 · .* 2022010000/)
  await by.click(drawer.getByRole('button', { name: '打印', exact: true }))
  await by.page.waitForFunction(() => /^printed [1-9]/.test(document.title))
  await drawer.getByText(/^上次 /).waitFor()
  by.done('print a transcript at the counter 柜台打印成绩单')
})

it('adds three teachers by paste', async () => {
  const by = await hands()
  await by.menu('教师')
  await by.click(by.page.getByRole('button', { name: '表格编辑' }))
  await by.click(by.page.getByRole('button', { name: '新增一行' }))
  await by.paste(
    [
      'T9001\t赵一\t女\t信息工程学院\t讲师',
      'T9002\t钱二\t男\t法学院\t教授',
      'T9003\t孙三\t女\t数理学院\t副教授\r\n',
    ].join('\r\n'),
  )
  const dialog = by.page.getByRole('dialog', { name: '确认粘贴' })
  await dialog.getByText('将修改 0 格，新增 3 行').waitFor()
  await by.click(dialog.getByRole('button', { name: '写入' }))
  await by.page.getByText('/ 123', { exact: true }).waitFor()
  by.done('add three teachers by paste 粘贴新增三名教师')
})

it('exports the fails of a term and faculty, prints a list, and shows the orders of today', async () => {
  const by = await hands()
  // Chosen once for all lists.
  await by.page.getByLabel('当前学期').selectOption({ label: '2022-2023 学年第二学期' })
  await by.menu('成绩')
  await by.column('学期')
  await by.item('本学期')
  await by.column('成绩')
  await by.click(by.page.getByLabel('到', { exact: true }).filter({ visible: true }).last())
  await by.type('59.9')
  await by.press('Enter')
  await by.column('院系')
  await by.click(by.page.getByRole('menuitem', { name: /^法学院/ }).filter({ visible: true }))
  await by.page.getByText('院系 法学院').waitFor()
  await by.click(by.page.getByRole('button', { name: '导出' }).filter({ visible: true }).first())
  const file = by.page.waitForEvent('download')
  await by.item('Excel')
  expect((await file).suggestedFilename()).toContain('成绩')
  by.done('export the fails of a term and faculty 导出本学期某院系不及格成绩')

  const printing = await hands()
  await printing.menu('学生')
  await printing.click(printing.page.getByRole('button', { name: '打印列表' }))
  const paper = openDialog(printing.page, '打印列表')
  // Two thousand rows are drawn twice, for the screen and for the paper.
  await paper
    .getByRole('article')
    .getByText(/共 2000 条/)
    .waitFor({ timeout: 60_000 })
  await printing.page.evaluate(() => {
    window.print = () => {
      document.title = 'printed'
    }
  })
  await printing.click(paper.getByRole('button', { name: '打印', exact: true }))
  await printing.page.waitForFunction(() => document.title === 'printed')
  printing.done('print the list 打印列表')

  const orders = await hands()
  await orders.menu('打印订单')
  await orders.column('创建时间')
  await orders.item('今天')
  await orders.page.getByText('创建时间 今天', { exact: true }).waitFor()
  orders.done('orders of today 今天的订单')
})

it('costs more with the forms alone', async () => {
  const one = await hands()
  await one.menu('成绩')
  await one.markByForm('77')
  one.done('correct a mark in its form')

  const teacher = await hands()
  await teacher.menu('教师')
  const drawer = openDialog(teacher.page, '新增教师')
  await teacher.click(teacher.page.getByRole('button', { name: '新增', exact: true }))
  for (const [label, text] of [
    ['工号', 'T9101'],
    ['姓名', '李四'],
  ] as const) {
    await teacher.click(drawer.getByRole('textbox', { name: label, exact: true }))
    await teacher.type(text)
  }
  for (const [label, option] of [
    ['院系', '法学院'],
    ['职称', '讲师'],
  ] as const) {
    await teacher.click(drawer.getByRole('combobox', { name: label }))
    await teacher.click(teacher.page.getByRole('option', { name: firstLine(option) }))
  }
  await teacher.click(drawer.getByText('女', { exact: true }))
  await teacher.press('Control+s')
  await teacher.page.getByText('新增成功').first().waitFor()
  teacher.done('add one teacher in its form')
})
