// The trades of a merchant at the WeChat double, and its answers, without signatures or network.
import { createHash } from 'node:crypto'

type TradeState = 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND' | 'USERPAYING'
export interface Trade {
  readonly orderNo: string
  readonly total: number
  state: TradeState
  transactionId: string | null
  successTime: string | null
  timeExpire: string
  notifyUrl: string
}
export interface Refunded {
  readonly refundNo: string
  readonly orderNo: string
  readonly amount: number
  state: 'PROCESSING' | 'SUCCESS' | 'ABNORMAL'
}

export const mchid = '1900000109'
export const appid = 'wxd678efh567hg6787'
export interface Answer {
  readonly status: number
  readonly body: unknown
}

export function refuseTrade(status: number, code: string): Answer {
  return {
    status,
    body: { code, message: code },
  }
}

export interface CreateAsked {
  readonly out_trade_no: string
  readonly amount: { readonly total: number }
  readonly time_expire: string
  readonly notify_url: string
  readonly mchid: string
  readonly appid: string
  readonly description: string
}
export interface RefundAsked {
  readonly out_trade_no: string
  readonly out_refund_no: string
  readonly amount: { readonly refund: number; readonly total: number }
}
/** Behaviour that a test may change. */
export interface Behaviour {
  closeAnswer: (orderNo: string) => 'ok' | 'USERPAYING' | 'TOO_EARLY'
  refundsWait: boolean
}

const yuan = (fen: number) => `\`${(fen / 100).toFixed(2)}`
const billHead =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'

export function createTrades(behaviour: Behaviour) {
  const trades = new Map<string, Trade>()
  const refunds = new Map<string, Refunded>()
  let bill = ''
  return {
    trades,
    refunds,
    transactionOf: toTransaction,
    create: (asked: CreateAsked): Answer => createTrade(trades, asked),
    close: (orderNo: string): Answer => closeTrade(trades, behaviour, orderNo),
    refund: (asked: RefundAsked): Answer => refundTrade(trades, refunds, behaviour, asked),
    makeBill: (address: string): Answer => {
      bill = formatTradeBill(trades, refunds)
      return billAnswer(bill, address)
    },
    /** The text of the bill made last. */
    bill: () => bill,
  }
}

/** A trade as a query or a notification shows it. */
function toTransaction(
  trade: Trade,
  more: { amount?: number; mchid?: string; currency?: string } = {},
) {
  return {
    appid,
    mchid: more.mchid ?? mchid,
    out_trade_no: trade.orderNo,
    trade_type: 'NATIVE',
    trade_state: trade.state,
    trade_state_desc: trade.state,
    ...(trade.transactionId === null
      ? {}
      : {
          transaction_id: trade.transactionId,
          success_time: trade.successTime,
          payer: { openid: 'o' },
          amount: {
            total: more.amount ?? trade.total,
            payer_total: trade.total,
            currency: more.currency ?? 'CNY',
            payer_currency: 'CNY',
          },
        }),
  }
}

function createTrade(trades: Map<string, Trade>, asked: CreateAsked): Answer {
  if (!isValidCreate(asked)) return refuseTrade(400, 'PARAM_ERROR')
  const known = trades.get(asked.out_trade_no)
  if (known !== undefined && known.total !== asked.amount.total)
    return refuseTrade(403, 'OUT_TRADE_NO_USED')
  if (known?.state === 'CLOSED') return refuseTrade(400, 'ORDER_CLOSED')
  if (known?.state === 'SUCCESS') return refuseTrade(400, 'ORDERPAID')
  trades.set(
    asked.out_trade_no,
    known ?? {
      orderNo: asked.out_trade_no,
      total: asked.amount.total,
      state: 'NOTPAY',
      transactionId: null,
      successTime: null,
      timeExpire: asked.time_expire,
      notifyUrl: asked.notify_url,
    },
  )
  return { status: 200, body: { code_url: `weixin://wxpay/bizpayurl?pr=${asked.out_trade_no}` } }
}

function isValidCreate(asked: CreateAsked): boolean {
  return (
    asked.mchid === mchid &&
    asked.appid === appid &&
    /^[0-9A-Za-z_\-|*]{6,32}$/.test(asked.out_trade_no) &&
    Number.isInteger(asked.amount.total) &&
    asked.time_expire.endsWith('+08:00') &&
    !asked.notify_url.includes('?') &&
    Buffer.byteLength(asked.description) <= 127
  )
}

function closeTrade(
  trades: ReadonlyMap<string, Trade>,
  behaviour: Behaviour,
  orderNo: string,
): Answer {
  const trade = trades.get(orderNo)
  const closeAnswer = behaviour.closeAnswer(orderNo)
  if (trade?.state === 'SUCCESS') return refuseTrade(400, 'ORDERPAID')
  if (closeAnswer === 'USERPAYING') return refuseTrade(202, 'USERPAYING')
  if (closeAnswer === 'TOO_EARLY') return refuseTrade(400, 'INVALID_REQUEST')
  if (trade !== undefined) trade.state = 'CLOSED'
  return { status: 204, body: null }
}

function refundTrade(
  trades: ReadonlyMap<string, Trade>,
  refunds: Map<string, Refunded>,
  behaviour: Behaviour,
  asked: RefundAsked,
): Answer {
  const trade = trades.get(asked.out_trade_no)
  if (trade === undefined || (trade.state !== 'SUCCESS' && trade.state !== 'REFUND'))
    return refuseTrade(404, 'RESOURCE_NOT_EXISTS')
  const known = refunds.get(asked.out_refund_no)
  const before = [...refunds.values()]
    .filter((each) => each.orderNo === asked.out_trade_no)
    .reduce((sum, each) => sum + each.amount, 0)
  if (known === undefined && before + asked.amount.refund > trade.total)
    return refuseTrade(403, 'NOT_ENOUGH')
  const made = known ?? {
    refundNo: asked.out_refund_no,
    orderNo: asked.out_trade_no,
    amount: asked.amount.refund,
    state: behaviour.refundsWait ? 'PROCESSING' : 'SUCCESS',
  }
  refunds.set(made.refundNo, made)
  trade.state = 'REFUND'
  return {
    status: 200,
    body: { out_refund_no: made.refundNo, out_trade_no: made.orderNo, status: made.state },
  }
}

/** The text of a trade bill: a line per payment, a line per refund and a summary. */
function formatTradeBill(
  trades: ReadonlyMap<string, Trade>,
  refunds: ReadonlyMap<string, Refunded>,
): string {
  const paid = [...trades.values()].filter((trade) => trade.transactionId !== null)
  return [
    billHead,
    ...paid.map((trade) => billLine(trade, 'SUCCESS', '', 0)),
    ...[...refunds.values()].map((each) =>
      billLine(trades.get(each.orderNo) as Trade, 'REFUND', each.refundNo, each.amount),
    ),
    '总交易单数,应结订单总金额',
    '`1,`5.00',
    '',
  ].join('\r\n')
}

/** Where the bill can be downloaded, and its hash. */
function billAnswer(bill: string, address: string): Answer {
  return {
    status: 200,
    body: {
      hash_type: 'SHA1',
      hash_value: createHash('sha1').update(bill).digest('hex'),
      download_url: `${address}/v3/billdownload/file?token=abc`,
    },
  }
}

function billLine(trade: Trade, state: string, refundNo: string, back: number) {
  return [
    '`2026-01-01 10:00:00',
    `\`${appid}`,
    `\`${mchid}`,
    '`0',
    '`',
    `\`${trade.transactionId}`,
    `\`${trade.orderNo}`,
    '`o',
    '`NATIVE',
    `\`${state}`,
    '`OTHERS',
    '`CNY',
    yuan(trade.total),
    '`0.00',
    '`',
    `\`${refundNo}`,
    yuan(back),
    '`0.00',
    '`',
    '`',
    '`成绩单',
    '`',
    '`0.00',
    '`0.60%',
    yuan(trade.total),
    yuan(back),
    '`',
  ].join(',')
}
