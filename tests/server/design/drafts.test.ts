// Drafts of a table from elsewhere, and drafts that are asked for in parts. One server.
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import { withLinks, withSchool } from '@jiaowu/api/entity/definition/kept-fields'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { checkStatement } from '../../../apps/server/testing/statements/check-statement.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'shop,strange,beside,held,look' })
  admin = await app.signIn('admin')
  await run('create schema shop')
})
afterAll(() => app.close())

it('a stranger tenant_id hides rows only where a person said that it holds schools', async () => {
  const { tenant } = await admin.session.whoami({})
  await run(`create table shop.rented (id serial primary key, title text not null, tenant_id int not null);
    create table shop.lease (id serial primary key, tenant_id varchar(20));
    insert into shop.rented (title, tenant_id) values ('ours', ${tenant}), ('theirs', 7)`)
  const asked = { tables: ['shop.rented', 'shop.lease'] }
  const { drafts: found } = await admin.design.draftAll({ body: asked })
  expect(found.map(({ school }) => school)).toEqual([{ attrName: 'tenantId', rows: 1 }, null])
  expect(found[0]?.notes.join()).toContain('1')
  expect(found[1]?.notes.join()).toContain('tenant_id')
  const plain = found.flatMap(({ definition }) => definition)
  await admin.design.adopt({ body: { definitions: plain.map((each) => ({ ...each })) } })
  const [, lease] = plain
  await expect(
    admin.design.save({
      params: { tag: lease?.tag ?? '' },
      body: {
        ...(await admin.design.load({ params: { tag: lease?.tag ?? '' } })),
        options: { ...lease?.options, systemColumns: ['tenant_id'] },
      },
    }),
  ).rejects.toMatchObject({ problem: { issues: [{ path: 'options.systemColumns' }] } })
  const params = { tag: plain[0]?.tag ?? '' }
  const shown = async () =>
    (await admin.entityData.page({ params, body: { queries: {} } })).records.map(
      ({ title }) => title,
    )
  expect((await shown()).toSorted()).toEqual(['ours', 'theirs'])
  const stored = await admin.design.load({ params })
  const saved = await admin.design.save({
    params,
    body: { ...stored, ...withSchool(withoutStoredKeys(stored), 'tenantId') },
  })
  expect(saved.findings.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(await shown()).toEqual(['ours'])
  const made = await admin.entityData.create({ params, body: { title: 'new' } })
  await admin.entityData.update({
    params: { ...params, id: made.id },
    body: { title: 'newer', version: made.version },
  })
  expect(
    (
      await sql<{ r: string }>`select t::text as r from shop.rented t order by id`.execute(
        app.services.database.kysely,
      )
    ).rows.map(({ r }) => r),
  ).toEqual([`(1,ours,${tenant})`, '(2,theirs,7)', `(${made.id},newer,${tenant})`])
  await expect(admin.entityData.remove({ params: { ...params, ids: '2' } })).rejects.toMatchObject({
    problem: { code: 404 },
  })
})

it('a table whose key begins with the school is a table of schools', async () => {
  const { tenant } = await admin.session.whoami({})
  await run(`create table shop.mark (tenant_id bigint not null, no varchar(20) not null, title text,
      primary key (tenant_id, no));
    create table shop.note (tenant_id bigint not null, no varchar(20) not null, at int not null, words text,
      primary key (tenant_id, no, at), foreign key (tenant_id, no) references shop.mark (tenant_id, no));
    create table shop.stay (tenant_id int not null, room int not null, primary key (tenant_id, room));
    insert into shop.mark select ${tenant}, 'a' || n, 'ours' from generate_series(1, 3) n
      union all select 10001, 'a' || n, 'theirs' from generate_series(1, 4) n;
    insert into shop.note values (${tenant}, 'a1', 1, 'ours'), (10001, 'a1', 1, 'theirs');
    insert into shop.stay values (5, 1), (6, 1)`)
  const tables = ['shop.mark', 'shop.note', 'shop.stay']
  const { drafts: found } = await admin.design.draftAll({ body: { tables } })
  expect(found.map(({ key, rows, school }) => [key, rows, school])).toEqual([
    [['no'], 3, null],
    [['no', 'at'], 1, null],
    // Other programs count tenants of their own: the question is asked.
    [['tenant_id', 'room'], 2, { attrName: 'tenantId', rows: 0 }],
  ])
  const [mark, note, stay] = found.map(({ definition }) => definition)
  expect(found[0]?.notes.join()).toContain('tenant_id')
  expect(mark?.fields.map(({ columnName }) => columnName)).toEqual(['no', 'title'])
  expect(note?.fields.find(({ columnName }) => columnName === 'no')?.dictValue).toBe(
    `${mark?.tag}.title`,
  )
  const checked = await admin.design.check({ body: { ...stay } })
  expect(checked.findings.map(({ id }) => id)).toContain('entity.E117')
  await admin.design.adopt({
    body: {
      definitions: [mark, note, stay].map((each) => ({ ...each })),
    },
  })
  const tag = mark?.tag ?? ''
  const params = { tag }
  const shown = async (of: string) =>
    (await admin.entityData.page({ params: { tag: of }, body: { queries: {} } })).records
  expect((await shown(tag)).map(({ id, title }) => [id, title])).toEqual([
    ['a1', 'ours'],
    ['a2', 'ours'],
    ['a3', 'ours'],
  ])
  expect((await shown(note?.tag ?? '')).map(({ id, words }) => [id, words])).toEqual([
    ['a1~1', 'ours'],
  ])
  const row = await admin.entityData.get({ params: { tag, id: 'a2' } })
  await admin.entityData.update({
    params: { tag, id: 'a2' },
    body: { title: 'changed', version: row.version },
  })
  await admin.entityData.create({ params, body: { no: 'a4', title: 'new' } })
  await expect(
    admin.entityData.create({ params, body: { no: 'a1', title: 'again' } }),
  ).rejects.toMatchObject({ problem: { issues: [{ path: 'no', rule: 'unique' }] } })
  await admin.entityData.remove({ params: { tag, ids: 'a3' } })
  const { rows } = await sql<{ r: string }>`
    select tenant_id || ' ' || no || ' ' || title as r from shop.mark order by 1`.execute(
    app.services.database.kysely,
  )
  expect(rows.map(({ r }) => r)).toEqual([
    `${tenant} a1 ours`,
    `${tenant} a2 changed`,
    `${tenant} a4 new`,
    ...[1, 2, 3, 4].map((n) => `10001 a${n} theirs`),
  ])
  // Now that an entity says so, a draft of the same table needs no look at the rows of others.
  const again = await admin.design.draftAll({ body: { tables: ['shop.mark'] } })
  expect(again.drafts[0]).toMatchObject({ key: ['no'], rows: 3, school: null })
})

it('a statement on an adopted table that names no school is reported', () => {
  const [found] = checkStatement('select title from shop.mark where no = $1')
  expect(found?.fault).toContain('shop.mark is not tied')
  expect(checkStatement('select title from shop.mark where tenant_id = $1')).toEqual([])
  expect(checkStatement('select 1 from shop.stay')).toEqual([])
})

it('drafts of a part have the tags and relations of the whole', async () => {
  await run(`create table shop.zone (id serial primary key, name text not null);
    create table shop.gate (id serial primary key, zone_id int references shop.zone (id));
    create schema strange; create table strange.zone (id serial primary key, name text)`)
  const names = ['shop.gate', 'shop.zone', 'strange.zone']
  const whole = await admin.design.draftAll({ body: { tables: names } })
  const parts = []
  for (const name of names)
    parts.push(
      ...(await admin.design.draftAll({ body: { tables: [name], together: names } })).drafts,
    )
  const shape = (drafted: TableDrafts['drafts']) =>
    drafted
      .map(({ definition, name, rows }) => [
        definition.tag,
        name,
        rows,
        ...definition.fields.map(({ dictValue }) => dictValue),
      ])
      .toSorted()
  expect(shape(parts)).toEqual(shape(whole.drafts))
  expect(shape(parts).flat()).toContain('ZONE.name')
})

it('rows whose key is a relation are added, read, edited and deleted', async () => {
  await run(`create schema beside; create sequence beside.ids start 900;
    create table beside.owner (id int primary key, name text not null);
    create table beside.card (id int primary key references beside.owner (id), note text);
    create table beside.made (id int default nextval('beside.ids') primary key
      references beside.owner (id), note text);
    insert into beside.owner values (1, 'Ann'), (2, 'Bob')`)
  const { drafts } = await admin.design.draftAll({ body: { schemas: ['beside'] } })
  const definitions = drafts.map(({ definition }) => ({ ...definition }))
  await admin.design.adopt({ body: { definitions } })
  for (const name of ['card', 'made']) {
    const tag = drafts.find((each) => each.name === name)?.definition.tag ?? ''
    const made = await admin.entityData.create({
      params: { tag },
      body: { idValue: [{ id: '2', name: '' }], note: 'first' },
    })
    expect(made).toMatchObject({ id: '2', idValue: [{ id: '2', name: 'Bob' }] })
    const params = { tag, id: '2' }
    await admin.entityData.update({ params, body: { note: 'second', version: made.version } })
    expect(await admin.entityData.get({ params })).toMatchObject({ id: '2', note: 'second' })
    await admin.entityData.remove({ params: { tag, ids: '2' } })
  }
})

it('a value that others refer to is named when it cannot be changed', async () => {
  await run(`create schema held; create table held.kind (code text primary key, no int not null unique);
    create table held.item (id serial primary key, kind int references held.kind (no));
    insert into held.kind values ('a', 1); insert into held.item (kind) values (1)`)
  const { drafts } = await admin.design.draftAll({ body: { schemas: ['held'] } })
  await admin.design.adopt({
    body: { definitions: drafts.map(({ definition }) => ({ ...definition })) },
  })
  const tag = drafts.find(({ name }) => name === 'kind')?.definition.tag ?? ''
  const params = { tag, id: 'a' }
  const row = await admin.entityData.get({ params })
  await expect(admin.entityData.update({ params, body: { ...row, no: 2 } })).rejects.toMatchObject({
    problem: { issues: [{ path: 'no', rule: 'held', msg: expect.stringContaining('item') }] },
  })
})

describe('a database of a school', () => {
  let drafts: TableDrafts['drafts'] = []
  const findDraft = (name: string) => {
    const found = drafts.find((draft) => draft.name === name)
    if (found === undefined) throw new Error(`no draft of ${name}`)
    return found
  }
  const findColumn = (name: string, column: string) => {
    const found = findDraft(name).definition.fields.find(({ columnName }) => columnName === column)
    if (found === undefined) throw new Error(`no field for ${column}`)
    return found
  }
  beforeAll(async () => {
    await run(`create schema look;
  create table look.pupil (pupil_id serial primary key, created_at timestamp, kind int, score numeric(5, 2)
      check (score >= 0 and score <= 100), code varchar(8) check (length(code) = 4), note text,
      slogan text, uni varchar(255), term_id int, class_id int, boss_id int, must text check (must is not null));
  create table look.term (id serial primary key, term_name varchar(255));
  create table look.t_class (class_id serial primary key, kcm varchar(20));
  create table look.boss (id serial primary key, name text);
  create table look.visit (id serial primary key, created_at timestamp, made_on date,
      boss_id int references look.boss (id));
  create table look.ruled (id serial primary key, name text not null);
  create rule elsewhere as on insert to look.ruled where new.name = 'lost' do instead nothing;
  comment on column look.pupil.kind is '1 = Superior, 2 = Excellent';
  comment on column look.pupil.uni is 'The university from which the pupil came.';
  comment on column look.t_class.kcm is '班级名';
  insert into look.term (term_name) values ('2026');
  insert into look.t_class (kcm) values ('一班'), ('二班');
  insert into look.pupil (kind, slogan, uni, term_id, class_id, boss_id, must)
    values (3, E'one\ntwo', 'Sofia', 1, 1, 7, 'x'), (2, null, 'Varna', 1, 2, null, 'y');`)
    drafts = (await admin.design.draftAll({ body: { schemas: ['look'] } })).drafts
  })
  it('list and search relations and names before numbers and stamps', () => {
    const { fields } = findDraft('visit').definition
    const listed = fields.filter(({ isList }) => isList === 1).map(({ columnName }) => columnName)
    expect(listed).toEqual(['boss_id', 'created_at', 'made_on'])
    expect(findColumn('visit', 'boss_id').isQuery).toBe(1)
  })
  it('take sentences for explanations, and stored values for what they are', () => {
    expect(findColumn('pupil', 'uni')).toMatchObject({
      uiLabel: 'Uni',
      uiType: 'input',
      options: { help: 'The university from which the pupil came.' },
    })
    expect(findColumn('pupil', 'kind').dictType).toBe(-1)
    expect(findDraft('pupil').notes.join()).toContain('（3）')
    expect(['note', 'slogan', 'must'].map((name) => findColumn('pupil', name).uiType)).toEqual([
      'textarea',
      'textarea',
      'input',
    ])
    expect(findColumn('pupil', 'score').valids).toEqual({ min: 0, max: 100 })
    expect(findColumn('pupil', 'code').valids).toEqual({ maxChars: 4, minLength: 4 })
    expect(findColumn('pupil', 'must').valids).toEqual({ required: true })
    expect(findDraft('t_class').definition.tagField).toBe('kcm')
  })
  it('propose relations by name where every value is in the target', async () => {
    const { definition, links, notes } = findDraft('pupil')
    expect(definition.fields.filter(({ dictType }) => dictType === 1)).toEqual([])
    const linked = links?.fields.filter(({ dictType }) => dictType === 1) ?? []
    // All rows are of one term, and the boss 7 does not exist.
    expect(linked.map(({ columnName, dictValue }) => `${columnName} ${dictValue}`)).toEqual([
      'class_id T_CLASS.kcm',
      'term_id TERM.termName',
    ])
    expect(notes.join()).toContain('class_id → t_class（2 个值都在其中）')
    const definitions = drafts.map((draft) => ({
      ...(draft.links == null ? draft.definition : withLinks(draft.definition, draft.links)),
    }))
    await admin.design.adopt({ body: { definitions } })
    const { records } = await admin.entityData.page({
      params: { tag: definition.tag },
      body: { queries: {} },
    })
    expect(records.map(({ classId }) => classId)).toEqual(
      expect.arrayContaining([[{ id: '1', name: '一班' }], [{ id: '2', name: '二班' }]]),
    )
  })
  it('tell that rules of a table rewrite inserts', async () => {
    const { definition, notes } = findDraft('ruled')
    expect(notes.join()).toContain('RULE')
    const params = { tag: definition.tag }
    expect(await admin.entityData.create({ params, body: { name: 'kept' } })).toMatchObject({
      name: 'kept',
    })
    await expect(admin.entityData.create({ params, body: { name: 'lost' } })).rejects.toMatchObject(
      { problem: { code: 409 } },
    )
  })
})
