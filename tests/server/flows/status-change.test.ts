// The shipped change of a student's status in the demonstration school (docs/rules/contract.md#demo-data).
import { defaultTenant } from '@jiaowu/api/limits'
import { proveFlow } from '@jiaowu/machines/flow/prove'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { statusChangeFlow } from '../../../apps/server/src/model/shipped/flows/status-change.ts'
import { playDemoFlows } from '../../../apps/server/src/start/demo/play-flows.ts'
import { type Api, refusedBy } from './flow-school.ts'

const tag = 'EDU_STATUS_CHANGE'
let app: TestApp
const apis = new Map<string, Api>()
beforeAll(async () => {
  app = await testApp()
  for (const account of [
    'admin',
    'secretary',
    'dean',
    'library',
    'finance',
    'dormitory',
    'registrar',
  ])
    apis.set(account, await app.signIn(account))
})
afterAll(() => app.close())

function as(account: string): Api {
  const api = apis.get(account)
  if (api === undefined) throw new Error(`${account} is not signed in`)
  return api
}
async function sendAs(account: string, id: string, event: string, note?: string) {
  const { version } = await as(account).flow.read({ params: { tag, id } })
  return await as(account).flow.send({
    params: { tag, id, event },
    body: { version, ...(note === undefined ? {} : { note }) },
  })
}
async function findStudent(status: string, nth = 0): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select b.id::text as id from biz.student b
    join sys.app_user s on s.tenant_id = b.tenant_id and s.account = 'dean' and s.org_id = b.org_id
    where b.tenant_id = ${defaultTenant}::int8 and b.status = ${status} order by b.id
    offset ${nth}::int4 limit 1`.execute(app.services.database.kysely)
  return rows[0]?.id ?? ''
}
async function ask(student: string, kind: string): Promise<string> {
  const row = await as('secretary').entityData.create({
    params: { tag },
    body: {
      student: [{ id: student, name: '' }],
      kind: [{ id: kind, name: '' }],
      term: [{ id: '2025-2026-2', name: '' }],
      reason: '因病休养',
    },
  })
  return row.id
}
const readStatus = async (id: string) =>
  (await as('admin').entityData.get({ params: { tag: 'EDU_STUDENT', id } }))['status']

it('is proved, also by the rules that the school chose', () => {
  expect(proveFlow(statusChangeFlow)).toEqual([])
})

it('clears at three offices side by side before the registrar changes the status', async () => {
  const student = await findStudent('1')
  const id = await ask(student, 'suspend')
  await sendAs('secretary', id, 'SUBMIT')
  await sendAs('dean', id, 'APPROVE')
  expect((await refusedBy(sendAs('registrar', id, 'APPROVE'))).code).toBe(42200)
  await sendAs('library', id, 'CLEAR')
  await sendAs('dormitory', id, 'CLEAR')
  // Only the region of finance is open, which is not the library's.
  expect((await refusedBy(sendAs('library', id, 'CLEAR'))).code).toBe(403)
  expect((await sendAs('finance', id, 'CLEAR')).state).toBe('registrar')
  expect(await readStatus(student)).toMatchObject([{ id: '1' }])
  expect((await sendAs('registrar', id, 'APPROVE')).isDone).toBe(true)
  expect(await readStatus(student)).toMatchObject([{ id: '2', name: '休学' }])
})

it('loses nothing when an office sends it back out of the others', async () => {
  const id = await ask(await findStudent('1', 1), 'withdraw')
  await sendAs('secretary', id, 'SUBMIT')
  await sendAs('dean', id, 'APPROVE')
  await sendAs('library', id, 'CLEAR')
  expect((await sendAs('finance', id, 'RETURN', '尚有欠费')).state).toBe('draft')
  expect((await refusedBy(sendAs('dormitory', id, 'CLEAR'))).code).toBe(42200)
  await sendAs('secretary', id, 'SUBMIT')
  await sendAs('dean', id, 'APPROVE')
  for (const office of ['library', 'finance', 'dormitory']) await sendAs(office, id, 'CLEAR')
  const { state, log } = await as('registrar').flow.read({ params: { tag, id } })
  expect(state).toBe('registrar')
  expect(log.map(({ event }) => event).join(' ')).toBe(
    'SUBMIT APPROVE CLEAR RETURN SUBMIT APPROVE CLEAR CLEAR CLEAR',
  )
})

it('sends a student who comes back to the registrar at once', async () => {
  const student = await findStudent('1', 2)
  await sql`update biz.student set status = '2'
    where tenant_id = ${defaultTenant}::int8 and id = ${student}::int8`.execute(
    app.services.database.kysely,
  )
  const id = await ask(student, 'resume')
  await sendAs('secretary', id, 'SUBMIT')
  expect((await sendAs('dean', id, 'APPROVE')).state).toBe('registrar')
  await sendAs('registrar', id, 'APPROVE')
  expect(await readStatus(student)).toMatchObject([{ id: '1' }])
})

it('fills the demonstration with cases in every state, as far as the school has rows for them', async () => {
  await playDemoFlows(app.services)
  const { rows } = await sql<{ state: string }>`
    select distinct state from biz.status_change where tenant_id = ${defaultTenant}::int8`.execute(
    app.services.database.kysely,
  )
  expect(rows.map(({ state }) => state).toSorted()).toEqual(
    Object.keys(statusChangeFlow.states).toSorted(),
  )
})
