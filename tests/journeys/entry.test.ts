import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { firstLine } from '../support/browser/console-page.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import {
  findGridCell as cell,
  gridTextAt as textAt,
  sheetOfGrades,
} from '../support/browser/grid-page.ts'

const stage = browserFixture()
const shots = process.env.GRID_SHOTS

const shot = async (page: Page, name: string) => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png` })
}
/** Opens the picker by typing letters at once, as a quick hand does, and searches for the option. */
async function choose(page: Page, label: string, option: string) {
  await page.getByRole('combobox', { name: label, exact: true }).focus()
  await page.keyboard.type('zz')
  const search = page.getByRole('combobox', { name: '查询' })
  await expect.poll(() => search.inputValue()).toBe('zz')
  await search.fill(option)
  const list = page.getByRole('listbox')
  const found = list.getByRole('option', { name: firstLine(option) }).first()
  const shown = async () => [
    await search.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
    await list.allInnerTexts(),
    await page.getByRole('alert').allInnerTexts(),
  ]
  // The picker's text is part of the message when the option does not come.
  await expect.poll(async () => ((await found.isVisible()) ? option : shown())).toBe(option)
  await found.click()
}
/** Puts text on the clipboard of the page as a spreadsheet does, and pastes it. */
async function pasteEntryText(page: Page, text: string) {
  await page.evaluate((data) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', data)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)
}

it('enters the grades of a course, typed and pasted, submits and unlocks them', async () => {
  const { page } = await stage.staff('admin', '/entity/EDU_GRADE/search', {
    width: 1440,
    height: 900,
  })
  const { course, term } = await sheetOfGrades(stage.server)
  await page.getByRole('navigation').getByRole('link', { name: '成绩录入' }).first().click()
  await page.getByText('请选择课程、学期').waitFor()
  const unfinished = page.getByRole('list', { name: '未录完的录入表' }).getByRole('listitem')
  await unfinished.first().waitFor()
  await shot(page, 'entry-empty')
  expect(await accessibilityViolations(page)).toEqual([])
  // One click opens the first of them.
  const [, entered0 = '', total0 = ''] =
    /已录 (\d+)\/(\d+)/.exec(await unfinished.first().innerText()) ?? []
  expect(Number(entered0)).toBeLessThan(Number(total0))
  await unfinished.first().getByRole('button').click()
  await page.getByText(`已录 ${entered0}/${total0}`, { exact: true }).waitFor()
  await choose(page, '课程', course)
  await choose(page, '学期', term)
  await page.getByText(/^已录 \d+\/\d+$/).waitFor()
  const progress = () => page.getByText(/^已录 \d+\/\d+$/).innerText()
  const [, entered = '', total = ''] = /(\d+)\/(\d+)/.exec(await progress()) ?? []
  expect(Number(total)).toBeGreaterThan(3)
  expect(entered).toBe(total)
  await shot(page, 'entry')

  await cell(page, 1, '成绩').click()
  await page.keyboard.press('Delete')
  await expect.poll(progress).toBe(`已录 ${Number(total) - 1}/${total}`)
  await expect.poll(() => textAt(page, 1, '绩点')).toBe('')
  await page.keyboard.type('84.5')
  await page.keyboard.press('Enter')
  await expect.poll(() => textAt(page, 1, '绩点')).toBe('3.5')
  await expect.poll(progress).toBe(`已录 ${total}/${total}`)

  await cell(page, 1, '成绩').click()
  await pasteEntryText(page, '59\r\n60\r\n71.5\r\n')
  await page.getByRole('dialog', { name: '确认粘贴' }).getByRole('button', { name: '写入' }).click()
  await expect.poll(() => textAt(page, 3, '绩点')).toBe('2.2')
  expect([await textAt(page, 1, '是否及格'), await textAt(page, 2, '是否及格')]).toEqual([
    '否',
    '是',
  ])
  await shot(page, 'entry-pasted')

  await page.getByRole('button', { name: '提交' }).click()
  const submit = page.getByRole('dialog', { name: '提交并锁定' })
  await submit.getByText(`${total} 条已全部录入`).waitFor()
  await shot(page, 'entry-submit')
  await submit.getByRole('button', { name: '提交' }).click()
  await page
    .getByText(/提交并锁定$/)
    .first()
    .waitFor()
  await cell(page, 1, '成绩').click()
  await page.keyboard.type('100')
  await page.keyboard.press('Enter')
  expect(await textAt(page, 1, '成绩')).toBe('59')
  await shot(page, 'entry-locked')
  expect(await accessibilityViolations(page)).toEqual([])

  await page.getByRole('button', { name: '解锁' }).click()
  const unlock = page.getByRole('dialog', { name: '解锁后可以再次修改' })
  await unlock.getByLabel('事由').fill('成绩登记有误')
  await unlock.getByRole('button', { name: '解锁' }).click()
  await page.getByRole('button', { name: '提交' }).waitFor()
  await page.reload()
  await page.getByText(`已录 ${total}/${total}`).waitFor()
  await cell(page, 1, '成绩').click()
  await page.keyboard.type('66')
  await page.keyboard.press('Enter')
  await expect.poll(() => textAt(page, 1, '绩点')).toBe('1.6')
})
