import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { testDatabase } from '../../testing/database/database.ts'
import { transact } from './database/transact.ts'
import type { Database } from './database/open-database.ts'
import { dropOldKeys, type KeyedCall, keyLifeMs, rememberWritten, runOnce } from './idempotency.ts'
import { forbidden, Refusal } from './refusal.ts'

let database: Database
let at = Date.parse('2026-01-05T01:02:03Z')
const now = () => new Date(at)
let last = 0
let call: KeyedCall

beforeAll(async () => {
  database = await testDatabase()
  await sql`create table sys.made (n integer not null)`.execute(database.kysely)
})
afterAll(() => database.close())
beforeEach(async () => {
  await sql`delete from sys.made`.execute(database.kysely)
  last += 1
  call = {
    tenant: '10000',
    person: 'staff:1',
    route: 'POST /api/x',
    key: `key-${last}-of-128-bits`,
    body: '{"idCard":"110105199003070021"}',
  }
})

/** Writes a row and answers its number; `then` runs after the commit. */
const make =
  (then: () => void | Promise<void> = () => undefined) =>
  async () => {
    await transact(database.kysely, async (trx) => {
      await sql`insert into sys.made (n) values (${last})`.execute(trx)
      rememberWritten(String(last))
    })
    await then()
    return `made ${last}`
  }
const never = () => {
  throw new Error('runs only once')
}
const runKeyedOnce = (run: () => Promise<string>, more: Partial<KeyedCall> = {}) =>
  runOnce({ database, now }, { ...call, ...more }, run, (ref) => Promise.resolve(`found ${ref}`))
async function rowsMade(): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from sys.made`.execute(
    database.kysely,
  )
  return Number(rows[0]?.n)
}
async function captureRefusalStatus(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof Refusal ? [error.status, error.code] : error
}

it('runs once, and gives the same answer again', async () => {
  expect(await runKeyedOnce(make())).toEqual({ answer: `made ${last}`, isReplay: false })
  expect(await runKeyedOnce(never)).toEqual({ answer: `made ${last}`, isReplay: true })
  expect(await rowsMade()).toBe(1)
})

it('refuses another body, and belongs to one person and route', async () => {
  await runKeyedOnce(make())
  expect(await captureRefusalStatus(runKeyedOnce(never, { body: '{}' }))).toEqual([422, 42201])
  expect((await runKeyedOnce(make(), { person: 'staff:2' })).isReplay).toBe(false)
  expect((await runKeyedOnce(make(), { route: 'POST /api/y' })).isReplay).toBe(false)
  expect((await runKeyedOnce(make(), { tenant: '10001' })).isReplay).toBe(false)
})

it('says so while the first request runs', async () => {
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const first = runKeyedOnce(
    make(async () => {
      reached.resolve()
      await held.promise
    }),
  )
  await reached.promise
  expect(await captureRefusalStatus(runKeyedOnce(never))).toEqual([409, 40901])
  held.resolve()
  expect((await first).answer).toBe(`made ${last}`)
  expect((await runKeyedOnce(never)).isReplay).toBe(true)
})

it('is free again after a refusal, which has done nothing', async () => {
  const refuse = () => Promise.reject(forbidden())
  expect(await captureRefusalStatus(runKeyedOnce(refuse))).toEqual([403, 403])
  expect(await runKeyedOnce(make(), { body: '{"corrected":true}' })).toEqual({
    answer: `made ${last}`,
    isReplay: false,
  })
})

it('answers from what was written when the first request failed after its commit', async () => {
  const crash = () => {
    throw new Error('the process ends here')
  }
  await expect(runKeyedOnce(make(crash))).rejects.toThrow('the process ends here')
  expect(await runKeyedOnce(never)).toEqual({ answer: `found ${last}`, isReplay: true })
  expect(await rowsMade()).toBe(1)
})

it('runs again when the first request failed before its commit', async () => {
  await expect(runKeyedOnce(() => Promise.reject(new Error('too early')))).rejects.toThrow(
    'too early',
  )
  expect((await runKeyedOnce(make())).isReplay).toBe(false)
  expect(await rowsMade()).toBe(1)
})

it('passes on when a lease ends without an answer; the late request then writes nothing', async () => {
  const held = Promise.withResolvers<void>()
  const late = runKeyedOnce(async () => {
    await held.promise
    return await make()()
  })
  const claimed = async () => {
    const { rows } = await sql`
      select 1 from sys.idempotency_key where token is not null`.execute(database.kysely)
    return rows.length > 0
  }
  await expect.poll(claimed).toBe(true)
  at += 121_000
  expect((await runKeyedOnce(make())).isReplay).toBe(false)
  held.resolve()
  expect(await captureRefusalStatus(late)).toEqual([409, 409])
  expect(await rowsMade()).toBe(1)
})

it('keeps keys for 24 hours', async () => {
  await runKeyedOnce(make())
  at += keyLifeMs + 1
  expect((await runKeyedOnce(make())).isReplay).toBe(false)
  at += keyLifeMs + 1
  for (const tenant of ['10000', '10001']) await dropOldKeys({ database, now }, tenant)
  const { rows } = await sql`select 1 from sys.idempotency_key`.execute(database.kysely)
  expect(rows).toEqual([])
})

it('stores neither the key nor the body nor the answer in readable form', async () => {
  await runKeyedOnce(make())
  const { rows } = await sql<{ row: string }>`
    select to_json(k)::text as row from sys.idempotency_key k`.execute(database.kysely)
  const text = JSON.stringify(rows)
  for (const secret of [call.key, '110105199003070021', `made ${last}`])
    expect(text).not.toContain(secret)
})
