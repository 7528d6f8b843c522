// Both engines must give the same JavaScript values and errors for the same statements. Set
// TEST_ENGINE=postgres to run these tests on PostgreSQL.
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../testing/database/database.ts'
import type { Database } from './open-database.ts'
import { brokenConstraint, sqlState } from './problems.ts'

let database: Database
let db: Kysely<unknown>
beforeAll(async () => {
  database = await testDatabase()
  db = database.kysely as unknown as Kysely<unknown>
})
afterAll(() => database.close())

async function value(expression: ReturnType<typeof sql>) {
  const { rows } = await sql<{ value: unknown }>`select ${expression} as value`.execute(db)
  return rows[0]?.value
}

describe('values read', () => {
  it.each<[string, ReturnType<typeof sql>, unknown]>([
    ['int8', sql`9007199254740993::int8`, '9007199254740993'],
    ['count', sql`(select count(*) from generate_series(1, 3))`, '3'],
    ['int4', sql`7::int4`, 7],
    ['int2', sql`7::int2`, 7],
    ['float8', sql`1.5::float8`, 1.5],
    ['numeric', sql`12345678901234567890.10::numeric(30, 2)`, '12345678901234567890.10'],
    ['bool', sql`true`, true],
    ['text', sql`'教务 ''quoted'''::text`, `教务 'quoted'`],
    ['char', sql`'ab'::char(4)`, 'ab  '],
    ['date', sql`date '2026-02-28'`, '2026-02-28'],
    ['time', sql`time '08:30'`, '08:30:00'],
    ['timestamp', sql`timestamp '2026-02-28 08:30:00.25'`, '2026-02-28 08:30:00.25'],
    ['timestamptz', sql`timestamptz '2026-02-28 08:30:00+08'`, '2026-02-28T00:30:00.000Z'],
    [
      'timestamptz, microseconds',
      sql`timestamptz '2026-02-28 08:30:00.123456+08'`,
      '2026-02-28T00:30:00.123456Z',
    ],
    ['timestamptz, infinity', sql`'infinity'::timestamptz`, 'infinity'],
    ['interval', sql`interval '1 day 02:03:04'`, '1 day 02:03:04'],
    [
      'uuid',
      sql`'6F9619FF-8B86-D011-B42D-00C04FC964FF'::uuid`,
      '6f9619ff-8b86-d011-b42d-00c04fc964ff',
    ],
    ['bytea', sql`'\\x00ff10'::bytea`, new Uint8Array([0, 255, 16])],
    ['bytea, empty', sql`''::bytea`, new Uint8Array()],
    ['json', sql`'{"a":[1,null,"x"]}'::json`, { a: [1, null, 'x'] }],
    ['jsonb', sql`'{"a":[1,null,"x"]}'::jsonb`, { a: [1, null, 'x'] }],
    ['null', sql`null::int8`, null],
    ['int8[]', sql`array[1, null, 3]::int8[]`, ['1', null, '3']],
    ['int4[]', sql`array[1, 2]`, [1, 2]],
    ['text[]', sql`array['a,b', 'c"d', 'NULL', '']`, ['a,b', 'c"d', 'NULL', '']],
    ['date[]', sql`array[date '2026-02-28']`, ['2026-02-28']],
    ['timestamptz[]', sql`array[timestamptz '2026-02-28 00:00+00']`, ['2026-02-28T00:00:00.000Z']],
    ['numeric[]', sql`array[1.10, 2]::numeric[]`, ['1.10', '2']],
    ['bool[]', sql`array[true, false]`, [true, false]],
    ['bytea[]', sql`array['\\x01'::bytea]`, [new Uint8Array([1])]],
    [
      'nested int8[][]',
      sql`array[[1, 2], [3, 4]]::int8[]`,
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
  ])('%s', async (_name, expression, expected) => {
    expect(await value(expression)).toEqual(expected)
  })
})

describe('values bound', () => {
  it.each<[string, ReturnType<typeof sql>, unknown]>([
    ['number as int8', sql`${42}::int8`, '42'],
    ['string as int4', sql`${'42'}::int4`, 42],
    ['bigint', sql`${9007199254740993n}::int8`, '9007199254740993'],
    ['boolean', sql`${true}::bool`, true],
    ['undefined', sql`${undefined}::text`, null],
    ['bytes', sql`${new Uint8Array([0, 255])}::bytea`, new Uint8Array([0, 255])],
    ['Date', sql`${new Date('2026-02-28T00:30:00.125Z')}::timestamptz`, '2026-02-28T00:30:00.125Z'],
    ['ISO string', sql`${'2026-02-28T00:30:00.125Z'}::timestamptz`, '2026-02-28T00:30:00.125Z'],
    ['object as jsonb', sql`${{ a: [1, '二'] }}::jsonb`, { a: [1, '二'] }],
    ['list of text', sql`${['a', 'b"c', null, '教']}::text[]`, ['a', 'b"c', null, '教']],
    ['list of int8', sql`${['1', 2, 3n]}::int8[]`, ['1', '2', '3']],
    ['list of numeric', sql`${['1.10', null]}::numeric[]`, ['1.10', null]],
    ['list of dates', sql`${['2026-02-28', null]}::date[]`, ['2026-02-28', null]],
    ['text like SQL', sql`${`'; drop table x; --`}::text`, `'; drop table x; --`],
  ])('%s', async (_name, expression, expected) => {
    expect(await value(expression)).toEqual(expected)
  })
})

describe('errors', () => {
  const failure = (statement: Promise<unknown>) =>
    statement.then(
      () => {
        throw new Error('did not fail')
      },
      (error: unknown) => error,
    )
  beforeAll(async () => {
    await sql`create schema parity`.execute(db)
    await sql`
      create table parity.thing (
        id int8 primary key, code text not null constraint thing_code_key unique,
        size int4 constraint thing_size_check check (size > 0),
        parent int8 constraint thing_parent_fkey references parity.thing)`.execute(db)
    await sql`insert into parity.thing (id, code) values (1, 'a')`.execute(db)
  })

  it.each<[string, ReturnType<typeof sql>, ReturnType<typeof brokenConstraint>]>([
    [
      'unique',
      sql`insert into parity.thing (id, code) values (2, 'a')`,
      { kind: 'unique', schema: 'parity', table: 'thing', constraint: 'thing_code_key' },
    ],
    [
      'check',
      sql`insert into parity.thing (id, code, size) values (2, 'b', 0)`,
      { kind: 'check', schema: 'parity', table: 'thing', constraint: 'thing_size_check' },
    ],
    [
      'not null',
      sql`insert into parity.thing (id) values (2)`,
      { kind: 'notNull', schema: 'parity', table: 'thing', column: 'code' },
    ],
    [
      'foreign key',
      sql`insert into parity.thing (id, code, parent) values (2, 'b', 9)`,
      {
        kind: 'foreignKey',
        schema: 'parity',
        table: 'thing',
        constraint: 'thing_parent_fkey',
        isHeld: false,
      },
    ],
  ])('name the broken constraint: %s', async (_name, statement, expected) => {
    expect(brokenConstraint(await failure(statement.execute(db)))).toEqual(expected)
  })

  it.each([
    ['42P01', sql`select * from nowhere`],
    ['42601', sql`selekt 1`],
    ['22P02', sql`select ${'x'}::int4`],
    ['22012', sql`select 1 / 0`],
    ['22003', sql`select ${'99999999999'}::int4`],
  ])('carry SQLSTATE %s', async (state, statement) => {
    expect(sqlState(await failure(statement.execute(db)))).toBe(state)
  })

  it('leave the connection usable', async () => {
    await failure(sql`select 1 / 0`.execute(db))
    expect(await value(sql`1`)).toBe(1)
  })
})

it('counts the rows a write touched', async () => {
  await sql`create table parity.counted (id int4 primary key)`.execute(db)
  const inserted = await sql`insert into parity.counted select generate_series(1, 5)`.execute(db)
  const missed = await sql`update parity.counted set id = id where id = 99`.execute(db)
  const returned = await sql`delete from parity.counted where id < 3 returning id`.execute(db)
  expect([
    inserted.numAffectedRows,
    missed.numAffectedRows,
    returned.numAffectedRows,
    returned.rows.length,
  ]).toEqual([5n, 0n, 2n, 2])
})

it('returns long results completely and in order', async () => {
  const { rows } = await sql<{
    id: number
    filler: string
  }>`select i as id, repeat('教', 100) as filler from generate_series(1, 20000) i`.execute(db)
  expect(rows.length).toBe(20_000)
  expect(rows.every(({ id, filler }, index) => id === index + 1 && filler.length === 100)).toBe(
    true,
  )
})
