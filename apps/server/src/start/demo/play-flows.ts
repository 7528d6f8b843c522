// Cases in every state of the shipped flows, made as people make them: by requests and decisions.
import { defaultTenant } from '@jiaowu/api/limits'
import { sql } from 'kysely'
import { toApplicant } from '../../access/applicant.ts'
import { studentRole } from '../../access/student-role.ts'
import { createPapers } from '../../documents/case-papers.ts'
import { sendEvent } from '../../entities/flow/decide.ts'
import { readFlow } from '../../entities/flow/read.ts'
import { buildJobContext } from '../../entities/jobs/job-rights.ts'
import { createRow, updateRow } from '../../entities/write/write.ts'
import type { Context, Services } from '../../model/context.ts'
import { deferralFlow } from '../../model/shipped/flows/deferral.ts'
import { addPapers } from '../../model/papers.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'

type Step = readonly [account: string, event: string, note?: string]
/** Rows that requests are about. */
interface Rows {
  /** Grades of the teacher's courses that the secretary decides on, with marks that may rise. */
  readonly grades: readonly { readonly id: string; readonly score: number }[]
  /** Students of the secretary's faculty, by status. */
  readonly active: readonly string[]
  readonly suspended: readonly string[]
  /** A grade of each of the last active students. */
  readonly deferrable: readonly Deferrable[]
}
interface Deferrable {
  readonly id: string
  readonly student: string
  readonly term: string
  readonly version: string
}
interface Case {
  readonly tag: string
  readonly values: Readonly<Record<string, unknown>>
  /** The first is taken by the person who makes the row. */
  readonly by: string
  readonly steps: readonly Step[]
}

interface Deferral {
  readonly grade: Deferrable
  readonly reason: string
  readonly steps: readonly Step[]
}
/** In place of an account: the student of the case. */
const applicant = 'applicant'

const choose = (id: string | undefined) => [{ id: id ?? '', name: '' }]

function listGradeChanges({ grades }: Rows): readonly Case[] {
  const submit: Step = ['teacher', 'SUBMIT']
  const agree: Step = ['secretary', 'APPROVE', '已核对试卷']
  const lines: readonly (readonly [add: number, reason: string, ...steps: readonly Step[]])[] = [
    [2, '平时成绩漏录，待补充依据'],
    [5, '第三大题漏计 5 分', submit],
    [3, '卷面合分有误', submit, agree],
    [4, '实验成绩未计入', submit, agree, ['registrar', 'APPROVE']],
    [1, '学生申请复核', submit, ['secretary', 'REJECT', '复核无误，维持原成绩']],
    [2, '重复申请', ['teacher', 'CANCEL']],
  ]
  return lines.flatMap(([add, reason, ...steps], i) => {
    const grade = grades[i]
    if (grade === undefined) return []
    const values = { grade: choose(grade.id), score: grade.score + add, reason }
    return [{ tag: 'EDU_GRADE_CHANGE', by: 'teacher', values, steps }]
  })
}

function listStatusChanges({ active, suspended }: Rows): readonly Case[] {
  const submit: Step = ['secretary', 'SUBMIT']
  const agree: Step = ['dean', 'APPROVE']
  const clear = ['library', 'finance', 'dormitory'].map((office): Step => [office, 'CLEAR'])
  const lines: readonly (readonly [kind: string, reason: string, ...steps: readonly Step[]])[] = [
    ['suspend', '参军入伍，待补入伍通知书'],
    ['suspend', '因病休养一年', submit],
    ['withdraw', '出国留学', submit, agree, ...clear.slice(0, 2)],
    ['suspend', '创业', submit, agree, ...clear],
    ['suspend', '因病休养半年', submit, agree, ...clear, ['registrar', 'APPROVE']],
    ['resume', '康复，申请复学', submit, agree],
    ['withdraw', '个人原因', submit, ['dean', 'REJECT', '请先与导师沟通']],
    ['suspend', '重复申请', ['secretary', 'CANCEL']],
  ]
  return lines.flatMap(([kind, reason, ...steps], i) => {
    const student = kind === 'resume' ? suspended[0] : active[i]
    if (student === undefined) return []
    const values = {
      student: choose(student),
      kind: choose(kind),
      term: choose('2025-2026-2'),
      reason,
    }
    return [{ tag: 'EDU_STATUS_CHANGE', by: 'secretary', values, steps }]
  })
}

/** Students apply for these themselves. */
function listDeferrals({ deferrable }: Rows): readonly Deferral[] {
  const submit: Step = [applicant, 'SUBMIT']
  const agree: Step = ['secretary', 'APPROVE', '已核对证明']
  const lines: readonly (readonly [reason: string, ...steps: readonly Step[]])[] = [
    ['发烧，待补医院证明'],
    ['急性阑尾炎住院', submit],
    ['代表学校参加省级竞赛', submit, agree],
    ['直系亲属病重', submit, agree, ['registrar', 'APPROVE']],
    ['复习不充分', submit, ['secretary', 'REJECT', '不属于可以缓考的情形']],
    ['已痊愈，不再需要', [applicant, 'CANCEL']],
  ]
  return lines.flatMap(([reason, ...steps], i) => {
    const grade = deferrable[i]
    return grade === undefined ? [] : [{ grade, reason, steps }]
  })
}

/** Plays the cases of the first school, whose people `installDemo` has made. */
export async function playDemoFlows(services: Services): Promise<void> {
  addPapers(services, createPapers(services))
  const rows = await listRows(services)
  const people = new Map<string, Context>()
  const person = async (account: string) => {
    const known = people.get(account) ?? (await loadPerson(services, account))
    people.set(account, known)
    return known
  }
  for (const { tag, by, values, steps } of [
    ...listGradeChanges(rows),
    ...listStatusChanges(rows),
  ]) {
    const entity = await services.registry.find(defaultTenant, tag)
    if (entity === undefined) throw new Error(`${tag} is not installed`)
    const { id } = await createRow(await person(by), entity, values)
    for (const step of steps) await take(await person(step[0]), entity, id, step)
  }
  for (const deferral of listDeferrals(rows)) await playDeferral(services, deferral, person)
}

async function playDeferral(
  { registry }: Services,
  { grade: { id: gradeId, student, term, version }, reason, steps }: Deferral,
  person: (account: string) => Promise<Context>,
): Promise<void> {
  const registrar = await person('registrar')
  // An exam is deferred before it has a mark.
  await updateRow(registrar, await registry.get(defaultTenant, 'EDU_GRADE'), gradeId, {
    version,
    score: null,
  })
  const by = await toApplicant({ ...registrar, subject: buildStudent(registrar, student) })
  const entity = await registry.get(defaultTenant, 'EDU_DEFERRAL')
  const own = entity.field(deferralFlow.student?.field ?? '')
  if (own === undefined) throw new Error('a deferral names its student')
  const { id } = await createRow(
    by,
    entity,
    { term: choose(term), grade: choose(gradeId), reason },
    { set: [{ field: own, value: choose(student) }] },
  )
  for (const step of steps)
    await take(step[0] === applicant ? by : await person(step[0]), entity, id, step)
}

function buildStudent({ subject }: Context, id: string): Context['subject'] {
  const nothing = {
    roleIds: [],
    permissions: new Set<string>(),
    grants: [],
    org: null,
    person: null,
  }
  return { ...subject, ...nothing, kind: 'student', userId: id, roles: [studentRole] }
}

async function take(
  person: Context,
  entity: LoadedEntity,
  id: string,
  [, event, note]: Step,
): Promise<void> {
  const { version } = await readFlow(person, entity, id)
  await sendEvent(person, entity, id, event, { version, note, fields: {} })
}

async function loadPerson(services: Services, account: string): Promise<Context> {
  const { id } = await services.database.kysely
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', defaultTenant)
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  return await buildJobContext(services, {
    tenant_id: defaultTenant,
    user_id: id,
    locale: 'zh-CN',
  })
}

async function listRows({ database: { kysely } }: Services): Promise<Rows> {
  const { rows: grades } = await sql<{ id: string; score: number }>`
    select g.id::text as id, g.score::float8 as score
    from biz.grade g
    join biz.course c on c.tenant_id = g.tenant_id and c.id = g.course_id
    join sys.app_user t on t.tenant_id = g.tenant_id and t.account = 'teacher' and t.person_id = c.teacher_id::text
    join sys.app_user s on s.tenant_id = g.tenant_id and s.account = 'secretary' and s.org_id = g.org_id
    where g.tenant_id = ${defaultTenant}::int8 and g.score between 50 and 90
    order by g.id desc
    limit 20`.execute(kysely)
  const { rows: students } = await sql<{ id: string; status: string }>`
    select b.id::text as id, b.status
    from biz.student b
    join sys.app_user s on s.tenant_id = b.tenant_id and s.account = 'secretary' and s.org_id = b.org_id
    where b.tenant_id = ${defaultTenant}::int8 and b.account_mobile is null
    order by b.id desc
    limit 200`.execute(kysely)
  const find = (wanted: string) =>
    students.flatMap(({ id, status }) => (status === wanted ? [id] : []))
  const active = find('1')
  const { rows: deferrable } = await sql<Deferrable>`
    select distinct on (student_id) id::text as id, student_id::text as student, term, version::text as version
    from biz.grade
    where tenant_id = ${defaultTenant}::int8 and student_id = any(${active.slice(-6)}::int8[])
    order by student_id, id`.execute(kysely)
  return { grades, active, suspended: find('2'), deferrable }
}
