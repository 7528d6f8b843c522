// Rules of a table hold through every entity of it: submitted sheets, computed values and bounds
// (docs/rules/contract.md#entry-sheets, #derived-fields, #rules-of-values). A second entity has no
// rule of its own; a third lacks the columns that the rules read and write.
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { isJobOver } from '@jiaowu/api/contract/job'
import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'

type Api = Client<typeof contract>
let app: TestApp
let admin: Api
const owner = 'EDU_GRADE'
const [second, lean] = ['GRADE_SECOND', 'GRADE_LEAN']
/** A row of the sheet to be submitted, and one of another. */
let [inside, outside]: [Row, Row] = [] as unknown as [Row, Row]
let [by, other]: [Sheet, Sheet] = [] as unknown as [Sheet, Sheet]

interface Sheet {
  readonly course: string
  readonly term: string
}

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const { definition } = await admin.design.draft({ params: { name: 'biz.grade' } })
  const plain = definition.fields
  await createSameTableEntity(definition, second, plain)
  await createSameTableEntity(
    definition,
    lean,
    plain.filter(({ columnName }) => ['student_id', 'score', 'remarks'].includes(columnName ?? '')),
  )
  const { records } = await loadOwnerPage({})
  inside = records[0] as Row
  by = toRowSheet(inside)
  outside = records.find((row) => toRowSheet(row).course !== by.course) as Row
  other = toRowSheet(outside)
})
afterAll(() => app.close())

async function createSameTableEntity(
  draft: EntityDefinition,
  tag: string,
  fields: readonly FieldDefinition[],
): Promise<void> {
  await admin.design.create({
    body: { ...draft, tag, name: tag, options: {}, tagField: null, fields },
  })
}
const loadOwnerPage = (queries: Record<string, unknown>, tag = owner) =>
  admin.entityData.page({ params: { tag }, body: { queries, pageSize: 500 } })
function toRowSheet(row: Row): Sheet {
  return { course: toChoiceId(row['course']), term: toChoiceId(row['term']) }
}
function toChoiceId(value: unknown): string {
  return Array.isArray(value) ? String((value[0] as { id: string } | undefined)?.id) : String(value)
}
/** Rows of the table as they are stored. */
async function readStoredRows(ids: readonly string[]): Promise<unknown[]> {
  const { rows } = await sql`
    select * from biz.grade where id = any(${ids}::int8[]) order by id`.execute(
    app.services.database.kysely,
  )
  return rows
}
async function captureWriteMessage(attempt: Promise<unknown>): Promise<string> {
  const caught = (await attempt.catch((error: unknown) => error)) as {
    problem?: { code: number; message: unknown; errors?: unknown }
  }
  return caught.problem === undefined
    ? 'done'
    : `${caught.problem.code} ${String(caught.problem.message)}`
}
async function waitForBulkEnd(id: string): Promise<BulkJob> {
  for (;;) {
    const job = await admin.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
const rowIn = async (tag: string, id: string) => await admin.entityData.get({ params: { tag, id } })
const saveRow = async (tag: string, id: string, values: Record<string, unknown>) => {
  const { version } = await rowIn(tag, id)
  return await admin.entityData.update({ params: { tag, id }, body: { ...values, version } })
}
const submit = async (sheet: Sheet) => {
  const params = { tag: owner }
  const { entered } = await admin.entry.read({ params, body: { by: { ...sheet } } })
  await admin.entry.submit({ params, body: { by: { ...sheet }, entered } })
}

describe('computed values and bounds', () => {
  it.each([second, lean])('follow a form of %s', async (tag) => {
    await saveRow(tag, outside.id, { score: 88 })
    expect(await rowIn(owner, outside.id)).toMatchObject({ gradePoint: 3.8, passed: '1' })
    await saveRow(tag, outside.id, { score: 12.5 })
    expect(await rowIn(owner, outside.id)).toMatchObject({ gradePoint: 0, passed: '0' })
  })

  it('replace what a form sends for a computed column', async () => {
    await saveRow(second, outside.id, { score: 88 })
    await saveRow(second, outside.id, { gradePoint: 1.5 })
    expect(await rowIn(owner, outside.id)).toMatchObject({ gradePoint: 3.8 })
  })

  it.each([second, lean])('refuse a mark above the full mark through %s', async (tag) => {
    const before = await readStoredRows([outside.id])
    expect(await captureWriteMessage(saveRow(tag, outside.id, { score: 120 }))).toMatch(/^42200/)
    expect(await captureWriteMessage(saveRow(tag, outside.id, { score: -1 }))).toMatch(/^42200/)
    expect(await readStoredRows([outside.id])).toEqual(before)
  })

  it.each([second, lean])('follow imports and bulk changes of %s', async (tag) => {
    const file = toCsv(`id,score\n${outside.id},61`)
    const job = await importFile(admin, tag, file, { mode: 'update', key: 'id', onError: 'skip' })
    expect(job).toMatchObject({ updated: 1 })
    const passed = await rowIn(owner, outside.id)
    expect(passed).toMatchObject({ passed: '1' })
    const bulk = await admin.bulk.update({
      params: { tag },
      body: { ids: [outside.id], set: { score: 45 } },
    })
    expect(await waitForBulkEnd(bulk.id)).toMatchObject({ changed: 1 })
    await admin.bulk.apply({ params: { id: bulk.id }, body: { count: 1 } })
    expect(await waitForBulkEnd(bulk.id)).toMatchObject({ updated: 1 })
    expect(await rowIn(owner, outside.id)).toMatchObject({ gradePoint: 0, passed: '0' })
  })
})

describe('a column that two entities compute', () => {
  const computedBy = async (derived: string) => {
    const definition = await admin.design.load({ params: { tag: second } })
    const fields = definition.fields.map((field) =>
      field.columnName === 'grade_point' ? { ...field, derived } : field,
    )
    return { ...definition, fields }
  }
  const saved = (body: EntityDefinition) =>
    captureWriteMessage(admin.design.save({ params: { tag: second }, body }))
  const plain = () => admin.design.load({ params: { tag: second } })

  it('is refused in a definition that has another formula, which names the entity', async () => {
    const body = await computedBy('row.score * 2')
    const { findings } = await admin.design.check({ body })
    expect(findings).toContainEqual(
      expect.objectContaining({
        id: 'entity.E116',
        severity: 'error',
        attrName: 'gradePoint',
        msg: expect.stringContaining(owner) as unknown,
      }),
    )
    expect(await saved(body)).toMatch(/^42200/)
    expect((await plain()).fields.filter(({ derived }) => derived != null)).toEqual([])
  })

  it('has the value of the formula declared first, in definitions saved before too', async () => {
    const { rows } = await sql<{ definition: string }>`
      select definition::text as definition from sys.entity where tag = ${second}`.execute(
      app.services.database.kysely,
    )
    const before = rows[0]?.definition ?? ''
    const { fields, ...rest } = JSON.parse(before) as EntityDefinition
    const text = JSON.stringify({
      ...rest,
      fields: fields.map((field) =>
        field.columnName === 'grade_point' ? { ...field, derived: 'row.score * 2' } : field,
      ),
    })
    const store = async (definition: string) => {
      const { numAffectedRows } = await sql`
        update sys.entity set definition = ${definition}, version = version + 1
        where tag = ${second}`.execute(app.services.database.kysely)
      expect(numAffectedRows).toBe(1n)
      await new Promise((resolve) => {
        setTimeout(resolve, 1_200)
      })
    }
    await store(text)
    try {
      for (const tag of [second, lean, owner]) {
        await saveRow(tag, outside.id, { score: 12.5 })
        expect(await rowIn(owner, outside.id)).toMatchObject({ gradePoint: 0, passed: '0' })
        await saveRow(tag, outside.id, { score: 88 })
        expect(await rowIn(owner, outside.id)).toMatchObject({ gradePoint: 3.8, passed: '1' })
      }
    } finally {
      await store(before)
    }
  })
})

describe('a submitted sheet', () => {
  it.each([second, lean])('takes no write through %s, by whatever way', async (tag) => {
    const params = { tag: owner }
    const { locked } = await admin.entry.read({ params, body: { by: { ...by } } })
    if (locked === null) await submit(by)
    const before = await readStoredRows([inside.id, outside.id])
    const refused = /^409 所在的录入表已提交锁定/
    const moved = { courseId: inside['course'], term: by.term }
    expect(await captureWriteMessage(saveRow(tag, inside.id, { score: 12.5 }))).toMatch(refused)
    expect(await captureWriteMessage(saveRow(tag, inside.id, { remarks: 'x' }))).toMatch(refused)
    expect(
      await captureWriteMessage(admin.entityData.remove({ params: { tag, ids: inside.id } })),
    ).toMatch(refused)
    if (tag === second) {
      expect(
        await captureWriteMessage(
          admin.entityData.create({
            params: { tag },
            body: { ...moved, studentId: inside['student'], score: 60 },
          }),
        ),
      ).toMatch(refused)
      expect(await captureWriteMessage(saveRow(tag, outside.id, moved))).toMatch(refused)
    }
    const file = toCsv(`id,score\n${inside.id},77`)
    const job = await importFile(admin, tag, file, { mode: 'update', key: 'id', onError: 'skip' })
    expect(job).toMatchObject({ updated: 0, failed: 1 })
    const bulk = await admin.bulk.update({
      params: { tag },
      body: { ids: [inside.id], set: { score: 45 } },
    })
    expect(await waitForBulkEnd(bulk.id)).toMatchObject({ changed: 0 })
    const gone = await admin.bulk.remove({ params: { tag }, body: { ids: [inside.id] } })
    expect(await waitForBulkEnd(gone.id)).toMatchObject({ changed: 0 })
    expect(await readStoredRows([inside.id, outside.id])).toEqual(before)
  })

  it('is not restored into through a second entity', async () => {
    await admin.entityData.remove({ params: { tag: second, ids: outside.id } })
    await submit(other)
    const restore = admin.history.restore({ params: { tag: second, ids: outside.id } })
    expect(await captureWriteMessage(restore)).toMatch(/^409/)
  })

  it('is not opened by a change of the definition', async () => {
    const definition = await admin.design.load({ params: { tag: owner } })
    const { entry, ...options } = definition.options
    const saveAs = (changed: Partial<EntityDefinition>) =>
      captureWriteMessage(
        admin.design.save({ params: { tag: owner }, body: { ...definition, ...changed } }),
      )
    const refused = /^409 \d 张录入表/
    if (entry === undefined) throw new Error('no sheets')
    expect(await saveAs({ options })).toMatch(refused)
    expect(await saveAs({ options: { ...options, entry: { ...entry, by: ['course'] } } })).toMatch(
      refused,
    )
    // The order of the fields is no part of a sheet's name.
    const turned = { ...entry, by: entry.by.toReversed() }
    expect(await saveAs({ options: { ...options, entry: turned } })).toBe('done')
    expect(await captureWriteMessage(saveRow(owner, inside.id, { score: 50 }))).toMatch(/^409/)
    const read = await admin.entry.read({ params: { tag: owner }, body: { by: { ...by } } })
    expect(read.locked).not.toBeNull()
  })

  it('is named by the column where no entity has one that locks it', async () => {
    const { kysely } = app.services.database
    await sql`
      insert into sys.entry_lock (tenant_id, table_name, sheet, user_id, locked_at)
      select tenant_id, table_name, '{"room_gone":"1"}', user_id, locked_at from sys.entry_lock
      where table_name = 'biz.grade' limit 1`.execute(kysely)
    const attempt = await captureWriteMessage(saveRow(second, inside.id, { remarks: 'x' }))
    await sql`delete from sys.entry_lock where sheet = '{"room_gone":"1"}'`.execute(kysely)
    expect(attempt).toMatch(/^409.*room_gone/)
  })

  it('can be opened again, and then takes writes through each of them', async () => {
    await admin.entry.unlock({
      params: { tag: owner },
      body: { by: { ...by }, reason: '成绩登记有误' },
    })
    for (const tag of [owner, second, lean]) await saveRow(tag, inside.id, { score: 70 })
    expect(await rowIn(owner, inside.id)).toMatchObject({ score: 70, passed: '1' })
  })
})
