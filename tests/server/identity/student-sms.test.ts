import { captchaTicketHeader } from '@jiaowu/api/contract/student/student'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  askCode,
  captchaAnswer,
  captchaEnv,
  receiveCode,
  catchProblem,
  readOutbox,
  solveTicket,
} from '../../support/student.ts'

const minute = 60_000
let app: TestApp
beforeAll(async () => {
  app = await testApp(captchaEnv)
})
afterAll(() => app.close())
// Lets the windows of hourly and daily limits pass.
afterEach(() => {
  app.advance(25 * 60 * minute)
})

async function outbox(mobile: string) {
  return (await readOutbox(app.services.settings.dataDir)).filter(
    (message) => message.mobile === mobile,
  )
}
const openSmsDatabase = () => app.services.database.kysely
const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('the captcha', () => {
  it('is a picture, valid for one answer and two minutes', async () => {
    const api = app.client('')
    const { key, image } = await api.student.captcha({})
    expect(image).toMatch(/^data:image\/png;base64,iVBOR/)
    const wrong = await app.call('/stuLogin/verify', {
      method: 'POST',
      headers: { ...form, 'accept-language': 'en' },
      body: `key=${key}&verifyTxt=ZZZZ`,
    })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      { success: false, data: 'captcha error!', msg: 'captcha error!' },
    ])
    expect(
      (await catchProblem(api.student.verify({ body: { key, verifyTxt: captchaAnswer } }))).data,
    ).toBe('验证码错误！')
    const late = await api.student.captcha({})
    app.advance(2 * minute + 1000)
    expect(
      (
        await catchProblem(
          api.student.verify({ body: { key: late.key, verifyTxt: captchaAnswer } }),
        )
      ).code,
    ).toBe(400)
  })
  it('gives a ticket as data and as an HttpOnly cookie', async () => {
    const { key } = await app.client('').student.captcha({})
    const response = await app.call('/stuLogin/verify', {
      method: 'POST',
      headers: form,
      body: `key=${key}&verifyTxt=${captchaAnswer.toLowerCase()}`,
    })
    const { data } = (await response.json()) as { data: { ticket: string } }
    expect(data.ticket).toMatch(/^[\w-]{43}$/)
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toBe(
      `jiaowu-captcha=${data.ticket}; Max-Age=120; Path=/; HttpOnly; SameSite=Strict`,
    )
    const sent = await app.call('/stu/oauth/code?clientId=0000&mobile=13800000003&isType=1', {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    })
    expect([sent.status, ((await sent.json()) as { data: unknown }).data]).toEqual([
      200,
      { lockSeconds: 60 },
    ])
  })
  it('is required for an SMS: refuses missing, used, expired and foreign tickets, and other sites', async () => {
    const api = app.client('')
    const ask = (headers: Record<string, string>, ip = '127.0.0.1') =>
      app
        .call(
          '/stu/oauth/code?clientId=0000&mobile=13800000001&isType=1',
          { headers },
          { ip, secure: false },
        )
        .then((response) => response.status)
    expect(await ask({})).toBe(403)
    expect(await ask({ [captchaTicketHeader]: 'x'.repeat(43) })).toBe(403)
    const [first, second, third] = [
      await solveTicket(api),
      await solveTicket(api),
      await solveTicket(api),
    ]
    expect(await ask({ [captchaTicketHeader]: first }, '10.1.1.1')).toBe(403)
    expect(await ask({ cookie: `jiaowu-captcha=${second}`, 'sec-fetch-site': 'cross-site' })).toBe(
      403,
    )
    expect(await ask({ [captchaTicketHeader]: second })).toBe(200)
    expect(await ask({ [captchaTicketHeader]: second })).toBe(403)
    app.advance(2 * minute + 1000)
    expect(await ask({ [captchaTicketHeader]: third })).toBe(403)
    await vi.waitFor(async () => expect(await outbox('13800000001')).toHaveLength(1), {
      timeout: 10_000,
    })
  })
  it('blocks one browser for a minute after five wrong answers in a row', async () => {
    const answer = async (verifyTxt: string, agent: string) => {
      const { key } = await app.client('').student.captcha({})
      return (
        await app.call('/stuLogin/verify', {
          method: 'POST',
          headers: { ...form, 'user-agent': agent },
          body: `key=${key}&verifyTxt=${verifyTxt}`,
        })
      ).status
    }
    for (let i = 0; i < 4; i += 1) expect(await answer('ZZZZ', 'a')).toBe(400)
    expect(await answer(captchaAnswer, 'a')).toBe(200) // resets the counter
    for (let i = 0; i < 5; i += 1) expect(await answer('ZZZZ', 'a')).toBe(400)
    expect([await answer(captchaAnswer, 'a'), await answer(captchaAnswer, 'b')]).toEqual([429, 200])
    app.advance(minute + 1000)
    expect(await answer(captchaAnswer, 'a')).toBe(200)
  })
  it('has 100 wrong answers an hour for an address and 400 for its network, whatever the browser', async () => {
    const answer = async (verifyTxt: string, ip: string) => {
      const { key } = await app.client('').student.captcha({})
      return await app.call(
        '/stuLogin/verify',
        {
          method: 'POST',
          headers: { ...form, 'user-agent': `agent of ${ip} ${key}` },
          body: `key=${key}&verifyTxt=${verifyTxt}`,
        },
        { ip, secure: false },
      )
    }
    const count = (key: string, made: number) =>
      openSmsDatabase()
        .insertInto('sys.rate_limit')
        .values({ key, window_start: app.services.now(), count: made })
        .execute()
    await count('captchaWrong:198.18.1.1:3600000', 99)
    expect((await answer('ZZZZ', '198.18.1.1')).status).toBe(400)
    const late = await answer(captchaAnswer, '198.18.1.1')
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '3600'])
    expect(((await late.json()) as { msg: string }).msg).toBe('尝试次数过多，请 60 分钟后再试')
    expect((await answer(captchaAnswer, '198.18.1.2')).status).toBe(200)
    await count('captchaWrong:198.18.7.0/24:3600000', 399)
    expect((await answer('ZZZZ', '198.18.7.1')).status).toBe(400)
    expect((await answer(captchaAnswer, '198.18.7.200')).status).toBe(429)
    app.advance(61 * minute)
    expect((await answer(captchaAnswer, '198.18.7.200')).status).toBe(200)
    await count('captchaWrong:198.18.8.1:86400000', 500)
    const { msg } = (await (await answer(captchaAnswer, '198.18.8.1')).json()) as { msg: string }
    expect(msg).toBe('尝试次数过多，请 24 小时后再试')
  })
  it('is limited to 120 pictures a minute per address', async () => {
    const ask = () =>
      app
        .call('/stuLogin/captcha', { method: 'POST' }, { ip: '192.0.2.7', secure: false })
        .then((response) => response.status)
    await app.services.database.kysely
      .insertInto('sys.rate_limit')
      .values({ key: 'captcha:192.0.2.7:60000', window_start: app.services.now(), count: 119 })
      .execute()
    expect([await ask(), await ask()]).toEqual([200, 429])
  })
})

describe('the SMS code', () => {
  it('is sent once for concurrent requests', async () => {
    const api = app.client('')
    const tickets = await Promise.all(Array.from({ length: 20 }, () => solveTicket(api)))
    const before = (await outbox('13800000001')).length
    const statuses = await Promise.all(
      tickets.map((ticket) =>
        app
          .call('/stu/oauth/code?mobile=13800000001&isType=1', {
            headers: { [captchaTicketHeader]: ticket },
          })
          .then((response) => response.status),
      ),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 429)).toHaveLength(19)
    // The reply does not wait for a slow provider.
    await vi.waitFor(async () => expect((await outbox('13800000001')).length - before).toBe(1), {
      timeout: 10_000,
    })
  })
  it('is sent once a minute, 5 times an hour and 10 times a day at most', async () => {
    const api = app.client('')
    const times: string[] = []
    const tryOnce = async () =>
      times.push(
        await askCode(api, '13800000001', '1').then(
          () => 'sent',
          async (error: unknown) => String((await catchProblem(Promise.reject(error))).message),
        ),
      )
    await tryOnce()
    await tryOnce()
    for (let i = 0; i < 5; i += 1) {
      app.advance(minute + 1000)
      await tryOnce()
    }
    expect(times).toEqual([
      'sent',
      '获取验证码过于频繁，请 1 分钟后重试',
      'sent',
      'sent',
      'sent',
      'sent',
      '获取验证码次数过多，请 55 分钟后再试',
    ])
    app.advance(61 * minute)
    for (let i = 0; i < 5; i += 1) {
      app.advance(minute + 1000)
      await tryOnce()
    }
    expect(times.slice(7)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent'])
    app.advance(61 * minute)
    await tryOnce()
    expect(times.at(-1)).toBe('获取验证码次数过多，请 22 小时后再试')
  })
  it('is refused for an hour to an address that asks for many numbers', async () => {
    const api = app.client('')
    const ask = (i: number) =>
      askCode(api, `139${String(i).padStart(8, '0')}`, '1').then(
        () => 200,
        async (error: unknown) => (await catchProblem(Promise.reject(error))).code,
      )
    const statuses = await Promise.all(Array.from({ length: 22 }, (_none, i) => ask(i)))
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([20, 2])
    expect(await ask(30)).toBe(429)
    app.advance(61 * minute)
    expect(await ask(31)).toBe(200)
  })
  it('is refused when the tenant has used up its daily budget', async () => {
    const small = await testApp({ ...captchaEnv, SMS_DAILY_BUDGET: '1' })
    try {
      await askCode(small.client(''), '13800000001', '1')
      expect((await catchProblem(askCode(small.client(''), '13800000002', '1'))).code).toBe(503)
    } finally {
      await small.close()
    }
  })
  it('is told to administrators at 80 % of a limit, once', async () => {
    const small = await testApp({ ...captchaEnv, SMS_DAILY_BUDGET: '5' })
    try {
      const titles = async () => {
        const rows = await small.services.database.kysely
          .selectFrom('sys.message')
          .select('title')
          .where('tenant_id', '=', '10000')
          .where('title', 'like', '短信验证码即将用完%')
          .execute()
        return rows.length
      }
      for (const last of [1, 2, 3]) await askCode(small.client(''), `1380000000${last}`, '1')
      expect(await titles()).toBe(0)
      for (const last of [4, 5]) await askCode(small.client(''), `1380000000${last}`, '1')
      expect(await titles()).toBe(1)
    } finally {
      await small.close()
    }
  })
  it('is stored as a hash, and appears in no reply, task or log', async () => {
    const code = await receiveCode(app, '13800000002', '1')
    expect(code).toMatch(/^\d{6}$/)
    const stored = JSON.stringify([
      await openSmsDatabase()
        .selectFrom('sys.sms_code')
        .select(['hash', 'salt', 'mobile'])
        .execute(),
      await openSmsDatabase()
        .selectFrom('sys.sms_task')
        .select(['content', 'mobile', 'failure'])
        .execute(),
      await openSmsDatabase().selectFrom('sys.audit_log').select(['detail', 'account']).execute(),
    ])
    expect(stored).not.toContain(code)
    const readTask = () =>
      openSmsDatabase()
        .selectFrom('sys.sms_task')
        .select(['mobile', 'content', 'status'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
    const task = {
      mobile: '138****0002',
      content: '您的登录验证码是 ******，5 分钟内有效。',
      status: '1',
    }
    // The task is marked as sent after the message has left.
    await vi.waitFor(async () => expect(await readTask()).toEqual(task), { timeout: 45_000 })
  })
  it('does not reveal an unbound number: same reply, same time, no message', async () => {
    const timed = async (mobile: string) => {
      const ticket = await solveTicket(app.client(''))
      const started = performance.now()
      const response = await app.call(`/stu/oauth/code?mobile=${mobile}&isType=1`, {
        headers: { [captchaTicketHeader]: ticket },
      })
      const { traceId: _id, ...body } = (await response.json()) as Record<string, unknown>
      return {
        bucket: Math.round((performance.now() - started) / 400),
        status: response.status,
        body,
      }
    }
    // Other work on this machine may delay one reply of a pair, but not one of every pair.
    for (const isLast of [false, false, true]) {
      const [known, unknown] = [await timed('13800000002'), await timed('13700000009')]
      if (isLast || known.bucket === unknown.bucket) {
        expect(unknown).toEqual(known)
        break
      }
      app.advance(2 * minute)
    }
    expect(await outbox('13700000009')).toEqual([])
  })
})
