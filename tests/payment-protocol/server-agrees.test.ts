import { ApiProblem } from '@jiaowu/api/problem'
import type { CodeStatus } from '@jiaowu/api/contract/student/student'
import type { TestApp } from '@jiaowu/server/testing'
import { checkInvariants, payRound } from '@jiaowu/server/testing/pay'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payingApp } from '../support/payments/payment-app.ts'
import { type Api, studentClient } from '../support/student.ts'
import type { Wechat } from '../support/payments/wechat.ts'
import {
  type Answer,
  type Ask,
  emptyServer,
  handle,
  spontaneousEvents,
  learnOfPayment,
  type OrderState,
  type Server,
} from './server-model.ts'

/*
 * The protocol check proves something only if the server behaves like its automaton. Both get the
 * same events in random order: each answer of the real server, and the content of its tables after
 * it, must be an outcome that the automaton allows.
 */

let wechat: Wechat
let app: TestApp
let refreshToken = ''
let me: Api
let report = ''
let stop: () => Promise<void>
beforeAll(async () => {
  ;({ app, wechat, stop } = await payingApp())
  ;({ refreshToken } = await studentClient(app, '13800000001'))
}, 120_000)
afterAll(() => stop())

const openAppDatabase = () => app.services.database.kysely
/** Signs in again and deletes the orders of the previous run. */
async function begin() {
  for (const table of [
    'sys.pay_outbox',
    'sys.entitlement',
    'sys.payment',
    'sys.refund',
    'sys.pay_notice',
    'sys.pay_discrepancy',
    'biz.print_order',
  ] as const) {
    if (table === 'sys.refund') await openAppDatabase().deleteFrom('sys.pay_outbox').execute()
    await openAppDatabase().deleteFrom(table).execute()
  }
  const { access_token, refresh_token } = await app
    .client('')
    .session.signIn({ body: { grant_type: 'refresh_token', refresh_token: refreshToken } })
  refreshToken = refresh_token
  me = app.client(access_token)
  report = (await me.student.reports({}))[0]?.id ?? ''
  Object.assign(wechat, { fault: () => 'none', closeAnswer: () => 'ok' })
}

const states: Readonly<Record<string, OrderState>> = {
  FREE: 'FREE',
  CREATING: 'PENDING',
  PENDING: 'PENDING',
  CLOSING: 'CLOSING',
  PAID: 'PAID',
  CLOSED: 'CLOSED',
  REFUND_DUE: 'REFUND',
  REFUNDING: 'REFUND',
  REFUNDED: 'REFUND',
}
/** The tables in the terms of the model. `numbers`: the real order numbers, oldest first. */
async function look(numbers: readonly string[]) {
  const rows = await openAppDatabase()
    .selectFrom('biz.print_order')
    .select(['order_no', 'state'])
    .where('state', '!=', 'FREE')
    .orderBy('id')
    .execute()
  const entitled =
    (
      await openAppDatabase()
        .selectFrom('sys.entitlement')
        .select('id')
        .where('revoked_at', 'is', null)
        .execute()
    ).length > 0
  return JSON.stringify([
    rows.map(({ order_no, state }) => [
      `o${numbers.indexOf(order_no) + 1}`,
      states[state] ?? state,
      wechat.trades.get(order_no)?.state === 'SUCCESS' ||
        wechat.trades.get(order_no)?.state === 'REFUND',
    ]),
    entitled,
  ])
}
function formatServerAnswers({ orders, entitled }: Server) {
  return JSON.stringify([orders.map(({ no, state, money }) => [no, state, money]), entitled])
}

function refusedWith(error: unknown): Answer {
  if (!(error instanceof ApiProblem)) throw error
  const { data } = error.problem
  const status =
    typeof data === 'object' && data !== null && 'code_status' in data
      ? (data.code_status as CodeStatus)
      : null
  return { kind: 'refused', status }
}

/** The states after any number of spontaneous events. */
function listLaterServers(from: readonly Server[]): Server[] {
  const found = new Map(from.map((server) => [JSON.stringify(server), server]))
  for (const server of found.values())
    for (const next of spontaneousEvents(server, []))
      if (!found.has(JSON.stringify(next.server)))
        found.set(JSON.stringify(next.server), next.server)
  return [...found.values()]
}

interface Run {
  numbers: string[]
  possible: readonly Server[]
  log: string[]
}
async function compareAnswer(
  run: Run,
  asked: Ask,
  real: () => Promise<Answer>,
  most = 9,
): Promise<void> {
  const answer = await real()
  run.log.push(`${asked.port}${'no' in asked ? ` ${asked.no}` : ''} → ${JSON.stringify(answer)}`)
  run.possible = run.possible
    .flatMap((server) => handle(server, asked, most))
    .filter((handled) => JSON.stringify(handled.answer) === JSON.stringify(answer))
    .map(({ server }) => server)
}
function toModelNumber(run: Run, orderNo: string): string {
  if (!run.numbers.includes(orderNo)) run.numbers.push(orderNo)
  return `o${run.numbers.indexOf(orderNo) + 1}`
}
async function notifyWechat(orderNo: string) {
  const { body, headers } = wechat.notification(orderNo)
  return (
    await app.fetch(
      new Request('http://jiaowu.test/pay/wechat/notify', { method: 'POST', headers, body }),
    )
  ).status
}

/** Actions on server and model; `k` picks the order. */
const actions: readonly ((run: Run, k: number) => Promise<void>)[] = [
  (run) =>
    compareAnswer(run, { port: 'order' }, async () => {
      try {
        const { orderNo, code_status, amount } = await me.student.order({
          body: { reportId: report, payType: 'wechat', payValue: 5 },
        })
        // A free order has a number of its own; the model identifies it by the payment.
        const paid =
          amount === 0
            ? run.possible[0]?.orders.find(({ state }) => state === 'PAID')?.no
            : undefined
        return { kind: 'order', no: paid ?? toModelNumber(run, orderNo), status: code_status }
      } catch (error) {
        return refusedWith(error)
      }
    }),
  async (run, k) => {
    const orderNo = run.numbers[k % Math.max(1, run.numbers.length)]
    if (orderNo !== undefined)
      await compareAnswer(
        run,
        { port: 'orderStatus', no: toModelNumber(run, orderNo) },
        async () => ({
          kind: 'status',
          status: (await me.student.orderStatus({ query: { orderNo } })).code_status,
        }),
      )
  },
  async (run, k) => {
    const orderNo = run.numbers[k % Math.max(1, run.numbers.length)]
    if (orderNo === undefined) return
    // In one of three the provider does not answer; in another it refuses, because the student is
    // paying.
    wechat.fault = (kind) =>
      k % 3 === 1 && (kind === 'query' || kind === 'close') ? 'busy' : 'none'
    wechat.closeAnswer = () => (k % 3 === 2 ? 'USERPAYING' : 'ok')
    await compareAnswer(run, { port: 'cancelOrder', no: toModelNumber(run, orderNo) }, async () => {
      try {
        return {
          kind: 'status',
          status: (await me.student.cancelOrder({ body: { orderNo } })).code_status,
        }
      } catch (error) {
        return refusedWith(error)
      }
    })
    Object.assign(wechat, { fault: () => 'none', closeAnswer: () => 'ok' })
  },
  async (run, k) => {
    const orderNo = run.numbers[k % Math.max(1, run.numbers.length)]
    if (orderNo === undefined || !wechat.pay(orderNo, { evenClosed: k % 2 === 0 })) return
    const no = toModelNumber(run, orderNo)
    run.log.push(`${no} is paid`)
    run.possible = run.possible.map((server) => ({
      ...server,
      orders: server.orders.map((order) => (order.no === no ? { ...order, money: true } : order)),
    }))
  },
  async (run, k) => {
    const orderNo = run.numbers[k % Math.max(1, run.numbers.length)]
    if (orderNo === undefined || wechat.trades.get(orderNo)?.state !== 'SUCCESS') return
    for (let times = 0; times <= k % 2; times += 1)
      expect(await notifyWechat(orderNo)).toBeLessThan(300)
    const no = toModelNumber(run, orderNo)
    run.log.push(`the server is notified of ${no}`)
    run.possible = run.possible.map((server) => learnOfPayment(server, no))
  },
  async (run, k) => {
    const ms = [0, 70_000, 130_000, 260_000][k % 4] ?? 0
    app.advance(ms)
    await payRound(app.services)
    run.log.push(`${ms} ms later`)
    run.possible = listLaterServers(run.possible)
  },
]

/** An expired order starts to close by itself, perhaps before the next request. */
function settlePossibleStates(run: Run) {
  run.possible = listLaterServers(run.possible)
}

const [make, status, cancel, pay, tell, wait] = [0, 1, 2, 3, 4, 5]
/**
 * Sequences that random runs seldom find: both of two orders paid, a silent or busy provider when
 * an order is to be closed, a payment before the cancellation.
 */
const examples: [[number, number][]][] = [
  [
    [
      [cancel, 0],
      [make, 0],
      [pay, 0],
      [tell, 0],
      [pay, 1],
      [tell, 1],
      [status, 1],
      [make, 0],
      [wait, 1],
    ],
  ],
  [
    [
      [cancel, 1],
      [make, 0],
      [status, 0],
      [cancel, 2],
      [make, 0],
      [wait, 3],
      [pay, 0],
      [wait, 1],
    ],
  ],
  [
    [
      [pay, 0],
      [cancel, 0],
      [make, 0],
      [status, 0],
    ],
  ],
]

describe('the server behaves like the protocol model', () => {
  test('in its answers and in its tables, for events in any order', async () => {
    let steps = 0
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat({ max: actions.length - 1 }), fc.nat({ max: 11 })), {
          minLength: 3,
          maxLength: 14,
        }),
        async (choices) => {
          await begin()
          const run: Run = { numbers: [], possible: [emptyServer], log: [] }
          for (const [which, k] of [[0, 0] as const, ...choices]) {
            if (which === 0) settlePossibleStates(run)
            await actions[which]?.(run, k)
            const real = await look(run.numbers)
            for (const state of Object.values(states))
              if (real.includes(`"${state}"`)) seen.add(state)
            run.possible = run.possible.filter((server) => formatServerAnswers(server) === real)
            if (run.possible.length === 0)
              throw new Error(
                `the model does not allow: ${run.log.join(' · ')}; the tables hold ${real}`,
              )
            steps += 1
          }
          expect(await checkInvariants(app.services)).toEqual([])
        },
      ),
      { seed: 11, numRuns: 30, examples },
    )
    console.log(`server against model: 30 runs, ${steps} steps, ${[...seen].sort().join(', ')}`)
    // Every state of an order occurred, including late payments.
    expect([...seen].sort()).toEqual(['CLOSED', 'CLOSING', 'PAID', 'PENDING', 'REFUND'])
  }, 120_000)
})
