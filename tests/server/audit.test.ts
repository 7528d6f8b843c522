import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyAudit } from '../../apps/server/src/platform/audit.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
}, 60_000)
afterAll(() => app.close())

it('records actions in an intact chain, and finds the first line that was tampered with', async () => {
  const { kysely } = app.services.database
  const admin = await app.signIn('admin')
  const [row] = (
    await admin.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: { pageSize: 1 } })
  ).records
  await admin.entityData.update({
    params: { tag: 'EDU_STUDENT', id: row?.id ?? '' },
    body: { version: row?.version, dormitory: '1 号楼' },
  })
  const clerk = await app.signIn('clerk')
  await clerk.entityData.page({ params: { tag: 'EDU_GRADE' }, body: {} }).catch(() => {})
  await Promise.all(Array.from({ length: 10 }, () => app.signIn('viewer')))
  const lines = await kysely
    .selectFrom('sys.audit_log')
    .select(['seq', 'action', 'account', 'result', 'object'])
    .orderBy('seq')
    .execute()
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'session.signIn', account: 'admin', result: 'ok' }),
      expect.objectContaining({ account: 'clerk', object: 'EDU_GRADE', result: 'denied' }),
    ]),
  )
  expect(lines.some(({ object, account }) => object === 'EDU_STUDENT' && account === 'admin')).toBe(
    true,
  )
  expect(
    JSON.stringify(await kysely.selectFrom('sys.audit_log').selectAll().execute()),
  ).not.toContain('1 号楼')
  expect(await verifyAudit(app.services)).toBe(null)
  const tampered = lines[1]?.seq ?? ''
  await sql`alter table sys.audit_log disable trigger audit_log_append_only`.execute(kysely)
  await sql`update sys.audit_log set action = 'nothing' where seq = ${tampered}::bigint`.execute(
    kysely,
  )
  expect(await verifyAudit(app.services)).toBe(tampered)
})
