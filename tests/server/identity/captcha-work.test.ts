// Proof of work beside captchas: asked of everybody with CAPTCHA_WORK, else of an address or a network that
// has used half of its budget (docs/rules/security.md#h1).
import { type CaptchaWork, captchaWorkHeader } from '@jiaowu/api/contract/student/captcha-work'
import { captchaTicketHeader } from '@jiaowu/api/contract/student/student'
import { testApp, testPassword, type TestApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { solveWork } from '../../../apps/cli/src/session/solve-work.ts'
import { captchaAnswer, captchaEnv } from '../../support/student.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp(captchaEnv)
})
afterAll(() => app.close())

interface Captcha {
  readonly key: string
  readonly work?: CaptchaWork
}
interface Answer {
  readonly status: number
  readonly msg: string
  readonly data: unknown
}
const form = { 'content-type': 'application/x-www-form-urlencoded' }

async function postFromAddress(
  server: TestApp,
  path: string,
  ip: string,
  { body = {}, headers = {} }: { body?: Record<string, string>; headers?: Record<string, string> },
): Promise<Answer> {
  const response = await server.call(
    path,
    { method: 'POST', headers: { ...form, ...headers }, body: new URLSearchParams(body) },
    { ip, secure: false },
  )
  const { msg, data } = (await response.json()) as { msg: string; data: unknown }
  return { status: response.status, msg, data }
}
async function captchaFor(server: TestApp, ip: string): Promise<Captcha> {
  return (await postFromAddress(server, '/stuLogin/captcha', ip, {})).data as Captcha
}
function verify(
  server: TestApp,
  ip: string,
  key: string,
  solution?: string,
  verifyTxt = captchaAnswer,
) {
  return postFromAddress(server, '/stuLogin/verify', ip, {
    body: { key, verifyTxt },
    headers: solution === undefined ? {} : { [captchaWorkHeader]: solution },
  })
}
const solve = (work: CaptchaWork | undefined) => {
  if (work === undefined) throw new Error('the captcha came without work')
  return solveWork(work, new AbortController().signal)
}
const seedRateLimit = (key: string, count: number) =>
  app.services.database.kysely
    .insertInto('sys.rate_limit')
    .values({ key, window_start: app.services.now(), count })
    .execute()
const derivations = (solution: string) => Number(solution.split('.')[0])
const missing = [400, '没有收到计算证明，请按新的图片再试一次']

it('asks for none while budgets are less than half used', async () => {
  await seedRateLimit('smsAddress:198.18.0.1:3600000', 30)
  const { key, work } = await captchaFor(app, '198.18.0.1')
  expect(work).toBeUndefined()
  expect((await verify(app, '198.18.0.1', key)).status).toBe(200)
})

it('asks for more, the more an address has used, and takes no answer without it', async () => {
  await seedRateLimit('smsAddress:198.18.1.1:3600000', 31)
  const first = await captchaFor(app, '198.18.1.1')
  const bare = await verify(app, '198.18.1.1', first.key)
  expect([bare.status, bare.msg]).toEqual(missing)
  // A try without the work uses the captcha up, as every other does.
  const solution = await solve(first.work)
  expect((await verify(app, '198.18.1.1', first.key, solution)).status).toBe(400)
  const next = await captchaFor(app, '198.18.1.1')
  expect((await verify(app, '198.18.1.1', next.key, solution)).msg).toBe(missing[1])
  const third = await captchaFor(app, '198.18.1.1')
  const own = await solve(third.work)
  expect(derivations(own)).toBeGreaterThanOrEqual(1_000)
  expect(derivations(own)).toBeLessThan(3_000)
  const verified = await verify(app, '198.18.1.1', third.key, own)
  expect(verified.status).toBe(200)
  const sent = await app.call(
    '/stu/oauth/code?clientId=0000&mobile=13800000003&isType=1',
    { headers: { [captchaTicketHeader]: (verified.data as { ticket: string }).ticket } },
    { ip: '198.18.1.1', secure: false },
  )
  expect(sent.status).toBe(200)
  await seedRateLimit('smsAddress:198.18.2.0/24:86400000', 1_100)
  const dear = await solve((await captchaFor(app, '198.18.2.9')).work)
  expect(derivations(dear)).toBeGreaterThanOrEqual(5_000)
})

it('says nothing about the characters without the work, and refuses a wrong key', async () => {
  await seedRateLimit('captchaWrong:198.18.3.1:3600000', 51)
  const { key, work } = await captchaFor(app, '198.18.3.1')
  expect(work?.parameters.algorithm).toBe('PBKDF2/SHA-256')
  const forged = await verify(app, '198.18.3.1', key, `1000.${'0'.repeat(64)}`, 'ZZZZ')
  expect([forged.status, forged.msg]).toEqual(missing)
  const again = await captchaFor(app, '198.18.3.1')
  const wrong = await verify(app, '198.18.3.1', again.key, await solve(again.work), 'ZZZZ')
  expect([wrong.status, wrong.msg]).toEqual([400, '验证码错误！'])
})

it('asks staff whose address has tried many accounts, also with a key of their own', async () => {
  const ip = '198.18.4.1'
  await seedRateLimit(`signInAddress:${ip}`, 41)
  const attempt = (more: Record<string, string> = {}, solution?: string) =>
    postFromAddress(app, '/authority/anno/login', ip, {
      body: { grant_type: 'password', username: 'viewer', password: testPassword, ...more },
      headers: solution === undefined ? {} : { [captchaWorkHeader]: solution },
    })
  const picture = async (key: string) => {
    const { status } = await app.call(`/captcha?key=${key}`, {}, { ip, secure: false })
    expect(status).toBe(200)
    return { captchaKey: key, captcha: captchaAnswer }
  }
  const keyOf = ({ data }: Answer) => data as { captchaKey: string; work?: CaptchaWork }
  const asked = keyOf(await attempt())
  const bare = await attempt(await picture(asked.captchaKey))
  expect([bare.status, bare.msg]).toEqual(missing)
  const own = await attempt(await picture('0123456789abcdef-w'))
  expect([own.status, own.msg]).toEqual(missing)
  const last = keyOf(own)
  const solution = await solve(last.work)
  expect((await attempt(await picture(last.captchaKey), solution)).status).toBe(200)
})

it('asks for work with every captcha where the setting says so', async () => {
  const strict = await testApp({ ...captchaEnv, CAPTCHA_WORK: '1' })
  try {
    const bare = await captchaFor(strict, '127.0.0.1')
    expect((await verify(strict, '127.0.0.1', bare.key)).msg).toBe(missing[1])
    const { key, work } = await captchaFor(strict, '127.0.0.1')
    expect((await verify(strict, '127.0.0.1', key, await solve(work))).status).toBe(200)
  } finally {
    await strict.close()
  }
})
