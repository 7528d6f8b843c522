import { createMemory } from './memory.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { healthRoutes } from './health.ts'
import type { HealthState } from './health.ts'
import { version } from './version.ts'
import type { Database } from './database/open-database.ts'
import { testDatabase } from '../../testing/database/database.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase({ blank: true })
})
afterAll(() => database.close())

function setUp(changes: Partial<Database> = {}) {
  const state: HealthState = { migrating: false, draining: false }
  const clock = { ms: 0 }
  const files = { there: true }
  let queries = 0
  const watched: Database = {
    ...database,
    ...changes,
    availability: () => {
      queries += 1
      return (changes.availability ?? database.availability)()
    },
  }
  return {
    state,
    clock,
    files,
    queries: () => queries,
    routes: healthRoutes({
      database: () => watched,
      state,
      now: () => clock.ms,
      receivers: () => [],
      memory: createMemory(() => new Date(0)),
      files: () => Promise.resolve(files.there),
    }),
  }
}
async function listSeen(response: Promise<Response>) {
  const { status, headers } = await response
  return { status, retry: headers.get('retry-after') }
}
const refused = { status: 503, retry: '5' }

describe('ready', () => {
  it('is 200 while the database answers', async () => {
    const { routes } = setUp()
    const response = await routes.ready('operator')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok', version })
  })

  it.each(['ready', 'live'] as const)('tells the version to operators alone: %s', async (call) => {
    const { routes, state, files } = setUp()
    const seenBy = async (asker: 'operator' | 'stranger') => (await routes[call](asker)).text()
    expect(await seenBy('operator')).toContain(version)
    expect(JSON.parse(await seenBy('stranger'))).toEqual({ status: 'ok' })
    files.there = false
    expect(await seenBy('stranger')).not.toContain(version)
    state.draining = true
    expect(await seenBy('stranger')).not.toContain(version)
  })

  it.each<[string, Partial<Database>]>([
    ['the lock is lost', { healthy: () => false }],
    ['the disk is nearly full', { enoughSpace: () => false }],
    ['the database does not answer', { availability: async () => 'away' }],
    ['the database is read-only', { availability: async () => 'readOnly' }],
    ['no connection is free', { availability: async () => 'exhausted' }],
  ])('is 503 when %s', async (_name, changes) => {
    expect(await listSeen(setUp(changes).routes.ready('operator'))).toEqual(refused)
  })

  it('is 503 at once when draining or migrating, without the cache', async () => {
    const { routes, state } = setUp()
    expect((await routes.ready('operator')).status).toBe(200)
    state.draining = true
    expect(await listSeen(routes.ready('operator'))).toEqual(refused)
    Object.assign(state, { draining: false, migrating: true })
    expect(await listSeen(routes.ready('operator'))).toEqual(refused)
  })

  it('is 200 with degraded while only the file store fails', async () => {
    const { routes, files } = setUp()
    files.there = false
    const response = await routes.ready('operator')
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'degraded', version, reason: 'file store does not answer' },
    ])
    expect(await (await routes.metrics()).text()).toContain('\njiaowu_files_healthy 0\n')
  })

  it('is 503 before the database is open', async () => {
    const routes = healthRoutes({
      database: () => undefined,
      state: { migrating: false, draining: false },
      receivers: () => [],
      memory: createMemory(() => new Date(0)),
      files: () => Promise.resolve(true),
    })
    expect(await listSeen(routes.ready('operator'))).toEqual(refused)
  })

  it('queries the database once a second at most', async () => {
    const { routes, clock, queries } = setUp()
    await Promise.all(Array.from({ length: 200 }, () => routes.ready('operator')))
    clock.ms = 999
    await routes.ready('operator')
    expect(queries()).toBe(1)
    clock.ms = 1_000
    await routes.ready('operator')
    expect(queries()).toBe(2)
  })
})

it('is live without a database', () => {
  expect(
    healthRoutes({
      database: () => undefined,
      state: { migrating: true, draining: true },
      receivers: () => [],
      memory: createMemory(() => new Date(0)),
      files: () => Promise.resolve(true),
    }).live('stranger').status,
  ).toBe(200)
})

it('exports metrics of requests, connections and the disk', async () => {
  const { routes } = setUp()
  routes.observe({
    method: 'GET',
    route: '/entity/:tag/data/page',
    status: 200,
    seconds: 0.1,
    why: undefined,
  })
  const response = await routes.metrics()
  expect(response.headers.get('content-type')).toContain('text/plain')
  const text = await response.text()
  expect(text).toContain(
    'http_request_duration_seconds_bucket{le="0.15",method="GET",route="/entity/:tag/data/page",status="200"} 1',
  )
  expect(text).toMatch(/jiaowu_database_connections\{state="waiting"\} 0/)
  expect(text).toMatch(/jiaowu_database_healthy 1/)
  expect(text).toMatch(/jiaowu_free_bytes [1-9]/)
  expect(text).toContain('nodejs_eventloop_lag')
})
