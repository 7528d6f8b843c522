// The daily work in a list: its address, its layers and keys, and taking back.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { dataRows, openDialog, settledRows } from '../support/browser/console-page.ts'

const stage = browserFixture()
let page: Page
beforeEach(async () => {
  ;({ page } = await stage.staff('admin', '/'))
  await page.goto(stage.at('/entity/EDU_STUDENT/search'))
  await settledRows(page)
})

const conditions = () => page.getByRole('region', { name: '当前条件' })
const findSecondRow = (): Locator => page.locator('tr[data-row]').nth(1)
const hash = () => decodeURIComponent(new URL(page.url()).hash)

it('keeps conditions, order and page in its address, over a reload and in a sent link', async () => {
  await page.getByRole('search').getByLabel('学号').fill('2023')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => location.hash.includes('q.studentNo=2023'))
  await page.getByRole('columnheader').getByRole('button', { name: '姓名', exact: true }).click()
  await page.getByRole('button', { name: '下一页' }).click()
  await page.waitForFunction(() => location.hash.includes('page=2'))
  expect(hash()).toBe('#/entity/EDU_STUDENT/search?q.studentNo=2023&sorts=name:asc&page=2')
  await page.waitForLoadState('networkidle')
  await settledRows(page)
  const shown = await dataRows(page).allInnerTexts()
  await page.reload()
  await settledRows(page)
  expect(await dataRows(page).allInnerTexts()).toEqual(shown)
  expect(await conditions().innerText()).toContain('学号 2023')
  await page.getByRole('search').getByLabel('学号').fill('nobody')
  await page.keyboard.press('Enter')
  await page.getByText('没有符合条件的数据').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await conditions().getByRole('button', { name: '清除条件' }).click()
  await page.getByText('共 2,000 条').waitFor()
  await page.goto(stage.at('/entity/EDU_STUDENT/search?q.nosuch=1'))
  await page.getByText('链接中的「q.nosuch」').waitFor()
})

it('returns by Back and Forward to what the list showed, each tab by itself', async () => {
  const back = () => page.evaluate(() => history.back())
  const shows = async (address: string) => {
    await expect.poll(hash).toBe(`#/entity/${address}`)
    await settledRows(page)
  }
  const students = 'EDU_STUDENT/search'
  const number = page.getByRole('search').getByLabel('学号')
  await number.fill('2023')
  await page.keyboard.press('Enter')
  await shows(`${students}?q.studentNo=2023`)
  await page.getByRole('columnheader').getByRole('button', { name: '姓名', exact: true }).click()
  await shows(`${students}?q.studentNo=2023&sorts=name:asc`)
  await page.getByRole('button', { name: '下一页' }).click()
  await shows(`${students}?q.studentNo=2023&sorts=name:asc&page=2`)
  const second = await dataRows(page).allInnerTexts()
  await page.getByRole('button', { name: '表格编辑' }).click()
  await page
    .getByRole('group', { name: /^第 1 行，/ })
    .first()
    .waitFor()
  await back()
  await shows(`${students}?q.studentNo=2023&sorts=name:asc&page=2`)
  await page.goto(stage.at('/entity/EDU_FACULTY/search'))
  await shows('EDU_FACULTY/search')
  await back()
  await shows(`${students}?q.studentNo=2023&sorts=name:asc&page=2`)
  await back()
  await back()
  await shows(`${students}?q.studentNo=2023`)
  expect(await page.locator('th[aria-sort=ascending]').count()).toBe(0)
  await page.reload()
  await settledRows(page)
  await back()
  await shows(students)
  await page.getByText('共 2,000 条').waitFor()
  expect(await number.inputValue()).toBe('')
  const tabs = page.getByRole('navigation', { name: '已打开的页面' }).getByRole('link')
  expect(await tabs.count()).toBe(3)
  for (const _step of [1, 2, 3]) await page.evaluate(() => history.forward())
  await shows(`${students}?q.studentNo=2023&sorts=name:asc&page=2`)
  await expect.poll(() => dataRows(page).allInnerTexts()).toEqual(second)
})

it('keeps the labels of a list apart from those of its second tab, whatever is open in both', async () => {
  const number = page.getByRole('search').getByLabel('学号')
  const repeated = () =>
    page.evaluate(() => {
      const ids = Array.from(document.querySelectorAll('[id]'), ({ id }) => id)
      return ids.filter((id, at) => ids.indexOf(id) !== at)
    })
  const open = async () => {
    await page.getByRole('button', { name: '编辑', exact: true }).first().click()
    await openDialog(page, '编辑学生').getByLabel('宿舍').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '筛选', exact: true }).click()
    await openDialog(page, '筛选').getByLabel('字段').first().waitFor()
  }
  await open()
  await page.goto(stage.at('/entity/EDU_STUDENT/search?name=李'))
  await dataRows(page, '李').first().waitFor()
  const tabs = page.getByRole('navigation', { name: '已打开的页面' }).getByRole('link')
  expect(await tabs.filter({ hasText: '学生' }).count()).toBe(2)
  await page.getByRole('search').getByText('学号', { exact: true }).click()
  expect(await number.evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type('2024')
  expect(await number.inputValue()).toBe('2024')
  await open()
  expect(await page.getByRole('search', { includeHidden: true }).count()).toBe(2)
  expect(await repeated()).toEqual([])
})

it('closes one layer per Escape and returns the focus to where it was', async () => {
  const layers = () =>
    page.evaluate(() => document.querySelectorAll('.bp6-drawer, .bp6-popover, .bp6-dialog').length)
  const focus = () =>
    page.evaluate(() => {
      const at = document.activeElement
      return `${at?.closest('tr') === null ? '' : 'row '}${at?.tagName === 'TR' ? '' : (at?.textContent ?? '').trim() || (at?.id.split('-').at(-1) ?? '')}`.trim()
    })
  const escape = async (left: number) => {
    await page.keyboard.press('Escape')
    await expect.poll(layers).toBe(left)
    await page.waitForTimeout(200)
    return focus()
  }
  const open = async (there: number, act: () => Promise<unknown>) => {
    await act()
    await expect.poll(layers).toBe(there)
  }
  /** Keys reach a layer once it has the focus. */
  const focused = () =>
    page.waitForFunction(() => {
      const at = document.activeElement
      return at !== document.body && at?.closest('#root, [role=menu]') === null
    })
  const drawer = openDialog(page, '编辑学生')
  const menu = () => open(1, () => findSecondRow().getByRole('button', { name: '更多' }).click())
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true }).click()
  const closed: Record<string, string> = {}

  await open(1, () => findSecondRow().getByRole('button', { name: '编辑' }).click())
  await drawer.getByLabel('出生日期').first().focus()
  await open(2, () => page.keyboard.press('Alt+ArrowDown'))
  closed.calendar = await escape(1)
  await drawer.getByRole('combobox', { name: '政治面貌' }).focus()
  await open(2, () => page.keyboard.press('ArrowDown'))
  closed.list = await escape(1)
  closed.drawer = await escape(0)
  await menu()
  closed.menu = await escape(0)
  await menu()
  await open(1, () => item('打印'))
  await openDialog(page, '打印').waitFor()
  await focused()
  closed.drawerOfMenu = await escape(0)
  await menu()
  await open(1, () => item('删除'))
  await page.getByText('删除后进入回收站').waitFor()
  await focused()
  closed.question = await escape(0)
  await findSecondRow().focus()
  await open(1, () => page.keyboard.press('e'))
  await focused()
  closed.drawerOfRow = await escape(0)
  expect(closed).toEqual({
    calendar: 'birthDate',
    list: expect.stringMatching(/团员|党员|群众/),
    drawer: 'row 编辑',
    menu: 'row 更多',
    drawerOfMenu: 'row 更多',
    question: 'row 更多',
    drawerOfRow: 'row',
  })
})

it('takes a change of state and a deletion back', async () => {
  const [number, name] = [
    await findSecondRow().locator('td').nth(1).innerText(),
    await findSecondRow().locator('td').nth(2).innerText(),
  ]
  const undo = () => page.getByRole('button', { name: '撤销', exact: true })
  await findSecondRow().getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '离校' }).click()
  await page.getByText(`让「${name} ${number}」离校？将修改：是否在校 → 否`).waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: '离校' }).click()
  await page.getByText(`${name} ${number} 已离校`).waitFor()
  await undo().click()
  await page.getByText('已撤销').waitFor()
  await page.goto(stage.at('/entity/EDU_FACULTY/form?code=U1&name=撤销系'))
  await page.getByRole('form').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('新增成功').waitFor()
  await page.goto(stage.at('/entity/EDU_FACULTY/search?q.name=撤销系'))
  await dataRows(page, '撤销系').getByRole('button', { name: '删除' }).click()
  await page.getByText('删除 1 条院系：撤销系？删除后进入回收站').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
  await page.getByText('没有符合条件的数据').waitFor()
  await undo().click()
  await dataRows(page, '撤销系').waitFor()
})

const openColumnMenu = async (column: string) => {
  await page.getByRole('columnheader', { name: column }).hover()
  await page.getByRole('button', { name: `「${column}」列菜单` }).click()
}
/** Presses an item and waits until the menu is gone: the next menu may have an item of the same name. */
const item = async (name: string | RegExp) => {
  await page.getByRole('menuitem', { name }).click()
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
}
const openGrades = async (query = '') => {
  await page.goto(stage.at(`/entity/EDU_GRADE/search${query}`))
  await page.getByRole('columnheader', { name: '考核方式' }).waitFor()
  await settledRows(page)
}
const groups = () => page.getByRole('rowheader').allInnerTexts()

it('groups and sums all that matches, and keeps both with conditions in a view', async () => {
  await openGrades()
  await openColumnMenu('考核方式')
  await item('不为空')
  await openColumnMenu('成绩')
  await page.getByRole('menuitem', { name: '汇总' }).hover()
  await item('不及格数')
  await openColumnMenu('学期')
  await page.getByRole('menuitem', { name: '2025-2026 学年第二学期' }).waitFor()
  // Items that come late must not push other items from below the pointer.
  const items = await page.getByRole('menuitem').allInnerTexts()
  expect(items.findIndex((text) => text.includes('学年'))).toBe(items.indexOf('隐藏此列') + 1)
  await item('按此列分组')
  await page.waitForFunction(() => location.hash.includes('group=term&footer=score:below'))
  await page.getByText('1,500 条').first().waitFor()
  // The first closes: the rows of the second come up.
  await page.getByRole('button', { name: '2022-2023 学年第一学期' }).click()
  await expect.poll(groups).toHaveLength(2)
  expect((await groups()).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    '2022-2023 学年第一学期 1,500 条',
    '2022-2023 学年第二学期 1,500 条',
  ])
  await page.getByRole('button', { name: '全部展开' }).click()
  await page.getByRole('button', { name: '全部收起' }).click()
  await expect.poll(groups).toHaveLength(8)
  const failed = page.getByRole('cell', { name: /^不及格数/ })
  expect(Number((await failed.innerText()).replaceAll(/\D/g, ''))).toBeGreaterThan(100)
  expect(await accessibilityViolations(page)).toEqual([])
  const shown = hash()
  await page.getByRole('button', { name: /^视图：/ }).click()
  await page.getByRole('button', { name: '另存为视图' }).click()
  await page.getByLabel('名称').fill('各学期')
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await page.getByText('视图已保存').waitFor()
  const view = await page.evaluate(() => /view=\d+/.exec(location.hash)?.[0] ?? '')
  await page.goto(stage.at(`/entity/EDU_GRADE/search?${view}`))
  await page.getByText('1,500 条').first().waitFor()
  expect(await conditions().innerText()).toContain('考核方式 不为空')
  expect(await failed.count()).toBe(1)
  expect(shown).toContain('where=')
})

it("makes the dean's list in six clicks, and a cross table that opens its records", async () => {
  await openGrades()
  await openColumnMenu('学生')
  await item('按此列汇总成表')
  const table = page.getByRole('table', { name: '汇总表：学生' })
  await table.waitFor()
  await page.getByRole('button', { name: '添加数值' }).click()
  await item('成绩 不及格数')
  await openColumnMenu('成绩 不及格数')
  await page.getByPlaceholder('数').fill('3')
  await page.keyboard.press('Enter')
  await page.getByText('成绩 不及格数 ≥ 3').waitFor()
  await page.waitForFunction(() => /%22having%22/.test(location.hash))
  await table.and(page.locator('[aria-busy=false] *')).waitFor()
  const fails = await table.getByRole('cell').filter({ hasText: /^\d+$/ }).allInnerTexts()
  const shown = fails.filter((_text, at) => at % 2 === 1).map(Number)
  expect(shown.length).toBeGreaterThan(1)
  expect(shown).toEqual(shown.toSorted((a, b) => b - a))
  expect(Math.min(...shown)).toBeGreaterThanOrEqual(3)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导出 CSV' }).click(),
  ])
  expect(await readFile(await file.path(), 'utf8')).toMatch(/^.?学生,条数,成绩 不及格数\r\n/)
  await page.getByRole('button', { name: '图表', exact: true }).click()
  await page.getByRole('figure', { name: '成绩 不及格数' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('combobox', { name: '行', exact: true }).selectOption('faculty')
  await page.getByRole('combobox', { name: '列', exact: true }).selectOption('term')
  const cross = page.getByRole('table', { name: '交叉表：院系 × 学期' })
  await cross.getByRole('columnheader', { name: '合计' }).waitFor()
  const first = cross
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
    .nth(1)
  const count = (await first.getByRole('cell').first().innerText()).trim()
  await first.getByRole('cell').first().getByRole('button').click()
  await page.getByText(`共 ${count} 条`).waitFor()
  expect(await conditions().innerText()).toMatch(/院系[^]*学期[^]*是否及格/)
})

it('filters by a cell, in groups and by the current term, which is chosen once', async () => {
  await openGrades()
  const totalNow = () => page.locator('.jw-pager__total:visible').innerText()
  await page.locator('tr[data-row]:visible').first().focus()
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+F10')
  await item(/^排除「.*学院」$/)
  await conditions().waitFor()
  expect(await conditions().innerText()).toMatch(/院系 ≠\s.*学院/)
  await page.getByRole('button', { name: '筛选' }).click()
  const drawer = openDialog(page, '筛选')
  await drawer.getByRole('button', { name: '添加条件组' }).click()
  const second = drawer.getByRole('group', { name: '条件组 2' })
  await second.getByLabel('字段').selectOption({ label: '学期' })
  await second.getByLabel('值').selectOption({ label: '本学期' })
  await second.getByRole('button', { name: '添加条件' }).click()
  await second.getByLabel('字段').last().selectOption({ label: '成绩' })
  await second.getByLabel('条件', { exact: true }).last().selectOption({ label: '小于' })
  await second.locator('input').last().fill('0')
  await second.getByText('满足任一').click()
  await second.getByRole('button', { name: '添加子条件组' }).press('Enter')
  const inner = drawer.getByRole('group', { name: '条件组 2.1' })
  const field = inner.getByLabel('字段')
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true)
  await field.selectOption({ label: '成绩' })
  await inner.getByLabel('条件', { exact: true }).selectOption({ label: '不小于' })
  await inner.getByRole('textbox').fill('1000')
  expect(await inner.getByRole('button', { name: '添加子条件组' }).count()).toBe(0)
  expect(await accessibilityViolations(page, '.jw-filter')).toEqual([])
  await drawer.getByRole('button', { name: '应用' }).click()
  await conditions().getByText('学期 本学期').waitFor()
  await page.getByText('成绩 ≥ 1000').waitFor()
  await page.getByLabel('当前学期').selectOption({ label: '2022-2023 学年第二学期' })
  await dataRows(page, '2022-2023 学年第二学期').first().waitFor()
  expect(Number((await totalNow()).replaceAll(/\D/g, ''))).toBeLessThan(1500)
  await page.reload()
  await dataRows(page, '2022-2023 学年第二学期').first().waitFor()
  await conditions().getByRole('button', { name: '移除条件「学期 本学期」' }).click()
  await page.getByText('没有符合条件的数据').waitFor()
})

it('shows a list whole on a screen and prints all that matches, up to a limit', async () => {
  const overflow = () =>
    page.locator('.jw-table-wrap:visible').evaluate((box) => box.scrollWidth - box.clientWidth)
  await openGrades()
  await expect.poll(overflow).toBe(0)
  await page.getByRole('button', { name: '行高' }).click()
  await item('适应屏幕')
  await expect.poll(overflow).toBeGreaterThan(0)
  await page.getByRole('button', { name: '打印列表' }).click()
  await page.getByText('最多打印 2,000 条').waitFor()
  await page.keyboard.press('Escape')
  await openGrades('?q.term=2022-2023-1')
  await dataRows(page, '2022-2023 学年第一学期').first().waitFor()
  await page.getByRole('button', { name: '打印列表' }).click()
  const paper = openDialog(page, '打印列表').getByRole('article')
  await paper.getByText(/共 1500 条 · 当前条件：学期 2022-2023 学年第一学期/).waitFor()
  expect(await dataRows(paper).count()).toBe(1500)
})

it('shows cards on a phone: a tap opens the record, and all a row offers is in reach', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  const cards = page.getByRole('list', { name: '学生' }).getByRole('listitem')
  await cards.first().waitFor()
  expect(await cards.count()).toBe(10)
  const first = cards.first()
  const title = await first.getByRole('button').first().innerText()
  expect((await first.innerText()).split('\n')).toContain('在读')
  expect(await first.getByRole('term').count()).toBe(3)
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const bar = await page.getByRole('toolbar', { name: '学生' }).boundingBox()
  expect(Math.round((bar?.y ?? 0) + (bar?.height ?? 0))).toBe(844)

  await first.getByRole('checkbox', { name: `选择 ${title}` }).check()
  await page.getByRole('region', { name: '已选数据' }).getByText('已选 1 条').waitFor()
  await first.getByRole('button', { name: `${title} 的操作` }).click()
  await page.getByRole('menuitem', { name: '编辑' }).click()
  await openDialog(page, `编辑学生 · ${title}`).waitFor()
  await page.keyboard.press('Escape')
  await openDialog(page).waitFor({ state: 'detached' })
  await first.click({ position: { x: 200, y: 70 } })
  await openDialog(page, new RegExp(title)).waitFor()
})
