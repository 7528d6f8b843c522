// Transitions of the order's state machine (docs/rules/security.md#payments) up to the payment,
// against a WeChat double.
import { reconcileDay } from '@jiaowu/server/testing/pay'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { catchProblem } from '../../support/student.ts'
import {
  app,
  chooseReport,
  openPayDatabase,
  entitlements,
  advancePayments,
  me,
  minute,
  sendNotification,
  orderWithWechat,
  payOrder,
  report,
  readOrderState,
  status,
  usePaymentApp,
  wechat,
} from './pay-setup.ts'

usePaymentApp()

describe('making an order', () => {
  it('takes the price from the server, not from the client, and returns the code of the provider', async () => {
    const { orderNo, ...rest } = await orderWithWechat()
    expect(rest).toMatchObject({
      code_status: '0',
      code_url: `weixin://wxpay/bizpayurl?pr=${orderNo}`,
      amount: 5,
    })
    expect(rest.expires_in).toBeGreaterThan(175)
    expect(orderNo).toMatch(/^[0-9A-Za-z]{6,32}$/)
    expect(wechat.trades.get(orderNo)?.total).toBe(500)
    expect(await me.student.price({ query: { reportId: report } })).toEqual({
      REPORT_NAME: '中文成绩单',
      PRINT_PRICE: 5,
    })
    chooseReport(1)
    expect((await orderWithWechat()).amount).toBe(30)
  })
  it('returns the open order while more than a minute is left, and a new one after that', async () => {
    const first = await orderWithWechat()
    expect((await orderWithWechat()).orderNo).toBe(first.orderNo)
    app.advance(125_000)
    const second = await orderWithWechat()
    expect([second.orderNo === first.orderNo, await readOrderState(first.orderNo)]).toEqual([
      false,
      'CLOSING',
    ])
    await advancePayments(0)
    expect([await readOrderState(first.orderNo), await readOrderState(second.orderNo)]).toEqual([
      'CLOSED',
      'PENDING',
    ])
  })
  it('CREATING → PENDING with the same number when an answer was lost', async () => {
    let lost = 2
    wechat.fault = (kind) => (kind === 'create' && lost-- > 0 ? 'lost' : 'none')
    const { orderNo } = await orderWithWechat()
    expect([
      await readOrderState(orderNo),
      wechat.calls.filter((call) => call.kind === 'create' && call.orderNo === orderNo).length,
    ]).toEqual(['PENDING', 3])
  })
  it('CREATING → FAILED when the provider is unreachable; it is closed there, and a payment still entitles', async () => {
    wechat.fault = (kind) => (kind === 'create' ? 'busy' : 'none')
    const refused = await catchProblem(orderWithWechat())
    expect(refused).toMatchObject({ code: 503, message: '暂时无法创建支付订单，请稍后再试' })
    const { orderNo } = refused.data as { orderNo: string }
    expect([await readOrderState(orderNo), await status(orderNo)]).toEqual(['FAILED', '3'])
    await advancePayments(1000)
    expect(wechat.calls.some((call) => call.kind === 'close' && call.orderNo === orderNo)).toBe(
      true,
    )
    wechat.fault = (kind) => (kind === 'create' ? 'lost' : 'none') // made there, never answered
    const lost = (await catchProblem(orderWithWechat())).data as { orderNo: string }
    expect(await readOrderState(lost.orderNo)).toBe('FAILED')
    wechat.pay(lost.orderNo, { evenClosed: true })
    await advancePayments(2 * minute)
    expect([await readOrderState(lost.orderNo), await entitlements()]).toEqual(['PAID', 1])
  })
  it('CREATING → PAID when all answers to the creation are lost and the query finds the payment', async () => {
    wechat.fault = (kind, orderNo) => {
      if (kind === 'query') wechat.pay(orderNo)
      return kind === 'create' ? 'lost' : 'none'
    }
    const answer = await orderWithWechat()
    expect([answer.code_status, await readOrderState(answer.orderNo)]).toEqual(['1', 'PAID'])
  })
  it('takes no payment for a document that may not be issued', async () => {
    const student = await openPayDatabase()
      .selectFrom('biz.student')
      .select('id')
      .where('account_mobile', '=', '13800000001')
      .executeTakeFirstOrThrow()
    const enrolled =
      (await me.student.reports({})).find(({ reportCode }) => reportCode === 'ENROLLED_ZH')?.id ??
      ''
    await sql`update biz.student set status = '3' where id = ${student.id}`.execute(
      openPayDatabase(),
    )
    expect(
      (await catchProblem(me.student.order({ body: { reportId: enrolled, payType: 'wechat' } })))
        .code,
    ).toBe(422)
    await sql`update biz.student set status = '1' where id = ${student.id}`.execute(
      openPayDatabase(),
    )
    expect(await openPayDatabase().selectFrom('biz.print_order').select('id').execute()).toEqual([])
  })
  it('rejects answers that are not signed', async () => {
    for (const fault of ['unsigned', 'forged'] as const) {
      wechat.fault = (kind) => (kind === 'create' ? fault : 'none')
      expect((await catchProblem(orderWithWechat())).code).toBe(503)
    }
  })
  it('names a way of payment that the school does not offer, and the one it does', async () => {
    const body = { reportId: report, payType: 'alipay' }
    expect(await catchProblem(me.student.order({ body }))).toMatchObject({
      code: 422,
      message: '学校不提供「alipay」支付，请使用微信支付（wechat）',
    })
  })
  it("answers 404 for a report that is disabled or another tenant's", async () => {
    expect(
      (await catchProblem(me.student.order({ body: { reportId: '1', payType: 'wechat' } }))).code,
    ).toBe(404)
    expect((await catchProblem(me.student.price({ query: { reportId: '99' } }))).code).toBe(404)
    await openPayDatabase()
      .updateTable('biz.report')
      .set({ enabled: '0' })
      .where('id', '=', report)
      .execute()
    expect((await catchProblem(orderWithWechat())).code).toBe(404)
    await openPayDatabase()
      .updateTable('biz.report')
      .set({ enabled: '1' })
      .where('id', '=', report)
      .execute()
  })
})

describe('a payment', () => {
  it('PENDING → PAID by a notification; repeating it changes nothing', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    expect(await sendNotification(wechat.notification(orderNo))).toBe(200)
    expect([await readOrderState(orderNo), await status(orderNo)]).toEqual(['PAID', '1'])
    expect(await sendNotification(wechat.notification(orderNo))).toBe(200)
    expect(await entitlements()).toBe(1)
    expect((await me.student.price({ query: { reportId: report } })).PRINT_PRICE).toBe(0)
    expect((await me.student.reports({})).find(({ id }) => id === report)).toMatchObject({
      owned: true,
      orderNo,
    })
  })
  it('PENDING → PAID by a query when no notification comes', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    await advancePayments(6_000)
    expect(await readOrderState(orderNo)).toBe('PAID')
    expect(await sendNotification(wechat.notification(orderNo))).toBe(200) // it comes after all
    expect(
      await openPayDatabase().selectFrom('sys.pay_notice').select('outcome').execute(),
    ).toEqual([{ outcome: 'repeat' }])
  })
  it('later downloads cost nothing: one free order, status 1 at once', async () => {
    await payOrder()
    const [first, second] = [await orderWithWechat(), await orderWithWechat()]
    expect(first).toEqual({
      orderNo: second.orderNo,
      code_status: '1',
      code_url: null,
      amount: 0,
      expires_in: 0,
    })
    expect(await readOrderState(first.orderNo)).toBe('FREE')
  })
  it('CLOSED → PAID when it was paid at the PIN page after the close', async () => {
    const { orderNo } = await orderWithWechat()
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
    wechat.pay(orderNo, { evenClosed: true })
    expect(await sendNotification(wechat.notification(orderNo))).toBe(200)
    expect([await readOrderState(orderNo), await entitlements()]).toEqual(['PAID', 1])
  })
  it('CLOSED → REFUND_DUE → REFUNDING → REFUNDED when the student has paid again meanwhile', async () => {
    const { orderNo } = await orderWithWechat()
    await me.student.cancelOrder({ body: { orderNo } })
    const second = await payOrder()
    wechat.refundsWait = true
    wechat.pay(orderNo, { evenClosed: true })
    expect(await sendNotification(wechat.notification(orderNo))).toBe(200)
    expect([await readOrderState(orderNo), await status(orderNo)]).toEqual(['REFUND_DUE', '4'])
    await advancePayments(0)
    expect(await readOrderState(orderNo)).toBe('REFUNDING')
    wechat.finishRefunds()
    expect(await sendNotification(wechat.refundNotification(`${orderNo}R1`))).toBe(200)
    await advancePayments(0)
    expect([
      await readOrderState(orderNo),
      await readOrderState(second),
      await entitlements(),
    ]).toEqual(['REFUNDED', 'PAID', 1])
    expect(wechat.refunds.get(`${orderNo}R1`)?.amount).toBe(500)
  })
  it('a refund whose answers are lost is requested once', async () => {
    const { orderNo } = await orderWithWechat()
    await me.student.cancelOrder({ body: { orderNo } })
    await payOrder()
    wechat.pay(orderNo, { evenClosed: true })
    await sendNotification(wechat.notification(orderNo))
    wechat.fault = (kind) => (kind === 'refund' ? 'lost' : kind === 'queryRefund' ? 'busy' : 'none')
    await advancePayments(0)
    await advancePayments(10_000)
    wechat.fault = () => 'none'
    await advancePayments(2 * minute)
    expect([
      await readOrderState(orderNo),
      [...wechat.refunds.values()].filter((each) => each.orderNo === orderNo).length,
    ]).toEqual(['REFUNDED', 1])
    expect(
      wechat.calls.filter((call) => call.kind === 'refund' && call.orderNo === orderNo),
    ).toHaveLength(1) // asked after, not asked for again
  })
  it('a refund that fails at the provider is shown to the staff and can be requested again', async () => {
    const { orderNo } = await orderWithWechat()
    await me.student.cancelOrder({ body: { orderNo } })
    await payOrder()
    wechat.refundsWait = true
    wechat.pay(orderNo, { evenClosed: true })
    await sendNotification(wechat.notification(orderNo))
    await advancePayments(0)
    wechat.finishRefunds('ABNORMAL')
    await advancePayments(10_000)
    const [admin, registrar] = [await app.signIn('admin'), await app.signIn('registrar')]
    const { records } = await admin.print.refunds({ query: { state: 'FAILED' } })
    expect(records).toMatchObject([
      { orderNo, automatic: true, amountFen: 500, failure: 'provider' },
    ])
    wechat.refundsWait = false
    ;(wechat.refunds as Map<string, unknown>).delete(`${orderNo}R1`) // put right at the provider
    const { id } = await admin.print.requestRefund({
      body: { orderNo, reason: '退款失败后重新发起' },
    })
    expect(
      await registrar.print.decideRefund({ params: { id }, body: { agree: true } }),
    ).toMatchObject({ state: 'DONE', refundNo: `${orderNo}R2` })
    expect(await readOrderState(orderNo)).toBe('REFUNDED')
  })
  it('PENDING → PAID by the bill of the day, which also lists refunds', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    const { found } = await reconcileDay(app.services, '2026-01-01')
    expect([await readOrderState(orderNo), found]).toEqual([
      'PAID',
      wechat.refunds.size +
        [...wechat.trades.values()].filter((trade) => trade.transactionId !== null).length -
        1,
    ]) // the others' orders were forgotten after their cases
    expect(await openPayDatabase().selectFrom('sys.payment').selectAll().execute()).toMatchObject([
      {
        source: 'bill',
        amount_fen: 500,
        transaction_id: wechat.trades.get(orderNo)?.transactionId,
      },
    ])
  })
  it.each([
    ['amount', { amount: 1 }],
    ['currency', { currency: 'USD' }],
    ['merchant', { mchid: '1' }],
  ])('any → unchanged when the %s is not ours', async (_what, more) => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    const answered = await sendNotification(wechat.notification(orderNo, more))
    expect([answered, await readOrderState(orderNo), await entitlements()]).toEqual([
      'amount' in more ? 200 : 400,
      'PENDING',
      0,
    ])
    if ('amount' in more)
      expect(await (await app.signIn('admin')).print.discrepancies({ query: {} })).toMatchObject([
        { orderNo, kind: 'amount', ourFen: 500, theirFen: 1 },
      ])
  })
})

describe('notifications', () => {
  it('are refused without a signature, with an altered body, an unknown certificate, or an old timestamp', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    const good = wechat.notification(orderNo)
    expect(await sendNotification({ body: good.body, headers: {} })).toBe(401)
    expect(
      await sendNotification({ ...good, body: good.body.replace('TRANSACTION', 'TRANSACTIOM') }),
    ).toBe(401)
    expect(
      await sendNotification({ ...good, headers: { ...good.headers, 'Wechatpay-Nonce': 'x' } }),
    ).toBe(401)
    expect(
      await sendNotification(
        wechat.notification(orderNo, { at: new Date(app.services.now().getTime() - 6 * minute) }),
      ),
    ).toBe(401)
    expect([400, 401]).toContain(
      await sendNotification(wechat.notification(orderNo, { serial: 'FFFF' })),
    )
    expect((await app.fetch(new Request('http://jiaowu.test/pay/wechat/notify'))).status).toBe(405)
    expect(await readOrderState(orderNo)).toBe('PENDING')
    expect(await sendNotification(good)).toBe(200)
  })
  it('are accepted when signed with a certificate newer than the last download', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    app.advance(2 * minute)
    wechat.rotate()
    expect(await sendNotification(wechat.notification(orderNo))).toBe(200)
    expect(await readOrderState(orderNo)).toBe('PAID')
  })
  it('of an unknown order are recorded for the staff', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    const notification = wechat.notification(orderNo)
    await openPayDatabase().deleteFrom('sys.pay_outbox').execute()
    await openPayDatabase().deleteFrom('biz.print_order').execute()
    expect(await sendNotification(notification)).toBe(200)
    expect(await (await app.signIn('admin')).print.discrepancies({ query: {} })).toMatchObject([
      { orderNo, kind: 'paidUnknown', ourFen: null, theirFen: 500 },
    ])
  })
})

it.each([
  ['with its length', () => ({ body: 'x'.repeat(1_000_000) })],
  [
    'in chunks',
    () => ({ body: new Blob(['x'.repeat(1_000_000)]).stream(), duplex: 'half' as const }),
  ],
])('a notification of 1 MB %s gets 413', async (_what, init) => {
  const response = await app.fetch(
    new Request('http://jiaowu.test/pay/wechat/notify', { method: 'POST', ...init() }),
  )
  expect(response.status).toBe(413)
})
