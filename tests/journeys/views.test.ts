import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser.ts'
import { browserFixture } from '../support/browser-fixture.ts'

const stage = browserFixture()
const list = '/entity/EDU_STUDENT/search'
async function enter(
  account: string,
  size: { width: number; height: number } = { width: 1440, height: 900 },
) {
  const { page } = await stage.staff(account, list, size)
  await settled(page)
  return { page }
}
async function settled(page: Page) {
  await page.locator('.jw-table-wrap[aria-busy="false"] tbody tr .jw-cell').first().waitFor()
}
const heads = (page: Page) => page.locator('.jw-table thead .jw-sort').allInnerTexts()
async function column(page: Page, n: number) {
  return await page.locator(`.jw-table tbody tr td:nth-child(${n})`).allInnerTexts()
}
const shownView = (page: Page) => page.locator('.jw-views-button__name').innerText()
function asked(page: Page) {
  const pages: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/data/page')) pages.push(request.url())
  })
  return pages
}

describe('saved views', () => {
  it('made for everyone by one person, are what the list of another opens with; a link with filters wins', async () => {
    const admin = await enter('admin')
    await admin.page.fill('#query-EDU_STUDENT-name', '张')
    await admin.page.keyboard.press('Enter')
    await settled(admin.page)
    await admin.page.click('.jw-sort:has-text("学号")')
    await admin.page.locator('th[aria-sort=ascending]').waitFor()
    await settled(admin.page)
    await admin.page.click('.jw-views-button')
    await admin.page.getByRole('button', { name: '另存为视图' }).click()
    await admin.page.locator('.jw-view-dialog').getByText('所有人').click()
    await admin.page.locator('.jw-view-dialog').getByText('打开列表时默认使用').click()
    expect(await accessibilityViolations(admin.page, '.jw-view-dialog')).toEqual([])
    await admin.page.fill('#view-name', '姓张的学生')
    await admin.page.press('#view-name', 'Enter')
    await admin.page.locator('.bp6-toast', { hasText: '视图已保存' }).waitFor()
    expect(await shownView(admin.page)).toBe('姓张的学生')

    const viewer = await enter('viewer')
    expect(await shownView(viewer.page)).toBe('姓张的学生')
    expect(
      (await column(viewer.page, 3)).every((name) => name.startsWith('张') || name.includes('张')),
    ).toBe(true)
    await viewer.page.click('.jw-views-button')
    await viewer.page.locator('.jw-views h4').waitFor()
    expect(await viewer.page.locator('.jw-views h4').allInnerTexts()).toEqual(['所有人'])
    expect(await viewer.page.locator('.jw-saved__edit').count()).toBe(0)
    expect(await accessibilityViolations(viewer.page, '.jw-views')).toEqual([])
    // What one changes is marked, and gone back from.
    await viewer.page.keyboard.press('Escape')
    await viewer.page.click('.jw-sort:has-text("姓名")')
    await viewer.page.locator('.jw-views-button__mark').waitFor()
    await viewer.page.click('.jw-views-button')
    await viewer.page.getByRole('button', { name: '还原' }).click()
    await viewer.page.locator('.jw-views-button__mark').waitFor({ state: 'detached' })
    // One's own star on the plain list wins over everyone's default.
    await viewer.page.click('.jw-views-button')
    await viewer.page.click('.jw-views [aria-label="打开列表时先用「全部数据」"]')
    await viewer.page.locator('.jw-views [aria-label="打开列表时不再先用「全部数据」"]').waitFor()
    await viewer.page.reload()
    await settled(viewer.page)
    expect(await shownView(viewer.page)).toBe('全部数据')
    await admin.page.goto(`${stage.at(list)}?name=${encodeURIComponent('李')}`)
    await admin.page.locator('.jw-table tbody', { hasText: '李' }).waitFor()
    expect(await admin.page.locator('#query-EDU_STUDENT-name:visible').inputValue()).toBe('李')
  })

  it('columns are chosen and reordered by keyboard and hand without asking for rows again, and follow the person to another machine', async () => {
    const first = await enter('clerk')
    await first.page.click('.jw-views-button')
    await first.page.click('.jw-saved__name:has-text("全部数据")')
    await first.page.locator('.jw-views-button__name', { hasText: '全部数据' }).waitFor()
    await settled(first.page)
    const before = await heads(first.page)
    const pages = asked(first.page)
    await first.page.click('.jw-toolbar [aria-label=列]')
    const box = (name: string) =>
      first.page.locator('.jw-column', { hasText: name }).locator('input')
    const place = (name: string) =>
      first.page
        .locator('.jw-column')
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
    const grip = await first.page
      .locator('.jw-column', { hasText: '手机号' })
      .locator('.jw-column__grip')
      .boundingBox()
    const target = await first.page.locator('.jw-column', { hasText: '性别' }).boundingBox()
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
        .locator('.jw-table th', { hasText: name })
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
    await first.page.locator('.jw-sort', { hasText: '院系' }).focus()
    const widthKept = first.page.waitForResponse(
      (response) =>
        response.url().endsWith('/widths') &&
        response.request().postData()?.includes('"faculty"') === true,
    )
    await first.page.keyboard.press('Alt+ArrowLeft')
    await widthKept
    await expect.poll(() => widthOn(first.page, '院系')).toBe(narrow - 16)
    expect(pages).toEqual([])

    const second = await enter('clerk', { width: 390, height: 800 })
    await second.page.click('.jw-views-button')
    await second.page.click('.jw-saved__name:has-text("全部数据")')
    await second.page.locator('.jw-views-button__name', { hasText: '全部数据' }).waitFor()
    await settled(second.page)
    expect(await heads(second.page)).toEqual(chosen)
    expect([await widthOn(second.page, '院系'), await widthOn(second.page, '姓名')]).toEqual([
      narrow - 16,
      wide + 40,
    ])
    expect(
      await second.page.evaluate(() => document.documentElement.scrollWidth),
    ).toBeLessThanOrEqual(390)
  })
})
