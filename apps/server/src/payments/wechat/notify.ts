import { parseJson } from '@jiaowu/api/exact-json'
import * as v from 'valibot'
import type { Services } from '../../model/context.ts'
import { readCapped } from '../../platform/requests/read-capped.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import { GatewayFailure } from '../gateway.ts'
import { countCall } from '../../platform/provider-calls.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { findWechatGateway } from '../gateways.ts'
import { schoolOfRefund } from '../orders/order-number.ts'
import { settlePayment } from '../settle-payment.ts'
import type { WechatGateway } from './gateway.ts'
import { isFresh, isGenuine, openSealed, sealAlgorithm, readSeal } from './signature.ts'
import { readTransaction } from './transaction.ts'

const notification = v.object({
  id: v.pipe(v.string(), v.maxLength(64)),
  event_type: v.string(),
  resource: v.object({
    algorithm: v.literal(sealAlgorithm),
    ciphertext: v.string(),
    nonce: v.string(),
    associated_data: v.optional(v.string()),
  }),
})
const refundNotice = v.object({ mchid: v.string(), out_refund_no: v.string() })
const mostBytes = 65_536

/**
 * Handles WeChat's notification of a payment or refund. It must be signed; it is acknowledged only
 * after the commit, because WeChat repeats it until then (docs/rules/security.md#n10); a repetition
 * changes nothing.
 */
export async function wechatNotify(services: Services, request: Request): Promise<Response> {
  const reply = await takeNotification(services, request)
  const code = refusedNotifications[reply.status]
  countCall({ provider: 'wechat', operation: 'notify' }, code)
  if (code !== undefined)
    services.log.warn(
      { provider: 'wechat', operation: 'notify', code },
      'a notification was refused',
    )
  return reply
}

const refusedNotifications: Readonly<Record<number, string>> = {
  400: 'INVALID',
  401: 'UNSIGNED',
  500: 'ERROR',
}

async function takeNotification(services: Services, request: Request): Promise<Response> {
  const {
    database: { kysely },
    now,
    log,
  } = services
  const gateway = findWechatGateway(services)
  if (gateway === undefined) throw notFound()
  try {
    const text = await genuineText(gateway, services, request)
    if (text === null) return answerNotice(401, 'FAIL', 'signature')
    const { id, event_type, resource } = v.parse(notification, parseJson(text))
    if (
      (await kysely
        .selectFrom('sys.pay_notice')
        .select('id')
        .where('id', '=', id)
        .executeTakeFirst()) !== undefined
    )
      return answerNotice(200, 'SUCCESS')
    const payload: unknown = parseJson(openSealed(gateway.account.apiV3Key, resource))
    const { orderNo, outcome } = await act(services, gateway, event_type, payload)
    await kysely
      .insertInto('sys.pay_notice')
      .values({ id, order_no: orderNo, received_at: now(), outcome })
      .onConflict((c) => c.column('id').doNothing())
      .execute()
    return answerNotice(200, 'SUCCESS')
  } catch (error) {
    if (error instanceof Refusal) throw error // its body is too large or too slow
    // Without an acknowledgement WeChat repeats the notification. 400: its content is bad; 500: our
    // error, which is logged.
    if (
      !(error instanceof GatewayFailure) &&
      !(error instanceof v.ValiError) &&
      !(error instanceof SyntaxError)
    )
      log.error({ err: error }, 'a payment notification could not be taken')
    return answerNotice(
      error instanceof GatewayFailure ||
        error instanceof v.ValiError ||
        error instanceof SyntaxError
        ? 400
        : 500,
      'FAIL',
    )
  }
}

/** The raw text; null when the signature is missing, wrong or old. */
async function genuineText(
  { client }: WechatGateway,
  { now }: Services,
  request: Request,
): Promise<string | null> {
  const text = Buffer.from(await readCapped(request, mostBytes)).toString('utf8')
  const seal = readSeal(request.headers)
  if (seal === null || !isFresh(seal, now())) return null
  const key = await client.keys.get(seal.serial)
  return key !== undefined && isGenuine(key, seal, text) ? text : null
}

function answerNotice(status: number, code: 'SUCCESS' | 'FAIL', message = '') {
  return new Response(JSON.stringify({ code, message }), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  })
}

async function act(
  services: Services,
  { account }: WechatGateway,
  event: string,
  payload: unknown,
): Promise<{ orderNo: string | null; outcome: string }> {
  if (event.startsWith('REFUND.')) {
    await queryRefundNow(services, payload)
    return { orderNo: null, outcome: 'refundNotice' }
  }
  const { orderNo, state } = readTransaction(account, payload)
  return {
    orderNo,
    outcome:
      state.state === 'paid' ? await settlePayment(services, state.payment, 'notify') : state.state,
  }
}

/** A refund has ended, done or failed: makes the call that queries it due now. */
async function queryRefundNow(services: Services, payload: unknown): Promise<void> {
  const { out_refund_no } = v.parse(refundNotice, payload)
  const tenant = await schoolOfRefund(services, out_refund_no)
  if (tenant === undefined) return
  await services.database.kysely
    .updateTable('sys.pay_outbox')
    .set({ next_at: services.now() })
    .where('tenant_id', '=', tenant)
    .where('key', '=', `refund:${out_refund_no}`)
    .where('done_at', 'is', null)
    .execute()
  wakeQueue(services, 'payment')
}
