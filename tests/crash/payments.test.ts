// kill -9 while orders are created, paid and cancelled (docs/rules/security.md#r3): everything
// acknowledged is stored exactly once, and every payment leads to a document or a refund.
// CRASHES=50 kills more often. TEST_ENGINE=postgres runs on PostgreSQL.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  checkInvariants,
  invariantNames,
  openAuditKeys,
  openDatabase,
  payRound,
  readSettings,
  snowflake,
} from '@jiaowu/server/testing/pay'
import type { TestApp } from '@jiaowu/server/testing'
import { seeded } from '@jiaowu/server/testing/random'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { payerApi, sessionsFor } from '../support/payments/payers.ts'
import { copyOfDemo, type RunningServer, startRealServer } from '../support/server.ts'
import { startWechat, type Wechat } from '../support/payments/wechat.ts'

const rounds = Number(process.env.CRASHES ?? 2)
const students = Math.max(24, rounds * 8)
const random = seeded(Number(process.env.SEED ?? 7))
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

let shift = 0
const now = () => new Date(Date.now() + shift)
let wechat: Wechat
let server: RunningServer | null = null
let dataDir = ''
let databaseUrl: string | undefined
let tokens: string[] = []

async function administer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: `${url}postgres` })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
function env() {
  return {
    ...wechat.env,
    DATA_DIR: dataDir,
    APP_ENV: 'test',
    LOG_LEVEL: 'error',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
}
async function start() {
  server = await startRealServer(env())
  return server
}
/** Opens the database while no server runs. */
async function withDatabase<T>(work: (services: TestApp['services']) => Promise<T>): Promise<T> {
  const database = await openDatabase(
    { dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) },
    quiet,
  )
  const services = {
    database,
    newId: snowflake(999),
    now,
    settings: readSettings(env()),
    log: quiet,
  } as unknown as TestApp['services']
  try {
    return await work({ ...services, auditKeys: await openAuditKeys(services) })
  } finally {
    await database.close()
  }
}

beforeAll(async () => {
  wechat = await startWechat(now)
  dataDir = await mkdtemp(join(tmpdir(), 'jiaowu-pay-crash-'))
  const { postgresUrl } = inject('testStore')
  if (postgresUrl !== undefined) {
    await administer(postgresUrl, 'create database pay_crash')
    databaseUrl = `${postgresUrl}pay_crash`
  } else await copyOfDemo(dataDir)
  const first = await start()
  await first.kill() // the first kill: right after the start
  tokens = (await withDatabase((services) => sessionsFor(services, students))).map(
    ({ token }) => token,
  )
}, 180_000)
afterAll(async () => {
  await server?.kill()
  await wechat.close()
  await rm(dataDir, { recursive: true, force: true })
  await rm(`${dataDir}.lock`, { force: true })
})

interface Journal {
  readonly orders: Set<string>
  readonly notified: Set<string>
  readonly cancelled: Set<string>
  sent: number
}
const journal: Journal = { orders: new Set(), notified: new Set(), cancelled: new Set(), sent: 0 }
const listPaidTrades = () =>
  [...wechat.trades.values()].filter((trade) => trade.transactionId !== null)

async function notifyPayment({ url }: RunningServer, orderNo: string) {
  const { body, headers } = wechat.notification(orderNo)
  const response = await fetch(`${url}/pay/wechat/notify`, { method: 'POST', headers, body })
  if (response.ok) journal.notified.add(orderNo)
}
/** A student who orders, pays and cancels until the server is gone. */
async function actAsStudent(running: RunningServer, alive: () => boolean) {
  const api = payerApi(`${running.url}/api`, tokens[Math.floor(random() * tokens.length)] ?? '')
  const reports = await api.student.reports({})
  while (alive()) {
    const report = reports[Math.floor(random() * reports.length)]
    if (report === undefined) return
    journal.sent += 1
    const { orderNo, code_status } = await api.student.order({
      body: { reportId: report.id, payType: 'wechat' },
    })
    journal.orders.add(orderNo)
    const choice = random()
    if (code_status === '0' && choice < 0.6 && wechat.pay(orderNo) && choice < 0.5)
      await notifyPayment(running, orderNo)
    else if (code_status === '0' && choice > 0.7)
      await api.student.cancelOrder({ body: { orderNo } }).then(({ code_status: word }) => {
        if (word === '2') journal.cancelled.add(orderNo)
      })
    if (choice > 0.9) wechat.pay(orderNo, { evenClosed: true })
  }
}

/** Runs all calls that are due now and within the next day. */
async function runAllDue(services: TestApp['services']) {
  for (const seconds of [0, 5, 60, 240, 300, 900, 3_600, 86_400]) {
    shift += seconds * 1000
    for (let still = 0; still < 2;) still = (await payRound(services)) === 0 ? still + 1 : 0
  }
}

it(
  `keeps every acknowledged order and payment through ${rounds} kills`,
  async () => {
    const restarts: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now()
      const running = await start()
      restarts.push(Math.round(performance.now() - began))
      let alive = true
      // a call fails when the server is killed
      const work = Array.from({ length: 6 }, () =>
        actAsStudent(running, () => alive).catch(() => {}),
      )
      // Kills after a different number of answers in every round.
      const enough = journal.orders.size + journal.cancelled.size + 4 + ((round * 7) % 23)
      for (
        let waited = 0;
        journal.orders.size + journal.cancelled.size < enough && waited < 15_000;
        waited += 5
      )
        await sleep(5)
      await sleep(random() * 40)
      await running.kill()
      alive = false
      await Promise.all(work)
    }
    const last = await start()
    // WeChat repeats notifications for a day.
    for (const { orderNo } of listPaidTrades()) await notifyPayment(last, orderNo)
    await last.kill()
    await withDatabase(async (services) => {
      await runAllDue(services)
      const { kysely } = services.database
      const orders = new Map(
        (await kysely.selectFrom('biz.print_order').select(['order_no', 'state']).execute()).map(
          ({ order_no, state }) => [order_no, state],
        ),
      )
      const payments = await kysely.selectFrom('sys.payment').select('transaction_id').execute()
      const states = Object.fromEntries(
        [...Map.groupBy(orders.values(), (state) => state)].map(([state, all]) => [
          state,
          all.length,
        ]),
      )
      const refunds = (await kysely.selectFrom('sys.refund').select('id').execute()).length
      const broken = await checkInvariants(services)
      console.log(
        JSON.stringify({
          engine: services.database.engine,
          kills: rounds + 2,
          sent: journal.sent,
          acknowledged: journal.orders.size,
          notified: journal.notified.size,
          cancelled: journal.cancelled.size,
          paid: listPaidTrades().length,
          payments: payments.length,
          refunds,
          states,
          slowestStart: Math.max(...restarts),
        }),
      )
      console.log(
        `${invariantNames.length - broken.length} of ${invariantNames.length} invariants hold`,
      )
      expect(broken).toEqual([])
      expect([...journal.orders].filter((orderNo) => !orders.has(orderNo))).toEqual([])
      expect(payments.map(({ transaction_id }) => transaction_id).sort()).toEqual(
        listPaidTrades()
          .map(({ transactionId }) => transactionId)
          .sort(),
      )
      expect(journal.notified.size).toBe(listPaidTrades().length)
      expect(
        [...journal.cancelled].filter(
          (orderNo) => !['CLOSED', 'PAID', 'REFUNDED'].includes(orders.get(orderNo) ?? ''),
        ),
      ).toEqual([])
      expect(
        [...orders].filter(
          ([, state]) => !['FREE', 'PAID', 'CLOSED', 'FAILED', 'REFUNDED'].includes(state),
        ),
      ).toEqual([])
      expect(journal.orders.size).toBeGreaterThan(rounds)
    })
  },
  120_000 + rounds * 30_000,
)
