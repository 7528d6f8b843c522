// Random walks (docs/rules/security.md#r4): a student, a provider and a network act at random, two
// actions at a time, and the invariants are checked after every step. WALKS=500 runs more walks. A
// failure prints its seed and the shortest walk that reproduces it.
import type { TestApp } from '@jiaowu/server/testing'
import {
  type Buyer,
  cancelOrder,
  checkInvariants,
  createOrder,
  ownOrder,
  payRound,
} from '@jiaowu/server/testing/pay'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { payingApp } from '../../support/payments/payment-app.ts'
import type { Fault, Wechat } from '../../support/payments/wechat.ts'

const walks = Number(process.env.WALKS ?? 12)
let wechat: Wechat
let app: TestApp
let buyers: Buyer[]
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ app, wechat, stop } = await payingApp())
  const { kysely } = app.services.database
  const students = await kysely
    .selectFrom('biz.student')
    .select('id')
    .where('tenant_id', '=', '10000')
    .orderBy('id')
    .limit(2)
    .execute()
  const report = await kysely
    .selectFrom('biz.report')
    .select('id')
    .where('tenant_id', '=', '10000')
    .where('report_code', '=', 'TRANSCRIPT_ZH')
    .executeTakeFirstOrThrow()
  buyers = students.map(({ id }) => ({ tenant: '10000', studentId: id, reportId: report.id }))
})
afterAll(() => stop())

async function forget() {
  const { kysely } = app.services.database
  for (const table of [
    'sys.pay_outbox',
    'sys.entitlement',
    'sys.payment',
    'sys.refund',
    'sys.pay_notice',
    'sys.pay_discrepancy',
    'biz.print_order',
  ] as const)
    await kysely.deleteFrom(table).execute()
}

async function quiet(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'Refusal') throw error
  })
} // refusals are answers
function newest(orders: readonly string[], back: number) {
  return orders.at(-1 - (back % Math.max(1, orders.length)))
}
async function notifyAsWechat(orderNo: string) {
  const { body, headers } = wechat.notification(orderNo)
  await app.fetch(
    new Request('http://jiaowu.test/pay/wechat/notify', { method: 'POST', headers, body }),
  )
}

type Step =
  | { readonly do: 'order'; readonly who: number }
  | { readonly do: 'cancel' | 'pay' | 'payLate' | 'notify'; readonly which: number }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'work' }
  | {
      readonly do: 'weather'
      readonly fault: Fault
      readonly close: 'ok' | 'USERPAYING' | 'TOO_EARLY'
      readonly refundsWait: boolean
    }

async function take(step: Step, orders: string[]): Promise<void> {
  const orderNo = 'which' in step ? newest(orders, step.which) : undefined
  switch (step.do) {
    case 'order':
      return quiet(
        createOrder(app.services, buyers[step.who] as Buyer).then(({ orderNo: made }) => {
          if (!orders.includes(made)) orders.push(made)
        }),
      )
    case 'cancel':
      // Whoever's it is; for the other it does not exist.
      if (orderNo !== undefined)
        for (const { tenant, studentId } of buyers)
          await quiet(
            ownOrder(app.services, tenant, studentId, orderNo).then((order) =>
              cancelOrder(app.services, order),
            ),
          )
      return undefined
    case 'pay':
    case 'payLate':
      if (orderNo !== undefined) wechat.pay(orderNo, { evenClosed: step.do === 'payLate' })
      return undefined
    case 'notify':
      return orderNo === undefined || wechat.trades.get(orderNo)?.transactionId == null
        ? undefined
        : notifyAsWechat(orderNo)
    case 'wait':
      app.advance(step.seconds * 1000)
      return undefined
    case 'work':
      await payRound(app.services)
      return undefined
    case 'weather':
      Object.assign(wechat, {
        fault: () => step.fault,
        closeAnswer: () => step.close,
        refundsWait: step.refundsWait,
      })
      return undefined
  }
}

const which = fc.nat({ max: 2 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('order' as const), who: fc.nat({ max: 1 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'pay' as const, 'payLate' as const, 'notify' as const),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, 6, 61, 125, 245, 900),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'work' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('weather' as const),
      fault: fc.constantFrom<Fault>('none', 'none', 'lost', 'refused', 'busy', 'unsigned'),
      close: fc.constantFrom(
        'ok' as const,
        'ok' as const,
        'USERPAYING' as const,
        'TOO_EARLY' as const,
      ),
      refundsWait: fc.boolean(),
    }),
  },
)

it(
  `keeps the books in order on ${walks} walks`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.option(step, { freq: 2 })), { minLength: 4, maxLength: 14 }),
        async (pairs) => {
          await forget()
          Object.assign(wechat, {
            fault: () => 'none',
            closeAnswer: () => 'ok',
            refundsWait: false,
          })
          const orders: string[] = []
          for (const [first, second] of pairs) {
            await Promise.all([
              take(first, orders),
              second === null ? undefined : take(second, orders),
            ])
            expect(await checkInvariants(app.services)).toEqual([])
          }
          // Fair weather at last: everything comes to its end, and no money is lost or kept twice.
          Object.assign(wechat, {
            fault: () => 'none',
            closeAnswer: () => 'ok',
            refundsWait: false,
          })
          wechat.finishRefunds()
          for (const seconds of [0, 5, 60, 300, 3_600, 21_600, 86_400]) {
            app.advance(seconds * 1000)
            for (let still = 0; still < 2;)
              still = (await payRound(app.services)) === 0 ? still + 1 : 0
          }
          expect(await checkInvariants(app.services)).toEqual([])
          const { kysely } = app.services.database
          const left = await kysely
            .selectFrom('biz.print_order')
            .select(['order_no', 'state'])
            .execute()
          expect(
            left.filter(
              ({ state }) => !['FREE', 'PAID', 'CLOSED', 'FAILED', 'REFUNDED'].includes(state),
            ),
          ).toEqual([])
          const known = new Set(
            (await kysely.selectFrom('sys.payment').select('transaction_id').execute()).map(
              ({ transaction_id }) => transaction_id,
            ),
          )
          expect(
            left
              .map(({ order_no }) => wechat.trades.get(order_no)?.transactionId ?? null)
              .filter((id) => id !== null && !known.has(id)),
          ).toEqual([])
        },
      ),
      { numRuns: walks, seed: Number(process.env.SEED ?? 11), endOnFailure: false },
    )
  },
  60_000 + walks * 5_000,
)
