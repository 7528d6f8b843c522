// WeChat Pay during the changeover from platform certificates to its public key, and its refusals. The double
// is written from the public pages (接口规则: 签名生成, 签名验证, 证书和回调报文解密, 如何从平台证书切换成微信支付公钥) and shares no
// code with the client.
import {
  createCipheriv,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '@jiaowu/api/exact-json'
import forge from 'node-forge'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../testing/app.ts'
import type { WechatAccount } from '../../platform/settings/settings-gateways.ts'
import { failureInWords } from '../../platform/provider-words.ts'
import { GatewayFailure } from '../gateway.ts'
import { paymentRounds } from '../payment-rounds.ts'
import { wechatGateway, type WechatGateway } from './gateway.ts'

const apiV3Key = 'a-key-of-exactly-32-characters-!'
const publicKeyId = 'PUB_KEY_ID_0116000001092024112000291300000001'
const [mchid, appid] = ['1900000109', 'wxd678efh567hg6787']
const folder = mkdtempSync(join(tmpdir(), 'jiaowu-changeover-'))
const pem = (key: KeyObject, type: 'pkcs8' | 'spki') =>
  key.export({ type, format: 'pem' }).toString()

type SignedBy = 'certificate' | 'publicKey' | 'requested' | 'stranger' | 'nobody'
interface Scripted {
  readonly status: number
  readonly body: unknown
  readonly signedBy: SignedBy
}
interface Received {
  readonly path: string
  readonly serial: string | undefined
}

const merchant = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keys = {
  certificate: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  publicKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  stranger: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
}
const certificate = makeCertificate(keys.certificate)
let scripted: Scripted
let hasCertificates = true
let received: Received[] = []
let invalid = 0

const server = createServer((request, response) => {
  void readBodyText(request).then((body) => {
    const serial = request.headers['wechatpay-serial']?.toString()
    received.push({ path: request.url ?? '', serial })
    if (!isMerchants(request, body)) invalid += 1
    const isList = request.url === '/v3/certificates'
    const { status, body: answer, signedBy } = isList ? certificates() : scripted
    const text = answer === null ? '' : JSON.stringify(answer)
    const signer =
      signedBy === 'requested'
        ? serial?.startsWith('PUB_KEY_ID_') === true
          ? 'publicKey'
          : 'certificate'
        : signedBy
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(signer === 'nobody' ? {} : signature(signer, text)),
    })
    response.end(text)
  })
})
let account: WechatAccount
let app: TestApp

beforeAll(async () => {
  writeFileSync(join(folder, 'merchant.pem'), pem(merchant.privateKey, 'pkcs8'))
  writeFileSync(join(folder, 'public.pem'), pem(createPublicKey(keys.publicKey), 'spki'))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const at = server.address()
  account = {
    mchid,
    appid,
    serial: 'MERCHANT1',
    keyFile: join(folder, 'merchant.pem'),
    apiV3Key,
    endpoint: `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`,
  }
  app = await testApp({
    PAY_DRIVER: 'wechat',
    WECHAT_MCHID: mchid,
    WECHAT_APPID: appid,
    WECHAT_SERIAL: 'MERCHANT1',
    WECHAT_KEY_FILE: account.keyFile,
    WECHAT_APIV3_KEY: apiV3Key,
    WECHAT_ENDPOINT: account.endpoint,
    WECHAT_PUBLIC_KEY_ID: publicKeyId,
    WECHAT_PUBLIC_KEY_FILE: join(folder, 'public.pem'),
  })
})
afterAll(async () => {
  await app.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  hasCertificates = true
  received = []
  invalid = 0
})

const withPublicKey = () => gatewayFor({ publicKey: true })
const withCertificates = () => gatewayFor({ publicKey: false })

function gatewayFor(mode: { readonly publicKey: boolean }): WechatGateway {
  const publicKey = { id: publicKeyId, file: join(folder, 'public.pem') }
  return wechatGateway(mode.publicKey ? { ...account, publicKey } : account, app.services)
}

const paying = (signedBy: SignedBy): Scripted => ({
  status: 200,
  body: { mchid, appid, out_trade_no: 'JW1x1', trade_state: 'NOTPAY' },
  signedBy,
})

async function captureFailure(call: Promise<unknown>): Promise<GatewayFailure> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatewayFailure)) throw new Error(`no failure: ${String(error)}`)
  return error
}

describe('answers', () => {
  it.each(['certificate', 'publicKey', 'requested'] as const)(
    'signed by the %s are taken by a merchant who has the public key',
    async (signedBy) => {
      scripted = paying(signedBy)
      expect(await withPublicKey().query('JW1x1')).toEqual({ state: 'open' })
      expect(received.at(-1)?.serial ?? received[0]?.serial).toBe(publicKeyId)
      expect(received.find(({ path }) => path.includes('JW1x1'))?.serial).toBe(publicKeyId)
      expect(invalid).toBe(0)
    },
  )
  it('signed by the public key are taken when there are no certificates any more', async () => {
    hasCertificates = false
    scripted = paying('publicKey')
    expect(await withPublicKey().query('JW1x1')).toEqual({ state: 'open' })
    scripted = paying('certificate')
    expect((await captureFailure(withPublicKey().query('JW1x1'))).code).toBe('UNSIGNED')
  })
  it('are asked for under the newest certificate by a merchant without the public key', async () => {
    scripted = paying('requested')
    expect(await withCertificates().query('JW1x1')).toEqual({ state: 'open' })
    expect(received.find(({ path }) => path.includes('JW1x1'))?.serial).toBe(certificate.serial)
  })
  it('signed by a public key that is not set name the settings that are missing', async () => {
    scripted = paying('publicKey')
    const { message, code } = await captureFailure(withCertificates().query('JW1x1'))
    expect([code, message]).toEqual(['UNSIGNED', expect.stringContaining('WECHAT_PUBLIC_KEY_ID')])
  })
  it.each(['nobody', 'stranger'] as const)('signed by %s are refused', async (signedBy) => {
    scripted = paying(signedBy)
    expect((await captureFailure(withPublicKey().query('JW1x1'))).code).toBe('UNSIGNED')
  })
})

describe('every call', () => {
  it('carries Wechatpay-Serial and a valid signature', async () => {
    const gateway = withPublicKey()
    scripted = { status: 400, body: { code: 'PARAM_ERROR' }, signedBy: 'publicKey' }
    for (const call of [
      () =>
        gateway.create({ orderNo: 'JW1x1', amountFen: 1, description: 'd', expiresAt: new Date() }),
      () => gateway.query('JW1x1'),
      () => gateway.close('JW1x1'),
      () =>
        gateway.refund({ orderNo: 'JW1x1', refundNo: 'R', amountFen: 1, totalFen: 1, reason: 'r' }),
      () => gateway.queryRefund('R'),
      () => gateway.bill('2026-01-01'),
    ])
      expect((await captureFailure(call())).code).toBe('PARAM_ERROR')
    expect(received.map(({ serial }) => serial)).toEqual(received.map(() => publicKeyId))
    expect([received.length, invalid]).toEqual([6, 0])
  })
})

/** The codes of the pages of Native orders, queries, closing, refunds and common errors, with their statuses. */
const codes = [
  [400, 'PARAM_ERROR', true],
  [400, 'INVALID_REQUEST', true],
  [400, 'APPID_MCHID_NOT_MATCH', true],
  [400, 'MCH_NOT_EXISTS', true],
  [400, 'ORDER_CLOSED', true],
  [401, 'SIGN_ERROR', true],
  [403, 'NO_AUTH', true],
  [403, 'OUT_TRADE_NO_USED', true],
  [403, 'RULE_LIMIT', true],
  [403, 'TRADE_ERROR', true],
  [403, 'ACCOUNT_ERROR', true],
  [403, 'USER_ACCOUNT_ABNORMAL', true],
  [403, 'NOT_ENOUGH', false],
  [403, 'REQUEST_BLOCKED', true],
  [404, 'ORDER_NOT_EXIST', true],
  [404, 'RESOURCE_NOT_EXISTS', true],
  [429, 'FREQUENCY_LIMITED', false],
  [429, 'RATELIMIT_EXCEEDED', false],
  [429, 'FREQUENCY_LIMIT_EXCEED', false],
  [500, 'SYSTEM_ERROR', false],
  [500, 'BANK_ERROR', false],
  [500, 'OPENID_MISMATCH', false],
  [500, 'INVALID_TRANSACTIONID', false],
  [502, 'SYSTEM_ERROR', false],
] as const

it.each([...codes.map(([, code]) => code), 'NO_STATEMENT_EXIST', 'STATEMENT_CREATING'])(
  'the code %s is told with what it means',
  (code) => {
    for (const locale of ['zh-CN', 'en'] as const)
      expect(failureInWords(locale, `wechat: ${code}`)).not.toBe(`wechat: ${code}`)
  },
)

describe.each(codes)('the refusal %i %s', (status, code, final) => {
  const ordering = () =>
    withPublicKey().create({
      orderNo: 'JW1x1',
      amountFen: 500,
      description: 'd',
      expiresAt: new Date(),
    })
  it.each(['publicKey', 'certificate'] as const)('signed by the %s is told', async (signedBy) => {
    scripted = { status, body: { code, message: 'm' }, signedBy }
    const failure = await captureFailure(ordering())
    expect([failure.code, failure.final]).toEqual([code, final])
    expect(failure.message).toContain(code)
  })
  it.each(['nobody', 'stranger'] as const)(
    'signed by %s is told as unverified',
    async (signedBy) => {
      scripted = { status, body: { code, message: 'm' }, signedBy }
      const failure = await captureFailure(ordering())
      expect(failure).toMatchObject({
        code,
        final: false,
        message: `wechat: ${status} ${code} (unverified)`,
      })
    },
  )
})

it('asks again for the bill of a day that is still being made, until there is an answer', async () => {
  const inChina = new Date(app.services.now().getTime() + 8 * 3_600_000)
  // To noon of the next day in China: the bill of the day before can be had.
  app.advance((36 - inChina.getUTCHours()) * 3_600_000)
  const countAfter = async (minutes: number): Promise<number> => {
    app.advance(minutes * 60_000)
    await paymentRounds.afterRound?.(app.services)
    return received.filter(({ path }) => path.includes('/v3/bill/tradebill')).length
  }
  scripted = { status: 400, body: { code: 'STATEMENT_CREATING' }, signedBy: 'publicKey' }
  expect([await countAfter(0), await countAfter(1), await countAfter(30)]).toEqual([1, 1, 2])
  scripted = { status: 400, body: { code: 'NO_STATEMENT_EXIST' }, signedBy: 'publicKey' }
  expect([await countAfter(31), await countAfter(31)]).toEqual([3, 3])
})

describe('notifications', () => {
  it.each([
    ['certificate', 'AEAD_AES_256_GCM', 200],
    ['publicKey', 'AEAD_AES_256_GCM', 200],
    ['stranger', 'AEAD_AES_256_GCM', 401],
    ['nobody', 'AEAD_AES_256_GCM', 401],
    ['publicKey', 'AEAD_X', 400],
    ['publicKey', undefined, 400],
  ] as const)('signed by the %s, encrypted by %s: %i', async (signedBy, algorithm, expected) => {
    const body = JSON.stringify({
      id: randomBytes(8).toString('hex'),
      event_type: 'TRANSACTION.SUCCESS',
      resource: {
        ...sealNotification(
          JSON.stringify({
            mchid,
            appid,
            out_trade_no: 'JW1x404',
            transaction_id: '4200000001',
            trade_state: 'SUCCESS',
            success_time: new Date().toISOString(),
            amount: { total: 500, currency: 'CNY' },
          }),
        ),
        algorithm,
      },
    })
    const { status } = await app.fetch(
      new Request('http://jiaowu.test/pay/wechat/notify', {
        method: 'POST',
        headers: signedBy === 'nobody' ? {} : signature(signedBy, body),
        body,
      }),
    )
    expect(status).toBe(expected)
  })
})

/** Signs as WeChat does: time, nonce and body, a line each. */
function signature(by: keyof typeof keys, body: string): Record<string, string> {
  const time = String(Math.floor(app.services.now().getTime() / 1000))
  const nonce = randomBytes(16).toString('hex')
  return {
    'wechatpay-timestamp': time,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': by === 'publicKey' ? publicKeyId : certificate.serial,
    'wechatpay-signature': sign(
      'sha256',
      Buffer.from(`${time}\n${nonce}\n${body}\n`),
      keys[by],
    ).toString('base64'),
  }
}

function certificates(): Scripted {
  if (!hasCertificates)
    return { status: 404, body: { code: 'RESOURCE_NOT_EXISTS' }, signedBy: 'publicKey' }
  return {
    status: 200,
    signedBy: 'requested',
    body: {
      data: [
        {
          serial_no: certificate.serial,
          effective_time: '2025-01-01T00:00:00+08:00',
          expire_time: '2030-01-01T00:00:00+08:00',
          encrypt_certificate: sealNotification(certificate.pem),
        },
      ],
    },
  }
}

function sealNotification(text: string) {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(nonce))
  cipher.setAAD(Buffer.from('a'))
  const sealed = [cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return {
    algorithm: 'AEAD_AES_256_GCM',
    nonce,
    associated_data: 'a',
    ciphertext: Buffer.concat(sealed).toString('base64'),
  }
}

function isMerchants(request: IncomingMessage, body: string): boolean {
  const header = request.headers.authorization ?? ''
  const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? ''
  const signed = `${request.method}\n${request.url}\n${part('timestamp')}\n${part('nonce_str')}\n${body}\n`
  return (
    part('mchid') === mchid &&
    part('serial_no') === 'MERCHANT1' &&
    verify(
      'sha256',
      Buffer.from(signed),
      merchant.publicKey,
      Buffer.from(part('signature'), 'base64'),
    ) &&
    (body === '' || typeof parseJson(body) === 'object')
  )
}

async function readBodyText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function makeCertificate(privateKey: KeyObject): { serial: string; pem: string } {
  const made = forge.pki.createCertificate()
  const pair = forge.pki.privateKeyFromPem(
    privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  )
  made.publicKey = forge.pki.setRsaPublicKey(pair.n, pair.e)
  made.serialNumber = `5${randomBytes(15).toString('hex')}`
  made.validity.notBefore = new Date(Date.now() - 86_400_000)
  made.validity.notAfter = new Date(Date.now() + 400 * 86_400_000)
  made.setSubject([{ name: 'commonName', value: 'Tenpay.com sign' }])
  made.setIssuer([{ name: 'commonName', value: 'Tenpay.com Root CA' }])
  made.sign(pair, forge.md.sha256.create())
  return { serial: made.serialNumber.toUpperCase(), pem: forge.pki.certificateToPem(made) }
}
