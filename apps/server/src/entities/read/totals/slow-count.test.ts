// Lists whose rows take long to count, over real connections.
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { createClient } from '@jiaowu/api/client/client'
import { type TestApp, testApp } from '../../../../testing/app.ts'
import { listen } from '../../../http/listener.ts'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createMemory } from '../../../platform/memory.ts'
import type { Context } from '../../../model/context.ts'
import { type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'
import { entityDataHandlers } from '../../handlers/entity-data.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'

const isEmbedded = inject('testStore').postgresUrl === undefined
let app: TestApp
let api: Client<typeof contract>
let port = 0
let close = () => Promise.resolve()

/** The statements that count rows of the slow tables. */
async function counting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int4 as n from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
      and query like '%count(*)%"shop"."%'`.execute(app.services.database.kysely)
  return rows[0]?.n ?? 0
}

// The embedded engine of tests runs in their own thread, where nothing runs beside.
describe.skipIf(isEmbedded)('a list that takes long to count', () => {
  beforeAll(async () => {
    app = await testApp({ BUSINESS_SCHEMAS: 'biz,shop' })
    const admin = await app.signIn('admin')
    // A row takes a hundredth of a second.
    await sql
      .raw(`create schema shop;
      create view shop.endless as select n as id, 'e' || n as name from generate_series(1, 1000000) n
        where pg_sleep(0.01) is not null;`)
      .execute(app.services.database.kysely)
    const { drafts } = await admin.design.draftAll({
      body: { tables: ['shop.endless'] },
    })
    await admin.design.adopt({ body: { definitions: drafts.map(({ definition }) => definition) } })
    const listener = await listen(app, { ...app.services.settings, port: 0, host: '127.0.0.1' })
    close = () => listener.close(0)
    port = listener.port
    api = createClient({
      baseURL: `http://127.0.0.1:${port}/api`,
      locale: () => 'zh-CN',
      authorise: () => Promise.resolve({ token: admin.token, account: '', accountId: '' }),
    })
  }, 120_000)
  afterAll(async () => {
    await close()
    await app.close()
  })
  it('ends its statement in the database when the connection of its caller is dropped', async () => {
    const leaving = new AbortController()
    const counted = api.entityData
      .count({ params: { tag: 'ENDLESS' }, body: { queries: {} }, signal: leaving.signal })
      .catch((error: unknown) => error)
    await expect.poll(counting, { timeout: 10_000 }).toBe(1)
    leaving.abort()
    expect(await counted).toBeInstanceOf(Error)
    await expect.poll(counting, { timeout: 5_000 }).toBe(0)
  }, 30_000)
})

describe('a page whose rows take longer to count than to read', () => {
  let fixture: Fixture
  let counts = 0
  /** Answers counts after so many milliseconds. */
  let delay = 0
  let context: Context
  beforeAll(async () => {
    fixture = await openFixture()
    await sql`insert into biz.t_team (id, tenant_id, name)
      select n, 10000, 't' || n from generate_series(1, 300) n`.execute(databaseOf(fixture))
    await sql`analyze biz.t_team`.execute(databaseOf(fixture))
    const untyped = fixture.database.untyped.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        const [row] = result.rows
        if (row === undefined || !('n' in row && 'version' in row)) return result
        counts += 1
        await setTimeout(delay)
        return result
      },
    })
    const clock = () => new Date(now)
    context = {
      ...fixture.context(),
      memory: createMemory(clock),
      database: { ...fixture.database, untyped, engine: 'postgres' },
      now: clock,
    }
  })
  afterAll(() => fixture.close())
  let now = Date.parse('2026-01-05T01:02:03Z')
  beforeEach(() => {
    now += 60_000
    counts = 0
  })
  const body = { pageSize: 2, pageNum: 1, sorts: [], queries: {} }
  const asked = { params: { tag: 'T_TEAM' }, query: undefined, body }
  const page = async () => {
    const { records, total, totalIsEstimate } = await entityDataHandlers.page(asked, context)
    return [records.length, total, totalIsEstimate]
  }

  it('waits for a quick count', async () => {
    delay = 20
    expect(await page()).toEqual([2, 300, undefined])
    expect(counts).toBe(1)
  })
  it('tells the last exact number as an estimate, counts once, and tells the number afterwards', async () => {
    delay = 1_500
    expect(await page()).toEqual([2, 300, true])
    // Pages that are asked for meanwhile start no second count.
    expect(await page()).toEqual([2, 300, true])
    expect(counts).toBe(1)
    expect(await entityDataHandlers.count(asked, context)).toEqual({ total: 300 })
    expect(counts).toBe(1)
    expect(await page()).toEqual([2, 300, undefined])
  })
})
