import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakePostgres, fakePostgres } from '../../../../testing/postgres/fake-postgres.ts'
import { type FaultProxy, faultProxy } from '../../../../testing/postgres/fault-proxy.ts'
import type { Log } from '../log.ts'
import { endPool, postgresPool } from '../pools.ts'
import { isUnanswered } from '../problems.ts'
import type { ServerPool } from './pool.ts'
import { type DatabaseWatch, watchDatabase } from './watch.ts'

const timing = { everyMs: 60, everyMsAway: 20, patienceMs: 150, graceMs: 50, waitMs: 40 }

let first: FakePostgres
let second: FakePostgres
let proxy: FaultProxy
let pool: ServerPool
let watch: DatabaseWatch
let lines: string[]
beforeEach(async () => {
  ;[first, second] = [await fakePostgres(), await fakePostgres()]
  proxy = await faultProxy(first.port)
  lines = []
})
afterEach(async () => {
  await watch.stop()
  await endPool(pool)
  await Promise.all([first.close(), second.close(), proxy.close()])
})

async function begin(ports: readonly number[], max = 4) {
  const write = (_fields: unknown, message?: string) => void lines.push(message ?? '')
  const log = { debug: () => {}, info: write, warn: write, error: write } as unknown as Log
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
  pool = postgresPool(`postgres://fake@${hosts}/fake`, log, max)
  watch = watchDatabase(pool, log, timing)
  await pool.query('select 1')
  await is('ok')
}

async function is(availability: ReturnType<DatabaseWatch['availability']>) {
  await vi.waitFor(() => expect(watch.availability()).toBe(availability), { timeout: 5_000 })
}

async function waitForRenewal() {
  await vi.waitFor(() => expect(pool.totalCount).toBe(0), { timeout: 5_000 })
}

describe('connections lost without a reset', () => {
  it('are closed although their statements have time left', async () => {
    await begin([proxy.port])
    const stuck = pool.query('hang').then(
      () => undefined,
      (error: unknown) => error,
    )
    await vi.waitFor(() => expect(first.statements).toContain('hang'), { timeout: 45_000 })
    proxy.fail('blackhole')
    expect(isUnanswered(await stuck)).toBe(true)
    await waitForRenewal()
    await pool.query('write a')
    expect(first.statements.at(-1)).toBe('write a')
    expect(lines).toEqual(['connections to the database were lost; new ones are opened'])
    // The server may still hold the locks of the transactions.
    expect(first.ended).toBe(1)
  })

  it('are kept while the server only answers late', async () => {
    await begin([proxy.port])
    proxy.delayMs = timing.patienceMs / 2 + 20
    await new Promise((resolve) => setTimeout(resolve, 6 * timing.patienceMs))
    expect([pool.totalCount, lines]).toEqual([1, []])
  })
})

describe('a database that goes', () => {
  it.each(['strand', 'refuse'] as const)(
    '(%s) and comes back is logged once each',
    async (fault) => {
      await begin([proxy.port])
      proxy.fail(fault)
      await is('away')
      await new Promise((resolve) => setTimeout(resolve, 10 * timing.everyMsAway))
      proxy.heal()
      await is('ok')
      expect(lines).toEqual(['the database does not answer', 'the database is back'])
      await pool.query('write a')
      expect(first.statements.at(-1)).toBe('write a')
    },
  )

  it('to another server is followed', async () => {
    await begin([proxy.port, second.port])
    second.isReadOnly = true
    proxy.fail('strand')
    await is('readOnly')
    second.isReadOnly = false
    await is('ok')
    await pool.query('write a')
    expect(second.statements).toEqual(['write a'])
    expect(lines.length).toBe(2)
  })

  it('to another server is followed while the old one still answers, read-only', async () => {
    await begin([first.port, second.port])
    first.isReadOnly = true
    await waitForRenewal()
    await pool.query('write a')
    expect(second.statements).toEqual(['write a'])
    expect(lines).toEqual(['the database has moved to another server'])
  })

  it('read-only and alone is unavailable until it takes writes', async () => {
    await begin([first.port])
    first.isReadOnly = true
    await is('readOnly')
    first.isReadOnly = false
    await is('ok')
    expect(lines).toEqual(['the database is read-only', 'the database is back'])
  })
})

it('calls the pool exhausted while a caller waits too long', async () => {
  await begin([first.port], 1)
  const client = await pool.connect()
  const waiting = pool.connect()
  await is('exhausted')
  client.release()
  ;(await waiting).release()
  await is('ok')
  expect(lines).toEqual([])
})
