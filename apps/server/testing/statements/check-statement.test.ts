import { describe, expect, it } from 'vitest'
import { checkStatement } from './check-statement.ts'

const faults = (text: string) =>
  checkStatement(text).map(({ table, fault }) => `${table}: ${fault}`)
const formatUntied = (table: string, name = table) =>
  `${table}: ${name} is not tied to a value of tenant_id`

describe('a statement that names the school', () => {
  it.each([
    'select id from sys.job where tenant_id = $1 and id = $2',
    'select "id" from "sys"."job" where "sys"."job"."tenant_id" = $1',
    'select 1 from sys.job j where j.tenant_id = $1::int8',
    `select 1 from sys.job where tenant_id in ($1)`,
    'select 1 from sys.job where (tenant_id, id) = ($1, $2)',
    'select 1 from sys.job j join sys.job_row r on r.tenant_id = j.tenant_id where j.tenant_id = $1',
    'select 1 from sys.job j left join sys.job_row r on r.tenant_id = $1 where j.tenant_id = $1',
    'select 1 from sys.job j, sys.job_row r where r.tenant_id = j.tenant_id and r.tenant_id = $1',
    'select 1 from sys.job where tenant_id = $1 union all select 1 from sys.job where tenant_id = $1',
    'with found as (select id from sys.job where tenant_id = $1) select * from found',
    'select exists (select 1 from sys.job where tenant_id = $1)',
    `select 1 from sys.dict where tenant_id in ('0', $1)`,
    `select 1 from sys.dict where tenant_id = any($1::int8[])`,
    `select 1 from sys.dict where tenant_id = 0 or tenant_id = $1`,
    'select count(*) from sys.tenant',
    'update sys.job set kind = $3, end_time = now() where tenant_id = $1 and id = $2',
    'update sys.job j set kind = u.k from unnest($2::text[]) as u(k) where j.tenant_id = $1',
    'delete from sys.job where tenant_id = $1',
    'insert into sys.job (id, tenant_id) values ($1, $2), ($3, $4)',
    'insert into sys.job (tenant_id, id) select $1, u.id from unnest($2::int8[]) as u(id)',
    'insert into sys.job (tenant_id, id) select tenant_id, id from sys.job where tenant_id = $1',
    'insert into sys.job (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do nothing',
    'select 1 from sys.rate_limit where key = $1',
    'select 1 from biz.added_by_others',
    'create table sys.job (id bigint)',
    'begin',
    'not sql at all',
  ])('%s', (text) => {
    expect(faults(text)).toEqual([])
  })
})

describe('a statement that does not', () => {
  it.each([
    ['select 1 from sys.job where id = $1', [formatUntied('sys.job')]],
    ['select 1 from sys.job where tenant_id is not null', [formatUntied('sys.job')]],
    ['select 1 from sys.job where tenant_id <> $1', [formatUntied('sys.job')]],
    ['select 1 from sys.job where not (tenant_id = $1)', [formatUntied('sys.job')]],
    ['select 1 from sys.job where tenant_id = $1 or id = $2', [formatUntied('sys.job')]],
    ['select 1 from sys.job where tenant_id = $1 or tenant_id = $2', [formatUntied('sys.job')]],
    ['select 1 from sys.job where tenant_id in ($1, $2)', [formatUntied('sys.job')]],
    ['select 1 from sys.job where tenant_id::text = $1', [formatUntied('sys.job')]],
    ['select 1 from sys.job where tenant_id = null', [formatUntied('sys.job')]],
    [
      'select 1 from sys.job j join sys.job_row r on r.job_id = j.id where j.tenant_id = $1',
      [formatUntied('sys.job_row', 'sys.job_row as r')],
    ],
    [
      'select 1 from sys.job j join sys.job_row r on r.tenant_id = j.tenant_id',
      [formatUntied('sys.job', 'sys.job as j'), formatUntied('sys.job_row', 'sys.job_row as r')],
    ],
    [
      'select 1 from sys.job j left join sys.job_row r on r.tenant_id = j.tenant_id and j.tenant_id = $1',
      [formatUntied('sys.job', 'sys.job as j'), formatUntied('sys.job_row', 'sys.job_row as r')],
    ],
    [
      'select 1 from sys.job j where j.tenant_id = $1 and exists (select 1 from sys.job_row r where r.tenant_id = j.tenant_id)',
      [formatUntied('sys.job_row', 'sys.job_row as r')],
    ],
    ['with found as (select id from sys.job) select * from found', [formatUntied('sys.job')]],
    [
      'select 1 from sys.job where tenant_id = $1 union select 1 from sys.job',
      [formatUntied('sys.job')],
    ],
    ['select 1 from sys.dict where code = $1', [formatUntied('sys.dict')]],
    ['select 1 from sys.job for update', [formatUntied('sys.job')]],
    ['update sys.job set kind = $2 where id = $1', [formatUntied('sys.job')]],
    ['delete from sys.job', [formatUntied('sys.job')]],
    [
      'update sys.job set tenant_id = $2 where tenant_id = $1',
      ['sys.job: an update moves a row to another school'],
    ],
    ['insert into sys.job (id) values ($1)', ['sys.job: the insert does not list tenant_id']],
    [
      'insert into sys.job (tenant_id) select u.t from unnest($1::int8[]) as u(t)',
      ['sys.job: the insert takes tenant_id from elsewhere than a value or a tied table'],
    ],
    [
      'insert into sys.job (tenant_id, id) values ($1, $2) on conflict (id) do nothing',
      ['sys.job: "on conflict" names a key without the school'],
    ],
    [
      'update sys.job j set end_time = u.e::timestamptz from unnest($2::text[]) as u(e) where j.tenant_id = $1',
      ['sys.job: the cast of a column to timestamptz depends on the session'],
    ],
    [
      'update sys.job set start_time = coalesce(start_time, now()) where tenant_id = $1',
      ['sys.job: now() inside coalesce or case: pass the moment as a parameter'],
    ],
    [
      'update sys.job set kind = $2 where tenant_id = $1 and end_time::text = $3',
      ['sys.job: the text of end_time depends on the session'],
    ],
  ])('%s', (text, expected) => {
    expect(faults(text)).toEqual(expected)
  })
})
