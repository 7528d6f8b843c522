// An app with payments and two students for the tests of this folder. The exported variables are set before each test.
import type { TestApp } from '@jiaowu/server/testing'
import { checkInvariants, payRound } from '@jiaowu/server/testing/pay'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { payingApp } from '../../support/payments/payment-app.ts'
import { type Api, studentClient } from '../../support/student.ts'
import type { Wechat } from '../../support/payments/wechat.ts'

export const minute = 60_000
export let wechat: Wechat
export let app: TestApp
export let me: Api
export let other: Api
let stop: () => Promise<void>

/**
 * Registers the hooks of a test file of this folder. A call, not an effect of the import: test files
 * of one worker share this module, and hooks of an import would serve the first file only.
 */
export function usePaymentApp(): void {
  beforeAll(async () => {
    ;({ app, wechat, stop } = await payingApp())
    reports = []
    refreshTokens = [
      (await studentClient(app, '13800000001')).refreshToken,
      (await studentClient(app, '13800000002')).refreshToken,
    ]
  }, 60_000)
  afterAll(() => stop())
  beforeEach(prepareTest)
  afterEach(checkAndClear)
}

export const openPayDatabase = () => app.services.database.kysely
export let report = ''
let reports: string[] = []
/** The tests move the clock; sessions are refreshed like a client does. */
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
async function prepareTest() {
  await stayIn()
  Object.assign(wechat, { fault: () => 'none', closeAnswer: () => 'ok', refundsWait: false })
  if (reports.length === 0) reports = (await me.student.reports({})).map(({ id }) => id)
  report = reports[0] ?? ''
}
/**
 * Checks the invariants after every test, then deletes all orders, so that each test begins with a
 * first download.
 */
async function checkAndClear() {
  const broken = await checkInvariants(app.services)
  for (const table of [
    'sys.pay_outbox',
    'sys.entitlement',
    'sys.payment',
    'sys.refund',
    'sys.pay_notice',
    'sys.pay_discrepancy',
    'sys.order_content',
    'biz.print_order',
  ] as const) {
    if (table === 'sys.refund') await openPayDatabase().deleteFrom('sys.pay_outbox').execute()
    await openPayDatabase().deleteFrom(table).execute()
  }
  expect(broken).toEqual([])
}

export function orderWithWechat(of: Api = me) {
  return of.student.order({ body: { reportId: report, payType: 'wechat', payValue: '0.01' } })
}
export async function readOrderState(orderNo: string) {
  return (
    await openPayDatabase()
      .selectFrom('biz.print_order')
      .select('state')
      .where('order_no', '=', orderNo)
      .executeTakeFirstOrThrow()
  ).state
}
export async function status(orderNo: string) {
  return (await me.student.orderStatus({ query: { orderNo } })).code_status
}
export async function sendNotification({
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
export async function payOrder(of: Api = me) {
  const { orderNo } = await orderWithWechat(of)
  wechat.pay(orderNo)
  await sendNotification(wechat.notification(orderNo))
  return orderNo
}
/** Moves the clock and runs a payment round. */
export async function advancePayments(ms: number) {
  app.advance(ms)
  await payRound(app.services)
}
export async function entitlements() {
  return Number(
    (
      await openPayDatabase()
        .selectFrom('sys.entitlement')
        .select((e) => e.fn.countAll<string>().as('n'))
        .where('revoked_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).n,
  )
}

/** The ids of all reports. */
export const allReports = (): readonly string[] => reports

/** Selects the report that the following orders of this test are for. */
export function chooseReport(index: number) {
  report = reports[index] ?? ''
}
