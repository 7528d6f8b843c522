import type { Page } from 'playwright-core'

/** Work of a day in the console, by people's ways: what is done is undone at the end of the round. */
export async function workRound(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/entity/EDU_STUDENT/search`)
  await waitForList(page)
  await searchAndSort(page)
  await menusAndFilter(page)
  await forms(page)
  await view(page)
  await grid(page, url)
  await pages(page, url)
}

async function waitForList(page: Page): Promise<void> {
  await page
    .locator('[aria-busy=false]:not([aria-busy=true] *)')
    .filter({ has: page.getByRole('cell') })
    .first()
    .waitFor()
}

const findButton = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first()

async function searchAndSort(page: Page): Promise<void> {
  const search = page.getByRole('search')
  await search.getByLabel('姓名').fill('王')
  await page.keyboard.press('Enter')
  await waitForList(page)
  await search.getByRole('button', { name: '重置' }).click()
  await waitForList(page)
  for (let times = 0; times < 3; times += 1) {
    await page.getByRole('columnheader').getByRole('button', { name: '学号', exact: true }).click()
    await waitForList(page)
  }
  for (const direction of ['下一页', '下一页', '上一页', '上一页']) {
    await findButton(page, direction).click()
    await waitForList(page)
  }
}

async function menusAndFilter(page: Page): Promise<void> {
  await page.getByRole('button', { name: '「姓名」列菜单' }).click()
  await page.keyboard.press('Escape')
  await findButton(page, '筛选').click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function forms(page: Page): Promise<void> {
  for (const name of ['编辑', '查看']) {
    const opener = page.getByRole('row').getByRole('button', { name, exact: true }).first()
    await opener.click()
    await page.getByRole('dialog').getByRole('form').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

async function view(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^视图：/ }).click()
  await findButton(page, '另存为视图').click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function grid(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/entity/EDU_TEACHER/search?mode=grid`)
  const cell = page.getByRole('group', { name: /^第 1 行，姓名/ }).last()
  await cell.waitFor()
  await cell.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Home')
  const saved = page.getByRole('toolbar', { name: '表格编辑' }).getByText('已保存')
  await page.keyboard.type('改')
  await page.keyboard.press('Enter')
  await saved.waitFor()
  await page.keyboard.press('Control+z')
  await page.waitForTimeout(500)
  await saved.waitFor()
}

/** Other pages, each left by closing its tab. */
async function pages(page: Page, url: string): Promise<void> {
  for (const tag of ['EDU_COURSE', 'EDU_GRADE', 'SYS_DICT']) {
    await page.goto(`${url}/#/entity/${tag}/search`)
    await waitForList(page)
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('学生')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const tabs = page.getByRole('navigation', { name: '已打开的页面' })
  const close = tabs.getByRole('button', { name: /^关闭 / })
  for (let left = await close.count(); left > 0; left -= 1) {
    await close.last().click()
    await close.nth(left - 1).waitFor({ state: 'detached' })
  }
}
