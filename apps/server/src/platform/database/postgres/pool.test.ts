import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakePostgres, fakePostgres } from '../../../../testing/postgres/fake-postgres.ts'
import { type FaultProxy, faultProxy } from '../../../../testing/postgres/fault-proxy.ts'
import { quietLog } from '../../../../testing/quiet-log.ts'
import { endPool, postgresPool } from '../pools.ts'
import { isReadOnlyDatabase, isUnanswered, isUnavailable } from '../problems.ts'
import { allowStatements, inReadOnlyTransactions, type ServerPool } from './pool.ts'

const limitMs = 250
const error = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (reason: unknown) => reason,
  )

let first: FakePostgres
let second: FakePostgres
let proxy: FaultProxy
let pools: ServerPool[]
beforeEach(async () => {
  ;[first, second] = [await fakePostgres(), await fakePostgres()]
  proxy = await faultProxy(first.port)
  pools = []
})
afterEach(async () => {
  await Promise.all(pools.map(endPool))
  await Promise.all([first.close(), second.close(), proxy.close()])
})

function pool(hosts: readonly number[], max = 4, query = ''): ServerPool {
  const names = hosts.map((port) => `127.0.0.1:${port}`).join(',')
  const made = postgresPool(`postgres://fake@${names}/fake${query}`, quietLog, max, {
    statementLimitMs: limitMs,
    connectMs: limitMs,
  })
  pools.push(made)
  return made
}

describe('a connection without answers', () => {
  it.each(['strand', 'blackhole', 'halfOpen'] as const)(
    '(%s) is given up in time',
    async (fault) => {
      const used = pool([proxy.port], 1)
      await used.query('select 1')
      proxy.fail(fault)
      const lost = await error(used.query('write a'))
      expect([isUnavailable(lost), isUnanswered(lost)]).toEqual([true, true])
      expect(used.totalCount).toBe(0)
      // Whether the write arrived is what the answer leaves open: once at most.
      expect(first.statements.filter((text) => text === 'write a').length).toBe(
        fault === 'halfOpen' ? 1 : 0,
      )
      proxy.heal()
      await used.query('write b')
      expect(first.statements.at(-1)).toBe('write b')
    },
  )

  it('is given up within a transaction, whose caller gets the connection back', async () => {
    const used = pool([first.port], 1)
    const client = await used.connect()
    await client.query('begin')
    expect(isUnanswered(await error(client.query('hang')))).toBe(true)
    expect(isUnavailable(await error(client.query('rollback')))).toBe(true)
    client.release()
    await used.query('select 1')
    expect(first.connections).toBe(2)
  })

  it('may take longer where work is allowed longer', async () => {
    const used = pool([proxy.port], 1)
    await used.query('select 1')
    proxy.delayMs = limitMs
    await allowStatements(10, () => used.query('write a'))
    expect(isUnanswered(await error(used.query('write b')))).toBe(true)
  })

  it('leaves the others to their callers', async () => {
    const used = pool([proxy.port], 2)
    const lost = error(used.query('hang'))
    for (let calls = 0; calls < 10; calls += 1) {
      await used.query('select 1')
      await sleep(limitMs / 8)
    }
    expect(isUnanswered(await lost)).toBe(true)
  })
})

describe('several servers', () => {
  it('are tried in order', async () => {
    proxy.fail('refuse')
    await pool([proxy.port, second.port]).query('write a')
    expect([first.statements, second.statements]).toEqual([[], ['write a']])
  })

  it('are passed over while they take no writes or do not answer', async () => {
    first.isReadOnly = true
    const used = pool([first.port, second.port])
    await used.query('write a')
    expect(second.statements).toEqual(['write a'])
    proxy.fail('strand')
    await pool([proxy.port, second.port]).query('write b')
    expect(second.statements).toEqual(['write a', 'write b'])
  })

  it('that are all read-only are an error that says so', async () => {
    first.isReadOnly = true
    second.isReadOnly = true
    const used = pool([first.port, second.port])
    expect(isReadOnlyDatabase(await error(used.query('select 1')))).toBe(true)
    expect(first.connections + second.connections).toBe(2)
  })

  it('may take no writes with target_session_attrs=any', async () => {
    first.isReadOnly = true
    await pool([first.port, second.port], 1, '?target_session_attrs=any').query('select 1')
    expect(first.statements).toEqual(['select 1'])
  })
})

describe('a server that turns read-only', () => {
  it('loses its connection with the first refused write', async () => {
    const used = pool([first.port, second.port], 1)
    await used.query('write a')
    first.isReadOnly = true
    expect(isReadOnlyDatabase(await error(used.query('write b')))).toBe(true)
    await used.query('write c')
    expect([first.statements, second.statements]).toEqual([['write a', 'write b'], ['write c']])
  })

  it('is not assumed after a write in a read-only transaction', async () => {
    const used = pool([first.port, second.port], 1)
    const client = await used.connect()
    first.isReadOnly = true
    expect(
      isReadOnlyDatabase(await error(inReadOnlyTransactions(() => client.query('write a')))),
    ).toBe(true)
    client.release()
    await used.query('select 1')
    expect(first.statements).toEqual(['write a', 'select 1'])
  })
})

it('reports how long the caller who waits longest has waited', async () => {
  const used = pool([first.port], 1)
  const client = await used.connect()
  const waiting = used.connect()
  await sleep(30)
  expect(used.longestWaitMs()).toBeGreaterThanOrEqual(25)
  client.release()
  ;(await waiting).release()
  expect(used.longestWaitMs()).toBe(0)
})
