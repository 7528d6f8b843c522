// The shipped correction of a grade in the demonstration school (docs/rules/contract.md#demo-data).
import { defaultTenant } from '@jiaowu/api/limits'
import { proveFlow } from '@jiaowu/machines/flow/prove'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gradeChangeFlow } from '../../../apps/server/src/model/shipped/flows/grade-change.ts'
import { type Api, refusedBy } from './flow-school.ts'

const [tag, grade] = ['EDU_GRADE_CHANGE', 'EDU_GRADE'] as const
let app: TestApp
let [teacher, secretary, registrar, admin]: Api[] = []
beforeAll(async () => {
  app = await testApp()
  teacher = await app.signIn('teacher')
  secretary = await app.signIn('secretary')
  registrar = await app.signIn('registrar')
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

const by = (api: Api | undefined): Api => {
  if (api === undefined) throw new Error('not signed in')
  return api
}
async function sendAs(api: Api, id: string, event: string, note?: string) {
  const { version } = await api.flow.read({ params: { tag, id } })
  return await api.flow.send({
    params: { tag, id, event },
    body: { version, ...(note === undefined ? {} : { note }) },
  })
}
/** Grades of the teacher's courses, of students of the secretary's faculty or of others. */
async function listGrades(isOwnFaculty: boolean) {
  const { rows } = await sql<{ id: string; score: number }>`
    select g.id::text as id, g.score::float8 as score
    from biz.grade g join biz.course c on c.tenant_id = g.tenant_id and c.id = g.course_id
    join sys.app_user t on t.tenant_id = g.tenant_id and t.account = 'teacher' and t.person_id = c.teacher_id::text
    join sys.app_user s on s.tenant_id = g.tenant_id and s.account = 'secretary'
    where g.tenant_id = ${defaultTenant}::int8 and (g.org_id = s.org_id) = ${isOwnFaculty}
    order by g.id`.execute(app.services.database.kysely)
  return rows
}
async function ask(api: Api, gradeId: string, score: number): Promise<string> {
  const row = await api.entityData.create({
    params: { tag },
    body: { grade: [{ id: gradeId, name: '' }], score, reason: '卷面分漏加' },
  })
  return row.id
}
const readGrade = (id: string) => by(admin).entityData.get({ params: { tag: grade, id } })

it('is proved, also by the rules that the school chose', () => {
  expect(proveFlow(gradeChangeFlow)).toEqual([])
})

it('goes from the teacher to the grade, whose derived fields follow', async () => {
  const [chosen] = await listGrades(true)
  const { id: gradeId = '', score: before } = chosen ?? {}
  const id = await ask(by(teacher), gradeId, 93.5)
  expect(await by(teacher).entityData.get({ params: { tag, id } })).toMatchObject({
    oldScore: before,
    score: 93.5,
    state: [{ id: 'draft', name: '草稿' }],
  })
  await sendAs(by(teacher), id, 'SUBMIT')
  await sendAs(by(secretary), id, 'APPROVE', '已核对试卷')
  expect((await readGrade(gradeId))['score']).toBe(before)
  await sendAs(by(registrar), id, 'APPROVE')
  expect(await readGrade(gradeId)).toMatchObject({ score: 93.5, gradePoint: 4.4, passed: '1' })
  expect(await by(teacher).entityData.get({ params: { tag, id } })).toMatchObject({
    oldScore: before,
    state: [{ id: 'approved', name: '已更正' }],
  })
})

it('waits for the secretary of the faculty, and for nobody else', async () => {
  const [foreign] = await listGrades(false)
  const id = await ask(by(teacher), foreign?.id ?? '', 60)
  await sendAs(by(teacher), id, 'SUBMIT')
  for (const api of [secretary, registrar, teacher, admin])
    expect((await refusedBy(sendAs(by(api), id, 'APPROVE'))).code).toBe(403)
})

it('comes back to the teacher, who corrects it', async () => {
  const [, chosen] = await listGrades(true)
  const id = await ask(by(teacher), chosen?.id ?? '', 61)
  await sendAs(by(teacher), id, 'SUBMIT')
  const edit = async () => {
    const { version } = await by(teacher).entityData.get({ params: { tag, id } })
    return await by(teacher).entityData.update({
      params: { tag, id },
      body: { version, score: 62 },
    })
  }
  expect(await refusedBy(edit())).toMatchObject({ rules: ['flow'] })
  await sendAs(by(secretary), id, 'RETURN', '附上试卷')
  expect((await edit())['score']).toBe(62)
})

it('shows a teacher own requests alone, and takes no grade of another course', async () => {
  const [first] = await listGrades(true)
  const id = await ask(by(teacher), first?.id ?? '', 70)
  expect((await by(teacher).entityData.page({ params: { tag }, body: {} })).records[0]?.id).toBe(id)
  const { rows } = await sql<{ id: string }>`
    select g.id::text as id from biz.grade g
    join biz.course c on c.tenant_id = g.tenant_id and c.id = g.course_id
    join sys.app_user t on t.tenant_id = g.tenant_id and t.account = 'teacher'
    where g.tenant_id = ${defaultTenant}::int8 and t.person_id <> c.teacher_id::text
    limit 1`.execute(app.services.database.kysely)
  expect((await refusedBy(ask(by(teacher), rows[0]?.id ?? '', 70))).code).toBe(42200)
  await sql`update biz.grade_change set create_user = 1 where id = ${id}::int8`.execute(
    app.services.database.kysely,
  )
  expect((await refusedBy(by(teacher).entityData.get({ params: { tag, id } }))).code).toBe(404)
})
