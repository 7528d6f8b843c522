import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations, openPage } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { dataRows, formField, openDialog } from '../support/browser/console-page.ts'
import { copyOfBase } from '../support/server.ts'
import { runSqlFile } from '../support/server-command.ts'
import { staffClient } from '../support/staff-client.ts'

const tableSql = `create table biz.book_loan (id bigint primary key, tenant_id bigint not null, title varchar(120) not null, borrower varchar(40), price numeric(8,2), lent_on date, extra jsonb,
  version integer not null default 1, create_user bigint, create_time timestamptz not null default now(), update_user bigint, update_time timestamptz not null default now(), deleted_at timestamptz);
comment on table biz.book_loan is '图书借阅'; comment on column biz.book_loan.title is '书名'; comment on column biz.book_loan.borrower is '借阅人'; comment on column biz.book_loan.price is '定价'; comment on column biz.book_loan.lent_on is '借出日期';`

const runSql = (folder: string) => runSqlFile(join(folder, 'loan.sql'), join(folder, 'data'))
const stage = browserFixture(async (folder) => {
  await writeFile(join(folder, 'loan.sql'), tableSql)
  await copyOfBase(join(folder, 'data'))
  expect(runSql(folder)).toContain('done')
  return { DATA_DIR: join(folder, 'data'), DEMO: '0' }
})
const designPath = '/entity/LIB_LOAN/config/design'
const openDesigner = async (path = '/'): Promise<Page> => (await stage.staff('admin', path)).page
async function design(page: Page) {
  await page.goto(stage.at(designPath))
  await tools(page).waitFor()
}
async function designing(): Promise<Page> {
  const page = await openDesigner(designPath)
  await tools(page).waitFor()
  return page
}
const tools = (page: Page) => page.getByRole('toolbar', { name: '设计器工具栏' })
const preview = (page: Page) => page.getByRole('region', { name: '预览' })
const menu = (page: Page) => page.getByRole('navigation', { name: '主菜单' }).getByRole('link')
const definitions = (page: Page) => page.getByRole('table', { name: '实体配置' })
const tables = (page: Page) => page.getByRole('radiogroup', { name: '选择一张业务表' })
/** Opens the form of the list, and its field for the title of a book. */
async function addBook(page: Page) {
  await page.getByRole('button', { name: '新增' }).first().click()
  return formField(page, '书名')
}
async function saveForm(page: Page) {
  await page.getByRole('form').getByRole('button', { name: '保存', exact: true }).click()
}
function heading(page: Page, text: string) {
  return page.getByRole('columnheader', { name: text }).waitFor()
}
const labels = (page: Page) => page.locator('[data-field] > span').allInnerTexts()
function waitForAlert(page: Page, text: string) {
  return page.getByRole('alert').filter({ hasText: text }).first().waitFor()
}
function state(page: Page, text: string) {
  return tools(page).getByText(text).waitFor()
}
async function setLabel(page: Page, field: string, text: string) {
  await page.locator('[data-field]', { hasText: field }).first().click()
  await page.locator('[data-path="uiLabel"] input').fill(text)
  await page.keyboard.press('Enter')
}

describe('the designer in a browser', () => {
  it('makes a table of one’s own SQL a working entity: in the menu, with list and form', async () => {
    const page = await openDesigner()
    await menu(page).filter({ hasText: '实体配置' }).click()
    await page.getByRole('button', { name: '从数据表新建' }).click()
    await tables(page).getByText('book_loan').click()
    await page.getByLabel('实体标识').fill('LIB_LOAN')
    await page.getByRole('button', { name: '生成定义' }).click()
    await state(page, '尚未保存')
    expect((await labels(page)).slice(0, 5)).toEqual(['ID', '书名*', '借阅人', '定价', '借出日期'])
    // By keyboard: a field moved and moved back by undoing.
    await page.locator('[data-field]', { hasText: '借阅人' }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    expect((await labels(page)).slice(1, 3)).toEqual(['借阅人', '书名*'])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('借阅人')
    await page.keyboard.press('Control+z')
    expect((await labels(page)).slice(1, 3)).toEqual(['书名*', '借阅人'])
    await page.keyboard.press('Control+s')
    await waitForAlert(page, '保存成功')
    await state(page, '第 1 版')
    await menu(page).filter({ hasText: '图书借阅' }).click()
    const title = await addBook(page)
    await title.fill('教务管理学')
    await saveForm(page)
    await dataRows(page, '教务管理学').waitFor()
  })

  it('drags a column among the fields, drops it with one undo, and previews as it is edited', async () => {
    const page = await designing()
    const from = await page.locator('[data-column=version]').boundingBox()
    const to = await page.locator('[data-row]').nth(1).boundingBox()
    if (from === null || to === null) throw new Error('nothing to drag')
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + 60, to.y + 4, { steps: 8 })
    await page.locator('.jw-dfields__gap').waitFor()
    await page.mouse.up()
    expect((await labels(page))[1]).toMatch(/^version/)
    await page.keyboard.press('Control+z')
    expect((await labels(page))[1]).toBe('书名*')
    await page.getByRole('button', { name: '预览' }).click()
    await preview(page).getByRole('columnheader', { name: '定价' }).waitFor()
    await page.locator('[data-path="name"] input').fill('借书')
    await page.keyboard.press('Enter')
    await preview(page).getByRole('table', { name: '借书' }).waitFor()
    await page.getByRole('button', { name: '返回实体列表' }).click()
    await page
      .getByRole('alertdialog')
      .filter({ hasText: '未保存' })
      .getByRole('button', { name: '离开' })
      .click()
    await definitions(page).waitFor()
  })

  it('edits JSON under the page’s policy: what is none is refused, what is one is taken', async () => {
    const page = await designing()
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    const editor = page.locator('.cm-content')
    await editor.waitFor()
    const text = await page.evaluate(
      () =>
        [...document.querySelectorAll('[role=dialog] *')]
          .find(({ shadowRoot }) => shadowRoot !== null)
          ?.shadowRoot?.querySelector('.cm-content')?.textContent ?? '',
    )
    expect(text).toContain('"tag": "LIB_LOAN"')
    const measure = () =>
      openDialog(page, '编辑 JSON').evaluate((dialog) => dialog.getBoundingClientRect().width)
    expect(Math.round(await measure())).toBe(900)
    await page.getByRole('button', { name: '全屏' }).click()
    expect(await measure()).toBe(await page.evaluate(() => innerWidth))
    await page.getByRole('button', { name: '退出全屏' }).click()
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('x')
    await page.getByRole('button', { name: '确定' }).click()
    const json = openDialog(page, '编辑 JSON')
    await json.getByRole('alert').filter({ hasText: '请检查格式' }).waitFor()
    await editor.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: '格式化' }).click()
    await json.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '确定' }).click()
    await json.waitFor({ state: 'detached' })
  })

  it('two people save the same entity: the second merges part by part, and both are kept', async () => {
    const [mine, other] = await Promise.all([designing(), designing()])
    await setLabel(other, '借阅人', '读者')
    await other.keyboard.press('Control+s')
    await state(other, '第 2 版')
    await setLabel(mine, '定价', '价格')
    await mine.keyboard.press('Control+s')
    const conflict = openDialog(mine, '他人已保存了新版本')
    await conflict.waitFor()
    expect(
      await dataRows(conflict).evaluateAll((rows) =>
        rows.map(
          (row) =>
            `${row.getAttribute('data-part')} ${[...row.querySelectorAll('input')].findIndex((radio) => radio.checked)}`,
        ),
      ),
    ).toEqual(['field:borrower 1', 'field:price 0'])
    await mine.getByRole('button', { name: '合并并保存' }).click()
    await state(mine, '第 3 版')
    expect((await labels(mine)).slice(1, 4)).toEqual(['书名*', '读者', '价格'])
    // The first version, compared and taken up again, is one edit of the draft.
    await mine.getByRole('button', { name: '历史版本' }).click()
    const revisions = openDialog(mine, '历史版本')
    await revisions.getByRole('button', { name: '第 1 版' }).click()
    await revisions.getByText('读者').first().waitFor()
    await mine.getByRole('button', { name: '以此版本为草稿' }).click()
    await expect.poll(async () => (await labels(mine)).slice(2, 4)).toEqual(['借阅人', '定价'])
  })

  it('a saved definition reaches the list in another tab: what was asked stays, and an open form is waited for', async () => {
    const { page, context, faults } = await stage.staff('admin', '/')
    const list = await openPage(context, faults)
    const rename = async (from: string, to: string) => {
      await setLabel(page, from, to)
      await page.keyboard.press('Control+s')
      await waitForAlert(page, '保存成功')
      await state(page, '已保存')
    }
    await list.goto(stage.at('/entity/LIB_LOAN/search'))
    await heading(list, '价格')
    const asked = list.getByRole('search').getByRole('textbox').first()
    await asked.fill('教务')
    await design(page)
    await rename('价格', '定价')
    await heading(list, '定价')
    expect(await asked.inputValue()).toBe('教务')
    const title = await addBook(list)
    await title.fill('写了一半')
    await page.getByRole('alert').first().waitFor({ state: 'detached' })
    await rename('定价', '标价')
    expect(await title.inputValue()).toBe('写了一半')
    await saveForm(list)
    await heading(list, '标价')
  })

  it('makes an entry sheet of the rows of a borrower, and says which part is missing', async () => {
    const page = await designing()
    const save = () => page.keyboard.press('Control+s')
    await page.getByRole('button', { name: '实体设置', exact: true }).click()
    await page.getByRole('checkbox', { name: '录入表' }).press('Space')
    const by = page.getByRole('list', { name: '划分字段' })
    await save()
    await page
      .getByText(/options\.entry\.by/)
      .first()
      .waitFor()
    await by.getByRole('checkbox', { name: '读者' }).check()
    const columns = page.getByRole('list', { name: '录入列' })
    await columns.getByRole('checkbox', { name: '读者' }).uncheck()
    await columns.getByRole('checkbox', { name: /价$/ }).uncheck()
    await save()
    await page.getByText('录入表不能使用 price').first().waitFor()
    await columns.getByRole('checkbox', { name: /价$/ }).check()
    // The column that is checked comes last, and is moved to the front by its button and by the
    // keyboard.
    const order = () =>
      columns
        .getByRole('checkbox', { checked: true })
        .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('data-value')))
    const names = await order()
    expect(names.at(-1)).toBe('price')
    await columns.getByRole('button', { name: /^上移 .*价$/ }).click()
    for (let left = names.length - 2; left > 0; left -= 1) await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(order).toEqual(['price', ...names.slice(0, -1)])
    await save()
    await waitForAlert(page, '保存成功')
    await page.goto(stage.at('/entity/LIB_LOAN/entry'))
    await page.getByText('请选择读者').waitFor()
  })

  it('takes a person from a table to a working entity by keyboard alone, and never loses the keyboard', async () => {
    const page = await openDesigner()
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const type = async (text: string) => {
      await page.keyboard.press('Control+a')
      await page.keyboard.type(text)
    }
    /** Where the keyboard is: what it is called, where that stands. */
    const here = () =>
      page.evaluate(() => {
        const at = document.activeElement
        return at === null || at === document.body
          ? 'nowhere'
          : [
              at.closest('nav') === null ? '' : 'menu',
              at.closest('[data-path]')?.getAttribute('data-path') ?? '',
              at.getAttribute('aria-label') ?? at.textContent?.trim() ?? '',
            ]
              .filter((text) => text !== '')
              .join(' ')
      })
    const tabTo = async (wanted: RegExp, key = 'Tab') => {
      // The menu of an administrator has 40 entries.
      for (let presses = 0; presses < 120; presses += 1) {
        if (wanted.test(await here())) return
        await press(key)
      }
      throw new Error(`${String(wanted)} is not reached: the keyboard is at ${await here()}`)
    }
    const at = (wanted: RegExp) => expect.poll(here, { timeout: 15_000 }).toMatch(wanted)
    await tabTo(/^menu 实体配置/)
    await press('Enter')
    await definitions(page).waitFor()
    await tabTo(/^从数据表新建/)
    await press('Enter')
    await at(/^按表名或注释查找/)
    await type('book_loan')
    await tables(page).getByText('book_loan').waitFor()
    await press('Tab', 'Space', 'Tab')
    await type('LIB_KEYS')
    await press('Enter')
    await at(/^设计 图书借阅/)
    // Columns: found, added; the second panel over a field's own place.
    await press('F6', 'F6')
    await at(/^查找列/)
    await type('extra')
    await press('Tab')
    await at(/^extra/)
    await press('Enter', 'F6')
    await at(/^extra/)
    await press('F6')
    await tabTo(/^attrName /)
    await type('extraNote')
    await press('Enter')
    // Fields: one put elsewhere, one named and ruled.
    await press('Shift+F6', 'Home', 'ArrowDown', 'ArrowDown')
    await at(/^借阅人/)
    await press('Alt+ArrowUp', 'Enter')
    await at(/^借阅人/)
    expect((await labels(page)).slice(0, 3)).toEqual(['ID', '借阅人', '书名*'])
    await press('F6')
    await type('读者')
    await press('Enter')
    await tabTo(/^valids.required /)
    await press('Space', 'Tab')
    await type('20')
    await press('Tab')
    await at(/^valids.minLength/)
    await press('Tab')
    await at(/^valids.type/)
    // Two buttons of the entity: one with a condition, and put first.
    await press('Shift+F6')
    await tabTo(/^实体设置/, 'Shift+Tab')
    await press('Enter', 'F6')
    for (const name of ['登记', '归还']) {
      await tabTo(/^添加按钮/)
      await press('Enter')
      await at(/\.name 名称/)
      await type(name)
      await press('Enter')
    }
    await tabTo(/positionExp /)
    await type(`row.borrower != ''`)
    await press('Tab')
    expect(await page.locator('.jw-expression__trials').innerText()).toContain('示例行 1：显示')
    await tabTo(/^归还/, 'Shift+Tab')
    await press('Alt+ArrowUp')
    expect(
      await page
        .locator('[data-button]')
        .evaluateAll((heads) =>
          heads.map((head) => head.firstElementChild?.nextSibling?.textContent),
        ),
    ).toEqual(['归还', '登记'])
    await at(/^归还/)
    // Preview and back, JSON and back, saved, and the list.
    await press('F6')
    await tabTo(/^预览/)
    await press('Enter', 'F6')
    await tabTo(/^返回编辑/)
    await press('Enter')
    await at(/^设计 图书借阅/)
    await press('F6')
    await tabTo(/^JSON/)
    await press('Enter')
    await page.locator('.cm-content').waitFor()
    await press('Escape')
    await tabTo(/^取消/)
    await press('Enter')
    await at(/^JSON/)
    await press('F6', 'F6', 'Control+s')
    await state(page, '第 1 版')
    await at(/^ID/)
    await tabTo(/^menu 图书借阅/, 'Shift+Tab')
    await press('Enter')
    await heading(page, '读者')
    expect(page.url()).toMatch(/#\/entity\/LIB_(KEYS|LOAN)\/search$/)
  })

  it('refuses SQL of one’s own while the server runs, in the lock’s words', () => {
    expect(() => runSql(stage.folder)).toThrow('Another server is already running')
  })
})

it('adds a column to a shipped table without SQL, archives it with its values, and brings it back', async () => {
  const { api } = await staffClient(stage.server)
  const tag = 'EDU_FACULTY'
  const row = await api.entityData.create({
    params: { tag },
    body: { code: 'X1', name: '列学院' },
  })
  const page = await openDesigner(`/entity/${tag}/config/design`)
  await page.getByRole('button', { name: '加一列' }).click()
  const adding = page.getByRole('dialog', { name: '在表 biz.faculty 中新增列' })
  await adding.getByLabel('列名').fill('院训')
  await adding.getByRole('button', { name: '预览' }).click()
  await adding.getByRole('status', { name: '将要做的事' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await adding.getByRole('button', { name: '新增' }).click()
  await adding.waitFor({ state: 'detached' })
  const stored = await api.entityData.get({ params: { tag, id: row.id } })
  const [added] = Object.keys(stored).filter((name) => !(name in row))
  if (added === undefined) throw new Error('the column has no field')
  await api.entityData.update({
    params: { tag, id: row.id },
    body: { version: stored.version ?? 0, [added]: '厚德博学' },
  })
  const act = async (name: string, label: string) => {
    await page.getByRole('button', { name: /^表的改动/ }).click()
    const dialog = page.getByRole('dialog', { name: '表 biz.faculty' })
    await dialog.getByRole('button', { name: `${name} ${label}` }).click()
    await dialog.getByRole('button', { name, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await act('归档', '院训')
  await page.getByRole('button', { name: '表的改动（归档 1）' }).click()
  const table = page.getByRole('dialog', { name: '表 biz.faculty' })
  await table.getByText(/保留 1 个值/).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await table.getByRole('button', { name: '关闭' }).last().click()
  expect(await api.entityData.get({ params: { tag, id: row.id } })).not.toHaveProperty(added)
  await act('恢复', '院训')
  await page.getByRole('button', { name: '表的改动（归档 0）' }).waitFor()
  expect((await api.entityData.get({ params: { tag, id: row.id } }))[added]).toBe('厚德博学')
})
