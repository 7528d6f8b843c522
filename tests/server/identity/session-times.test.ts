// A school shortens how long sessions last (docs/rules/contract.md#sessions).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { setSetting } from '../../support/settings.ts'
import { captchaEnv, studentClient } from '../../support/student.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp(captchaEnv)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.advance(13 * 60 * minute)
  admin = await app.signIn('admin')
})

const minute = 60_000
async function captureTimeProblem(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof ApiProblem ? error.problem : null
}
const setTo = (code: string, value: string) => setSetting(admin, code, value)
const refresh = (token: string) =>
  app.client('').session.signIn({ body: { grant_type: 'refresh_token', refresh_token: token } })

it('ends idle sessions of staff and students sooner, from their next refresh on', async () => {
  const viewer = await app.signIn('viewer')
  await setTo('STAFF_IDLE_MINUTES', '20')
  await setTo('STUDENT_IDLE_MINUTES', '15')
  // A session of another school: nothing changes there.
  const other = await app.signIn('admin', '10001')
  app.advance(21 * minute)
  expect((await refresh(other.refreshToken)).expires_in).toBe(1800)
  const next = await refresh(viewer.refreshToken)
  expect(next.expires_in).toBe(1200)
  app.advance(21 * minute)
  expect((await captureTimeProblem(refresh(next.refresh_token)))?.code).toBe(40006)
  const student = await studentClient(app, '13800000001')
  app.advance(16 * minute)
  expect((await captureTimeProblem(refresh(student.refreshToken)))?.code).toBe(40006)
})

it('ends sessions sooner after their sign-in, those that run too', async () => {
  const viewer = await app.signIn('viewer')
  await setTo('STAFF_SESSION_MINUTES', '60')
  app.advance(18 * minute)
  let tokens = await refresh(viewer.refreshToken)
  app.advance(18 * minute)
  tokens = await refresh(tokens.refresh_token)
  app.advance(18 * minute)
  tokens = await refresh(tokens.refresh_token)
  const [own] = await app.client(tokens.access_token).ownSessions.list({})
  expect(Math.round((Date.parse(own?.expires ?? '') - Date.parse(own?.began ?? '')) / minute)).toBe(
    60,
  )
  app.advance(7 * minute)
  expect((await captureTimeProblem(refresh(tokens.refresh_token)))?.code).toBe(40006)
  expect((await captureTimeProblem(app.client(tokens.access_token).session.whoami({})))?.code).toBe(
    40001,
  )
})

it('shortens how long a proof counts', async () => {
  await setTo('PROOF_MINUTES', '5')
  const [row] = (await admin.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })).records
  const reveal = () =>
    admin.entityData.reveal({
      params: { tag: 'EDU_STUDENT', id: row?.id ?? '' },
      body: { field: 'idCard', reason: '核对身份证号' },
    })
  expect(await captureTimeProblem(reveal())).toBeNull()
  app.advance(6 * minute)
  expect((await captureTimeProblem(reveal()))?.code).toBe(40310)
})

it('takes a value that came in by another way and is out of bounds for none', async () => {
  await app.services.database.kysely
    .updateTable('sys.param')
    .set({ value: '100000' })
    .where('code', '=', 'STAFF_IDLE_MINUTES')
    .where('tenant_id', '=', '10000')
    .execute()
  expect((await refresh(admin.refreshToken)).expires_in).toBe(1800)
})

it('keeps as many sign-ins of one person as the school sets, the newest', async () => {
  await setTo('STAFF_SESSIONS', '2')
  const all = []
  for (let n = 0; n < 3; n += 1) all.push(await app.signIn('viewer'))
  const codes = await Promise.all(
    all.map(async (one) => (await captureTimeProblem(one.session.whoami({})))?.code ?? 200),
  )
  expect(codes).toEqual([40003, 200, 200])
})
