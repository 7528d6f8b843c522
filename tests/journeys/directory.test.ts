// Sign-in with an account of a directory, in the browser and on the terminal.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { commandAt } from '../cli/command.ts'
import { accessibilityViolations } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { staffClient } from '../support/staff-client.ts'
import { type SmallDirectory, smallDirectory } from '../support/sso/small-directory.ts'

const base = 'ou=people,dc=school'
const person = (uid: string) => ({
  dn: `uid=${uid},${base}`,
  password: 'in-the-directory',
  attributes: { objectclass: 'person', uid, cn: uid },
})
let directory: SmallDirectory | undefined
const stage = browserFixture(async (folder) => {
  directory = await smallDirectory([person('clerk')])
  const path = join(folder, 'sso.json')
  const library = {
    id: 'library',
    kind: 'ldap',
    name: '图书馆账号',
    nameEn: 'Library account',
    url: `ldap://127.0.0.1:${directory.port}`,
    base,
    filter: '(uid={name})',
  }
  const students = { ...library, id: 'students', for: 'students', name: '学生目录' }
  const campus = {
    id: 'campus',
    kind: 'cas',
    name: '统一身份认证',
    nameEn: 'CAS',
    server: 'http://127.0.0.1:9/cas',
  }
  writeFileSync(path, JSON.stringify({ providers: [library, students, campus] }))
  return { SSO_FILE: path }
})
afterAll(() => directory?.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
async function type(page: Page, account: string, password: string) {
  await page.locator('#account').fill(account)
  await page.locator('#password').fill(password)
  await button(page, '登录').click()
}

it('signs staff in by the ordinary form after the choice of the directory', async () => {
  const { page } = await stage.visit({ width: 390, height: 844 })
  await page.goto(stage.at('/login?as=staff&redirect=%2Fentity%2FEDU_STUDENT%2Fsearch'))
  await button(page, '用 图书馆账号 登录').click()
  await page.getByText('请输入 图书馆账号 的账号和密码。').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await type(page, 'clerk', 'wrong')
  await page.getByRole('alert').filter({ hasText: '账号或密码错误' }).waitFor()
  await type(page, 'clerk', 'in-the-directory')
  await page.waitForURL(/#\/entity\/EDU_STUDENT\/search/)
  await page.getByRole('list', { name: '学生' }).waitFor()
  // Over a page the same directory is asked.
  const { api } = await staffClient(stage.server)
  const { records } = await api.entityData.page({
    params: { tag: 'SYS_USER' },
    body: { queries: { account: 'clerk' } },
  })
  await api.account.endSessions({ params: { id: String(records[0]?.id) } })
  await page.goto(stage.at('/entity/EDU_COURSE/search'))
  await page.getByRole('dialog', { name: '提示' }).getByRole('button', { name: '重新登录' }).click()
  const form = page.getByRole('dialog', { name: '重新登录' })
  await form.getByLabel('密码', { exact: true }).fill('in-the-directory')
  await button(page, '登录').click()
  await form.waitFor({ state: 'detached' })
  expect(directory?.binds.at(-1)).toMatchObject({ dn: `uid=clerk,${base}` })
})

it('leads back from a directory to the other ways', async () => {
  const { page } = await stage.visit()
  await page.goto(stage.at('/login?as=staff&provider=library'))
  await page.getByText('请输入 图书馆账号 的账号和密码。').waitFor()
  await page.getByRole('link', { name: '使用其他登录方式' }).click()
  await button(page, '用 统一身份认证 登录').waitFor()
})

it('signs a student in by the directory', async () => {
  const { api } = await staffClient(stage.server)
  const { records } = await api.entityData.page({
    params: { tag: 'EDU_STUDENT' },
    body: { pageSize: 1 },
  })
  const [student] = records
  directory?.entries.push(person(String(student?.studentNo)))
  const { page } = await stage.visit()
  await page.goto(stage.at('/login?as=student'))
  await button(page, '用 学生目录 登录').click()
  await type(page, String(student?.studentNo), 'in-the-directory')
  await page.getByText(String(student?.name)).first().waitFor()
})

it('signs a terminal in, and names the directories where there is no such one', async () => {
  const jiaowu = commandAt(stage.folder, stage.server)
  const login = ['login', 'clerk', '--password-stdin', '--json', '--provider']
  const input = 'in-the-directory\n'
  const { code, out } = await jiaowu([...login, 'library'], { input })
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ account: 'clerk' })])
  expect((await jiaowu(['session', 'ls'])).out).toContain('ldap')
  const unknown = await jiaowu([...login, 'nowhere'], { input })
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('library, students')])
  const browser = await jiaowu([...login, 'campus'], { input })
  expect([browser.code, browser.err]).toEqual([2, expect.stringContaining('login --device')])
})
