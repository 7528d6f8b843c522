import type { CDPSession, Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { findGridCell as cell, gridTextAt as textAt } from '../support/browser/grid-page.ts'
import { staffClient } from '../support/staff-client.ts'

const stage = browserFixture()
const shots = process.env.GRID_SHOTS

async function openGrid(path: string, size = { width: 1440, height: 900 }) {
  const { page } = await stage.staff('admin', path, size)
  await page
    .getByRole('group', { name: /^第 1 行，/ })
    .first()
    .waitFor()
  return page
}

/** Puts text on the clipboard of the page as a spreadsheet does, and pastes it. */
async function pasteGridText(page: Page, text: string) {
  await page.evaluate((data) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', data)
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)
}

async function compose(cdp: CDPSession, steps: readonly string[], text: string) {
  for (const step of steps)
    await cdp.send('Input.imeSetComposition', {
      text: step,
      selectionStart: step.length,
      selectionEnd: step.length,
    })
  await cdp.send('Input.insertText', { text })
}

const nowhere = { x: 0, y: 0, width: 0, height: 0 }
const findSavedNote = (page: Page) =>
  page.getByRole('toolbar', { name: '表格编辑' }).getByText('已保存')
const shot = async (page: Page, name: string) => {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png` })
}

describe('a list as a spreadsheet', () => {
  it('is typed into, by keys and input methods, saves by itself, and undoes over a reload', async () => {
    const page = await openGrid('/entity/EDU_TEACHER/search?mode=grid')
    await shot(page, 'grid')
    await cell(page, 1, '姓名').click()
    const before = await textAt(page, 1, '姓名')
    const cdp = await page.context().newCDPSession(page)
    await compose(cdp, ['o', 'ou', 'ouyang'], '欧阳')
    await shot(page, 'composed')
    await page.keyboard.press('Enter')
    await expect.poll(() => textAt(page, 1, '姓名')).toBe('欧阳')
    await page.keyboard.type('王五')
    await page.keyboard.press('Tab')
    await expect.poll(() => textAt(page, 2, '姓名')).toBe('王五')
    await findSavedNote(page).waitFor()
    await shot(page, 'edited')
    await page.reload()
    await page.getByRole('group', { name: '第 1 行，姓名：欧阳' }).first().waitFor()
    await cell(page, 1, '姓名').click()
    await page.getByRole('button', { name: '查找和替换' }).click()
    await page.getByRole('textbox', { name: '查找' }).fill('欧阳')
    await page.getByRole('textbox', { name: '替换为' }).fill('欧')
    await page.keyboard.press('Enter')
    await expect.poll(() => textAt(page, 1, '姓名')).toBe('欧')
    await cell(page, 1, '姓名').click()
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(() => textAt(page, 1, '姓名')).toBe(before)
    await findSavedNote(page).waitFor()
    expect(await accessibilityViolations(page, '.jw-cells__frame')).toEqual([])
  })

  it('takes every key that follows a click, also from a page that is busy, and selects ranges by mouse', async () => {
    const page = await openGrid('/entity/EDU_COURSE/search?mode=grid')
    const cdp = await page.context().newCDPSession(page)
    const middle = async (row: number, label: string) => {
      const { x, y, width, height } = (await cell(page, row, label).boundingBox()) ?? nowhere
      return { x: x + width / 2, y: y + height / 2 }
    }
    /** A click and what follows it wait together until the page has time. */
    const whileBusy = async (row: number, label: string, follow: () => Promise<unknown>[]) => {
      const at = { ...(await middle(row, label)), button: 'left', clickCount: 1 } as const
      await page.getByRole('toolbar', { name: '表格编辑' }).getByRole('textbox').focus()
      await page.evaluate(() => {
        setTimeout(() => {
          const end = performance.now() + 1500
          while (performance.now() < end) Math.random()
        }, 50)
      })
      await page.waitForTimeout(100)
      const sent = [
        cdp.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at }),
        cdp.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at }),
        ...follow(),
      ]
      await Promise.all(sent)
    }
    await whileBusy(1, '课程名称', () => [
      cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '数', text: '数' }),
      cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key: '数' }),
      cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key: '学', text: '学' }),
      cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key: '学' }),
    ])
    await page.keyboard.press('Enter')
    await expect.poll(() => textAt(page, 1, '课程名称')).toBe('数学')
    const composed = (text: string) => ({ text, selectionStart: text.length, selectionEnd: 0 })
    await whileBusy(2, '课程名称', () => [
      cdp.send('Input.imeSetComposition', composed('w')),
      cdp.send('Input.imeSetComposition', composed('wu')),
      cdp.send('Input.insertText', { text: '物理' }),
    ])
    await page.keyboard.press('Enter')
    await expect.poll(() => textAt(page, 2, '课程名称')).toBe('物理')
    // A click elsewhere ends what is composed, in its own cell.
    const fourth = await textAt(page, 4, '课程名称')
    await cell(page, 3, '课程名称').click()
    await cdp.send('Input.imeSetComposition', composed('化学'))
    await cell(page, 4, '课程名称').click()
    await page.keyboard.press('Escape')
    await expect.poll(() => textAt(page, 3, '课程名称')).toBe('化学')
    expect(await textAt(page, 4, '课程名称')).toBe(fourth)
    // A word that is composed on a choice opens its list, searched for the whole word.
    await whileBusy(5, '开课院系', () => [
      cdp.send('Input.imeSetComposition', composed('f')),
      cdp.send('Input.imeSetComposition', composed('fa')),
      cdp.send('Input.insertText', { text: '法学' }),
    ])
    await page.getByRole('listbox').getByRole('option').nth(1).waitFor({ state: 'detached' })
    await page.getByRole('listbox').getByRole('option', { name: '法学院' }).click()
    await expect.poll(() => textAt(page, 5, '开课院系')).toBe('法学院')
    await findSavedNote(page).waitFor()

    const selected = (rows: number, columns: number) =>
      page.getByText(`已选 ${rows} 行 × ${columns} 列`, { exact: true }).waitFor()
    const [from, to] = [await middle(5, '课程名称'), await middle(2, '课程代码')]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y)
    await page.mouse.up()
    await selected(4, 2)
    await cell(page, 8, '课程名称').click({ modifiers: ['Shift'] })
    await selected(4, 1)
    await page.keyboard.press('Control+d')
    await expect.poll(() => textAt(page, 8, '课程名称')).toBe(await textAt(page, 5, '课程名称'))
    await page.keyboard.press('Control+z')
    await findSavedNote(page).waitFor()
    // All of them are selected without leaving the place.
    await page.keyboard.press('Control+a')
    await cell(page, 1, '课程名称').click()
    await selected(1, 1)
  })

  it('sorts by every button of its heading under a press of the mouse, and selects no column by it', async () => {
    const wide = { width: 1920, height: 900 }
    const page = await openGrid('/entity/EDU_TEACHER/search?mode=grid', wide)
    const first = await textAt(page, 1, '姓名')
    await cell(page, 2, '姓名').click()
    const buttons = page.getByRole('button', { name: /^排序：/ })
    const names = new Set(
      await buttons.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? '')),
    )
    expect(names.size).toBeGreaterThan(3)
    for (const name of names) {
      const button = page.getByRole('button', { name, exact: true }).last()
      await button.click()
      await expect.poll(() => button.getAttribute('aria-pressed'), { message: name }).toBe('true')
      await page.getByText('已选 1 行 × 1 列', { exact: true }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    }
    await shot(page, 'sorted')
    const sorted = page.getByRole('button', { name: '排序：姓名', exact: true }).last()
    await page.keyboard.press('Control+Home')
    await expect.poll(() => textAt(page, 1, '姓名')).not.toBe(first)
    expect(await sorted.count()).toBe(1)
  })

  describe('opens editors that assistive technology can name and follow', () => {
    const named = (page: Page, label: string) =>
      page.getByLabel(`第 2 行，${label}`, { exact: true }).last()
    const option = (page: Page, label: string) =>
      page.getByRole('listbox', { name: label }).getByRole('option').nth(1)
    const open = async (page: Page, label: string, part: Locator) => {
      await cell(page, 2, label).dblclick()
      await part.waitFor()
      await shot(page, `editor-${label}`)
    }
    const look = async (page: Page, label: string, part: Locator) => {
      await open(page, label, part)
      expect(await accessibilityViolations(page)).toEqual([])
    }
    const leave = (page: Page, label: string) =>
      expect
        .poll(async () => {
          await page.keyboard.press('Escape')
          return page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
        })
        .toBe(`第 2 行，${label}`)

    it('for text, choices, relations and switches', async () => {
      const page = await openGrid('/entity/EDU_TEACHER/search?mode=grid')
      await look(page, '姓名', named(page, '姓名'))
      await look(page, '性别', option(page, '性别'))
      await page.keyboard.press('ArrowDown')
      expect(
        await page.getByRole('combobox', { name: '查询' }).getAttribute('aria-activedescendant'),
      ).toBe(await option(page, '性别').getAttribute('id'))
      await leave(page, '性别')
      await look(page, '院系', option(page, '院系'))
      await leave(page, '院系')
      await look(page, '是否在职', named(page, '是否在职'))
    })

    it('for dates, several choices and trees, also in cells without a value', async () => {
      const teachers = await openGrid('/entity/EDU_TEACHER/search?mode=grid')
      await open(teachers, '出生日期', named(teachers, '出生日期'))
      await teachers.keyboard.press('Alt+ArrowDown')
      await teachers.getByRole('grid').waitFor()
      expect(await accessibilityViolations(teachers)).toEqual([])
      const users = await openGrid('/entity/SYS_USER/search?mode=grid')
      await look(users, '角色', option(users, '角色'))
      await leave(users, '角色')
      const tree = users.getByRole('tree', { name: '所属机构' })
      await look(users, '所属机构', tree)
      await users.keyboard.press('ArrowRight')
      await tree.getByRole('treeitem', { level: 2 }).first().waitFor()
      await leave(users, '所属机构')
      await open(users, '岗位', users.getByRole('listbox', { name: '岗位' }))
    })
  })

  it('takes a block from a spreadsheet over old and new rows after a preview, in one step of undo', async () => {
    const page = await openGrid('/entity/EDU_FACULTY/search?mode=grid')
    const bar = page.getByRole('toolbar', { name: '表格编辑' })
    const rows = Number((await bar.getByText(/^\/ /).innerText()).replace(/\D/g, ''))
    const first = await textAt(page, rows, '院系代码')
    await cell(page, rows, '院系代码').click()
    await pasteGridText(page, `${first}\t改过的院系\r\nX91\t"新一\n院"\r\nX92\t新二院\r\n`)
    const dialog = page.getByRole('dialog', { name: '确认粘贴' })
    await dialog.getByText('将修改 1 格，新增 2 行').waitFor()
    await dialog.getByText('1 个单元格中的换行已改为空格').waitFor()
    await dialog.getByRole('cell', { name: '新一 院', exact: true }).waitFor()
    await shot(page, 'preview')
    expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([])
    await dialog.getByRole('button', { name: '写入' }).click()
    await bar.getByText(`/ ${rows + 2}`).waitFor()
    await page.getByRole('group', { name: '院系名称：改过的院系' }).first().waitFor()
    await bar.getByRole('button', { name: '撤销' }).click()
    await bar.getByText(`/ ${rows}`, { exact: true }).waitFor()
    expect(await page.getByRole('group', { name: '改过的院系' }).count()).toBe(0)
  })

  it('shows the slower of two people the newer value, and keeps what they typed', async () => {
    const path = '/entity/EDU_TEACHER/search?mode=grid'
    const [fast, slow] = [await openGrid(path), await openGrid(path)]
    const type = async (page: Page, row: number, label: string, text: string) => {
      await cell(page, row, label).click()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await type(fast, 5, '姓名', '快者')
    await findSavedNote(fast).waitFor()
    await type(slow, 5, '姓名', '慢者')
    await slow.getByText('有 1 行已被他人修改').first().waitFor()
    await slow.getByRole('group', { name: '姓名：慢者，已被他人修改为：快者' }).first().waitFor()
    await shot(slow, 'conflict')
    expect(await accessibilityViolations(slow)).toEqual([])
    // Another row of theirs is saved while the first waits for an answer.
    await type(slow, 7, '姓名', '另一')
    await cell(slow, 5, '姓名').click()
    const conflict = slow.getByRole('group', { name: '已被他人修改', exact: true })
    await conflict.getByText(/^系统管理员 于 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d 修改$/).waitFor()
    await conflict.getByText('我的 慢者').waitFor()
    await conflict.getByText('对方的 快者').waitFor()
    await shot(slow, 'conflict-tip')
    expect(await accessibilityViolations(slow, 'main')).toEqual([])
    // By the keyboard: into the conflict, back, and in again.
    const active = () => slow.evaluate(() => document.activeElement?.textContent)
    await slow.keyboard.press('F2')
    expect(await active()).toBe('保留我的修改')
    await slow.keyboard.press('Escape')
    expect(await slow.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await slow.keyboard.press('F2')
    await slow.keyboard.press('Enter')
    await findSavedNote(slow).waitFor()
    expect(await slow.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      '第 5 行，姓名',
    )
    await type(fast, 5, '姓名', '再改')
    await cell(fast, 5, '姓名').click()
    await fast.getByRole('button', { name: '采用对方的值' }).click()
    expect(await fast.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await expect.poll(() => textAt(fast, 5, '姓名')).toBe('慢者')
    // Cells of one row that both changed do not collide.
    await type(slow, 6, '姓名', '同行')
    await findSavedNote(slow).waitFor()
    await type(fast, 6, '邮箱', 'same.row@school.cn')
    await findSavedNote(fast).waitFor()
    await expect.poll(() => textAt(fast, 6, '姓名')).toBe('同行')
  })

  it('keeps what is typed without a network, and saves it once when there is one', async () => {
    const { page, faults } = await stage.staff('admin', '/entity/EDU_FACULTY/search?mode=grid')
    await page
      .getByRole('group', { name: /^第 1 行，/ })
      .first()
      .waitFor()
    const { api } = await staffClient(stage.server)
    const names = async () => {
      const { records } = await api.entityData.page({
        params: { tag: 'EDU_FACULTY' },
        body: { pageSize: 200, sorts: [{ column: 'createTime', asc: true }] },
      })
      return records.map(({ name }) => String(name))
    }
    const before = await names()
    const bar = page.getByRole('toolbar', { name: '表格编辑' })
    await page.context().setOffline(true)
    await cell(page, 1, '院系名称').click()
    for (const text of ['离线一院', '离线二院']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await bar.getByText('已输入的内容都还在').waitFor()
    await bar.getByRole('button', { name: '新增一行' }).click()
    await page.keyboard.type('X98')
    await page.keyboard.press('Tab')
    await page.keyboard.type('离线新院')
    await page.keyboard.press('Enter')
    await cell(page, 1, '院系名称').click()
    await shot(page, 'offline')
    await page.context().setOffline(false)
    await findSavedNote(page).waitFor()
    await expect.poll(names).toHaveLength(before.length + 1)
    const after = await names()
    for (const text of ['离线一院', '离线二院', '离线新院'])
      expect(after.filter((name) => name === text)).toEqual([text])
    // A block that could not be loaded is loaded by itself.
    await page.context().setOffline(true)
    await bar.getByRole('button', { name: '刷新' }).click()
    await bar.getByText('网络异常').waitFor()
    await page.context().setOffline(false)
    await findSavedNote(page).waitFor()
    await bar.getByText('网络异常').waitFor({ state: 'detached' })
    expect(faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
    faults.length = 0
  })

  it('reaches the last of forty thousand rows by a key, and opens from the toolbar', async () => {
    const { page } = await stage.staff('admin', '/entity/EDU_GRADE/search')
    await page.getByRole('button', { name: '表格编辑' }).click()
    await page
      .getByRole('group', { name: /^第 1 行，/ })
      .first()
      .waitFor()
    await cell(page, 1, '成绩').click()
    // The total is an estimate until the last row is seen.
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+End')
        return await page.getByRole('group', { name: /^第 40000 行，/ }).count()
      })
      .toBeGreaterThan(0)
    await page.keyboard.press('Control+End')
    await page.getByText('/ 40,000', { exact: true }).waitFor()
    await page
      .getByRole('group', { name: /^第 40000 行，学生：./ })
      .first()
      .waitFor()
    await page.keyboard.press('Control+Home')
    await page
      .getByRole('group', { name: /^第 1 行，学生：./ })
      .first()
      .waitFor()
    await page.getByRole('textbox', { name: '转到行' }).fill('20000')
    await page.keyboard.press('Enter')
    await page
      .getByRole('group', { name: /^第 20000 行，学生：./ })
      .first()
      .waitFor()
    expect(await page.locator('.bp6-table-cell').count()).toBeLessThan(1_500)
    // The row of the active cell comes back after the wheel has moved away.
    await page.mouse.move(700, 500)
    const active = page.getByRole('group', { name: /^第 20000 行，学生：./ }).first()
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000)
        return active.count()
      })
      .toBe(0)
    await page.getByRole('textbox', { name: '转到行' }).fill('20000')
    await page.keyboard.press('Enter')
    await active.waitFor()
  })
})
