// Pages by their address, and how forms open (docs/spec/1-entity-console.md §2,
// docs/spec/2-student-service-and-designer.md §2).
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { openPage } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import {
  dataRows,
  formField,
  openDialog,
  settledRows,
  tab,
} from '../support/browser/console-page.ts'

const stage = browserFixture()
let context: BrowserContext
let page: Page
let faults: string[]
beforeEach(async () => {
  ;({ context, page, faults } = await stage.staff('admin', '/'))
})

it('a form or a record in a window of its own has no shell, and is called by what it is', async () => {
  const own = await openPage(context, faults)
  for (const [path, title] of [
    ['/entity/EDU_FACULTY/form-window', '新增院系'],
    ['/entity/EDU_FACULTY/form-window?id=1101', '编辑院系 · 信息工程学院'],
    ['/entity/EDU_FACULTY/details-window?id=1101', '院系详情 · 信息工程学院'],
    ['/entity/EDU_FACULTY/details-window?id=1101&_title=甲', '甲'],
  ] as const) {
    await own.goto(stage.at(path))
    await own.waitForFunction((wanted) => document.title === wanted, title)
    expect(await own.getByRole('navigation', { name: '主菜单' }).count()).toBe(0)
  }
  await own.goto(stage.at('/entity/EDU_FACULTY/form-window?id=1101'))
  await formField(own, '院长').fill('窗中人')
  await own.keyboard.press('Control+s')
  await own.waitForURL((url) => url.hash === '#/entity/EDU_FACULTY/search')
  await dataRows(own, '窗中人').waitFor()
})
it('a form in a tab adds without an id and edits with one, takes defaults from its address, and returns to where it came from', async () => {
  await page.goto(stage.at('/entity/EDU_FACULTY/search?name=学院'))
  await settledRows(page)
  await page.goto(stage.at('/entity/EDU_FACULTY/form?code=W1&name=网页系&_title=新的系'))
  await tab(page, '新的系').waitFor()
  expect(await formField(page, '院系代码').inputValue()).toBe('W1')
  await page.keyboard.press('Control+s')
  await page.getByText('新增成功').waitFor()
  await page.waitForURL(
    (url) => decodeURIComponent(url.hash) === '#/entity/EDU_FACULTY/search?name=学院',
  )
  expect(await tab(page, '新的系').count()).toBe(0)
})
it('an entity opens its forms as its definition says, a drawer at 60 %', async () => {
  await page.goto(stage.at('/entity/EDU_COURSE/search'))
  await page.getByRole('button', { name: '新增' }).click()
  const dialog = openDialog(page, '新增课程')
  await dialog.getByRole('button', { name: '取消' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.goto(stage.at('/entity/EDU_STUDENT/search?gender=1&_ignored=1&sorts=name:false'))
  await settledRows(page)
  expect(await page.locator('th[aria-sort=descending]').innerText()).toContain('姓名')
  await page.getByRole('button', { name: '新增' }).click()
  expect(
    await openDialog(page, '新增学生').evaluate((drawer) =>
      Math.round((100 * drawer.getBoundingClientRect().width) / innerWidth),
    ),
  ).toBe(60)
})
