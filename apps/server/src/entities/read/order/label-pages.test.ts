import type { QueryOperator } from '@jiaowu/api/entity/enums'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../../model/context.ts'
import { entityDataHandlers } from '../../handlers/entity-data.ts'
import { type Fixture, openFixture } from '../../../../testing/entities/fixture.ts'
import { accessTo } from '../../../access/access.ts'
import { listFields } from '../page.ts'
import { rowsByLabel } from '../paging/label-runs.ts'
import { findListPlan } from '../plan/list-plan.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import { orderKeysFor } from './order-keys.ts'

type Asked = Partial<Parameters<typeof entityDataHandlers.page>[0]['body']>
const many = 12_000
const params = { tag: 'T_SAMPLE' }
let fixture: Fixture
let now = Date.parse('2026-01-05T01:02:03Z')
const context = (subject: Partial<Context['subject']> = {}): Context => ({
  ...fixture.context(subject),
  now: () => new Date(now),
})
async function loadLabelPage(asked: Asked, of = context()) {
  const body = { pageSize: 100, pageNum: 1, sorts: [], queries: {}, ...asked }
  return await entityDataHandlers.page({ params, query: undefined, body }, of)
}
const idsOn = async (asked: Asked, of = context()) =>
  (await loadLabelPage(asked, of)).records.map(({ id }) => Number(id))

/** The ids in the order of an expression of the row, which the page must not depend on. */
async function readOrderedIds(expression: string, asc: boolean, where = 'true'): Promise<number[]> {
  const direction = asc ? 'asc' : 'desc'
  const { rows } = await sql<{ id: string }>`
    select s.id from biz.t_sample s left join biz.t_dept d on d.id = s.dept_id
    where s.deleted_at is null and ${sql.raw(where)}
    order by ${sql.raw(`${expression} ${direction}, s.id ${direction}`)}`.execute(
    databaseOf(fixture),
  )
  return rows.map(({ id }) => Number(id))
}
const byDept = 'sys.sort_key(coalesce(d.name, s.dept_id::text))'
const byKind = `(select d.sort from sys.dict_item d where d.dict_code = 't_kind' and d.item_code = s.kind)`

beforeAll(async () => {
  fixture = await openFixture()
  const db = databaseOf(fixture)
  // Department 5 is named as 6 is, 7 has no row, every ninth row has none, and 1 has a third of all.
  await sql`insert into biz.t_dept (id, tenant_id, name) values (1, 10000, '数学院'), (2, 10000, '第10院'),
    (3, 10000, '第2院'), (4, 10000, 'B院'), (5, 10000, '同名院'), (6, 10000, '同名院')`.execute(db)
  await sql`insert into biz.t_sample (id, tenant_id, name, big, dept_id, kind)
    select n, 10000, 'n' || n, n, case when n % 9 = 0 then null when n % 3 = 1 then 1 else 2 + n % 6 end,
      case when n % 11 = 0 then null else (1 + n % 3)::text end
    from generate_series(1, ${sql.lit(many)}) n`.execute(db)
  await sql`update sys.dict_item set sort = -sort where dict_code = 't_kind'`.execute(db)
  await sql`analyze biz.t_sample`.execute(db)
})
afterAll(async () => {
  await fixture.close()
})
beforeEach(() => {
  now += 60_000
})

describe.each([
  ['a relation', 'deptId', byDept],
  ['a choice of a dictionary', 'kind', byKind],
  ['a text without an index', 'name', 'sys.sort_key(s.name)'],
])('in the order of %s', (_what, column, expression) => {
  it.each([true, false])(
    'pages are pieces of the whole list, however deep, ascending %s',
    async (asc) => {
      const all = await readOrderedIds(expression, asc)
      const sorts = [{ column, asc }]
      for (const [pageNum, pageSize] of [
        [1, 20],
        [2, 20],
        [1, 1_000],
        [12, 1_000],
        [55, 20],
        [200, 20],
        [201, 20],
        [333, 37],
        [599, 20],
        [600, 20],
        [1714, 7],
      ] as const) {
        const from = (pageNum - 1) * pageSize
        expect([pageNum, await idsOn({ sorts, pageNum, pageSize })]).toEqual([
          pageNum,
          all.slice(from, from + pageSize),
        ])
      }
      const end = await loadLabelPage({ sorts, pageNum: 601, pageSize: 20 })
      expect([end.records, end.total, end.totalIsEstimate]).toEqual([[], many, undefined])
    },
  )

  it.each([true, false])('an export is the whole list, ascending %s', async (asc) => {
    const file = await entityDataHandlers.export(
      {
        params,
        query: undefined,
        body: {
          pageSize: -1,
          pageNum: -1,
          sorts: [{ column, asc }],
          queries: {},
          format: 'ndjson',
        },
      },
      context(),
    )
    const lines = (await file.text()).trim().split('\n')
    expect(lines.map((line) => Number((JSON.parse(line) as { id: string }).id))).toEqual(
      await readOrderedIds(expression, asc),
    )
  })

  it('a filter and a second sort hold too', async () => {
    const sorts = [
      { column, asc: true },
      { column: 'quantity', asc: true },
    ]
    const where = { and: [{ column: 'big', op: 'le' as QueryOperator, value: 7_000 }] }
    const all = await readOrderedIds(expression, true, 's.big <= 7000')
    for (const pageNum of [1, 70, 140])
      expect(await idsOn({ sorts, where, pageNum, pageSize: 50 })).toEqual(
        all.slice((pageNum - 1) * 50, pageNum * 50),
      )
  })
})

describe('a page in the order of a label', () => {
  const sorts = [{ column: 'deptId', asc: true }]
  const first = async () => await idsOn({ sorts, pageSize: 20 })
  const update = async (tag: string, id: string, values: Record<string, unknown>) => {
    const at = { tag, id }
    const row = await entityDataHandlers.get(
      { params: at, query: undefined, body: undefined },
      context(),
    )
    await entityDataHandlers.update(
      { params: at, query: undefined, body: { ...values, version: row.version } },
      context(),
    )
  }
  it('follows a write at once', async () => {
    const before = await first()
    await update('T_SAMPLE', String(before[3]), { deptId: [{ id: '1', name: '' }] })
    const after = await first()
    expect(after).toEqual((await readOrderedIds(byDept, true)).slice(0, 20))
    expect(after).not.toEqual(before)
  })
  it('follows a new name of the label at once', async () => {
    const before = await first()
    await update('T_DEPT', '1', { name: '1院' })
    const after = await first()
    expect(after).toEqual((await readOrderedIds(byDept, true)).slice(0, 20))
    expect(after).not.toEqual(before)
    await update('T_DEPT', '1', { name: '数学院' })
    expect(await first()).toEqual(before)
  })
  it('follows rows that another program deletes at once, and those it adds within 30 seconds', async () => {
    const [gone = 0] = await first()
    await sql`delete from biz.t_sample where id = ${gone}`.execute(databaseOf(fixture))
    expect(await first()).toEqual((await readOrderedIds(byDept, true)).slice(0, 20))
    await sql`insert into biz.t_sample (id, tenant_id, name, dept_id) values (${gone}, 10000, 'n', 8)`.execute(
      databaseOf(fixture),
    )
    now += 30_000
    const last = many / 20
    const all = await readOrderedIds(byDept, true)
    expect(await idsOn({ sorts, pageNum: last, pageSize: 20 })).toEqual(
      all.slice((last - 1) * 20, last * 20),
    )
    expect(await first()).toEqual(all.slice(0, 20))
  })
  it('reads the rows of its labels alone, in the order of their keys', async () => {
    const of = context()
    const access = await accessTo(of, await fixture.registry.get('10000', 'T_SAMPLE'), 'view')
    const keys = await orderKeysFor(of, access, sorts)
    const { plan, key } = findListPlan(of, access, { queries: {}, sorts }, listFields, keys)
    const windows: unknown[] = []
    await rowsByLabel(
      of,
      plan,
      { size: 20, current: 401, offset: 8_000 },
      { key, known: undefined },
      async (part, window) => {
        windows.push([window.size, window.offset < 4_000, part.order.length])
        return { rows: [], version: null, isExact: true }
      },
    )
    expect(windows[0]).toEqual([20, true, 1])
  })
  it('is asked for by many at once', async () => {
    const all = await readOrderedIds(byDept, false)
    const found = await Promise.all(
      [1, 100, 300, 2, 1].map((pageNum) =>
        idsOn({ sorts: [{ column: 'deptId', asc: false }], pageNum, pageSize: 20 }),
      ),
    )
    expect(found).toEqual([1, 100, 300, 2, 1].map((at) => all.slice((at - 1) * 20, at * 20)))
  })
})

describe('a label that the caller may not read', () => {
  const hidden = { isList: 0, isDetail: 0, isQuery: 0, isExport: 0, isAdd: 0, isEdit: 0 }
  const byId = 'sys.sort_key(s.dept_id::text)'
  async function clerk(rules: Parameters<Fixture['role']>[2]) {
    const role = await fixture.role(
      `clerk${(now += 1)}`,
      ['entity:T_SAMPLE:view'],
      [{ tag: 'T_SAMPLE' }, ...(rules ?? [])],
    )
    return context(await fixture.granted(role))
  }
  const shown = async (of: Context) => {
    const { records } = await loadLabelPage(
      { sorts: [{ column: 'deptId', asc: true }], pageSize: 1_000 },
      of,
    )
    return records.map(({ id, deptId }) => [Number(id), deptId])
  }
  it('gives no order: its field is hidden', async () => {
    const of = await clerk([{ tag: 'T_DEPT', overrides: { name: hidden } }])
    const found = await shown(of)
    expect(found.map(([id]) => id)).toEqual((await readOrderedIds(byId, true)).slice(0, 1_000))
    expect(JSON.stringify(found)).not.toContain('院')
  })
  it('gives no order: some rows are hidden', async () => {
    const of = await clerk([
      { tag: 'T_DEPT', scope: 'expression', expression: "row.name == 'B院'" },
    ])
    const found = await shown(of)
    const expected = `sys.sort_key(case when d.name = 'B院' then d.name else s.dept_id::text end)`
    expect(found.map(([id]) => id)).toEqual((await readOrderedIds(expected, true)).slice(0, 1_000))
    expect(JSON.stringify(found)).not.toMatch(/数学院|同名院/)
  })
  it('gives no order: it is personal data', async () => {
    const draft = await fixture.registry.get('0', 'T_DEPT')
    await fixture.define({
      ...draft.definition,
      fields: draft.definition.fields.map((field) =>
        field.attrName === 'name' ? { ...field, pii: 'name' as const } : field,
      ),
    })
    const { records } = await loadLabelPage({
      sorts: [{ column: 'deptId', asc: true }],
      pageSize: 1_000,
    })
    expect(records.map(({ id }) => Number(id))).toEqual(
      (await readOrderedIds('s.dept_id', true)).slice(0, 1_000),
    )
  })
})
