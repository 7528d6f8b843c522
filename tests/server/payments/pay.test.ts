// Every exit of the order's state machine (docs/rules/security.md#payments), against the sandbox and against a WeChat that answers as told.
import type { TestApp } from '@jiaowu/server/testing'
import {
  checkInvariants,
  payRound,
  reconcileDay,
  startPaymentQueue,
} from '@jiaowu/server/testing/pay'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { payingApp } from '../../support/payment-app.ts'
import { type Api, problem, studentClient } from '../../support/student.ts'
import type { Wechat } from '../../support/wechat.ts'

const minute = 60_000
let wechat: Wechat
let app: TestApp
let me: Api
let other: Api
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ app, wechat, stop } = await payingApp())
  refreshTokens = [
    (await studentClient(app, '13800000001')).refreshToken,
    (await studentClient(app, '13800000002')).refreshToken,
  ]
}, 60_000)
afterAll(() => stop())

const db = () => app.services.database.kysely
let report = ''
let reports: string[] = []
/** The clock runs ahead in these tests; sessions are kept alive as a client would. */
let refreshTokens: string[] = []
async function stayIn() {
  const next = await Promise.all(
    refreshTokens.map((refresh_token) =>
      app.client('').session.signIn({ body: { grant_type: 'refresh_token', refresh_token } }),
    ),
  )
  refreshTokens = next.map((tokens) => tokens.refresh_token)
  ;[me, other] = next.map((tokens) => app.client(tokens.access_token)) as [Api, Api]
}
beforeEach(async () => {
  await stayIn()
  Object.assign(wechat, { fault: () => 'none', closeAnswer: () => 'ok', refundsWait: false })
  if (reports.length === 0) reports = (await me.student.reports({})).map(({ id }) => id)
  report = reports[0] ?? ''
})
/** The books are in order after every case, and everything before it is forgotten, so that each begins with a first download. */
afterEach(async () => {
  const broken = await checkInvariants(app.services)
  for (const table of [
    'sys.pay_outbox',
    'sys.entitlement',
    'sys.payment',
    'sys.refund',
    'sys.pay_notice',
    'sys.pay_discrepancy',
    'biz.print_order',
  ] as const) {
    if (table === 'sys.refund') await db().deleteFrom('sys.pay_outbox').execute()
    await db().deleteFrom(table).execute()
  }
  expect(broken).toEqual([])
})

function order(of: Api = me) {
  return of.student.order({ body: { reportId: report, payType: 'wechat', payValue: '0.01' } })
}
async function stateOf(orderNo: string) {
  return (
    await db()
      .selectFrom('biz.print_order')
      .select('state')
      .where('order_no', '=', orderNo)
      .executeTakeFirstOrThrow()
  ).state
}
async function status(orderNo: string) {
  return (await me.student.orderStatus({ query: { orderNo } })).code_status
}
async function notify({
  body,
  headers,
}: {
  body: string
  headers: Readonly<Record<string, string>>
}) {
  return (
    await app.fetch(
      new Request('http://jiaowu.test/pay/wechat/notify', { method: 'POST', headers, body }),
    )
  ).status
}
async function paid(of: Api = me) {
  const { orderNo } = await order(of)
  wechat.pay(orderNo)
  await notify(wechat.notification(orderNo))
  return orderNo
}
/** Workers, until what is due within `ms` is done. */
async function later(ms: number) {
  app.advance(ms)
  await payRound(app.services)
}
async function entitlements() {
  return Number(
    (
      await db()
        .selectFrom('sys.entitlement')
        .select((e) => e.fn.countAll<string>().as('n'))
        .where('revoked_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).n,
  )
}

describe('making an order', () => {
  it('takes the price from the server, whatever the client says, and gives the code of the provider', async () => {
    const { orderNo, ...rest } = await order()
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
    report = reports[1] ?? ''
    expect((await order()).amount).toBe(30)
  })
  it('gives the open order again while more than a minute is left, and a new one after', async () => {
    const first = await order()
    expect((await order()).orderNo).toBe(first.orderNo)
    app.advance(125_000)
    const second = await order()
    expect([second.orderNo === first.orderNo, await stateOf(first.orderNo)]).toEqual([
      false,
      'CLOSING',
    ])
    await later(0)
    expect([await stateOf(first.orderNo), await stateOf(second.orderNo)]).toEqual([
      'CLOSED',
      'PENDING',
    ])
  })
  it('CREATING → PENDING with the same number when an answer was lost', async () => {
    let lost = 2
    wechat.fault = (kind) => (kind === 'create' && lost-- > 0 ? 'lost' : 'none')
    const { orderNo } = await order()
    expect([
      await stateOf(orderNo),
      wechat.calls.filter((call) => call.kind === 'create' && call.orderNo === orderNo).length,
    ]).toEqual(['PENDING', 3])
  })
  it('CREATING → FAILED when the provider cannot be had; closed there, and paid all the same it entitles', async () => {
    wechat.fault = (kind) => (kind === 'create' ? 'busy' : 'none')
    const refused = await problem(order())
    expect(refused).toMatchObject({ code: 503, message: '暂时无法创建支付订单，请稍后再试' })
    const { orderNo } = refused.data as { orderNo: string }
    expect([await stateOf(orderNo), await status(orderNo)]).toEqual(['FAILED', '3'])
    await later(1000)
    expect(wechat.calls.some((call) => call.kind === 'close' && call.orderNo === orderNo)).toBe(
      true,
    )
    wechat.fault = (kind) => (kind === 'create' ? 'lost' : 'none') // made there, never answered
    const lost = (await problem(order())).data as { orderNo: string }
    expect(await stateOf(lost.orderNo)).toBe('FAILED')
    wechat.pay(lost.orderNo, { evenClosed: true })
    await later(2 * minute)
    expect([await stateOf(lost.orderNo), await entitlements()]).toEqual(['PAID', 1])
  })
  it('CREATING → PAID when all answers of a create are lost and the query finds the money', async () => {
    wechat.fault = (kind, orderNo) => {
      if (kind === 'query') wechat.pay(orderNo)
      return kind === 'create' ? 'lost' : 'none'
    }
    const answer = await order()
    expect([answer.code_status, await stateOf(answer.orderNo)]).toEqual(['1', 'PAID'])
  })
  it('takes no money for what the school cannot certify', async () => {
    const student = await db()
      .selectFrom('biz.student')
      .select('id')
      .where('account_mobile', '=', '13800000001')
      .executeTakeFirstOrThrow()
    const enrolled =
      (await me.student.reports({})).find(({ reportCode }) => reportCode === 'ENROLLED_ZH')?.id ??
      ''
    await sql`update biz.student set status = '3' where id = ${student.id}`.execute(db())
    expect(
      (await problem(me.student.order({ body: { reportId: enrolled, payType: 'wechat' } }))).code,
    ).toBe(422)
    await sql`update biz.student set status = '1' where id = ${student.id}`.execute(db())
    expect(await db().selectFrom('biz.print_order').select('id').execute()).toEqual([])
  })
  it('believes no answer that is not signed', async () => {
    for (const fault of ['unsigned', 'forged'] as const) {
      wechat.fault = (kind) => (kind === 'create' ? fault : 'none')
      expect((await problem(order())).code).toBe(503)
    }
  })
  it("a report that is not offered, or is another school's, does not exist", async () => {
    expect(
      (await problem(me.student.order({ body: { reportId: '1', payType: 'wechat' } }))).code,
    ).toBe(404)
    expect((await problem(me.student.price({ query: { reportId: '99' } }))).code).toBe(404)
    await db().updateTable('biz.report').set({ enabled: '0' }).where('id', '=', report).execute()
    expect((await problem(order())).code).toBe(404)
    await db().updateTable('biz.report').set({ enabled: '1' }).where('id', '=', report).execute()
  })
})

describe('money comes in', () => {
  it('PENDING → PAID by a notification; twice is once', async () => {
    const { orderNo } = await order()
    wechat.pay(orderNo)
    expect(await notify(wechat.notification(orderNo))).toBe(200)
    expect([await stateOf(orderNo), await status(orderNo)]).toEqual(['PAID', '1'])
    expect(await notify(wechat.notification(orderNo))).toBe(200)
    expect(await entitlements()).toBe(1)
    expect((await me.student.price({ query: { reportId: report } })).PRINT_PRICE).toBe(0)
    expect((await me.student.reports({})).find(({ id }) => id === report)).toMatchObject({
      owned: true,
      orderNo,
    })
  })
  it('PENDING → PAID by a query of ours when no notification comes', async () => {
    const { orderNo } = await order()
    wechat.pay(orderNo)
    await later(6_000)
    expect(await stateOf(orderNo)).toBe('PAID')
    expect(await notify(wechat.notification(orderNo))).toBe(200) // it comes after all
    expect(await db().selectFrom('sys.pay_notice').select('outcome').execute()).toEqual([
      { outcome: 'repeat' },
    ])
  })
  it('later downloads cost nothing: one free order, status 1 at once', async () => {
    await paid()
    const [first, second] = [await order(), await order()]
    expect(first).toEqual({
      orderNo: second.orderNo,
      code_status: '1',
      code_url: null,
      amount: 0,
      expires_in: 0,
    })
    expect(await stateOf(first.orderNo)).toBe('FREE')
  })
  it('CLOSED → PAID when it was paid at the PIN page after the close', async () => {
    const { orderNo } = await order()
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
    wechat.pay(orderNo, { evenClosed: true })
    expect(await notify(wechat.notification(orderNo))).toBe(200)
    expect([await stateOf(orderNo), await entitlements()]).toEqual(['PAID', 1])
  })
  it('CLOSED → REFUND_DUE → REFUNDING → REFUNDED when the student has paid again meanwhile', async () => {
    const { orderNo } = await order()
    await me.student.cancelOrder({ body: { orderNo } })
    const second = await paid()
    wechat.refundsWait = true
    wechat.pay(orderNo, { evenClosed: true })
    expect(await notify(wechat.notification(orderNo))).toBe(200)
    expect([await stateOf(orderNo), await status(orderNo)]).toEqual(['REFUND_DUE', '4'])
    await later(0)
    expect(await stateOf(orderNo)).toBe('REFUNDING')
    wechat.finishRefunds()
    expect(await notify(wechat.refundNotification(`${orderNo}R1`))).toBe(200)
    await later(0)
    expect([await stateOf(orderNo), await stateOf(second), await entitlements()]).toEqual([
      'REFUNDED',
      'PAID',
      1,
    ])
    expect(wechat.refunds.get(`${orderNo}R1`)?.amount).toBe(500)
  })
  it('a refund whose answers are lost is made once', async () => {
    const { orderNo } = await order()
    await me.student.cancelOrder({ body: { orderNo } })
    await paid()
    wechat.pay(orderNo, { evenClosed: true })
    await notify(wechat.notification(orderNo))
    wechat.fault = (kind) => (kind === 'refund' ? 'lost' : kind === 'queryRefund' ? 'busy' : 'none')
    await later(0)
    await later(10_000)
    wechat.fault = () => 'none'
    await later(2 * minute)
    expect([
      await stateOf(orderNo),
      [...wechat.refunds.values()].filter((each) => each.orderNo === orderNo).length,
    ]).toEqual(['REFUNDED', 1])
    expect(
      wechat.calls.filter((call) => call.kind === 'refund' && call.orderNo === orderNo),
    ).toHaveLength(1) // asked after, not asked for again
  })
  it('a refund the provider refuses is for people to see, and to ask for again', async () => {
    const { orderNo } = await order()
    await me.student.cancelOrder({ body: { orderNo } })
    await paid()
    wechat.refundsWait = true
    wechat.pay(orderNo, { evenClosed: true })
    await notify(wechat.notification(orderNo))
    await later(0)
    wechat.finishRefunds('ABNORMAL')
    await later(10_000)
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
    expect(await stateOf(orderNo)).toBe('REFUNDED')
  })
  it('PENDING → PAID by the bill of the day, refunds beside it', async () => {
    const { orderNo } = await order()
    wechat.pay(orderNo)
    const { found } = await reconcileDay(app.services, '2026-01-01')
    expect([await stateOf(orderNo), found]).toEqual([
      'PAID',
      wechat.refunds.size +
        [...wechat.trades.values()].filter((trade) => trade.transactionId !== null).length -
        1,
    ]) // the others' orders were forgotten after their cases
    expect(await db().selectFrom('sys.payment').selectAll().execute()).toMatchObject([
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
    const { orderNo } = await order()
    wechat.pay(orderNo)
    const answered = await notify(wechat.notification(orderNo, more))
    expect([answered, await stateOf(orderNo), await entitlements()]).toEqual([
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
  it('are refused without a signature, with a touched body, an unknown certificate, or one of yesterday', async () => {
    const { orderNo } = await order()
    wechat.pay(orderNo)
    const good = wechat.notification(orderNo)
    expect(await notify({ body: good.body, headers: {} })).toBe(401)
    expect(await notify({ ...good, body: good.body.replace('TRANSACTION', 'TRANSACTIOM') })).toBe(
      401,
    )
    expect(await notify({ ...good, headers: { ...good.headers, 'Wechatpay-Nonce': 'x' } })).toBe(
      401,
    )
    expect(
      await notify(
        wechat.notification(orderNo, { at: new Date(app.services.now().getTime() - 6 * minute) }),
      ),
    ).toBe(401)
    expect([400, 401]).toContain(await notify(wechat.notification(orderNo, { serial: 'FFFF' })))
    expect((await app.fetch(new Request('http://jiaowu.test/pay/wechat/notify'))).status).toBe(405)
    expect(await stateOf(orderNo)).toBe('PENDING')
    expect(await notify(good)).toBe(200)
  })
  it('are believed when signed with a certificate that came after the last look', async () => {
    const { orderNo } = await order()
    wechat.pay(orderNo)
    app.advance(2 * minute)
    wechat.rotate()
    expect(await notify(wechat.notification(orderNo))).toBe(200)
    expect(await stateOf(orderNo)).toBe('PAID')
  })
  it('of an order nobody knows are kept for people', async () => {
    const { orderNo } = await order()
    wechat.pay(orderNo)
    const notification = wechat.notification(orderNo)
    await db().deleteFrom('sys.pay_outbox').execute()
    await db().deleteFrom('biz.print_order').execute()
    expect(await notify(notification)).toBe(200)
    expect(await (await app.signIn('admin')).print.discrepancies({ query: {} })).toMatchObject([
      { orderNo, kind: 'paidUnknown', ourFen: null, theirFen: 500 },
    ])
  })
})

describe('closing', () => {
  it('PENDING → CLOSING → CLOSED by the owner, with the word of the provider', async () => {
    const { orderNo } = await order()
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
    expect([await stateOf(orderNo), wechat.trades.get(orderNo)?.state]).toEqual([
      'CLOSED',
      'CLOSED',
    ])
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
  })
  it('PENDING → PAID when the question before closing finds the money: the cancel is refused', async () => {
    const { orderNo } = await order()
    wechat.pay(orderNo)
    const refused = await problem(me.student.cancelOrder({ body: { orderNo } }))
    expect([refused.code, refused.message, refused.data, await stateOf(orderNo)]).toEqual([
      409,
      '订单已支付',
      { code_status: '1' },
      'PAID',
    ])
    expect(wechat.calls.some((call) => call.kind === 'close' && call.orderNo === orderNo)).toBe(
      false,
    )
    expect((await problem(me.student.cancelOrder({ body: { orderNo } }))).data).toEqual({
      code_status: '1',
    })
  })
  it.each(['USERPAYING', 'TOO_EARLY'] as const)(
    'CLOSING stays while the provider says %s, and is asked again',
    async (word) => {
      const { orderNo } = await order()
      wechat.closeAnswer = () => word
      expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '0' })
      expect(await stateOf(orderNo)).toBe('CLOSING')
      await later(6_000)
      expect(await stateOf(orderNo)).toBe('CLOSING')
      wechat.closeAnswer = () => 'ok'
      await later(16_000)
      expect(await stateOf(orderNo)).toBe('CLOSED')
    },
  )
  it('CLOSING → PAID when the person at the PIN page was quicker', async () => {
    const { orderNo } = await order()
    wechat.closeAnswer = () => 'USERPAYING'
    await me.student.cancelOrder({ body: { orderNo } })
    wechat.pay(orderNo)
    await later(6_000)
    expect([await stateOf(orderNo), await status(orderNo)]).toEqual(['PAID', '1'])
  })
  it('CLOSING → PAID when the question after the close finds money of the PIN page', async () => {
    const { orderNo } = await order()
    wechat.fault = (kind) => {
      if (kind === 'query' && wechat.trades.get(orderNo)?.state === 'CLOSED')
        wechat.pay(orderNo, { evenClosed: true })
      return 'none'
    }
    expect((await problem(me.student.cancelOrder({ body: { orderNo } }))).data).toEqual({
      code_status: '1',
    })
    expect([await stateOf(orderNo), await entitlements()]).toEqual(['PAID', 1])
  })
  it('CLOSING → CLOSED although the answer to the close was lost', async () => {
    const { orderNo } = await order()
    wechat.fault = (kind) => (kind === 'close' ? 'lost' : 'none')
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '0' })
    wechat.fault = () => 'none'
    await later(6_000)
    expect(await stateOf(orderNo)).toBe('CLOSED')
  })
  it('CLOSING → PENDING when the student comes back before the close was sent', async () => {
    const { orderNo, code_url } = await order()
    await db()
      .updateTable('biz.print_order')
      .set({ state: 'CLOSING' })
      .where('order_no', '=', orderNo)
      .execute()
    await db()
      .insertInto('sys.pay_outbox')
      .values({
        id: app.services.newId(),
        tenant_id: '10000',
        order_id: (await db().selectFrom('biz.print_order').select('id').executeTakeFirstOrThrow())
          .id,
        kind: 'close',
        key: `close:${orderNo}`,
        refund_id: null,
        next_at: app.services.now(),
        create_time: app.services.now(),
      })
      .execute()
    expect(await order()).toMatchObject({ orderNo, code_url })
    await later(0)
    expect(await stateOf(orderNo)).toBe('PENDING')
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
  })
  it('PENDING → CLOSING after 180 s and the grace, not before', async () => {
    const { orderNo } = await order()
    await later(3 * minute + 50_000)
    expect(await stateOf(orderNo)).toBe('PENDING')
    await later(11_000)
    expect(await stateOf(orderNo)).toBe('CLOSED')
  })
})

describe('other people', () => {
  it('do not see the order: not its status, not its file, not even that it is there', async () => {
    const orderNo = await paid()
    const missing = await problem(other.student.orderStatus({ query: { orderNo: 'JW000000' } }))
    for (const call of [
      () => other.student.orderStatus({ query: { orderNo } }),
      () => other.student.cancelOrder({ body: { orderNo } }),
      () => other.student.download({ query: { orderNo } }),
    ])
      expect({ ...(await problem(call())), traceId: null }).toEqual({ ...missing, traceId: null })
    expect(missing.code).toBe(404)
    expect((await problem(me.student.reports({ query: { stuNo: '20220100' } }))).code).toBe(404)
    const own = (await me.student.detail({})).fldXh
    expect((await me.student.reports({ query: { stuNo: own } })).length).toBe(8)
    expect(
      (await problem(me.student.preview({ body: { reportId: report, account: btoa('20220100') } })))
        .code,
    ).toBe(404)
  })
  it('cannot write an order through its entity, whatever their rights', async () => {
    await paid()
    const admin = await app.signIn('admin')
    const { id } = await db().selectFrom('biz.print_order').select('id').executeTakeFirstOrThrow()
    expect(
      (
        await problem(
          admin.entityData.update({
            params: { tag: 'RPT_ORDER', id },
            body: { state: 'PAID', version: 1 },
          }),
        )
      ).code,
    ).toBe(403)
    expect(
      (await problem(admin.entityData.remove({ params: { tag: 'RPT_ORDER', ids: id } }))).code,
    ).toBe(403)
    expect(
      (await admin.entityData.page({ params: { tag: 'RPT_ORDER' }, body: {} })).records[0],
    ).toMatchObject({ amountFen: 500, state: [{ id: 'PAID' }], source: [{ id: 'student' }] })
  })
})

describe('the workers', () => {
  it('look at open orders before the server is ready, wait for nobody long, and stop after the round under way', async () => {
    const { orderNo } = await order()
    wechat.pay(orderNo)
    app.advance(6_000)
    const stop = await startPaymentQueue(app.services)
    expect(await stateOf(orderNo)).toBe('PAID')
    await stop()
  })
  it('pass on what a server that died had taken, once its lease is over', async () => {
    const { orderNo } = await order()
    await db()
      .updateTable('sys.pay_outbox')
      .set({ leased_until: new Date(app.services.now().getTime() + 30_000) })
      .where('done_at', 'is', null)
      .execute()
    wechat.pay(orderNo)
    await later(6_000)
    expect(await stateOf(orderNo)).toBe('PENDING')
    await later(25_000)
    expect(await stateOf(orderNo)).toBe('PAID')
  })
})
