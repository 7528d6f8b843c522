// The demonstration school of a running server, with new rows for the paths through the shipped flows.
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { createClient } from '@jiaowu/api/client/client'
import { captchaTicketHeader } from '@jiaowu/api/contract/student/student'
import { gradeChangeFlow } from '../../../apps/server/src/model/shipped/flows/grade-change.ts'
import { deferralFlow } from '../../../apps/server/src/model/shipped/flows/deferral.ts'
import { statusChangeFlow } from '../../../apps/server/src/model/shipped/flows/status-change.ts'
import type { RunningServer } from '../../support/server.ts'
import { staffClient } from '../../support/staff-client.ts'
import { type Api, captchaAnswer, lastCode } from '../../support/student.ts'

const term = '2025-2026-2'
export const studentMobile = '13800000001'
const offices = ['secretary', 'dean', 'library', 'finance', 'dormitory', 'registrar'] as const

/** A shipped flow and the people who take part in it. */
export interface WalkedFlow {
  readonly tag: string
  readonly flow: Flow
  /** The account that makes the rows; `student` for the student of `studentMobile`. */
  readonly applicant: string
  /** Makes a row of its own for a path. */
  readonly make: (row: Readonly<Record<string, unknown>>) => Promise<MadeRow>
}
interface MadeRow {
  readonly id: string
  /** The value that the effect of the flow changes, as text. */
  readonly readTarget: () => Promise<string>
  /** The value after the effect. */
  readonly effect: string
}
export interface WalkSchool {
  readonly apis: ReadonlyMap<string, Api>
  readonly studentToken: string
  readonly flows: readonly WalkedFlow[]
}

const toChoice = (id: string) => [{ id, name: '' }]
const toText = (value: unknown): string =>
  Array.isArray(value) ? String((value as { id: string }[])[0]?.id) : String(value)

/**
 * @param server with `captchaEnv` and the demonstration school
 * @param studentToken of a session of `studentMobile`, which may ask for a code once a minute
 */
export async function openWalkSchool(
  server: RunningServer,
  studentToken?: string,
): Promise<WalkSchool> {
  const token = studentToken ?? (await signInStudent(server))
  const api = createStudentApi(server, token)
  const apis = await signInAll(server, api)
  const as = (account: string): Api => {
    const found = apis.get(account)
    if (found === undefined) throw new Error(`${account} is not signed in`)
    return found
  }
  const admin = as('admin')
  const me = await api.session.whoami({})
  await placeOffices(admin, me.id)
  const students = await listClassmates(admin, me.id)
  const { records: courses } = await admin.entityData.page({
    params: { tag: 'EDU_COURSE' },
    body: { pageSize: 100 },
  })
  const grades = await listGrades(as('teacher'), students)
  const taken = { students: 0, courses: 0, grades: 0 }
  const takeStudent = () => students[taken.students++] ?? ''
  /** A grade of the student without a mark yet. */
  const enrol = async () => {
    const { id } = await as('registrar').entityData.create({
      params: { tag: 'EDU_GRADE' },
      body: {
        student: toChoice(me.id),
        course: toChoice(courses[taken.courses++]?.id ?? ''),
        term: toChoice(term),
      },
    })
    return id
  }
  const read = async (tag: string, id: string, attrName: string) =>
    toText((await admin.entityData.get({ params: { tag, id } }))[attrName])
  const flows: readonly WalkedFlow[] = [
    {
      tag: 'EDU_GRADE_CHANGE',
      flow: gradeChangeFlow,
      applicant: 'teacher',
      make: async () => {
        const grade = grades[taken.grades++] ?? ''
        const { id } = await as('teacher').entityData.create({
          params: { tag: 'EDU_GRADE_CHANGE' },
          body: { grade: toChoice(grade), score: 93.5, reason: '卷面分漏加' },
        })
        return { id, readTarget: () => read('EDU_GRADE', grade, 'score'), effect: '93.5' }
      },
    },
    {
      tag: statusChange,
      flow: statusChangeFlow,
      applicant: 'secretary',
      make: async ({ kind }) => {
        const isBack = kind === 'resume'
        const student = takeStudent()
        // The status follows decisions alone: who comes back has been suspended by one.
        if (isBack) await suspend(as, student)
        const id = await askStatus(as('secretary'), student, isBack ? 'resume' : 'suspend')
        return {
          id,
          readTarget: () => read('EDU_STUDENT', student, 'status'),
          effect: isBack ? '1' : '2',
        }
      },
    },
    {
      tag: 'EDU_DEFERRAL',
      flow: deferralFlow,
      applicant: 'student',
      make: async () => {
        const grade = await enrol()
        const id = await askDeferral(api, grade)
        return { id, readTarget: () => read('EDU_GRADE', grade, 'remarks'), effect: '缓考' }
      },
    },
  ]
  return { apis, studentToken: token, flows }
}

async function signInAll(server: RunningServer, student: Api): Promise<ReadonlyMap<string, Api>> {
  const apis = new Map<string, Api>([['student', student]])
  for (const account of ['admin', 'teacher', ...offices])
    apis.set(account, (await staffClient(server, account)).api)
  return apis
}

/** Makes the secretary and the dean those of the student's faculty. */
async function placeOffices(admin: Api, student: string): Promise<void> {
  const { faculty } = await admin.entityData.get({ params: { tag: 'EDU_STUDENT', id: student } })
  const name = (faculty as readonly { readonly name: string }[])[0]?.name ?? ''
  const orgs = await admin.entityData.page({
    params: { tag: 'SYS_ORG' },
    body: { queries: { name } },
  })
  for (const account of ['secretary', 'dean']) {
    const users = await admin.entityData.page({
      params: { tag: 'SYS_USER' },
      body: { queries: { account } },
    })
    const [user] = users.records
    await admin.entityData.update({
      params: { tag: 'SYS_USER', id: user?.id ?? '' },
      body: { org: toChoice(orgs.records[0]?.id ?? ''), version: user?.version ?? 0 },
    })
  }
}

/** Other active students of the student's faculty. */
async function listClassmates(admin: Api, student: string): Promise<readonly string[]> {
  const { faculty } = await admin.entityData.get({ params: { tag: 'EDU_STUDENT', id: student } })
  const { records } = await admin.entityData.page({
    params: { tag: 'EDU_STUDENT' },
    body: { pageSize: 1000 },
  })
  return records.flatMap((row) =>
    row.id !== student &&
    toText(row['faculty']) === toText(faculty) &&
    toText(row['status']) === '1'
      ? [row.id]
      : [],
  )
}

/** Marks of the students in the teacher's courses; the teacher sees no others. */
async function listGrades(teacher: Api, students: readonly string[]): Promise<readonly string[]> {
  const { records } = await teacher.entityData.page({
    params: { tag: 'EDU_GRADE' },
    body: { pageSize: 1000 },
  })
  return records.flatMap(({ id, student, score }) =>
    score !== null && students.includes(toText(student)) ? [id] : [],
  )
}

const statusChange = 'EDU_STATUS_CHANGE'

async function askStatus(secretary: Api, student: string, kind: string): Promise<string> {
  const { id } = await secretary.entityData.create({
    params: { tag: statusChange },
    body: {
      student: toChoice(student),
      kind: toChoice(kind),
      term: toChoice(term),
      reason: '因病休养',
    },
  })
  return id
}

async function askDeferral(student: Api, grade: string): Promise<string> {
  const { id } = await student.application.create({
    params: { tag: 'EDU_DEFERRAL' },
    body: { term: toChoice(term), grade: toChoice(grade), reason: '因病住院' },
  })
  return id
}

async function suspend(as: (account: string) => Api, student: string): Promise<void> {
  const id = await askStatus(as('secretary'), student, 'suspend')
  for (const [account, event] of [
    ['secretary', 'SUBMIT'],
    ['dean', 'APPROVE'],
    ['library', 'CLEAR'],
    ['finance', 'CLEAR'],
    ['dormitory', 'CLEAR'],
    ['registrar', 'APPROVE'],
  ] as const) {
    const params = { tag: statusChange, id }
    const { version } = await as(account).flow.read({ params })
    await as(account).flow.send({ params: { ...params, event }, body: { version } })
  }
}

function createStudentApi({ url }: RunningServer, token: string | null): Api {
  return createClient({
    baseURL: `${url}/api`,
    locale: () => 'zh-CN',
    authorise: () =>
      Promise.resolve(token === null ? undefined : { token, account: '', accountId: '' }),
  })
}

/** The token of a new session. */
async function signInStudent(server: RunningServer): Promise<string> {
  const api = createStudentApi(server, null)
  const { key } = await api.student.captcha({})
  const { ticket } = await api.student.verify({ body: { key, verifyTxt: captchaAnswer } })
  await api.student.smsCode({
    query: { mobile: studentMobile, isType: '1' },
    headers: { [captchaTicketHeader]: ticket },
  })
  const password = await lastCode(server.dataDir, studentMobile)
  const { token } = await api.student.signIn({
    body: { account: studentMobile, password, grantType: 'stupc' },
  })
  return token
}
