import { captchaTicketHeader } from '@jiaowu/api/contract/student/student'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  askCode,
  captchaEnv,
  receiveCode,
  catchProblem,
  readOutbox,
  solveTicket,
  studentClient,
} from '../../support/student.ts'

const minute = 60_000
let app: TestApp
beforeAll(async () => {
  app = await testApp(captchaEnv)
})
afterAll(() => app.close())
const nextDay = () => app.advance(25 * 60 * minute)
// Lets the windows of hourly and daily limits pass.
afterEach(nextDay)

async function outbox(mobile: string) {
  return (await readOutbox(app.services.settings.dataDir)).filter(
    (message) => message.mobile === mobile,
  )
}
const openStudentDatabase = () => app.services.database.kysely
function signInByCode(account: string, password: string, language: 'zh-CN' | 'en' = 'zh-CN') {
  return app.client('', language).student.signIn({
    body: { account, password, grantType: 'stupc', tenant: '10000', args: { clientId: '0000' } },
  })
}
const changeCode = (code: string) => (code === '000000' ? '000001' : '000000')
const addToCode = (code: string, n: number) =>
  String((Number(code) + n) % 1_000_000).padStart(6, '0')

describe('sign-in', () => {
  it('starts a student session, which refreshes and ends like any other', async () => {
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
    expect((await catchProblem(app.client(next.access_token).student.detail({}))).code).toBe(40000)
  })
  it('has the same reply for a wrong, expired or used code and an unbound number', async () => {
    const code = await receiveCode(app, '13800000002', '1')
    const wrong = await catchProblem(signInByCode('13800000002', changeCode(code)))
    expect(wrong).toMatchObject({ code: 400, message: '手机号或验证码不正确' })
    const same = async (account: string, password: string) =>
      expect({ ...(await catchProblem(signInByCode(account, password))), traceId: null }).toEqual({
        ...wrong,
        traceId: null,
      })
    await same('13700000001', code)
    await same('not a number', code)
    await same('13800000001', code) // code of another number
    expect((await signInByCode('13800000002', code)).userInfo).toMatchObject({
      account: '138****0002',
    })
    await same('13800000002', code)
    app.advance(2 * minute)
    const expired = await receiveCode(app, '13800000002', '1')
    app.advance(5 * minute + 1000)
    await same('13800000002', expired)
  })
  it('checks five concurrent guesses of an address at most', async () => {
    const code = await receiveCode(app, '13800000003', '1')
    await Promise.all(
      Array.from({ length: 9 }, (_none, i) =>
        catchProblem(signInByCode('13800000003', addToCode(code, i + 1))),
      ),
    )
    const row = await openStudentDatabase()
      .selectFrom('sys.sms_code')
      .select('tries')
      .where('mobile', '=', '13800000003')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row.tries).toBeLessThanOrEqual(5)
    const { code: status, message } = await catchProblem(signInByCode('13800000003', code))
    expect(status).toBe(400)
    // Guesses that come after the third count only with a captcha.
    expect([
      '该验证码输错次数过多，已失效，请重新获取',
      '验证码多次输错。再次提交前需完成图片验证，也可以重新获取验证码',
    ]).toContain(message)
    app.advance(2 * minute)
    const next = await receiveCode(app, '13800000003', '1')
    expect((await signInByCode('13800000003', next)).token).toMatch(/^7ps\.[\w-]{43}$/)
  })
  it('asks for a captcha from the third wrong code on, and says when the code is used up', async () => {
    const mobile = '13800000002'
    const code = await receiveCode(app, mobile, '1')
    const tryWith = async (guess: string, ticket?: string) => {
      const body = JSON.stringify({ account: mobile, password: guess, grantType: 'stupc' })
      const headers = {
        'content-type': 'application/json',
        ...(ticket === undefined ? {} : { [captchaTicketHeader]: ticket }),
      }
      const response = await app.call('/login', { method: 'POST', body, headers })
      const { data, msg } = (await response.json()) as { data: unknown; msg: string }
      return { status: response.status, data, msg }
    }
    const wrong = changeCode(code)
    expect(await tryWith(wrong)).toMatchObject({ status: 400, data: null })
    expect(await tryWith(wrong)).toMatchObject({ status: 400, data: null })
    expect(await tryWith(wrong)).toMatchObject({ status: 400, data: { captchaNeeded: true } })
    expect(await tryWith(code)).toMatchObject({ status: 400, data: { captchaNeeded: true } })
    expect(await tryWith(wrong, 'x'.repeat(43))).toMatchObject({ data: { captchaNeeded: true } })
    expect(await tryWith(wrong, await solveTicket(app.client('')))).toMatchObject({
      data: { captchaNeeded: true },
    })
    expect((await tryWith(code, await solveTicket(app.client('')))).status).toBe(200)
  })
  it('does not lock the owner out: another address still signs in, and guesses without a code do not count', async () => {
    const mobile = '13800000001'
    const tryFrom = async (ip: string, guess: string) => {
      const body = JSON.stringify({ account: mobile, password: guess, grantType: 'stupc' })
      const headers = { 'content-type': 'application/json' }
      const peer = { ip, secure: false }
      return (await app.call('/login', { method: 'POST', body, headers }, peer)).status
    }
    for (let n = 0; n < 12; n += 1) expect(await tryFrom('203.0.113.9', '000000')).toBe(400)
    const code = await receiveCode(app, mobile, '1')
    for (let n = 0; n < 12; n += 1) await tryFrom('203.0.113.9', changeCode(code))
    expect(await tryFrom('203.0.113.9', code)).toBe(400)
    expect(await tryFrom('127.0.0.1', code)).toBe(200)
  })
  it('starts one session for twenty concurrent uses of a code', async () => {
    const code = await receiveCode(app, '13800000001', '1')
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => signInByCode('13800000001', code)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
  it('does not allow staff calls, nor a staff session student calls', async () => {
    const student = await studentClient(app, '13800000002')
    const staff = await app.signIn('admin')
    expect(
      (await catchProblem(student.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })))
        .code,
    ).toBe(403)
    expect(
      (await catchProblem(student.entityData.page({ params: { tag: 'SYS_NOTICE' }, body: {} })))
        .code,
    ).toBe(403)
    expect((await catchProblem(student.print.refunds({}))).code).toBe(403)
    expect(
      (
        await catchProblem(
          student.session.changePassword({ body: { oldPassword: 'a', newPassword: 'b' } }),
        )
      ).code,
    ).toBe(403)
    expect((await catchProblem(staff.student.detail({}))).code).toBe(403)
    expect(
      (
        await catchProblem(
          app.client('').session.signIn({
            body: { grant_type: 'password', username: '13800000002', password: '123456' },
          }),
        )
      ).code,
    ).toBe(400)
  })
  it('ends at the next call when the number is unbound', async () => {
    const me = await studentClient(app, '13800000003')
    expect((await me.student.detail({})).fldXh).not.toBe('')
    await openStudentDatabase()
      .updateTable('biz.student')
      .set({ account_mobile: null })
      .where('account_mobile', '=', '13800000003')
      .execute()
    expect((await catchProblem(me.student.detail({}))).code).toBe(40005)
    expect(
      (
        await catchProblem(
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
    openStudentDatabase()
      .selectFrom('biz.student as s')
      .innerJoin('biz.major as m', (on) =>
        on.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.id', '=', 's.major_id'),
      )
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
    const sent = await receiveCode(app, mobile, '2')
    return app.client('').student.register({
      body: {
        // As stored, or as typed.
        sfzh: idNumberOf(app.services, sfzh),
        zymc,
        mobile,
        verCode: more.verCode ?? sent,
        clientId: '0000',
      },
    })
  }
  it('binds the number to the only student with this ID number and major', async () => {
    const { id_card, major, name } = await someone().executeTakeFirstOrThrow()
    expect(
      await register('13611110001', idNumberOf(app.services, id_card).toLowerCase(), major),
    ).toBeNull()
    app.advance(2 * minute)
    const me = await studentClient(app, '13611110001')
    expect((await me.student.detail({})).fldXm).toBe(name)
  })
  it('has the same reply for every failure', async () => {
    const [first, second] = await someone().limit(2).execute()
    const replies: string[] = []
    const fails = async (
      mobile: string,
      sfzh: string | null | undefined,
      zymc: string | undefined,
      more = {},
    ) => {
      replies.push(
        JSON.stringify({
          ...(await catchProblem(register(mobile, sfzh ?? '', zymc ?? '', more))),
          traceId: null,
        }),
      )
      nextDay()
    }
    await fails('13611110002', '110101199001011237', first?.major)
    await fails('13611110002', first?.id_card, '不存在的专业')
    await fails('13611110002', first?.id_card, first?.major, { verCode: '12' })
    const bound = await openStudentDatabase()
      .selectFrom('biz.student as s')
      .innerJoin('biz.major as m', (on) =>
        on.onRef('m.tenant_id', '=', 's.tenant_id').onRef('m.id', '=', 's.major_id'),
      )
      .select(['s.id_card', 'm.name as major'])
      .where('s.account_mobile', '=', '13800000001')
      .executeTakeFirstOrThrow()
    await fails('13611110002', bound.id_card, bound.major)
    // A bound number gets no code for registration.
    await askCode(app.client(''), '13800000002', '2')
    expect(
      (await outbox('13800000002')).filter(({ template }) => template === 'REGISTER_CODE'),
    ).toEqual([])
    for (let i = 0; i < 5; i += 1) {
      replies.push(
        JSON.stringify({
          ...(await catchProblem(
            app.client('').student.register({
              body: {
                sfzh: idNumberOf(app.services, second?.id_card ?? null),
                zymc: second?.major ?? '',
                mobile: `1361111001${i}`,
                verCode: '000000',
              },
            }),
          )),
          traceId: null,
        }),
      )
    }
    replies.push(
      JSON.stringify({
        ...(await catchProblem(
          register('13611110003', second?.id_card ?? '', second?.major ?? ''),
        )),
        traceId: null,
      }),
    ) // correct, but the sixth try
    expect(new Set(replies).size).toBe(1)
    expect(replies[0]).toContain('注册信息与学籍不符，或验证码不正确')
    nextDay()
    expect(await register('13611110003', second?.id_card ?? '', second?.major_en ?? '')).toBeNull()
  })
  it('binds once when two numbers register for one student concurrently', async () => {
    nextDay()
    const { id, id_card, major } = await someone().executeTakeFirstOrThrow()
    const results = await Promise.allSettled(
      ['13611110005', '13611110006'].map((mobile) => register(mobile, id_card ?? '', major)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(
      (
        await openStudentDatabase()
          .selectFrom('biz.student')
          .select('account_mobile')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).account_mobile,
    ).toMatch(/^1361111000[56]$/)
  })
})

describe('without a session', () => {
  it('the sign-in page gets published notices, newest first and sanitised', async () => {
    await openStudentDatabase()
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
  it('the school and its fees are described in both languages', async () => {
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
