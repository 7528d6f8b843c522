import * as v from 'valibot'
import type { WechatAccount } from '../../platform/settings/settings-gateways.ts'
import { GatewayFailure, type GatewayState } from '../gateway.ts'

const transaction = v.object({
  appid: v.optional(v.string()),
  mchid: v.string(),
  out_trade_no: v.string(),
  transaction_id: v.optional(v.string()),
  trade_state: v.string(),
  success_time: v.optional(v.string()),
  amount: v.optional(
    v.object({
      total: v.optional(v.pipe(v.number(), v.integer())),
      currency: v.optional(v.string()),
    }),
  ),
})

const states: Readonly<Record<string, 'open' | 'paying' | 'closed' | 'refunded'>> = {
  NOTPAY: 'open',
  PAYERROR: 'open',
  USERPAYING: 'paying',
  CLOSED: 'closed',
  REVOKED: 'closed',
  REFUND: 'refunded',
}

/**
 * Reads a transaction from a query or a notification; merchant, application and currency must be
 * ours.
 * @throws GatewayFailure
 */
export function readTransaction(
  account: Pick<WechatAccount, 'mchid' | 'appid'>,
  payload: unknown,
): { orderNo: string; state: GatewayState } {
  const read = v.safeParse(transaction, payload)
  if (!read.success) throw new GatewayFailure('wechat: a transaction that cannot be read')
  const {
    mchid,
    appid,
    out_trade_no: orderNo,
    transaction_id: transactionId,
    trade_state,
    success_time,
    amount,
  } = read.output
  if (mchid !== account.mchid || (appid !== undefined && appid !== account.appid))
    throw new GatewayFailure("wechat: somebody else's transaction", { final: true })
  if (trade_state !== 'SUCCESS') return { orderNo, state: { state: states[trade_state] ?? 'open' } }
  if (transactionId === undefined || amount?.total === undefined || amount.currency !== 'CNY')
    throw new GatewayFailure('wechat: a payment without its figures', { final: true })
  const paidAt = new Date(success_time ?? Number.NaN)
  return {
    orderNo,
    state: {
      state: 'paid',
      payment: {
        orderNo,
        transactionId,
        amountFen: amount.total,
        paidAt: Number.isNaN(paidAt.getTime()) ? new Date(0) : paidAt,
      },
    },
  }
}
