// Second factors: an authenticator app, recovery codes, a passkey, a demand, and a reset by two administrators
// (docs/rules/security.md#s10).
import type { Page } from 'playwright-core'
import { generate } from 'otplib'
import { expect, it } from 'vitest'
import { accessibilityViolations, enterAsStaff } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { dataRows, openDialog } from '../support/browser/console-page.ts'
import { freePort } from '../support/server.ts'
import { staffClient } from '../support/staff-client.ts'

let origin = ''
const stage = browserFixture(async () => {
  const port = await freePort()
  // Passkeys are bound to a name; an address has none.
  origin = `http://localhost:${port}`
  return { PORT: String(port), PUBLIC_URL: origin }
})
/** The same server by the name that passkeys are bound to. */
const server = () => ({ ...stage.server, url: origin })
const home = (page: Page) =>
  page
    .getByText(/，您好/)
    .first()
    .waitFor()
const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function enter(account: string, look = {}): Promise<Page> {
  const { page } = await stage.visit(look)
  await enterAsStaff(page, server(), account)
  return page
}
async function openFactors(page: Page, person: string) {
  await home(page)
  await findButton(page, person).click()
  await page.getByRole('menuitem', { name: '二次验证' }).click()
  return openDialog(page, '二次验证')
}
async function signOut(page: Page, person: string): Promise<void> {
  await findButton(page, person).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.locator('#account').waitFor()
}
/** Each code is taken once, and a new one comes every 30 seconds: the next one is taken early. */
let steps = 0
async function nextCode(secret: string): Promise<string> {
  steps += 1
  const now = Math.floor(Date.now() / 1000)
  return await generate({ secret, epoch: steps === 1 ? now - 30 : steps === 2 ? now : now + 30 })
}

it('is set up with an app, asked at the sign-in, and left out in a browser that is known', async () => {
  const page = await enter('clerk', { width: 390, height: 844 })
  const dialog = await openFactors(page, '教学秘书')
  await dialog.getByRole('button', { name: '设置', exact: true }).click()
  await dialog.getByRole('img', { name: '验证器二维码' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
  await dialog.getByLabel('6 位验证码').fill('000000')
  await dialog.getByRole('button', { name: '确认', exact: true }).click()
  await dialog.getByRole('alert').filter({ hasText: '验证码不正确' }).waitFor()
  await dialog.getByLabel('6 位验证码').fill(await nextCode(secret))
  await dialog.getByRole('button', { name: '确认', exact: true }).click()
  const codes = dialog.getByRole('region', { name: '恢复码' }).getByRole('listitem')
  await codes.first().waitFor()
  expect(await codes.count()).toBe(10)
  expect(await accessibilityViolations(page)).toEqual([])
  const recovery = await codes.first().innerText()
  await dialog.getByRole('button', { name: '我已保存' }).click()
  await dialog.getByText('还有 10 个未用').waitFor()
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await signOut(page, '教学秘书')

  await enterAsStaff(page, server(), 'clerk')
  await page.getByLabel('6 位验证码').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await findButton(page, '返回').click()
  await page.locator('#account').waitFor()
  await enterAsStaff(page, server(), 'clerk')
  await page.getByLabel('6 位验证码').fill(await nextCode(secret))
  await page.getByText('30 天内在此浏览器不再询问').click()
  await page.keyboard.press('Enter')
  await home(page)
  await signOut(page, '教学秘书')
  await enterAsStaff(page, server(), 'clerk')
  await home(page)

  const elsewhere = await enter('clerk')
  await findButton(elsewhere, '改用恢复码').click()
  await elsewhere.getByLabel('恢复码').fill(recovery)
  await findButton(elsewhere, '确认').click()
  await home(elsewhere)
})

it('takes a passkey of the device', async () => {
  const page = await enter('registrar')
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  const dialog = await openFactors(page, '教务管理员')
  await dialog.getByLabel('名称').fill('办公室电脑')
  await dialog.getByRole('button', { name: '添加通行密钥' }).click()
  await dialog.getByRole('button', { name: '我已保存' }).click()
  await dialog.getByText('尚未使用').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await signOut(page, '教务管理员')
  await enterAsStaff(page, server(), 'registrar')
  await findButton(page, '使用通行密钥').click()
  await home(page)
  const again = await openFactors(page, '教务管理员')
  await again.getByText(/最近使用/).waitFor()
  await again.getByRole('button', { name: '移除 办公室电脑' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '移除', exact: true }).click()
  await again.getByText('办公室电脑').waitFor({ state: 'detached' })
})

it('is demanded by a role: the page waits for it, and lets the person leave', async () => {
  const { api: admin } = await staffClient(stage.server)
  const { records } = await admin.entityData.page({
    params: { tag: 'SYS_ROLE' },
    body: { pageSize: 50 },
  })
  const role = records.find(({ code }) => code === 'ROLE_VIEWER')
  await admin.entityData.update({
    params: { tag: 'SYS_ROLE', id: role?.id ?? '' },
    body: { needsFactor: '1', version: role?.version },
  })
  const { page } = await stage.visit()
  await enterAsStaff(page, server(), 'viewer')
  const dialog = openDialog(page, '二次验证')
  await dialog.getByText('您的账号必须设置二次验证后才能继续使用。').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: '设置', exact: true }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: '退出登录' }).click()
  await page.locator('#account').waitFor()
})

it('is reset when a second administrator agrees', async () => {
  const page = await enter('admin')
  await home(page)
  await page.goto(`${origin}/#/entity/SYS_USER/search`)
  await dataRows(page, 'clerk').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '重置二次验证' }).click()
  const question = openDialog(page)
  await question.getByText(/须由两位管理员先后操作/).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await question.getByRole('button', { name: '申请重置' }).click()
  await page.getByRole('alert').filter({ hasText: '等待另一位管理员确认' }).first().waitFor()
})
