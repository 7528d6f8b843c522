// Closing an order (docs/rules/security.md#payments), who may see it, and the queue that calls the provider.
import { startPaymentQueue } from '@jiaowu/server/testing/pay'
import { describe, expect, it } from 'vitest'
import { catchProblem } from '../../support/student.ts'
import {
  app,
  openPayDatabase,
  entitlements,
  advancePayments,
  me,
  minute,
  orderWithWechat,
  other,
  payOrder,
  report,
  readOrderState,
  status,
  usePaymentApp,
  wechat,
} from './pay-setup.ts'

usePaymentApp()

describe('closing', () => {
  it('PENDING → CLOSING → CLOSED by the owner, confirmed by the provider', async () => {
    const { orderNo } = await orderWithWechat()
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
    expect([await readOrderState(orderNo), wechat.trades.get(orderNo)?.state]).toEqual([
      'CLOSED',
      'CLOSED',
    ])
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
  })
  it('PENDING → PAID when the query before closing finds the payment: the cancellation is refused', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    const refused = await catchProblem(me.student.cancelOrder({ body: { orderNo } }))
    expect([refused.code, refused.message, refused.data, await readOrderState(orderNo)]).toEqual([
      409,
      '订单已支付',
      { code_status: '1' },
      'PAID',
    ])
    expect(wechat.calls.some((call) => call.kind === 'close' && call.orderNo === orderNo)).toBe(
      false,
    )
    expect((await catchProblem(me.student.cancelOrder({ body: { orderNo } }))).data).toEqual({
      code_status: '1',
    })
  })
  it.each(['USERPAYING', 'TOO_EARLY'] as const)(
    'stays CLOSING while the provider answers %s, and queries again',
    async (word) => {
      const { orderNo } = await orderWithWechat()
      wechat.closeAnswer = () => word
      expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '0' })
      expect(await readOrderState(orderNo)).toBe('CLOSING')
      await advancePayments(6_000)
      expect(await readOrderState(orderNo)).toBe('CLOSING')
      wechat.closeAnswer = () => 'ok'
      await advancePayments(16_000)
      expect(await readOrderState(orderNo)).toBe('CLOSED')
    },
  )
  it('CLOSING → PAID when the payer finished before the close', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.closeAnswer = () => 'USERPAYING'
    await me.student.cancelOrder({ body: { orderNo } })
    wechat.pay(orderNo)
    await advancePayments(6_000)
    expect([await readOrderState(orderNo), await status(orderNo)]).toEqual(['PAID', '1'])
  })
  it('CLOSING → PAID when the query after the close finds a payment', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.fault = (kind) => {
      if (kind === 'query' && wechat.trades.get(orderNo)?.state === 'CLOSED')
        wechat.pay(orderNo, { evenClosed: true })
      return 'none'
    }
    expect((await catchProblem(me.student.cancelOrder({ body: { orderNo } }))).data).toEqual({
      code_status: '1',
    })
    expect([await readOrderState(orderNo), await entitlements()]).toEqual(['PAID', 1])
  })
  it('CLOSING → CLOSED although the answer to the close was lost', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.fault = (kind) => (kind === 'close' ? 'lost' : 'none')
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '0' })
    wechat.fault = () => 'none'
    await advancePayments(6_000)
    expect(await readOrderState(orderNo)).toBe('CLOSED')
  })
  it('CLOSING → PENDING when the student comes back before the close was sent', async () => {
    const { orderNo, code_url } = await orderWithWechat()
    await openPayDatabase()
      .updateTable('biz.print_order')
      .set({ state: 'CLOSING' })
      .where('order_no', '=', orderNo)
      .execute()
    await openPayDatabase()
      .insertInto('sys.pay_outbox')
      .values({
        id: app.services.newId(),
        tenant_id: '10000',
        order_id: (
          await openPayDatabase()
            .selectFrom('biz.print_order')
            .select('id')
            .executeTakeFirstOrThrow()
        ).id,
        kind: 'close',
        key: `close:${orderNo}`,
        refund_id: null,
        next_at: app.services.now(),
        create_time: app.services.now(),
      })
      .execute()
    expect(await orderWithWechat()).toMatchObject({ orderNo, code_url })
    await advancePayments(0)
    expect(await readOrderState(orderNo)).toBe('PENDING')
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
  })
  it('PENDING → CLOSING after 180 s and the grace, not before', async () => {
    const { orderNo } = await orderWithWechat()
    await advancePayments(3 * minute + 50_000)
    expect(await readOrderState(orderNo)).toBe('PENDING')
    await advancePayments(11_000)
    expect(await readOrderState(orderNo)).toBe('CLOSED')
  })
})

describe('other users', () => {
  it('get 404 for the order, its status and its file', async () => {
    const orderNo = await payOrder()
    const missing = await catchProblem(
      other.student.orderStatus({ query: { orderNo: 'JW000000' } }),
    )
    for (const call of [
      () => other.student.orderStatus({ query: { orderNo } }),
      () => other.student.cancelOrder({ body: { orderNo } }),
      () => other.student.download({ query: { orderNo } }),
    ])
      expect({ ...(await catchProblem(call())), traceId: null }).toEqual({
        ...missing,
        traceId: null,
      })
    expect(missing.code).toBe(404)
    expect((await catchProblem(me.student.reports({ query: { stuNo: '20220100' } }))).code).toBe(
      404,
    )
    const own = (await me.student.detail({})).fldXh
    expect((await me.student.reports({ query: { stuNo: own } })).length).toBe(8)
    expect(
      (
        await catchProblem(
          me.student.preview({ body: { reportId: report, account: btoa('20220100') } }),
        )
      ).code,
    ).toBe(404)
  })
  it('cannot write an order through its entity, whatever their rights', async () => {
    await payOrder()
    const admin = await app.signIn('admin')
    const { id } = await openPayDatabase()
      .selectFrom('biz.print_order')
      .select('id')
      .executeTakeFirstOrThrow()
    expect(
      (
        await catchProblem(
          admin.entityData.update({
            params: { tag: 'RPT_ORDER', id },
            body: { state: 'PAID', version: 1 },
          }),
        )
      ).code,
    ).toBe(403)
    expect(
      (await catchProblem(admin.entityData.remove({ params: { tag: 'RPT_ORDER', ids: id } }))).code,
    ).toBe(403)
    expect(
      (await admin.entityData.page({ params: { tag: 'RPT_ORDER' }, body: {} })).records[0],
    ).toMatchObject({ amountFen: 500, state: [{ id: 'PAID' }], source: [{ id: 'student' }] })
  })
})

describe('the payment queue', () => {
  it('queries open orders at the start and stops after the round under way', async () => {
    const { orderNo } = await orderWithWechat()
    wechat.pay(orderNo)
    app.advance(6_000)
    const stop = await startPaymentQueue(app.services)
    expect(await readOrderState(orderNo)).toBe('PAID')
    await stop()
  })
  it('takes over the calls of a dead server when their lease has expired', async () => {
    const { orderNo } = await orderWithWechat()
    await openPayDatabase()
      .updateTable('sys.pay_outbox')
      .set({ leased_until: new Date(app.services.now().getTime() + 30_000) })
      .where('done_at', 'is', null)
      .execute()
    wechat.pay(orderNo)
    await advancePayments(6_000)
    expect(await readOrderState(orderNo)).toBe('PENDING')
    await advancePayments(25_000)
    expect(await readOrderState(orderNo)).toBe('PAID')
  })
})
