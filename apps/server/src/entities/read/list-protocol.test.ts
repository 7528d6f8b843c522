import type { PageQuery } from '@jiaowu/api/entity/list/page'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../model/context.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { Invalid } from '../../platform/refusal.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { fillSamples, narrowed } from '../../../testing/entities/samples.ts'

type Asked = Partial<Omit<PageQuery, 'sorts'>> & { sorts?: { column: string; asc: boolean }[] }
let fixture: Fixture
let admin: Context

async function loadSamplePage(query: Asked, context = admin, tag = 'T_SAMPLE') {
  const body = { pageSize: 100, pageNum: 1, sorts: [], queries: {}, ...query }
  return await entityDataHandlers.page(
    { params: { tag }, query: undefined, body: body as never },
    context,
  )
}
async function findNames(where: Where, context = admin, tag = 'T_SAMPLE') {
  const { records } = await loadSamplePage({ where }, context, tag)
  return records
    .map(({ name }) => name)
    .toSorted()
    .join('')
}
async function captureFaults(query: Asked, context = admin, tag = 'T_SAMPLE') {
  const error = await loadSamplePage(query, context, tag).then(
    () => null,
    (e: unknown) => e,
  )
  if (!(error instanceof Invalid)) throw new Error(`not Invalid: ${String(error)}`)
  return error.faults.map(({ path, rule }) => `${path} ${rule}`)
}
async function groups(group: NonNullable<PageQuery['group']>, more: Asked = {}, context = admin) {
  const answer = await loadSamplePage({ group, pageSize: 1, ...more }, context)
  return answer.groups?.map(({ value, count }) => [value, count])
}
async function footer(asked: NonNullable<PageQuery['footer']>, more: Asked = {}, context = admin) {
  const answer = await loadSamplePage({ footer: asked, pageSize: 1, ...more }, context)
  return answer.footer?.map(({ column, fn, value }) => `${fn} ${column} ${String(value)}`)
}

beforeAll(async () => {
  fixture = await openFixture()
  admin = fixture.context()
  await fillSamples(fixture)
})
afterAll(async () => {
  await fixture.close()
})

describe('where', () => {
  it.each<[string, Where, string]>([
    ['all', { and: [{ column: 'amount', op: 'gt', value: 1.5 }] }, 'bc'],
    ['none', { and: [] }, 'abcd'],
    [
      'any',
      {
        or: [
          { column: 'name', op: 'equal', value: 'a' },
          { column: 'kind', op: 'in', value: ['2'] },
        ],
      },
      'ab',
    ],
    [
      'nested',
      {
        and: [
          { column: 'kind', op: 'equal', value: '1' },
          {
            or: [
              { column: 'amount', op: 'ge', value: 3 },
              { and: [{ column: 'code', op: 'like', value: 'x' }] },
            ],
          },
        ],
      },
      'ac',
    ],
    ['text is empty', { and: [{ column: 'code', op: 'isEmpty' }] }, 'cd'],
    ['text is not empty', { and: [{ column: 'code', op: 'notEmpty' }] }, 'ab'],
    ['a term', { and: [{ column: 'born', op: 'during', value: 'term:2025-2026-1' }] }, 'ab'],
    [
      'a period of moments',
      { and: [{ column: 'seenAt', op: 'during', value: 'term:2025-2026-1' }] },
      'a',
    ],
    ['no period', { and: [{ column: 'born', op: 'during', value: '' }] }, 'abcd'],
    ['array is empty', { and: [{ column: 'tags', op: 'isEmpty' }] }, 'bcd'],
    ['array is not empty', { and: [{ column: 'tags', op: 'notEmpty' }] }, 'a'],
    ['json is empty', { and: [{ column: 'choices', op: 'isEmpty' }] }, 'bcd'],
    ['number is empty', { or: [{ column: 'amount', op: 'isEmpty' }] }, 'd'],
    ['custom field is empty', { or: [{ column: 'nick', op: 'isEmpty' }] }, 'abcd'],
    [
      'a whole month',
      { and: [{ column: 'born', op: 'between', value: ['2026-01', '2026-01'] }] },
      'ab',
    ],
    [
      'a blank value restricts nothing',
      { or: [{ column: 'name', op: 'equal', value: '' }] },
      'abcd',
    ],
  ])('%s', async (_title, where, expected) => {
    expect(await findNames(where)).toBe(expected)
  })
  it('is joined with the filters', async () => {
    const { records, total } = await loadSamplePage({
      queries: { kind: '1' },
      where: { and: [{ column: 'amount', op: 'lt', value: 3 }] },
    })
    expect([records.map(({ name }) => name), total]).toEqual([['a'], 1])
  })
  it('names the place of a fault', async () => {
    const leaf = { column: 'amount', op: 'equal', value: 'x' } as const
    expect(
      await captureFaults({
        where: { and: [leaf, { or: [{ column: 'nothing', op: 'isEmpty' }, leaf] }] },
      }),
    ).toEqual([
      'where.and.0.value value',
      'where.and.1.or.0.column unknownField',
      'where.and.1.or.1.value value',
    ])
    expect(
      await captureFaults({ where: { and: [{ column: 'tags', op: 'like', value: '1' }, leaf] } }),
    ).toEqual(['where.and.1.value value'])
    for (const column of ['name', 'born'])
      expect(
        await captureFaults({ where: { and: [{ column, op: 'during', value: 'someday' }] } }),
      ).toEqual(['where.and.0.value value'])
  })
  it('has 3 levels and 30 leaves at most', async () => {
    const leaf = { column: 'name', op: 'equal', value: 'a' } as const
    const nested = (depth: number): Where => ({ or: depth === 1 ? [leaf] : [nested(depth - 1)] })
    expect(await findNames(nested(3))).toBe('a')
    expect(await captureFaults({ where: nested(4) })).toEqual(['where depth'])
    expect(await findNames({ or: Array.from({ length: 30 }, () => leaf) })).toBe('a')
    const halves = [0, 1].map(() => ({ or: Array.from({ length: 16 }, () => leaf) }))
    expect(await captureFaults({ where: { or: halves } })).toEqual(['where range'])
  })
  it('finds personal data by whole values, and nothing by fields without isQuery', async () => {
    const whole = { and: [{ column: 'memo', op: 'equal', value: 'm' }] } as const
    expect(await findNames(whole, admin, narrowed)).toBe('b')
    for (const op of ['like', 'rightLike', 'gt', 'between'] as const)
      expect(
        await captureFaults(
          { where: { and: [{ column: 'memo', op, value: 'm' }] } },
          admin,
          narrowed,
        ),
      ).toEqual(['where.and.0.op value'])
    for (const column of ['ratio', 'pass', 'photo', 'section', 'tenant_id'])
      expect(
        await captureFaults({ where: { and: [{ column, op: 'notEmpty' }] } }, admin, narrowed),
      ).toEqual(['where.and.0.column unknownField'])
  })
  it('also restricts exports', async () => {
    const csv = await entityDataHandlers.export(
      {
        params: { tag: 'T_SAMPLE' },
        query: undefined,
        body: {
          pageSize: -1,
          pageNum: -1,
          sorts: [],
          queries: {},
          where: { and: [{ column: 'amount', op: 'le', value: 1.5 }] },
          columns: ['name'],
          format: 'csv',
        },
      },
      admin,
    )
    expect(await csv.text()).toBe('名称\r\na\r\n')
  })
})

describe('groups', () => {
  it('count rows by value, empty ones last', async () => {
    expect(await groups({ column: 'kind' })).toEqual([
      [[{ id: '1', name: '甲' }], 2],
      [[{ id: '2', name: '乙' }], 1],
      [[], 1],
    ])
    expect(await groups({ column: 'code' }, { sorts: [{ column: 'code', asc: false }] })).toEqual([
      ['X2', 1],
      ['X1', 1],
      [null, 2],
    ])
    expect(await groups({ column: 'quantity' }, { queries: { kind: '1' } })).toEqual([
      [1, 1],
      [3, 1],
    ])
  })
  it('of dates and datetimes are days, months or years of the school', async () => {
    expect(await groups({ column: 'born', by: 'month' })).toEqual([
      ['2026-01', 2],
      ['2026-02', 1],
      [null, 1],
    ])
    expect(await groups({ column: 'seenAt' })).toEqual([
      ['2026-01-31', 1],
      ['2026-02-01', 1],
      [null, 2],
    ])
    expect(await groups({ column: 'createTime', by: 'year' })).toEqual([['2026', 4]])
    expect(await groups({ column: 'gradeYear' })).toEqual([
      ['2024', 2],
      ['2025', 1],
      [null, 1],
    ])
  })
  it('are refused for hidden and personal fields and for several choices', async () => {
    for (const column of ['nothing', 'pass', 'tags', 'photo', 'html', 'nick'])
      expect(await captureFaults({ group: { column } })).toEqual(['group.column unknownField'])
    for (const column of ['memo', 'ratio'])
      expect(await captureFaults({ group: { column } }, admin, narrowed)).toEqual([
        'group.column unknownField',
      ])
    expect(await captureFaults({ group: { column: 'name', by: 'day' } })).toEqual([
      'group.by value',
    ])
  })
  it('end at 500', async () => {
    await sql`
      insert into biz.t_dept (id, tenant_id, name) select n, 10000, 'd' || n
      from generate_series(1, 501) n`.execute(databaseOf(fixture))
    const answer = await loadSamplePage({ group: { column: 'name' }, pageSize: 1 }, admin, 'T_DEPT')
    expect([answer.groups?.length, answer.moreGroups]).toEqual([500, true])
  })
})

describe('footer', () => {
  it('gives figures over all hits, not over the page', async () => {
    expect(
      await footer([
        { column: 'amount', fn: 'sum' },
        { column: 'amount', fn: 'avg' },
        { column: 'quantity', fn: 'min' },
        { column: 'quantity', fn: 'max' },
        { column: 'code', fn: 'count' },
        { column: 'born', fn: 'min' },
        { column: 'seenAt', fn: 'max' },
        { column: 'createTime', fn: 'max' },
        { column: 'code', fn: 'empty' },
        { column: 'kind', fn: 'distinct' },
      ]),
    ).toEqual([
      'sum amount 6.75',
      'avg amount 2.25',
      'min quantity 1',
      'max quantity 3',
      'count code 2',
      'min born 2026-01-01',
      'max seenAt 2026-02-01 00:30:00',
      'max createTime 2026-02-04 10:00:00',
      'empty code 2',
      'distinct kind 2',
    ])
    expect(
      await loadSamplePage({ footer: [{ column: 'amount', fn: 'below' }] }, admin, narrowed),
    ).toMatchObject({ footer: [{ column: 'amount', fn: 'below', value: 2 }] })
    expect(
      await footer([{ column: 'amount', fn: 'sum' }], { queries: { name: 'nobody' } }),
    ).toEqual(['sum amount null'])
  })
  it('refuses what has no such figure or is not shown', async () => {
    const fn = 'count'
    expect(
      await captureFaults({
        footer: [
          { column: 'name', fn: 'sum' },
          { column: 'born', fn: 'avg' },
          { column: 'kind', fn: 'max' },
          { column: 'amount', fn: 'below' },
          { column: 'pass', fn },
          { column: 'nothing', fn },
        ],
      }),
    ).toEqual([
      'footer.0.fn value',
      'footer.1.fn value',
      'footer.2.fn value',
      'footer.3.fn value',
      'footer.4.column unknownField',
      'footer.5.column unknownField',
    ])
    for (const column of ['memo', 'ratio'])
      expect(await captureFaults({ footer: [{ column, fn }] }, admin, narrowed)).toEqual([
        'footer.0.column unknownField',
      ])
  })
})

describe('lists of a role', () => {
  it('neither filter, group nor sum by a column it may not see', async () => {
    const role = await fixture.role(
      'narrow',
      ['entity:T_SAMPLE:view'],
      [
        {
          tag: 'T_SAMPLE',
          overrides: { amount: { isQuery: 0, isList: 0 }, createTime: { isList: 0 } },
        },
      ],
    )
    const granted = await fixture.granted(role)
    const clerk = fixture.context({ ...granted })
    const where: Where = { and: [{ column: 'amount', op: 'notEmpty' }] }
    expect(await captureFaults({ where }, clerk)).toEqual(['where.and.0.column unknownField'])
    expect(await captureFaults({ group: { column: 'amount' } }, clerk)).toEqual([
      'group.column unknownField',
    ])
    expect(await captureFaults({ footer: [{ column: 'amount', fn: 'sum' }] }, clerk)).toEqual([
      'footer.0.column unknownField',
    ])
  })
  it('show values of two roles only in the rows of the role that has them', async () => {
    const [own, all] = [
      await fixture.role(
        'ones',
        ['entity:T_SAMPLE:view'],
        [{ tag: 'T_SAMPLE', scope: 'expression', expression: "row.kind == '1'" }],
      ),
      await fixture.role(
        'blind',
        ['entity:T_SAMPLE:view'],
        [{ tag: 'T_SAMPLE', overrides: { amount: { isQuery: 0, isList: 0, isDetail: 0 } } }],
      ),
    ]
    const granted = await fixture.granted(own, all)
    const clerk = fixture.context({ ...granted })
    expect(await footer([{ column: 'amount', fn: 'sum' }], {}, clerk)).toEqual(['sum amount 4.5'])
    expect(await groups({ column: 'amount' }, {}, clerk)).toEqual([
      [1.5, 1],
      [3, 1],
      [null, 2],
    ])
    expect(await findNames({ or: [{ column: 'amount', op: 'isEmpty' }] }, clerk)).toBe('')
    expect(await findNames({ or: [{ column: 'amount', op: 'notEmpty' }] }, clerk)).toBe('ac')
  })
})

describe('every list', () => {
  it('filters and sorts by createTime and updateTime', async () => {
    const asked = { queries: { createTime: ['2026-01-02', '2026-02-03'] } }
    const { records } = await loadSamplePage({
      ...asked,
      sorts: [{ column: 'createTime', asc: false }],
    })
    expect(records.map(({ name }) => name).join('')).toBe('cb')
    expect(
      await findNames({ and: [{ column: 'updateTime', op: 'lt', value: '2020-01-01' }] }),
    ).toBe('')
    const config = await entityDataHandlers.config(
      { params: { tag: 'T_SAMPLE' }, query: undefined, body: undefined },
      admin,
    )
    expect(config.times).toEqual(['createTime', 'updateTime'])
    expect(await captureFaults({ queries: { createTime: '2020' } }, admin, 'T_PLAIN')).toEqual([
      'queries.createTime unknownField',
    ])
  })
  it('leaves the total out when it is not asked for', async () => {
    const answer = await loadSamplePage({ withTotal: false, pageSize: 2 })
    expect([answer.total, answer.records.length, answer.totalIsEstimate]).toEqual([
      null,
      2,
      undefined,
    ])
  })
})
