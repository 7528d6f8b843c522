import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signInStaff } from '../support/browser/browser.ts'
import { password } from '../support/server.ts'
import { readSheet } from '../support/sheet.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import {
  columnTexts,
  dataRows,
  formField,
  openDialog,
  settledRows,
  tab,
} from '../support/browser/console-page.ts'

const stage = browserFixture()
let page: Page

const list = '/entity/EDU_STUDENT/search'
const findDataRows = () => dataRows(page)
const readColumn = (label: string) => columnTexts(page, label)
/** The list has answered the last question. */
const waitForRows = () => settledRows(page)
const openTab = () => page.locator('[aria-current=page]').and(tab(page))
const waitForNotice = (text: string) =>
  page.getByRole('alert').filter({ hasText: text }).first().waitFor()
const question = () => page.getByRole('alertdialog')
const tool = (name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true })
const rowButton = (name: string, row = 0) =>
  findDataRows().nth(row).getByRole('button', { name, exact: true })
const findFormField = (name: string) => formField(page, name)
/** The input of a condition of the list. */
const findConditionInput = (label: string) => page.getByRole('search').getByLabel(label)
const saveForm = () =>
  page.getByRole('form').getByRole('button', { name: '保存', exact: true }).click()
const menu = () => page.getByRole('navigation', { name: '主菜单' })
async function studentsAs(account: string) {
  ;({ page } = await stage.staff(account, list))
  await waitForRows()
}
/** In a session that no other test uses. */
async function studentsAlone(account: string) {
  ;({ page } = await stage.visit())
  await signInStaff(page, stage.server, account)
  await page.goto(stage.at(list))
  await waitForRows()
}
async function search() {
  await page.getByRole('search').getByRole('button', { name: '查询' }).click()
  await waitForRows()
}
async function choose(picker: Locator, name: string) {
  await picker.click()
  await page.getByRole('listbox').getByRole('option', { name }).first().click()
}

describe('a registrar at the console', () => {
  it('is sent to sign in, refused with the wrong password, and comes back to the page asked for', async () => {
    ;({ page } = await stage.visit())
    await page.goto(stage.at(list))
    await page.fill('#account', 'registrar')
    await page.fill('#password', 'wrong password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: '账号或密码错误' }).waitFor()
    await page.fill('#password', password)
    await page.keyboard.press('Enter')
    await waitForRows()
    expect(page.url()).toContain(list)
  })

  it('searches students by faculty and name, sorts, and pages', async () => {
    await studentsAs('admin')
    await choose(findConditionInput('院系'), '信息工程学院')
    await page.keyboard.press('Escape')
    await findConditionInput('姓名').fill('王')
    await search()
    const names = await readColumn('姓名')
    expect(names.length).toBeGreaterThan(0)
    expect(names.every((name) => name.includes('王'))).toBe(true)
    expect(new Set(await readColumn('院系'))).toEqual(new Set(['信息工程学院']))
    await page.getByRole('search').getByRole('button', { name: '重置' }).click()
    await waitForRows()
    const sort = page.getByRole('columnheader', { name: '出生日期' }).getByRole('button').first()
    await sort.click()
    await waitForRows()
    const births = await readColumn('出生日期')
    expect(births).toEqual([...births].sort())
    expect(await page.locator('th[aria-sort=ascending]').innerText()).toContain('出生日期')
    await sort.click()
    await waitForRows()
    const falling = await readColumn('出生日期')
    expect(falling).toEqual([...falling].sort().reverse())
    await sort.click()
    await waitForRows()
    expect(await page.locator('th[aria-sort=ascending], th[aria-sort=descending]').count()).toBe(0)
    const first = await readColumn('学号')
    await page.getByRole('button', { name: '下一页' }).click()
    await waitForRows()
    const second = await readColumn('学号')
    expect(second).toHaveLength(10)
    expect(second.some((no) => first.includes(no))).toBe(false)
  })

  it('sees validation messages, adds a student, edits it, and deletes it', async () => {
    await studentsAs('admin')
    await tool('新增').click()
    await findFormField('学号').waitFor()
    await saveForm()
    const fault = (text: string) =>
      page.getByRole('form').getByRole('alert').filter({ hasText: text })
    await fault('此项为必填项').first().waitFor()
    await findFormField('学号').fill('T2026001')
    await findFormField('姓名').fill('测试学生')
    await findFormField('身份证号').fill('123')
    await findFormField('身份证号').blur()
    await fault('请输入正确的身份证号').waitFor()
    await findFormField('身份证号').fill('11010519991231002X')
    await page.getByRole('form').getByText('女', { exact: true }).click()
    for (const [name, value] of [
      ['院系', '数理学院'],
      ['专业', '统计学'],
    ] as const)
      await choose(page.getByRole('form').getByRole('combobox', { name, exact: true }), value)
    await page.keyboard.press('Control+s')
    await waitForNotice('新增成功')
    await findConditionInput('学号').fill('T2026001')
    await search()
    expect(await readColumn('姓名')).toEqual(['测试学生'])
    await rowButton('编辑').click()
    await findFormField('姓名').fill('测试同学')
    await saveForm()
    await waitForNotice('修改成功')
    await waitForRows()
    expect(await readColumn('姓名')).toEqual(['测试同学'])
    await findDataRows().first().locator('td').nth(2).click()
    await tool('删除').click()
    await question().filter({ hasText: '删除 1 条' }).waitFor()
    await question().getByRole('button', { name: '取消' }).click()
    await expect.poll(() => page.locator('tr.is-selected').count()).toBe(0)
    await tool('删除').click()
    await waitForNotice('未选择数据')
    await findDataRows().first().locator('td').nth(2).click()
    await tool('删除').click()
    await question().getByRole('button', { name: '删除' }).click()
    await waitForNotice('删除成功')
    await page.getByText('没有符合条件的数据').waitFor()
  })

  it('exports what was searched, and the sheet opens', async () => {
    await studentsAs('admin')
    await findConditionInput('姓名').fill('李')
    await search()
    const total = Number((await page.getByText(/^共 [\d,]+ 条$/).innerText()).replace(/\D/g, ''))
    await tool('导出').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Excel', exact: true }).click(),
    ])
    const path = join(stage.folder, 'students.xlsx')
    await file.saveAs(path)
    const { rows: sheet } = await readSheet(path)
    expect(sheet[0]).toEqual(expect.arrayContaining(['学号', '姓名', '院系']))
    expect(sheet).toHaveLength(total + 1)
    expect(sheet.slice(1).every((row) => String(row[1]).includes('李'))).toBe(true)
    await waitForNotice('导出完成')
  })

  it('keeps what was typed when the session ends, and goes on after signing in over the page', async () => {
    await studentsAlone('admin')
    await rowButton('编辑').click()
    await findFormField('宿舍').fill('9 号楼 909')
    const token = await page.evaluate(() => localStorage.getItem('JIAOWU_TOKEN'))
    expect(
      (
        await fetch(`${stage.server.url}/api/authority/logout`, {
          method: 'POST',
          headers: { authorization: `bearer ${token ?? ''}` },
        })
      ).ok,
    ).toBe(true)
    await saveForm()
    await page.getByRole('dialog').filter({ hasText: '提示' }).waitFor()
    await page.getByRole('button', { name: '重新登录' }).click()
    await page.fill('#password', password)
    await page.keyboard.press('Enter')
    await page.locator('#password').waitFor({ state: 'detached' })
    expect(await findFormField('宿舍').inputValue()).toBe('9 号楼 909')
    await saveForm()
    await waitForNotice('修改成功')
  })

  it('asks before a dirty form is left, and merges when somebody saved meanwhile', async () => {
    await studentsAs('admin')
    await rowButton('编辑', 1).click()
    await findFormField('宿舍').fill('我的宿舍')
    await page.keyboard.press('Escape')
    await question().filter({ hasText: '尚未保存' }).waitFor()
    await question().getByRole('button', { name: '取消' }).click()
    expect(await findFormField('宿舍').inputValue()).toBe('我的宿舍')
    const token = await page.evaluate(() => localStorage.getItem('JIAOWU_TOKEN'))
    const headers = { authorization: `bearer ${token ?? ''}`, 'content-type': 'application/json' }
    const no = await findFormField('学号').inputValue()
    const found = (await (
      await fetch(`${stage.server.url}/api/entity/EDU_STUDENT/data/page`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ queries: { studentNo: no } }),
      })
    ).json()) as { data: { records: { id: string; version: number }[] } }
    const { id, version } = found.data.records[0] ?? { id: '', version: 0 }
    expect(
      (
        await fetch(`${stage.server.url}/api/entity/EDU_STUDENT/data/${id}`, {
          method: 'PUT',
          headers,
          body: JSON.stringify({ version, dormitory: '他人的宿舍' }),
        })
      ).status,
    ).toBe(200)
    await saveForm()
    const stale = openDialog(page, '数据已被他人修改')
    await stale.waitFor()
    expect(await stale.innerText()).toContain('他人的宿舍')
    await stale.getByRole('button', { name: '保存' }).click()
    await waitForNotice('修改成功')
    const row = (await (
      await fetch(`${stage.server.url}/api/entity/EDU_STUDENT/data/${id}`, { headers })
    ).json()) as { data: { dormitory: string } }
    expect(row.data.dormitory).toBe('我的宿舍')
  })

  it('keeps views alive behind their tags, across a reload too', async () => {
    await studentsAs('viewer')
    await findConditionInput('姓名').fill('张')
    await search()
    await menu().getByRole('link', { name: '课程', exact: true }).click()
    await waitForRows()
    await tab(page, '学生').click()
    expect(await findConditionInput('姓名').inputValue()).toBe('张')
    await page.reload()
    await page.getByRole('button', { name: '关闭 课程' }).click()
    expect(await tab(page, '课程').count()).toBe(0)
    expect(await page.locator('[role=toolbar] >> text=新增').count()).toBe(0)
    // A record in a tab returns to where it was opened from, query and all; an address of no page says so in its tag.
    await page.goto(stage.at('/entity/EDU_CLASS/search?name=22'))
    await waitForRows()
    await page.goto(stage.at('/entity/EDU_CLASS/details?id=1301'))
    await openTab().filter({ hasText: '班级详情' }).waitFor()
    await page.getByRole('main').getByRole('button', { name: '关闭', exact: true }).click()
    await page.waitForURL((url) => url.hash === '#/entity/EDU_CLASS/search?name=22')
    await page.goto(stage.at('/preview/entity/EDU_CLASS'))
    expect(await tab(page, '班级').count()).toBe(2)
  })

  it('shows /404 for what the person may not see, and speaks English when asked', async () => {
    ;({ page } = await stage.staff('clerk', '/nowhere'))
    await page.getByText('页面不存在').first().waitFor()
    expect(await openTab().innerText()).toContain('页面不存在')
    await page.click('[aria-label=语言]')
    const english = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link')
    await english.filter({ hasText: 'Student' }).waitFor()
    expect(await english.allInnerTexts()).toHaveLength(2) // the first is the logo
  })

  it('finds people by number and initials with Ctrl+K, acts on them, and has its focus back', async () => {
    await studentsAs('registrar')
    const field = page.getByRole('combobox', { name: /搜索|选择操作/ })
    const line = (name: string | RegExp) => page.getByRole('option', { name, exact: true })
    await findConditionInput('姓名').focus()
    await page.keyboard.press('Control+k')
    await field.fill('yx')
    await page.getByRole('option', { name: /姚霞 2022010000/ }).waitFor()
    await field.fill('20220100')
    await page.getByRole('option', { name: /2022010000/, selected: true }).waitFor()
    await page.keyboard.press('ArrowRight')
    await line('成绩').waitFor()
    await line('编辑').waitFor()
    await line('学籍异动').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option', { name: /2022010000/, selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'hidden' })
    await page.waitForFunction(() => document.activeElement?.closest('[role=search]') !== null)
    // Enter before the answer takes the first hit of it.
    await page.keyboard.press('Control+k')
    await field.waitFor()
    await page.keyboard.type('2022010000')
    await page.keyboard.press('Enter')
    await openTab().filter({ hasText: '2022010000' }).waitFor()
    // The record that was opened last is offered before anything is typed.
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /2022010000/, selected: true }).waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /^搜索/ }).click()
    await field.fill('新增学生')
    await line(/新增学生/).waitFor()
    await page.keyboard.press('Escape')
    // The home page lists them too, beside the marks of all in a chart whose bars open the list.
    await page.goto(stage.at('/'))
    await page.getByRole('link', { name: /2022010000/ }).waitFor()
    const fails = page.getByRole('row', { name: /^60 以下/ })
    const counted = (await fails.getByRole('cell').innerText()).trim()
    await fails.getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.getByText(`共 ${counted} 条`).waitFor()
  })

  it('leaves nothing behind on sign-out', async () => {
    await studentsAlone('viewer')
    await page.getByRole('button', { name: '查询用户' }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.locator('#account').waitFor()
    const kept = await page.evaluate(() =>
      [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(
        (key) => key !== 'JIAOWU_SETTINGS',
      ),
    )
    expect(kept).toEqual([])
  })
})
