// WeChat Pay API v3 as its documents describe it, on a port of its own: it checks what we sign, signs what it says, and can be late, lose,
// double and reorder. Knows nothing of our code.
import { createCipheriv, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, verify, createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import forge from 'node-forge'

export type TradeState = 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND' | 'USERPAYING'
export interface Trade { readonly orderNo: string; readonly total: number; state: TradeState; transactionId: string | null; successTime: string | null; timeExpire: string; notifyUrl: string }
interface Refunded { readonly refundNo: string; readonly orderNo: string; readonly amount: number; state: 'PROCESSING' | 'SUCCESS' | 'ABNORMAL' }
/** What happens to a call: `lost` is carried out and not answered, `refused` is not carried out, `unsigned` and `forged` are not WeChat's words. */
export type Fault = 'none' | 'lost' | 'refused' | 'unsigned' | 'forged' | 'busy'
export type CallKind = 'create' | 'query' | 'close' | 'refund' | 'queryRefund' | 'certificates' | 'bill'

interface PlatformKey { readonly serial: string; readonly key: KeyObject; readonly pem: string }
const mchid = '1900000109'
const appid = 'wxd678efh567hg6787'
const apiV3Key = 'a-key-of-exactly-32-characters-!'

const newPlatformKey = (now: Date): PlatformKey => {
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
  return { serial: certificate.serialNumber.toUpperCase(), key: privateKey, pem: forge.pki.certificateToPem(certificate) }
}

const seal = (text: string, associated: string) => {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key), Buffer.from(nonce))
  cipher.setAAD(Buffer.from(associated))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data: associated }
}

export interface Notification { readonly body: string; readonly headers: Readonly<Record<string, string>> }
export interface Wechat {
  /** Settings of a server that pays here. */
  readonly env: Readonly<Record<string, string>>
  readonly trades: ReadonlyMap<string, Trade>
  readonly refunds: ReadonlyMap<string, Refunded>
  readonly calls: readonly { readonly kind: CallKind; readonly orderNo: string }[]
  /** Faults are decided per call; the default is none. */
  fault: (kind: CallKind, orderNo: string) => Fault
  /** The answer to a close: the user is at the PIN page, or it is too early. */
  closeAnswer: (orderNo: string) => 'ok' | 'USERPAYING' | 'TOO_EARLY'
  /** Refunds take their time until `finishRefunds`. */
  refundsWait: boolean
  readonly finishRefunds: (state?: 'SUCCESS' | 'ABNORMAL') => void
  /** A person pays. `evenClosed`: they were at the PIN page already. False when it cannot be. */
  readonly pay: (orderNo: string, options?: { evenClosed?: boolean }) => boolean
  /** What WeChat sends of a payment; each time signed anew, with the same id. */
  readonly notification: (orderNo: string, more?: { readonly amount?: number; readonly mchid?: string; readonly currency?: string; readonly at?: Date; readonly serial?: string }) => Notification
  readonly refundNotification: (refundNo: string) => Notification
  /** From now on signs with a new certificate; the old one is shown a while longer. */
  readonly rotate: () => void
  readonly close: () => Promise<void>
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

interface Answer { readonly status: number; readonly body: unknown }
const refusal = (status: number, code: string): Answer => ({ status, body: { code, message: code } })

/** `now` is the server's clock, moved with it by tests. */
export const startWechat = async (now: () => Date = () => new Date()): Promise<Wechat> => {
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-wechat-'))
  const merchant = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keyFile = join(folder, 'apiclient_key.pem')
  await writeFile(keyFile, merchant.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const merchantKey = createPublicKey(merchant.privateKey)
  let platform: PlatformKey[] = [newPlatformKey(now())]
  const current = () => platform.at(-1) as PlatformKey
  const trades = new Map<string, Trade>()
  const refunds = new Map<string, Refunded>()
  const calls: { kind: CallKind; orderNo: string }[] = []
  const ids = new Map<string, string>()
  let bill = ''

  const sealed = (body: string, key: PlatformKey, at = now()) => {
    const [timestamp, nonce] = [String(Math.floor(at.getTime() / 1000)), randomBytes(16).toString('hex')]
    return { 'Wechatpay-Timestamp': timestamp, 'Wechatpay-Nonce': nonce, 'Wechatpay-Serial': key.serial, 'Wechatpay-Signature': sign('sha256', Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), key.key).toString('base64') }
  }
  /** Checks the merchant's signature over exactly what arrived. */
  const isMerchant = (request: IncomingMessage, body: string): boolean => {
    const header = request.headers.authorization ?? ''
    const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? ''
    if (!header.startsWith('WECHATPAY2-SHA256-RSA2048 ') || part('mchid') !== mchid || part('serial_no') !== 'MERCHANT1') return false
    if (Math.abs(Number(part('timestamp')) - now().getTime() / 1000) > 300) return false
    return verify('sha256', Buffer.from(`${request.method}\n${request.url}\n${part('timestamp')}\n${part('nonce_str')}\n${body}\n`), merchantKey, Buffer.from(part('signature'), 'base64'))
  }
  const transactionOf = (trade: Trade, more: { amount?: number; mchid?: string; currency?: string } = {}) => ({
    appid, mchid: more.mchid ?? mchid, out_trade_no: trade.orderNo, trade_type: 'NATIVE', trade_state: trade.state, trade_state_desc: trade.state,
    ...(trade.transactionId === null ? {} : { transaction_id: trade.transactionId, success_time: trade.successTime, payer: { openid: 'o' }, amount: { total: more.amount ?? trade.total, payer_total: trade.total, currency: more.currency ?? 'CNY', payer_currency: 'CNY' } }),
  })
  const create = (asked: { out_trade_no: string; amount: { total: number }; time_expire: string; notify_url: string; mchid: string; appid: string; description: string }): Answer => {
    if (asked.mchid !== mchid || asked.appid !== appid || !/^[0-9A-Za-z_\-|*]{6,32}$/.test(asked.out_trade_no) || !Number.isInteger(asked.amount.total) || !/\+08:00$/.test(asked.time_expire) || asked.notify_url.includes('?') || Buffer.byteLength(asked.description) > 127) return refusal(400, 'PARAM_ERROR')
    const known = trades.get(asked.out_trade_no)
    if (known !== undefined && known.total !== asked.amount.total) return refusal(403, 'OUT_TRADE_NO_USED')
    if (known?.state === 'CLOSED') return refusal(400, 'ORDER_CLOSED')
    if (known?.state === 'SUCCESS') return refusal(400, 'ORDERPAID')
    trades.set(asked.out_trade_no, known ?? { orderNo: asked.out_trade_no, total: asked.amount.total, state: 'NOTPAY', transactionId: null, successTime: null, timeExpire: asked.time_expire, notifyUrl: asked.notify_url })
    return { status: 200, body: { code_url: `weixin://wxpay/bizpayurl?pr=${asked.out_trade_no}` } }
  }
  const close = (orderNo: string): Answer => {
    const trade = trades.get(orderNo)
    const word = it.closeAnswer(orderNo)
    if (trade?.state === 'SUCCESS') return refusal(400, 'ORDERPAID')
    if (word === 'USERPAYING') return refusal(202, 'USERPAYING')
    if (word === 'TOO_EARLY') return refusal(400, 'INVALID_REQUEST')
    if (trade !== undefined) trade.state = 'CLOSED'
    return { status: 204, body: null }
  }
  const refund = (asked: { out_trade_no: string; out_refund_no: string; amount: { refund: number; total: number } }): Answer => {
    const trade = trades.get(asked.out_trade_no)
    if (trade === undefined || (trade.state !== 'SUCCESS' && trade.state !== 'REFUND')) return refusal(404, 'RESOURCE_NOT_EXISTS')
    const known = refunds.get(asked.out_refund_no)
    const before = [...refunds.values()].filter((each) => each.orderNo === asked.out_trade_no).reduce((sum, each) => sum + each.amount, 0)
    if (known === undefined && before + asked.amount.refund > trade.total) return refusal(403, 'NOT_ENOUGH')
    const made = known ?? { refundNo: asked.out_refund_no, orderNo: asked.out_trade_no, amount: asked.amount.refund, state: it.refundsWait ? 'PROCESSING' : 'SUCCESS' }
    refunds.set(made.refundNo, made)
    trade.state = 'REFUND'
    return { status: 200, body: { out_refund_no: made.refundNo, out_trade_no: made.orderNo, status: made.state } }
  }
  const certificates = (): Answer => ({ status: 200, body: { data: platform.map(({ serial, pem }) => ({ serial_no: serial, effective_time: '2020-01-01T00:00:00+08:00', expire_time: '2030-01-01T00:00:00+08:00', encrypt_certificate: seal(pem, 'certificate') })) } })
  const yuan = (fen: number) => `\`${(fen / 100).toFixed(2)}`
  const makeBill = (): Answer => {
    const head = '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
    const line = (trade: Trade, state: string, refundNo: string, back: number) => ['`2026-01-01 10:00:00', `\`${appid}`, `\`${mchid}`, '`0', '`', `\`${trade.transactionId}`, `\`${trade.orderNo}`, '`o', '`NATIVE', `\`${state}`, '`OTHERS', '`CNY', yuan(trade.total), '`0.00', '`', `\`${refundNo}`, yuan(back), '`0.00', '`', '`', '`成绩单', '`', '`0.00', '`0.60%', yuan(trade.total), yuan(back), '`'].join(',')
    const paid = [...trades.values()].filter((trade) => trade.transactionId !== null)
    bill = [head, ...paid.map((trade) => line(trade, 'SUCCESS', '', 0)), ...[...refunds.values()].map((each) => line(trades.get(each.orderNo) as Trade, 'REFUND', each.refundNo, each.amount)), '总交易单数,应结订单总金额', '`1,`5.00', ''].join('\r\n')
    return { status: 200, body: { hash_type: 'SHA1', hash_value: createHash('sha1').update(bill).digest('hex'), download_url: `${address()}/v3/billdownload/file?token=abc` } }
  }
  const route = (method: string, url: URL, body: string): { kind: CallKind; orderNo: string; act: () => Answer } => {
    const asked = (body === '' ? {} : JSON.parse(body)) as never
    const trade = /^\/v3\/pay\/transactions\/out-trade-no\/([^/]+)(\/close)?$/.exec(url.pathname)
    if (url.pathname === '/v3/certificates') return { kind: 'certificates', orderNo: '', act: certificates }
    if (url.pathname === '/v3/pay/transactions/native') return { kind: 'create', orderNo: (asked as { out_trade_no: string }).out_trade_no, act: () => create(asked) }
    if (trade !== null && method === 'POST') return { kind: 'close', orderNo: trade[1] ?? '', act: () => close(trade[1] ?? '') }
    if (trade !== null) return { kind: 'query', orderNo: trade[1] ?? '', act: () => { const found = trades.get(trade[1] ?? ''); return found === undefined ? refusal(404, 'ORDER_NOT_EXIST') : { status: 200, body: transactionOf(found) } } }
    if (url.pathname === '/v3/refund/domestic/refunds') return { kind: 'refund', orderNo: (asked as { out_trade_no: string }).out_trade_no, act: () => refund(asked) }
    if (url.pathname === '/v3/bill/tradebill') return { kind: 'bill', orderNo: '', act: makeBill }
    const refundNo = /^\/v3\/refund\/domestic\/refunds\/([^/]+)$/.exec(url.pathname)?.[1] ?? ''
    return { kind: 'queryRefund', orderNo: refundNo, act: () => { const found = refunds.get(refundNo); return found === undefined ? refusal(404, 'RESOURCE_NOT_EXISTS') : { status: 200, body: { out_refund_no: refundNo, status: found.state } } } }
  }
  const reply = (response: ServerResponse, { status, body }: Answer, fault: Fault) => {
    const text = body === null ? '' : JSON.stringify(body)
    const signer = fault === 'forged' ? { ...newPlatformKey(now()), serial: current().serial } : current()
    response.writeHead(status, { 'content-type': 'application/json', ...(fault === 'unsigned' ? {} : sealed(text, signer)) })
    response.end(text)
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    const url = new URL(request.url ?? '/', 'http://wechat')
    if (url.pathname === '/v3/billdownload/file') { response.end(bill); return }
    if (!isMerchant(request, body)) { reply(response, refusal(401, 'SIGN_ERROR'), 'none'); return }
    const { kind, orderNo, act } = route(request.method ?? 'GET', url, body)
    calls.push({ kind, orderNo })
    const fault = it.fault(kind, orderNo)
    if (fault === 'refused') { request.socket.destroy(); return }
    if (fault === 'busy') { reply(response, refusal(500, 'SYSTEM_ERROR'), 'none'); return }
    const answer = act()
    if (fault === 'lost') { request.socket.destroy(); return }
    reply(response, answer, fault)
  }
  const server = createServer((request, response) => { handle(request, response).catch(() => { request.socket.destroy() }) })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const address = () => { const at = server.address(); return `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}` }
  const notify = (key: string, event: string, resource: unknown, kind: string, at: Date | undefined, signer: PlatformKey, serial = signer.serial): Notification => {
    const id = ids.get(key) ?? `EV-${randomBytes(12).toString('hex')}`
    ids.set(key, id)
    const body = JSON.stringify({ id, create_time: now().toISOString(), resource_type: 'encrypt-resource', event_type: event, summary: event, resource: { original_type: kind, ...seal(JSON.stringify(resource), kind) } })
    return { body, headers: { 'content-type': 'application/json', ...sealed(body, signer, at), 'Wechatpay-Serial': serial } }
  }
  const it: Wechat = {
    env: { PAY_DRIVER: 'wechat', WECHAT_MCHID: mchid, WECHAT_APPID: appid, WECHAT_SERIAL: 'MERCHANT1', WECHAT_KEY_FILE: keyFile, WECHAT_APIV3_KEY: apiV3Key, WECHAT_ENDPOINT: address() },
    trades, refunds, calls, fault: () => 'none', closeAnswer: () => 'ok', refundsWait: false,
    finishRefunds: (state = 'SUCCESS') => { for (const each of refunds.values()) if (each.state === 'PROCESSING') each.state = state },
    pay: (orderNo, { evenClosed = false } = {}) => {
      const trade = trades.get(orderNo)
      if (trade === undefined || (trade.state !== 'NOTPAY' && trade.state !== 'USERPAYING' && !(evenClosed && trade.state === 'CLOSED'))) return false
      Object.assign(trade, { state: 'SUCCESS', transactionId: `42000${randomBytes(10).toString('hex')}`, successTime: `${new Date(now().getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00` })
      return true
    },
    notification: (orderNo, { at, serial, ...more } = {}) => {
      const trade = trades.get(orderNo)
      if (trade === undefined) throw new Error(`no trade ${orderNo}`)
      return notify(JSON.stringify([orderNo, more]), 'TRANSACTION.SUCCESS', { ...transactionOf(trade, more), trade_state: 'SUCCESS' }, 'transaction', at, current(), serial)
    },
    refundNotification: (refundNo) => notify(refundNo, 'REFUND.SUCCESS', { mchid, out_refund_no: refundNo, refund_status: 'SUCCESS' }, 'refund', undefined, current()),
    rotate: () => { platform = [...platform.slice(-1), newPlatformKey(now())] },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => { server.close(resolve) })
      await rm(folder, { recursive: true, force: true })
    },
  }
  return it
}
