import { captchaTicketHeader } from '@jiaowu/api'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  askCode,
  captchaAnswer,
  captchaEnv,
  lastCode,
  problem,
  readOutbox,
  studentClient,
  ticketOf,
} from '../../support/student.ts'

const minute = 60_000
let app: TestApp
beforeAll(async () => {
  app = await testApp(captchaEnv)
}, 60_000)
afterAll(() => app.close())
afterEach(() => {
  app.advance(25 * 60 * minute)
}) // limits of an hour and a day are forgotten as their windows pass

async function outbox(mobile: string) {
  return (await readOutbox(app.services.settings.dataDir)).filter(
    (message) => message.mobile === mobile,
  )
}
const db = () => app.services.database.kysely
function signIn(account: string, password: string, language: 'zh-CN' | 'en' = 'zh-CN') {
  return app.client('', language).student.signIn({
    body: { account, password, grantType: 'stupc', tenant: '10000', args: { clientId: '0000' } },
  })
}
const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000')
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const nextDay = () => app.advance(25 * 60 * minute)

describe('the captcha', () => {
  it('is a picture, good for one answer, right or wrong, for two minutes', async () => {
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
      (await problem(api.student.verify({ body: { key, verifyTxt: captchaAnswer } }))).data,
    ).toBe('验证码错误！')
    const late = await api.student.captcha({})
    app.advance(2 * minute + 1000)
    expect(
      (await problem(api.student.verify({ body: { key: late.key, verifyTxt: captchaAnswer } })))
        .code,
    ).toBe(400)
  })
  it('gives a ticket as data and as a cookie no script can read', async () => {
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
  it("is the only way to an SMS: no ticket, a used, an old or another address's ticket, another site's page", async () => {
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
    const [first, second, third] = [await ticketOf(api), await ticketOf(api), await ticketOf(api)]
    expect(await ask({ [captchaTicketHeader]: first }, '10.1.1.1')).toBe(403)
    expect(await ask({ cookie: `jiaowu-captcha=${second}`, 'sec-fetch-site': 'cross-site' })).toBe(
      403,
    )
    expect(await ask({ [captchaTicketHeader]: second })).toBe(200)
    expect(await ask({ [captchaTicketHeader]: second })).toBe(403)
    app.advance(2 * minute + 1000)
    expect(await ask({ [captchaTicketHeader]: third })).toBe(403)
    expect(await outbox('13800000001')).toHaveLength(1)
  })
  it('lets a browser wait a minute after five wrong answers in a row, and not the one beside it', async () => {
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
    expect(await answer(captchaAnswer, 'a')).toBe(200) // begins to count anew
    for (let i = 0; i < 5; i += 1) expect(await answer('ZZZZ', 'a')).toBe(400)
    expect([await answer(captchaAnswer, 'a'), await answer(captchaAnswer, 'b')]).toEqual([429, 200])
    app.advance(minute + 1000)
    expect(await answer(captchaAnswer, 'a')).toBe(200)
  })
  it('is drawn 120 times a minute for an address', async () => {
    const ask = () =>
      app
        .call('/stuLogin/captcha', { method: 'POST' }, { ip: '192.0.2.7', secure: false })
        .then((response) => response.status)
    await app.services.database.kysely
      .insertInto('sys.rate_limit')
      .values({ key: 'captcha:192.0.2.7', window_start: app.services.now(), count: 119 })
      .execute()
    expect([await ask(), await ask()]).toEqual([200, 429])
  })
})

describe('the SMS code', () => {
  it('goes out once, however many ask at the same time', async () => {
    const api = app.client('')
    const tickets = await Promise.all(Array.from({ length: 20 }, () => ticketOf(api)))
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
    expect((await outbox('13800000001')).length - before).toBe(1)
  })
  it('goes out once a minute, 5 times an hour, 10 times a day', async () => {
    const api = app.client('')
    const times: string[] = []
    const tryOnce = async () =>
      times.push(
        await askCode(api, '13800000001', '1').then(
          () => 'sent',
          async (error: unknown) => String((await problem(Promise.reject(error))).message),
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
      '获取验证码次数过多，请稍后再试',
    ])
    app.advance(61 * minute)
    for (let i = 0; i < 5; i += 1) {
      app.advance(minute + 1000)
      await tryOnce()
    }
    expect(times.slice(7)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent'])
    app.advance(61 * minute)
    await tryOnce()
    expect(times.at(-1)).toBe('获取验证码次数过多，请稍后再试')
  }, 60_000)
  it('stops an address that asks for many numbers, for an hour', async () => {
    const api = app.client('')
    const ask = (i: number) =>
      askCode(api, `139${String(i).padStart(8, '0')}`, '1').then(
        () => 200,
        async (error: unknown) => (await problem(Promise.reject(error))).code,
      )
    const statuses = await Promise.all(Array.from({ length: 22 }, (_none, i) => ask(i)))
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([20, 2])
    expect(await ask(30)).toBe(429)
    app.advance(61 * minute)
    expect(await ask(31)).toBe(200)
  }, 60_000)
  it('stops when a school has used up its day', async () => {
    const small = await testApp({ ...captchaEnv, SMS_DAILY_BUDGET: '1' })
    try {
      await askCode(small.client(''), '13800000001', '1')
      expect((await problem(askCode(small.client(''), '13800000002', '1'))).code).toBe(503)
    } finally {
      await small.close()
    }
  }, 60_000)
  it('is kept as a hash, and appears in no reply, task or log', async () => {
    await askCode(app.client(''), '13800000002', '1')
    const code = await lastCode(app.services.settings.dataDir, '13800000002')
    expect(code).toMatch(/^\d{6}$/)
    const kept = JSON.stringify([
      await db().selectFrom('sys.sms_code').select(['hash', 'salt', 'mobile']).execute(),
      await db().selectFrom('sys.sms_task').select(['content', 'mobile', 'failure']).execute(),
      await db().selectFrom('sys.audit_log').select(['detail', 'account']).execute(),
    ])
    expect(kept).not.toContain(code)
    expect(
      await db()
        .selectFrom('sys.sms_task')
        .select(['mobile', 'content', 'status'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ).toEqual({
      mobile: '138****0002',
      content: '您的登录验证码是 ******，5 分钟内有效。',
      status: '1',
    })
  })
  it('tells nothing about a number nobody is bound to: same reply, same time, no message', async () => {
    const timed = async (mobile: string) => {
      const ticket = await ticketOf(app.client(''))
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
    const [known, unknown] = [await timed('13800000002'), await timed('13700000009')]
    expect(unknown).toEqual(known)
    expect(await outbox('13700000009')).toEqual([])
  })
})

describe('sign-in', () => {
  it('opens a session of a student, which refreshes and ends like any other', async () => {
    const me = await studentClient(app, '13800000001')
    const whoami = await me.session.whoami({})
    expect(whoami).toMatchObject({
      account: '138****0001',
      roles: ['ROLE_STUDENT'],
      mustChangePassword: false,
      tenant: '10000',
    })
    expect((await me.session.menu({})).map(({ path }) => path)).toEqual(['/'])
    expect(await me.session.resources({})).toEqual([])
    const next = await app
      .client('')
      .session.signIn({ body: { grant_type: 'refresh_token', refresh_token: me.refreshToken } })
    expect(next.userInfo).toEqual(whoami)
    await app.client(next.access_token).session.signOut({})
    expect((await problem(app.client(next.access_token).student.detail({}))).code).toBe(40000)
  })
  it('answers alike to a wrong code, an old one, a used one and a number without an account', async () => {
    await askCode(app.client(''), '13800000002', '1')
    const code = await lastCode(app.services.settings.dataDir, '13800000002')
    const wrong = await problem(signIn('13800000002', wrongOf(code)))
    expect(wrong).toMatchObject({ code: 400, message: '手机号或验证码不正确' })
    const same = async (account: string, password: string) =>
      expect({ ...(await problem(signIn(account, password))), traceId: null }).toEqual({
        ...wrong,
        traceId: null,
      })
    await same('13700000001', code)
    await same('not a number', code)
    await same('13800000001', code) // another's code
    expect((await signIn('13800000002', code)).userInfo).toMatchObject({ account: '138****0002' })
    await same('13800000002', code)
    app.advance(2 * minute)
    await askCode(app.client(''), '13800000002', '1')
    app.advance(5 * minute + 1000)
    await same('13800000002', await lastCode(app.services.settings.dataDir, '13800000002'))
  }, 60_000)
  it('looks at five guesses, however many come at once, and lets the number wait after ten', async () => {
    await askCode(app.client(''), '13800000003', '1')
    const code = await lastCode(app.services.settings.dataDir, '13800000003')
    await Promise.all(
      Array.from({ length: 9 }, (_none, i) => problem(signIn('13800000003', String(100_000 + i)))),
    )
    const row = await db()
      .selectFrom('sys.sms_code')
      .select('tries')
      .where('mobile', '=', '13800000003')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row.tries).toBe(5)
    expect((await problem(signIn('13800000003', code))).code).toBe(400) // void after five
    expect((await problem(signIn('13800000003', code))).code).toBe(429)
    app.advance(16 * minute)
    await askCode(app.client(''), '13800000003', '1')
    expect(
      (await signIn('13800000003', await lastCode(app.services.settings.dataDir, '13800000003')))
        .token,
    ).toMatch(/^[\w-]{43}$/)
  }, 60_000)
  it('gives one session when the same code comes twenty times at once', async () => {
    await askCode(app.client(''), '13800000001', '1')
    const code = await lastCode(app.services.settings.dataDir, '13800000001')
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => signIn('13800000001', code)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }, 60_000)
  it("is no way to staff calls, nor a staff session to a student's", async () => {
    const student = await studentClient(app, '13800000002')
    const staff = await app.signIn('admin')
    expect(
      (await problem(student.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} }))).code,
    ).toBe(403)
    expect(
      (await problem(student.entityData.page({ params: { tag: 'SYS_NOTICE' }, body: {} }))).code,
    ).toBe(403)
    expect((await problem(student.print.refunds({}))).code).toBe(403)
    expect(
      (
        await problem(
          student.session.changePassword({ body: { oldPassword: 'a', newPassword: 'b' } }),
        )
      ).code,
    ).toBe(403)
    expect((await problem(staff.student.detail({}))).code).toBe(403)
    expect(
      (
        await problem(
          app.client('').session.signIn({
            body: { grant_type: 'password', username: '13800000002', password: '123456' },
          }),
        )
      ).code,
    ).toBe(400)
  })
  it('ends at the next call when the number is no longer bound', async () => {
    const me = await studentClient(app, '13800000003')
    expect((await me.student.detail({})).fldXh).not.toBe('')
    await db()
      .updateTable('biz.student')
      .set({ account_mobile: null })
      .where('account_mobile', '=', '13800000003')
      .execute()
    expect((await problem(me.student.detail({}))).code).toBe(40005)
    expect(
      (
        await problem(
          app.client('').session.signIn({
            body: { grant_type: 'refresh_token', refresh_token: me.refreshToken },
          }),
        )
      ).code,
    ).toBe(40005)
  })
})

describe('registration', () => {
  const someone = () =>
    db()
      .selectFrom('biz.student as s')
      .innerJoin('biz.major as m', 'm.id', 's.major_id')
      .select(['s.id', 's.id_card', 'm.name as major', 'm.name_en as major_en', 's.name'])
      .where('s.tenant_id', '=', '10000')
      .where('s.account_mobile', 'is', null)
      .orderBy('s.id', 'desc')
  const register = async (
    mobile: string,
    sfzh: string,
    zymc: string,
    more: { verCode?: string } = {},
  ) => {
    await askCode(app.client(''), mobile, '2')
    return app.client('').student.register({
      body: {
        sfzh,
        zymc,
        mobile,
        verCode: more.verCode ?? (await lastCode(app.services.settings.dataDir, mobile)),
        clientId: '0000',
      },
    })
  }
  it('binds the number to the one student whose ID number and major fit; then the number signs in', async () => {
    const { id_card, major, name } = await someone().executeTakeFirstOrThrow()
    expect(await register('13611110001', (id_card ?? '').toLowerCase(), major)).toBeNull()
    app.advance(2 * minute)
    const me = await studentClient(app, '13611110001')
    expect((await me.student.detail({})).fldXm).toBe(name)
  })
  it('fails with one sentence: wrong number, wrong major, wrong code, a bound student, a bound number, too many tries', async () => {
    const [first, second] = await someone().limit(2).execute()
    const sentences: string[] = []
    const fails = async (
      mobile: string,
      sfzh: string | null | undefined,
      zymc: string | undefined,
      more = {},
    ) => {
      sentences.push(
        JSON.stringify({
          ...(await problem(register(mobile, sfzh ?? '', zymc ?? '', more))),
          traceId: null,
        }),
      )
      nextDay()
    }
    await fails('13611110002', '110101199001011237', first?.major)
    await fails('13611110002', first?.id_card, '不存在的专业')
    await fails('13611110002', first?.id_card, first?.major, { verCode: '12' })
    const bound = await db()
      .selectFrom('biz.student as s')
      .innerJoin('biz.major as m', 'm.id', 's.major_id')
      .select(['s.id_card', 'm.name as major'])
      .where('s.account_mobile', '=', '13800000001')
      .executeTakeFirstOrThrow()
    await fails('13611110002', bound.id_card, bound.major)
    await askCode(app.client(''), '13800000002', '2') // a bound number gets no code to register with
    expect(
      (await outbox('13800000002')).filter(({ template }) => template === 'REGISTER_CODE'),
    ).toEqual([])
    for (let i = 0; i < 5; i += 1) {
      sentences.push(
        JSON.stringify({
          ...(await problem(
            app.client('').student.register({
              body: {
                sfzh: second?.id_card ?? '',
                zymc: second?.major ?? '',
                mobile: '13611110003',
                verCode: '000000',
              },
            }),
          )),
          traceId: null,
        }),
      )
    }
    sentences.push(
      JSON.stringify({
        ...(await problem(register('13611110003', second?.id_card ?? '', second?.major ?? ''))),
        traceId: null,
      }),
    ) // all right now, but the sixth try
    expect(new Set(sentences).size).toBe(1)
    expect(sentences[0]).toContain('注册信息与学籍不符，或验证码不正确')
    nextDay()
    expect(await register('13611110003', second?.id_card ?? '', second?.major_en ?? '')).toBeNull()
  }, 60_000)
  it('binds once when two numbers ask for the same student at the same moment', async () => {
    nextDay()
    const { id, id_card, major } = await someone().executeTakeFirstOrThrow()
    const results = await Promise.allSettled(
      ['13611110005', '13611110006'].map((mobile) => register(mobile, id_card ?? '', major)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(
      (
        await db()
          .selectFrom('biz.student')
          .select('account_mobile')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).account_mobile,
    ).toMatch(/^1361111000[56]$/)
  })
})

describe('before anyone signs in', () => {
  it('shows published notices, newest first, clean, to the page query of the login page', async () => {
    await db()
      .insertInto('sys.notice')
      .values({
        id: app.services.newId(),
        tenant_id: '10000',
        notice_title: '<b>标题</b>',
        notice_status: '0',
        issue_time: new Date('2027-01-01T00:00:00Z'),
        notice_content: '<p onclick="x()">好</p><script>alert(1)</script>',
      })
      .execute()
    const response = await app.call('/entity/SYS_NOTICE/data/page', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        pageNum: -1,
        pageSize: -1,
        queries: { noticeStatus: [{ id: '0' }] },
        sorts: [{ column: 'issueTime', asc: false }],
      }),
    })
    const { data } = (await response.json()) as {
      data: {
        total: number
        records: {
          noticeTitle: string
          issueTime: string
          noticeContent: string
          noticeStatus: { id: string }[]
          createUser: { name: string }[]
        }[]
      }
    }
    expect(data.total).toBe(11)
    expect(data.records[0]).toMatchObject({
      noticeTitle: '<b>标题</b>',
      noticeContent: '<p>好</p>',
      issueTime: '2027-01-01 08:00:00',
    })
    expect(data.records[1]?.createUser).toEqual([{ id: '', name: '系统管理员' }])
    expect(data.records.every(({ noticeStatus }) => noticeStatus[0]?.id === '0')).toBe(true)
    const times = data.records.map(({ issueTime }) => issueTime)
    expect(times).toEqual([...times].sort().reverse())
    expect(
      (
        await app.call('/entity/SYS_USER/data/page', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(401)
  })
  it('says what the school and its fees are, in both languages', async () => {
    const [zh, en] = [
      await app.client('').student.school({}),
      await app.client('', 'en').student.school({}),
    ]
    expect(zh).toMatchObject({
      schoolName: '示范大学',
      schoolSite: 'https://www.example.edu.cn',
      payDriver: 'sandbox',
    })
    expect([zh.feeNotice, en.feeNotice]).toEqual([
      expect.stringContaining('中文每份 5 元'),
      expect.stringContaining('5 yuan in Chinese and 30 yuan in English'),
    ])
    expect(en.schoolName).toBe('Demonstration University')
  })
})
