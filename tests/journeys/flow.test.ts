// A record goes through its flow in the details of the console (docs/rules/contract.md#flows).
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { facultyTag, saveFacultyFlow } from '../flows/faculty-flow.ts'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { staffClient } from '../support/staff-client.ts'

const stage = browserFixture()
const shots = process.env.FLOW_SHOTS

async function takeFlowShots(page: Page, name: string) {
  if (shots === undefined) return
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${shots}/${name}-${colorScheme}-${String(width)}.png` })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

it('is submitted by who made it and decided by somebody else, with what the flow asks for', async () => {
  const [{ api }, registrar] = await Promise.all([
    staffClient(stage.server),
    staffClient(stage.server, 'registrar'),
  ])
  await saveFacultyFlow(api)
  const { id } = await registrar.api.entityData.create({
    params: { tag: facultyTag },
    body: { code: 'FJ1', name: '流程学院' },
  })
  const path = `/entity/${facultyTag}/details-window?id=${id}`
  const form = `/entity/${facultyTag}/form-window?id=${id}`
  const { page: editing } = await stage.staff('registrar', form, { width: 1440, height: 900 })
  const closed = '流程处于“草稿”，此项不可修改'
  await editing.getByRole('img', { name: closed }).first().waitFor()
  expect(await editing.getByLabel('院系名称').isEnabled()).toBe(true)
  expect(await editing.getByLabel('院系代码').isEnabled()).toBe(false)
  await takeFlowShots(editing, 'flow-form')
  expect(await accessibilityViolations(editing)).toEqual([])

  const { page } = await stage.staff('registrar', path, { width: 1440, height: 900 })
  const panel = page.getByRole('region', { name: '流程' })
  await panel.getByText('草稿', { exact: true }).waitFor()
  await panel.getByRole('button', { name: '提交' }).click()
  await page.getByRole('dialog', { name: '提交' }).getByRole('button', { name: '提交' }).click()
  await panel.getByText('审核', { exact: true }).waitFor()
  expect(await panel.getByRole('button').allInnerTexts()).toEqual(['打印审批表', '撤回', '抄送'])

  const { page: other } = await stage.staff('admin', path, { width: 1440, height: 900 })
  const decision = other.getByRole('region', { name: '流程' })
  await decision.getByRole('button', { name: '同意' }).waitFor()
  await takeFlowShots(other, 'flow-details')
  expect(await accessibilityViolations(other)).toEqual([])
  await decision.getByRole('button', { name: '驳回' }).click()
  const refuse = other.getByRole('dialog', { name: '驳回' })
  await refuse.getByRole('button', { name: '驳回' }).click()
  await refuse.getByRole('alert').getByText('请填写意见').waitFor()
  await refuse.getByRole('button', { name: '取消' }).click()
  await decision.getByRole('button', { name: '同意' }).click()
  const agree = other.getByRole('dialog', { name: '同意' })
  await agree.getByLabel('院长').fill('王芳')
  await takeFlowShots(other, 'flow-decide')
  await agree.getByRole('button', { name: '同意' }).click()
  await decision.getByText('已同意', { exact: true }).waitFor()
  await other.getByRole('definition').getByText('王芳', { exact: true }).waitFor()
  expect(await decision.getByRole('button').allInnerTexts()).toEqual(['打印审批表', '抄送'])
  const [sheet] = await Promise.all([
    other.waitForEvent('download'),
    decision.getByRole('button', { name: '打印审批表' }).click(),
  ])
  expect(sheet.suggestedFilename()).toMatch(/院系审批表-\d+\.pdf$/)
  expect(await decision.getByRole('listitem').count()).toBe(2)
  await takeFlowShots(other, 'flow-done')
})
