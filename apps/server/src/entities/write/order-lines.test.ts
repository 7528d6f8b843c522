// A table whose rows only two columns identify together: the lines of orders. A save of one line must
// never reach the others (docs/rules/database.md#writes-by-key).
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { definition, type Fixture, openFixture } from '../../../testing/entities/fixture.ts'
import { createRegistry } from '../definition/registry.ts'
import { checkDefinition } from '../design/check.ts'
import { designHandlers } from '../handlers/design.ts'
import { entityDataHandlers } from '../handlers/entity-data.ts'
import { databaseOf } from '../read/rows.ts'
import { removeRows } from './remove.ts'
import { updateRow } from './write.ts'

const column = (
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
    column('9001', 'orderId', 'order_id', 'inputNumber'),
    column('9002', 'lineNo', 'line_no', 'inputNumber'),
    column('9003', 'note', 'note'),
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

async function refusalOf(work: Promise<unknown> | unknown): Promise<Refusal> {
  const error: unknown = await Promise.resolve(work).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refusal)) throw new Error(`not a Refusal: ${String(error)}`)
  return error
}

it('is not drafted: the refusal names the table, its key and the way out', async () => {
  const refused = await refusalOf(
    Promise.resolve().then(() =>
      designHandlers.draft(
        { params: { name: 't_order_line' }, query: {}, body: undefined },
        context,
      ),
    ),
  )
  expect(refused).toBeInstanceOf(Invalid)
  const [issue] = (refused as Invalid).issues('en')
  expect(issue?.path).toBe('tableName')
  expect(issue?.msg).toContain('t_order_line')
  expect(issue?.msg).toContain('order_id, line_no')
  expect(issue?.msg).toContain('unique, not-null column')
})

it('is a finding of the check, which also refuses the save', async () => {
  const { findings } = await checkDefinition(context, { ...lines })
  expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    { id: 'entity.E099', path: 'tableName' },
  ])
  const refused = await refusalOf(
    designHandlers.create({ params: {}, query: undefined, body: { ...lines } }, context),
  )
  expect((refused as Invalid).faults.map(({ rule }) => rule)).toEqual(['entity.E099'])
})

it('is left out when a stored definition is loaded, with a line in the log', async () => {
  await fixture.define(lines)
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
  const registry = createRegistry(fixture.database, log)
  expect(await registry.find('10000', 'T_LINE')).toBeUndefined()
  expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      tag: 'T_LINE',
      table: 'biz.t_order_line',
      msg: 'an entity has no unique key column and is left out',
    },
  ])
  const refused = await refusalOf(
    entityDataHandlers.update(
      {
        params: { tag: 'T_LINE', id: '7' },
        query: undefined,
        body: { version: '1', note: 'changed' },
      },
      context,
    ),
  )
  expect(refused.status).toBe(404)
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from biz.t_order_line where note = 'changed'`.execute(databaseOf(fixture))
  expect(Number(rows[0]?.n)).toBe(0)
})

it('can be used by a column of its own that is unique and not null', async () => {
  await statement('alter table biz.t_order_line add column line_id bigserial not null unique')
  const draft = await designHandlers.draft(
    { params: { name: 't_order_line' }, query: { tag: 'T_LINE' }, body: undefined },
    context,
  )
  expect(draft.idField).toBe('lineId')
  const { findings } = await checkDefinition(context, { ...draft })
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  await statement('alter table biz.t_order_line drop column line_id')
})

// An index can be dropped between loading a definition and a write: the write itself must notice.
it('rolls back a write that would change more than the one row it names', async () => {
  const name = 'a key that is lost later'
  await statement('create table biz.t_loose (id bigint primary key, note varchar(40), version int)')
  await fixture.define(
    definition('T_LOOSE', 't_loose', [column('9101', 'note', 'note')], { name, tagField: null }),
  )
  const entity = await fixture.registry.get('10000', 'T_LOOSE')
  await statement('alter table biz.t_loose drop constraint t_loose_pkey')
  await statement(`insert into biz.t_loose values (5, 'one', 1), (5, 'two', 1)`)
  const updated = await refusalOf(updateRow(context, entity, '5', { version: '1', note: 'three' }))
  expect([updated.status, updated.text]).toEqual([
    409,
    { key: 'problem.rowCount', params: { name, expected: 1, changed: 2 } },
  ])
  expect((await refusalOf(removeRows(context, entity, '5'))).status).toBe(404)
  const { rows } = await sql<{ note: string }>`
    select note from biz.t_loose order by note`.execute(databaseOf(fixture))
  expect(rows.map(({ note }) => note)).toEqual(['one', 'two'])
})
