// The account `teacher` of the demonstration school sees the grades of own courses, by whatever way: its role
// has a row rule across a relation (docs/rules/security.md#rules-across-relations).
import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import { isJobOver } from '@jiaowu/api/contract/job'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSheetCells, toCsv, importFile } from '../../support/imports.ts'

type Client = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let [admin, teacher] = [] as unknown as [Client, Client]
let [own, others] = [[], []] as [Row[], Row[]]
let courses: ReadonlySet<string>
const tag = 'EDU_GRADE'
const params = { tag }
const item = (row: Row | undefined, name: string) =>
  ((row?.[name] ?? []) as readonly DictItem[])[0] ?? { id: '', name: '' }
const sortRowIds = (rows: readonly Row[]) => rows.map(({ id }) => id).toSorted()

async function loadAllRows(of: string, by: Client, queries: Record<string, unknown> = {}) {
  return (await by.entityData.page({ params: { tag: of }, body: { queries, pageSize: 1000 } }))
    .records
}

beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  teacher = await app.signIn('teacher')
  const [account] = await loadAllRows('SYS_USER', admin, { account: 'teacher' })
  const person = item(account, 'personId').id
  courses = new Set(
    (await loadAllRows('EDU_COURSE', admin))
      .filter((row) => item(row, 'teacher').id === person)
      .map(({ id }) => id),
  )
  const grades = await loadAllRows(tag, admin)
  own = grades.filter((row) => courses.has(item(row, 'course').id))
  others = grades.filter((row) => !courses.has(item(row, 'course').id))
  expect(own.length).toBeGreaterThan(1)
  expect(others.length).toBeGreaterThan(1)
})
afterAll(() => app.close())

const buildProblemShape = (code: number) => ({ problem: { code } })
async function waitForTeacherJob(id: string): Promise<BulkJob> {
  for (;;) {
    const job = await teacher.bulk.get({ params: { id } })
    if (isJobOver(job) || job.status === 'paused') return job
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

it('lists own rows, their courses and figures', async () => {
  expect(sortRowIds(await loadAllRows(tag, teacher))).toEqual(sortRowIds(own))
  expect(sortRowIds(await loadAllRows('EDU_COURSE', teacher))).toEqual([...courses].toSorted())
  const page = await teacher.entityData.page({
    params,
    body: {
      pageSize: 1,
      group: { column: 'course' },
      footer: [
        { column: 'score', fn: 'count' },
        { column: 'score', fn: 'sum' },
      ],
    },
  })
  expect(page.total).toBe(own.length)
  expect(new Set(page.groups?.map(({ value }) => JSON.stringify(value))).size).toBe(
    new Set(own.map((row) => item(row, 'course').id)).size,
  )
  expect(page.groups?.reduce((sum, { count }) => sum + count, 0)).toBe(own.length)
  const scores = own.flatMap(({ score }) => (score === null ? [] : [Number(score)]))
  expect(page.footer?.map(({ value }) => Number(value))).toEqual([
    scores.length,
    scores.reduce((sum, score) => sum + score, 0),
  ])
  const hidden = { course: item(others[0], 'course').id }
  expect(await loadAllRows(tag, teacher, hidden)).toEqual([])
})

it('crosses faculties and terms as SQL over the grades of the caller does', async () => {
  const inTeachersCourses = sql`course_id in (select id from biz.course where teacher_id::text =
    (select person_id from sys.app_user where account = 'teacher' and tenant_id = 10000))`
  for (const [by, rows] of [
    [admin, sql`true`],
    [teacher, inTeachersCourses],
  ] as const) {
    const found = await sql<Record<'faculty' | 'term' | 'n' | 'fails' | 'score', string | null>>`
      select faculty_id::text as faculty, term, count(*)::text as n,
        (count(*) filter (where score < 60))::text as fails, round(avg(score), 6)::float8::text as score
      from biz.grade where tenant_id = 10000 and deleted_at is null and ${rows}
      group by cube (faculty_id, term)`.execute(app.services.database.kysely)
    const id = (value: unknown) => ((value ?? []) as readonly DictItem[])[0]?.id ?? null
    const { table } = await by.entityData.page({
      params,
      body: {
        pageSize: 1000,
        group: {
          column: 'faculty',
          table: {
            across: { column: 'term' },
            figures: [
              {
                column: 'score',
                fn: 'count',
                where: { and: [{ column: 'score', op: 'lt', value: 60 }] },
              },
              { column: 'score', fn: 'avg' },
            ],
          },
        },
      },
    })
    if (table === undefined) throw new Error('no table')
    const shown = [
      ...table.rows.flatMap(({ value, cells, all }) => [
        ...cells.map((cell, index) => [id(value), id(table.heads[index]), cell] as const),
        [id(value), null, all] as const,
      ]),
      ...table.totals.map((cell, index) => [null, id(table.heads[index]), cell] as const),
      [null, null, table.all] as const,
    ].flatMap(([faculty, term, cell]) =>
      cell === null
        ? []
        : [[faculty, term, cell.count, ...cell.figures.map((each) => each && Number(each))]],
    )
    expect(table.heads.length).toBeGreaterThan(1)
    expect(shown.toSorted()).toEqual(
      found.rows
        .map(({ faculty, term, n, fails, score }) => [
          faculty,
          term,
          Number(n),
          Number(fails),
          score === null ? null : Number(score),
        ])
        .toSorted(),
    )
  }
})

it('exports own rows', async () => {
  const { stream } = await teacher.entityData.export({ params, body: { format: 'xlsx' } })
  expect((await readSheetCells(stream)).length - 1).toBe(own.length)
})

it('shows and changes one row, with its history', async () => {
  const [mine, foreign] = [own[0], others[0]]
  const at = (row: Row | undefined) => ({ tag, id: row?.id ?? '' })
  await expect(teacher.entityData.get({ params: at(foreign) })).rejects.toMatchObject(
    buildProblemShape(404),
  )
  await expect(teacher.history.of({ params: at(foreign) })).rejects.toMatchObject(
    buildProblemShape(404),
  )
  const change = (row: Row | undefined, body: Record<string, unknown>) =>
    teacher.entityData.update({
      params: at(row),
      body: { version: row?.version ?? 0, ...body },
    })
  await expect(change(foreign, { score: 61 })).rejects.toMatchObject(buildProblemShape(404))
  const stored = await teacher.entityData.get({ params: at(mine) })
  expect(await change(stored, { score: 61 })).toMatchObject({ score: 61 })
  const { entries } = await teacher.history.of({ params: at(mine) })
  expect(entries[0]?.user?.name).toBe((await teacher.session.whoami({})).name)
  await expect(
    teacher.entityData.remove({ params: { tag, ids: mine?.id ?? '' } }),
  ).rejects.toMatchObject(buildProblemShape(403))
})

it('adds rows of own courses alone', async () => {
  const student = item(own[0], 'student')
  const taken = new Set(
    (await loadAllRows(tag, admin, { student: student.id })).map(
      (row) => `${item(row, 'course').id} ${item(row, 'term').id}`,
    ),
  )
  const terms = await admin.entityData.lookup({ params, body: { fieldId: 'term', pageSize: 100 } })
  const term = (Array.isArray(terms) ? terms : terms.records)
    .map(({ id }) => id)
    .find((id) => [...courses].every((course) => !taken.has(`${course} ${id}`)))
  const add = (course: string) =>
    teacher.entityData.create({
      params,
      body: {
        student: [student],
        course: [{ id: course, name: '' }],
        term: [{ id: term ?? '', name: '' }],
        score: 70,
      },
    })
  const [course = ''] = courses
  const made = await add(course)
  expect(made).toMatchObject({ score: 70 })
  own.push(made)
  // Among the choices of the field there is no other course.
  await expect(add(item(others[0], 'course').id)).rejects.toMatchObject(buildProblemShape(42200))
  const answer = await teacher.entityData.lookup({
    params,
    body: { fieldId: 'course', pageSize: 100 },
  })
  const chosen = Array.isArray(answer) ? answer : answer.records
  expect(chosen.map(({ id }) => id).toSorted()).toEqual([...courses].toSorted())
})

it('enters the marks of own sheets', async () => {
  const sheet = (row: Row | undefined) => ({
    course: item(row, 'course').id,
    term: item(row, 'term').id,
  })
  const read = (row: Row | undefined) => teacher.entry.read({ params, body: { by: sheet(row) } })
  const mine = own.at(-1)
  const whole = await admin.entry.read({ params, body: { by: sheet(mine) } })
  expect(await read(mine)).toMatchObject({ total: whole.total, can: { submit: true } })
  expect(await read(others[0])).toMatchObject({ total: 0, can: { submit: false } })
  const submit = (row: Row | undefined, entered: number) =>
    teacher.entry.submit({ params, body: { by: sheet(row), entered } })
  await expect(submit(others[0], 1)).rejects.toMatchObject(buildProblemShape(409))
  expect((await submit(mine, whole.entered)).locked).not.toBeNull()
})

it('changes many rows of own courses', async () => {
  const set = { remarks: '复核' }
  const body = { ids: [own[0]?.id ?? '', others[0]?.id ?? ''], set }
  const picked = await waitForTeacherJob((await teacher.bulk.update({ params, body })).id)
  expect(picked).toMatchObject({ total: 2, changed: 1, failed: 1 })
  expect(JSON.stringify(picked)).not.toContain(item(others[0], 'student').name)
  const some = await waitForTeacherJob(
    (await teacher.bulk.update({ params, body: { queries: {}, set } })).id,
  )
  expect(some.total).toBe((await loadAllRows(tag, teacher)).length)
})

it('imports rows of own courses', async () => {
  const numbers = async (row: Row | undefined) => {
    const [found] = (await loadAllRows('EDU_STUDENT', admin)).filter(
      ({ id }) => id === item(row, 'student').id,
    )
    return String(found?.['studentNo'])
  }
  const line = async (row: Row | undefined) =>
    [row?.id, await numbers(row), item(row, 'course').name, item(row, 'term').name, '88'].join()
  const file = toCsv(`编号,学生,课程,学期,成绩\n${await line(own[1])}\n${await line(others[1])}\n`)
  const job = await importFile(teacher, tag, file, {
    mode: 'update',
    key: 'id',
    onError: 'skip',
    mapping: JSON.stringify([{ header: '编号', attrName: 'id' }]),
  })
  expect(job).toMatchObject({ updated: 1, inserted: 0, failed: 1 })
  const read = async (row: Row | undefined) =>
    (await admin.entityData.get({ params: { tag, id: row?.id ?? '' } }))['score']
  expect(await read(own[1])).toBe(88)
  expect(await read(others[1])).toBe(others[1]?.['score'])
})

it('prints no document', async () => {
  const [student] = await loadAllRows('EDU_STUDENT', admin)
  const body = { stuNo: String(student?.['studentNo']), reportId: '2001' }
  await expect(teacher.print.preview({ body })).rejects.toMatchObject(buildProblemShape(403))
  await expect(teacher.print.adminDownload({ body })).rejects.toMatchObject(buildProblemShape(403))
})
