// Where one is signed in, proving once more who one is, and letting a terminal in by the browser.
import { createClient } from '@jiaowu/api/client/client'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations, signInStaff } from '../support/browser/browser.ts'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { dataRows, openDialog } from '../support/browser/console-page.ts'
import { password } from '../support/server.ts'

const stage = browserFixture()
const findPageButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Signs in anew, in a browser of its own. */
async function signInAnew(account: string, look = {}): Promise<Page> {
  const { page } = await stage.visit(look)
  await signInStaff(page, stage.server, account)
  return page
}

async function openSessions(page: Page) {
  await findPageButton(page, '教学秘书').click()
  await page.getByRole('menuitem', { name: '我的会话' }).click()
  const dialog = openDialog(page, '我的会话')
  await dialog.getByRole('listitem').first().waitFor()
  return dialog
}

const sentence = (page: Page, text: string) => openDialog(page, '提示').getByText(text).waitFor()

it('lists the sessions of the person and ends one of them, which is told why', async () => {
  const elsewhere = await signInAnew('clerk')
  const page = await signInAnew('clerk', { width: 390, height: 844 })
  const dialog = await openSessions(page)
  expect(await dialog.getByRole('listitem').first().innerText()).toMatch(
    /Chrome \d+ · Linux\s+此会话/,
  )
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog
    .getByRole('button', { name: /^结束 Chrome/ })
    .first()
    .click()
  await page.getByRole('alert').filter({ hasText: '已结束 1 个会话' }).first().waitFor()
  await elsewhere.goto(stage.at('/entity/EDU_STUDENT/search'))
  await sentence(elsewhere, '您已在会话列表中结束了这次登录')
})

it('lets an administrator end the sessions of a person, who is named in the question', async () => {
  const theirs = await signInAnew('registrar')
  const page = await signInAnew('admin')
  await page.goto(stage.at('/entity/SYS_USER/search'))
  await dataRows(page, 'registrar').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '结束会话' }).click()
  const question = openDialog(page)
  await question.getByText(/（registrar）将在所有设备上退出登录/).waitFor()
  await question.getByRole('button', { name: '结束会话', exact: true }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /已结束 .+ 的 \d+ 个会话/ })
    .first()
    .waitFor()
  await theirs.goto(stage.at('/entity/EDU_STUDENT/search'))
  await sentence(theirs, '管理员结束了您的登录，请重新登录')
})

it('asks for the password where a call needs a fresh proof, and goes on with what was typed', async () => {
  const page = await signInAnew('admin')
  // As an hour after the sign-in: the first answer of the server asks for a proof.
  let asked = 0
  await page.route('**/reveal', async (route) => {
    const isRepeated = (await route.request().headerValue('x-reauth')) !== null
    if (isRepeated) await route.continue()
    else {
      asked += 1
      const data = { kinds: ['password'] }
      const body = {
        success: false,
        code: 40310,
        msg: '此操作需要再次验证身份',
        data,
        traceId: 't',
      }
      await route.fulfill({ status: 403, json: body })
    }
  })
  await page.goto(stage.at('/entity/EDU_STUDENT/search'))
  await dataRows(page).first().getByRole('button', { name: '查看', exact: true }).click()
  await page
    .getByRole('button', { name: /^显示.*号/ })
    .first()
    .click()
  const reason = openDialog(page).getByRole('textbox').last()
  await reason.fill('核对身份证号')
  await page.keyboard.press('Enter')
  const question = openDialog(page, '验证身份')
  await question.getByLabel('密码').fill('wrong password')
  await page.keyboard.press('Enter')
  await question.getByRole('alert').filter({ hasText: '密码不正确' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await question.getByLabel('密码').fill(password)
  await page.keyboard.press('Enter')
  await page
    .getByText(/\d{17}[\dX]/)
    .first()
    .waitFor()
  expect(asked).toBe(1)
})

it('lets a terminal sign in by its code, after a look at which device asks', async () => {
  const { page } = await stage.visit({ width: 390, height: 844 })
  await page.goto(stage.at('/device'))
  await page.getByRole('tab', { name: /教职工/ }).click()
  await page.fill('#account', 'clerk')
  await page.fill('#password', password)
  await page.keyboard.press('Enter')
  const client = createClient({
    baseURL: `${stage.server.url}/api`,
    locale: () => 'zh-CN',
    userAgent: 'jiaowu/0.2.0 (linux x64)',
    authorise: () => Promise.resolve(undefined),
  })
  const { deviceCode, userCode } = await client.device.start({})
  await page.getByLabel('代码').fill('BBBB-BBBB')
  await findPageButton(page, '下一步').click()
  await page.getByRole('alert').filter({ hasText: '代码不存在或已失效' }).waitFor()
  await page.getByLabel('代码').fill(userCode.toLowerCase())
  await findPageButton(page, '下一步').click()
  await page.getByText('jiaowu 0.2.0 · linux x64').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await findPageButton(page, '允许登录').click()
  await page.getByRole('status').filter({ hasText: '可以回到终端' }).waitFor()
  const { userInfo } = await client.device.poll({ body: { deviceCode } })
  expect(userInfo.account).toBe('clerk')
})

it('gives staff another picture where the characters cannot be read', async () => {
  const { page } = await stage.visit({ width: 390, height: 844 })
  await page.goto(stage.at('/device'))
  await page.getByRole('tab', { name: /教职工/ }).click()
  const picture = page.getByRole('img', { name: '图片验证码' })
  for (let tries = 0; tries < 5; tries += 1) {
    await page.fill('#account', 'viewer')
    await page.fill('#password', `wrong password ${tries}`)
    const answered = page.waitForResponse('**/authority/anno/login')
    await page.keyboard.press('Enter')
    await answered
  }
  await picture.waitFor()
  const first = (await picture.getAttribute('src')) ?? ''
  await page.fill('#captcha', 'ABCD')
  const drawn = page.waitForResponse((reply) => reply.url().includes(`${first}&ts=`))
  await findPageButton(page, '换一张').click()
  expect((await drawn).status()).toBe(200)
  expect(await page.inputValue('#captcha')).toBe('')
  expect(await accessibilityViolations(page)).toEqual([])
})
