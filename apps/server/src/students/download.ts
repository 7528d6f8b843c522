import { messageText } from '@jiaowu/api/texts/index'
import type { Context } from '../model/context.ts'
import { type DocumentOf, issueDocument, readDocument } from '../documents/index.ts'
import { buildPdfReply } from '../documents/pdf-reply.ts'
import { type OrderRow, ownOrder } from '../payments/orders/order-row.ts'
import { refundShown, toStatus } from '../payments/states.ts'
import { requestUnmadeRefund, withdrawUnmadeRefund } from '../payments/unmade-refund.ts'
import { Refusal } from '../platform/refusal.ts'

/** The final PDF as a download. */
export async function documentReply(
  context: Context,
  of: DocumentOf & { readonly orderNo: string | null },
): Promise<Response> {
  const document = await issueDocument(context, of, (trx, number) =>
    context.audit(
      { action: 'document.issue', object: 'document', objectId: number, result: 'ok' },
      trx,
    ),
  )
  const bytes = await readDocument(context, document)
  await context.auditAlone({
    action: 'document.download',
    object: 'RPT_ORDER',
    objectId: of.orderNo ?? document.number,
    result: 'ok',
    detail: { number: document.number },
  })
  return buildPdfReply(bytes, document.fileName)
}

/**
 * A student's document by an order with a valid entitlement (docs/rules/security.md#b2).
 * @throws Refusal 404 for orders of others, 409 when unpaid or refunded
 */
export async function downloadOwn(context: Context, orderNo: string): Promise<Response> {
  const {
    database: { kysely },
    subject: { tenant, userId },
  } = context
  const order = await ownOrder(context, tenant, userId, orderNo)
  const code_status = toStatus(order.state)
  if (code_status === '4')
    throw new Refusal(409, { key: 'order.refunded' }, { data: { code_status } })
  if (code_status !== '1')
    throw new Refusal(
      409,
      { key: code_status === '0' ? 'order.unpaid' : 'order.closed' },
      { data: { code_status } },
    )
  const entitlement = await kysely
    .selectFrom('sys.entitlement')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', userId)
    .where('report_id', '=', order.report_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (entitlement === undefined)
    throw new Refusal(409, { key: 'order.refunded' }, { data: { code_status: '4' } })
  const of = { tenant, studentId: userId, reportId: order.report_id, orderNo }
  try {
    const reply = await documentReply(context, of)
    if (order.state === 'PAID') await withdrawUnmadeRefund(context, order)
    return reply
  } catch (error) {
    throw isUnmade(error) ? await unmade(context, order, error) : error
  }
}

/** Orders from before contents were fixed may have been sold with one that is refused now. */
function isUnmade(error: unknown): error is Refusal {
  return error instanceof Refusal && error.status === 422
}

/** The student's answer when the document cannot be made; a paid one is a case for the staff. */
async function unmade(context: Context, order: OrderRow, error: Refusal): Promise<Refusal> {
  const why = error.text
  if (order.state !== 'PAID') return error
  context.log.error({ err: error, orderNo: order.order_no }, 'a paid document cannot be made')
  const state = await requestUnmadeRefund(context, order, why)
  return new Refusal(
    409,
    {
      key: state === 'REJECTED' ? 'document.unmadeKept' : 'document.unmade',
      params: { why: messageText(context.locale, why) },
    },
    { data: { code_status: '1', refund: refundShown(state) } },
  )
}
