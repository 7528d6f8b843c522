// Derived fields: the server computes them on every write, and clients compute the same from the
// same definition (docs/rules/contract.md#derived-fields).
import { ApiProblem } from '@jiaowu/api/problem'
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { type EntityConfig, isDerived } from '@jiaowu/api/entity/config'
import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { isJobOver } from '@jiaowu/api/contract/job'
import type { Row, Values } from '@jiaowu/api/entity/values'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { derivedValues } from '@jiaowu/validation'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seeded } from '../../../apps/server/testing/random.ts'
import { toCsv, importFile } from '../../support/imports.ts'

type Api = Client<typeof contract>
let app: TestApp
let admin: Api
let config: EntityConfig
const tag = 'T_LINE'
const run = (text: string) => sql.raw(text).execute(app.services.database.kysely)

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  await run(`create table biz.line (id bigint primary key, tenant_id bigint not null,
    course_id bigint, name varchar(20), a numeric(8,3), b int, total numeric(9,2),
    points numeric(9,1), large char(1), note varchar(60), version int not null default 0)`)
  await admin.design.create({ body: definition() })
  config = await admin.entityData.config({ params: { tag } })
})
afterAll(() => app.close())

function definition(change: Readonly<Record<string, string>> = {}) {
  const formulas: Readonly<Record<string, string>> = {
    total: 'round(row.a * row.b, 2)',
    points: 'row.total > 0 ? row.total * row.course.credit : 0',
    large: 'row.total >= 100 and row.b != 7',
    note: "row.name + ' ' + row.total",
    ...change,
  }
  const field = (attrName: string, more: Partial<FieldDraft> = {}): FieldDraft => ({
    id: `line-${attrName}`,
    attrName,
    uiLabel: attrName,
    columnName: attrName,
    tableName: 'line',
    uiType: 'inputNumber',
    isList: 1,
    isDetail: 1,
    ...more,
    derived: formulas[attrName] ?? null,
    options: { labelEn: attrName },
  })
  return {
    tag,
    name: '行',
    tableName: 'line',
    tagField: 'name',
    fields: [
      field('name', { uiType: 'input', valids: { maxLength: 20 } }),
      field('course', {
        columnName: 'course_id',
        uiType: 'select',
        dictType: 1,
        dictValue: 'EDU_COURSE.name',
      }),
      field('a'),
      field('b'),
      field('total'),
      field('points'),
      field('large', { uiType: 'switch' }),
      field('note', { uiType: 'input' }),
    ],
  }
}

const loadDerivedRows = async (): Promise<readonly Row[]> =>
  (await admin.entityData.page({ params: { tag }, body: { pageSize: 1000 } })).records
const course = async (credit: number): Promise<string> =>
  (
    await admin.entityData.page({
      params: { tag: 'EDU_COURSE' },
      body: { queries: { credit: [credit, credit] }, pageSize: 1 },
    })
  ).records[0]?.id ?? ''
const addDerivedRow = (body: Values) => admin.entityData.create({ params: { tag }, body })
async function waitForDerivedJob(id: string): Promise<BulkJob> {
  for (;;) {
    const job = await admin.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
async function bulk(set: Record<string, unknown>): Promise<BulkJob> {
  const { id } = await admin.bulk.update({ params: { tag }, body: { queries: {}, set } })
  const { changed } = await waitForDerivedJob(id)
  if (changed === 0) return await waitForDerivedJob(id)
  await admin.bulk.apply({ params: { id }, body: { count: changed } })
  return await waitForDerivedJob(id)
}
async function captureRules(attempt: Promise<unknown>): Promise<unknown> {
  const caught = await attempt.catch((error: unknown) => error)
  return caught instanceof ApiProblem
    ? caught.problem.issues.map(({ path, rule }) => [path, rule])
    : caught
}

/** Computes values as a client does, from the values that people enter. */
function asClient(row: Row): Values {
  const entered = config.fields.flatMap((field) =>
    isDerived(field) ? [] : [[field.attrName, row[field.attrName] ?? null] as const],
  )
  return derivedValues(config.fields, Object.fromEntries(entered))
}
function pickDerivedValues(row: Row | undefined): Values {
  return Object.fromEntries(
    ['total', 'points', 'large', 'note'].map((name) => [name, row?.[name] ?? null]),
  )
}

describe('derived fields', () => {
  it('are read-only, and rounded as their columns are', () => {
    const shown = config.fields.filter(isDerived)
    expect(
      shown.map(({ attrName, isAdd, isEdit, options }) => [
        attrName,
        isAdd,
        isEdit,
        options.precision,
      ]),
    ).toEqual([
      ['total', 2, 2, 2],
      ['points', 2, 2, 1],
      ['large', 2, 2, undefined],
      ['note', 2, 2, undefined],
    ])
  })

  it('follow what is created and updated, whatever the client sends for them', async () => {
    const [two, three] = [await course(2), await course(3)]
    const made = await addDerivedRow({
      name: 'x',
      course: two,
      a: 12.345,
      b: 10,
      total: 1,
      large: '0',
    })
    expect(pickDerivedValues(made)).toEqual({
      total: 123.45,
      points: 246.9,
      large: '1',
      note: 'x 123.45',
    })
    const params = { tag, id: made.id }
    const { version } = made
    const moved = await admin.entityData.update({
      params,
      body: { course: three, points: 9, version },
    })
    expect(moved).toMatchObject({ points: 370.4, total: 123.45 })
    const emptied = await admin.entityData.update({
      params,
      body: { a: null, version: moved.version },
    })
    expect(pickDerivedValues(emptied)).toEqual({ total: null, points: 0, large: '0', note: 'x ' })
    const { entries } = await admin.history.of({ params })
    expect(entries[0]?.changes.map(({ attrName }) => attrName).toSorted()).toEqual([
      'a',
      'large',
      'note',
      'points',
      'total',
    ])
  })

  it('refuse a write whose computed value does not fit its column', async () => {
    expect(await captureRules(addDerivedRow({ name: 'y', a: 99_999, b: 2_000_000_000 }))).toEqual([
      ['total', 'derived'],
    ])
  })

  it('come out alike on both sides for 1,000 random rows of an import', async () => {
    await run('delete from biz.line')
    const random = seeded(18)
    const next = (n: number) => Math.floor(random() * n)
    const ids = [await course(1), await course(2), await course(3), '']
    const lines = Array.from({ length: 1000 }, (_none, i) =>
      [
        `n${i}`,
        ids[next(4)],
        next(8) === 0 ? '' : `${next(2) === 0 ? '-' : ''}${next(2000)}.${next(1000)}`,
        next(8) === 0 ? '' : next(20),
        next(1000),
      ].join(),
    )
    const job = await importFile(admin, tag, toCsv(['name,course,a,b,total', ...lines].join('\n')))
    expect(job).toMatchObject({ status: 'done', inserted: 1000, failed: 0 })
    expect(JSON.stringify(job)).toContain('total 由公式计算')
    const stored = await loadDerivedRows()
    expect(stored).toHaveLength(1000)
    expect(stored.map(pickDerivedValues)).toEqual(stored.map(asClient))
    expect(stored.filter(({ points }) => Number(points) > 0).length).toBeGreaterThan(200)
  })

  it('follow a bulk change, and are computed anew by one that sets nothing', async () => {
    expect(await bulk({ b: 4 })).toMatchObject({ status: 'done', failed: 0 })
    const stored = await loadDerivedRows()
    expect(stored.map(pickDerivedValues)).toEqual(stored.map(asClient))
    await run('update biz.course set credit = credit + 0.5 where tenant_id = 10000')
    expect((await loadDerivedRows()).map(pickDerivedValues)).toEqual(stored.map(pickDerivedValues))
    const moved = stored.filter(
      ({ total, course: chosen }) =>
        Number(total) > 0 && Array.isArray(chosen) && chosen.length > 0,
    )
    expect(await bulk({})).toMatchObject({ status: 'done', updated: moved.length })
    const after = await loadDerivedRows()
    expect(after.map(pickDerivedValues)).toEqual(after.map(asClient))
    expect(await bulk({})).toMatchObject({ changed: 0 })
  })

  it('are refused in a definition when circular, unknown or of a wrong type', async () => {
    const findings = async (change: Readonly<Record<string, string>>) =>
      (await admin.design.check({ body: definition(change) })).findings.map(({ id }) => id)
    expect(await findings({ a: 'row.total' })).toContain('entity.E075')
    expect(await findings({ a: 'row.course.nowhere' })).toContain('entity.E074')
    expect(await findings({ a: 'row.name * 2' })).toContain('entity.E076')
  })

  it('are left to the server where a client may not see what they read', () => {
    const fields = config.fields
    expect(derivedValues(fields, { a: 2, b: 3 })).toMatchObject({ total: 6 })
    expect(
      Object.keys(
        derivedValues(fields, { a: 2, b: 3, course: [{ id: '1', name: '' }], name: null }),
      ),
    ).toEqual(['total', 'large', 'note'])
  })
})

describe('the grades of the demo', () => {
  it('have a grade point and a pass that follow the mark', async () => {
    const { records } = await admin.entityData.page({
      params: { tag: 'EDU_GRADE' },
      body: { pageSize: 200 },
    })
    const grades = await admin.entityData.config({ params: { tag: 'EDU_GRADE' } })
    expect(records.map((row) => derivedValues(grades.fields, row as Values))).toEqual(
      records.map(({ gradePoint, passed }) => ({ gradePoint, passed })),
    )
    const [first] = records
    const update = (row: Row | undefined, score: number | null) =>
      admin.entityData.update({
        params: { tag: 'EDU_GRADE', id: row?.id ?? '' },
        body: { score, version: row?.version ?? 0 },
      })
    const low = await update(first, 59.5)
    expect(low).toMatchObject({ gradePoint: 0, passed: '0' })
    const high = await update(low, 84.5)
    expect(high).toMatchObject({ gradePoint: 3.5, passed: '1' })
    expect(await update(high, null)).toMatchObject({ gradePoint: null, passed: null })
  })
})
