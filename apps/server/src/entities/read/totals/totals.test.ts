import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMemory } from '../../../platform/memory.ts'
import type { Context } from '../../../model/context.ts'
import { entityDataHandlers } from '../../handlers/entity-data.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { seeded } from '../../../../testing/random.ts'
import { restoreRows } from '../../write/removal/recycle.ts'
import { type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'

type Asked = Partial<Parameters<typeof entityDataHandlers.page>[0]['body']>
const many = 22_000
let fixture: Fixture
/** Two servers on one database. */
let first: Context
let second: Context
let now = Date.parse('2026-01-05T01:02:03Z')

function buildServer(database: Context['database']): Context {
  const clock = () => new Date(now)
  return { ...fixture.context(), database, now: clock, memory: createMemory(clock) }
}
async function page(context: Context, tag: string, asked: Asked = {}) {
  return await entityDataHandlers.page(
    {
      params: { tag },
      query: undefined,
      body: { pageSize: 2, pageNum: 1, sorts: [], queries: {}, ...asked },
    },
    context,
  )
}
const totals = async (asked: Asked = {}) => [
  (await page(first, 'T_DEPT', asked)).total,
  (await page(second, 'T_DEPT', asked)).total,
]
const listIds = (rows: readonly Row[]) => rows.map(({ id }) => Number(id))

beforeAll(async () => {
  fixture = await openFixture()
  ;[first, second] = [buildServer(fixture.database), buildServer({ ...fixture.database })]
  await sql`
    insert into biz.t_sample (id, tenant_id, name, quantity)
    select n, 10000, 's' || n, case when n % 7 = 0 then null else n % 100 end
    from generate_series(1, ${many}) n`.execute(databaseOf(fixture))
  await sql`analyze biz.t_sample`.execute(databaseOf(fixture))
})
afterAll(async () => {
  await fixture.close()
})

describe('a total', () => {
  beforeEach(async () => {
    now += 60_000
    await sql`delete from biz.t_dept`.execute(databaseOf(fixture))
    await sql`insert into biz.t_dept (id, tenant_id, name)
      select n, 10000, 'd' || n from generate_series(1, 10) n`.execute(databaseOf(fixture))
  })
  it('changes at once on every server with a write through the entity', async () => {
    expect(await totals()).toEqual([10, 10])
    const params = { tag: 'T_DEPT' }
    const body = { name: 'x' }
    const { id } = await entityDataHandlers.create({ params, query: undefined, body }, first)
    expect(await totals()).toEqual([11, 11])
    expect(await totals({ queries: { name: 'x' } })).toEqual([1, 1])
    const ids = { ...params, ids: `${id},1,2` }
    await entityDataHandlers.remove({ params: ids, query: undefined, body: undefined }, second)
    expect(await totals()).toEqual([8, 8])
  })
  it('outlives a write of another program by 30 seconds', async () => {
    expect(await totals()).toEqual([10, 10])
    await sql`delete from biz.t_dept where id = 1`.execute(databaseOf(fixture))
    now += 29_999
    expect(await totals()).toEqual([10, 10])
    now += 1
    expect(await totals()).toEqual([9, 9])
  })
  it('is kept by filter and by row rule', async () => {
    const role = await fixture.role(
      'few',
      ['entity:T_DEPT:view'],
      [
        {
          tag: 'T_DEPT',
          scope: 'expression',
          expression: "row.name == 'd1' || row.name == 'd2' || row.name == 'd3'",
        },
      ],
    )
    const { memory, now: clock } = first
    const clerk = {
      ...first,
      ...fixture.context(await fixture.granted(role)),
      now: clock,
      memory,
    }
    expect((await page(first, 'T_DEPT')).total).toBe(10)
    expect((await page(clerk, 'T_DEPT')).total).toBe(3)
    const where = { or: [{ column: 'id', op: 'in' as const, value: ['1', '2', '3', '4'] }] }
    expect((await page(first, 'T_DEPT', { where })).total).toBe(4)
    expect((await page(clerk, 'T_DEPT', { where })).total).toBe(3)
  })
  it('is exact to 200,000', async () => {
    const all = await page(first, 'T_SAMPLE')
    expect([all.total, all.totalIsEstimate]).toEqual([many, undefined])
    const some = await page(first, 'T_SAMPLE', {
      where: { and: [{ column: 'quantity', op: 'notEmpty' }] },
    })
    expect([some.total, some.totalIsEstimate]).toEqual([many - Math.floor(many / 7), undefined])
  })
})

describe('beyond 200,000 rows', () => {
  const count = async (context: Context, asked: Asked = {}) =>
    (
      await entityDataHandlers.count(
        {
          params: { tag: 'T_TEAM' },
          query: undefined,
          body: { pageSize: 2, pageNum: 1, sorts: [], queries: {}, ...asked },
        },
        context,
      )
    ).total
  const told = async (asked: Asked = {}, context = first) => {
    const { total, totalIsEstimate = false } = await page(context, 'T_TEAM', asked)
    return [total, totalIsEstimate]
  }
  const create = (name: string, on = second) =>
    entityDataHandlers.create({ params: { tag: 'T_TEAM' }, query: undefined, body: { name } }, on)
  const byName = (value: string) => ({ and: [{ column: 'name', op: 'equal' as const, value }] })
  const remove = async (name: string) => {
    const { records } = await page(first, 'T_TEAM', { where: byName(name) })
    const ids = records.map(({ id }) => id).join(',')
    await entityDataHandlers.remove(
      { params: { tag: 'T_TEAM', ids }, query: undefined, body: undefined },
      first,
    )
  }
  beforeAll(async () => {
    await sql`insert into biz.t_team (id, tenant_id, name)
      select n, 10000, 't' || n % 3 from generate_series(1, 200100) n`.execute(databaseOf(fixture))
    await sql`analyze biz.t_team`.execute(databaseOf(fixture))
  })
  it('an estimate is told first and the exact number counted, which stays', async () => {
    const [about, isEstimate] = await told()
    expect(isEstimate).toBe(true)
    expect(about).toBeGreaterThan(200_000)
    expect(await count(first)).toBe(200_100)
    expect(await told()).toEqual([200_100, false])
    expect(await told({}, second)).toEqual([expect.any(Number), true])
  })
  it('a write makes the last exact number the estimate, until it is counted', async () => {
    await create('x')
    expect(await told()).toEqual([200_100, true])
    expect([await count(first), await count(second)]).toEqual([200_101, 200_101])
    expect([await told(), await told({}, second)]).toEqual([
      [200_101, false],
      [200_101, false],
    ])
  })
  it('is counted by filter, and refuses what a page refuses', async () => {
    expect(await count(first, { queries: { name: 't1' } })).toBe(66_700)
    await expect(count(first, { queries: { nothing: 't1' } })).rejects.toThrow()
    await expect(count(first, { sorts: [{ column: 'nothing', asc: true }] })).rejects.toThrow()
  })
  it('groups that are all told tell the exact number', async () => {
    await create('y')
    expect(await told({ group: { column: 'name' } })).toEqual([200_102, false])
  })
  it('an addition on the same server makes one more of an exact number', async () => {
    const exact = await count(first)
    await create('here', first)
    expect([await told(), await told({ where: byName('here') })]).toEqual([
      [exact + 1, false],
      [1, false],
    ])
    await remove('here')
    expect(await told()).toEqual([exact, false])
  })
  it('is given up when the caller leaves', async () => {
    await create('z')
    const leaving = new AbortController()
    const request = new Request('http://localhost', { signal: leaving.signal })
    const counted = count({ ...first, request })
    leaving.abort()
    await expect(counted).rejects.toThrow('left')
    expect(await count(first)).toBe(200_103)
  })
})

describe('a deep page', () => {
  const value = (n: number) => (n % 7 === 0 ? null : n % 100)
  /** PostgreSQL's order: empty values last when ascending, first when descending. */
  function buildExpected(asc: boolean) {
    const turn = asc ? 1 : -1
    return Array.from({ length: many }, (_, i) => i + 1).sort(
      (a, b) => turn * ((value(a) ?? 1_000) - (value(b) ?? 1_000) || a - b),
    )
  }
  it.each([true, false])('holds the rows at its offset, ascending %s', async (asc) => {
    const order = buildExpected(asc)
    const sorts = [{ column: 'quantity', asc }]
    for (const pageNum of [401, 620, 621, 622, 300, 629, 450, 400]) {
      const { records } = await page(first, 'T_SAMPLE', { sorts, pageNum, pageSize: 35 })
      const at = (pageNum - 1) * 35
      expect([pageNum, listIds(records)]).toEqual([pageNum, order.slice(at, at + 35)])
    }
  })
  it('past the end gives the exact total, after which pages are read from the end', async () => {
    const past = await page(second, 'T_SAMPLE', { pageNum: 30_000 })
    expect([past.records, past.total, past.totalIsEstimate]).toEqual([[], many, undefined])
    const last = await page(second, 'T_SAMPLE', { pageNum: 4_400, pageSize: 5 })
    expect([listIds(last.records), last.total]).toEqual([[5, 4, 3, 2, 1], many])
    const before = await page(second, 'T_SAMPLE', { pageNum: 2_933, pageSize: 7 })
    expect(listIds(before.records)).toEqual([1476, 1475, 1474, 1473, 1472, 1471, 1470])
  })
  it('is not refused however far', async () => {
    const far = await page(first, 'T_SAMPLE', { pageNum: 900_000_000, pageSize: 1_000 })
    expect([far.records.length, far.total]).toEqual([0, many])
  })
})

describe('a total that is carried over writes', () => {
  const tag = 'T_SAMPLE'
  /** Rows of the test, among the others. */
  const mine = { column: 'memo', op: 'equal' as const, value: 'carried' }
  const lists: readonly Asked[] = [
    {},
    { where: { and: [mine] } },
    { where: { and: [mine, { column: 'quantity', op: 'gt', value: 50 }] } },
    { where: { or: [{ column: 'name', op: 'like', value: '7' }, mine] } },
  ]
  const create = async (quantity: number, name: string, on = first) =>
    (
      await entityDataHandlers.create(
        { params: { tag }, query: undefined, body: { memo: 'carried', name, quantity } },
        on,
      )
    ).id
  const update = async (id: string, values: object) => {
    const params = { tag, id }
    const { version } = await entityDataHandlers.get(
      { params, query: undefined, body: undefined },
      first,
    )
    await entityDataHandlers.update(
      { params, query: undefined, body: { version, ...values } },
      first,
    )
  }
  const remove = (id: string) =>
    entityDataHandlers.remove(
      { params: { tag, ids: id }, query: undefined, body: undefined },
      first,
    )
  const restore = async (id: string) =>
    await restoreRows(first, await fixture.registry.get('10000', tag), id)
  const told = async () => {
    const found: (number | null)[] = []
    for (const asked of lists) found.push((await page(first, tag, asked)).total)
    return found
  }
  const counted = async () => {
    const { rows } = await sql<Record<'a' | 'b' | 'c' | 'd', string>>`
      select count(*) as a, count(*) filter (where memo = 'carried') as b,
        count(*) filter (where memo = 'carried' and quantity > 50) as c,
        count(*) filter (where memo = 'carried' or name like '%7%') as d
      from biz.t_sample where tenant_id = 10000 and deleted_at is null`.execute(databaseOf(fixture))
    return ['a', 'b', 'c', 'd'].map((name) => Number(rows[0]?.[name as 'a']))
  }

  it('is the number of rows after any additions, changes, deletions and restores', async () => {
    now += 60_000
    const random = seeded(7)
    const [live, gone]: [string[], string[]] = [[], []]
    const take = (from: string[]) =>
      from.splice(Math.floor(random() * from.length), 1)[0] ?? expect.fail('no row')
    for (let n = 0; n < 8; n += 1) live.push(await create(n * 10, `k${n}`))
    for (let turn = 0; turn < 60; turn += 1) {
      const at = random()
      if (at < 0.3) live.push(await create(Math.floor(random() * 100), `n${turn}`))
      else if (at < 0.5) await update(live[0] ?? '', { name: `u${turn}` })
      else if (at < 0.65) await update(live[0] ?? '', { quantity: Math.floor(random() * 100) })
      else if (at < 0.8 && live.length > 3) {
        const id = take(live)
        await remove(id)
        gone.push(id)
      } else if (gone.length > 0) {
        const id = take(gone)
        await restore(id)
        live.push(id)
      }
      expect([turn, await told()]).toEqual([turn, await counted()])
    }
  })
  it('is not counted again for an addition, a deletion from all rows and columns it does not read', async () => {
    now += 60_000
    const before = await told()
    // A write of another program shows whether the rows were counted again.
    await sql`insert into biz.t_sample (id, tenant_id, memo, name, quantity)
      values (900001, 10000, 'carried', 'x', 99)`.execute(databaseOf(fixture))
    const id = await create(99, 'x')
    // PostgreSQL counts short lists beside their pages.
    const isCarried = fixture.database.engine === 'pglite'
    const carried = isCarried ? before.map((total) => (total ?? 0) + 1) : await counted()
    expect(await told()).toEqual(carried)
    await update(id, { code: 'c1' })
    expect(await told()).toEqual(carried)
    await remove(id)
    // The lists with a condition are counted again.
    const exact = await counted()
    expect(await told()).toEqual(isCarried ? [before[0], ...exact.slice(1)] : exact)
    now += 30_000
    expect(await told()).toEqual(exact)
  })
  it('is counted again after a write of another server', async () => {
    now += 60_000
    await told()
    await create(60, 'y')
    await create(70, 'z', second)
    expect(await told()).toEqual(await counted())
  })
})

describe('figures of a list', () => {
  const ask = async (context = first) => {
    const { groups, footer } = await page(context, 'T_SAMPLE', {
      where: { and: [{ column: 'memo', op: 'equal', value: 'figured' }] },
      group: { column: 'quantity' },
      footer: [{ column: 'quantity', fn: 'sum' }],
    })
    return [groups?.map(({ value, count }) => [value, count]), footer?.[0]?.value]
  }
  const table = async (context = first) =>
    (
      await page(context, 'T_SAMPLE', {
        where: { and: [{ column: 'memo', op: 'equal', value: 'figured' }] },
        group: { column: 'quantity', table: { figures: [] } },
      })
    ).total
  const add = (quantity: number, on = first) =>
    entityDataHandlers.create(
      { params: { tag: 'T_SAMPLE' }, query: undefined, body: { memo: 'figured', quantity } },
      on,
    )
  it('are read once for the pages of a list, and anew after a write by any server', async () => {
    now += 60_000
    await add(1)
    await add(2)
    expect([await ask(), await table()]).toEqual([
      [
        [
          [1, 1],
          [2, 1],
        ],
        3,
      ],
      2,
    ])
    await sql`insert into biz.t_sample (id, tenant_id, memo, quantity)
      values (900002, 10000, 'figured', 5)`.execute(databaseOf(fixture))
    // A write of another program shows that nothing was read again.
    expect([(await ask())[1], await table()]).toEqual([3, 2])
    await add(7, second)
    expect([(await ask())[1], await table()]).toEqual([15, 4])
    await sql`delete from biz.t_sample where id = 900002`.execute(databaseOf(fixture))
    now += 30_000
    expect([(await ask())[1], await table()]).toEqual([10, 3])
  })
})
