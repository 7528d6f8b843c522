import { compileExpression } from '@jiaowu/validation'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowCondition } from './row-expression.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { type Fixture, openFixture, tenant } from '../../../testing/entities/fixture.ts'

let fixture: Fixture
const user = {
  id: '7',
  account: 'b',
  roles: ['R'],
  org: { id: '60', name: 'o' },
  none: null,
  depts: ['1', '2'],
}
/** The rows for SQL and for the expressions of forms. */
const rows = [
  {
    name: 'a',
    amount: 1,
    kind: '1',
    tags: ['1', '2'],
    active: '1',
    ready: true,
    born: '2026-01-01',
    moment: '2026-03-10 00:00:00',
    seenAt: '2026-03-10 23:59:59',
    quantity: 5,
    big: 5,
  },
  {
    name: 'b',
    amount: 2,
    kind: '2',
    tags: ['3'],
    active: '0',
    ready: false,
    born: '2026-01-02',
    moment: '2026-03-10 15:30:00',
    seenAt: '2026-03-11 00:00:00',
    quantity: 6,
    big: 7,
  },
  {
    name: 'c',
    amount: null,
    kind: null,
    tags: null,
    active: null,
    ready: null,
    born: null,
    moment: null,
    seenAt: null,
    quantity: null,
    big: null,
  },
]

beforeAll(async () => {
  fixture = await openFixture()
  for (const [index, row] of rows.entries()) {
    await sql`
      insert into biz.t_sample
        (id, tenant_id, name, amount, kind, tags, active, ready, born, quantity, big, moment, seen_at)
      values (${index + 1}, ${tenant}::int8, ${row.name}, ${row.amount}, ${row.kind},
        ${row.tags}::text[], ${row.active}, ${row.ready}, ${row.born}::date, ${row.quantity},
        ${row.big}, ${row.moment}::timestamp,
        ${row.seenAt}::timestamp at time zone 'Asia/Shanghai')`.execute(databaseOf(fixture))
  }
})
afterAll(async () => {
  await fixture.close()
})

async function findByExpression(source: string) {
  const entity = await fixture.registry.get(tenant, 'T_SAMPLE')
  const result = await sql<{
    name: string
  }>`select name from ${fromTable(entity)} where ${rowCondition(source, entity.column, user)} order by name`.execute(
    databaseOf(fixture),
  )
  return result.rows.map(({ name }) => name).join('')
}
const items = (ids: readonly string[] | null) => (ids ?? []).map((id) => ({ id, name: '' }))
function evaluateInMemory(source: string) {
  return rows
    .filter((row) =>
      compileExpression(source).test({
        user,
        mode: 'view',
        row: {
          ...row,
          kind: items(row.kind === null ? null : [row.kind]),
          tags: items(row.tags),
          ready: row.ready === null ? null : row.ready ? '1' : '0',
        },
      }),
    )
    .map(({ name }) => name)
    .join('')
}

describe('row expressions', () => {
  it.each([
    ["row.moment == '2026-03-10'", 'ab'],
    ["row.seenAt == '2026-03-10'", 'a'],
    ["row.seenAt == '2026-03-11'", 'b'],
    ["row.seenAt > '2026-03-10'", 'b'],
    ["row.seenAt <= '2026-03-10'", 'a'],
    ["row.moment != '2026-03-10'", 'c'],
  ])('%s means the whole day of the school', async (source, names) => {
    expect([await findByExpression(source), evaluateInMemory(source)]).toEqual([names, names])
  })

  it.each([
    "row.name == 'a'",
    "row.name != 'a'",
    "not (row.name == 'a')",
    "row.kind == '1'",
    "row.kind != '1'",
    'row.kind == null',
    'row.kind != null',
    'row.amount > 1',
    'row.amount >= 1',
    '1 < row.amount',
    'not (row.amount > 1)',
    "row.kind in ['1', '2']",
    "row.kind not in ['1']",
    'row.name == user.account',
    'row.name in user.roles',
    "'1' in row.tags",
    "not ('1' in row.tags)",
    "row.active == '1'",
    'row.active == 1',
    "row.born > '2026-01-01'",
    "row.name == 'a' or row.amount == 2 and row.kind == '2'",
    "(row.name == 'a' or row.amount == 2) and row.kind == '2'",
    "'R' in user.roles",
    "'X' in user.roles",
    'true',
    'false',
    'row.quantity == row.big',
    'row.quantity != row.big',
    'row.kind in user.depts',
    "row.amount == '2'",
    'row.kind == user.none',
    ...['moment', 'seenAt'].flatMap((name) =>
      ['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-10 15:30:00'].flatMap((day) => [
        ...['==', '!=', '===', '!==', '<', '<=', '>', '>='].flatMap((operator) => [
          `row.${name} ${operator} '${day}'`,
          `'${day}' ${operator} row.${name}`,
          `not (row.${name} ${operator} '${day}')`,
        ]),
        `row.${name} in ['${day}']`,
        `row.${name} not in ['${day}']`,
      ]),
    ),
    'row.name == user.missing',
  ])('%s selects the rows for which the form expression is true', async (source) => {
    expect([source, await findByExpression(source)]).toEqual([source, evaluateInMemory(source)])
  })

  it.each([
    'row.name',
    'row.amount + 1 == 2',
    'row.nothing == 1',
    'mode == 1',
    'user.account',
    "'a' == 'a'",
    'row.name.length == 1',
    'row[user.account] == 1',
    'row.tags > 1',
    'row.name ? true : false',
    "row.tags in ['1'] and x",
    'row.constructor == 1',
    "row.name in 'abc'",
    '-row.amount == 1',
    'row.tags == row.name',
    'process.exit == 1',
  ])('%s has no SQL form', async (source) => {
    await expect(findByExpression(source)).rejects.toMatchObject({ name: 'ExpressionError' })
  })
  it('treats values that the column cannot hold as unequal', async () => {
    expect(await findByExpression("row.quantity == 'x'")).toBe('')
    expect(await findByExpression("row.quantity != 'x'")).toBe('abc')
    expect(await findByExpression("row.born > 'never'")).toBe('')
    expect(await findByExpression("row.name == '\\' or 1=1 --'")).toBe('')
  })
})
