import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { type BillLine, GatewayFailure } from '../gateway.ts'
import type { WechatClient } from './client.ts'

/**
 * The lines of a trade bill. Every value begins with a backtick; the summary at the end has other
 * columns.
 */
function readBill(text: string): BillLine[] {
  const [head = [], ...rows] = parse(text, {
    bom: true,
    relaxColumnCount: true,
    skipEmptyLines: true,
    relaxQuotes: true,
  }) as string[][]
  const at = (row: readonly string[], name: string) =>
    (row[head.indexOf(name)] ?? '').replace(/^`/, '').trim()
  const end = rows.findIndex(([first = '']) => first.startsWith('总'))
  return rows.slice(0, end === -1 ? rows.length : end).flatMap((row): BillLine[] => {
    const [state, orderNo] = [at(row, '交易状态'), at(row, '商户订单号')]
    if (state === 'SUCCESS')
      return [
        {
          orderNo,
          kind: 'payment',
          amountFen: parseFen(at(row, '订单金额') || at(row, '应结订单金额')),
          transactionId: at(row, '微信订单号'),
        },
      ]
    return state === 'REFUND'
      ? [
          {
            orderNo,
            kind: 'refund',
            amountFen: parseFen(at(row, '申请退款金额') || at(row, '退款金额')),
            transactionId: at(row, '商户退款单号'),
          },
        ]
      : []
  })
}

/** `30.00` → 3000, without floating point. */
function parseFen(yuan: string): number {
  const [, whole = '', cents = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(yuan) ?? []
  if (whole === '') throw new GatewayFailure('wechat: an amount in the bill cannot be read')
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

/**
 * A day's trade bill, checked against the digest of the signed answer. Empty for a day without
 * trade.
 * @throws GatewayFailure
 */
export async function downloadBill(
  client: WechatClient,
  day: string,
): Promise<readonly BillLine[]> {
  const { status, body, code } = await client.ask(
    'GET',
    `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`,
  )
  if (code === 'NO_STATEMENT_EXIST') return []
  if (
    status !== 200 ||
    typeof body.download_url !== 'string' ||
    typeof body.hash_value !== 'string'
  )
    throw new GatewayFailure(`wechat: bill ${code ?? status}`, {
      code: code ?? `HTTP_${status}`,
    })
  const text = await client.fetchText(body.download_url)
  if (createHash('sha1').update(text).digest('hex') !== body.hash_value.toLowerCase())
    throw new GatewayFailure('wechat: the bill is not the one announced')
  return readBill(text)
}
