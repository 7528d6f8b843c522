// A double of WeChat Pay API v3 on a port of its own, written from its documentation: it verifies
// our signatures, signs its answers, and can delay, lose, duplicate and reorder them. It does not
// depend on the code under test.
import {
  createCipheriv,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import forge from 'node-forge'
import {
  type Answer,
  appid,
  type CreateAsked,
  createTrades,
  mchid,
  type Behaviour,
  type RefundAsked,
  refuseTrade,
  type Refunded,
  type Trade,
} from './wechat-trades.ts'

/**
 * Fault of a call: `lost` is carried out and not answered, `refused` is not carried out, `unsigned`
 * and `forged` answers lack a valid signature. `NOT_ENOUGH`: the merchant's balance is too low.
 */
export type Fault = 'none' | 'lost' | 'refused' | 'unsigned' | 'forged' | 'busy' | 'NOT_ENOUGH'
type CallKind = 'create' | 'query' | 'close' | 'refund' | 'queryRefund' | 'certificates' | 'bill'

interface PlatformKey {
  readonly serial: string
  readonly key: KeyObject
  readonly pem: string
}
const apiV3Key = 'a-key-of-exactly-32-characters-!'

interface Notification {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
export interface Wechat {
  /** Settings for a server that uses this double. */
  readonly env: Readonly<Record<string, string>>
  readonly trades: ReadonlyMap<string, Trade>
  readonly refunds: ReadonlyMap<string, Refunded>
  readonly calls: readonly { readonly kind: CallKind; readonly orderNo: string }[]
  /** The fault of each call; none by default. */
  fault: (kind: CallKind, orderNo: string) => Fault
  /**
   * The answer to a close: `USERPAYING` while the payer types the PIN, `TOO_EARLY` just after the
   * creation.
   */
  closeAnswer: (orderNo: string) => 'ok' | 'USERPAYING' | 'TOO_EARLY'
  /** Refunds stay in progress until `finishRefunds`. */
  refundsWait: boolean
  readonly finishRefunds: (state?: 'SUCCESS' | 'ABNORMAL') => void
  /**
   * A payer pays. `evenClosed`: the payer opened the payment page before the close. False when it
   * cannot be paid.
   */
  readonly pay: (orderNo: string, options?: { evenClosed?: boolean }) => boolean
  /** WeChat's notification of a payment; signed anew each time, with the same id. */
  readonly notification: (
    orderNo: string,
    more?: {
      readonly amount?: number
      readonly mchid?: string
      readonly currency?: string
      readonly at?: Date
      readonly serial?: string
    },
  ) => Notification
  readonly refundNotification: (refundNo: string) => Notification
  /** Signs with a new certificate from now on; the old one stays listed for a while. */
  readonly rotate: () => void
  readonly close: () => Promise<void>
}
type Signers = ReturnType<typeof createSigners>
type Trades = ReturnType<typeof createTrades>

/** Settings that tests change while the double runs. */
type Adjustable = Behaviour & Pick<Wechat, 'fault'>
/** State that the handler of requests works on. */
interface Double {
  readonly merchantTrades: Trades
  readonly signers: Signers
  readonly behaviour: Adjustable
  /** The calls received, oldest first. */
  readonly calls: { kind: CallKind; orderNo: string }[]
  readonly now: () => Date
}
interface Call {
  readonly kind: CallKind
  readonly orderNo: string
  readonly act: () => Answer
}

/** @param now the server's clock, which tests move */
export async function startWechat(now: () => Date = () => new Date()): Promise<Wechat> {
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-wechat-'))
  const keyFile = join(folder, 'apiclient_key.pem')
  const behaviour: Adjustable = {
    closeAnswer: () => 'ok',
    refundsWait: false,
    fault: () => 'none',
  }
  const [signers, merchantTrades] = [createSigners(now), createTrades(behaviour)]
  await writeFile(keyFile, signers.merchantPem)
  const double: Double = { merchantTrades, signers, behaviour, calls: [], now }
  const { address, close } = await listen((request, response) =>
    handleRequest(double, request, response),
  )
  const parts: Omit<Wechat, keyof Adjustable> = {
    env: settingsFor(address, keyFile),
    trades: merchantTrades.trades,
    refunds: merchantTrades.refunds,
    calls: double.calls,
    rotate: signers.rotate,
    finishRefunds: (state = 'SUCCESS') => {
      for (const each of merchantTrades.refunds.values())
        if (each.state === 'PROCESSING') each.state = state
    },
    pay: (orderNo, { evenClosed = false } = {}) =>
      payTrade(merchantTrades, now(), orderNo, evenClosed),
    ...createNotifications(double),
    close: async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return Object.assign(behaviour, parts)
}

function settingsFor(address: string, keyFile: string): Wechat['env'] {
  return {
    PAY_DRIVER: 'wechat',
    WECHAT_MCHID: mchid,
    WECHAT_APPID: appid,
    WECHAT_SERIAL: 'MERCHANT1',
    WECHAT_KEY_FILE: keyFile,
    WECHAT_APIV3_KEY: apiV3Key,
    WECHAT_ENDPOINT: address,
  }
}

async function handleRequest(
  double: Double,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { merchantTrades, signers } = double
  const body = await readBody(request)
  const { pathname } = new URL(request.url ?? '/', 'http://wechat')
  if (pathname === '/v3/billdownload/file') {
    response.end(merchantTrades.bill())
    return
  }
  if (!signers.isMerchant(request, body)) {
    sendSignedReply(double, response, refuseTrade(401, 'SIGN_ERROR'), 'none')
    return
  }
  const call = findTradeRoute(
    merchantTrades,
    signers,
    request.method ?? 'GET',
    pathname,
    body,
    `http://${request.headers.host}`,
  )
  answerCall(double, call, request, response)
}

/** Records a call, carries it out and answers it, except as far as its fault prevents it. */
function answerCall(
  double: Double,
  { kind, orderNo, act }: Call,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  double.calls.push({ kind, orderNo })
  const fault = double.behaviour.fault(kind, orderNo)
  if (fault === 'refused') {
    request.socket.destroy()
    return
  }
  if (fault === 'busy') {
    sendSignedReply(double, response, refuseTrade(500, 'SYSTEM_ERROR'), 'none')
    return
  }
  if (fault === 'NOT_ENOUGH') {
    sendSignedReply(double, response, refuseTrade(403, fault), 'none')
    return
  }
  const answer = act()
  if (fault === 'lost') {
    request.socket.destroy()
    return
  }
  sendSignedReply(double, response, answer, fault)
}

/** Sends a signed answer; `unsigned` and `forged` spoil the signature. */
function sendSignedReply(
  { signers, now }: Double,
  response: ServerResponse,
  { status, body }: Answer,
  fault: Fault,
): void {
  const text = body === null ? '' : JSON.stringify(body)
  const signer =
    fault === 'forged'
      ? { ...newPlatformKey(now()), serial: signers.current().serial }
      : signers.current()
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(fault === 'unsigned' ? {} : signers.sealed(text, signer)),
  })
  response.end(text)
}

/** WeChat's certificates and the merchant's key: signs answers and verifies requests. */
function createSigners(now: () => Date) {
  const merchant = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const merchantKey = createPublicKey(merchant.privateKey)
  let platform: PlatformKey[] = [newPlatformKey(now())]
  const current = () => platform.at(-1) as PlatformKey
  return {
    current,
    merchantPem: merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    rotate: () => {
      platform = [...platform.slice(-1), newPlatformKey(now())]
    },
    certificates: (): Answer => ({
      status: 200,
      body: {
        data: platform.map(({ serial, pem }) => ({
          serial_no: serial,
          effective_time: '2020-01-01T00:00:00+08:00',
          expire_time: '2030-01-01T00:00:00+08:00',
          encrypt_certificate: encryptNotification(pem, 'certificate'),
        })),
      },
    }),
    sealed: (body: string, key: PlatformKey, at = now()) => {
      const [timestamp, nonce] = [
        String(Math.floor(at.getTime() / 1000)),
        randomBytes(16).toString('hex'),
      ]
      return {
        'Wechatpay-Timestamp': timestamp,
        'Wechatpay-Nonce': nonce,
        'Wechatpay-Serial': key.serial,
        'Wechatpay-Signature': sign(
          'sha256',
          Buffer.from(`${timestamp}\n${nonce}\n${body}\n`),
          key.key,
        ).toString('base64'),
      }
    },
    /** Verifies the merchant's signature over the received bytes. */
    isMerchant: (request: IncomingMessage, body: string): boolean => {
      const header = request.headers.authorization ?? ''
      const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? ''
      if (
        !header.startsWith('WECHATPAY2-SHA256-RSA2048 ') ||
        part('mchid') !== mchid ||
        part('serial_no') !== 'MERCHANT1'
      )
        return false
      if (Math.abs(Number(part('timestamp')) - now().getTime() / 1000) > 300) return false
      return verify(
        'sha256',
        Buffer.from(
          `${request.method}\n${request.url}\n${part('timestamp')}\n${part('nonce_str')}\n${body}\n`,
        ),
        merchantKey,
        Buffer.from(part('signature'), 'base64'),
      )
    },
  }
}

function newPlatformKey(now: Date): PlatformKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = forge.pki.createCertificate()
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const pair = forge.pki.privateKeyFromPem(pem)
  certificate.publicKey = forge.pki.setRsaPublicKey(pair.n, pair.e)
  certificate.serialNumber = `5${randomBytes(15).toString('hex')}`
  certificate.validity.notBefore = new Date(now.getTime() - 86_400_000)
  certificate.validity.notAfter = new Date(now.getTime() + 400 * 86_400_000)
  certificate.setSubject([{ name: 'commonName', value: 'Tenpay.com sign' }])
  certificate.setIssuer([{ name: 'commonName', value: 'Tenpay.com Root CA' }])
  certificate.sign(pair, forge.md.sha256.create())
  return {
    serial: certificate.serialNumber.toUpperCase(),
    key: privateKey,
    pem: forge.pki.certificateToPem(certificate),
  }
}

function encryptNotification(text: string, associated: string) {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(nonce))
  cipher.setAAD(Buffer.from(associated))
  const ciphertext = Buffer.concat([
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64')
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data: associated }
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
) {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      request.socket.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const at = server.address()
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  }
  return {
    address: `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`,
    close,
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function findTradeRoute(
  merchantTrades: Trades,
  signers: Signers,
  method: string,
  path: string,
  body: string,
  address: string,
): Call {
  const asked: unknown = body === '' ? {} : JSON.parse(body)
  const [, traded = '', closing] =
    /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/.exec(path) ?? []
  const found = (made: object | undefined, tell: () => unknown): Answer =>
    made === undefined
      ? refuseTrade(404, path.includes('refund') ? 'RESOURCE_NOT_EXISTS' : 'ORDER_NOT_EXIST')
      : { status: 200, body: tell() }
  if (path === '/v3/certificates')
    return { kind: 'certificates', orderNo: '', act: signers.certificates }
  if (path === '/v3/pay/transactions/native')
    return {
      kind: 'create',
      orderNo: (asked as CreateAsked).out_trade_no,
      act: () => merchantTrades.create(asked as CreateAsked),
    }
  if (closing !== undefined && method === 'POST')
    return { kind: 'close', orderNo: traded, act: () => merchantTrades.close(traded) }
  if (traded !== '')
    return {
      kind: 'query',
      orderNo: traded,
      act: () => {
        const trade = merchantTrades.trades.get(traded)
        return found(trade, () => merchantTrades.transactionOf(trade as Trade))
      },
    }
  if (path === '/v3/refund/domestic/refunds')
    return {
      kind: 'refund',
      orderNo: (asked as RefundAsked).out_trade_no,
      act: () => merchantTrades.refund(asked as RefundAsked),
    }
  if (path === '/v3/bill/tradebill')
    return { kind: 'bill', orderNo: '', act: () => merchantTrades.makeBill(address) }
  const refundNo = path.split('/').at(-1) ?? ''
  return {
    kind: 'queryRefund',
    orderNo: refundNo,
    act: () => {
      const made = merchantTrades.refunds.get(refundNo)
      return found(made, () => ({ out_refund_no: refundNo, status: made?.state }))
    },
  }
}

function createNotifications({
  merchantTrades,
  signers,
  now,
}: Double): Pick<Wechat, 'notification' | 'refundNotification'> {
  const notify = createNotifier(signers, now)
  return {
    notification: (orderNo, { at, serial, ...more } = {}) => {
      const trade = merchantTrades.trades.get(orderNo)
      if (trade === undefined) throw new Error(`no trade ${orderNo}`)
      return notify(
        JSON.stringify([orderNo, more]),
        'TRANSACTION.SUCCESS',
        { ...merchantTrades.transactionOf(trade, more), trade_state: 'SUCCESS' },
        'transaction',
        at,
        serial,
      )
    },
    refundNotification: (refundNo) =>
      notify(
        refundNo,
        'REFUND.SUCCESS',
        { mchid, out_refund_no: refundNo, refund_status: 'SUCCESS' },
        'refund',
      ),
  }
}

/** Signs the same notification anew, as WeChat does when it repeats itself. */
function createNotifier(signers: Signers, now: () => Date) {
  const ids = new Map<string, string>()
  return (
    key: string,
    event: string,
    resource: unknown,
    kind: string,
    at?: Date,
    serial?: string,
  ): Notification => {
    const id = ids.get(key) ?? `EV-${randomBytes(12).toString('hex')}`
    ids.set(key, id)
    const body = JSON.stringify({
      id,
      create_time: now().toISOString(),
      resource_type: 'encrypt-resource',
      event_type: event,
      summary: event,
      resource: { original_type: kind, ...encryptNotification(JSON.stringify(resource), kind) },
    })
    const headers = signers.sealed(body, signers.current(), at)
    return {
      body,
      headers: {
        'content-type': 'application/json',
        ...headers,
        'Wechatpay-Serial': serial ?? headers['Wechatpay-Serial'],
      },
    }
  }
}

function payTrade(
  merchantTrades: Trades,
  now: Date,
  orderNo: string,
  evenClosed: boolean,
): boolean {
  const trade = merchantTrades.trades.get(orderNo)
  if (
    trade === undefined ||
    (trade.state !== 'NOTPAY' &&
      trade.state !== 'USERPAYING' &&
      !(evenClosed && trade.state === 'CLOSED'))
  )
    return false
  Object.assign(trade, {
    state: 'SUCCESS',
    transactionId: `42000${randomBytes(10).toString('hex')}`,
    successTime: `${new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`,
  })
  return true
}
