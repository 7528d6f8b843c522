// Wrong passwords from many addresses at one account, and from one address at many accounts.
import { testApp, testPassword, type TestApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

interface Answer {
  readonly code: number
  readonly msg: string
  readonly data: { readonly captchaKey?: string; readonly access_token?: string } | null
}

async function tryPassword(username: string, ip: string, password = 'wrong'): Promise<Answer> {
  const response = await app.call(
    '/authority/anno/login',
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'password', username, password }),
    },
    { ip, secure: false },
  )
  return (await response.json()) as Answer
}

const asksCaptcha = ({ data }: Answer) => typeof data?.captchaKey === 'string'

it('asks for a captcha at an account that many addresses try, and tells it, but never locks it', async () => {
  const spellings = ['clerk', 'CLERK', 'ｃｌｅｒｋ', ' clerk']
  const answers: Answer[] = []
  for (let address = 1; address <= 15; address += 1)
    for (const spelling of spellings)
      answers.push(await tryPassword(spelling, `198.51.${address}.7`))
  expect(answers.findIndex(asksCaptcha)).toBe(19)
  expect(answers.slice(20).every(asksCaptcha)).toBe(true)
  expect(answers.every(({ code }) => code === 400)).toBe(true)
  const { sent } = await app.services.database.kysely
    .selectFrom('sys.message')
    .select((eb) => eb.fn.countAll<string>().as('sent'))
    .where('tenant_id', '=', '10000')
    .where('title', 'like', '您的密码正被尝试%')
    .executeTakeFirstOrThrow()
  expect(Number(sent)).toBe(1)
  const right = await tryPassword('clerk', '203.0.113.9', testPassword)
  expect(right.msg).toBe('请输入图片验证码')
  expect((await tryPassword('viewer', '203.0.113.9', testPassword)).code).toBe(200)
})

it('asks for a captcha at an address that tries many accounts', async () => {
  // The 38 failures before: each costs as much as the check of a password.
  await app.services.database.kysely
    .insertInto('sys.rate_limit')
    .values({ key: 'signInAddress:192.0.2.5', window_start: app.services.now(), count: 38 })
    .execute()
  const answers = [
    await tryPassword('nobody-1', '192.0.2.5'),
    await tryPassword('nobody-2', '192.0.2.5'),
  ]
  expect(answers.map(asksCaptcha)).toEqual([false, true])
  // Up to 60 accounts: none of the others learns anything about a password.
  for (let account = 41; account <= 60; account += 1) {
    const { code, msg } = await tryPassword(`nobody-${account}`, '192.0.2.5')
    expect([code, msg]).toEqual([400, '请输入图片验证码'])
  }
  expect((await tryPassword('viewer', '192.0.2.5', testPassword)).msg).toBe('请输入图片验证码')
  expect((await tryPassword('viewer', '203.0.113.10', testPassword)).code).toBe(200)
})
