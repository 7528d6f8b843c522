// Sign-in of staff at an identity provider of another vendor.
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { createClient } from '@jiaowu/api/client/client'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { openDialog } from '../support/browser/console-page.ts'
import { freePort } from '../support/server.ts'
import { staffClient } from '../support/staff-client.ts'
import { type ForeignCas, foreignCas } from '../support/sso/foreign-cas.ts'
import { type ForeignOidc, foreignOidc } from '../support/sso/foreign-oidc.ts'

let foreign: ForeignOidc | undefined
let cas: ForeignCas | undefined
const stage = browserFixture(async (folder) => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  foreign = await foreignOidc(origin, { people: { clerk: { name: '李文员' } } })
  const path = join(folder, 'sso.json')
  const campus = {
    id: 'campus',
    kind: 'oidc',
    name: '统一身份认证',
    nameEn: 'Campus sign-in',
    issuer: foreign.issuer,
    clientId: foreign.clientId,
    clientSecret: 'env:CAMPUS_SECRET',
  }
  cas = await foreignCas({})
  const students = {
    id: 'students',
    kind: 'cas',
    for: 'students',
    name: '学生统一认证',
    nameEn: 'Students',
    server: cas.server,
  }
  const dead = { ...campus, id: 'dead', name: '旧认证', issuer: 'http://127.0.0.1:9' }
  writeFileSync(path, JSON.stringify({ providers: [campus, dead, students] }))
  return {
    PORT: String(port),
    PUBLIC_URL: origin,
    SSO_FILE: path,
    CAMPUS_SECRET: foreign.clientSecret,
  }
})
afterAll(async () => {
  await foreign?.stop()
  await cas?.stop()
})

const findSignOnButton = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true })
async function atProvider(page: Page, choice: '登录' | '取消', account = '') {
  await page.getByRole('heading', { name: '校园身份认证' }).waitFor()
  await page.getByLabel('账号').fill(account)
  await page.getByRole('button', { name: choice, exact: true }).click()
}

it('signs in by the provider, opens the page that was asked for, and signs out there too', async () => {
  const { page } = await stage.visit()
  await page.goto(stage.at('/entity/EDU_STUDENT/search'))
  await page.getByRole('tab', { name: /教职工/ }).click()
  await page.getByText('旧认证 暂时无法连接').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await findSignOnButton(page, '用 统一身份认证 登录').click()
  await atProvider(page, '登录', 'clerk')
  await page.waitForURL(/#\/entity\/EDU_STUDENT\/search/)
  await page.getByRole('table').first().waitFor()
  await page.getByRole('button', { name: '教学秘书', exact: true }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByRole('heading', { name: '退出校园身份认证' }).waitFor()
  await findSignOnButton(page, '退出').click()
  await page.locator('#account').waitFor()
})

it('tells a cancelled sign-in in words and leads back', async () => {
  const { page } = await stage.visit({ width: 390, height: 844 })
  await page.goto(stage.at('/login?as=staff'))
  await findSignOnButton(page, '用 统一身份认证 登录').click()
  await atProvider(page, '取消')
  await page.getByRole('alert').filter({ hasText: '您在认证页面取消了登录。' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await findSignOnButton(page, '返回登录页').click()
  await page.locator('#account').waitFor()
  await page.goto(stage.at('/login?as=staff'))
  await findSignOnButton(page, '用 旧认证 登录').click()
  await page.getByRole('alert').filter({ hasText: '暂时无法连接认证服务器' }).waitFor()
})

it('proves at the provider who the person is, and goes on in the first window', async () => {
  const { page, context } = await stage.visit()
  await page.goto(stage.at('/login?as=staff&redirect=%2Fdevice'))
  await findSignOnButton(page, '用 统一身份认证 登录').click()
  await atProvider(page, '登录', 'clerk')
  const client = createClient({
    baseURL: `${stage.server.url}/api`,
    locale: () => 'zh-CN',
    authorise: () => Promise.resolve(undefined),
  })
  const { deviceCode, userCode } = await client.device.start({})
  // As an hour after the sign-in: the server asks for a proof until the call brings one.
  await page.route('**/device/decide', async (route) => {
    if ((await route.request().headerValue('x-reauth')) !== null) return await route.continue()
    const data = { kinds: ['provider', 'password'] }
    const body = { success: false, code: 40310, msg: '再次验证', data, traceId: 't' }
    return await route.fulfill({ status: 403, json: body })
  })
  await page.getByLabel('代码').fill(userCode)
  await findSignOnButton(page, '下一步').click()
  await findSignOnButton(page, '允许登录').click()
  const question = openDialog(page, '验证身份')
  expect(await accessibilityViolations(page)).toEqual([])
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    question.getByRole('button', { name: '用统一身份认证验证（新窗口）' }).click(),
  ])
  await atProvider(other, '登录', 'clerk')
  await other.getByRole('status').filter({ hasText: '已验证。' }).waitFor()
  await page.getByRole('status').filter({ hasText: '可以回到终端' }).waitFor()
  const { userInfo } = await client.device.poll({ body: { deviceCode } })
  expect(userInfo.account).toBe('clerk')
})

it('signs a student in by a CAS server, and out of it', async () => {
  const { api } = await staffClient(stage.server)
  const { records } = await api.entityData.page({
    params: { tag: 'EDU_STUDENT' },
    body: { pageSize: 1 },
  })
  const [student] = records
  const { page } = await stage.visit()
  await page.goto(stage.at('/login?as=student'))
  await findSignOnButton(page, '用 学生统一认证 登录').click()
  await page.getByRole('heading', { name: '统一身份认证平台' }).waitFor()
  await page.getByLabel('账号').fill(String(student?.studentNo))
  await findSignOnButton(page, '登录').click()
  await page.getByText(String(student?.name)).first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await findSignOnButton(page, '退出登录').click()
  await page.getByRole('heading', { name: '已退出统一身份认证' }).waitFor()
})
