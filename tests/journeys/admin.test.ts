import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { enterAsStaff, accessibilityViolations, signInStaff } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { dataRows, formField, openDialog } from '../support/browser/console-page.ts'

const stage = browserFixture()
let page: Page

/** Acts as another user meanwhile, in a browser of their own. */
async function asAnother(act: (other: Page) => Promise<void>): Promise<void> {
  const other = await stage.visit()
  await act(other.page)
  await other.context.close()
}
async function openStagePath(path: string) {
  await page.goto(stage.at(path))
}
const waitForToast = (text: string) =>
  page.getByRole('alert').filter({ hasText: text }).first().waitFor()
function findButtonWithin(within: Locator, name: string) {
  return within.getByRole('button', { name, exact: true })
}
const question = () => page.getByRole('alertdialog')
const toolbar = () => page.getByRole('toolbar').first()
function findTreeNode(name: string) {
  return page
    .getByRole('treegrid')
    .getByRole('row')
    .filter({
      has: page.getByText(name, { exact: true }),
    })
}
/** The names in the open tree from top to bottom, without the numbers of children beside them. */
async function readTreeNames(): Promise<readonly string[]> {
  const cells = page.getByRole('treegrid').getByRole('row').getByRole('gridcell')
  const firsts = cells.and(page.locator('td:first-child'))
  const texts = await firsts.allInnerTexts()
  return texts.map((text) => text.trim().split('\n')[0] ?? '')
}

beforeEach(async () => {
  ;({ page } = await stage.staff('admin', '/'))
})

it('grants a whole row of permissions, says what changes, and shows it saved', async () => {
  await openStagePath('/entity/SYS_ROLE/search')
  const row = dataRows(page, 'ROLE_CLERK')
  await row.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '权限' }).click()
  const tag = /EDU_GRADE(?!_)/
  const grades = dataRows(page, tag)
  await grades.getByLabel('成绩：全部操作').check()
  expect(await grades.locator('.is-changed').count()).toBe(5)
  await findButtonWithin(page.getByRole('region', { name: '角色权限' }), '保存').click()
  expect(await openDialog(page).getByRole('listitem').allInnerTexts()).toEqual([
    '成绩 · 新增',
    '成绩 · 删除',
    '成绩 · 导出',
    '成绩 · 修改',
    '成绩 · 查看',
  ])
  await findButtonWithin(openDialog(page), '保存').click()
  await waitForToast('权限已保存')
  await page.reload()
  await dataRows(page, tag).waitFor()
  expect(await dataRows(page, tag).getByRole('checkbox', { checked: true }).count()).toBe(6)
})

it('writes a row rule from the names that it may use', async () => {
  await openStagePath('/entity/SYS_ROLE/search')
  await dataRows(page, 'ROLE_TEACHER').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '权限' }).click()
  await dataRows(page, /EDU_GRADE(?!_)/)
    .getByLabel('成绩 数据范围')
    .click()
  const drawer = openDialog(page, /数据范围/)
  const rule = drawer.getByLabel('条件表达式')
  expect(await rule.inputValue()).toBe('row.course.teacher == user.person')
  await rule.fill('row.score < 60 and ')
  await findButtonWithin(drawer, '插入').click()
  await page.getByRole('menuitem', { name: /^课程/ }).hover()
  await page.getByRole('menuitem', { name: '主讲教师 row.course.teacher' }).click()
  await rule.pressSequentially(' == ')
  await findButtonWithin(drawer, '插入').click()
  await page.getByRole('menuitem', { name: '账号对应的人员 user.person' }).click()
  expect(await rule.inputValue()).toBe('row.score < 60 and row.course.teacher == user.person')
  await findButtonWithin(drawer, '检查').click()
  await drawer.getByRole('status').filter({ hasText: '有效' }).waitFor()
})

it('makes a one-time password that must be changed first of all', async () => {
  await openStagePath('/entity/SYS_USER/search')
  const row = dataRows(page, 'viewer')
  await row.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '重置密码' }).click()
  await findButtonWithin(openDialog(page), '重置密码').click()
  const secret = await page.getByLabel('一次性密码').inputValue()
  await asAnother(async (other) => {
    await enterAsStaff(other, stage.server, 'viewer', { secret })
    await other.locator('#password-newPassword').waitFor()
  })
})

it('shows what became of a record, and goes back', async () => {
  await openStagePath('/entity/EDU_FACULTY/search')
  const first = dataRows(page).first()
  await first.getByRole('button', { name: '编辑' }).click()
  const dean = formField(page, '院长')
  const before = await dean.inputValue()
  await dean.fill('历史院长')
  await findButtonWithin(openDialog(page), '保存').click()
  await waitForToast('修改成功')
  await first.getByRole('button', { name: '查看' }).click()
  const details = openDialog(page)
  // The lists that name a faculty stand beside its details, and its neighbours above them.
  await details.getByRole('tab', { name: '专业', exact: true }).click()
  await details.getByRole('table', { name: '专业' }).waitFor()
  const name = await details.getByRole('heading').nth(1).innerText()
  await details.getByRole('button', { name: '下一条' }).click()
  await details.getByText(/^2 \/ \d+$/).waitFor()
  await details.getByRole('button', { name: '上一条' }).click()
  await details.getByRole('heading', { name, exact: true }).nth(0).waitFor()
  await details.getByRole('tab', { name: '变更记录' }).click()
  const changed = details.getByRole('table').first()
  await changed.waitFor()
  expect(await changed.locator('ins').allInnerTexts()).toEqual(['历史院长'])
  expect(await changed.locator('del').allInnerTexts()).toEqual([before === '' ? '—' : before])
  await page.getByRole('list', { name: '选择一次变更' }).getByRole('button').last().click()
  await findButtonWithin(details, '恢复到此时').click()
  await findButtonWithin(question(), '恢复到此时').click()
  await waitForToast('已恢复')
  await changed.locator('del', { hasText: '历史院长' }).waitFor()
})

it('brings a deleted record back from the bin', async () => {
  await openStagePath('/entity/SYS_STATION/search')
  await findButtonWithin(toolbar(), '新增').click()
  await formField(page, '岗位代码').fill('BIN')
  await formField(page, '岗位名称').fill('会回来的岗位')
  await findButtonWithin(openDialog(page), '保存').click()
  const row = dataRows(page, '会回来的岗位')
  await row.getByRole('button', { name: '删除' }).click()
  await findButtonWithin(question(), '删除').click()
  await row.waitFor({ state: 'detached' })
  await findButtonWithin(toolbar(), '更多').click()
  await page.getByRole('menuitem', { name: '回收站' }).click()
  await dataRows(openDialog(page, /回收站/), '会回来的岗位')
    .getByRole('button', { name: '恢复' })
    .click()
  await waitForToast('已恢复 1 条')
  // The bin may still show it too.
  await row.filter({ has: page.getByRole('button', { name: '编辑' }) }).waitFor()
})

it('unfolds a tree, moves in it by hand and by keys, and keeps what others stand below', async () => {
  await openStagePath('/entity/SYS_ORG/search')
  await findTreeNode('示范大学').focus()
  await page.keyboard.press('ArrowRight')
  await findTreeNode('教务处').waitFor()
  expect(await readTreeNames()).toEqual([
    '示范大学',
    '教务处',
    '信息工程学院',
    '机械与动力学院',
    '数理学院',
    '经济管理学院',
    '外国语学院',
    '法学院',
  ])
  // Keys: past the sibling below, then below the one above.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await waitForToast('已移动')
  await expect
    .poll(async () => (await readTreeNames()).slice(1, 3))
    .toEqual(['信息工程学院', '教务处'])
  await findTreeNode('教务处').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(async () => findTreeNode('教务处').getAttribute('aria-level')).toBe('3')
  // By hand: the law school before the school of science.
  const [from, to] = [
    await findTreeNode('法学院').getByTitle('移动 法学院').boundingBox(),
    await findTreeNode('数理学院').boundingBox(),
  ]
  if (from === null || to === null) throw new Error('the rows are not there')
  await page.mouse.move(from.x + 4, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + 60, to.y + 30, { steps: 4 })
  await page.mouse.move(to.x + 60, to.y + 4)
  await page.mouse.up()
  await expect.poll(async () => (await readTreeNames()).indexOf('法学院')).toBe(4)
  // Below another by cut and paste, and what now has a child cannot be deleted.
  await findTreeNode('外国语学院').focus()
  await page.keyboard.press('Control+x')
  await findTreeNode('法学院').focus()
  await page.keyboard.press('Control+v')
  await expect.poll(async () => findTreeNode('外国语学院').getAttribute('aria-level')).toBe('3')
  await findTreeNode('法学院').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await findButtonWithin(question(), '删除').click()
  await waitForToast('还有 1 个下级，请先移走或删除下级')
  // A search keeps the way from the top.
  await page.getByRole('search').getByLabel('机构名称').fill('外国语')
  await page.keyboard.press('Enter')
  await expect.poll(readTreeNames).toEqual(['示范大学', '法学院', '外国语学院'])
  expect(await accessibilityViolations(page)).toEqual([])
})

it('adds, changes and orders the items of a dictionary where they stand', async () => {
  await openStagePath('/dictionary/preview')
  const items = page.getByRole('list', { name: '选项' }).getByRole('listitem')
  const preview = page.getByRole('region', { name: '使用时的样子' })
  await page
    .getByRole('navigation', { name: '字典预览' })
    .getByRole('button', { name: /examType/ })
    .click()
  await items.filter({ hasText: '考查' }).waitFor()
  await page.getByRole('button', { name: '新增选项' }).click()
  await page.getByLabel('代码', { exact: true }).fill('oral')
  await page.getByLabel('名称', { exact: true }).fill('口试')
  await page.keyboard.press('Enter')
  await preview.getByText('口试').first().waitFor()
  await page.getByRole('button', { name: '上移 口试' }).waitFor({ state: 'detached' }) // the next one may be typed at once
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '上移 口试' }).click()
  await waitForToast('已保存')
  await expect
    .poll(() => items.getByRole('code').allInnerTexts())
    .toEqual(['exam', 'check', 'oral', 'retake'])
  await page.getByLabel('启用 补考').click({ force: true })
  await expect
    .poll(() => preview.getByRole('radio').locator('xpath=..').allInnerTexts())
    .toEqual(['考试', '考查', '口试'])
  expect(await accessibilityViolations(page)).toEqual([])
})

it('settles a difference with a reason; somebody else takes the second look', async () => {
  await openStagePath('/print/reconciliation')
  await findButtonWithin(page.getByRole('region', { name: '对账差异' }), '对账').click()
  await page.getByText(/全部相符/).waitFor()
  // Books that differ are nothing the real server can be asked for: it is told what it would find.
  const row = {
    id: '7',
    orderNo: 'JW-lost',
    kind: 'amount',
    ourFen: 500,
    theirFen: 3000,
    day: '2026-03-01',
    createTime: '2026-03-02T02:00:00Z',
    checkedBy: null,
    checkedAt: null,
  }
  let state = { settled: false, note: null as string | null, mayCheck: true }
  const reply = (data: unknown) => ({
    json: { success: true, code: 200, msg: '', data, traceId: '' },
  })
  await page.route(/\/api\/print\/reconciliation/, async (route) => {
    const [request, url] = [route.request(), new URL(route.request().url())]
    if (url.pathname.endsWith('/settle'))
      state = { ...state, settled: true, note: (request.postDataJSON() as { note: string }).note }
    if (url.pathname.endsWith('/check')) state = { ...state, settled: false, note: null }
    const isOpen = url.searchParams.get('open') !== '0'
    await route.fulfill(
      request.method() === 'GET'
        ? reply(
            isOpen === state.settled
              ? []
              : [
                  {
                    ...row,
                    ...state,
                    settledBy: state.settled ? '教务管理员' : null,
                    settledAt: state.settled ? '2026-03-02T03:00:00Z' : null,
                  },
                ],
          )
        : reply(null),
    )
  })
  await findButtonWithin(page.getByRole('region', { name: '对账差异' }), '刷新').click()
  const line = dataRows(page, 'JW-lost')
  await line.waitFor()
  expect((await line.locator('td').allInnerTexts()).slice(0, 6)).toEqual([
    '2026-03-01',
    'JW-lost',
    '金额或流水号不符',
    '5.00',
    '30.00',
    '25.00',
  ])
  await line.getByRole('button', { name: '处理' }).click()
  await findButtonWithin(openDialog(page), '处理').click()
  await openDialog(page).getByRole('alert').filter({ hasText: '请填写原因' }).waitFor()
  await page.getByLabel('原因').fill('线下补差价')
  await findButtonWithin(openDialog(page), '处理').click()
  await line.waitFor({ state: 'detached' })
  await page.getByText('已处理', { exact: true }).click()
  await line.getByText('线下补差价').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await line.getByRole('button', { name: '退回' }).click()
  await findButtonWithin(openDialog(page), '退回').click()
  await page.getByText('没有已处理的差异').waitFor()
})

it('changes all that a filter finds but for one, seeing beforehand what becomes of each', async () => {
  await openStagePath('/entity/EDU_TEACHER/search')
  const chosen = page.getByRole('region', { name: '已选数据' })
  const bulk = openDialog(page, /批量修改/)
  await dataRows(page).nth(9).waitFor()
  await page.getByLabel('全选本页').click()
  await page.getByRole('button', { name: /^选择符合条件的全部 \d+ 条$/ }).click()
  await dataRows(page).first().getByRole('checkbox').click()
  await page.getByText(/^已选符合条件的 119 条，不含 1 条$/).waitFor()
  await findButtonWithin(chosen, '批量修改').click()
  await page.getByLabel('选择要修改的字段').selectOption({ label: '研究方向' })
  await page.keyboard.type('图书馆学')
  await findButtonWithin(bulk, '预览变化').click()
  await bulk.getByRole('definition').filter({ hasText: /^119$/ }).waitFor()
  expect(await dataRows(bulk).getByRole('insertion').first().innerText()).toBe('图书馆学')
  expect(await accessibilityViolations(page, '[role=dialog]')).toEqual([])
  await findButtonWithin(bulk, '修改 119 条').click()
  await page.getByRole('status').filter({ hasText: '处理完成' }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    findButtonWithin(bulk, '下载结果').click(),
  ])
  expect(file.suggestedFilename()).toBe('EDU_TEACHER-批量处理结果.xlsx')
  await findButtonWithin(bulk, '关闭').last().click()
  await chosen.waitFor({ state: 'detached' })
})

it('takes a message to its reader, and the bin to its end', async () => {
  await openStagePath('/entity/SYS_MESSAGE/search')
  await findButtonWithin(toolbar(), '新增').click()
  await formField(page, '标题').fill('下午开会')
  await formField(page, '接收人').click()
  await page.getByRole('option', { name: '教学秘书' }).click()
  await formField(page, '内容').fill('两点，301 室')
  await findButtonWithin(openDialog(page), '保存').click()
  const row = dataRows(page, '下午开会')
  await row.waitFor()
  await asAnother(async (other) => {
    await signInStaff(other, stage.server, 'clerk')
    await other.getByRole('button', { name: '1 条未读消息' }).click()
    await other.getByRole('button', { name: /下午开会/ }).click()
    await other.getByText('两点，301 室').waitFor()
    await other.getByRole('button', { name: '消息', exact: true }).waitFor() // nothing unread is left
  })
  await page.reload()
  await row.getByText('已读').waitFor()
  await row.getByRole('button', { name: '删除' }).click()
  await findButtonWithin(question(), '删除').click()
  await row.waitFor({ state: 'detached' })
  await findButtonWithin(toolbar(), '更多').click()
  await page.getByRole('menuitem', { name: '回收站' }).click()
  await page.getByLabel('搜索已删除的数据').fill('开会')
  await page.keyboard.press('Enter')
  await dataRows(openDialog(page, /回收站/), '下午开会')
    .getByRole('button', { name: '彻底删除' })
    .click()
  expect(await findButtonWithin(openDialog(page, '彻底删除'), '彻底删除').isDisabled()).toBe(true)
  await page.getByLabel('输入 1').fill('1')
  await page.keyboard.press('Enter')
  await waitForToast('已彻底删除 1 条')
})

it('keeps a form with its view: out of sight while another is in front, and as it was when it comes back', async () => {
  await openStagePath('/entity/EDU_FACULTY/search')
  await dataRows(page).first().waitFor()
  await openStagePath('/entity/EDU_CLASS/search')
  await dataRows(page).first().waitFor()
  await findButtonWithin(toolbar(), '新增').click()
  const name = formField(page, '班级名称')
  await name.fill('尚未保存')
  await page.goBack()
  await openDialog(page).waitFor({ state: 'hidden' })
  await findButtonWithin(toolbar(), '新增').click()
  await formField(page, '院系名称').click()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('新增')
  await page.goForward()
  expect(await name.inputValue()).toBe('尚未保存')
  await page.keyboard.press('Escape')
  await question().filter({ hasText: '确定离开吗' }).waitFor()
})
