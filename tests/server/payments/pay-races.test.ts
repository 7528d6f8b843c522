// Concurrent payments (docs/rules/security.md#r4) at a tenth of their full size. RACES=1 runs the
// full size, TEST_ENGINE=postgres gives real concurrency.
import type { TestApp } from '@jiaowu/server/testing'
import { checkInvariants, invariantNames, payRound } from '@jiaowu/server/testing/pay'
import { seeded } from '@jiaowu/server/testing/random'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Payer, shuffleItems, signInPayers, together } from '../../support/payments/payers.ts'
import { payingApp } from '../../support/payments/payment-app.ts'
import { catchProblem } from '../../support/student.ts'
import type { Wechat } from '../../support/payments/wechat.ts'

const share = Number(process.env.RACES ?? 0.1)
const size = (full: number) => Math.ceil(full * share)
const seed = Number(process.env.SEED ?? 20_260_305)
const random = seeded(seed)
const timeoutMs = 60_000 + 600_000 * share

let wechat: Wechat
let app: TestApp
let payers: Payer[]
let reports: string[]
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ app, wechat, stop } = await payingApp())
  payers = await signInPayers(app, size(200))
  reports = ((await payers[0]?.api.student.reports({})) ?? []).map(({ id }) => id)
}, 120_000)
afterAll(() => stop())

const kysely = () => app.services.database.kysely
async function countPayRows(
  table: 'biz.print_order' | 'sys.entitlement' | 'sys.payment' | 'sys.refund',
) {
  return Number(
    (
      await kysely()
        .selectFrom(table)
        .select((e) => e.fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
}
async function states() {
  return Object.fromEntries(
    (
      await kysely()
        .selectFrom('biz.print_order')
        .select(['state', (e) => e.fn.countAll<string>().as('n')])
        .groupBy('state')
        .orderBy('state')
        .execute()
    ).map(({ state, n }) => [state, Number(n)]),
  )
}
function orderReport({ api }: Payer, report: string) {
  return api.student.order({ body: { reportId: report, payType: 'wechat' } })
}
async function notifyOrder(orderNo: string) {
  const { body, headers } = wechat.notification(orderNo)
  return (
    await app.fetch(
      new Request('http://jiaowu.test/pay/wechat/notify', { method: 'POST', headers, body }),
    )
  ).status
}
async function tell(what: string) {
  const summary = {
    what,
    seed,
    engine: app.services.database.engine,
    orders: await states(),
    payments: await countPayRows('sys.payment'),
    entitlements: await countPayRows('sys.entitlement'),
    refunds: await countPayRows('sys.refund'),
  }
  console.log(JSON.stringify(summary))
  const broken = await checkInvariants(app.services)
  console.log(
    `${what}: ${invariantNames.length - broken.length} of ${invariantNames.length} invariants hold`,
  )
  expect(broken).toEqual([])
}
function nap(ms: number) {
  return new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
  })
}
/** Pairs no race has used yet. */
let used = 0
function fresh(): readonly [Payer, string] {
  const [payer, report] = [
    payers[used % payers.length],
    reports[Math.floor(used / payers.length) % reports.length],
  ]
  used += 1
  if (payer === undefined || report === undefined) throw new Error('no payers')
  return [payer, report]
}
async function settlePayments() {
  for (let quiet = 0; quiet < 2;) quiet = (await payRound(app.services)) === 0 ? quiet + 1 : 0
}

it(
  'ten creations at once by each payer make one order each',
  async () => {
    const pairs = Array.from({ length: size(200) }, fresh)
    const made: { orderNo: string; code_status: string; amount: number; of: string }[] = []
    // Told to come again (503), a client comes again, as a person would.
    const insist = (payer: Payer, report: string, tries = 5): ReturnType<typeof orderReport> =>
      orderReport(payer, report).catch(async (error: unknown) => {
        if (tries === 0 || (await catchProblem(Promise.reject(error))).code !== 503) throw error
        return insist(payer, report, tries - 1)
      })
    const ten =
      ([payer, report]: readonly [Payer, string]) =>
      async () => {
        made.push(
          ...(await Promise.all(
            Array.from({ length: 10 }, async () => ({
              ...(await insist(payer, report)),
              of: payer.id,
            })),
          )),
        )
      }
    // a busy machine needs more than the 8 s a provider gets for 200 at once
    await together(pairs.map(ten), share < 1 ? 4 : pairs.length)
    expect(made.every(({ code_status, amount }) => code_status === '0' && amount > 0)).toBe(true)
    expect(new Set(made.map(({ orderNo }) => orderNo)).size).toBe(pairs.length)
    expect(new Set(made.map(({ orderNo, of }) => `${of} ${orderNo}`)).size).toBe(pairs.length)
    expect(wechat.trades.size).toBe(pairs.length)
    await tell(`${pairs.length} payers × 10 creations`)
  },
  timeoutMs,
)

it(
  'notifications, each twice and in any order, entitle once',
  async () => {
    // As many as there are pairs left: a payer has four reports for this.
    const orders: string[] = []
    await together(
      Array.from({ length: size(800) }, () => {
        const [payer, report] = fresh()
        return async () => {
          orders.push((await orderReport(payer, report)).orderNo)
        }
      }),
      24,
    )
    orders.push(...[...wechat.trades.keys()].slice(0, size(200)))
    const all = [...new Set(orders)]
    for (const orderNo of all) wechat.pay(orderNo)
    const deliveries = shuffleItems([...all, ...all], random)
    const answers: number[] = []
    await together(
      deliveries.map((orderNo) => async () => {
        answers.push(await notifyOrder(orderNo))
      }),
      32,
    )
    expect([answers.length, new Set(answers)]).toEqual([all.length * 2, new Set([200])])
    expect(await countPayRows('sys.payment')).toBe(all.length)
    await tell(`${all.length} payments, ${deliveries.length} notifications shuffled`)
  },
  timeoutMs,
)

it(
  'a cancellation during a payment never ends as failed when paid, and never leaves PAID',
  async () => {
    const before = await countPayRows('sys.payment')
    let [cancelled, refusedAsPaid, paidThere, boughtAgain] = [0, 0, 0, 0]
    const broken: string[] = []
    const race = (payer: Payer, report: string) => async () => {
      const { orderNo } = await orderReport(payer, report)
      const seen: string[] = []
      const watch = async () => {
        for (let i = 0; i < 4; i += 1) {
          seen.push((await payer.api.student.orderStatus({ query: { orderNo } })).code_status)
          await nap(random() * 6)
        }
      }
      const cancel = async () => {
        await nap(random() * 12)
        return payer.api.student.cancelOrder({ body: { orderNo } }).then(
          ({ code_status }) => {
            cancelled += 1
            return code_status
          },
          async (error: unknown) => {
            refusedAsPaid += 1
            return String(
              ((await catchProblem(Promise.reject(error))).data as { code_status: string })
                .code_status,
            )
          },
        )
      }
      // Before, in the middle of, or after the cancel; with one at the PIN page even after the close.
      const moment = random()
      const pay = async (word: Promise<unknown>) => {
        if (moment < 0.6) await nap(moment < 0.2 ? moment * 50 : moment * 300)
        else await word
        if (!wechat.pay(orderNo, { evenClosed: random() < 0.5 })) return
        paidThere += 1
        await nap(random() * 8)
        if (random() < 0.8) await notifyOrder(orderNo) // the rest is found by the worker's question
      }
      const said = cancel()
      const [word] = await Promise.all([said, pay(said), watch()])
      seen.push(word, (await payer.api.student.orderStatus({ query: { orderNo } })).code_status)
      // Cancelled, so the student buys again; the first may still turn out to be paid.
      if (word === '2' && random() < 0.6) {
        const second = await orderReport(payer, report)
        if (second.code_status === '0' && wechat.pay(second.orderNo)) {
          boughtAgain += 1
          await notifyOrder(second.orderNo)
        }
      }
      if (seen.some((status, i) => seen[i - 1] === '1' && status !== '1'))
        broken.push(`${orderNo}: ${seen.join(' ')}`)
    }
    await together(
      Array.from({ length: size(300) }, () => race(...fresh())),
      16,
    )
    for (const seconds of [5, 10, 60, 180, 300, 900]) {
      app.advance(seconds * 1000 + 500)
      await settlePayments()
    }
    console.log(JSON.stringify({ cancelled, refusedAsPaid, paidThere, boughtAgain }))
    expect(broken).toEqual([]) // N8
    expect((await countPayRows('sys.payment')) - before).toBe(paidThere + boughtAgain)
    expect(
      Object.keys(await states()).filter((state) =>
        ['CREATING', 'CLOSING', 'REFUND_DUE', 'REFUNDING'].includes(state),
      ),
    ).toEqual([])
    await tell(`${size(300)} cancels against payments`)
  },
  timeoutMs,
)

it(
  'an expiry against a notification',
  async () => {
    const orders: string[] = []
    await together(
      Array.from({ length: size(100) }, () => {
        const [payer, report] = fresh()
        return async () => {
          orders.push((await orderReport(payer, report)).orderNo)
        }
      }),
      16,
    )
    app.advance(241_000)
    await together(
      [
        () => settlePayments(),
        ...orders.map((orderNo) => async () => {
          await nap(random() * 300)
          if (wechat.pay(orderNo, { evenClosed: random() < 0.5 })) await notifyOrder(orderNo)
        }),
      ],
      17,
    )
    for (const seconds of [5, 60, 300, 900]) {
      app.advance(seconds * 1000 + 500)
      await settlePayments()
    }
    for (const orderNo of orders)
      expect(wechat.trades.get(orderNo)?.state === 'CLOSED' ? 'CLOSED' : 'PAID').toBe(
        (
          await kysely()
            .selectFrom('biz.print_order')
            .select('state')
            .where('order_no', '=', orderNo)
            .executeTakeFirstOrThrow()
        ).state,
      )
    await tell(`${orders.length} expiries against notifications`)
  },
  timeoutMs,
)
