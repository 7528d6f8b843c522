// The rows of a large block are looked for by their keys in parts, in a list that is too long to be read.
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import { messageText } from '@jiaowu/api/texts/index'
import { gridActors } from '@jiaowu/machines/grid-edit/ports'
import { gridApiPorts } from '@jiaowu/machines/grid-edit/api-ports'
import { gridEditMachine } from '@jiaowu/machines/grid-edit/machine'
import { gridEditView } from '@jiaowu/machines/grid-edit/view'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createActor, waitFor } from 'xstate'

const [students, each] = [2_000, 20]
const first = 70_000_000
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const db = app.services.database.kysely
  await sql`insert into biz.student (id, tenant_id, student_no, name, faculty_id, major_id, class_id)
    select ${sql.lit(first)} + n, tenant_id, 'P' || n, '粘贴' || n % 1500, faculty_id, major_id, class_id
    from (select * from biz.student order by id limit 1) s, generate_series(1, ${sql.lit(students)}) n`.execute(
    db,
  )
  await sql`insert into biz.grade (id, tenant_id, student_id, course_id, term, score)
    select ${sql.lit(first)} + n * ${sql.lit(each)} + c.at, 10000, ${sql.lit(first)} + n, c.id, '2024-2025-1', 60
    from generate_series(1, ${sql.lit(students)}) n,
      (select id, row_number() over (order by id) - 1 as at from biz.course limit ${sql.lit(each)}) c`.execute(
    db,
  )
  await sql`analyze`.execute(db)
}, 120_000)
afterAll(() => app.close())
beforeEach(() => app.advance(61_000))

const readKeyName = (row: Row, attrName: string) =>
  ((row[attrName] ?? []) as readonly DictItem[])[0]?.name ?? ''

async function openGrid() {
  const ports = gridApiPorts(
    admin,
    () => Promise.resolve(),
    (message) => messageText('zh-CN', message),
  )
  const sizes: number[] = []
  const actor = createActor(
    gridEditMachine.provide({
      actors: gridActors({
        ...ports,
        findRows: async (input) => {
          sizes.push(...input.asks.map(({ texts }) => texts.length))
          return await ports.findRows(input, new AbortController().signal)
        },
      }),
    }),
    {
      input: {
        tag: 'EDU_GRADE',
        query: { queries: {}, sorts: [] },
        columns: ['studentNo', 'student', 'course', 'term', 'score'],
        mayEdit: true,
        mayAdd: true,
        history: null,
      },
    },
  ).start()
  await waitFor(actor, (s) => gridEditView(s).isLoaded, { timeout: 30_000 })
  return { actor, sizes }
}

async function block() {
  const course = (
    await admin.entityData.page({
      params: { tag: 'EDU_GRADE' },
      body: { pageSize: 1, queries: { student: [{ id: String(first + 1) }] } },
    })
  ).records[0]
  if (course === undefined) throw new Error('a grade')
  return [
    ['学号', '课程', '学期', '成绩'],
    ...Array.from({ length: students }, (_none, n) => [
      `P${students - n}`,
      readKeyName(course, 'course'),
      readKeyName(course, 'term'),
      '77',
    ]),
  ]
}

it('finds 2,000 lines among more than 40,000 rows, in parts, and says how far it is', async () => {
  const { actor, sizes } = await openGrid()
  expect(gridEditView(actor.getSnapshot()).total).toBeGreaterThan(students * each)
  const told = new Set<string>()
  actor.subscribe((s) => {
    const { found, step } = gridEditView(s)
    if (step === 'matching') told.add(`${found?.done} of ${found?.all}`)
  })
  actor.send({ type: 'paste.start', block: await block() })
  const settled = await waitFor(
    actor,
    (s) => !['matching', 'fetching'].includes(gridEditView(s).step),
    {
      timeout: 120_000,
    },
  )
  const { match } = gridEditView(settled)
  expect(match?.by?.attrName).toBe('studentNo')
  expect(match?.lines).toHaveLength(students)
  expect(new Set(match?.lines.map(({ verdict }) => verdict))).toEqual(new Set(['ready']))
  expect(new Set(match?.lines.map(({ row }) => row?.id)).size).toBe(students)
  for (const { row, key } of match?.lines ?? [])
    expect(readKeyName(row as Row, 'studentNo')).toBe(key)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.maxInValues)
  expect([...told]).toEqual(['0', '500', '1000', '1500'].map((done) => `${done} of 2000`))
  actor.stop()
}, 180_000)

it('stops at a cancel', async () => {
  const { actor, sizes } = await openGrid()
  actor.send({ type: 'paste.start', block: await block() })
  await waitFor(actor, (s) => (gridEditView(s).found?.done ?? 0) > 0, { timeout: 60_000 })
  actor.send({ type: 'paste.cancel' })
  expect(gridEditView(actor.getSnapshot())).toMatchObject({
    step: 'selecting',
    found: null,
    match: null,
  })
  const asked = sizes.length
  // The call under way ends by itself.
  await setTimeout(2_000)
  expect(sizes.length).toBe(asked)
  actor.stop()
}, 120_000)
