// Cases that wait for a person are decided from the list of to-dos (docs/rules/contract.md#flows).
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { facultyFlow, facultyTag, saveFacultyFlow } from '../flows/faculty-flow.ts'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { staffClient } from '../support/staff-client.ts'

const stage = browserFixture()
const shots = process.env['FLOW_SHOTS']
const phone = { width: 390, height: 844 }

/** A flow whose approval asks for no field, so that several are decided together. */
const { APPROVE, ...others } = facultyFlow.states.review.on
const { ask: _ask, ...approve } = APPROVE
const flow = {
  ...facultyFlow,
  states: {
    ...facultyFlow.states,
    review: { ...facultyFlow.states.review, on: { APPROVE: approve, ...others } },
  },
}

/** Axe looks at both themes at both widths, and a person where a folder is given. */
async function checkTodoLooks(page: Page, name: string) {
  for (const width of [1440, phone.width]) {
    await page.setViewportSize({ ...phone, width })
    expect(await accessibilityViolations(page)).toEqual([])
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(wider).toBeLessThanOrEqual(0)
    for (const theme of shots === undefined ? [] : ['dark', 'light']) {
      await page.evaluate((wanted) => {
        document.documentElement.dataset['theme'] = wanted
        document.body.classList.toggle('bp6-dark', wanted === 'dark')
      }, theme)
      await page.screenshot({ path: `${shots ?? ''}/${name}-${theme}-${String(width)}.png` })
    }
  }
}

it('lets a dean decide several cases together on a phone, by keyboard, and tells each result', async () => {
  const [{ api }, registrar] = await Promise.all([
    staffClient(stage.server),
    staffClient(stage.server, 'registrar'),
  ])
  await saveFacultyFlow(api, flow)
  const ids: string[] = []
  for (const no of [1, 2, 3]) {
    const { id } = await registrar.api.entityData.create({
      params: { tag: facultyTag },
      body: { code: `TD${String(no)}`, name: `待办学院${String(no)}` },
    })
    const params = { tag: facultyTag, id }
    const { version } = await registrar.api.flow.read({ params })
    await registrar.api.flow.send({ params: { ...params, event: 'SUBMIT' }, body: { version } })
    ids.push(id)
  }

  const { page } = await stage.staff('admin', '/', phone)
  const badge = page.getByRole('banner').getByRole('button', { name: '3 件待办' })
  await badge.waitFor()
  await page
    .getByRole('main')
    .getByRole('link', { name: /待办.*3|3.*待办/ })
    .waitFor()
  await badge.focus()
  await page.keyboard.press('Enter')
  const cases = page.getByRole('list', { name: '我的待办' }).getByRole('listitem')
  await cases.nth(2).waitFor()
  expect(await cases.count()).toBe(3)
  await page.getByRole('checkbox', { name: '本页全选' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('已选 3 件').waitFor()
  await checkTodoLooks(page, 'todo-list')

  const agree = page.getByRole('button', { name: '同意', exact: true })
  await agree.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '同意' })
  await dialog.getByRole('button', { name: '核对' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('3 件可办，0 件不可办').waitFor()
  expect((await dialog.getByRole('listitem').allInnerTexts()).sort()).toEqual(
    [1, 2, 3].map((no) =>
      expect.stringMatching(new RegExp(`待办学院${String(no)}[^]*会到“已同意”`)),
    ),
  )
  await checkTodoLooks(page, 'todo-check')

  // Its applicant takes one back meanwhile.
  const params = { tag: facultyTag, id: ids[1] ?? '' }
  const { version } = await registrar.api.flow.read({ params })
  await registrar.api.flow.send({ params: { ...params, event: 'WITHDRAW' }, body: { version } })
  await dialog.getByRole('button', { name: '同意（3 件）' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('已办 2 件，1 件没有办成').waitFor()
  await checkTodoLooks(page, 'todo-told')
  await page.keyboard.press('Enter')
  await page.getByText('没有等您办理的事').waitFor()
  await page.getByRole('banner').getByRole('button', { name: '待办', exact: true }).waitFor()
  const states = await Promise.all(
    ids.map(async (id) => (await api.flow.read({ params: { tag: facultyTag, id } })).state),
  )
  expect(states).toEqual(['done', 'draft', 'done'])

  await page.getByRole('button', { name: '我已办' }).click()
  const decided = page.getByRole('list', { name: '我已办' })
  await expect.poll(() => decided.getByRole('listitem').count()).toBe(2)
  await decided.getByRole('link').first().click()
  await page.getByRole('region', { name: '流程' }).getByText('已同意', { exact: true }).waitFor()
})

it('hands a case over from the list, after a check, and reads a copy that it got', async () => {
  const [{ api }, registrar] = await Promise.all([
    staffClient(stage.server),
    staffClient(stage.server, 'registrar'),
  ])
  // The flow is that of the test before.
  const { id } = await registrar.api.entityData.create({
    params: { tag: facultyTag },
    body: { code: 'TD9', name: '转办学院' },
  })
  const params = { tag: facultyTag, id }
  const { version } = await registrar.api.flow.read({ params })
  await registrar.api.flow.send({ params: { ...params, event: 'SUBMIT' }, body: { version } })

  const { page } = await stage.staff('admin', '/todo', phone)
  await page.getByRole('button', { name: '“转办学院”的更多操作' }).click()
  await page.getByRole('menuitem', { name: '转办' }).click()
  const dialog = page.getByRole('dialog', { name: '转办' })
  await dialog.getByLabel('人员').fill('secretary')
  await page.keyboard.press('Enter')
  const found = dialog.getByRole('list', { name: '查找结果' }).getByRole('button')
  await found.first().click()
  await dialog.getByRole('button', { name: '核对' }).click()
  await dialog.getByRole('alert').getByText('请填写转办的原因').waitFor()
  await dialog.getByLabel('原因').fill('出差')
  await dialog.getByRole('button', { name: '核对' }).click()
  await dialog
    .getByRole('status')
    .getByText(/将由 .+ 办理/)
    .waitFor()
  await checkTodoLooks(page, 'todo-transfer')
  await dialog.getByRole('button', { name: '转办' }).click()
  await page.getByText('没有等您办理的事').waitFor()
  const after = await api.flow.read({ params })
  expect(after.log.at(-1)).toMatchObject({ event: 'transfer', note: '出差' })

  const self = await api.session.whoami({})
  await registrar.api.flow.copy({ body: { tag: facultyTag, id, to: [self.id], note: '供参考' } })
  await page.getByRole('button', { name: '抄送我' }).click()
  await page.getByText('未读').waitFor()
  await checkTodoLooks(page, 'todo-copied')
  await page.getByRole('button', { name: '转办学院' }).click()
  const copied = page.getByRole('dialog', { name: '转办学院' })
  await copied.getByText('供参考').waitFor()
  await copied.getByRole('list', { name: '办理经过' }).getByText('出差').waitFor()
  await checkTodoLooks(page, 'todo-copy')
  await copied.getByRole('button', { name: '确定' }).click()
  await expect.poll(() => page.getByText('未读').count()).toBe(0)

  await page.getByRole('button', { name: '委托', exact: true }).click()
  const substitutes = page.getByRole('dialog', { name: '委托' })
  await substitutes.getByLabel('人员').fill('secretary')
  await page.keyboard.press('Enter')
  await substitutes.getByRole('list', { name: '查找结果' }).getByRole('button').first().click()
  await substitutes.getByRole('button', { name: '委托办理' }).click()
  await substitutes.getByRole('button', { name: '结束' }).waitFor()
  await checkTodoLooks(page, 'todo-substitutes')
})
