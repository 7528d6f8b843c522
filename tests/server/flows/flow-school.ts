// A school with a table of corrections of marks, their flow, and people for each office.
import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { defaultTenant } from '@jiaowu/api/limits'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { type QueryExecutorProvider, sql } from 'kysely'
import { buildGradeChange } from '../../flows/good-flows.ts'

export const tag = 'MARK_FIX'
export const grade = 'EDU_GRADE'
const tenant = defaultTenant

export type Api = Awaited<ReturnType<TestApp['signIn']>>
export interface FlowSchool {
  readonly app: TestApp
  readonly admin: Api
  /** Makes corrections. */
  readonly teacher: Api
  /** Is a secretary as well: of the faculty of the corrections. */
  readonly secretary: Api
  /** Is a secretary of another faculty. */
  readonly stranger: Api
  readonly office: Api
  /** Views corrections, and is asked by none of their events. */
  readonly helper: Api
  /** Holds a role of its own, and views nothing of corrections. */
  readonly outsider: Api
  readonly idOf: (account: string) => string
  /** Holds every role, and makes corrections too. */
  readonly everything: Api
  readonly faculty: string
  /** A correction in its first state, made by the person. */
  readonly make: (by: Api, values?: Readonly<Record<string, unknown>>) => Promise<string>
  readonly gradeOf: (id: string) => Promise<string>
}

/** The flow of a correction as the definition of the table has it. */
export function buildFlow(): Flow {
  const flow = buildGradeChange()
  flow.rules = ['twoPersons', 'reasons']
  return flow as Flow
}

export async function createFlowSchool(
  env: Readonly<Record<string, string>> = {},
): Promise<FlowSchool> {
  const app = await testApp(env)
  const { kysely: db } = app.services.database
  await createTable(db)
  const admin = await app.signIn('admin')
  const { faculty, own, foreign } = await placeFaculties(db, admin)
  const roleIds = await createRoles(app)
  const accounts = new Map<string, string>()
  const person = async (account: string, codes: readonly string[], org = own) => {
    const ids = codes.map((code) => roleIds.get(code) ?? '')
    const id = app.services.newId()
    accounts.set(account, id)
    await sql`
      insert into sys.app_user (id, tenant_id, org_id, account, name, password_hash, status, must_change_password, role_ids)
      select ${id}::int8, tenant_id, ${org}::int8, ${`fix-${account}`}, ${account}, password_hash, '1', false, ${ids}::text[]
      from sys.app_user where tenant_id = ${tenant}::int8 and account = 'admin'`.execute(db)
    return await app.signIn(`fix-${account}`)
  }
  await createDefinition(admin)
  const make: FlowSchool['make'] = async (by, values = {}) => {
    const { records } = await admin.entityData.page({
      params: { tag: grade },
      body: { pageSize: 500, sorts: [{ column: 'id', asc: true }] },
    })
    made += 1
    const row = await by.entityData.create({
      params: { tag },
      body: {
        title: `更正 ${String(made)}`,
        grade: [{ id: records[made]?.id ?? '', name: '' }],
        faculty: [{ id: faculty ?? '', name: '' }],
        score: 91,
        reason: '登记有误',
        ...values,
      },
    })
    return row.id
  }
  let made = 0
  return {
    app,
    admin,
    teacher: await person('teacher', ['TEACHER']),
    secretary: await person('secretary', ['SECRETARY']),
    stranger: await person('stranger', ['SECRETARY'], foreign),
    office: await person('office', ['OFFICE']),
    everything: await person('everything', ['TEACHER', 'SECRETARY', 'OFFICE']),
    helper: await person('helper', ['HELPER']),
    outsider: await person('outsider', ['OUTSIDER']),
    idOf: (account) => accounts.get(account) ?? '',
    faculty: faculty ?? '',
    make,
    gradeOf: async (id) => {
      const { rows } = await sql<{ score: string }>`
        select g.score from biz.grade g join biz.mark_fix f on f.grade_id = g.id
        where f.id = ${id}::int8 and g.tenant_id = ${tenant}::int8`.execute(db)
      return String(Number(rows[0]?.score))
    },
  }
}

async function createDefinition(admin: Api): Promise<void> {
  const { definition } = await admin.design.draft({ params: { name: 'biz.mark_fix' } })
  const rename: Readonly<Record<string, Partial<FieldDraft>>> = {
    grade_id: { attrName: 'grade', uiType: 'select', dictType: 1, dictValue: 'EDU_GRADE.score' },
    faculty_id: {
      attrName: 'faculty',
      uiType: 'select',
      dictType: 1,
      dictValue: 'EDU_FACULTY.name',
    },
    // New rows begin in the first state, whatever the default is.
    state: { isAdd: 1, isEdit: 1, isQuery: 1, uiDefaultType: 0, defaultValue: 'new' },
  }
  await admin.design.create({
    body: {
      ...definition,
      tag,
      name: '成绩更正',
      tagField: 'title',
      fields: definition.fields.map((field) => ({ ...field, ...rename[field.columnName ?? ''] })),
      options: { ...definition.options, flow: buildFlow() },
    },
  })
}

/** The answer to a refused call. */
export interface Refused {
  readonly code: number
  readonly message: string
  readonly rules: readonly string[]
  readonly texts: readonly string[]
  readonly data: unknown
}
export async function refusedBy(call: Promise<unknown>): Promise<Refused> {
  const error = (await call.then(
    () => ({ problem: undefined }),
    (caught: unknown) => caught,
  )) as {
    problem?: {
      code: number
      message: unknown
      issues: readonly { rule: string; msg: string }[]
      data: unknown
    }
  }
  if (error.problem === undefined)
    throw error instanceof Error ? error : new Error('the call was not refused')
  const { code, message, issues, data } = error.problem
  return {
    code,
    message: String(message),
    rules: issues.map(({ rule }) => rule),
    texts: issues.map(({ msg }) => msg),
    data,
  }
}

async function createTable(db: QueryExecutorProvider): Promise<void> {
  await sql`
    create table biz.mark_fix (
      id bigint primary key, tenant_id bigint not null, org_id bigint, create_user bigint,
      create_time timestamptz not null default now(), update_user bigint,
      update_time timestamptz not null default now(), version integer not null default 1,
      deleted_at timestamptz, title varchar(100), grade_id bigint, faculty_id bigint, score numeric(6,1),
      reason varchar(200), state varchar(40))`.execute(db)
}

/** Two faculties, each a part of the organisation of its own. */
async function placeFaculties(db: QueryExecutorProvider, admin: Api) {
  const { records: faculties } = await admin.entityData.page({
    params: { tag: 'EDU_FACULTY' },
    body: { pageSize: 2 },
  })
  const [faculty, other] = faculties.map(({ id }) => id)
  // Both faculties are parts of the organisation of their own.
  const orgs = await sql<{ id: string }>`
    select id from sys.org where tenant_id = ${tenant}::int8 and deleted_at is null order by id limit 2`.execute(
    db,
  )
  const [own, foreign] = orgs.rows.map(({ id }) => id)
  await sql`update biz.faculty set org_id = ${own}::int8 where id = ${faculty}::int8 and tenant_id = ${tenant}::int8`.execute(
    db,
  )
  await sql`update biz.faculty set org_id = ${foreign}::int8 where id = ${other}::int8 and tenant_id = ${tenant}::int8`.execute(
    db,
  )
  return { faculty, own, foreign }
}

/** Roles by code, with their ids. */
async function createRoles(app: TestApp): Promise<ReadonlyMap<string, string>> {
  const { kysely: db } = app.services.database
  const roles = {
    TEACHER: ['view', 'add', 'update', 'delete'],
    SECRETARY: ['view'],
    OFFICE: ['view'],
    HELPER: ['view'],
    OUTSIDER: [],
  }
  const roleIds = new Map<string, string>()
  for (const [code, actions] of Object.entries(roles)) {
    const id = app.services.newId()
    roleIds.set(code, id)
    await sql`insert into sys.role (id, tenant_id, code, name, status) values (${id}::int8, ${tenant}::int8, ${code}, ${code}, '1')`.execute(
      db,
    )
    for (const action of actions)
      await sql`insert into sys.role_permission (tenant_id, role_id, code) values (${tenant}::int8, ${id}::int8, ${`entity:${tag}:${action}`})`.execute(
        db,
      )
    await sql`insert into sys.role_permission (tenant_id, role_id, code) values (${tenant}::int8, ${id}::int8, 'entity:EDU_GRADE:view'), (${tenant}::int8, ${id}::int8, 'entity:EDU_FACULTY:view')`.execute(
      db,
    )
  }
  return roleIds
}
