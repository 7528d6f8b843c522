import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations, signInStaff } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { password } from '../support/server.ts'
import { dataRows } from '../support/browser/console-page.ts'
import { findGridCell as cell, gridTextAt as textAt } from '../support/browser/grid-page.ts'

const stage = browserFixture()
const shots = process.env.GRID_SHOTS
const path = '/entity/EDU_COURSE/search?mode=grid'

async function openGrid(size = { width: 1440, height: 900 }) {
  const { page } = await stage.staff('admin', path, size)
  await firstRow(page)
  return page
}
const firstRow = (page: Page) =>
  page
    .getByRole('group', { name: /^第 1 行，/ })
    .first()
    .waitFor()
const bar = (page: Page) => page.getByRole('toolbar', { name: '表格编辑' })
const shot = async (page: Page, name: string) => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png` })
}

/** A value that its cell does not take. */
async function typeWrong(page: Page, row = 1) {
  await cell(page, row, '学时').click()
  await page.keyboard.type('abc')
  await page.keyboard.press('Enter')
  await bar(page).getByText('1 行未保存').waitFor()
}
const isRed = async (page: Page, row = 1) => {
  const look = await cell(page, row, '学时').evaluate(
    (each) => each.closest('[class*="is-refused"]')?.className ?? null,
  )
  return look !== null
}
/** Answers the browser's own question before a page is left. */
function answerUnload(page: Page, leaves: boolean): { readonly asked: () => number } {
  let count = 0
  page.on('dialog', (dialog) => {
    count += 1
    void (leaves ? dialog.accept() : dialog.dismiss())
  })
  return { asked: () => count }
}

/** Whether the browser would ask before the page is left. */
function answersUnload(page: Page): Promise<boolean> {
  return page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
}

describe('what is typed into a grid is stored, kept or asked about', () => {
  it('by its button: refused cells, a half filled row and cells without a network are named first', async () => {
    const { page, faults } = await stage.staff('admin', path)
    await firstRow(page)
    await typeWrong(page)
    await bar(page).getByRole('button', { name: '新增一行' }).click()
    await page.keyboard.type('半行')
    const leave = bar(page).getByRole('button', { name: '退出表格编辑' })
    await leave.click()
    const question = page.getByRole('dialog', { name: '有 2 行未保存' })
    await question.getByText(/学时：请输入正确的数字/).waitFor()
    await shot(page, 'leave-question')
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await bar(page)
      .getByRole('button', { name: /2 行未保存/ })
      .click()
    expect(await textAt(page, 1, '学时')).toBe('abc')
    await page.context().setOffline(true)
    await cell(page, 2, '课程名称').click()
    await page.keyboard.type('离线课程')
    await leave.click()
    await page.getByRole('dialog', { name: '有 3 行未保存' }).getByText('离线课程').count()
    await page.getByRole('button', { name: '继续编辑' }).click()
    await page.context().setOffline(false)
    await bar(page).getByText('2 行未保存').waitFor()
    await leave.click()
    await page.getByRole('button', { name: '放弃并退出' }).click()
    await dataRows(page).first().waitFor()
    await page.getByRole('button', { name: '表格编辑' }).click()
    await firstRow(page)
    expect(await textAt(page, 1, '学时')).not.toBe('abc')
    expect(await textAt(page, 2, '课程名称')).toBe('离线课程')
    expect(faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
    faults.length = 0
  })

  it('waits for a save that is under way, and leaves by itself', async () => {
    const page = await openGrid()
    await cell(page, 3, '课程名称').click()
    await page.keyboard.type('边走边存')
    await bar(page).getByRole('button', { name: '退出表格编辑' }).click()
    await dataRows(page, '边走边存').first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('by a reload: the browser asks, and what was typed is back when that was accepted', async () => {
    const page = await openGrid()
    const unload = answerUnload(page, true)
    await typeWrong(page)
    await bar(page).getByRole('button', { name: '新增一行' }).click()
    await page.keyboard.type('X77')
    await page.reload()
    expect(unload.asked()).toBe(1)
    await page.getByText('已找回上次未保存的 2 行').first().waitFor()
    await expect.poll(() => textAt(page, 1, '学时')).toBe('abc')
    expect(await isRed(page)).toBe(true)
    await shot(page, 'kept')
    const next = bar(page).getByRole('button', { name: /2 行未保存/ })
    await next.click()
    await page.getByRole('textbox', { name: '新行，课程代码' }).waitFor()
    await page.getByRole('group', { name: '新行，课程代码：X77' }).first().waitFor()
    // Nobody else gets them.
    const { page: other } = await stage.staff('registrar', path)
    await firstRow(other)
    expect(await textAt(other, 1, '学时')).not.toBe('abc')
  })

  it('by every other way: Back, the menu, the tab, the language, the session, the window', async () => {
    const { page } = await stage.staff('admin', '/entity/EDU_COURSE/search')
    const open = page.getByRole('button', { name: '表格编辑' })
    await open.click()
    await firstRow(page)
    const unload = answerUnload(page, false)
    await typeWrong(page)
    const back = async () => {
      await expect.poll(() => textAt(page, 1, '学时')).toBe('abc')
      expect(await isRed(page)).toBe(true)
    }
    // Back shows the list again: what is not stored is kept until the grid is opened.
    await page.goBack()
    await page.getByText('表格编辑中有 1 行未保存').first().waitFor()
    await dataRows(page).first().waitFor()
    expect(await answersUnload(page)).toBe(true)
    await open.click()
    await back()
    // The menu and the palette leave the tab open.
    await page
      .getByRole('navigation', { name: '主菜单' })
      .getByText('教师', { exact: true })
      .click()
    await page.getByRole('link', { name: '课程', exact: true }).last().click()
    await back()
    // Closing the tab asks.
    await page.getByRole('button', { name: '关闭 课程' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('尚未保存').waitFor()
    await question.getByRole('button', { name: '取消' }).click()
    await back()
    // So do the language and the end of the session.
    await page.getByRole('button', { name: '语言', exact: true }).click()
    await question.getByText('切换语言').waitFor()
    await question.getByRole('button', { name: '取消' }).click()
    await back()
    await page.getByRole('button', { name: /系统管理员/ }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await question.getByText('退出登录').first().waitFor()
    await question.getByRole('button', { name: '取消' }).click()
    await back()
    await page.reload({ timeout: 2000 }).catch(() => {})
    expect(unload.asked()).toBe(1)
    await back()
    // Closed for good, nothing is left of them.
    await page.getByRole('button', { name: '关闭 课程' }).click()
    await question.getByRole('button', { name: '确定' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: '教师' }).waitFor()
    await page
      .getByRole('navigation', { name: '主菜单' })
      .getByText('课程', { exact: true })
      .click()
    await page.getByRole('table', { name: '课程' }).waitFor()
    await page.getByRole('button', { name: '表格编辑' }).locator('visible=true').click()
    await firstRow(page)
    expect(await textAt(page, 1, '学时')).not.toBe('abc')
  })
})

describe('a sign-out in another window', () => {
  it('leaves what is typed here, and the same person goes on', async () => {
    const { page, context } = await stage.visit()
    await signInStaff(page, stage.server, 'admin')
    await page.goto(stage.at(path))
    await firstRow(page)
    await typeWrong(page)
    const other = await context.newPage()
    await other.goto(stage.at('/'))
    await other.getByRole('button', { name: /系统管理员/ }).click()
    await other.getByRole('menuitem', { name: '退出登录' }).click()
    await other.getByLabel('账号').waitFor()
    await other.close()
    const over = page.getByRole('dialog', { name: '提示' })
    await over.getByText('您已在另一个窗口退出登录').waitFor()
    await shot(page, 'signed-out-elsewhere')
    await over.getByRole('button', { name: '重新登录' }).click()
    const form = page.getByRole('dialog', { name: '重新登录' })
    await form.getByLabel('密码', { exact: true }).fill(password)
    await form.getByRole('button', { name: '登录', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    await expect.poll(() => textAt(page, 1, '学时')).toBe('abc')
    await cell(page, 1, '学时').click()
    await page.keyboard.type('40')
    await page.keyboard.press('Enter')
    await expect.poll(() => isRed(page)).toBe(false)
  })
})

describe('a cell says why it is not stored', () => {
  it('below it at the focus and under the mouse, in the bar, and from there also behind a filter', async () => {
    const page = await openGrid()
    await typeWrong(page, 2)
    const tip = page.getByRole('tooltip')
    await page.keyboard.press('Control+Home')
    await page.mouse.move(5, 5)
    await expect.poll(() => tip.count()).toBe(0)
    await cell(page, 2, '学时').hover()
    await tip.getByText('请输入正确的数字').waitFor()
    await shot(page, 'tip-hover')
    await page.mouse.move(5, 5)
    await bar(page)
      .getByRole('button', { name: /1 行未保存：.+ · 学时：请输入正确的数字/ })
      .click()
    await tip.getByText('请输入正确的数字').waitFor()
    const input = page.getByRole('textbox', { name: '第 2 行，学时' })
    expect(await input.getAttribute('aria-invalid')).toBe('true')
    expect(await input.getAttribute('aria-describedby')).toBe(await tip.getAttribute('id'))
    const colour = await cell(page, 2, '学时').evaluate(
      (each) => getComputedStyle(each.closest('[class*="is-refused"]') ?? each).boxShadow,
    )
    expect(colour).not.toBe('none')
    await shot(page, 'tip-focus')
    expect(await accessibilityViolations(page, 'main')).toEqual([])
    const name = await textAt(page, 2, '课程名称')
    await page.getByRole('textbox', { name: '课程名称' }).first().fill('没有这样的课程')
    await page.getByRole('button', { name: '查询' }).click()
    await page
      .getByRole('group', { name: /^第 1 行，/ })
      .first()
      .waitFor({ state: 'detached' })
    await bar(page)
      .getByRole('button', { name: new RegExp(`1 行未保存：${name}`) })
      .click()
    await tip.getByText('请输入正确的数字').waitFor()
    await shot(page, 'tip-filtered')
    await page.keyboard.type('32')
    await page.keyboard.press('Enter')
    await bar(page).getByText('已保存').waitFor()
  })
})

describe('overlays over a list', () => {
  it('ask before what was entered in them is dropped', async () => {
    const { page } = await stage.staff('admin', '/entity/EDU_COURSE/search')
    const question = page.getByRole('alertdialog')
    const asks = async (overlay: string) => {
      const open = page.getByRole('dialog', { name: overlay })
      await page.keyboard.press('Escape')
      await question.getByText('内容尚未保存').waitFor()
      await question.getByRole('button', { name: '取消' }).click()
      await question.waitFor({ state: 'detached' })
      await open.getByRole('button', { name: '关闭' }).first().click()
      await question.getByRole('button', { name: '确定' }).click()
      await open.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: '筛选' }).click()
    await page
      .getByRole('dialog', { name: '筛选' })
      .getByRole('button', { name: '添加条件组' })
      .click()
    await asks('筛选')
    await page
      .getByRole('checkbox', { name: /选择|选中/ })
      .nth(1)
      .click({ force: true })
    await page.getByRole('button', { name: '批量修改' }).click()
    const bulk = page.getByRole('dialog', { name: /批量修改/ })
    await bulk.getByRole('combobox', { name: '选择要修改的字段' }).selectOption({ index: 1 })
    await asks('批量修改')
  })
})

describe('why a cell is red', () => {
  it.each([
    { name: 'phone', size: { width: 390, height: 844 }, isDark: false },
    { name: 'phone-dark', size: { width: 390, height: 844 }, isDark: true },
    { name: 'dark', size: { width: 1440, height: 900 }, isDark: true },
  ])(
    'can be read on $name, and so can the question about leaving',
    async ({ name, size, isDark }) => {
      const page = await openGrid(size)
      if (isDark) await page.getByRole('button', { name: '切换深浅色' }).click()
      await cell(page, 1, '课程名称').click()
      await page.keyboard.press('Delete')
      await page.getByRole('tooltip').getByText('此项为必填项').waitFor()
      await shot(page, `${name}-tip`)
      expect(await accessibilityViolations(page, '[role=tooltip]')).toEqual([])
      await bar(page).getByRole('button', { name: '退出表格编辑' }).click()
      await page.getByRole('dialog', { name: '有 1 行未保存' }).waitFor()
      await shot(page, `${name}-leave`)
      expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([])
      if (isDark) {
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: '切换深浅色' }).click()
      }
    },
  )
})
