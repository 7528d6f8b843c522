// A database role with fewer rights than its owner, on a real PostgreSQL; skipped where none is installed.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Cluster,
  findBinaries,
  startCluster,
} from '../../../apps/server/testing/postgres/postgres-cluster.ts'
import { missingRights } from '../../../apps/server/src/platform/database/role-rights.ts'
import { type Loaded, openProduct } from '../../schemas/server.ts'

const hasPostgres = (() => {
  try {
    return findBinaries() !== ''
  } catch {
    return false
  }
})()
const schemas = ['biz', 'rw', 'ro', 'part', 'shut']

describe.skipIf(!hasPostgres)('a role with fewer rights', () => {
  let cluster: Cluster
  let owner: pg.Pool
  let limited: Kysely<unknown>
  let product: Loaded | null = null
  beforeAll(async () => {
    cluster = await startCluster()
    owner = new pg.Pool({ connectionString: `${cluster.url}postgres`, max: 1 })
    await owner.query('create role "Lesser" login')
    await owner.query('create database lesser')
    await owner.end()
    owner = new pg.Pool({ connectionString: `${cluster.url}lesser`, max: 1 })
    await owner.query(`
      create schema rw; create schema ro; create schema part; create schema shut;
      create table rw.a (id serial primary key, name text not null);
      create table ro.a (id int primary key, name text); create table ro.b (id int primary key);
      create view ro.v as select * from ro.a; create materialized view ro.m as select * from ro.a;
      create table part.a (id serial primary key, name text); create table part.b (id int primary key);
      create table shut.a (id int primary key);
      insert into ro.a values (1, 'one');
      grant usage on schema rw, ro, part to "Lesser";
      grant all on all tables in schema rw to "Lesser"; grant all on all sequences in schema rw to "Lesser";
      grant select on all tables in schema ro to "Lesser";
      grant select, insert, update on part.a to "Lesser"`)
    const pool = new pg.Pool({ connectionString: urlOf('lesser'), max: 1 })
    for (const each of [owner, pool]) each.on('error', () => {})
    limited = new Kysely({ dialect: new PostgresDialect({ pool }) })
  })
  afterAll(async () => {
    await product?.close()
    await limited?.destroy()
    await owner?.end()
    await cluster?.stop()
  })
  const urlOf = (database: string) => `${cluster.url.replace('postgres@', 'Lesser@')}${database}`
  const grants = async () =>
    (await missingRights(limited, schemas)).map(({ isRequired, consequence, grant }) => [
      isRequired,
      consequence,
      grant,
    ])

  it('gets a list of missing rights with the grants to run', async () => {
    expect(await grants()).toEqual([
      [
        true,
        'The product cannot create its schemas sys and biz.',
        'grant create on database lesser to "Lesser";',
      ],
      [false, 'The tables of shut are not offered.', 'grant usage on schema shut to "Lesser";'],
      [false, 'part.a: without delete.', 'grant delete on part.a to "Lesser";'],
      [
        false,
        'part.b: not offered.',
        'grant select, insert, update, delete on part.b to "Lesser";',
      ],
      [false, 'ro.a: read-only.', 'grant insert, update, delete on ro.a to "Lesser";'],
      [false, 'ro.b: read-only.', 'grant insert, update, delete on ro.b to "Lesser";'],
      [
        false,
        'Rows of part with a serial number cannot be added.',
        'grant usage on all sequences in schema part to "Lesser";',
      ],
    ])
  })

  it('installs the product once it may create schemas, and reads what it may only read', async () => {
    await owner.query('grant create on database lesser to "Lesser"')
    product = await openProduct(urlOf('lesser'))
    const { api } = product
    const tables = await api.design.tables({ query: {} })
    const theirs = tables.filter(({ schema }) => schema !== 'biz')
    expect(
      theirs
        .map(({ schema, name, kind, readOnly }) => `${schema}.${name} ${kind} ${readOnly}`)
        .sort(),
    ).toEqual([
      'part.a table false',
      'ro.a table true',
      'ro.b table true',
      'ro.m materialized true',
      'ro.v view true',
      'rw.a table false',
    ])
    expect(theirs.find(({ schema, name }) => schema === 'ro' && name === 'a')?.reason).toContain(
      'INSERT, UPDATE and DELETE',
    )
    const { drafts } = await api.design.draftAll({ body: { schemas: ['ro', 'rw', 'part'] } })
    const bodies = drafts.map(({ definition }) => ({ ...definition }))
    await api.design.adopt({ body: { definitions: bodies } })
    const tagOf = (table: string) =>
      drafts.find(({ schema, name }) => `${schema}.${name}` === table)?.definition.tag ?? ''
    const refuses = async (table: string) =>
      (await api.entityData.config({ params: { tag: tagOf(table) } })).refuses
    expect(await refuses('ro.a')).toEqual(['add', 'update', 'delete'])
    expect(await refuses('part.a')).toEqual(['add', 'delete'])
    expect(await refuses('rw.a')).toBeUndefined()
    const page = await api.entityData.page({ params: { tag: tagOf('ro.a') }, body: {} })
    expect(page.total).toBe(1)
    const add = (table: string) =>
      api.entityData.create({ params: { tag: tagOf(table) }, body: { name: 'new' } })
    expect((await add('rw.a'))['name']).toBe('new')
    await expect(add('ro.a')).rejects.toMatchObject({ problem: { code: 403 } })
    expect((await grants()).filter(([isRequired]) => isRequired === true)).toEqual([])
    const { rows } = await sql<{ n: string }>`select count(*) as n from ro.a`.execute(limited)
    expect(rows[0]?.n).toBe('1')
  })

  it('reads a foreign table as read-only, and proposes no grant for it', async (test) => {
    const { rows } = await owner.query(
      `select from pg_available_extensions where name = 'file_fdw'`,
    )
    if (rows.length === 0 || product === null) return test.skip()
    const file = join(await mkdtemp(join(tmpdir(), 'jiaowu-foreign-')), 'rows.csv')
    await writeFile(file, '1,one\n2,two\n')
    await Promise.all([chmod(join(file, '..'), 0o755), chmod(file, 0o644)])
    await owner.query(`
      create extension file_fdw;
      create server files foreign data wrapper file_fdw;
      create foreign table ro.far (id int, name text) server files
        options (filename '${file}', format 'csv');
      grant select on ro.far to "Lesser"`)
    const { api } = product
    const tables = await api.design.tables({ query: {} })
    expect(tables.find(({ name }) => name === 'far')).toMatchObject({
      schema: 'ro',
      readOnly: true,
    })
    const { drafts } = await api.design.draftAll({ body: { tables: ['ro.far'] } })
    await api.design.adopt({
      body: { definitions: drafts.map(({ definition }) => ({ ...definition })) },
    })
    const tag = drafts[0]?.definition.tag ?? ''
    const page = await api.entityData.page({ params: { tag }, body: {} })
    expect(page.records.map(({ name }) => name).toSorted()).toEqual(['one', 'two'])
    expect((await api.entityData.config({ params: { tag } })).refuses).toEqual([
      'add',
      'update',
      'delete',
    ])
    await expect(
      api.entityData.create({ params: { tag }, body: { name: 'new' } }),
    ).rejects.toMatchObject({ problem: { code: 403 } })
    expect(
      (await grants()).filter(([, consequence]) => String(consequence).startsWith('ro.far')),
    ).toEqual([])
    await rm(join(file, '..'), { recursive: true })
  })
})
