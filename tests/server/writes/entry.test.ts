// Entry sheets: the grades of a course and term are submitted together and then take no write, by
// whatever way it comes (docs/rules/contract.md#entry-sheets).
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { isJobOver } from '@jiaowu/api/contract/job'
import { sql } from 'kysely'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'

type Api = Client<typeof contract>
let app: TestApp
let [admin, registrar, viewer, foreign] = [] as unknown as [Api, Api, Api, Api]
const tag = 'EDU_GRADE'
const params = { tag }
let [by, other]: [{ course: string; term: string }, { course: string; term: string }] = [
  { course: '', term: '' },
  { course: '', term: '' },
]

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  registrar = await app.signIn('registrar')
  viewer = await app.signIn('viewer')
  foreign = await app.signIn('admin', '10001')
  const { records } = await admin.entityData.page({ params, body: { pageSize: 200 } })
  const sheets = records.map(toSheetKey)
  by = sheets[0] ?? by
  other = sheets.find(({ course }) => course !== by.course) ?? other
})
afterAll(() => app.close())

function readChoiceId(row: Row, name: string): string {
  const value = row[name]
  return Array.isArray(value) ? String((value[0] as { id: string } | undefined)?.id ?? '') : ''
}
function toSheetKey(row: Row) {
  return { course: readChoiceId(row, 'course'), term: readChoiceId(row, 'term') }
}
const loadSheetRows = async (sheet: typeof by): Promise<readonly Row[]> =>
  (await admin.entityData.page({ params, body: { queries: sheet, pageSize: 1000 } })).records
const state = (api = admin) => api.entry.read({ params, body: { by } })
const update = (row: Row | undefined, values: Record<string, unknown>, api = admin) =>
  api.entityData.update({
    params: { tag, id: row?.id ?? '' },
    body: { ...values, version: row?.version ?? 0 },
  })
async function captureSheetMessage(attempt: Promise<unknown>): Promise<string> {
  const caught = (await attempt.catch((error: unknown) => error)) as {
    problem?: { code: number; message: unknown }
  }
  return caught.problem === undefined
    ? 'done'
    : `${caught.problem.code} ${String(caught.problem.message)}`
}
const locked = /^409 所在的录入表已提交锁定/
async function waitForSheetJob(id: string): Promise<BulkJob> {
  for (;;) {
    const job = await admin.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

it('lists the sheets that wait for values, of the caller, until they are entered or submitted', async () => {
  const list = async (api: Api) => {
    const { sheets } = await api.entry.open({ params })
    return sheets.map(({ by: named, total, entered }) => [
      named['course']?.[0]?.id,
      named['term']?.[0]?.id,
      entered,
      total,
    ])
  }
  const rows = await loadSheetRows(by)
  const [first] = rows
  const before = await list(admin)
  const isOpen = (sheet: (string | number | undefined)[]) =>
    sheet[0] === by.course && sheet[1] === by.term
  expect(before.some(isOpen)).toBe(false)
  await update(first, { score: null })
  expect((await list(registrar)).filter(isOpen)).toEqual([
    [by.course, by.term, rows.length - 1, rows.length],
  ])
  expect((await list(foreign)).some(isOpen)).toBe(false)
  const [stored] = (await loadSheetRows(by)).filter(({ id }) => id === first?.id)
  await update(stored, { score: first?.['score'] })
  expect(await list(admin)).toEqual(before)
})

/** The items of a choice without what formulas read of their records. */
function toPlainItems(value: unknown) {
  return (value as DictItem[]).map(({ id, name }) => ({ id, name }))
}

function computeFigures(rows: readonly Row[]) {
  const scores = rows.map(({ score }) => Number(score))
  const average = scores.reduce((sum, score) => sum + score, 0) / scores.length
  return {
    average: String(Number(average.toFixed(2))),
    lowest: String(Math.min(...scores)),
    highest: String(Math.max(...scores)),
    fails: rows.filter(({ passed }) => passed === '0').length,
  }
}

describe('an entry sheet', () => {
  it('counts its rows, and those with a mark', async () => {
    const rows = await loadSheetRows(by)
    await update(rows[0], { score: null })
    expect(await state()).toEqual({
      by: { course: toPlainItems(rows[0]?.['course']), term: toPlainItems(rows[0]?.['term']) },
      total: rows.length,
      entered: rows.length - 1,
      figures: computeFigures(rows.slice(1)),
      locked: null,
      can: { submit: true, unlock: false, add: true },
    })
    expect((await state(viewer)).can).toEqual({ submit: false, unlock: false, add: false })
    expect((await foreign.entry.read({ params, body: { by } })).total).toBe(0)
  })

  it('is named by a value for each of its fields', async () => {
    const read = (given: Record<string, unknown>) =>
      captureSheetMessage(admin.entry.read({ params, body: { by: given } }))
    expect(await read({ course: by.course })).toMatch(/^42200/)
    expect(await read({ ...by, student: '1' })).toMatch(/^42200/)
    expect(await read({ course: by.course, term: '' })).toMatch(/^42200/)
    expect(
      await captureSheetMessage(admin.entry.read({ params: { tag: 'EDU_STUDENT' }, body: { by } })),
    ).toMatch(/^404/)
  })

  it('gets a row for each student of a class, once, by those who may add them', async () => {
    const terms = await admin.entityData.lookup({
      params,
      body: { fieldId: 'term', pageNum: 1, pageSize: 100 },
    })
    const taken = (
      await admin.entityData.page({
        params,
        body: { queries: { course: by.course }, pageSize: 1000 },
      })
    ).records.map((row) => readChoiceId(row, 'term'))
    const term = ('records' in terms ? terms.records : []).find(({ id }) => !taken.includes(id))
    const empty = { course: by.course, term: term?.id ?? '' }
    const students = { tag: 'EDU_STUDENT' }
    const [student] = (await admin.entityData.page({ params: students, body: { pageSize: 1 } }))
      .records
    const from = { class: readChoiceId(student as Row, 'class') }
    const { total } = await admin.entityData.page({
      params: students,
      body: { queries: from, pageSize: 1 },
    })
    const add = (api: Api, given: Record<string, unknown> = from) =>
      api.entry.add({ params, body: { by: empty, from: given } })
    const read = () => admin.entry.read({ params, body: { by: empty } })
    expect(await read()).toMatchObject({ total: 0, can: { add: true } })
    expect((await viewer.entry.read({ params, body: { by: empty } })).can.add).toBe(false)
    expect(await captureSheetMessage(add(viewer))).toMatch(/^403/)
    expect(await captureSheetMessage(add(admin, {}))).toMatch(/^42200/)
    expect(await captureSheetMessage(add(admin, { gender: '1' }))).toMatch(/^42200/)
    const none = { added: 0, there: 0, refused: [], refusals: 0 }
    expect(await add(foreign)).toEqual(none)
    await admin.entityData.create({
      params,
      body: { ...empty, student: [{ id: student?.id ?? '', name: '' }], score: 70 },
    })
    const both = await Promise.all([add(admin), add(registrar)])
    expect(both.map(({ added, there }) => added + there)).toEqual([total, total])
    expect(both.reduce((sum, { added }) => sum + added, 0)).toBe((total ?? 0) - 1)
    expect(await read()).toMatchObject({ total, entered: 1 })
    const rows = (await admin.entityData.page({ params, body: { queries: empty, pageSize: 1000 } }))
      .records
    expect(new Set(rows.map((row) => readChoiceId(row, 'student'))).size).toBe(total)
    await admin.entry.submit({ params, body: { by: empty, entered: 1 } })
    expect(await captureSheetMessage(add(admin))).toMatch(locked)
  })

  it('is submitted as it was shown, by those who may change it, and once', async () => {
    const { entered } = await state()
    const submit = (api: Api, count = entered) =>
      captureSheetMessage(api.entry.submit({ params, body: { by, entered: count } }))
    expect(
      await captureSheetMessage(
        admin.entry.submit({ params, body: { by: { ...by, course: '1' }, entered: 0 } }),
      ),
    ).toBe('409 没有符合的记录，请另选，或先新增、导入')
    expect(await submit(viewer)).toMatch(/^403/)
    expect(await submit(registrar, entered + 1)).toBe(`409 录入数已变为 ${entered}，请核对后再提交`)
    expect(await submit(registrar)).toBe('done')
    expect(await submit(admin)).toBe('409 这张表已经提交')
    expect(await state()).toMatchObject({
      entered,
      locked: { name: expect.any(String) as string },
      can: { submit: false, unlock: true },
    })
    expect((await state(registrar)).can.unlock).toBe(false)
  })

  it('takes no write while it is locked: form, list, sheet, bulk, bin, and into it from elsewhere', async () => {
    const [first, second] = await loadSheetRows(by)
    const [outside] = await loadSheetRows(other)
    const before = JSON.stringify(await loadSheetRows(by))
    const values = { student: first?.['student'] ?? null, ...by, score: 60 }
    expect(await captureSheetMessage(update(first, { score: 99 }))).toMatch(locked)
    expect(await captureSheetMessage(update(first, { remarks: 'x' }, registrar))).toMatch(locked)
    expect(await captureSheetMessage(update(first, { term: other.term }))).toMatch(locked)
    const { records: elsewhere } = await admin.entityData.page({
      params,
      body: { queries: { course: by.course }, pageSize: 1000 },
    })
    const moved = elsewhere.find((row) => readChoiceId(row, 'term') !== by.term)
    expect(await captureSheetMessage(update(moved, { term: by.term }))).toMatch(locked)
    expect(await captureSheetMessage(admin.entityData.create({ params, body: values }))).toMatch(
      locked,
    )
    expect(
      await captureSheetMessage(
        admin.entityData.remove({ params: { tag, ids: second?.id ?? '' } }),
      ),
    ).toMatch(locked)
    const job = await importFile(
      admin,
      tag,
      toCsv(`id,score\n${first?.id},77\n${outside?.id},77`),
      { mode: 'update', key: 'id', onError: 'skip' },
    )
    expect(job).toMatchObject({ status: 'done', updated: 1, failed: 1 })
    expect(JSON.stringify(job.errors)).toContain('已提交锁定')
    const bulk = await admin.bulk.update({
      params,
      body: { queries: { ...by }, set: { examType: [] } },
    })
    expect(await waitForSheetJob(bulk.id)).toMatchObject({ changed: 0 })
    const gone = await admin.bulk.remove({ params, body: { queries: { ...by } } })
    expect(await waitForSheetJob(gone.id)).toMatchObject({ changed: 0 })
    expect(JSON.stringify(await loadSheetRows(by))).toBe(before)
  })

  it('keeps deleted rows in the bin, and leaves other sheets alone', async () => {
    const [row] = await loadSheetRows(other)
    await admin.entityData.remove({ params: { tag, ids: row?.id ?? '' } })
    await admin.entry.submit({
      params,
      body: {
        by: other,
        entered: (await loadSheetRows(other)).filter(({ score }) => score !== null).length,
      },
    })
    const restore = () =>
      captureSheetMessage(admin.history.restore({ params: { tag, ids: row?.id ?? '' } }))
    expect(await restore()).toMatch(locked)
    await admin.entry.unlock({ params, body: { by: other, reason: '补录一名学生' } })
    expect(await restore()).toBe('done')
  })

  it('tells those who see none of its rows neither that it is submitted nor by whom', async () => {
    const role =
      (
        await admin.entityData.page({ params: { tag: 'SYS_ROLE' }, body: { pageSize: 100 } })
      ).records.find(({ code }) => code === 'ROLE_VIEWER')?.id ?? ''
    const save = async (expression: string | null) => {
      const { version, codes } = await admin.role.permissions({ params: { id: role } })
      await admin.role.savePermissions({
        params: { id: role },
        body: {
          version,
          codes: [...new Set([...codes, `entity:${tag}:add`])],
          rules: [
            { tag, scope: expression === null ? 'all' : 'expression', expression, overrides: {} },
          ],
        },
      })
    }
    const rows = await loadSheetRows(by)
    await save(null)
    expect((await state(viewer)).locked).not.toBeNull()
    await save('row.score > 1000')
    expect(await state(viewer)).toMatchObject({
      total: 0,
      entered: 0,
      figures: null,
      locked: null,
      can: { submit: false, unlock: false, add: true },
    })
    expect(rows.length).toBeGreaterThan(0)
  })

  it('is unlocked with a reason by those with the right, and both are audited', async () => {
    const unlock = (api: Api, reason = '成绩登记有误') =>
      captureSheetMessage(api.entry.unlock({ params, body: { by, reason } }))
    expect(await unlock(registrar)).toMatch(/^403/)
    expect(await unlock(admin, '误')).toMatch(/^42200/)
    expect(await unlock(admin)).toBe('done')
    expect(await unlock(admin)).toBe('409 这张表没有锁定')
    const [first] = await loadSheetRows(by)
    expect(await update(first, { score: 88 })).toMatchObject({ gradePoint: 3.8, passed: '1' })
    const { rows } = await sql<{ action: string; result: string; detail: unknown }>`
      select action, result, detail from sys.audit_log
      where action like 'entry.%' and object_id = ${JSON.stringify({ course_id: by.course, term: by.term })}
      order by id`.execute(app.services.database.kysely)
    expect(rows.map(({ action, result }) => `${action} ${result}`)).toEqual([
      'entry.submit ok',
      'entry.unlock denied',
      'entry.unlock ok',
    ])
    expect(JSON.stringify(rows[2]?.detail)).toContain('成绩登记有误')
  })

  it('is offered to those who may change its rows', async () => {
    expect((await registrar.entityData.config({ params })).entry).toMatchObject({
      by: ['course', 'term'],
    })
    expect((await viewer.entityData.config({ params })).entry).toBeUndefined()
  })
})

it('lists at most 100 sheets, and counts no submitted one among them', async () => {
  const { kysely } = app.services.database
  await sql`
    update biz.grade set score = null where id in (
      select min(id) from biz.grade where tenant_id = 10000 and deleted_at is null
      group by course_id, term order by course_id, term limit 103)`.execute(kysely)
  const all = await admin.entry.open({ params })
  expect([all.sheets.length, all.more]).toEqual([100, true])
  for (const { by: named, entered } of all.sheets)
    await admin.entry.submit({
      params,
      body: {
        by: { course: named['course']?.[0]?.id ?? '', term: named['term']?.[0]?.id ?? '' },
        entered,
      },
    })
  const left = await admin.entry.open({ params })
  expect([left.sheets.length > 0, left.more]).toEqual([true, false])
  const isSubmitted = new Set(all.sheets.map(({ by: named }) => JSON.stringify(named)))
  expect(left.sheets.filter(({ by: named }) => isSubmitted.has(JSON.stringify(named)))).toEqual([])
})
