import type { QueryOperator } from '@jiaowu/api/entity/enums'
import type { Row } from '@jiaowu/api/entity/values'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { Invalid } from '../../platform/refusal.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import {
  type Fixture,
  openFixture,
  operators,
  sampleFields,
} from '../../../testing/entities/fixture.ts'

type Asked = Partial<Parameters<typeof entityDataHandlers.page>[0]['body']>
let fixture: Fixture
async function loadQueryPage(tag: string, query: Asked = {}) {
  return await entityDataHandlers.page(
    {
      params: { tag },
      query: undefined,
      body: { pageSize: 100, pageNum: 1, sorts: [], queries: {}, ...query },
    },
    fixture.context(),
  )
}
function joinSortedNames(rows: readonly Row[]) {
  return rows
    .map(({ name }) => name)
    .toSorted()
    .join('')
}
async function findByOperator(operator: QueryOperator, queries: Record<string, unknown>) {
  return joinSortedNames((await loadQueryPage(`T_OP_${operator}`, { queries })).records)
}
async function captureInvalid(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  )
  if (!(error instanceof Invalid)) throw new Error(`not Invalid: ${String(error)}`)
  return error.faults.map(({ path, rule }) => `${path} ${rule}`)
}

async function addSample(body: Record<string, unknown>) {
  return await entityDataHandlers.create(
    { params: { tag: 'T_SAMPLE' }, query: undefined, body },
    fixture.context(),
  )
}

beforeAll(async () => {
  fixture = await openFixture()
  await addSample({
    name: 'a',
    code: 'X1',
    amount: 1,
    quantity: 1,
    kind: '1',
    tags: ['1'],
    marks: ['1'],
    choices: ['1'],
    numbers: [1],
    born: '2026-01-01',
    moment: '2026-01-01 08:00:00',
    seenAt: '2026-01-01 08:00:00',
    gradeYear: '2024',
    founded: '2024',
    wake: '06:00:00',
    active: '1',
    ready: '1',
    score: 10,
    nick: 'n10%',
    likes: ['1'],
    html: '<p>abc</p>',
  })
  await addSample({
    name: 'b',
    code: 'X2',
    amount: 2,
    quantity: 2,
    kind: '2',
    tags: ['1', '2'],
    marks: ['1', '2'],
    choices: ['1', '2'],
    numbers: [1, 2],
    born: '2026-01-02',
    moment: '2026-01-01 23:59:59',
    seenAt: '2026-01-01 23:59:59',
    gradeYear: '2025',
    founded: '2025',
    wake: '07:00:00',
    active: '0',
    ready: '0',
    score: 20,
    nick: 'n_20',
    likes: ['1', '2'],
  })
  await addSample({
    name: 'c',
    code: 'Y3',
    amount: 3,
    quantity: 3,
    kind: '3',
    tags: ['3'],
    marks: ['3'],
    choices: ['3'],
    numbers: [12],
    born: '2026-01-03',
    moment: '2026-01-02 00:00:00',
    seenAt: '2026-01-02 00:00:00',
    gradeYear: '2026',
    founded: '2026',
    wake: '08:00:00',
    active: '0',
    ready: '0',
    score: 100,
    nick: 'N\\30',
    likes: ['3'],
  })
  await addSample({ name: 'd' })
  await sql`
    insert into sys.custom_value (tenant_id, tag, row_id, attr_name, value)
    select tenant_id, 'T_OP_' || op, row_id, attr_name, value
    from sys.custom_value
    cross join unnest(${operators}::text[]) op`.execute(databaseOf(fixture))
})
afterAll(async () => {
  await fixture.close()
})

describe('operators', () => {
  it.each<[QueryOperator, Record<string, unknown>, string]>([
    ['equal', { code: 'X1' }, 'a'],
    ['equal', { code: 'x1' }, ''],
    ['equal', { amount: 2 }, 'b'],
    ['equal', { amount: '2.00' }, 'b'],
    ['equal', { kind: '1' }, 'a'],
    ['equal', { kind: [{ id: '1', name: '甲' }] }, 'a'],
    ['equal', { kind: { id: '1' } }, 'a'],
    ['equal', { kind: ['1', '3'] }, 'ac'],
    ['equal', { kind: '1,2' }, 'ab'],
    ['equal', { tags: ['2', '1'] }, 'b'],
    ['equal', { marks: ['1'] }, 'a'],
    ['equal', { choices: ['2', '1'] }, 'b'],
    ['equal', { numbers: [12] }, 'c'],
    ['equal', { active: '0' }, 'bc'],
    ['equal', { ready: true }, 'a'],
    ['equal', { born: '2026-01-02' }, 'b'],
    ['equal', { born: '2026年1月2日' }, 'b'],
    ['equal', { moment: '2026-01-01 08:00:00' }, 'a'],
    ['equal', { seenAt: '2026-01-01 23:59:59' }, 'b'],
    ['equal', { gradeYear: '2024' }, 'a'],
    ['equal', { founded: 2025 }, 'b'],
    ['equal', { wake: '6:00' }, 'a'],
    ['equal', { score: 100 }, 'c'],
    ['equal', { nick: 'n_20' }, 'b'],
    ['equal', { likes: ['2', '1'] }, 'b'],
    ['notEqual', { code: 'X1' }, 'bcd'],
    ['notEqual', { amount: 1 }, 'bcd'],
    ['notEqual', { kind: ['1', '2'] }, 'cd'],
    ['notEqual', { tags: ['1'] }, 'bcd'],
    ['notEqual', { born: '2026-01-01' }, 'bcd'],
    ['notEqual', { moment: '2026-01-01 08:00:00' }, 'bcd'],
    ['notEqual', { likes: ['1'] }, 'bcd'],
    ['gt', { amount: 1 }, 'bc'],
    ['ge', { amount: 2 }, 'bc'],
    ['lt', { amount: 2 }, 'a'],
    ['le', { amount: 2 }, 'ab'],
    ['gt', { score: 20 }, 'c'],
    ['gt', { code: 'X1' }, 'bc'],
    ['gt', { moment: '2026-01-01 08:00:00' }, 'bc'],
    ['ge', { seenAt: '2026-01-01 23:59:59' }, 'bc'],
    ['lt', { born: '2026-01-02' }, 'a'],
    ['le', { moment: '2026-01-01 23:59:59' }, 'ab'],
    ['gt', { gradeYear: '2024' }, 'bc'],
    ['le', { founded: 2024 }, 'a'],
    ['gt', { kind: '1' }, 'bc'],
    ['lt', { wake: '07:00' }, 'a'],
    ['in', { code: ['X1', 'Y3'] }, 'ac'],
    ['in', { code: 'X1,X2' }, 'ab'],
    ['in', { amount: [1, '3'] }, 'ac'],
    ['in', { kind: ['2'] }, 'b'],
    ['in', { tags: ['2', '3'] }, 'bc'],
    ['in', { marks: ['2', '3'] }, 'bc'],
    ['in', { choices: ['3'] }, 'c'],
    ['in', { numbers: [2, 12] }, 'bc'],
    ['in', { born: ['2026-01-01', '2026-01-03'] }, 'ac'],
    ['in', { seenAt: ['2026-01-01 08:00:00', '2026-01-02 00:00:00'] }, 'ac'],
    ['in', { likes: ['2'] }, 'b'],
    ['in', { score: '10,20' }, 'ab'],
    ['multiContains', { tags: ['1', '2'] }, 'b'],
    ['multiContains', { tags: '1' }, 'ab'],
    ['multiContains', { marks: ['1'] }, 'ab'],
    ['multiContains', { choices: ['1', '2'] }, 'b'],
    ['multiContains', { numbers: ['1'] }, 'ab'],
    ['multiContains', { likes: ['1'] }, 'ab'],
    ['multiContains', { kind: ['1', '2'] }, 'ab'],
    ['between', { amount: [1, 2] }, 'ab'],
    ['between', { amount: [null, 2] }, 'ab'],
    ['between', { amount: [2, ''] }, 'bc'],
    ['between', { quantity: '2,3' }, 'bc'],
    ['between', { born: ['2026-01-02', '2026-01-03'] }, 'bc'],
    ['between', { moment: ['2026-01-01 00:00:00', '2026-01-01 23:59:59'] }, 'ab'],
    ['between', { seenAt: ['2026-01-02 00:00:00', null] }, 'c'],
    // An end without a clock is the whole day, an end of a month the whole month.
    ['between', { moment: ['2026-01-01', '2026-01-01'] }, 'ab'],
    ['between', { seenAt: ['2026-01-01', '2026-01-01'] }, 'ab'],
    ['between', { moment: '2026-01-02,2026-01-02' }, 'c'],
    ['between', { moment: ['2026-01', '2026-01'] }, 'abc'],
    ['between', { seenAt: [null, '2026年1月'] }, 'abc'],
    ['between', { seenAt: ['2026-02', null] }, ''],
    ['between', { born: ['2026-01', '2026-01'] }, 'abc'],
    ['between', { born: ['20260102', '2026/1/3'] }, 'bc'],
    ['between', { moment: ['2026-01-01 08:00:00', '2026-01-01'] }, 'ab'],
    ['between', { moment: ['2026-01-01', '2026-01-01 08:00:00'] }, 'a'],
    ['equal', { moment: '2026-01-01' }, 'ab'],
    ['le', { seenAt: '2026-01-01' }, 'ab'],
    ['gt', { seenAt: '2026-01-01' }, 'c'],
    ['lt', { moment: '2026-01-02' }, 'ab'],
    ['between', { gradeYear: ['2024', '2025'] }, 'ab'],
    ['between', { score: [15, 100] }, 'bc'],
    ['between', { code: ['X1', 'X2'] }, 'ab'],
    ['between', { wake: ['06:30:00', '07:30:00'] }, 'b'],
    ['like', { code: 'x' }, 'ab'],
    ['like', { nick: '%' }, 'a'],
    ['like', { nick: '_' }, 'b'],
    ['like', { nick: '\\' }, 'c'],
    ['like', { amount: '2.0' }, 'b'],
    ['like', { moment: '23:59' }, 'b'],
    ['like', { seenAt: '2026-01-02 00' }, 'c'],
    ['like', { tags: '2' }, 'b'],
    ['like', { html: 'BC' }, 'a'],
    ['leftLike', { code: '1' }, 'a'],
    ['leftLike', { code: 'X' }, ''],
    ['rightLike', { code: 'X' }, 'ab'],
    ['rightLike', { code: '1' }, ''],
  ])('%s %j finds %j', async (operator, queries, expected) => {
    expect(await findByOperator(operator, queries)).toBe(expected)
  })

  it.each([null, '', [], [null, null], ['', '']])(
    'an empty filter %j filters nothing',
    async (empty) => {
      for (const operator of operators) {
        if (Array.isArray(empty) && empty.length === 2 && operator !== 'between') continue
        expect(
          await findByOperator(operator, {
            amount: empty,
            kind: operator === 'between' ? null : empty,
            code: empty,
          }),
        ).toBe('abcd')
      }
    },
  )
  it.each<[QueryOperator, Record<string, unknown>, string]>([
    ['equal', { amount: 'x' }, 'queries.amount value'],
    ['equal', { quantity: 1.5 }, 'queries.quantity value'],
    ['equal', { quantity: 3_000_000_000 }, 'queries.quantity value'],
    ['equal', { big: '99999999999999999999' }, 'queries.big value'],
    ['equal', { born: '2026-02-30' }, 'queries.born value'],
    ['equal', { born: '0000-01-01' }, 'queries.born value'],
    ['equal', { code: { $gt: '' } }, 'queries.code value'],
    ['equal', { code: ['a', 'b'] }, 'queries.code value'],
    ['equal', { code: 'a\u0000' }, 'queries.code value'],
    ['equal', { kind: 'a\u0000' }, 'queries.kind value'],
    ['equal', { deptId: 'x' }, 'queries.deptId value'],
    ['like', { code: {} }, 'queries.code value'],
    ['like', { code: 'a\u0000' }, 'queries.code value'],
    ['like', { code: 'x'.repeat(201) }, 'queries.code value'],
    ['in', { code: Array.from({ length: 501 }, (_, i) => `c${i}`) }, 'queries.code in'],
    ['between', { amount: [2, 1] }, 'queries.amount range'],
    ['between', { born: ['2026-01-02', '2026-01-01'] }, 'queries.born range'],
    ['between', { amount: 1 }, 'queries.amount value'],
    ['between', { amount: [1, 2, 3] }, 'queries.amount value'],
    ['gt', { tags: ['1'] }, 'queries.tags value'],
    ['gt', { kind: ['1', '2'] }, 'queries.kind value'],
  ])('%s %j is refused', async (operator, queries, expected) => {
    expect(await captureInvalid(loadQueryPage(`T_OP_${operator}`, { queries }))).toEqual([expected])
  })

  it('answers every operator on every field with rows or a fault, not a database error', async () => {
    const values: unknown[] = [
      '1',
      1,
      '2026-01-01',
      ['1', '2'],
      ['2026-01-01', '2026-01-02'],
      [1, 2],
      true,
      { id: '1' },
      [{ id: '1', name: 'x' }],
      '中文',
      '-',
      '1e5',
      [[1]],
      { a: 1 },
    ]
    const odd: string[] = []
    for (const operator of operators) {
      for (const { attrName } of sampleFields) {
        for (const value of values) {
          const outcome = await loadQueryPage(`T_OP_${operator}`, {
            pageSize: 1,
            queries: { [attrName]: value },
          }).then(
            () => null,
            (error: unknown) => error,
          )
          if (outcome !== null && !(outcome instanceof Invalid))
            odd.push(`${operator} ${attrName} ${JSON.stringify(value)} ${String(outcome)}`)
        }
      }
    }
    expect(odd).toEqual([])
  })
})

describe('invalid queries', () => {
  it('give the same fault for unknown, unqueryable and unsortable fields', async () => {
    for (const attrName of [
      'nothing',
      'pass',
      'photo',
      'section',
      'constructor',
      '__defineGetter__',
    ])
      expect(
        await captureInvalid(loadQueryPage('T_SAMPLE', { queries: { [attrName]: '1' } })),
      ).toEqual([`queries.${attrName} unknownField`])
    for (const column of [
      'nothing',
      'pass',
      'photo',
      'section',
      'tags',
      'html',
      'nick',
      'tenant_id',
    ])
      expect(
        await captureInvalid(loadQueryPage('T_SAMPLE', { sorts: [{ column, asc: true }] })),
      ).toEqual([`sorts.${column} unknownField`])
    expect(
      await captureInvalid(
        loadQueryPage('T_SAMPLE', {
          sorts: [
            { column: 'name', asc: true },
            { column: 'name', asc: false },
          ],
        }),
      ),
    ).toEqual(['sorts.name duplicate'])
  })
  it('include pages out of range', async () => {
    expect(await captureInvalid(loadQueryPage('T_SAMPLE', { pageSize: -1, pageNum: -1 }))).toEqual([
      'pageSize range',
      'pageNum range',
    ])
    expect(await captureInvalid(loadQueryPage('T_SAMPLE', { pageSize: 0 }))).toEqual([
      'pageSize range',
    ])
  })
})

describe('order and pages', () => {
  it('sorts, with the id as the last term', async () => {
    const order = async (column: string, asc: boolean) =>
      (await loadQueryPage('T_SAMPLE', { sorts: [{ column, asc }] })).records
        .map(({ name }) => name)
        .join('')
    expect(await order('amount', true)).toBe('abcd')
    expect(await order('amount', false)).toBe('dcba')
    expect(await order('active', true)).toBe('bcad')
    expect((await loadQueryPage('T_SAMPLE')).records.map(({ name }) => name).join('')).toBe('dcba')
  })
  it('pages, also at deep offsets, and counts', async () => {
    const db = databaseOf(fixture)
    await sql`
      insert into biz.t_dept (id, tenant_id, name)
      select 700000 + n, 10000, 'd' || n
      from generate_series(1, 1500) n`.execute(db)
    const first = await loadQueryPage('T_DEPT', {
      pageSize: 10,
      pageNum: 1,
      sorts: [{ column: 'id', asc: true }],
    })
    expect([
      first.records[0]?.id,
      first.total,
      first.size,
      first.current,
      first.totalIsEstimate,
    ]).toEqual(['700001', 1500, 10, 1, undefined])
    const deep = await loadQueryPage('T_DEPT', {
      pageSize: 10,
      pageNum: 120,
      sorts: [{ column: 'id', asc: true }],
    })
    expect([deep.records.map(({ id }) => id)[0], deep.records.length, deep.total]).toEqual([
      '701191',
      10,
      1500,
    ])
    expect(await loadQueryPage('T_DEPT', { pageSize: 10, pageNum: 151 })).toMatchObject({
      records: [],
      total: 1500,
    })
  })
})

describe('like', () => {
  it('finds exactly the rows that contain the text, including wildcards', async () => {
    const letters = [
      '%',
      '_',
      '\\',
      'a',
      'B',
      "'",
      '"',
      ';',
      '-',
      '中',
      '😀',
      ' ',
      '$1',
      '--',
      '/*',
      '\n',
    ]
    const texts = [
      ...new Set(
        Array.from({ length: 120 }, (_, i) =>
          letters
            .filter((_l, j) => (i * 7 + j * 3) % 5 === 0 || (i + j) % 11 === 0)
            .join('')
            .slice(0, 18),
        ),
      ),
    ]
    const db = databaseOf(fixture)
    await sql`
      insert into biz.t_team (id, tenant_id, name)
      select 800000 + n, 10000, x
      from unnest(${texts}::text[]) with ordinality as u(x, n)`.execute(db)
    await fixture.define({
      tag: 'T_LIKE',
      name: 'x',
      tableName: 't_team',
      fields: [
        { id: '500', attrName: 'id', uiLabel: 'id', columnName: 'id' },
        {
          id: '501',
          attrName: 'name',
          uiLabel: 'n',
          columnName: 'name',
          isList: 1,
          isQuery: 1,
          queryType: 'like',
        },
      ],
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 3 }),
        async (parts) => {
          const wanted = parts.join('')
          const { records, total } = await loadQueryPage('T_LIKE', {
            pageSize: 1000,
            queries: { name: wanted },
          })
          const expected = texts.filter((text) => text.toLowerCase().includes(wanted.toLowerCase()))
          expect(records.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
          expect(total).toBe(expected.length)
        },
      ),
      { numRuns: 300, seed: 7 },
    )
  })
})
