import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { enterAsStaff, launchBrowser, signInStaff, type Visitor, visit } from '../support/browser.ts'
import { type RunningServer, startRealServer } from '../support/server.ts'

let server: RunningServer
let browser: Browser
let visitor: Visitor
let page: Page

const view = '.jw-view:not([hidden])'
const open = async (path: string) => { await page.goto(`${server.url}/#${path}`) }
const toast = (text: string) => page.locator('.bp6-toast', { hasText: text }).waitFor()
const button = (within: string, name: string) => page.locator(within).getByRole('button', { name, exact: true })

beforeAll(async () => { [server, browser] = await Promise.all([startRealServer(), launchBrowser()]) }, 120_000)
afterAll(async () => { await browser.close(); await server.stop() })
beforeEach(async () => {
  visitor = await visit(browser)
  page = visitor.page
  await signInStaff(page, server, 'admin')
})
afterEach(async () => { await visitor.context.close(); expect(visitor.faults).toEqual([]) })

it('grants a whole row of permissions, says what changes, and shows it saved', async () => {
  await open('/entity/SYS_ROLE/search')
  const row = page.locator(`${view} .jw-table tbody tr`, { hasText: 'ROLE_CLERK' })
  await row.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '权限' }).click()
  const grades = page.locator('.jw-matrix tbody tr', { hasText: 'EDU_GRADE' })
  await grades.getByLabel('成绩：全部操作').check()
  expect(await grades.locator('.is-changed').count()).toBe(5)
  await button('.jw-permissions .jw-toolbar', '保存').click()
  expect(await page.locator('.jw-review li').allInnerTexts()).toEqual(['成绩 · 新增', '成绩 · 删除', '成绩 · 导出', '成绩 · 修改', '成绩 · 查看'])
  await button('.jw-review', '保存').click()
  await toast('权限已保存')
  await page.reload()
  await page.locator('.jw-matrix tbody tr', { hasText: 'EDU_GRADE' }).waitFor()
  expect(await page.locator('.jw-matrix tbody tr', { hasText: 'EDU_GRADE' }).locator('input:checked').count()).toBe(6)
})

it('makes a one-time password that must be changed first of all', async () => {
  await open('/entity/SYS_USER/search')
  const row = page.locator(`${view} .jw-table tbody tr`, { hasText: 'viewer' })
  await row.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '重置密码' }).click()
  await button('.jw-reset', '重置密码').click()
  const secret = await page.getByLabel('一次性密码').inputValue()
  await visitor.context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await enterAsStaff(page, server, 'viewer', { secret })
  await page.locator('#password-newPassword').waitFor()
})

it('shows what became of a record, and goes back', async () => {
  await open('/entity/EDU_FACULTY/search')
  const first = page.locator(`${view} .jw-table tbody tr`).first()
  await first.getByRole('button', { name: '编辑' }).click()
  const dean = page.locator('.jw-drawer .jw-field', { hasText: '院长' }).locator('input')
  const before = await dean.inputValue()
  await dean.fill('历史院长')
  await button('.jw-form__foot', '保存').click()
  await toast('修改成功')
  await first.getByRole('button', { name: '查看' }).click()
  await button('.jw-form__foot', '变更记录').click()
  const changed = page.locator('.jw-history__changes').first()
  await changed.waitFor()
  expect(await changed.locator('ins').allInnerTexts()).toEqual(['历史院长'])
  expect(await changed.locator('del').allInnerTexts()).toEqual([before === '' ? '—' : before])
  await page.locator('.jw-history__list button').last().click()
  await button('.jw-history', '恢复到此时').click()
  await button('.jw-alert', '恢复到此时').click()
  await toast('已恢复')
  await changed.locator('del', { hasText: '历史院长' }).waitFor()
})

it('brings a deleted record back from the bin', async () => {
  await open('/entity/SYS_STATION/search')
  await button(`${view} .jw-toolbar`, '新增').click()
  await page.locator('.jw-drawer .jw-field', { hasText: '岗位代码' }).locator('input').fill('BIN')
  await page.locator('.jw-drawer .jw-field', { hasText: '岗位名称' }).locator('input').fill('会回来的岗位')
  await button('.jw-form__foot', '保存').click()
  const row = page.locator(`${view} .jw-table tbody tr`, { hasText: '会回来的岗位' })
  await row.getByRole('button', { name: '删除' }).click()
  await button('.jw-alert', '删除').click()
  await row.waitFor({ state: 'detached' })
  await button(`${view} .jw-toolbar`, '更多').click()
  await page.getByRole('menuitem', { name: '回收站' }).click()
  await page.locator('.jw-recycle tbody tr', { hasText: '会回来的岗位' }).getByRole('button', { name: '恢复' }).click()
  await toast('已恢复 1 条')
  await row.waitFor()
})
