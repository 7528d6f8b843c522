import { describe, expect, it } from 'vitest'
import { sampleColumn } from '../../../testing/entities/sample-column.ts'
import type { CatalogTable } from '../../model/definition/catalog.ts'
import { functions } from './allowed.ts'
import { numberParameters } from './binds.ts'
import { compileSql, SqlRefusal } from './compile.ts'
import { boundedFunctions } from './growth.ts'

function table(name: string, ...columns: string[]): [string, CatalogTable] {
  return [
    `biz.${name}`,
    {
      schema: 'biz',
      name,
      uniques: new Map(),
      keys: new Set(),
      columns: new Map(
        columns.map((column) => [
          column,
          sampleColumn(column, column === 'tenant_id' ? 'int8' : 'text'),
        ]),
      ),
    },
  ]
}
const catalog = new Map([
  table('student', 'id', 'name', 'tenant_id', 'deleted_at'),
  table('class', 'id', 'name', 'tenant_id'),
  table('plain', 'id', 'name', 'door_password'),
  ['sys.app_user', { ...table('app_user', 'id')[1], schema: 'sys' }] as const,
])
const compileForTest = (source: string) => compileSql(source, catalog, null)
function captureSqlRefusal(source: string, binds: readonly string[] | null = null): string {
  try {
    compileSql(source, catalog, binds)
    return 'allowed'
  } catch (error) {
    if (error instanceof SqlRefusal) return error.text.key
    throw error
  }
}

describe('parameters', () => {
  it('are found outside of literals, quoted names, comments and casts', () => {
    expect(
      numberParameters(
        `select id::text, ':no', ":no", $$:no$$ -- :no\n /* :no */ from t where a = :one and b = :two or c = :one`,
      ),
    ).toEqual({
      text: `select id::text, ':no', ":no", $$:no$$ -- :no\n /* :no */ from t where a = $1 and b = $2 or c = $1`,
      names: ['one', 'two'],
    })
  })
  it('with an unknown name are refused', () =>
    expect(captureSqlRefusal('select :nobody as id', ['userId'])).toBe('sql.bind'))
})

describe('a custom SQL', () => {
  it('sees only rows of its tenant that are not deleted, with or without a table alias', () => {
    const { text, names } = compileForTest(
      `select s.id, s.name from biz.student s join biz."class" on class.id = s.id where s.name like '%' || :searchKey || '%'`,
    )
    expect(names).toEqual(['searchKey'])
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `(SELECT id, name, tenant_id, deleted_at FROM biz.student WHERE tenant_id = $2::int8 AND deleted_at IS NULL) s JOIN`,
    )
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `(SELECT id, name, tenant_id FROM biz.class WHERE tenant_id = $2::int8) class ON`,
    )
  })
  it.each([
    ['a union', `select id, name from biz.student union all select id, name from biz.class`, 2],
    [
      'a nested select',
      `select id, (select name from biz.class limit 1) as name from biz.student where id in (select id from biz.class)`,
      3,
    ],
    ['a common table', `with c as (select * from biz.class) select id, name from c`, 1],
    [
      'a lateral join',
      `select s.id, x.name from biz.student s, lateral (select name from biz.class where id = s.id) x`,
      2,
    ],
  ])('scopes every table of %s', (_what, source, tables) =>
    expect(compileForTest(source).text.match(/tenant_id = /g)).toHaveLength(tables),
  )
  it('leaves a table without a tenant column unscoped', () =>
    expect(compileForTest('select id, name from biz.plain').text).not.toContain('tenant_id'))
  it('does not see columns that sound like passwords', () => {
    expect(compileForTest('select * from biz.plain').text).not.toContain('door_password')
    expect(captureSqlRefusal('select id, p.door_password as name from biz.plain p')).toBe(
      'sql.secretColumn',
    )
  })

  it.each([
    ['select 1; drop table biz.student', 'sql.notSelect'],
    ['delete from biz.student', 'sql.notSelect'],
    ['update biz.student set name = 1', 'sql.notSelect'],
    ["copy biz.student to program 'id'", 'sql.notSelect'],
    ['with x as (delete from biz.student returning *) select * from x', 'sql.node'],
    ['with x as (update biz.student set name = 1 returning *) select * from x', 'sql.node'],
    ['select * into biz.stolen from biz.student', 'sql.node'],
    ['select * from biz.student for update', 'sql.node'],
    ['with recursive x as (select 1 as a union all select a from x) select * from x', 'sql.node'],
    ["select pg_read_file('PG_VERSION')", 'sql.function'],
    ['select pg_sleep(10)', 'sql.function'],
    ["select set_config('role', 'none', true)", 'sql.function'],
    ["select biz.lower('A')", 'sql.function'],
    ['select * from generate_series(1, 20000000)', 'sql.node'],
    ["select repeat('a', 1000000000)", 'sql.function'],
    ['select current_user', 'sql.function'],
    ["select query_to_xml('select 1', true, true, '')", 'sql.function'],
    ['select * from sys.app_user', 'sql.table'],
    ['select * from app_user', 'sql.table'],
    ['select * from pg_catalog.pg_shadow', 'sql.table'],
    ['select * from information_schema.tables', 'sql.table'],
    ['select * from biz.nothing', 'sql.table'],
    ['select (select password_hash from sys.app_user limit 1) as id', 'sql.table'],
    ['select id from biz.student union select password_hash from sys.app_user', 'sql.table'],
    ['select id from biz.student where exists (select 1 from sys.app_user)', 'sql.table'],
    ['select id from biz.student order by (select id from sys.app_user limit 1)', 'sql.table'],
    ["select 'sys.app_user'::regclass", 'sql.type'],
    ["select '1'::xml", 'sql.type'],
    ['select 1 operator(biz.+) 2', 'sql.node'],
    ['select * from biz.student tablesample system (1)', 'sql.node'],
    ['values (1)', 'allowed'],
    ['select', 'allowed'],
    ['select from', 'sql.syntax'],
    ['', 'sql.syntax'],
    [`select ${'1,'.repeat(3000)}1`, 'sql.tooLong'],
    ['table sys.app_user', 'sql.table'],
    ['select case when exists (select 1 from sys.app_user) then 1 end', 'sql.table'],
    ['select x.* from biz.student, lateral (select * from sys.app_user) x', 'sql.table'],
    [
      'select count(*) filter (where exists (select 1 from sys.app_user)) from biz.student',
      'sql.table',
    ],
    ['select sum(1) over (order by (select 1 from sys.app_user)) from biz.student', 'sql.table'],
    ['select array(select id from sys.app_user)', 'sql.table'],
    [
      'select id from biz.student group by id having (select true from sys.app_user limit 1)',
      'sql.table',
    ],
    ['select id from biz.student limit (select 1 from sys.app_user)', 'sql.table'],
    ['select distinct on ((select 1 from sys.app_user)) id from biz.student', 'sql.table'],
    ['select * from biz.student join sys.app_user using (id)', 'sql.table'],
    ['with student as (select 1) select * from sys.student', 'sql.table'],
  ])('%s: %s', (source, verdict) => expect(captureSqlRefusal(source)).toBe(verdict))
})

describe('the growth of values', () => {
  const doubled = (times: number) =>
    Array.from({ length: times }).reduce<string>((inner) => `replace(${inner}, 'a', 'aa')`, 'name')
  it('has a bound for every allowed function', () =>
    expect([...boundedFunctions].toSorted()).toEqual([...functions].toSorted()))
  it.each([
    // 222 characters of nested replace over one column ran for 61 s.
    [
      `select id, replace(replace(replace(replace(name, 'a', 'aaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaa') as name from biz.student`,
      'sql.growth',
    ],
    [`select id, ${doubled(6)} as name from biz.student`, 'allowed'],
    [`select id, ${doubled(7)} as name from biz.student`, 'sql.growth'],
    ['select id, replace(name, id, name) as name from biz.student', 'sql.growth'],
    [`select id, replace(name, ' ', '') as name from biz.student`, 'allowed'],
    [`select id, name || '（' || id || '）' as name from biz.student`, 'allowed'],
    ['select string_agg(name, id) as id from biz.student', 'sql.growth'],
    ['select array_agg(name) as id from biz.student', 'sql.growth'],
    ['select array(select name from biz.student) as id', 'sql.growth'],
    [
      `select string_agg(s.name, ',') as id from (select name from biz.student limit 20) s`,
      'allowed',
    ],
    [
      `select string_agg(s.name, ',') as id from (select name from biz.student limit 20) s, biz.class c`,
      'sql.growth',
    ],
    [
      `select c.id, (select string_agg(x.name, ',') from (select name from biz.student where id = c.id limit 9) x) as name from biz.class c`,
      'allowed',
    ],
    [
      `with a as (select name || name || name || name as n from biz.student), b as (select n || n || n || n as n from a), c as (select n || n || n || n as n from b) select n || n as id from c`,
      'sql.growth',
    ],
    [
      `select id from biz.student order by replace(replace(name, 'a', 'aaaaaaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaaaaaa')`,
      'sql.growth',
    ],
    [
      `select id from biz.student where length(replace(replace(name, 'a', :searchKey), 'b', 'c')) > 3`,
      'sql.growth',
    ],
    [`select lpad(name, 1000000000) as id from biz.student`, 'sql.function'],
    [`select format('%1000000000s', name) as id from biz.student`, 'sql.function'],
    [`select regexp_replace(name, '.', name, 'g') as id from biz.student`, 'sql.function'],
    [`select to_char(1, replace('${'9'.repeat(900)}', '9', '${'9'.repeat(90)}'))`, 'sql.growth'],
    [`select concat_ws(',', id, name) as id from biz.student`, 'allowed'],
    [
      `select count(*) as id, round(avg(length(name)), 2)::text || '字' as name from biz.student`,
      'allowed',
    ],
    [`select s.* from biz.student s`, 'allowed'],
    [
      `select left(replace(name, 'a', 'aaaaaaaaaaaaaaaa'), 10) || s.id as name from biz.student s`,
      'allowed',
    ],
  ])('%s: %s', (source, verdict) => expect(captureSqlRefusal(source)).toBe(verdict))
  it('names the output columns, also behind a star', () => {
    expect(
      compileForTest('select s.*, c.name as class from biz.student s, biz.class c').columns,
    ).toEqual(['id', 'name', 'tenant_id', 'deleted_at', 'class'])
    expect(compileForTest(`select id::text, lower(name) from biz.student`).columns).toEqual([
      'id',
      'lower',
    ])
  })
})

it('keeps the constants true and false', () => {
  const { text } = compileForTest('select id, true as yes, false as no from biz.plain where true')
  expect(text.match(/'t'::bool/g)).toHaveLength(2)
  expect(text.match(/false/g)).toHaveLength(1)
})
