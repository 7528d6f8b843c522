import { cutText } from '@jiaowu/api/cut-text'
import type { Services } from '../../model/context.ts'
import type { WechatAccount } from '../../platform/settings/settings-gateways.ts'
import {
  GatewayFailure,
  type GatewayOrder,
  type GatewayRefund,
  type GatewayState,
  type PayGateway,
  type RefundAnswer,
} from '../gateway.ts'
import { downloadBill } from './bill.ts'
import { createWechatClient, type WechatClient, type WechatReply } from './client.ts'
import { readTransaction } from './transaction.ts'

export const notifyPath = '/pay/wechat/notify'
const createTimeout = 2_500 // three attempts in 8 s (docs/rules/security.md#payments)
const closedCodes = [
  'ORDER_CLOSED',
  'ORDERCLOSED',
  'ORDER_NOT_EXIST',
  'ORDERNOTEXIST',
  'RESOURCE_NOT_EXISTS',
]
/** Answers to a close that leave the order open, or say that it is paid: the query that follows tells. */
const openCodes = [
  'USERPAYING',
  'USER_PAYING',
  'INVALID_REQUEST',
  'ORDERPAID',
  'ORDER_PAID',
  'TRADE_ERROR',
]
const missingCodes = ['ORDER_NOT_EXIST', 'ORDERNOTEXIST', 'RESOURCE_NOT_EXISTS', 'NOT_FOUND']
const temporaryCodes = [
  'SYSTEM_ERROR',
  'SYSTEMERROR',
  'FREQUENCY_LIMITED',
  'BANKERROR',
  'BANK_ERROR',
  'NOT_ENOUGH',
  'NOTENOUGH',
]

const refundStates: Readonly<Record<string, RefundAnswer>> = {
  SUCCESS: 'done',
  PROCESSING: 'processing',
  CLOSED: 'failed',
  ABNORMAL: 'failed',
}

export interface WechatGateway extends PayGateway {
  readonly name: 'wechat'
  readonly client: WechatClient
  readonly account: WechatAccount
  /**
   * How many platform certificates the merchant has; none where it has the public key only.
   * @throws GatewayFailure
   */
  readonly countCertificates: () => Promise<number>
}

/**
 * Native payments of WeChat Pay API v3, on node:crypto (docs/rules/security.md#payments).
 * @throws SettingsError without a key file
 */
export function wechatGateway(
  account: WechatAccount,
  services: Pick<Services, 'settings' | 'now'>,
): WechatGateway {
  const client = createWechatClient(account, services)
  const notifyUrl = services.settings.publicUrl + notifyPath
  const tradePath = (orderNo: string) =>
    `/v3/pay/transactions/out-trade-no/${encodeURIComponent(orderNo)}`
  return {
    name: 'wechat',
    client,
    account,
    create: async ({ orderNo, amountFen, description, expiresAt }: GatewayOrder) => {
      const reply = await client.ask(
        'POST',
        '/v3/pay/transactions/native',
        {
          appid: account.appid,
          mchid: account.mchid,
          description: shortenDescription(description),
          out_trade_no: orderNo,
          time_expire: chinaTime(expiresAt),
          notify_url: notifyUrl,
          amount: { total: amountFen, currency: 'CNY' },
        },
        createTimeout,
      )
      if (reply.status !== 200 || typeof reply.body.code_url !== 'string')
        throw toGatewayFailure(reply)
      return { codeUrl: reply.body.code_url }
    },
    query: async (orderNo: string, patienceMs?: number): Promise<GatewayState> => {
      const reply = await client.ask(
        'GET',
        `${tradePath(orderNo)}?mchid=${encodeURIComponent(account.mchid)}`,
        undefined,
        patienceMs,
      )
      if (reply.code !== null && missingCodes.includes(reply.code)) return { state: 'unknown' }
      if (reply.status !== 200) throw toGatewayFailure(reply)
      const payload = readTransaction(account, reply.body)
      if (payload.orderNo !== orderNo)
        throw new GatewayFailure('wechat: an answer about another order', { final: true })
      return payload.state
    },
    close: async (orderNo: string) => {
      const reply = await client.ask('POST', `${tradePath(orderNo)}/close`, {
        mchid: account.mchid,
      })
      const { status, code } = reply
      if (status === 204 || (code !== null && closedCodes.includes(code))) return 'closed'
      if (code === null || !openCodes.includes(code)) throw toGatewayFailure(reply)
      return 'refused'
    },
    refund: async ({ orderNo, refundNo, amountFen, totalFen, reason }: GatewayRefund) =>
      refundState(
        await client.ask('POST', '/v3/refund/domestic/refunds', {
          out_trade_no: orderNo,
          out_refund_no: refundNo,
          reason: cutText(reason, 26),
          notify_url: notifyUrl,
          amount: { refund: amountFen, total: totalFen, currency: 'CNY' },
        }),
      ),
    queryRefund: async (refundNo: string) => {
      const reply = await client.ask(
        'GET',
        `/v3/refund/domestic/refunds/${encodeURIComponent(refundNo)}`,
      )
      return reply.code !== null && missingCodes.includes(reply.code)
        ? 'unknown'
        : refundState(reply)
    },
    bill: (day: string) => downloadBill(client, day),
    countCertificates: () => countCertificates(client),
  }
}

async function countCertificates(client: WechatClient): Promise<number> {
  const reply = await client.ask('GET', '/v3/certificates')
  if (reply.code !== null && missingCodes.includes(reply.code)) return 0
  if (reply.status !== 200) throw toGatewayFailure(reply)
  client.keys.learn(reply.text)
  return client.keys.count()
}

/** Shortens text to 127 bytes without splitting a character. */
function shortenDescription(text: string) {
  let result = text
  while (Buffer.byteLength(result) > 127) result = [...result].slice(0, -1).join('')
  return result
}

/** China time in WeChat's format: `2026-11-21T08:00:00+08:00`. */
function chinaTime(moment: Date) {
  return `${new Date(moment.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`
}

function toGatewayFailure({ status, code }: WechatReply) {
  return new GatewayFailure(`wechat: ${code ?? status}`, {
    final: code !== null && !temporaryCodes.includes(code),
    code: code ?? `HTTP_${status}`,
  })
}

function refundState(reply: WechatReply): RefundAnswer {
  if (reply.status !== 200 || typeof reply.body.status !== 'string') throw toGatewayFailure(reply)
  return refundStates[reply.body.status] ?? 'processing'
}
