// No mark is outside of its scale, wherever it comes from (docs/rules/contract.md#rules-of-values).
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { isJobOver } from '@jiaowu/api/contract/job'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { isLow } from '@jiaowu/machines/shown-number'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'
import { newStaff } from '../../support/staff.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const params = { tag: 'EDU_GRADE' }
let grade: Row

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const { records } = await admin.entityData.page({ params, body: { pageSize: 1 } })
  grade = records[0] as Row
})
afterAll(() => app.close())

function readRelationId(row: Row, attrName: string): string {
  return (row[attrName] as readonly DictItem[])[0]?.id ?? ''
}
const loadBoundsRow = (id: string) => admin.entityData.get({ params: { ...params, id } })
/** The rules that a call was refused by, or `stored`. */
async function captureBrokenRules(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'stored',
    (error: { problem: { code: number; issues: { path: string; rule: string; msg: string }[] } }) =>
      error.problem.issues.map(({ path, rule, msg }) => `${path} ${rule} ${msg}`),
  )
}
async function edit(row: Row, body: Record<string, unknown>) {
  const { version } = await loadBoundsRow(row.id)
  return await captureBrokenRules(
    admin.entityData.update({ params: { ...params, id: row.id }, body: { ...body, version } }),
  )
}
async function setScale(row: Row, fullMark: number) {
  const course = { tag: 'EDU_COURSE', id: readRelationId(row, 'course') }
  const { version } = await admin.entityData.get({ params: course })
  await admin.entityData.update({ params: course, body: { fullMark, version } })
}
/** How many rows of the sheet of `grade` are low: by their switch, by the list, and by the sheet. */
async function countLowRows() {
  const by = { course: grade['course'], term: grade['term'] }
  const { records, footer } = await admin.entityData.page({
    params,
    body: { pageSize: 100, queries: by, footer: [{ column: 'score', fn: 'below' }] },
  })
  const { figures } = await admin.entry.read({ params, body: { by } })
  return {
    rows: records.filter((row) => isLow(row['score'], { warnUnless: 'passed' }, row)).length,
    list: footer?.[0]?.value as number,
    sheet: figures?.fails ?? 0,
  }
}
const tooHigh = ['score max 不能大于 100']
const tooLow = ['score min 不能小于 0']

describe('a mark outside of the scale of its course is refused', () => {
  it('when it is edited, and stays what it was', async () => {
    const before = (await loadBoundsRow(grade.id))['score']
    expect([
      await edit(grade, { score: 120 }),
      await edit(grade, { score: -1 }),
      await edit(grade, { score: 100.1 }),
      await edit(grade, { score: '9007199254740993' }),
    ]).toEqual([tooHigh, tooLow, tooHigh, ['score value 值的格式不正确']])
    expect((await loadBoundsRow(grade.id))['score']).toBe(before)
  })

  it('when it is added', async () => {
    const added = (score: number) => {
      const { student, course, term } = grade
      return captureBrokenRules(
        admin.entityData.create({ params, body: { student, course, term, score } }),
      )
    }
    expect([await added(120), await added(-1)]).toEqual([tooHigh, tooLow])
  })

  it('when many are set at once', async () => {
    const { id } = await admin.bulk.update({
      params,
      body: { ids: [grade.id], set: { score: 120 } },
    })
    for (;;) {
      const job = await admin.bulk.get({ params: { id } })
      if (isJobOver(job) || job.status === 'paused') {
        expect(JSON.stringify(job)).toContain('不能大于 100')
        return
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    }
  })

  it('when it is imported', async () => {
    const { records } = await admin.entityData.page({
      params: { tag: 'EDU_STUDENT' },
      body: { pageSize: 1 },
    })
    const course = await admin.entityData.get({
      params: { tag: 'EDU_COURSE', id: readRelationId(grade, 'course') },
    })
    const rows = [120, -1, 99].map(
      (score) => `${String(records[0]?.['name'])},${String(course['name'])},2025-2026-2,${score}`,
    )
    const { errors } = await importFile(
      admin,
      params.tag,
      toCsv(['学生,课程,学期,成绩', ...rows].join('\n')),
    )
    expect(errors.filter(({ attrName }) => attrName === 'score').map(({ rule }) => rule)).toEqual([
      'max',
      'min',
    ])
  })
})

describe('a course with another scale', () => {
  it('takes its marks, whose grade points stay on theirs', async () => {
    await setScale(grade, 150)
    expect(await edit(grade, { score: 120 })).toBe('stored')
    expect(await loadBoundsRow(grade.id)).toMatchObject({ score: 120, gradePoint: 3, passed: '1' })
    expect(await edit(grade, { score: 150 })).toBe('stored')
    expect(await loadBoundsRow(grade.id)).toMatchObject({ gradePoint: 5 })
    expect(await edit(grade, { score: 89 })).toBe('stored')
    expect(await loadBoundsRow(grade.id)).toMatchObject({ gradePoint: 0, passed: '0' })
    expect(await edit(grade, { score: 151 })).toEqual(['score max 不能大于 150'])
  })

  it('fails the same marks in lists, in their figures and in the entry sheet', async () => {
    const other = await countLowRows()
    await setScale(grade, 150)
    expect(await edit(grade, { score: 89 })).toBe('stored')
    const low = await countLowRows()
    expect(low).toEqual({ rows: low.rows, list: low.rows, sheet: low.rows })
    expect(await edit(grade, { score: 90 })).toBe('stored')
    expect(await countLowRows()).toEqual({
      rows: low.rows - 1,
      list: low.rows - 1,
      sheet: low.rows - 1,
    })
    expect(other.list).toBe(other.rows)
  })

  it('shows neither marks nor their number to those who may not see the switch', async () => {
    const hidden = { isList: 0, isDetail: 0, isExport: 0, isQuery: 0 } as const
    const { token } = await newStaff(app, admin, 'scale-reader', {
      codes: ['EDU_GRADE', 'EDU_STUDENT', 'EDU_COURSE'].map((tag) => `entity:${tag}:view`),
      rules: [{ tag: 'EDU_GRADE', scope: 'all', expression: null, overrides: { passed: hidden } }],
    })
    const reader = app.client(token)
    const readOptions = async (api: Pick<typeof admin, 'entityData'>) =>
      (await api.entityData.config({ params })).fields.find(({ attrName }) => attrName === 'score')
        ?.options
    expect(await readOptions(admin)).toMatchObject({ warnUnless: 'passed' })
    expect(await readOptions(reader)).not.toHaveProperty('warnUnless')
    expect(
      await captureBrokenRules(
        reader.entityData.page({
          params,
          body: { pageSize: 1, footer: [{ column: 'score', fn: 'below' }] },
        }),
      ),
    ).toEqual([
      'footer.0.fn value 「成绩」不能这样汇总：求和与平均只用于数字，最小与最大只用于数字和日期',
    ])
  })

  it('leaves what was stored before alone until it is changed', async () => {
    expect(await edit(grade, { score: 140 })).toBe('stored')
    await setScale(grade, 100)
    expect(await edit(grade, { remarks: '复核' })).toBe('stored')
    expect(await edit(grade, { score: 139 })).toEqual(tooHigh)
    expect(await edit(grade, { score: 70 })).toBe('stored')
  })
})

describe('bounds of a table from elsewhere', () => {
  const tag = 'BIZ_MEASURE'
  const draft = async () => {
    const { definition } = await admin.design.draft({ params: { name: 'measure' }, query: { tag } })
    return definition
  }
  const withBounds = async (valids: object) => {
    const made = await draft()
    return {
      ...made,
      fields: made.fields.map((field) =>
        field.attrName === 'reading' ? { ...field, valids: { ...field.valids, ...valids } } : field,
      ),
    }
  }
  beforeAll(async () => {
    await sql
      .raw('create table biz.measure (id serial primary key, reading numeric, most numeric)')
      .execute(app.services.database.kysely)
  })

  it('are checked when the definition is saved', async () => {
    const save = async (valids: object) => {
      const found = await captureBrokenRules(
        admin.design.create({ body: await withBounds(valids) }),
      )
      return Array.isArray(found) ? found.map((line: string) => line.split(' ').slice(0, 2)) : found
    }
    expect([
      await save({ max: 'row.nothing' }),
      await save({ max: 'row.most +' }),
      await save({ min: "concat('a', 'b')" }),
      await save({ min: 5, max: 4 }),
      await save({ step: 0 }),
    ]).toEqual([
      [['fields.reading.valids.max', 'entity.E074']],
      [['fields.reading.valids.max', 'entity.E073']],
      [['fields.reading.valids.min', 'entity.E076']],
      [['fields.reading.valids', 'entity.E110']],
      [['fields.reading.valids', 'entity.E110']],
    ])
  })

  it('hold by number, by expression and by step', async () => {
    await admin.design.create({ body: await withBounds({ min: -5, max: 'row.most', step: 0.5 }) })
    const add = (reading: number, most: number | null) =>
      captureBrokenRules(admin.entityData.create({ params: { tag }, body: { reading, most } }))
    expect([
      await add(-5.5, 10),
      await add(10.5, 10),
      await add(9.7, 10),
      await add(10, 10),
      await add(1000, null),
    ]).toEqual([
      ['reading min 不能小于 -5'],
      ['reading max 不能大于 10'],
      ['reading step 须按 0.5 递进'],
      'stored',
      'stored',
    ])
  })

  it('hold when what they read changes', async () => {
    const row = await admin.entityData.create({
      params: { tag },
      body: { reading: 8, most: 10 },
    })
    const change = (most: number) =>
      captureBrokenRules(
        admin.entityData.update({
          params: { tag, id: row.id },
          body: { most, version: row['version'] ?? null },
        }),
      )
    expect([await change(7), await change(9)]).toEqual([['reading max 不能大于 7'], 'stored'])
  })
})
