// Personal data of every kind on a table of a school's own, and what other entities, trees, counts,
// messages, errors and log lines tell of it (docs/rules/security.md#d4).
import { maskPii } from '@jiaowu/api/pii'
import { type PiiKind, piiKinds } from '@jiaowu/api/entity/enums'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'
import { sendJson } from './send-json.ts'

const tag = 'OWN_PERSON'
const params = { tag }
const visits = 'OWN_VISIT'
const secret: Readonly<Record<PiiKind, string>> = {
  idCard: '110105194912310021',
  mobile: '13912345678',
  email: 'zhang.xiaoming@example.edu.cn',
  name: '欧阳小明',
  address: '北京市海淀区中关村大街27号',
  bank: '6222021234567890128',
}
const columns: Readonly<Record<PiiKind, string>> = {
  idCard: 'id_card',
  mobile: 'mobile',
  email: 'email',
  name: 'full_name',
  address: 'home_address',
  bank: 'bank_card',
}
const toAttrName = (kind: PiiKind) =>
  columns[kind].replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
const visitAttr = (kind: PiiKind) => `by${kind}`
/** A part that a guesser would try, longer than what a mask keeps. */
const cutGuessPart = (kind: PiiKind) => secret[kind].slice(0, -2)

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let person: string
const lookups = new Map<PiiKind, string>()

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)
  const all = Object.values(columns)
  await run(`create table biz.person (id bigint primary key, tenant_id bigint not null, pid bigint,
    code varchar(20), ${all.map((name) => `${name} varchar(60)`).join(', ')},
    version integer not null default 1, create_user bigint,
    create_time timestamptz not null default now(), deleted_at timestamptz)`)
  await run('create unique index person_email on biz.person (tenant_id, email)')
  await run(`create table biz.visit (id bigint primary key, tenant_id bigint not null,
    ${piiKinds.map((kind) => `by_${kind.toLowerCase()} bigint`).join(', ')},
    version integer not null default 1, deleted_at timestamptz)`)
  app.services.registry.invalidate()
  await define()
  person = (await admin.entityData.create({ params, body: { code: 'p1', ...values() } })).id
  await admin.entityData.create({
    params: { tag: visits },
    body: Object.fromEntries(piiKinds.map((kind) => [visitAttr(kind), [{ id: person, name: '' }]])),
  })
})
afterAll(() => app.close())

const values = () => Object.fromEntries(piiKinds.map((kind) => [toAttrName(kind), secret[kind]]))

async function define() {
  const { definition: draft } = await admin.design.draft({ params: { name: 'person' } })
  const shown = { isList: 1, isQuery: 1, isDetail: 1, isExport: 1, isAdd: 1, isEdit: 1 } as const
  const kindOf = (columnName: string | null) =>
    piiKinds.find((kind) => columns[kind] === columnName) ?? null
  await admin.design.create({
    body: {
      ...draft,
      tag,
      tagField: toAttrName('name'),
      parentField: 'pid',
      fields: draft.fields.map((field) => ({
        ...field,
        ...(field.columnName === 'id' ? {} : shown),
        pii: kindOf(field.columnName),
        ...(field.attrName === 'pid'
          ? {
              uiType: 'selectTree' as const,
              queryType: 'in',
              dictType: 1 as const,
              dictValue: `${tag}.${toAttrName('name')}`,
            }
          : {}),
      })),
    },
  })
  const { definition: visit } = await admin.design.draft({ params: { name: 'visit' } })
  const saved = await admin.design.create({
    body: {
      ...visit,
      tag: visits,
      tagField: null,
      fields: visit.fields.map((field) => {
        const kind = piiKinds.find((each) => field.columnName === `by_${each.toLowerCase()}`)
        return kind === undefined
          ? field
          : {
              ...field,
              ...shown,
              attrName: visitAttr(kind),
              uiType: 'select' as const,
              queryType: 'in',
              dictType: 1 as const,
              dictValue: `${tag}.${toAttrName(kind)}`,
            }
      }),
    },
  })
  for (const kind of piiKinds)
    lookups.set(kind, saved.fields.find(({ attrName }) => attrName === visitAttr(kind))?.id ?? '')
}

/** The answer as it was sent. */
async function sendForText(path: string, body?: unknown, method?: string) {
  return await (await sendJson(app, admin.token, path, body, method)).text()
}
function expectMasked(text: string, kinds: readonly PiiKind[] = piiKinds) {
  for (const kind of kinds) {
    expect(text).toContain(maskPii(kind, secret[kind]))
    expect(text).not.toContain(secret[kind])
  }
}
function expectNothing(text: string) {
  for (const kind of piiKinds) expect(text).not.toContain(secret[kind])
}

describe('every kind', () => {
  it('is masked in list, detail, export, history and recycle bin', async () => {
    expectMasked(await sendForText(`/entity/${tag}/data/page`, { queries: {} }))
    expectMasked(await sendForText(`/entity/${tag}/data/${person}`))
    expectMasked(await sendForText(`/entity/${tag}/data/export`, { queries: {}, format: 'csv' }))
    const { version } = await admin.entityData.get({ params: { tag, id: person } })
    await admin.entityData.update({
      params: { tag, id: person },
      body: {
        version,
        ...Object.fromEntries(piiKinds.map((kind) => [toAttrName(kind), `另外${kind}`])),
      },
    })
    const next = await admin.entityData.get({ params: { tag, id: person } })
    await admin.entityData.update({
      params: { tag, id: person },
      body: { version: next['version'], ...values() },
    })
    expectMasked(await sendForText(`/entity/${tag}/data/${person}/history`))
    // As a delete leaves it; other rows point to this one.
    const binned = (at: string | null) =>
      sql`update biz.person set deleted_at = ${at}::timestamptz`.execute(
        app.services.database.kysely,
      )
    await binned(new Date().toISOString())
    const bin = await sendForText(`/entity/${tag}/recycled/page`, {})
    await binned(null)
    expectMasked(bin, ['name'])
    expectNothing(bin)
  })
  it.each(piiKinds)(
    'is a mask in lookup and label, and found by the whole value: %s',
    async (kind) => {
      const find = (searchKey: string) =>
        sendForText(`/entity/${visits}/data/dicts/page`, {
          fieldId: lookups.get(kind),
          searchKey,
          pageNum: 1,
          pageSize: 10,
        })
      expectMasked(await find(''), [kind])
      expectMasked(await find(secret[kind]), [kind])
      expect(await find(cutGuessPart(kind))).not.toContain(person)
      expectMasked(await sendForText(`/entity/${visits}/data/page`, { queries: {} }), [kind])
    },
  )
  it.each(piiKinds)('does not tell a part of itself by a count: %s', async (kind) => {
    const total = async (queries: object) =>
      (await admin.entityData.page({ params, body: { queries: queries as never, pageSize: 1 } }))
        .total
    expect(await total({ [toAttrName(kind)]: secret[kind] })).toBe(1)
    expect(await total({ [toAttrName(kind)]: cutGuessPart(kind) })).toBe(0)
    expect(await total({ [toAttrName(kind)]: maskPii(kind, secret[kind]) })).toBe(0)
  })
})

it('trees show masks, also those found by the whole value', async () => {
  expectMasked(await sendForText(`/entity/${tag}/tree/children`, {}), ['name'])
  const found = await sendForText(`/entity/${tag}/tree/search`, {
    queries: { [toAttrName('name')]: secret.name },
  })
  expectMasked(found, ['name'])
  expect(
    await sendForText(`/entity/${tag}/tree/search`, {
      queries: { [toAttrName('name')]: cutGuessPart('name') },
    }),
  ).not.toContain(person)
})

it('saved views keep no value', async () => {
  const body = {
    name: '甲',
    scope: 'mine',
    queries: { [toAttrName('mobile')]: secret.mobile },
    sorts: [],
  }
  expectNothing(await sendForText(`/entity/${tag}/views`, body))
  expectNothing(await sendForText(`/entity/${tag}/views`))
})

it('errors name fields, never the value of another row', async () => {
  const taken = await sendForText(`/entity/${tag}/data`, {
    code: 'p2',
    [toAttrName('email')]: secret.email,
  })
  expect(taken).toContain(toAttrName('email'))
  expectNothing(taken)
  const long = `${secret.address}${'很'.repeat(60)}`
  expectNothing(
    await sendForText(`/entity/${tag}/data`, { code: 'p3', [toAttrName('address')]: long }),
  )
  const unknown = [{ id: secret.bank, name: secret.name }]
  expectNothing(await sendForText(`/entity/${visits}/data`, { [visitAttr('bank')]: unknown }))
  const file = toCsv(`code,email\np4,${secret.email}\n`)
  const { id } = await importFile(admin, tag, file, { mode: 'insert' } as never)
  expectNothing(await sendForText(`/job/${id}`))
  expectNothing(await sendForText(`/job/${id}/rows?verdict=wrong`))
})

it('messages and the audit log hold no value', async () => {
  const { rows } = await sql<{ text: string }>`
    select m::text as text from sys.message as m
    union all select a::text from sys.audit_log as a`.execute(app.services.database.kysely)
  expect(rows.length).toBeGreaterThan(5)
  expectNothing(rows.map(({ text }) => text).join('\n'))
})
