// Sign-in at a CAS server, of staff and of students (docs/rules/security.md#s8).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ForeignCas, foreignCas } from '../../support/sso/foreign-cas.ts'
import { back, begin, enter, origin, providersFile } from '../../support/sso/sign-on.ts'

let cas: ForeignCas
let app: TestApp
beforeAll(async () => {
  cas = await foreignCas({
    viewer: { memberOf: ['registrars', 'others'], name: '访客' },
    registrar: { memberOf: 'registrars' },
  })
  const provider = { kind: 'cas', name: '统一身份认证', nameEn: 'CAS', server: cas.server }
  app = await testApp({
    PUBLIC_URL: origin,
    SSO_FILE: providersFile([
      {
        ...provider,
        id: 'cas',
        groups: { claim: 'memberOf', roles: { registrars: ['ROLE_REGISTRAR'] } },
      },
      { ...provider, id: 'teachers', claim: 'employee', match: 'teacherNumber' },
      { ...provider, id: 'students', for: 'students' },
      { ...provider, id: 'gone', server: 'http://127.0.0.1:9/cas' },
    ]),
  })
})
afterAll(async () => {
  await app?.close()
  await cas?.stop()
})
beforeEach(() => {
  cas.bent = null
  app.advance(61_000)
})

async function signOn(account: string, id = 'cas') {
  const start = await begin(app, id, { redirect: '/' })
  const service = new URL(start.location).searchParams.get('service') ?? ''
  const query = new URL(service).searchParams
  query.set('ticket', cas.ticketFor(service, account))
  return { ...(await back(app, id, query, start.cookie)), query, cookie: start.cookie }
}
async function exchangeCasTokens(account: string, id = 'cas') {
  const { page, cookie } = await signOn(account, id)
  expect(page.get('fault')).toBe(null)
  const { status, tokens } = await enter(app, id, page.get('code'), cookie)
  expect(status).toBe(200)
  return tokens
}
const readCasFault = async (account: string, id = 'cas') =>
  (await signOn(account, id)).page.get('fault')

it('signs staff in by one validation of the ticket, with roles of the attributes', async () => {
  const before = cas.validated.length
  const { userInfo, access_token } = await exchangeCasTokens('viewer')
  expect(userInfo.account).toBe('viewer')
  expect([...userInfo.roles].sort()).toEqual(['ROLE_REGISTRAR', 'ROLE_VIEWER'])
  expect(cas.validated.length - before).toBe(1)
  const [own] = await app.client(access_token).ownSessions.list({})
  expect(own).toMatchObject({ by: 'cas', current: true })
  const { url } = await app.client(access_token).sso.logout({ params: { provider: 'cas' } })
  expect(url).toBe(`${cas.server}/logout?service=${encodeURIComponent(`${origin}/`)}`)
})

it('refuses tickets of another sign-on, used ones, and answers that are none', async () => {
  const first = await begin(app, 'cas')
  const second = await begin(app, 'cas', { cookie: first.cookie })
  const serviceOf = (location: string) => new URL(location).searchParams.get('service') ?? ''
  // A ticket of the second attempt, put into the answer to the first.
  const mixed = new URL(serviceOf(first.location)).searchParams
  mixed.set('ticket', cas.ticketFor(serviceOf(second.location), 'viewer'))
  expect((await back(app, 'cas', mixed, first.cookie)).page.get('fault')).toBe('refused')
  const { query, cookie } = await signOn('viewer')
  expect((await back(app, 'cas', query, cookie)).page.get('fault')).toBe('replayed')
  const none = new URL(serviceOf(second.location)).searchParams
  expect((await back(app, 'cas', none, first.cookie)).page.get('fault')).toBe('refused')
  for (const [bent, fault] of [
    [{ status: 200, body: 'yes\nadmin\n' }, 'invalid'],
    [{ status: 200, body: '<x/>' }, 'invalid'],
    [{ status: 200, body: 'x'.repeat(300_000) }, 'invalid'],
    [{ status: 404, body: '' }, 'invalid'],
    [{ status: 502, body: '' }, 'down'],
  ] as const) {
    cas.bent = { ...bent }
    expect(await readCasFault('viewer'), JSON.stringify(bent).slice(0, 60)).toBe(fault)
  }
})

it('names a server that does not answer', async () => {
  const listed = await app.client('').sso.providers({ query: {} })
  expect(listed.map(({ id, for: audience, up }) => [id, audience, up])).toEqual([
    ['cas', 'staff', true],
    ['teachers', 'staff', true],
    ['students', 'students', true],
    ['gone', 'staff', false],
  ])
  expect((await begin(app, 'gone')).page.get('fault')).toBe('down')
})

it('finds the account of a teacher by the number', async () => {
  const { kysely } = app.services.database
  const { rows } = await sql<{ id: string; no: string }>`
    select id::text as id, teacher_no as no from biz.teacher where tenant_id = 10000 limit 1`.execute(
    kysely,
  )
  const { id = '', no = '' } = rows[0] ?? {}
  Object.assign(cas.people, { t: { employee: no } })
  expect(await readCasFault('t', 'teachers')).toBe('unknown')
  await kysely
    .updateTable('sys.app_user')
    .set({ person_tag: 'EDU_TEACHER', person_id: id })
    .where('tenant_id', '=', '10000')
    .where('account', '=', 'clerk')
    .execute()
  expect((await exchangeCasTokens('t', 'teachers')).userInfo.account).toBe('clerk')
})

it('asks nobody for a new password who does not use one', async () => {
  const { kysely } = app.services.database
  const force = (must_change_password: boolean) =>
    kysely
      .updateTable('sys.app_user')
      .set({ must_change_password })
      .where('tenant_id', '=', '10000')
      .where('account', '=', 'registrar')
      .execute()
  await force(true)
  const tokens = await exchangeCasTokens('registrar')
  expect(tokens.userInfo.mustChangePassword).toBe(false)
  const client = app.client(tokens.access_token)
  expect(await client.session.whoami({})).toMatchObject({ mustChangePassword: false })
  await client.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: { pageSize: 1 } })
  const refreshed = await app.client('').session.signIn({
    body: { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
  })
  expect(refreshed.userInfo.mustChangePassword).toBe(false)
  const local = await app.signIn('registrar')
  expect(await local.session.whoami({})).toMatchObject({ mustChangePassword: true })
  await force(false)
})

it('signs students in by their number, without a mobile, into the student service alone', async () => {
  const { kysely } = app.services.database
  const student = await kysely
    .selectFrom('biz.student')
    .select(['id', 'student_no', 'name'])
    .where('tenant_id', '=', '10000')
    .where('account_mobile', 'is', null)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  const { page } = await signOn(student.student_no, 'students')
  expect(page.get('as')).toBe('student')
  const { userInfo, access_token, refresh_token } = await exchangeCasTokens(
    student.student_no,
    'students',
  )
  expect(userInfo).toMatchObject({
    id: student.id,
    account: student.student_no,
    roles: ['ROLE_STUDENT'],
  })
  const client = app.client(access_token)
  expect(await client.student.detail({})).toMatchObject({ fldXh: student.student_no })
  expect((await client.ownSessions.list({}))[0]).toMatchObject({ kind: 'student', by: 'cas' })
  const refused = await client.entityData
    .page({ params: { tag: 'EDU_STUDENT' }, body: {} })
    .catch((error: unknown) => error)
  expect((refused as ApiProblem).problem.code).toBe(403)
  const refreshed = await app.client('').session.signIn({
    body: { grant_type: 'refresh_token', refresh_token },
  })
  expect(refreshed.userInfo.id).toBe(student.id)
  // Staff have no student number, and students no account of staff.
  expect(await readCasFault('clerk', 'students')).toBe('unknown')
  expect(await readCasFault(student.student_no, 'cas')).toBe('unknown')
  await kysely
    .updateTable('biz.student')
    .set({ deleted_at: app.services.now() })
    .where('tenant_id', '=', '10000')
    .where('id', '=', student.id)
    .execute()
  const over = await app
    .client(refreshed.access_token)
    .student.detail({})
    .catch((error: unknown) => error)
  expect((over as ApiProblem).problem.code).toBe(40005)
})
