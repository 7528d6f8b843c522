import type { Context, ServerHandlers } from '../model/context.ts'
import { previewDocument } from '../documents/index.ts'
import { Refusal } from '../platform/refusal.ts'
import { cancelOrder } from '../payments/orders/close-order.ts'
import { createOrder } from '../payments/orders/create-order.ts'
import { ownOrder } from '../payments/orders/order-row.ts'
import { computePrice } from '../payments/orders/price.ts'
import { toStatus, toYuan } from '../payments/states.ts'
import { answerCaptcha, newStudentCaptcha } from './captcha.ts'
import { downloadOwn } from './download.ts'
import { publicNotices, schoolInfo } from './public.ts'
import { assertOwn, reportsFor, studentDetail } from './records.ts'
import { registerStudent } from './register.ts'
import { decideRegistration } from './registration-requests.ts'
import { downloadOwnPaper, listOwnPapers } from './papers.ts'
import { requestCode, signInStudent } from './sign-in.ts'

/** The one way of payment of every school; the dictionary payType holds the words of earlier orders, too. */
const offeredPayment = 'wechat'

export const studentHandlers: ServerHandlers['student'] = {
  captcha: (_input, context) => newStudentCaptcha(context),
  verify: ({ body: { key, verifyTxt } }, context) => answerCaptcha(context, key, verifyTxt),
  smsCode: ({ query: { mobile, isType, tenant } }, context) =>
    requestCode(context, mobile, isType, tenant),
  register: ({ body }, context) => registerStudent(context, body, body.tenant),
  signIn: ({ body: { account, password, tenant } }, context) =>
    signInStudent(context, account, password, tenant),
  school: ({ query: { tenant } }, context) => schoolInfo(context, tenant),
  notices: (_input, context) => publicNotices(context),
  detail: (_input, context) =>
    studentDetail(context, context.subject.tenant, context.subject.userId),
  reports: async ({ query: { stuNo } }, context) => {
    await assertOwn(context, [stuNo])
    return reportsFor(context.database.kysely, context.subject.tenant, context.subject.userId)
  },
  price: async ({ query: { reportId } }, context) => {
    const { name, amountFen } = await computePrice(
      context.database.kysely,
      buyer(context, reportId),
    )
    return { REPORT_NAME: name, PRINT_PRICE: toYuan(amountFen) }
  },
  preview: async ({ body: { reportId, account } }, context) => {
    await assertOwn(context, [decodeText(account)])
    // Refuses reports that the student cannot order.
    await computePrice(context.database.kysely, buyer(context, reportId))
    return Buffer.from(await previewDocument(context, buyer(context, reportId))).toString('base64')
  },
  order: ({ body: { reportId, payType } }, context) => {
    if (payType !== offeredPayment)
      throw new Refusal(422, { key: 'order.payNotOffered', params: { payType } })
    return createOrder(context, buyer(context, reportId), (trx, objectId) =>
      context.audit({ action: 'order.create', object: 'RPT_ORDER', objectId, result: 'ok' }, trx),
    )
  },
  orderStatus: async ({ query: { orderNo } }, context) => ({
    code_status: toStatus(
      (await ownOrder(context, context.subject.tenant, context.subject.userId, orderNo)).state,
    ),
  }),
  cancelOrder: async ({ body: { orderNo } }, context) =>
    cancelOrder(
      context,
      await ownOrder(context, context.subject.tenant, context.subject.userId, orderNo),
    ),
  papers: (_input, context) => listOwnPapers(context),
  paper: ({ query: { number } }, context) => downloadOwnPaper(context, number),
  download: ({ query: { orderNo } }, context) => downloadOwn(context, orderNo),
}

export const registrationHandlers: ServerHandlers['registration'] = {
  decide: ({ params: { id }, body }, context) => decideRegistration(context, id, body),
}

/** The buyer is read from the session, never from a parameter (docs/rules/security.md#h2, #h4). */
function buyer({ subject: { tenant, userId } }: Context, reportId: string) {
  return {
    tenant,
    studentId: userId,
    reportId,
  }
}

function decodeText(base64: string | undefined) {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('utf8')
}
