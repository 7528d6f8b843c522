// Foreign keys of several columns: relations where one column tells the record, else fields and a note.
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let drafts: TableDrafts['drafts']
const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)

const tables = `
  create schema shop;
  create table biz.loan (id bigint primary key, tenant_id bigint not null, student_id bigint not null,
    parent_id bigint, note text, unique (tenant_id, id),
    foreign key (tenant_id, student_id) references biz.student (tenant_id, id),
    foreign key (tenant_id, parent_id) references biz.loan (tenant_id, id));
  create table shop.fine (id serial primary key, school bigint not null, student bigint not null,
    foreign key (school, student) references biz.student (tenant_id, id));
  create table shop.team (id serial primary key, tenant_id int not null, name text not null,
    unique (tenant_id, id));
  create table shop.member (id serial primary key, tenant_id int not null, team_id int,
    foreign key (tenant_id, team_id) references shop.team (tenant_id, id));
  create table shop.both (id serial primary key, tenant_id int not null, team_id int references shop.team,
    foreign key (team_id, tenant_id) references shop.team (id, tenant_id));
  create table shop.kind (kind text not null, no int not null, name text, primary key (kind, no));
  create table shop.thing (id serial primary key, kind text not null check (kind = 'thing'), no int,
    foreign key (kind, no) references shop.kind (kind, no));
  insert into shop.team (tenant_id, name) values (1, '甲队'), (2, '乙队');
  insert into shop.member (tenant_id, team_id) values (1, 1);`

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'biz,shop' })
  admin = await app.signIn('admin')
  await run(tables)
  drafts = (
    await admin.design.draftAll({
      body: {
        tables: [
          'biz.loan',
          ...['fine', 'team', 'member', 'both', 'kind', 'thing'].map((t) => `shop.${t}`),
        ],
      },
    })
  ).drafts
  await admin.design.adopt({ body: { definitions: drafts.map(({ definition }) => definition) } })
})
afterAll(() => app.close())

function relation(tag: string, columnName: string) {
  const draft = drafts.find(({ definition }) => definition.tag === tag)
  const field = draft?.definition.fields.find((each) => each.columnName === columnName)
  return {
    to: field?.dictType === 1 ? field.dictValue : null,
    notes: draft?.notes.join('\n') ?? '',
  }
}

it.each([
  ['LOAN', 'student_id', /^EDU_STUDENT\./],
  ['LOAN', 'parent_id', /^LOAN\./],
  ['FINE', 'student', /^EDU_STUDENT\./],
  ['MEMBER', 'team_id', /^TEAM\./],
  ['BOTH', 'team_id', /^TEAM\./],
])('a key that one column tells is a relation: %s %s', (tag, column, target) => {
  expect(relation(tag, column).to).toMatch(target)
  expect(relation(tag, column).notes).not.toContain('由多列指向')
})

it('names the columns that must be those of the chosen row, where they are the user’s', () => {
  expect(relation('MEMBER', 'team_id').notes).toContain('其他列（tenant_id）')
  expect(relation('FINE', 'student').notes).toContain('其他列（school）')
  for (const tag of ['LOAN', 'BOTH'])
    expect(relation(tag, 'id').notes).not.toContain('必须与所选记录一致')
})

it('says of a key that only all columns tell that they are fields', () => {
  const { to, notes } = relation('THING', 'no')
  expect(to).toBeNull()
  expect(notes).toContain('外键（kind, no）由多列指向 kind')
})

it('chooses, shows and refuses by these relations', async () => {
  const { records } = await admin.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })
  const [student] = records
  const made = await admin.entityData.create({
    params: { tag: 'LOAN' },
    body: { studentId: [{ id: student?.id }], note: 'a' },
  })
  const params = { tag: 'LOAN', id: made.id }
  expect((await admin.entityData.get({ params }))['studentId']).toMatchObject([{ id: student?.id }])
  const child = { parentId: [{ id: made.id }], studentId: [{ id: student?.id }] }
  expect(
    (await admin.entityData.create({ params: { tag: 'LOAN' }, body: child }))['parentId'],
  ).toMatchObject([{ id: made.id }])
  const members = await admin.entityData.page({ params: { tag: 'MEMBER' }, body: {} })
  expect(members.records[0]?.['teamId']).toMatchObject([{ id: '1', name: '甲队' }])
  // The team of another tenant: the database refuses it, and the field is named.
  await expect(
    admin.entityData.create({
      params: { tag: 'MEMBER' },
      body: { tenantId: 1, teamId: [{ id: '2' }] },
    }),
  ).rejects.toMatchObject({ problem: { issues: [{ path: expect.stringMatching(/team|tenant/) }] } })
})
