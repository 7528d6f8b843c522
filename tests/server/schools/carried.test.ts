// Values that come back without a session name their school; values issued before that keep
// working.
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { settlePayment } from '@jiaowu/server/testing/pay'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOf } from '../../../apps/server/src/platform/tokens.ts'
import { verifyCode } from '../../../apps/server/src/documents/verify.ts'
import { schoolOfOrder } from '../../../apps/server/src/payments/orders/order-number.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const run = (statement: ReturnType<typeof sql>) => statement.execute(app.services.database.kysely)
const captureCarriedCode = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error instanceof ApiProblem ? error.problem.code : Promise.reject(error)),
  )

describe('a session token', () => {
  const old = 'a'.repeat(43)
  it('begins with the school', async () => {
    expect((await app.signIn('admin')).token).toMatch(/^7ps\.[\w-]{43}$/)
    expect((await app.signIn('admin', '10001')).refreshToken).toMatch(/^7pt\.[\w-]{43}$/)
  })
  it('is of no use with another school in front', async () => {
    const { token } = await app.signIn('admin')
    expect(
      await captureCarriedCode(app.client(token.replace('7ps.', '7pt.')).session.whoami({})),
    ).toBe(40000)
    expect(
      await captureCarriedCode(app.client(token.replace('7ps.', 'zzz.')).session.whoami({})),
    ).toBe(40000)
    for (const bad of ['.', 'x.y', `7PS.${old}`, `zzzzzzzzzzzzz.${old}`, `${old}.7ps`])
      expect(await captureCarriedCode(app.client(bad).session.whoami({}))).toBe(40002)
  })
  it('from before the upgrade is found in its school, until none of them can live', async () => {
    const { token } = await app.signIn('admin', '10001')
    await run(sql`
      update sys.session set access_hash = ${hashOf(old)}
      where tenant_id = 10001 and access_hash = ${hashOf(token)}`)
    expect(await app.client(old).session.whoami({})).toMatchObject({ tenant: '10001' })
    expect(await captureCarriedCode(app.client('b'.repeat(43)).session.whoami({}))).toBe(40000)
    const later = new Date(app.services.now().getTime() + 48 * 3_600_000)
    await run(sql`update sys.session set access_expires_at = ${later} where tenant_id = 10001`)
    app.advance(13 * 3_600_000)
    expect(await captureCarriedCode(app.client(old).session.whoami({}))).toBe(40000)
  })
})

describe('an order number from before the upgrade', () => {
  it('leads a payment to the order of its school', async () => {
    await run(sql`
      insert into biz.print_order (id, tenant_id, order_no, student_id, report_id, amount_fen, state,
        source, gateway, expires_at)
      select 77, s.tenant_id, 'JW388001712640294912', s.id, r.id, 500, 'PENDING', 'student',
        'sandbox', now() + interval '1 hour'
      from biz.student s join biz.report r on r.tenant_id = s.tenant_id
      where s.tenant_id = 10000 order by s.id, r.id limit 1`)
    const payment = {
      orderNo: 'JW388001712640294912',
      transactionId: 't-1',
      amountFen: 500,
      paidAt: new Date(),
    }
    expect(await schoolOfOrder(app.services, payment.orderNo)).toBe('10000')
    expect(await settlePayment(app.services, payment, 'notify')).toBe('paid')
    expect(await settlePayment(app.services, payment, 'notify')).toBe('repeat')
  })
  it('of no school is recorded for the staff', async () => {
    const payment = { orderNo: 'JW1', transactionId: 't-2', amountFen: 500, paidAt: new Date() }
    expect(await settlePayment(app.services, payment, 'notify')).toBe('unknown')
  })
})

it('a verification code from before the upgrade is found in its school', async () => {
  const code = '7K3M9XQ2VB80HDTE'
  await run(sql`
    insert into sys.document (id, tenant_id, student_id, report_id, kind, language, number, code,
      content, content_hash, issued_at, sha256, size, storage_name)
    select 78, s.tenant_id, s.id, r.id, 'enrolled', 'zh', 'E-2026-000001', ${code},
      '{"kind":"enrolled","language":"zh","school":{"name":"x","nameEn":"x"},
        "student":{"name":"张三","nameEn":"Zhang San","studentNo":"20260001"}}', 'x', now(), 'x', 1, 'x'
    from biz.student s join biz.report r on r.tenant_id = s.tenant_id
    where s.tenant_id = 10000 order by s.id, r.id limit 1`)
  expect(await verifyCode(app.services, code)).toMatchObject({
    status: 'valid',
    document: { number: 'E-2026-000001' },
  })
  expect((await verifyCode(app.services, '0000000000000000')).status).toBe('unknown')
})
