// Names of members that every JavaScript object has, as columns, labels, keys, choices and headings of
// another program's tables: each works like any other name, on every call of the list.
import type { DictItem } from '@jiaowu/api/entity/values'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readSheetCells, toCsv, importFile } from '../../support/imports.ts'

/** Every member of Object.prototype, and what promises, iterators and serialisers look for. */
const names = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
  'toJSON',
  'length',
  'name',
  'symbol',
]
const quoteOddName = (name: string) => `"${name}"`
const literal = (name: string) => `'${name}'`
const columns = names.map((name) => `${quoteOddName(name)} varchar(40)`).join(', ')
const comments = names
  .map((name) => `comment on column odd.members.${quoteOddName(name)} is ${literal(name)};`)
  .join('\n')
const tables = `
  create schema odd;
  create table odd.kinds (code varchar(40) primary key, label varchar(40) not null unique);
  create table odd.members (no varchar(40) primary key, ${columns},
    kind varchar(40) references odd.kinds (code),
    state varchar(20) check (state in (${names.map(literal).join(', ')})));
  ${comments}
  insert into odd.kinds select n, n from unnest(array[${names.map(literal).join(', ')}]) n;
  insert into odd.members (no, ${names.map(quoteOddName).join(', ')}, kind, state)
    select n, ${names.map(() => 'n').join(', ')}, n, n from unnest(array[${names.map(literal).join(', ')}]) n;`

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let config: EntityConfig
const tag = 'MEMBERS'
const params = { tag }

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'odd' })
  admin = await app.signIn('admin')
  await sql.raw(tables).execute(app.services.database.kysely)
  const { drafts, refused } = await admin.design.draftAll({ body: { schemas: ['odd'] } })
  expect(refused).toEqual([])
  await admin.design.adopt({
    body: {
      definitions: drafts.map(({ definition }) => ({
        ...definition,
        fields: definition.fields.map((field) => ({
          ...field,
          isList: 1 as const,
          isQuery: 1 as const,
        })),
      })),
    },
  })
  config = await admin.entityData.config({ params })
})
afterAll(() => app.close())

const loadOddPage = (query: Partial<Parameters<typeof admin.entityData.page>[0]['body']> = {}) =>
  admin.entityData.page({
    params,
    body: { pageSize: 100, pageNum: 1, sorts: [], queries: {}, ...query },
  })
/** The field of a column, by its label: the comment of the column. */
function fieldFor(label: string) {
  const field = config.fields.find(({ uiLabel }) => uiLabel === label)
  if (field === undefined) throw new Error(`no field ${label}`)
  return field
}
async function readStoredMember(no: string): Promise<Record<string, unknown>> {
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from odd.members where no = ${no}`.execute(app.services.database.kysely)
  return rows[0] ?? expect.fail(`no row ${no}`)
}

describe('names that every object has', () => {
  it('are fields of their own, told apart', () => {
    expect(names.length).toBeGreaterThan(15)
    const attrNames = names.map((name) => fieldFor(name).attrName)
    expect(new Set(attrNames).size).toBe(names.length)
    for (const attrName of attrNames) expect(Object.prototype).not.toHaveProperty(attrName)
  })

  it('are listed, counted, filtered, sorted, grouped, summed and looked up', async () => {
    const all = await loadOddPage()
    expect(all.total).toBe(names.length)
    for (const name of names) {
      const { attrName } = fieldFor(name)
      const sorted = await loadOddPage({ sorts: [{ column: attrName, asc: true }] })
      expect(sorted.records.map((row) => row[attrName])).toContain(name)
      if (fieldFor(name).isQuery === 1) {
        const found = await loadOddPage({ queries: { [attrName]: name } })
        expect(
          found.records.map(({ id }) => id),
          name,
        ).toContain(name)
      }
      const leaf = { column: attrName, op: 'equal' as const, value: name }
      const exact = await loadOddPage({ where: { and: [leaf] } })
      expect(
        exact.records.map(({ id }) => id),
        name,
      ).toEqual([name])
      const { total } = await admin.entityData.count({
        params,
        body: { pageSize: 1, pageNum: 1, sorts: [], queries: {}, where: { and: [leaf] } },
      })
      expect(total).toBe(1)
    }
    for (const column of ['kind', 'state']) {
      const { records } = await loadOddPage({ group: { column } } as never)
      expect(records).toHaveLength(names.length)
      const chosen = await loadOddPage({ queries: { [column]: ['__proto__', 'constructor'] } })
      expect(chosen.records.map(({ id }) => id).toSorted()).toEqual(['__proto__', 'constructor'])
    }
    const options = await admin.entityData.lookup({
      params,
      body: { fieldId: 'kind', searchKey: '__proto__', pageNum: 1, pageSize: 10 },
    })
    expect((options as { records: DictItem[] }).records.map(({ id }) => id)).toEqual(['__proto__'])
  })

  it('are written, changed one at a time, and kept in history', async () => {
    const body = Object.fromEntries(names.map((name) => [fieldFor(name).attrName, `${name} 1`]))
    const made = await admin.entityData.create({ params, body: { ...body, no: 'new' } })
    for (const name of names) {
      const { attrName } = fieldFor(name)
      const row = await admin.entityData.get({ params: { tag, id: made.id } })
      await admin.entityData.update({
        params: { tag, id: made.id },
        body: { [attrName]: `${name} 2`, version: row.version },
      })
    }
    expect(await readStoredMember('new')).toMatchObject(
      Object.fromEntries(names.filter((n) => n !== '__proto__').map((name) => [name, `${name} 2`])),
    )
    const history = await admin.history.of({ params: { tag, id: made.id } })
    const text = JSON.stringify(history)
    for (const name of names) expect(text).toContain(`${name} 2`)
    expect(await admin.entityData.remove({ params: { tag, ids: made.id } })).toEqual({ deleted: 1 })
  })

  it('are changed in bulk', async () => {
    const set = Object.fromEntries(names.map((name) => [fieldFor(name).attrName, 'bulk']))
    const review = await admin.bulk.update({
      params,
      body: { ids: ['valueOf'], set } as never,
    })
    const job = await vi.waitFor(
      async () => {
        const found = await admin.bulk.get({ params: { id: review.id } })
        expect(found.phase).toBe('review')
        return found
      },
      { interval: 100, timeout: 10_000 },
    )
    await admin.bulk.apply({
      params: { id: job.id },
      body: { count: 1, onError: 'abort' } as never,
    })
    await expect
      .poll(async () => (await admin.bulk.get({ params: { id: job.id } })).status)
      .toBe('done')
    const stored = await readStoredMember('valueOf')
    expect(names.map((name) => Object.getOwnPropertyDescriptor(stored, name)?.value)).toEqual(
      names.map(() => 'bulk'),
    )
    const other = await readStoredMember('toString')
    expect(Object.values(other)).not.toContain('bulk')
  })

  it('are exported and come back as the same rows', async () => {
    for (const format of ['xlsx', 'csv', 'ndjson'] as const) {
      const { stream } = await admin.entityData.export({
        params,
        body: { pageSize: -1, pageNum: -1, queries: {}, sorts: [], format },
      })
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
      const job = await importFile(admin, tag, new File([bytes], `m.${format}`), {
        mode: 'update',
        confirm: true,
      })
      expect(job).toMatchObject({ status: 'done', errors: [], skipped: names.length, updated: 0 })
    }
    const { stream } = await admin.entityData.export({
      params,
      body: { pageSize: -1, pageNum: -1, queries: {}, sorts: [], format: 'xlsx' },
    })
    const [heading = []] = await readSheetCells(stream)
    for (const name of names) expect(heading).toContain(name)
  })

  it('are headings of a sheet, by themselves and as a mapping', async () => {
    const text = `no,${names.join(',')}\nsheet,${names.map((name) => `${name} 3`).join(',')}\n`
    const job = await importFile(admin, tag, toCsv(text), { mode: 'insert', confirm: true })
    expect(job).toMatchObject({ status: 'done', errors: [], inserted: 1 })
    const stored = await readStoredMember('sheet')
    for (const name of names)
      expect(Object.getOwnPropertyDescriptor(stored, name)?.value, name).toBe(`${name} 3`)
    // Headings that nothing knows, assigned by hand.
    const choices = [
      ['constructor', 'no'],
      ['hasOwnProperty', fieldFor('toString').attrName],
      ['__proto__', fieldFor('name').attrName],
    ] as const
    const forms = {
      list: choices.map(([header, attrName]) => ({ header, attrName })),
      short: Object.fromEntries(choices),
    }
    for (const [no, form] of Object.entries(forms)) {
      const mapping = JSON.stringify(form)
      const file = toCsv(`constructor,hasOwnProperty,__proto__,valueOf\n${no},a,b,c\n`)
      const mapped = await importFile(admin, tag, file, { mode: 'insert', confirm: true, mapping })
      expect(mapped).toMatchObject({ status: 'done', errors: [], inserted: 1 })
      const row = await readStoredMember(no)
      expect([row['toString'], row['name'], row['valueOf']], no).toEqual(['a', 'b', 'c'])
    }
  })

  it('are names of views, and columns of them', async () => {
    for (const name of ['constructor', '__proto__'])
      await admin.view.create({
        params,
        body: {
          name,
          scope: 'mine',
          columns: names.map((each) => fieldFor(each).attrName),
          sorts: [],
          queries: {},
        },
      })
    const { views } = await admin.view.list({ params })
    expect(views.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['constructor', '__proto__']),
    )
  })
})
