// People see and end their sessions, administrators those of others (docs/rules/contract.md#sessions).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captchaEnv, studentClient } from '../../support/student.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp(captchaEnv)
})
afterAll(() => app.close())

const minute = 60_000
/** Whole minutes from one time to another. */
const between = (from = '', to = '') => Math.floor((Date.parse(to) - Date.parse(from)) / minute)
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

async function captureSessionProblem(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiProblem)) throw new Error(`no problem: ${String(error)}`)
  return error.problem
}

/** Signs in with the user agent of a browser. */
async function signInFrom(account: string, userAgent: string) {
  const response = await app.call('/authority/anno/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent },
    body: `grant_type=password&username=${account}&password=${testPassword}`,
  })
  const { access_token, refresh_token } = (await response.json()) as Record<string, string>
  return { token: access_token ?? '', refreshToken: refresh_token ?? '' }
}

const readAuditEntries = async (action: string) =>
  await app.services.database.kysely
    .selectFrom('sys.audit_log')
    .select(['account', 'object_id', 'result', 'detail'])
    .where('tenant_id', '=', '10000')
    .where('action', '=', action)
    .orderBy('seq')
    .execute()

async function findAccountId(account: string): Promise<string> {
  const { id } = await app.services.database.kysely
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', '10000')
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  return id
}

describe('own sessions', () => {
  it('are listed with device, address, proof and times, the current one first', async () => {
    const { token } = await signInFrom('viewer', chrome)
    app.advance(minute)
    const { token: here } = await signInFrom('viewer', 'jiaowu/0.2.0 (linux x64)')
    const list = await app.client(here).ownSessions.list({})
    expect(list).toMatchObject([
      { device: 'jiaowu 0.2.0 · linux x64', kind: 'staff', by: 'password', current: true },
      { device: 'Chrome 131 · Windows 10', current: false },
    ])
    const [first, second] = list
    expect(between(second?.began, first?.began)).toBe(1)
    expect(between(first?.began, first?.expires)).toBe(720)
    expect(first?.address).not.toBe('')
    const seen = await app.client(token).ownSessions.list({})
    expect(seen.map(({ current }) => current)).toEqual([true, false])
  })

  it('keep their id and beginning over a refresh; the last use is at most five minutes late', async () => {
    const { token, refreshToken } = await signInFrom('registrar', chrome)
    const [before] = await app.client(token).ownSessions.list({})
    app.advance(4 * minute)
    expect((await app.client(token).ownSessions.list({}))[0]?.lastUse).toBe(before?.lastUse)
    app.advance(minute)
    const [used] = await app.client(token).ownSessions.list({})
    expect(between(before?.lastUse, used?.lastUse)).toBe(5)
    app.advance(minute)
    const next = await app
      .client('')
      .session.signIn({ body: { grant_type: 'refresh_token', refresh_token: refreshToken } })
    const list = await app.client(next.access_token).ownSessions.list({})
    expect(list).toMatchObject([{ id: before?.id, began: before?.began, by: 'password' }])
    expect(between(used?.lastUse, list[0]?.lastUse)).toBe(1)
  })

  it('end one by one, which the next call and the refresh are told in both languages', async () => {
    const gone = await signInFrom('clerk', chrome)
    const here = app.client((await signInFrom('clerk', chrome)).token)
    // Remembered between calls.
    await app.client(gone.token).entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })
    const other = (await here.ownSessions.list({})).find(({ current }) => !current)
    const params = { id: other?.id ?? '' }
    expect(await here.ownSessions.end({ params })).toEqual({ ended: [params.id] })
    const page = app
      .client(gone.token)
      .entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })
    expect(await captureSessionProblem(page)).toMatchObject({
      kind: 'session',
      code: 40003,
      message: '您已在会话列表中结束了这次登录',
    })
    const answer = await app.call('/authority/whoami', {
      headers: { authorization: `bearer ${gone.token}`, 'accept-language': 'en' },
    })
    expect(((await answer.json()) as { msg: string }).msg).toContain('You ended this session')
    const refresh = { grant_type: 'refresh_token', refresh_token: gone.refreshToken } as const
    expect(
      (await captureSessionProblem(app.client('').session.signIn({ body: refresh }))).code,
    ).toBe(40003)
    // It is over: a second time there is no such session.
    expect((await captureSessionProblem(here.ownSessions.end({ params }))).code).toBe(404)
    expect((await here.ownSessions.list({})).length).toBe(1)
    expect((await readAuditEntries('session.end')).at(-1)).toMatchObject({
      account: 'clerk',
      object_id: params.id,
      result: 'ok',
    })
  })

  it('end all but the current one together', async () => {
    const all = [await signInFrom('viewer', chrome), await signInFrom('viewer', chrome)]
    const here = app.client(all[1]?.token ?? '')
    const { ended } = await here.ownSessions.end({ params: { id: 'others' } })
    expect(ended.length).toBeGreaterThan(0)
    expect(await here.ownSessions.list({})).toMatchObject([{ current: true }])
    expect(
      (await captureSessionProblem(app.client(all[0]?.token ?? '').session.whoami({}))).code,
    ).toBe(40003)
    expect(await here.ownSessions.end({ params: { id: 'others' } })).toEqual({ ended: [] })
  })

  it('of another person, of a student and junk are not found, and stay what they are', async () => {
    const viewer = app.client((await signInFrom('viewer', chrome)).token)
    const admin = await app.signIn('admin')
    const [theirs] = await admin.ownSessions.list({})
    for (const id of [theirs?.id ?? '', '1', 'x', '0 or 1=1'])
      expect((await captureSessionProblem(viewer.ownSessions.end({ params: { id } }))).code).toBe(
        404,
      )
    expect((await admin.session.whoami({})).account).toBe('admin')
  })

  it('are there for students too', async () => {
    const gone = await studentClient(app, '13800000001')
    app.advance(2 * minute)
    const here = await studentClient(app, '13800000001')
    const list = await here.ownSessions.list({})
    expect(list).toMatchObject([
      { kind: 'student', by: 'sms', current: true },
      { kind: 'student', current: false },
    ])
    await here.ownSessions.end({ params: { id: list[1]?.id ?? '' } })
    expect((await captureSessionProblem(gone.student.detail({}))).code).toBe(40003)
  })
})

describe('sessions of another account', () => {
  it('end together, with the reason, a message and an audit line', async () => {
    const admin = await app.signIn('admin')
    const clerk = await app.signIn('clerk')
    const id = await findAccountId('clerk')
    const count = (await clerk.ownSessions.list({})).length
    expect(await admin.account.endSessions({ params: { id } })).toMatchObject({
      account: 'clerk',
      ended: count,
    })
    expect(await captureSessionProblem(clerk.session.whoami({}))).toMatchObject({
      code: 40003,
      message: '管理员结束了您的登录，请重新登录',
    })
    const again = await app.signIn('clerk')
    const [message] = (await again.messages.mine({})).records
    expect(message?.title).toBe('管理员结束了您的登录 / An administrator ended your sessions')
    expect((await readAuditEntries('account.endSessions')).at(-1)).toMatchObject({
      account: 'admin',
      object_id: id,
      detail: { ended: count },
    })
  })

  it('are left alone where there are none, and without the right or in another school', async () => {
    const admin = await app.signIn('admin')
    const params = { id: await findAccountId('clerk') }
    await admin.account.endSessions({ params })
    const clerk = await app.signIn('clerk')
    const { records } = await clerk.messages.mine({})
    await clerk.session.signOut({})
    expect(await admin.account.endSessions({ params })).toMatchObject({ ended: 0 })
    const later = await app.signIn('clerk')
    expect((await later.messages.mine({})).records.length).toBe(records.length)
    const viewer = await app.signIn('viewer')
    expect((await captureSessionProblem(viewer.account.endSessions({ params }))).code).toBe(403)
    const own = { id: await findAccountId('admin') }
    expect((await captureSessionProblem(admin.account.endSessions({ params: own }))).code).toBe(409)
    for (const id of ['1', 'x'])
      expect(
        (await captureSessionProblem(admin.account.endSessions({ params: { id } }))).code,
      ).toBe(404)
    expect((await later.session.whoami({})).account).toBe('clerk')
  })
})

describe('tokens of programs', () => {
  const params = { tag: 'EDU_STUDENT' }
  const values = { name: '图书馆同步', entities: ['EDU_STUDENT'], days: 30 }
  const page = (token: string, tag = 'EDU_STUDENT') =>
    app.client(token).entityData.page({ params: { tag }, body: { pageSize: 1 } })

  it('do what their rights name for their person, and nothing else', async () => {
    const admin = await app.signIn('admin')
    const { token } = await admin.apiToken.create({
      body: { ...values, rights: ['read', 'write'] },
    })
    expect(token).toMatch(/^jat_7ps\.[\w-]{43}$/)
    const program = app.client(token)
    const { records } = await page(token)
    const { id, version } = records[0] ?? {}
    await program.entityData.update({
      params: { ...params, id: id ?? '' },
      body: { version, height: 171 },
    })
    for (const call of [
      page(token, 'EDU_COURSE'),
      program.entityData.remove({ params: { ...params, ids: id ?? '' } }),
      program.entityData.reveal({
        params: { ...params, id: id ?? '' },
        body: { field: 'idCard', reason: 'because' },
      }),
      program.apiToken.create({ body: { ...values, rights: ['read'] } }),
      program.session.changePassword({ body: { oldPassword: testPassword, newPassword: 'x' } }),
      program.account.resetPassword({ params: { id: await findAccountId('viewer') } }),
    ])
      expect((await captureSessionProblem(call)).code).toBe(403)
    const lines = await readAuditEntries('entity.update')
    expect(lines.at(-1)).toMatchObject({ account: 'admin', detail: { byToken: '图书馆同步' } })
    const { rows } = await sql<{ text: string }>`
      select t::text as text from sys.api_token t where tenant_id = 10000`.execute(
      app.services.database.kysely,
    )
    for (const { text } of rows) expect(text).not.toContain(token.slice(8))
  })

  it('never have more than their person, and end with what they have', async () => {
    const viewer = await app.signIn('viewer')
    const beyond = viewer.apiToken.create({ body: { ...values, rights: ['delete'] } })
    expect((await captureSessionProblem(beyond)).code).toBe(403)
    const { token } = await viewer.apiToken.create({ body: { ...values, rights: ['read'] } })
    await page(token)
    const id = await findAccountId('viewer')
    const change = (set: { role_ids?: string[]; status?: string }) =>
      app.services.database.kysely
        .updateTable('sys.app_user')
        .set(set)
        .where('tenant_id', '=', '10000')
        .where('id', '=', id)
        .execute()
    const { role_ids } = await app.services.database.kysely
      .selectFrom('sys.app_user')
      .select('role_ids')
      .where('tenant_id', '=', '10000')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await change({ role_ids: [] })
    expect((await captureSessionProblem(page(token))).code).toBe(403)
    await change({ role_ids, status: '0' })
    expect((await captureSessionProblem(page(token))).code).toBe(40005)
    await change({ status: '1' })
    await page(token)
  })

  it('are revoked, run out, are called only so often, and need a proof of the person', async () => {
    const viewer = await app.signIn('viewer')
    const body = { ...values, rights: ['read' as const], perSecond: 1 }
    const [first, second] = [
      await viewer.apiToken.create({ body }),
      await viewer.apiToken.create({ body: { ...body, days: 1 } }),
    ]
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => page(first.token)))
    expect(tries.filter(({ status }) => status === 'rejected')).toHaveLength(2)
    const other = await app.signIn('admin')
    const ofFirst = { params: { id: first.id } }
    expect((await captureSessionProblem(other.apiToken.revoke(ofFirst))).code).toBe(404)
    await viewer.apiToken.revoke(ofFirst)
    expect((await captureSessionProblem(page(first.token))).code).toBe(40003)
    app.advance(25 * 60 * minute)
    expect((await captureSessionProblem(page(second.token))).code).toBe(40001)
    const again = await app.signIn('viewer')
    const states = (await again.apiToken.list({})).map(({ id, state }) => [id, state])
    expect(states.slice(0, 2)).toEqual([
      [second.id, 'expired'],
      [first.id, 'revoked'],
    ])
    await app.services.database.kysely
      .updateTable('sys.session')
      .set({ proved_at: new Date(0) })
      .where('tenant_id', '=', '10000')
      .where('user_id', '=', await findAccountId('viewer'))
      .execute()
    const unproven = captureSessionProblem(again.apiToken.create({ body }))
    expect((await unproven).code).toBe(40310)
  })
})
