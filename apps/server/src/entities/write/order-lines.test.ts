// A table whose rows only two columns identify together: the lines of orders. A save of one line
// never reaches the others (docs/rules/database.md#writes-by-key).
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Context } from '../../model/context.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { definition, type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { checkDefinition } from '../design/check.ts'
import { designHandlers } from '../handlers/design.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { removeRows } from './removal/remove.ts'
import { updateRow } from './write.ts'

const buildOrderColumn = (
  id: string,
  attrName: string,
  columnName: string,
  uiType: 'input' | 'inputNumber' = 'input',
) => ({
  id,
  uiType,
  attrName,
  columnName,
  uiLabel: attrName,
  isList: 1 as const,
  isDetail: 1 as const,
})
const lines = definition(
  'T_LINE',
  't_order_line',
  [
    buildOrderColumn('9001', 'orderId', 'order_id', 'inputNumber'),
    buildOrderColumn('9002', 'lineNo', 'line_no', 'inputNumber'),
    buildOrderColumn('9003', 'note', 'note'),
  ],
  { idField: 'orderId', tagField: null },
)

let fixture: Fixture
let context: Context
const statement = (text: string) => sql.raw(text).execute(databaseOf(fixture))

beforeAll(async () => {
  fixture = await openFixture()
  context = fixture.context()
  await statement(`create table biz.t_order_line (order_id bigint not null, line_no integer not null,
    note varchar(40), version integer not null default 1, primary key (order_id, line_no))`)
  await statement(`insert into biz.t_order_line (order_id, line_no, note)
    select 7, n, 'line ' || n from generate_series(1, 25) n`)
})
afterAll(async () => {
  await fixture.close()
})

async function captureLineRefusal(work: Promise<unknown> | unknown): Promise<Refusal> {
  const error: unknown = await Promise.resolve(work).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw new Error(`not a Refusal: ${String(error)}`)
  return error
}

const data = entityDataHandlers
const buildLineParams = (id: string) => ({ tag: 'T_LINE', id })
const notes = async () => {
  const { rows } = await sql<{ n: string }>`
    select string_agg(order_id || '/' || line_no || ':' || coalesce(note, ''), ' '
      order by order_id, line_no) as n from biz.t_order_line`.execute(databaseOf(fixture))
  return rows[0]?.n ?? ''
}

it('is drafted by its key, with the columns of the key as fields that are fixed later', async () => {
  const { definition: draft } = await designHandlers.draft(
    { params: { name: 't_order_line' }, query: { tag: 'T_DRAFT' }, body: undefined },
    context,
  )
  expect(draft.fields.map(({ attrName, isAdd, isEdit }) => [attrName, isAdd, isEdit])).toEqual([
    ['orderId', 1, 2],
    ['lineNo', 1, 2],
    ['note', 1, 1],
  ])
  const { findings } = await checkDefinition(context, { ...draft })
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

it('names a row by its whole key, and reaches no other', async () => {
  await fixture.define(lines)
  const { records } = await data.page(
    {
      params: { tag: 'T_LINE' },
      query: undefined,
      body: { pageSize: 3, pageNum: 1, sorts: [], queries: {} },
    },
    context,
  )
  expect(records.map(({ id }) => id)).toEqual(['7~1', '7~2', '7~3'])
  const before = await notes()
  const row = await data.get(
    { params: buildLineParams('7~4'), query: undefined, body: undefined },
    context,
  )
  expect(row).toMatchObject({ id: '7~4', orderId: 7, lineNo: 4, note: 'line 4' })
  const changed = await data.update(
    {
      params: buildLineParams('7~4'),
      query: undefined,
      body: { version: row.version, note: 'changed' },
    },
    context,
  )
  expect(changed.note).toBe('changed')
  expect(await notes()).toBe(before.replace('7/4:line 4', '7/4:changed'))
  for (const id of ['7', '7~', '~4', '7~4~1', '7~x', "7~4' or true --", '7~99'])
    expect(
      (
        await captureLineRefusal(
          data.get({ params: buildLineParams(id), query: undefined, body: undefined }, context),
        )
      ).status,
    ).toBe(404)
})

it('fixes the key once a row is stored', async () => {
  const refused = await captureLineRefusal(
    data.update(
      { params: buildLineParams('7~4'), query: undefined, body: { version: '1', lineNo: 99 } },
      context,
    ),
  )
  expect([409, 422]).toContain(refused.status)
  expect(await notes()).not.toContain('7/99')
})

it('adds a row with a typed key, once', async () => {
  const before = await notes()
  const body = { orderId: 8, lineNo: 1, note: 'new' }
  const made = await data.create({ params: { tag: 'T_LINE' }, query: undefined, body }, context)
  expect(made.id).toBe('8~1')
  expect(await notes()).toBe(`${before} 8/1:new`)
  const again = await captureLineRefusal(
    data.create({ params: { tag: 'T_LINE' }, query: undefined, body }, context),
  )
  expect((again as Invalid).faults.map(({ path, rule }) => [path, rule])).toEqual([
    ['orderId', 'unique'],
    ['lineNo', 'unique'],
  ])
  const bare = await captureLineRefusal(
    data.create({ params: { tag: 'T_LINE' }, query: undefined, body: { lineNo: 1 } }, context),
  )
  expect((bare as Invalid).faults.map(({ path, rule }) => [path, rule])).toEqual([
    ['orderId', 'required'],
  ])
})

it('deletes the rows that are named, all or none', async () => {
  const before = await notes()
  expect(
    (
      await captureLineRefusal(
        data.remove(
          { params: { tag: 'T_LINE', ids: '8~1,8~2' }, query: undefined, body: undefined },
          context,
        ),
      )
    ).status,
  ).toBe(404)
  expect(await notes()).toBe(before)
  await data.remove(
    { params: { tag: 'T_LINE', ids: '8~1,7~25' }, query: undefined, body: undefined },
    context,
  )
  expect(await notes()).toBe(before.replace(' 7/25:line 25 8/1:new', ''))
})

// An index can be dropped between loading a definition and a write: the write itself must notice.
it('rolls back a write that would change more than the one row it names', async () => {
  const name = 'a key that is lost later'
  await statement('create table biz.t_loose (id bigint primary key, note varchar(40), version int)')
  await fixture.define(
    definition('T_LOOSE', 't_loose', [buildOrderColumn('9101', 'note', 'note')], {
      name,
      tagField: null,
    }),
  )
  const entity = await fixture.registry.get('10000', 'T_LOOSE')
  await statement('alter table biz.t_loose drop constraint t_loose_pkey')
  await statement(`insert into biz.t_loose values (5, 'one', 1), (5, 'two', 1)`)
  const updated = await captureLineRefusal(
    updateRow(context, entity, '5', { version: '1', note: 'three' }),
  )
  expect([updated.status, updated.text]).toEqual([
    409,
    { key: 'problem.rowCount', params: { name, expected: 1, changed: 2 } },
  ])
  expect((await captureLineRefusal(removeRows(context, entity, '5'))).status).toBe(404)
  const { rows } = await sql<{ note: string }>`
    select note from biz.t_loose order by note`.execute(databaseOf(fixture))
  expect(rows.map(({ note }) => note)).toEqual(['one', 'two'])
})
