// A local server simulates the documented APIs of the SMS providers and verifies signatures
// independently from the documentation.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askCode, captchaEnv } from '../../support/student.ts'

interface ReceivedRequest {
  readonly valid: boolean
  readonly params: Readonly<Record<string, string>>
}
const secret = 'top-secret-of-the-account'
const hashText = (text: string) => createHash('sha256').update(text).digest('hex')
let received: ReceivedRequest[] = []
let answer: unknown = {}
let status = 200

async function readRequestText(request: IncomingMessage) {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}
const header = (request: IncomingMessage, name: string) => String(request.headers[name] ?? '')

/** help.aliyun.com, V3 版本请求体 & 签名机制 */
function readAliyun(request: IncomingMessage, body: string): ReceivedRequest {
  const url = new URL(request.url ?? '', 'http://x')
  const [, keyId, signed = '', signature] =
    /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      header(request, 'authorization'),
    ) ?? []
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const query = [...url.searchParams]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${encode(k)}=${encode(v)}`)
    .join('&')
  const canonical = `${request.method}\n${url.pathname}\n${query}\n${signed
    .split(';')
    .map((name) => `${name}:${header(request, name)}\n`)
    .join('')}\n${signed}\n${hashText(body)}`
  const wanted = createHmac('sha256', secret)
    .update(`ACS3-HMAC-SHA256\n${hashText(canonical)}`)
    .digest('hex')
  // The page asks for every public header that the request carries, also one that the HTTP client adds.
  const publicHeaders = Object.keys(request.headers)
    .filter((name) => name === 'host' || name === 'content-type' || name.startsWith('x-acs-'))
    .sort()
  const complete =
    signed === publicHeaders.join(';') &&
    [
      'host',
      'x-acs-action',
      'x-acs-content-sha256',
      'x-acs-date',
      'x-acs-signature-nonce',
      'x-acs-version',
    ].every((name) => publicHeaders.includes(name))
  const recent = Math.abs(Date.now() - Date.parse(header(request, 'x-acs-date'))) < 900_000
  return {
    valid:
      keyId === 'key-id' &&
      signature === wanted &&
      complete &&
      recent &&
      header(request, 'x-acs-content-sha256') === hashText(body),
    params: {
      action: header(request, 'x-acs-action'),
      version: header(request, 'x-acs-version'),
      ...Object.fromEntries(url.searchParams),
    },
  }
}
/** cloud.tencent.com/document/api/382/52072, 签名方法 v3 */
const tencentAuthorization = new RegExp(
  '^TC3-HMAC-SHA256 Credential=([^/]+)/(\\d{4}-\\d\\d-\\d\\d)/sms/tc3_request, ' +
    'SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$',
)
function readTencent(request: IncomingMessage, body: string): ReceivedRequest {
  const [, keyId, day = '', signed = '', signature] =
    tencentAuthorization.exec(header(request, 'authorization')) ?? []
  const canonical = `POST\n/\n\n${signed
    .split(';')
    .map((name) => `${name}:${header(request, name).toLowerCase()}\n`)
    .join('')}\n${signed}\n${hashText(body)}`
  const hmac = (key: string | Buffer, text: string) =>
    createHmac('sha256', key).update(text).digest()
  const timestamp = header(request, 'x-tc-timestamp')
  const wanted = hmac(
    hmac(hmac(hmac(`TC3${secret}`, day), 'sms'), 'tc3_request'),
    `TC3-HMAC-SHA256\n${timestamp}\n${day}/sms/tc3_request\n${hashText(canonical)}`,
  ).toString('hex')
  const fits =
    new Date(Number(timestamp) * 1000).toISOString().slice(0, 10) === day &&
    Math.abs(Date.now() / 1000 - Number(timestamp)) < 300
  return {
    valid:
      keyId === 'key-id' &&
      signature === wanted &&
      fits &&
      signed.includes('host') &&
      signed.includes('content-type'),
    params: {
      action: header(request, 'x-tc-action'),
      version: header(request, 'x-tc-version'),
      region: header(request, 'x-tc-region'),
      body,
    },
  }
}

const server = createServer((request, response) => {
  void readRequestText(request).then((body) => {
    received.push(
      request.headers['x-acs-action'] === undefined
        ? readTencent(request, body)
        : readAliyun(request, body),
    )
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
})
let endpoint = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  endpoint = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function account(driver: 'aliyun' | 'tencent') {
  return {
    ...captchaEnv,
    SMS_DRIVER: driver,
    SMS_KEY_ID: 'key-id',
    SMS_KEY_SECRET: secret,
    SMS_SIGN_NAME: '示范大学*教务处',
    SMS_APP_ID: '1400006666',
    SMS_TEMPLATE_LOGIN: 'SMS_LOGIN',
    SMS_TEMPLATE_REGISTER: 'SMS_REGISTER',
    SMS_ENDPOINT: endpoint,
  }
}

describe.each([
  {
    driver: 'aliyun',
    good: { Code: 'OK', Message: 'OK', BizId: '1', RequestId: 'r' },
    bad: { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: '触发流控' },
    failure: 'aliyun: isv.BUSINESS_LIMIT_CONTROL',
  },
  {
    driver: 'tencent',
    good: { Response: { SendStatusSet: [{ Code: 'Ok', SerialNo: '1' }], RequestId: 'r' } },
    bad: { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'm' } } },
    failure: 'tencent: AuthFailure.SignatureFailure',
  },
] as const)('$driver', ({ driver, good, bad, failure }) => {
  it('sends a signed request with the template and its code, and records the task without the code', async () => {
    const app = await testApp(account(driver))
    const tasks = () =>
      app.services.database.kysely
        .selectFrom('sys.sms_task')
        .select(['status', 'failure', 'mobile', 'content'])
        .orderBy('id', 'desc')
        .execute()
    try {
      ;[received, answer, status] = [[], good, 200]
      await askCode(app.client(''), '13800000001', '1')
      await expect.poll(async () => (await tasks())[0]?.status).toBe('1')
      const [only] = received
      expect([received.length, only?.valid]).toEqual([1, true])
      if (driver === 'aliyun') {
        expect(only?.params).toMatchObject({
          action: 'SendSms',
          version: '2017-05-25',
          PhoneNumbers: '13800000001',
          SignName: '示范大学*教务处',
          TemplateCode: 'SMS_LOGIN',
          TemplateParam: expect.stringMatching(/^\{"code":"\d{6}"\}$/) as string,
        })
      } else {
        expect(only?.params).toMatchObject({
          action: 'SendSms',
          version: '2021-01-11',
          region: 'ap-guangzhou',
        })
        expect(JSON.parse(only?.params.body ?? '')).toEqual({
          PhoneNumberSet: ['+8613800000001'],
          SmsSdkAppId: '1400006666',
          SignName: '示范大学*教务处',
          TemplateId: 'SMS_LOGIN',
          TemplateParamSet: [expect.stringMatching(/^\d{6}$/)],
        })
      }
      expect((await tasks())[0]?.content).not.toMatch(/\d{6}/)
      answer = bad
      // The reply is the same after a failure; only the task records it.
      await askCode(app.client(''), '13800000002', '1')
      await expect
        .poll(async () => (await tasks())[0])
        .toMatchObject({ status: '2', failure, mobile: '138****0002' })
      ;[answer, status] = ['not an object', 502]
      await askCode(app.client(''), '13800000003', '1')
      await expect
        .poll(async () => (await tasks())[0])
        .toMatchObject({ status: '2', failure: `${driver}: no JSON object` })
    } finally {
      await app.close()
    }
  })
})
