// Each period by each operator over each type of column that holds a day: counted by the database as the
// local times alone say.
import { daysOfPeriod, periods } from '@jiaowu/api/entity/list/periods'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import type { WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definition, type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'
import { rowCondition } from '../../../access/rules/row-expression.ts'
import { Invalid } from '../../../platform/refusal.ts'
import { entityDataHandlers } from '../../handlers/entity-data.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'

const tag = 'T_PERIODS'
/** Attribute, type of its column, and how much of a local time it holds. */
const columns = [
  ['born', 'date', 10],
  ['moment', 'timestamp', 19],
  ['seenAt', 'timestamptz', 19],
  ['noted', 'varchar', 19],
  ['dayNoted', 'varchar', 10],
  ['dayAt', 'timestamptz', 10],
] as const
type Attr = (typeof columns)[number][0]
let fixture: Fixture
/** The local times of the rows: thrice a day in 2023 and 2024, a leap year. */
const times: string[] = []

async function loadPeriodPage(query: Partial<PageQuery>, now?: Date) {
  const body = { pageSize: 1, pageNum: 1, sorts: [], queries: {}, ...query }
  const context = fixture.context()
  return await entityDataHandlers.page(
    { params: { tag }, query: undefined, body: body as never },
    now === undefined ? context : { ...context, now: () => now },
  )
}

/** How many rows the condition finds, and the sum of their numbers, by which they are known. */
async function findPeriodRows(leaf: WhereLeaf, now?: Date) {
  const answer = await loadPeriodPage(
    { where: { and: [leaf] }, footer: [{ column: 'quantity', fn: 'sum' }] },
    now,
  )
  return { count: answer.total, sum: Number(answer.footer?.[0]?.value ?? 0) }
}

function expectPeriodRows(isFound: (text: string) => boolean, length: number) {
  const rows = times.flatMap((text, n) => (isFound(text.slice(0, length)) ? [n] : []))
  return { count: rows.length, sum: rows.reduce((sum, n) => sum + n, 0) }
}

beforeAll(async () => {
  fixture = await openFixture()
  for (let at = Date.UTC(2023, 0, 1); at < Date.UTC(2025, 0, 1); at += 86_400_000)
    for (const clock of ['00:00:00', '11:30:00', '23:59:59'])
      times.push(`${new Date(at).toISOString().slice(0, 10)} ${clock}`)
  await sql`alter table biz.t_sample add noted varchar(19), add day_noted varchar(10), add day_at timestamptz`.execute(
    databaseOf(fixture),
  )
  await sql`
    insert into biz.t_sample (id, tenant_id, quantity, born, moment, seen_at, noted, day_noted, day_at)
    select n, 10000, n - 1, s.at::timestamp::date, s.at::timestamp,
      s.at::timestamp at time zone 'Asia/Shanghai', s.at, left(s.at, 10),
      s.at::timestamp at time zone 'Asia/Shanghai'
    from unnest(${times}::text[]) with ordinality as s(at, n)`.execute(databaseOf(fixture))
  const field = (id: string, attrName: string, columnName: string, uiType: string) => ({
    id,
    attrName,
    columnName,
    uiType: uiType as 'date',
    uiLabel: attrName,
    isList: 1 as const,
    isQuery: 1 as const,
    queryType: 'between' as const,
  })
  await fixture.define(
    definition(tag, 't_sample', [
      field('1', 'quantity', 'quantity', 'inputNumber'),
      field('2', 'born', 'born', 'date'),
      field('3', 'moment', 'moment', 'datetime'),
      field('4', 'seenAt', 'seen_at', 'datetime'),
      field('5', 'noted', 'noted', 'datetime'),
      field('6', 'dayNoted', 'day_noted', 'date'),
      field('7', 'dayAt', 'day_at', 'date'),
    ]),
  )
})
afterAll(() => fixture.close())

const months = Array.from({ length: 24 }, (_none, i) =>
  i < 12 ? `2023-${String(i + 1).padStart(2, '0')}` : `2024-${String(i - 11).padStart(2, '0')}`,
)
const days = ['2023-01-01', '2023-02-28', '2024-02-29', '2024-05-31', '2024-10-31', '2024-12-31']
const moments = ['2024-03-31 00:00:00', '2024-05-31 23:59:59', '2024-08-01 11:30:00']

/** Whether a local time lies before, in or after a period that is written as its first characters. */
const side = (text: string, period: string): number =>
  text.startsWith(period.slice(0, text.length)) ? 0 : text < period ? -1 : 1

const operators: readonly [op: WhereLeaf['op'], value: (p: string) => unknown, sides: number[]][] =
  [
    ['equal', (p) => p, [0]],
    ['notEqual', (p) => p, [-1, 1]],
    ['gt', (p) => p, [1]],
    ['ge', (p) => p, [0, 1]],
    ['lt', (p) => p, [-1]],
    ['le', (p) => p, [-1, 0]],
    ['between', (p) => [p, p], [0]],
    ['between', (p) => [p, null], [0, 1]],
    ['between', (p) => [null, p], [-1, 0]],
    ['in', (p) => [p], [0]],
    ['multiContains', (p) => [p], [0]],
  ]

describe.each(columns)('%s, a %s of %i characters', (attr: Attr, _type, length) => {
  const asked = length === 10 ? [...months, ...days] : [...months, ...days, ...moments]
  it.each(operators)('%s finds what the local times say', async (op, value, sides) => {
    const got: unknown[] = []
    const wanted: unknown[] = []
    for (const period of asked) {
      got.push([period, await findPeriodRows({ column: attr, op, value: value(period) })])
      wanted.push([period, expectPeriodRows((text) => sides.includes(side(text, period)), length)])
    }
    expect(got).toEqual(wanted)
  })

  it('lists of days find whole days, of months whole months', async () => {
    const list = ['2024-03', '2024-05-31', '2023-01-01']
    const isIn = (text: string) => list.some((period) => side(text, period) === 0)
    expect(await findPeriodRows({ column: attr, op: 'in', value: list })).toEqual(
      expectPeriodRows(isIn, length),
    )
  })

  it.each([
    ['the last minute of a month', '2024-03-31T15:59:30Z', '2024-03-31'],
    [
      'the first minute of a month, still the last month in UTC',
      '2024-03-31T16:00:30Z',
      '2024-04-01',
    ],
    ['a leap day', '2024-02-28T20:00:00Z', '2024-02-29'],
    ['the first minute of a term', '2024-01-31T16:00:30Z', '2024-02-01'],
  ])('periods that move with the day, in %s', async (_when, at, today) => {
    for (const period of [...periods, 'term:2023-2024-1']) {
      const [first = '', last = ''] = daysOfPeriod(period, today) ?? []
      const isIn = (text: string) => text.slice(0, 10) >= first && text.slice(0, 10) <= last
      expect([
        period,
        await findPeriodRows({ column: attr, op: 'during', value: period }, new Date(at)),
      ]).toEqual([period, expectPeriodRows(isIn, length)])
    }
  })
})

describe('groups of times', () => {
  it.each(columns.slice(0, 3))(
    'of %s by day, month and year are those of local dates',
    async (column) => {
      for (const [by, length] of [
        ['day', 10],
        ['month', 7],
        ['year', 4],
      ] as const) {
        const counts = new Map<string, number>()
        for (const text of times)
          counts.set(text.slice(0, length), (counts.get(text.slice(0, length)) ?? 0) + 1)
        const { groups = [] } = await loadPeriodPage({ group: { column, by } })
        expect(groups.map(({ value, count }) => [value, count])).toEqual(
          [...counts].slice(0, groups.length),
        )
        expect(groups.length).toBeGreaterThan(1)
      }
    },
  )
})

describe('a row rule', () => {
  it.each(columns.slice(1, 3))('compares %s with the local time', async (attr) => {
    const { table } = await fixture.registry.get('10000', tag)
    const name = attr === 'moment' ? 'moment' : 'seen_at'
    const rule = rowCondition(
      `row.${name} >= '2024-03-01 00:00:00' and row.${name} < '2024-04-01 00:00:00'`,
      (column) => table.columns.get(column),
      {},
    )
    const { rows } = await sql<{ n: string }>`
      select count(*)::text as n from biz.t_sample as t where ${rule}`.execute(databaseOf(fixture))
    expect(rows).toEqual([{ n: '93' }])
  })
})

describe('a time that the clocks skipped', () => {
  const skipped = ['1986-05-04 02:30:00', '1991-04-14 02:15:00', '1940-06-01 00:30:00']
  const faultsOf = (work: Promise<unknown>) =>
    work.then(
      () => [],
      (error: unknown) => (error instanceof Invalid ? error.faults : String(error)),
    )
  it.each(skipped)('%s is refused by filters, with the reason', async (value) => {
    const faults = await faultsOf(findPeriodRows({ column: 'seenAt', op: 'gt', value }))
    expect(faults).toEqual([
      { path: 'where.and.0.value', rule: 'skippedTime', message: { key: 'rule.skippedTime' } },
    ])
  })
  it.each([
    '2026-03-01T00:00:00Z',
    '2026-03-01T00:00:00+08:00',
    '2026-03-01 00:00:00.000-0500',
    '2026-03-01T00:00+08',
  ])('%s is refused with the way out: times have no zone', async (value) => {
    for (const column of ['seenAt', 'moment'])
      expect(await faultsOf(findPeriodRows({ column, op: 'gt', value }))).toEqual([
        { path: 'where.and.0.value', rule: 'value', message: { key: 'rule.zonedTime' } },
      ])
  })
  it.each(['2026-13-40', '2026-02-30', '25:61', 'yesterday'])(
    '%s is refused as no date or time',
    async (value) => {
      for (const column of ['seenAt', 'moment', 'dayAt'])
        expect(await faultsOf(findPeriodRows({ column, op: 'gt', value }))).toEqual([
          { path: 'where.and.0.value', rule: 'value', message: { key: 'rule.date' } },
        ])
    },
  )
  it.each(skipped)('%s is refused by a new record, and stored without a zone', async (value) => {
    const add = (attrName: string) =>
      entityDataHandlers.create(
        { params: { tag: 'T_SAMPLE' }, query: undefined, body: { [attrName]: value } },
        fixture.context(),
      )
    expect(await faultsOf(add('seenAt'))).toEqual([
      { path: 'seenAt', rule: 'skippedTime', message: { key: 'rule.skippedTime' } },
    ])
    expect(await add('moment')).toMatchObject({ moment: value })
  })
  it('is no reason to refuse the day, which begins with its first moment', async () => {
    expect(
      await findPeriodRows({ column: 'seenAt', op: 'equal', value: '1940-06-01' }),
    ).toMatchObject({
      count: 0,
    })
    const row = await entityDataHandlers.create(
      { params: { tag }, query: undefined, body: { dayAt: '1940-06-01' } },
      fixture.context(),
    )
    expect(row).toMatchObject({ dayAt: '1940-06-01' })
  })
})
