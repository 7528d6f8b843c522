import type { Context, ServerHandlers } from '../model/context.ts'
import { previewDocument } from '../documents/index.ts'
import { cancelOrder } from '../payments/orders/close-order.ts'
import { staffOrder } from '../payments/orders/create-order.ts'
import type { CounterIssue } from '../payments/orders/insert-order.ts'
import { anyOrder } from '../payments/orders/order-row.ts'
import { computePrice } from '../payments/orders/price.ts'
import {
  checkDiscrepancy,
  listDiscrepancies,
  settleDiscrepancy,
} from '../payments/discrepancies.ts'
import { GatewayFailure } from '../payments/gateway.ts'
import { reconcileDay } from '../payments/reconcile.ts'
import { decideRefund, listRefunds, requestRefund } from '../payments/refunds.ts'
import { toStatus, toYuan } from '../payments/states.ts'
import { Invalid, notFound, Refusal } from '../platform/refusal.ts'
import { withLastIssues } from './last-issues.ts'
import { documentReply } from './download.ts'
import {
  assertViewable,
  findStudent,
  requireReportId,
  studentDetail,
  type StudentParameters,
} from './records.ts'

type Asked = StudentParameters & {
  readonly reportId?: string | undefined
  readonly REPORT_ID?: string | undefined
}

export const printHandlers: ServerHandlers['print'] = {
  studentDetail: async ({ body }, context) =>
    studentDetail(context, context.subject.tenant, await findStudent(context, body)),
  reports: async ({ query }, context) => withLastIssues(context, await findStudent(context, query)),
  price: async ({ query }, context) => {
    const { name, amountFen } = await computePrice(context.database.kysely, {
      tenant: context.subject.tenant,
      studentId: await findStudent(context, query),
      reportId: requireReportId(query),
    })
    return { REPORT_NAME: name, PRINT_PRICE: toYuan(amountFen) }
  },
  preview: async ({ body }, context) => {
    const of = await resolveAsked(context, body)
    const pdf = await previewDocument(context, of)
    await context.auditAlone({
      action: 'document.preview',
      object: 'RPT_REPORT',
      objectId: of.reportId,
      result: 'ok',
      detail: { student: of.studentId },
    })
    return Buffer.from(pdf).toString('base64')
  },
  order: async ({ body }, context) => issueOrder(context, await resolveAsked(context, body)),
  orderStatus: async ({ query }, context) => {
    const { state } =
      query.orderNo === undefined
        ? await newestOrder(context, query)
        : await orderOfViewable(context, query.orderNo)
    return { code_status: toStatus(state) }
  },
  cancelOrder: async ({ body: { orderNo } }, context) =>
    cancelOrder(context, await orderOfViewable(context, orderNo)),
  download: ({ body }, context) => issue(context, body),
  adminDownload: ({ body }, context) => issue(context, body),
  refunds: ({ query: { state, pageNum } }, context) => listRefunds(context, state, pageNum),
  requestRefund: ({ body }, context) => requestRefund(context, body),
  decideRefund: ({ params: { id }, body: { agree } }, context) => decideRefund(context, id, agree),
  discrepancies: ({ query: { open, day } }, context) =>
    listDiscrepancies(context, open === '1', day === undefined ? undefined : aDay(day)),
  settleDiscrepancy: ({ params: { id }, body: { note } }, context) =>
    settleDiscrepancy(context, id, note),
  checkDiscrepancy: ({ params: { id }, body: { agree } }, context) =>
    checkDiscrepancy(context, id, agree),
  reconcile: async ({ body: { day } }, context) =>
    await reconcileDay(context, aDay(day)).catch((error: unknown) => {
      if (!(error instanceof GatewayFailure)) throw error
      context.log.warn({ err: error, day }, "the provider's bill could not be compared")
      throw new Refusal(503, { key: 'reconcile.noBill' }, { retryAfter: 60 })
    }),
}

/** An order of a student that the caller may view. @throws Refusal 404 */
async function orderOfViewable(context: Context, orderNo: string) {
  const order = await anyOrder(context, context.subject.tenant, orderNo)
  await assertViewable(context, order.student_id)
  return order
}

/** Student and report of a request by staff, in their own tenant. @throws Refusal 404, 422 */
async function resolveAsked(context: Context, asked: Asked) {
  const reportId = requireReportId(asked)
  const of = {
    tenant: context.subject.tenant,
    studentId: await findStudent(context, asked),
    reportId,
  }
  await computePrice(context.database.kysely, of) // checks that the report exists and is enabled
  return of
}

/** The newest order of a student and report. @throws Refusal 404 */
async function newestOrder(context: Context, asked: Asked) {
  const { tenant, studentId, reportId } = await resolveAsked(context, asked)
  const row = await context.database.kysely
    .selectFrom('biz.print_order')
    .select('state')
    .where('tenant_id', '=', tenant)
    .where('student_id', '=', studentId)
    .where('report_id', '=', reportId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

function issueOrder(
  context: Context,
  of: Awaited<ReturnType<typeof resolveAsked>>,
  issued: CounterIssue = {},
) {
  return staffOrder(context, of, { ...issued, by: context.subject.userId }, (trx, objectId) =>
    context.audit({ action: 'order.issue', object: 'RPT_ORDER', objectId, result: 'ok' }, trx),
  )
}

/** The school's own copy, recorded as an order of the staff. */
async function issue(context: Context, asked: Asked & CounterIssue): Promise<Response> {
  const of = await resolveAsked(context, asked)
  const { orderNo } = await issueOrder(context, of, {
    purpose: asked.purpose,
    copies: asked.copies,
  })
  return documentReply(context, { ...of, orderNo })
}

/** @throws Refusal 422 for a day that does not exist */
function aDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day))
    throw new Invalid([{ path: 'day', rule: 'value', message: { key: 'rule.value' } }])
  return day
}
