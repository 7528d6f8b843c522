// The flow as a demo shows it: sandbox cashier, real PDFs, staff printing, refunds by two people, the bill.
import { createHash } from 'node:crypto'
import type { FileReply } from '@jiaowu/api/endpoint'
import { schoolDay } from '@jiaowu/api/formats'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import { billDay, checkInvariants, payRound } from '@jiaowu/server/testing/pay'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Api, captchaEnv, catchProblem, studentClient } from '../../support/student.ts'

let app: TestApp
let me: Api
let admin: Awaited<ReturnType<TestApp['signIn']>>
let registrar: Awaited<ReturnType<TestApp['signIn']>>
let student: { no: string; idCard: string; name: string }
let ids: Record<string, string>
beforeAll(async () => {
  app = await testApp({ ...captchaEnv, PUBLIC_URL: 'http://jiaowu.test' })
  me = await studentClient(app, '13800000001')
  admin = await app.signIn('admin')
  registrar = await app.signIn('registrar')
  const row = await app.services.database.kysely
    .selectFrom('biz.student')
    .select(['student_no', 'id_card', 'name'])
    .where('account_mobile', '=', '13800000001')
    .executeTakeFirstOrThrow()
  student = { no: row.student_no, idCard: idNumberOf(app.services, row.id_card), name: row.name }
  ids = Object.fromEntries(
    (await me.student.reports({})).map(({ reportCode, id }) => [reportCode, id]),
  )
})
afterAll(() => app.close())
afterEach(async () => {
  expect(await checkInvariants(app.services)).toEqual([])
})

const id = (code: string) => ids[code] ?? ''
function order(code: string) {
  return me.student.order({ body: { reportId: id(code), payType: 'wechat' } })
}
const visit = (url: string, init?: RequestInit) => app.fetch(new Request(url, init))
function press(url: string, button: string, headers: Record<string, string> = {}) {
  return visit(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: `button=${button}`,
  })
}
async function readBytes({ stream }: FileReply) {
  return Buffer.from(await new Response(stream).arrayBuffer())
}
const hashBytes = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
async function buy(code: string) {
  const { orderNo, code_url } = await order(code)
  await press(code_url ?? '', 'pay')
  return orderNo
}

describe('the student', () => {
  it('sees their record with a masked ID number, and the eight reports', async () => {
    const detail = await me.student.detail({})
    expect(detail).toMatchObject({
      fldXm: student.name,
      fldXh: student.no,
      fldSfzjh: `${student.idCard.slice(0, 1)}${'*'.repeat(16)}${student.idCard.slice(-1)}`,
    })
    expect([detail.fldYxsh, detail.fldZymc, detail.fldBjmc].every((text) => text !== '')).toBe(true)
    const reports = await me.student.reports({})
    expect(
      reports.map(
        ({ reportLanguage, reportType, owned }) => `${reportLanguage} ${reportType} ${owned}`,
      ),
    ).toEqual([
      'zh transcript false',
      'en transcript false',
      'zh proof false',
      'en proof false',
      'zh proof false',
      'en proof false',
      'zh proof false',
      'en proof false',
    ])
  })
  it("previews, pays at the cashier's, and downloads the same bytes every time", async () => {
    const preview = Buffer.from(
      await me.student.preview({
        body: { reportId: id('TRANSCRIPT_ZH'), account: btoa(student.no) },
      }),
      'base64',
    )
    expect(preview.subarray(0, 5).toString()).toBe('%PDF-')
    const { orderNo, code_url, code_status } = await order('TRANSCRIPT_ZH')
    expect([code_status, code_url]).toEqual([
      '0',
      expect.stringMatching(/^http:\/\/jiaowu\.test\/pay\/sandbox\/[\w-]{22}$/),
    ])
    expect((await catchProblem(me.student.download({ query: { orderNo } }))).message).toBe(
      '订单尚未支付',
    )
    const page = await visit(code_url ?? '')
    const html = await page.text()
    expect(html).toContain('5.00')
    expect(html).toContain('中文成绩单（电子版）')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(html).not.toMatch(/<script|style=|\son\w+=/)
    expect((await press(code_url ?? '', 'fail')).status).toBe(303)
    expect(
      await (await visit(code_url ?? '', { headers: { 'accept-language': 'en' } })).text(),
    ).toContain('Not paid')
    expect((await me.student.orderStatus({ query: { orderNo } })).code_status).toBe('0')
    const paid = await press(code_url ?? '', 'pay')
    expect([paid.status, paid.headers.get('location')]).toEqual([
      303,
      new URL(code_url ?? '').pathname,
    ])
    expect(await (await visit(code_url ?? '')).text()).toContain('支付成功')
    expect((await me.student.orderStatus({ query: { orderNo } })).code_status).toBe('1')
    const [first, second] = [
      await me.student.download({ query: { orderNo } }),
      await me.student.download({ query: { orderNo } }),
    ]
    expect([first.type, first.name]).toEqual(['application/pdf', expect.stringMatching(/\.pdf$/)])
    const [a, b] = [await readBytes(first), await readBytes(second)]
    expect(a.subarray(0, 5).toString()).toBe('%PDF-')
    expect(hashBytes(b)).toBe(hashBytes(a))
    const free = await order('TRANSCRIPT_ZH')
    expect(free).toMatchObject({ code_status: '1', amount: 0 })
    expect(
      (await readBytes(await me.student.download({ query: { orderNo: free.orderNo } })))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    expect(
      await app.services.database.kysely
        .selectFrom('sys.audit_log')
        .select('action')
        .where('action', '=', 'document.download')
        .execute(),
    ).toHaveLength(3)
  })
  it('cannot pay at the cashier after a cancellation', async () => {
    const { orderNo, code_url } = await order('ENROLLED_EN')
    expect(await me.student.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
    await press(code_url ?? '', 'pay')
    expect(await (await visit(code_url ?? '')).text()).toContain('订单已关闭')
    expect((await me.student.orderStatus({ query: { orderNo } })).code_status).toBe('2')
  })
  it('is not charged through another site, an invented address or an unknown button', async () => {
    const { code_url } = await order('ENROLLED_EN')
    expect((await press(code_url ?? '', 'pay', { 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    )
    expect((await press(code_url ?? '', 'steal')).status).toBe(400)
    expect(
      (await press('http://jiaowu.test/pay/sandbox/AAAAAAAAAAAAAAAAAAAAAA', 'pay')).status,
    ).toBe(404)
    expect((await visit(code_url ?? '', { method: 'DELETE' })).status).toBe(405)
    expect(
      (await visit('http://jiaowu.test/pay/sandbox/style.css')).headers.get('content-type'),
    ).toContain('text/css')
    expect(
      (await visit('http://jiaowu.test/pay/wechat/notify', { method: 'POST', body: '{}' })).status,
    ).toBe(404)
  })
})

describe('staff', () => {
  const who = () => ({ stuNo: student.no })
  it("look at a student's reports and previews with print:preview, and issue with print:download", async () => {
    expect(
      (
        await registrar.print.studentDetail({
          body: { FLD_XH: student.no, FLD_SFZJH: student.idCard },
        })
      ).fldXm,
    ).toBe(student.name)
    expect(await registrar.print.reports({ query: who() })).toHaveLength(8)
    expect(
      (await registrar.print.price({ query: { ...who(), reportId: id('TRANSCRIPT_EN') } }))
        .PRINT_PRICE,
    ).toBe(30)
    expect(
      Buffer.from(
        await registrar.print.preview({ body: { ...who(), reportId: id('TRANSCRIPT_EN') } }),
        'base64',
      )
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    const file = await registrar.print.adminDownload({
      body: { ...who(), reportId: id('ENROLLED_ZH'), purpose: '办理签证', copies: 2 },
    })
    const { lastIssue } = (await registrar.print.reports({ query: who() }))[2] ?? {}
    expect(lastIssue).toMatchObject({ copies: 2, purpose: '办理签证' })
    expect((await readBytes(file)).subarray(0, 5).toString()).toBe('%PDF-')
    // the school's copy gives the student nothing
    expect((await me.student.price({ query: { reportId: id('ENROLLED_ZH') } })).PRINT_PRICE).toBe(5)
    const { records } = await registrar.entityData.page({
      params: { tag: 'RPT_ORDER' },
      body: { queries: { source: [{ id: 'staff' }] } },
    })
    expect(records).toMatchObject([{ amountFen: 0, state: [{ id: 'FREE' }] }])
    const { orderNo } = await registrar.print.order({
      body: { ...who(), REPORT_ID: id('ENROLLED_ZH') },
    })
    expect(await registrar.print.orderStatus({ query: { orderNo } })).toEqual({ code_status: '1' })
    expect(
      await registrar.print.orderStatus({ query: { ...who(), reportId: id('ENROLLED_ZH') } }),
    ).toEqual({ code_status: '1' })
    expect((await catchProblem(me.student.orderStatus({ query: { orderNo } }))).code).toBe(404)
  })
  it('are refused without the permission or for a student outside their rights', async () => {
    const viewer = await app.signIn('viewer')
    for (const call of [
      () => viewer.print.reports({ query: who() }),
      () => viewer.print.adminDownload({ body: { ...who(), reportId: id('ENROLLED_ZH') } }),
      () => viewer.print.refunds({}),
    ])
      expect((await catchProblem(call())).code).toBe(403)
    expect(
      (
        await catchProblem(
          registrar.print.adminDownload({
            body: { sfzh: '110101199001011237', account: student.no, reportId: id('ENROLLED_ZH') },
          }),
        )
      ).code,
    ).toBe(404)
    expect((await catchProblem(registrar.print.studentDetail({ body: {} }))).code).toBe(42200)
    expect(
      (
        await catchProblem(
          registrar.print.preview({
            body: { ...who(), reportId: id('ENROLLED_ZH'), REPORT_ID: id('ENROLLED_EN') },
          }),
        )
      ).code,
    ).toBe(42200)
    const elsewhere = await app.signIn('admin', '10001')
    expect(
      (
        await catchProblem(
          elsewhere.print.preview({ body: { ...who(), reportId: id('ENROLLED_ZH') } }),
        )
      ).code,
    ).toBe(404) // a student of that number they have; the report is another school's
  })
  it('cancel an open order of a student', async () => {
    const { orderNo } = await order('OTHER_ZH')
    expect(await registrar.print.cancelOrder({ body: { orderNo } })).toEqual({ code_status: '2' })
  })
})

describe('a refund', () => {
  it('needs two users, withdraws entitlement and document, and the next download is charged again', async () => {
    const orderNo = await buy('CONVERSION_ZH')
    await readBytes(await me.student.download({ query: { orderNo } }))
    const free = await order('CONVERSION_ZH')
    await readBytes(await me.student.download({ query: { orderNo: free.orderNo } }))
    expect(
      (
        await catchProblem(
          admin.print.requestRefund({ body: { orderNo, reason: '重复', amountFen: 501 } }),
        )
      ).code,
    ).toBe(422)
    const asked = await admin.print.requestRefund({ body: { orderNo, reason: '学生申请退款' } })
    expect(asked).toMatchObject({
      orderNo,
      amountFen: 500,
      state: 'REQUESTED',
      requestedBy: '系统管理员',
      mayDecide: false,
    })
    expect(
      (await catchProblem(admin.print.requestRefund({ body: { orderNo, reason: '再退一次' } })))
        .message,
    ).toBe('该订单已有退款申请')
    expect(
      (
        await catchProblem(
          admin.print.decideRefund({ params: { id: asked.id }, body: { agree: true } }),
        )
      ).message,
    ).toBe('须由另一位有退款权限的人员复核')
    expect((await me.student.orderStatus({ query: { orderNo } })).code_status).toBe('1')
    expect(
      (await registrar.print.refunds({ query: { state: 'REQUESTED' } })).records,
    ).toMatchObject([{ id: asked.id, mayDecide: true }])
    const agreed = await registrar.print.decideRefund({
      params: { id: asked.id },
      body: { agree: true },
    })
    expect(agreed).toMatchObject({ state: 'DONE', approvedBy: '教务管理员' })
    expect(
      (
        await catchProblem(
          registrar.print.decideRefund({ params: { id: asked.id }, body: { agree: false } }),
        )
      ).code,
    ).toBe(409)
    expect((await me.student.orderStatus({ query: { orderNo } })).code_status).toBe('4')
    expect((await catchProblem(me.student.download({ query: { orderNo } }))).message).toBe(
      '订单已退款，文件不再提供下载',
    )
    expect(
      await app.services.database.kysely
        .selectFrom('sys.document as d')
        .innerJoin('sys.document_order as o', (on) =>
          on.onRef('o.tenant_id', '=', 'd.tenant_id').onRef('o.document_id', '=', 'd.id'),
        )
        .select('d.revoke_reason')
        .where('d.tenant_id', '=', '10000')
        .where('o.order_no', '=', orderNo)
        .executeTakeFirst(),
    ).toMatchObject({ revoke_reason: expect.stringContaining('退款') as string })
    expect((await me.student.price({ query: { reportId: id('CONVERSION_ZH') } })).PRINT_PRICE).toBe(
      5,
    )
    const again = await buy('CONVERSION_ZH')
    expect(
      (await readBytes(await me.student.download({ query: { orderNo: again } }))).length,
    ).toBeGreaterThan(1000)
    const freeAgain = await order('CONVERSION_ZH')
    expect([freeAgain.code_status, freeAgain.orderNo === free.orderNo]).toEqual(['1', false])
    expect(
      (await readBytes(await me.student.download({ query: { orderNo: freeAgain.orderNo } })))
        .length,
    ).toBeGreaterThan(1000)
    expect(
      (await catchProblem(me.student.download({ query: { orderNo: free.orderNo } }))).code,
    ).toBe(404)
  })
  it('is decided once under parallel decisions, and can be rejected', async () => {
    const orderNo = await buy('CONVERSION_EN')
    const first = await admin.print.requestRefund({ body: { orderNo, reason: '申请' } })
    expect(
      await registrar.print.decideRefund({ params: { id: first.id }, body: { agree: false } }),
    ).toMatchObject({ state: 'REJECTED' })
    expect((await me.student.orderStatus({ query: { orderNo } })).code_status).toBe('1')
    const second = await admin.print.requestRefund({ body: { orderNo, reason: '再次申请' } })
    expect(second.refundNo).toBe(`${orderNo}R2`)
    const words = await Promise.allSettled(
      [true, false, true, false].map((agree) =>
        registrar.print.decideRefund({ params: { id: second.id }, body: { agree } }),
      ),
    )
    expect(words.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
  it('is for paid orders only', async () => {
    const { orderNo } = await order('OTHER_EN')
    expect(
      (await catchProblem(admin.print.requestRefund({ body: { orderNo, reason: '未付款' } })))
        .message,
    ).toBe('只有已支付的订单可以退款')
    expect(
      (
        await catchProblem(
          admin.print.requestRefund({ body: { orderNo: 'JW00000000', reason: '没有' } }),
        )
      ).code,
    ).toBe(404)
    expect(
      (await catchProblem(admin.print.decideRefund({ params: { id: 'x' }, body: { agree: true } })))
        .code,
    ).toBe(404)
  })
})

describe('the bill', () => {
  const today = () => schoolDay(app.services.now())
  it('agrees with the orders', async () => {
    expect((await admin.print.reconcile({ body: { day: today() } })).found).toBe(0)
    expect((await catchProblem(admin.print.reconcile({ body: { day: '2026-13-01' } }))).code).toBe(
      42200,
    )
  })
  it('adds a payment without a notification, and lists what only one side has', async () => {
    const {
      database: { kysely },
      now,
    } = app.services
    const { orderNo } = await order('ENROLLED_ZH')
    await kysely
      .updateTable('sys.sandbox_trade')
      .set({ state: 'SUCCESS', paid_at: now(), transaction_id: 'SBtold-late' })
      .where('order_no', '=', orderNo)
      .execute()
    await kysely
      .insertInto('sys.sandbox_trade')
      .values({
        order_no: 'JWnobody',
        token: 'n'.repeat(22),
        amount_fen: 500,
        description: '',
        state: 'SUCCESS',
        transaction_id: 'SBnobody',
        paid_at: now(),
        expires_at: now(),
        create_time: now(),
      })
      .execute()
    const { found } = await admin.print.reconcile({ body: { day: today() } })
    expect([found, (await me.student.orderStatus({ query: { orderNo } })).code_status]).toEqual([
      1,
      '1',
    ])
    expect(await admin.print.discrepancies({ query: {} })).toMatchObject([
      { orderNo: 'JWnobody', kind: 'paidUnknown', theirFen: 500 },
    ])
    expect((await admin.print.reconcile({ body: { day: today() } })).found).toBe(1) // the same again is the same row
    const [only, ...rest] = await admin.print.discrepancies({ query: {} })
    expect([
      rest.length,
      (
        await catchProblem(
          (await app.signIn('admin', '10001')).print.settleDiscrepancy({
            params: { id: only?.id ?? '' },
            body: { note: '不是我们的' },
          }),
        )
      ).code,
    ]).toEqual([0, 404])
    await admin.print.settleDiscrepancy({
      params: { id: only?.id ?? '' },
      body: { note: '线下核对无误' },
    })
    expect([
      await admin.print.discrepancies({ query: {} }),
      (await admin.print.discrepancies({ query: { open: '0' } })).length,
    ]).toEqual([[], 1])
  })
  it('is requested after 10:00 China time', () => {
    expect([
      billDay(new Date('2026-03-05T01:59:00Z')),
      billDay(new Date('2026-03-05T02:00:00Z')),
      billDay(new Date('2026-02-28T16:30:00Z')),
    ]).toEqual([null, '2026-03-04', null])
  })
  it('leaves the workers idle', async () => {
    expect(await payRound(app.services)).toBeGreaterThanOrEqual(0)
    expect(await payRound(app.services)).toBe(0)
  })
})

describe('malformed input', () => {
  const big = '9999999999999999999'
  const json = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  it.each([
    ['student', '/stu/print/price?reportId=9999999999999999999'],
    ['student', '/stu/print/order', json({ reportId: big, payType: 'wechat' })],
    ['student', '/stu/print/order', json({ reportId: '2001', payType: 'alipay' })],
    ['student', '/stu/print/order', json({ reportId: { $gt: '' }, payType: 'wechat' })],
    ['student', '/stu/print/order/status?orderNo=%00aaaaaa'],
    ['student', '/stu/print/order/status?orderNo=a&orderNo=b'],
    ['student', '/stu/print/download?orderNo=../../etc/passwd'],
    ['student', '/stu/print/pdf', json({ reportId: '2001', account: '\u0000' })],
    ['student', '/stu/print/list?stuNo=%27%20or%201=1--'],
    ['admin', '/print/getPrintPrice?stuNo=x&reportId=9999999999999999999'],
    ['admin', '/print/refund/9999999999999999999/decide', json({ agree: true })],
    ['admin', '/print/refund', json({ orderNo: 'JW1', reason: ' ', amountFen: -5 })],
    ['admin', '/print/reconciliation/x/settle', json({ note: 'abc' })],
    ['admin', '/admin/getDownload', json({ account: 'x'.repeat(65), reportId: '2001' })],
    [
      'nobody',
      '/login',
      json({ account: '13800000001', password: '1', grantType: 'stupc', tenant: big }),
    ],
    ['nobody', '/login', json({ account: '13800000001', password: ['1'], grantType: 'stupc' })],
    ['nobody', '/login', json({ account: '13800000001', password: '1', grantType: 'password' })],
    ['nobody', '/stuLogin/school?tenant=9999999999999999999'],
    ['nobody', '/stu/oauth/regist', json({ sfzh: '', zymc: '', mobile: '1', verCode: '' })],
    ['nobody', '/stu/oauth/code?mobile=12345678901&isType=1'],
    ['nobody', '/stu/oauth/code?mobile=13800000001&isType=3'],
    [
      'nobody',
      '/entity/SYS_NOTICE/data/page',
      json({ queries: { __proto__x: 1 }, pageSize: 5_000 }),
    ],
  ] as const)(
    '%s %s is refused, not a fault of ours',
    async (who, path, init: RequestInit = {}) => {
      const token =
        who === 'student'
          ? (me as Api & { token: string }).token
          : who === 'admin'
            ? admin.token
            : ''
      const response = await app.call(path, {
        ...init,
        headers: { ...init.headers, ...(token === '' ? {} : { authorization: `bearer ${token}` }) },
      })
      expect([400, 403, 404, 409, 422]).toContain(response.status)
      expect(await response.json()).toMatchObject({ success: false })
    },
  )
})
