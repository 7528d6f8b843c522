import type { PageQuery } from '@jiaowu/api/entity/list/page'
import type { TableCell, TableQuery, Where } from '@jiaowu/api/entity/list/list-query'
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
async function captureFaults(query: Asked, context = admin, tag = 'T_SAMPLE') {
  const error = await loadSamplePage(query, context, tag).then(
    () => null,
    (e: unknown) => e,
  )
  if (!(error instanceof Invalid)) throw new Error(`not Invalid: ${String(error)}`)
  return error.faults.map(({ path, rule }) => `${path} ${rule}`)
}
beforeAll(async () => {
  fixture = await openFixture()
  admin = fixture.context()
  await fillSamples(fixture)
})
afterAll(async () => {
  await fixture.close()
})

describe('a table of groups', () => {
  const sum = { column: 'amount', fn: 'sum' } as const
  const large = {
    column: 'amount',
    fn: 'count',
    where: { and: [{ column: 'amount', op: 'ge', value: 2 }] },
  } as const
  async function table(more: Partial<TableQuery>, asked: Asked = {}, column = 'kind') {
    const group = { column, table: { figures: [sum, large], ...more } }
    const page = await loadSamplePage({ group, ...asked }, admin)
    const cell = (of: TableCell | null) => (of === null ? null : [of.count, ...of.figures])
    return {
      total: page.total,
      heads: page.table?.heads,
      rows: page.table?.rows.map(({ value, cells, all }) => [
        JSON.stringify(value).replaceAll(/[^\p{L}\p{N}]|id|name/gu, '') || '-',
        ...cells.map(cell),
        cell(all),
      ]),
      totals: page.table?.totals.map(cell),
      all: cell(page.table?.all ?? null),
    }
  }

  it('orders groups by what they show, by count and by a figure, both ways, page by page', async () => {
    const one = ['1甲', [2, 4.5, 1]]
    const two = ['2乙', [1, 2.25, 1]]
    const none = ['-', [1, null, 0]]
    const all = [4, 6.75, 2]
    expect(await table({})).toEqual({
      total: 3,
      heads: [],
      rows: [one, two, none],
      totals: [],
      all,
    })
    const rowsBy = async (by: 'value' | 'count' | number, asc: boolean, asked: Asked = {}) =>
      (await table({ order: { by, asc } }, asked)).rows
    expect(await rowsBy('value', false)).toEqual([two, one, none])
    expect(await rowsBy('count', false)).toEqual([one, two, none])
    expect(await rowsBy('count', true)).toEqual([two, none, one])
    expect(await rowsBy(0, true)).toEqual([two, one, none])
    expect(await rowsBy(1, false)).toEqual([one, two, none])
    expect(await rowsBy('count', true, { pageSize: 1, pageNum: 2 })).toEqual([none])
    expect(await table({}, { pageSize: 2, pageNum: 3 })).toMatchObject({ total: 3, rows: [], all })
  })
  it('keeps the groups that meet all conditions, and totals of those alone', async () => {
    const having = [
      { of: 'count', op: 'le', value: 1 },
      { of: 1, op: 'ge', value: 1 },
    ] as const
    expect(await table({ having })).toMatchObject({
      total: 1,
      rows: [['2乙', [1, 2.25, 1]]],
      all: [1, 2.25, 1],
    })
    expect(await table({ having: [{ of: 0, op: 'gt', value: 100 }] })).toMatchObject({
      total: 0,
      rows: [],
      all: [0, null, 0],
    })
  })
  it('crosses a second dimension, with groups and heads without a value', async () => {
    const across = { column: 'born', by: 'month' } as const
    expect(await table({ across, figures: [sum] })).toEqual({
      total: 3,
      heads: ['2026-01', '2026-02', null],
      rows: [
        ['1甲', [1, 1.5], [1, 3], null, [2, 4.5]],
        ['2乙', [1, 2.25], null, null, [1, 2.25]],
        ['-', null, null, [1, null], [1, null]],
      ],
      totals: [
        [2, 3.75],
        [1, 3],
        [1, null],
      ],
      all: [4, 6.75],
    })
  })
  it('refuses what lists do not show, no figure, and more heads than a screen takes', async () => {
    const faults = (more: Partial<TableQuery>, tag = narrowed, column = 'kind') =>
      captureFaults({ group: { column, table: more } }, admin, tag)
    const unknown = ['memo', 'ratio', 'nothing'].map((column) => [
      { across: { column } },
      { figures: [{ column, fn: 'count' } as const] },
    ])
    for (const [across, figures] of unknown) {
      expect(await faults(across ?? {})).toEqual(['group.table.across.column unknownField'])
      expect(await faults(figures ?? {})).toEqual(['group.table.figures.0.column unknownField'])
    }
    const where = (column: string): Where => ({ and: [{ column, op: 'equal', value: 'm' }] })
    const only = (column: string) => ({
      figures: [{ column: 'amount', fn: 'count', where: where(column) } as const],
    })
    expect(await faults(only('memo'))).toEqual(['group.table.figures.0.where unknownField'])
    expect(await faults(only('ratio'))).toEqual([
      'group.table.figures.0.where.and.0.column unknownField',
    ])
    expect(await faults({ order: { by: 0, asc: true } })).toEqual(['group.table.order.by range'])
    expect(await faults({ having: [{ of: 2, op: 'ge', value: 1 }] })).toEqual([
      'group.table.having.0.of range',
    ])
    const born = { column: 'born', fn: 'max' } as const
    expect(await faults({ figures: [born], having: [{ of: 0, op: 'ge', value: 1 }] })).toEqual([
      'group.table.having.0.of value',
    ])
    expect(await faults({ across: { column: 'kind' } })).toEqual([
      'group.table.across.column duplicate',
    ])
    await sql`
      insert into biz.t_dept (id, tenant_id, name) select n, 10000, 'd' || n
      from generate_series(1, 61) n`.execute(databaseOf(fixture))
    expect(await faults({ across: { column: 'name' } }, 'T_DEPT', 'pid')).toEqual([
      'group.table.across.column range',
    ])
  })
  it('is exported as it is shown', async () => {
    const group = { column: 'kind', table: { across: { column: 'born', by: 'year' as const } } }
    const file = await entityDataHandlers.export(
      {
        params: { tag: 'T_SAMPLE' },
        query: undefined,
        body: { queries: {}, sorts: [], pageSize: -1, pageNum: -1, format: 'csv', group },
      },
      fixture.context({ permissions: new Set(['ALL_PERMISSION']) }),
    )
    expect((await file.text()).replaceAll('\r', '').split('\n').slice(0, 5)).toEqual([
      'kind,2026,（空）,合计',
      '甲,2,,2',
      '乙,1,,1',
      '（空）,,1,1',
      '合计,3,1,4',
    ])
  })
})
