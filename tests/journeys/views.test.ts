import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { dataRows, openDialog, settledRows, sortButton } from '../support/browser/console-page.ts'

const stage = browserFixture()
const list = '/entity/EDU_STUDENT/search'
async function enter(
  account: string,
  size: { width: number; height: number } = { width: 1440, height: 900 },
) {
  const { page } = await stage.staff(account, list, size)
  await waitForSettledRows(page)
  return { page }
}
async function waitForSettledRows(page: Page) {
  await settledRows(page)
}
const nameAsked = (page: Page) => page.getByRole('search').getByLabel('姓名')
const heads = (page: Page) => sortButton(page).allInnerTexts()
async function readNthColumn(page: Page, n: number) {
  return await dataRows(page).locator(`td:nth-child(${n})`).allInnerTexts()
}
/** The button that opens the list of views; its name says which view is shown and whether it is changed. */
function switcher(page: Page, view = '', isChanged = false) {
  return page.getByRole('button', { name: `视图：${view}${isChanged ? ' (已更改)' : ''}` })
}
const shownView = (page: Page) => switcher(page).innerText()
const changedView = (page: Page) => page.getByRole('button', { name: /^视图：.*\(已更改\)$/ })
function recordPageRequests(page: Page) {
  const pages: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/data/page')) pages.push(request.url())
  })
  return pages
}

describe('saved views', () => {
  it('made for everyone by one person, are what the list of another opens with; a link with filters wins', async () => {
    const admin = await enter('admin')
    await nameAsked(admin.page).fill('张')
    await admin.page.keyboard.press('Enter')
    await waitForSettledRows(admin.page)
    await sortButton(admin.page, '学号').click()
    await admin.page.locator('th[aria-sort=ascending]').waitFor()
    await waitForSettledRows(admin.page)
    await switcher(admin.page).click()
    await admin.page.getByRole('button', { name: '另存为视图' }).click()
    await openDialog(admin.page).getByText('所有人').click()
    await openDialog(admin.page).getByText('打开列表时默认使用').click()
    expect(await accessibilityViolations(admin.page, '[role=dialog]')).toEqual([])
    await openDialog(admin.page).getByLabel('名称').fill('姓张的学生')
    await admin.page.keyboard.press('Enter')
    await admin.page.getByText('视图已保存').waitFor()
    expect(await shownView(admin.page)).toBe('姓张的学生')

    const viewer = await enter('viewer')
    expect(await shownView(viewer.page)).toBe('姓张的学生')
    expect(
      (await readNthColumn(viewer.page, 3)).every(
        (name) => name.startsWith('张') || name.includes('张'),
      ),
    ).toBe(true)
    await switcher(viewer.page).click()
    await viewer.page.getByRole('heading', { name: '所有人' }).waitFor()
    expect(await viewer.page.getByRole('heading', { name: '我的' }).count()).toBe(0)
    expect(await viewer.page.getByRole('button', { name: /^(编辑|删除)视图/ }).count()).toBe(0)
    expect(await accessibilityViolations(viewer.page, '.jw-views')).toEqual([])
    // A change of a view is marked, and gone back from.
    await viewer.page.keyboard.press('Escape')
    await sortButton(viewer.page, '姓名').click()
    await changedView(viewer.page).waitFor()
    await switcher(viewer.page).click()
    await viewer.page.getByRole('button', { name: '还原' }).click()
    await changedView(viewer.page).waitFor({ state: 'detached' })
    // One's own star on the plain list wins over everyone's default.
    await switcher(viewer.page).click()
    await viewer.page.getByRole('button', { name: '打开列表时先用「全部数据」' }).click()
    await viewer.page.getByRole('button', { name: '打开列表时不再先用「全部数据」' }).waitFor()
    // A list that is open stays with its view, which its address names; the next one opens as starred.
    const again = await enter('viewer')
    expect(await shownView(again.page)).toBe('全部数据')
    await admin.page.goto(`${stage.at(list)}?name=${encodeURIComponent('李')}`)
    await dataRows(admin.page, '李').first().waitFor()
    expect(await nameAsked(admin.page).inputValue()).toBe('李')
  })

  it('columns are chosen and reordered by keyboard and hand without asking for rows again, and follow the person to another machine', async () => {
    const first = await enter('clerk')
    await switcher(first.page).click()
    await first.page
      .locator('.jw-views')
      .getByRole('button', { name: '全部数据', exact: true })
      .click()
    await switcher(first.page, '全部数据').waitFor()
    await waitForSettledRows(first.page)
    const before = await heads(first.page)
    const pages = recordPageRequests(first.page)
    await first.page.getByRole('button', { name: '列', exact: true }).click()
    const columns = first.page.getByRole('region', { name: '显示的列' })
    const row = (name: string) => columns.getByRole('listitem').filter({ hasText: name })
    const box = (name: string) => columns.getByRole('checkbox', { name })
    const place = (name: string) =>
      columns
        .getByRole('listitem')
        .allInnerTexts()
        .then((names) => names.findIndex((text) => text.includes(name)))
    await box('身份证号').click()
    await expect.poll(() => box('身份证号').isChecked()).toBe(false)
    await box('院系').focus()
    const start = await place('院系')
    for (let n = 1; n <= 3; n += 1) {
      await first.page.keyboard.press('Alt+ArrowUp')
      await expect.poll(() => place('院系')).toBe(start - n)
      await expect
        .poll(() => box('院系').evaluate((element) => element === document.activeElement))
        .toBe(true)
    }
    // By hand: the grip of one row dropped on another.
    const grip = await row('手机号').locator('[aria-hidden]').first().boundingBox()
    const target = await row('性别').boundingBox()
    if (grip === null || target === null) throw new Error('no rows to drag')
    await first.page.mouse.move(grip.x + 5, grip.y + 10)
    await first.page.mouse.down()
    for (let y = grip.y; y > target.y; y -= 12) await first.page.mouse.move(grip.x + 5, y)
    const kept = first.page.waitForResponse(
      (response) =>
        response.url().endsWith('/layout') &&
        response.request().postData()?.includes('"mobile"') === true,
    )
    await first.page.mouse.up()
    await kept
    expect(await accessibilityViolations(first.page, '.jw-columns')).toEqual([])
    const chosen = await heads(first.page)
    expect(chosen).not.toEqual(before)
    expect(chosen).not.toContain('身份证号')
    expect(chosen.indexOf('院系')).toBeLessThan(chosen.indexOf('出生日期'))
    expect(chosen.indexOf('手机号')).toBeLessThan(chosen.indexOf('出生日期'))
    // How wide they are, by hand and by keys.
    const widthOn = (page: Page, name: string) =>
      page
        .getByRole('columnheader')
        .filter({ hasText: name })
        .evaluate((head) => Math.round(head.getBoundingClientRect().width))
    const [narrow, wide] = [await widthOn(first.page, '院系'), await widthOn(first.page, '姓名')]
    await first.page.keyboard.press('Escape')
    const edge = await first.page.getByRole('separator', { name: '调整「姓名」列宽' }).boundingBox()
    if (edge === null) throw new Error('no edge to drag')
    await first.page.mouse.move(edge.x + 4, edge.y + 10)
    await first.page.mouse.down()
    await first.page.mouse.move(edge.x + 44, edge.y + 10)
    await first.page.mouse.up()
    await expect.poll(() => widthOn(first.page, '姓名')).toBe(wide + 40)
    await sortButton(first.page, '院系').focus()
    const widthKept = first.page.waitForResponse(
      (response) =>
        response.url().endsWith('/widths') &&
        response.request().postData()?.includes('"faculty"') === true,
    )
    await first.page.keyboard.press('Alt+ArrowLeft')
    await widthKept
    await expect.poll(() => widthOn(first.page, '院系')).toBe(narrow - 16)
    expect(pages).toEqual([])

    const second = await enter('clerk')
    await switcher(second.page).click()
    await second.page
      .locator('.jw-views')
      .getByRole('button', { name: '全部数据', exact: true })
      .click()
    await switcher(second.page, '全部数据').waitFor()
    await waitForSettledRows(second.page)
    expect(await heads(second.page)).toEqual(chosen)
    expect([await widthOn(second.page, '院系'), await widthOn(second.page, '姓名')]).toEqual([
      narrow - 16,
      wide + 40,
    ])
    await second.page.setViewportSize({ width: 390, height: 800 })
    await second.page.getByRole('list', { name: '学生' }).getByRole('listitem').first().waitFor()
    expect(
      await second.page.evaluate(() => document.documentElement.scrollWidth),
    ).toBeLessThanOrEqual(390)
  })
})
