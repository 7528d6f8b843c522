// `provider check` and `sms test`: the accounts are tried without a charge, and each failure has words.
import { createServer, type Server } from 'node:http'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catchProblem } from '../../support/student.ts'
import { startWechat, type Wechat } from '../../support/payments/wechat.ts'

const minute = 60_000
let app: TestApp
let wechat: Wechat
let sms: Server
let smsCode = 'OK'
let smsActions: string[] = []

beforeAll(async () => {
  const clock = { now: () => new Date() }
  wechat = await startWechat(() => clock.now())
  sms = createServer((request, response) => {
    smsActions.push(String(request.headers['x-acs-action']))
    response.end(JSON.stringify({ Code: smsCode }))
  })
  await new Promise<void>((resolve) => {
    sms.listen(0, '127.0.0.1', resolve)
  })
  const at = sms.address()
  app = await testApp({
    ...wechat.env,
    SMS_DRIVER: 'aliyun',
    SMS_KEY_ID: 'key-id',
    SMS_KEY_SECRET: 'secret',
    SMS_SIGN_NAME: '示范大学',
    SMS_TEMPLATE_LOGIN: 'SMS_1',
    SMS_TEMPLATE_REGISTER: 'SMS_2',
    SMS_ENDPOINT: `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`,
  })
  clock.now = app.services.now
})
afterAll(async () => {
  await app.close()
  sms.close()
  await wechat.close()
})

describe('provider check', () => {
  it('asks about an unknown order, the certificates, signature and templates, and creates nothing', async () => {
    const admin = await app.signIn('admin')
    smsActions = []
    expect(await admin.provider.check({})).toMatchObject([
      { provider: 'wechat', operation: 'query', ok: true },
      { provider: 'wechat', operation: 'certificates', ok: true },
      { provider: 'aliyun', operation: 'sms', ok: true },
    ])
    expect([wechat.trades.size, smsActions]).toEqual([
      0,
      ['QuerySmsSign', 'QuerySmsTemplate', 'QuerySmsTemplate'],
    ])
  })
  it.each([
    ['SignatureDoesNotMatch', 'AccessKey Secret'],
    ['InvalidAccessKeyId.NotFound', 'AccessKey ID'],
    ['isv.SMS_SIGNATURE_ILLEGAL', '短信签名'],
    ['isv.SMS_TEMPLATE_ILLEGAL', '短信模板'],
    ['isv.OUT_OF_SERVICE', '停机'],
    ['isv.AMOUNT_NOT_ENOUGH', '余额'],
    ['isp.RAM_PERMISSION_DENY', '权限'],
    ['isv.PRODUCT_UN_SUBSCRIPT', '未开通'],
  ])('says what %s means', async (code, words) => {
    smsCode = code
    app.advance(minute)
    const admin = await app.signIn('admin')
    const found = (await admin.provider.check({})).at(-1)
    smsCode = 'OK'
    expect(found).toMatchObject({ provider: 'aliyun', ok: false })
    expect(found?.text).toContain(code)
    expect(found?.text).toContain(words)
  })
  it.each([
    ['unsigned', 'unverified'],
    ['busy', 'SYSTEM_ERROR'],
    ['refused', 'TypeError'],
  ] as const)('says what a provider that is %s means', async (fault, words) => {
    wechat.fault = (kind) => (kind === 'query' ? fault : 'none')
    const admin = await app.signIn('admin')
    const [query] = await admin.provider.check({})
    wechat.fault = () => 'none'
    expect(query).toMatchObject({ provider: 'wechat', ok: false })
    expect(query?.text).toMatch(new RegExp(words))
  })
})

describe('sms test', () => {
  it('sends one message a minute, and only for those who run the server', async () => {
    app.advance(minute)
    const [admin, registrar] = [await app.signIn('admin'), await app.signIn('registrar')]
    const send = (by: typeof admin) => by.provider.testSms({ body: { mobile: '13800000001' } })
    smsActions = []
    expect(await send(admin)).toMatchObject({ provider: 'aliyun', operation: 'send', ok: true })
    expect((await catchProblem(send(admin))).code).toBe(429)
    expect((await catchProblem(send(registrar))).code).toBe(403)
    expect(smsActions).toEqual(['SendSms'])
    app.advance(minute)
    smsCode = 'isv.BUSINESS_LIMIT_CONTROL'
    expect(await send(await app.signIn('admin'))).toMatchObject({
      ok: false,
      text: expect.stringContaining('isv.BUSINESS_LIMIT_CONTROL') as string,
    })
    smsCode = 'OK'
  })
})
