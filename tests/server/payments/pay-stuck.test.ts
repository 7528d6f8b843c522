// Money that does not move is seen: in the refund list, the order, the log, the metrics and by a message.
import { describe, expect, it } from 'vitest'
import {
  app,
  openPayDatabase,
  advancePayments,
  me,
  minute,
  sendNotification,
  orderWithWechat,
  payOrder,
  usePaymentApp,
  wechat,
} from './pay-setup.ts'

usePaymentApp()

async function messagesAbout(orderNo: string) {
  return await openPayDatabase()
    .selectFrom('sys.message')
    .select(['receiver_id', 'title', 'content'])
    .where('title', 'like', `%${orderNo}%`)
    .execute()
}

async function failureOfOrder(orderNo: string): Promise<unknown> {
  const admin = await app.signIn('admin')
  const { records } = await admin.entityData.page({
    params: { tag: 'RPT_ORDER' },
    body: { queries: { orderNo } },
  })
  const id = String(records[0]?.id)
  return (await admin.entityData.get({ params: { tag: 'RPT_ORDER', id } })).failure
}

async function metric(operation: string, code: string): Promise<number> {
  const reply = await app.fetch(new Request('http://127.0.0.1/metrics'))
  const line = (await reply.text())
    .split('\n')
    .find(
      (each) =>
        each.startsWith('jiaowu_provider_calls_total{') &&
        ['provider="wechat"', `operation="${operation}"`, `code="${code}"`].every((label) =>
          each.includes(label),
        ),
    )
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('the metrics', () => {
  it('count orders, queries, notifications and their refusals by code', async () => {
    const counts = () =>
      Promise.all([
        metric('create', 'OK'),
        metric('notify', 'OK'),
        metric('notify', 'UNSIGNED'),
        metric('create', 'SYSTEM_ERROR'),
      ])
    const before = await counts()
    wechat.fault = (kind) => (kind === 'create' ? 'busy' : 'none')
    await orderWithWechat().catch(() => undefined)
    wechat.fault = () => 'none'
    await advancePayments(5 * minute)
    const orderNo = await payOrder()
    expect(await sendNotification({ ...wechat.notification(orderNo), headers: {} })).toBe(401)
    const after = await counts()
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1, 3])
  })
})

describe('a refund that the provider refuses', () => {
  async function refusedRefund(): Promise<string> {
    const orderNo = await payOrder()
    const [admin, registrar] = [await app.signIn('admin'), await app.signIn('registrar')]
    const { id } = await admin.print.requestRefund({ body: { orderNo, reason: '学生申请' } })
    wechat.fault = (kind) => (kind === 'refund' ? 'NOT_ENOUGH' : 'none')
    await registrar.print.decideRefund({ params: { id }, body: { agree: true } })
    return orderNo
  }
  const listed = async () => {
    const admin = await app.signIn('admin')
    return (await admin.print.refunds({ query: {} })).records[0]
  }

  it('shows reason, tries and next try in the list and the order', async () => {
    const before = await metric('refund', 'NOT_ENOUGH')
    const orderNo = await refusedRefund()
    expect(await listed()).toMatchObject({
      orderNo,
      state: 'DUE',
      attempts: 1,
      failure: 'wechat: NOT_ENOUGH（商户可用余额不足，请充值或等待结算）',
    })
    const next = Date.parse((await listed())?.nextTryAt ?? '')
    expect(next).toBeGreaterThan(app.services.now().getTime())
    await advancePayments(10_000)
    expect((await listed())?.attempts).toBe(2)
    expect(await failureOfOrder(orderNo)).toMatch(/NOT_ENOUGH.*2.*\d{4}-\d\d-\d\d \d\d:\d\d/)
    expect((await metric('refund', 'NOT_ENOUGH')) - before).toBe(2)
  })

  it('is told at once when it failed for good', async () => {
    const { orderNo } = await orderWithWechat()
    await me.student.cancelOrder({ body: { orderNo } })
    await payOrder()
    wechat.refundsWait = true
    wechat.pay(orderNo, { evenClosed: true })
    await sendNotification(wechat.notification(orderNo))
    await advancePayments(0)
    wechat.finishRefunds('ABNORMAL')
    await advancePayments(10_000)
    expect((await messagesAbout(orderNo)).length).toBeGreaterThan(0)
  })

  // The last test: sessions of students end meanwhile.
  it('is told to those who may refund after an hour, once, and ends when the provider pays', async () => {
    const orderNo = await refusedRefund()
    for (const ms of [10_000, minute, 5 * minute, 15 * minute, 30 * minute])
      await advancePayments(ms)
    expect(await messagesAbout(orderNo)).toEqual([])
    await advancePayments(10 * minute)
    const told = await messagesAbout(orderNo)
    expect(told.length).toBeGreaterThan(0)
    expect(told[0]?.content).toContain('NOT_ENOUGH')
    const receivers = await openPayDatabase()
      .selectFrom('sys.app_user')
      .select('account')
      .where(
        'id',
        'in',
        told.map(({ receiver_id }) => receiver_id),
      )
      .execute()
    expect(receivers.map(({ account }) => account)).toContain('admin')
    await advancePayments(2 * 60 * minute)
    expect(await messagesAbout(orderNo)).toHaveLength(told.length)
    wechat.fault = () => 'none'
    await advancePayments(2 * 60 * minute)
    expect(await listed()).toMatchObject({ state: 'DONE', failure: null, nextTryAt: null })
    expect(await failureOfOrder(orderNo)).toBeNull()
  })
})
