// Tables from elsewhere: drafted together, adopted all or none, and then listed, added to, edited and
// deleted without touching another row. One server, one database, many tables.
import { ApiProblem } from '@jiaowu/api/problem'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import { withKept } from '@jiaowu/api/entity/definition/kept-fields'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'
import { newStaff } from '../../support/staff.ts'
import { oddTables } from './odd-tables.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let drafts: TableDrafts
type Reader = ReturnType<TestApp['client']>
const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)

const tables = `
  create schema shop;
  create type shop.mood as enum ('sad', 'so-so', 'happy');
  create domain shop.email as varchar(60) check (value like '%@%');
  create table shop."Order Details" ("Order ID" int not null, "Product" varchar(8) not null,
    "select" numeric(38, 10), primary key ("Order ID", "Product"));
  create table shop.学生 (学号 varchar(12) primary key, 姓名 varchar(20) not null,
    班级 int, 状态 char(1) not null default '0');
  comment on column shop.学生.状态 is '状态（0正常 1停用）';
  create table shop.currency (id serial primary key, code char(3) not null unique, name text);
  create table shop.price (id uuid primary key, currency char(3) references shop.currency (code),
    amount money, label text not null, unique (id, label));
  create table shop.part (no smallint primary key, parent smallint references shop.part (no),
    part_name varchar(20) not null, size varchar(2) check (size in ('S', 'M', 'L')));
  create table shop.sys_menu (id bigint generated always as identity primary key, title text not null,
    made timestamp not null default now(), doubled int generated always as (2) stored,
    tenant_id bigint not null default 7, deleted_at timestamp);
  create table shop.odd (id int primary key, m shop.mood, mail shop.email, tags text[], nums int[],
    doc jsonb, addr inet, span interval, r int4range, b bit(3), x xml, at time with time zone,
    blob bytea, u uuid, f real);
  create table shop.person (id serial primary key, first_name varchar(40) not null, last_name varchar(40),
    mobile varchar(20), pin varchar(200));
  create table shop.visit (id serial primary key, person_id int references shop.person (id), at date);
  create table shop.room (id serial primary key, building varchar(8) not null, floor int not null,
    seats int, unique (building, floor));
  insert into shop.person (first_name, last_name, mobile) values ('Ann', 'Lee', '13800000001'),
    ('Ann', 'Wu', null), ('Bob', null, null), ('Ann', 'Wu', '13800000003');
  insert into shop.visit (person_id, at) values (1, '2026-01-01'), (2, '2026-01-02'), (3, null);
  create table shop.member (id serial primary key, member_no varchar(8) unique, name text not null);
  insert into shop.member (member_no, name) values ('M1', 'Ann'), ('M2', 'Ann'), ('M3', 'Bob');
  create table shop.memo (id serial primary key, title varchar(40) not null, del_flag char(1) not null,
    create_by varchar(64), create_time timestamp, update_by bigint, update_time timestamptz);
  comment on column shop.memo.del_flag is '删除标志（0代表存在 2代表删除）';
  create table shop.gone (id serial primary key, title text, deleted_at timestamp, tenant_id int);
  create table shop.loose (a int, b text);
  create unique index loose_code on shop.currency (name) where name is not null;
  create table shop.coded (code varchar(5) not null, memo text, extra int unique);
  create unique index coded_key on shop.coded (code);
  create view shop.names as select code, name from shop.currency;
  create materialized view shop.stock as select count(*) as n from shop.part;
  create table shop.log (id serial primary key, what text not null);
  create function shop.fill() returns trigger language plpgsql as
    $$ begin
      if new.what = 'bad' then raise exception 'this log takes no bad words'; end if;
      new.what := upper(new.what); return new;
    end $$;
  create trigger fill before insert or update on shop.log for each row execute function shop.fill();
  create table shop.measure (id int not null, day date not null, v int, primary key (id, day))
    partition by range (day);
  create table shop.measure_2021 partition of shop.measure for values from ('2021-01-01') to ('2022-01-01');
  insert into shop."Order Details" values (1, 'A', 1.5), (1, 'B,~', 2), (2, 'A', 12345678901234567890.1234567891);
  insert into shop.学生 values ('2021', '张三', 1, '0'), ('2022', '李四', 1, '1');
  insert into shop.currency (code, name) values ('CNY', 'yuan'), ('EUR', 'euro');
  insert into shop.part values (1, null, 'engine', 'L'), (2, 1, 'valve', 'S');
  insert into shop.sys_menu (title) values ('first');
  insert into shop.odd (id, m, tags, span, f) values (1, 'happy', '{a,"b c"}', '1 day', 0.1);
  insert into shop.loose values (1, 'x'), (1, 'x'), (2, null);
  refresh materialized view shop.stock`

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'shop,strange' })
  admin = await app.signIn('admin')
  await run(tables)
  drafts = await admin.design.draftAll({ body: { schemas: ['shop'] } })
  await admin.design.adopt({
    body: { definitions: drafts.drafts.map(({ definition }) => ({ ...definition })) },
  })
})
afterAll(() => app.close())

const findDraft = (name: string) => {
  const found = drafts.drafts.find((draft) => draft.name === name)
  if (found === undefined) throw new Error(`no draft of ${name}`)
  return found
}
const findTag = (name: string) => findDraft(name).definition.tag
const findColumn = (name: string, column: string) => {
  const found = findDraft(name).definition.fields.find(({ columnName }) => columnName === column)
  if (found === undefined) throw new Error(`no field for ${column}`)
  return found
}
const loadRows = (name: string, queries: Record<string, unknown> = {}) =>
  admin.entityData.page({ params: { tag: findTag(name) }, body: { queries } })
const add = (name: string, body: Record<string, unknown>) =>
  admin.entityData.create({ params: { tag: findTag(name) }, body })
async function put(name: string, id: string, body: Record<string, unknown>) {
  const params = { tag: findTag(name), id }
  const { version } = await admin.entityData.get({ params })
  return await admin.entityData.update({ params, body: { ...body, version } })
}
const remove = (name: string, ids: string) =>
  admin.entityData.remove({ params: { tag: findTag(name), ids } })
async function readRows(table: string): Promise<string[]> {
  const { rows } = await sql<{ r: string }>`
    select t::text as r from ${sql.raw(`shop."${table}"`)} t order by 1`.execute(
    app.services.database.kysely,
  )
  return rows.map(({ r }) => r)
}
async function reject(attempt: Promise<unknown>) {
  const error = await attempt.then(
    () => null,
    (caught: unknown) => caught,
  )
  if (!(error instanceof ApiProblem)) throw new Error('it was not refused', { cause: error })
  const { code, issues, message } = error.problem
  return {
    code,
    rules: issues.map(({ path, rule }) => `${path} ${rule}`),
    message: String(message),
  }
}

describe('drafts', () => {
  it('cover tables, partitioned tables, views and materialized views, with true counts', async () => {
    const offered = await admin.design.tables({ query: { schema: 'shop' } })
    expect(offered.map(({ name, kind, rows }) => [name, kind, rows])).toEqual(
      expect.arrayContaining([
        ['Order Details', 'table', 3],
        ['measure', 'table', 0],
        ['names', 'view', null],
        ['stock', 'materialized', null],
      ]),
    )
    expect(offered.map(({ name }) => name)).not.toContain('measure_2021')
    expect(offered.find(({ name }) => name === 'loose')).toMatchObject({ readOnly: true, key: [] })
    expect(await admin.design.tables({ query: { schema: 'shop', search: 'curr' } })).toHaveLength(1)
    expect((await reject(admin.design.tables({ query: { schema: 'sys' } }))).code).toBe(42200)
    expect((await reject(admin.design.draft({ params: { name: 'sys.app_user' } }))).code).toBe(404)
  })
  it('never take a tag that exists, and name Chinese tables in pinyin', () => {
    expect(findTag('sys_menu')).toBe('SHOP_SYS_MENU')
    expect(findTag('学生')).toBe('XUE_SHENG')
    expect(findDraft('学生').definition).toMatchObject({ name: '学生', tableName: '学生' })
    expect(findColumn('学生', '姓名')).toMatchObject({ attrName: 'xingMing', uiLabel: '姓名' })
    expect(findDraft('学生').definition.tagField).toBe('xingMing')
  })
  it('propose choices from enums, checks and comments, and relations from foreign keys', () => {
    expect(findColumn('odd', 'm')).toMatchObject({ uiType: 'select', dictType: 0 })
    expect(findColumn('学生', '状态').options.items).toEqual([
      { id: '0', name: '正常' },
      { id: '1', name: '停用' },
    ])
    expect(findColumn('part', 'size').options.items?.map(({ id }) => id)).toEqual(['S', 'M', 'L'])
    expect(findColumn('part', 'parent')).toMatchObject({
      uiType: 'selectTree',
      dictValue: 'PART.partName',
    })
    expect(findDraft('part').definition.parentField).toBe('parent')
  })
  it('point to a unique column that is not the primary key (Mathesar #3232)', () => {
    expect(findColumn('price', 'currency')).toMatchObject({
      uiType: 'select',
      dictValue: 'CURRENCY.name',
      options: { valueAttr: 'code' },
    })
  })
  it('find the key beside other indexes (Mathesar #4656)', () => {
    expect(findDraft('price').key).toEqual(['id'])
    expect(findDraft('coded').key).toEqual(['code'])
  })
  it('leave out what has no text form, with the reason', () => {
    expect(findDraft('odd').leftOut.map(({ column }) => column)).toEqual(['blob'])
    expect(findColumn('odd', 'doc').uiType).toBe('textarea')
  })
  it('never take a stranger column for one of ours', async () => {
    expect(findDraft('sys_menu').notes.join()).toContain('tenant_id')
    expect((await loadRows('sys_menu')).total).toBe(1)
  })
})

it('drafts of any table pass their own checks, alone and together', async () => {
  const odd = oddTables('strange', 70)
  await run(`create schema strange; ${odd.join(';')}`)
  const all = await admin.design.draftAll({ body: { schemas: ['strange'] } })
  // One more table: the one that the others refer to.
  expect(all.drafts).toHaveLength(odd.length + 1 - all.refused.length)
  expect(all.refused.length).toBeLessThan(6)
  const definitions = all.drafts.map(({ definition }) => ({ ...definition }))
  const together = await admin.design.adopt({ body: { definitions } }).then(
    ({ adopted }) => adopted.length,
    (error: unknown) => (error instanceof ApiProblem ? error.problem.issues : error),
  )
  expect(together).toBe(definitions.length)
  for (const { schema, name, definition } of all.drafts.slice(0, 20)) {
    const alone = await admin.design.draft({ params: { name: `${schema}.${name}` } })
    const { findings } = await admin.design.check({
      body: { ...withKept(alone.definition, alone.kept ?? {}), tag: `${definition.tag}_A` },
    })
    expect([name, findings.filter(({ severity }) => severity === 'error')]).toEqual([name, []])
    app.advance(1_000)
  }
})

it('an operator that the control cannot have is refused with those that it can', async () => {
  const { definition } = findDraft('measure')
  const [day = definition.fields[0]] = definition.fields.filter(
    ({ attrName }) => attrName === 'day',
  )
  const broken = {
    ...definition,
    fields: definition.fields.map((field) =>
      field === day
        ? { ...field, uiType: 'inputNumber' as const, isQuery: 1 as const, queryType: 'like' }
        : field,
    ),
  }
  const { findings } = await admin.design.check({ body: broken })
  expect(findings.find(({ id }) => id === 'entity.E050')?.msg).toMatch(/Day.*like.*between/)
})

describe('rows', () => {
  it('with several key columns are each their own (Mathesar #4638, Directus #11544)', async () => {
    const before = await readRows('Order Details')
    const ids = (await loadRows('Order Details')).records.map(({ id }) => id)
    expect(ids.toSorted()).toEqual(['1~A', '1~B%2C%7E', '2~A'])
    const changed = await put('Order Details', '1~B%2C%7E', {
      select: '99999999999999999999.0000000001',
    })
    expect(changed['select']).toBe('99999999999999999999.0000000001')
    const after = await readRows('Order Details')
    expect(after.filter((row) => !before.includes(row))).toHaveLength(1)
    await add('Order Details', { orderId: 3, product: 'C' })
    expect((await reject(add('Order Details', { orderId: 3, product: 'C' }))).rules).toContain(
      'orderId unique',
    )
    await remove('Order Details', '1~B%2C%7E,3~C')
    expect(await readRows('Order Details')).toHaveLength(2)
  })
  it('with a typed key take it once and fix it', async () => {
    const made = await add('学生', { xueHao: '20/23,a', xingMing: '王五' })
    expect(made.id).toBe('20/23,a')
    expect((await reject(add('学生', { xueHao: '20/23,a', xingMing: '王五' }))).rules).toEqual([
      'xueHao unique',
    ])
    expect((await reject(add('学生', { xingMing: '无号' }))).rules).toEqual(['xueHao required'])
    expect((await reject(put('学生', '20/23,a', { xueHao: 'x' }))).rules).toEqual([
      'xueHao notWritable',
    ])
    const name = '一二三四五六七八九十一二三四五六七八九十'
    expect((await put('学生', '20/23,a', { xingMing: name })).xingMing).toBe(name)
    expect((await reject(put('学生', '20/23,a', { xingMing: `${name}一` }))).rules).toEqual([
      'xingMing maxLength',
    ])
    await remove('学生', '20%2F23%2Ca')
    expect(await readRows('学生')).toHaveLength(2)
    expect((await add('coded', { code: 'K1', memo: 'm' })).id).toBe('K1')
    expect((await add('part', { no: 9, partName: 'bolt', parent: [{ id: '1' }] })).id).toBe('9')
  })
  it('get uuids and identities without anybody typing them', async () => {
    const price = await add('price', {
      label: 'one',
      currency: [{ id: 'EUR', name: '' }],
      amount: '12.50',
    })
    expect(price.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(price).toMatchObject({ currency: [{ id: 'EUR', name: 'euro' }], amount: 12.5 })
    expect((await reject(add('price', { label: 'two', currency: [{ id: 'XXX' }] }))).rules).toEqual(
      ['currency choice'],
    )
    const menu = await add('sys_menu', { title: 'second' })
    expect(menu).toMatchObject({ id: '2', title: 'second', doubled: 2 })
    // A default of now() without a time zone means the clock of the school.
    const hours = Math.abs(
      Date.now() - Date.parse(`${String(menu['made']).replace(' ', 'T')}+08:00`),
    )
    expect(hours).toBeLessThan(60_000)
  })
  it('of odd types keep what they hold, and faults name the field', async () => {
    const [row] = (await loadRows('odd', { m: 'happy' })).records
    expect(row).toMatchObject({ id: '1', m: [{ id: 'happy', name: 'Happy' }] })
    const before = await readRows('odd')
    const changed = await put('odd', '1', { addr: '10.0.0.1', r: '[1,5)', b: '101' })
    expect(changed).toMatchObject({
      tags: '{a,"b c"}',
      span: '1 day',
      addr: '10.0.0.1',
      r: '[1,5)',
      b: '101',
    })
    expect(before).toHaveLength(1)
    expect((await reject(put('odd', '1', { addr: 'no address' }))).rules).toEqual(['addr value'])
    expect((await reject(put('odd', '1', { mail: 'no mail' }))).rules).toEqual(['mail check'])
    expect((await loadRows('odd', { f: [0.1, 0.1] })).total).toBe(1)
  })
  it('of triggers and partitions are found again, and triggers speak for themselves', async () => {
    expect(await add('log', { what: 'quiet' })).toMatchObject({ what: 'QUIET' })
    expect((await reject(add('log', { what: 'bad' }))).message).toContain('takes no bad words')
    const made = await add('measure', { idValue: 1, day: '2021-05-05', v: 3 })
    expect(made.id).toBe('1~2021-05-05')
    expect((await put('measure', made.id, { v: 4 })).v).toBe(4)
    await remove('measure', made.id)
    expect(await readRows('measure')).toEqual([])
  })
  it('of a table whose sequence is behind its rows say how to move it', async () => {
    const made = await add('log', { what: 'first' })
    await run(`select setval('shop.log_id_seq', ${Number(made.id) - 1})`)
    const { message } = await reject(add('log', { what: 'second' }))
    const [, statement = ''] = /(select setval.*\)\))/.exec(message) ?? []
    await run(statement)
    expect(await add('log', { what: 'second' })).toMatchObject({ what: 'SECOND' })
  })
  it('of views and of tables without a key can only be looked at', async () => {
    for (const name of ['names', 'stock', 'loose']) {
      const { records, total } = await loadRows(name)
      expect(total).toBeGreaterThan(0)
      const id = records[0]?.id ?? ''
      expect((await admin.entityData.get({ params: { tag: findTag(name), id } })).id).toBe(id)
      expect((await reject(add(name, {}))).code).toBe(403)
      expect((await reject(remove(name, id))).code).toBe(403)
      expect((await admin.entityData.config({ params: { tag: findTag(name) } })).refuses).toEqual([
        'add',
        'update',
        'delete',
      ])
    }
  })
  it('that others hold say who holds them', async () => {
    expect((await reject(remove('part', '1'))).code).toBe(409)
    const { message: byTable } = await reject(remove('currency', '2'))
    expect(byTable).toContain('price')
  })
})

describe('columns of other programs', () => {
  it('are kept by the server only where a person says so', async () => {
    const { definition, kept, notes } = findDraft('memo')
    expect(definition.options.kept).toBeUndefined()
    expect(notes.join()).toContain('del_flag, create_by')
    expect(kept).toEqual({
      deleted: { attrName: 'delFlag', yes: '2', no: '0' },
      createUser: 'createBy',
      createTime: 'createTime',
      updateUser: 'updateBy',
      updateTime: 'updateTime',
    })
    expect(findDraft('gone').kept).toEqual({
      deleted: { attrName: 'deletedAt', yes: null, no: null },
    })
    const stored = await admin.design.load({ params: { tag: findTag('memo') } })
    await admin.design.save({
      params: { tag: stored.tag },
      body: { ...stored, ...withKept(withoutStoredKeys(stored), kept ?? {}) },
    })
    const made = await add('memo', { title: 'first' })
    expect(made).toMatchObject({ createBy: 'admin' })
    await put('memo', made.id, { title: 'second' })
    expect((await readRows('memo'))[0]).toMatch(/^\(1,second,0,admin,"[^"]+",\d+,"[^"]+"\)$/)
    await remove('memo', made.id)
    expect((await readRows('memo'))[0]).toContain('second,2,')
    expect((await loadRows('memo')).total).toBe(0)
    const params = { tag: findTag('memo') }
    const bin = await admin.history.recycled({ params, body: {} })
    expect([bin.total, bin.keptDays, bin.records[0]?.deletedAt]).toEqual([
      1,
      null,
      expect.stringMatching(/^20/),
    ])
    await admin.history.restore({ params: { ...params, ids: made.id } })
    expect((await loadRows('memo')).total).toBe(1)
    const file = toCsv('Title\nthird\n')
    expect((await importFile(admin, params.tag, file)).inserted).toBe(1)
    expect((await readRows('memo'))[1]).toContain('third,0,admin,')
    const odd = { ...stored, options: { ...stored.options, kept: { createUser: 'id' } } }
    const { findings } = await admin.design.check({ body: odd })
    expect(findings.map(({ id }) => id)).toContain('entity.E054')
  })
})

describe('titles of several fields', () => {
  const nameIn = (row: { readonly [key: string]: unknown } | undefined) =>
    (row?.['personId'] as { name: string }[] | undefined)?.[0]?.name
  const labels = async (client: Reader = admin) =>
    (
      await client.entityData.page({ params: { tag: findTag('visit') }, body: { queries: {} } })
    ).records
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map(nameIn)
  const lookup = (searchKey: string, client: Reader = admin) =>
    client.entityData
      .lookup({
        params: { tag: findTag('visit') },
        body: { fieldId: 'personId', type: 'edit', query: {}, searchKey },
      })
      .then((answer) => ('records' in answer ? answer.records.map(({ name }) => name) : []))
  async function retitle(titlePattern: string, pii: Record<string, 'mobile'> = {}) {
    const stored = await admin.design.load({ params: { tag: findTag('person') } })
    const body = {
      ...stored,
      options: { ...stored.options, titlePattern },
      fields: stored.fields.map((field) => ({ ...field, pii: pii[field.attrName] ?? null })),
    }
    await admin.design.save({ params: { tag: stored.tag }, body })
  }
  it('are proposed where one text does not tell rows apart', () => {
    expect(findDraft('person').definition.options.titlePattern).toBe('{firstName} {lastName}')
    expect(findDraft('room').definition.options.titlePattern).toBe('{building} {floor}')
    expect(findDraft('currency').definition.options.titlePattern).toBeUndefined()
    expect(findDraft('member').definition.options.titlePattern).toBe('{name} {memberNo}')
  })
  it('name rows in lists, lookups and refusals, and are found by any part', async () => {
    expect(await labels()).toEqual(['Ann Lee', 'Ann Wu', 'Bob'])
    expect(await lookup('n Le')).toEqual(['Ann Lee'])
    expect(
      (await admin.entityData.config({ params: { tag: findTag('person') } })).titlePattern,
    ).toBe('{firstName} {lastName}')
    expect((await reject(remove('person', '1'))).message).toContain('1')
  })
  it('are imported by name, and refused where two rows have it', async () => {
    const file = toCsv('Person,At\nAnn Lee,2026-02-02\nAnn Wu,2026-02-03\n')
    const job = await importFile(admin, findTag('visit'), file, { onError: 'skip' })
    expect([job.inserted, job.errors.map(({ rule }) => rule)]).toEqual([1, ['ambiguous']])
  })
  it('mask each part by itself, and stand back where a reader may not see one of them', async () => {
    await retitle('{firstName} ({mobile})', { mobile: 'mobile' })
    expect((await labels()).slice(0, 3)).toEqual(['Ann (138****0001)', 'Ann ()', 'Bob ()'])
    expect(await lookup('0001')).toEqual([])
    const hidden = { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 }
    const { token } = await newStaff(app, admin, 'reader-of-visits', {
      codes: [`entity:${findTag('visit')}:view`, `entity:${findTag('person')}:view`],
      rules: [
        { tag: findTag('person'), scope: 'all', expression: null, overrides: { mobile: hidden } },
      ],
    })
    const reader = app.client(token)
    expect((await labels(reader)).slice(0, 3)).toEqual(['Lee', 'Wu', '3'])
    expect(
      (await reader.entityData.config({ params: { tag: findTag('person') } })).titlePattern,
    ).toBeUndefined()
  })
  it('name no secret and no choice', async () => {
    const stored = await admin.design.load({ params: { tag: findTag('person') } })
    const secret = {
      ...stored,
      options: { ...stored.options, titlePattern: '{pin} {nobody}' },
      fields: stored.fields.map((field) =>
        field.attrName === 'pin'
          ? {
              ...field,
              uiType: 'password' as const,
              isList: 0,
              isDetail: 0,
              isExport: 0,
              isQuery: 0,
            }
          : field,
      ),
    }
    const saving = admin.design.save({ params: { tag: stored.tag }, body: { ...secret } })
    expect((await reject(saving)).rules).toEqual([
      'options.titlePattern entity.E058',
      'options.titlePattern entity.E079',
    ])
  })
})

it('saves all definitions or none', async () => {
  await run(
    'create table shop.late_a (id int primary key); create table shop.late_b (id int primary key)',
  )
  const { drafts: late } = await admin.design.draftAll({
    body: { tables: ['late_a', 'shop.late_b'] },
  })
  const [a, b] = late.map(({ definition }) => definition) as [EntityDefinition, EntityDefinition]
  const wrong = { ...b, fields: b.fields.map((field) => ({ ...field, columnName: 'nowhere' })) }
  const { code, rules } = await reject(
    admin.design.adopt({ body: { definitions: [{ ...a }, { ...wrong }] } }),
  )
  expect([code, rules[0]]).toEqual([
    42200,
    expect.stringMatching(/^definitions\.LATE_B\..* entity\.E003/),
  ])
  expect((await reject(admin.design.load({ params: { tag: a.tag } }))).code).toBe(404)
  const clerk = await app.signIn('registrar')
  expect((await reject(clerk.design.adopt({ body: { definitions: [{ ...a }] } }))).code).toBe(403)
})
