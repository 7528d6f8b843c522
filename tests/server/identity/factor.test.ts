// Second factors of staff: codes of an app, recovery codes, known browsers, demands and resets
// (docs/rules/security.md#s10).
import type { FactorStep } from '@jiaowu/api/contract/factor'
import { factorNeededCode, type Problem, toProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { generate } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
const minute = 60_000
const [campus, outside] = ['10.8.0.7', '203.0.113.9']
beforeAll(async () => {
  app = await testApp({ FACTOR_OUTSIDE: '10.8.0.0/16, 127.0.0.0/8' })
})
afterAll(() => app.close())

interface Sent {
  readonly account: string
  readonly password?: string
  readonly ip?: string
  readonly cookie?: string
}
interface Answer {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly text: string
  readonly cookie: string
  readonly factor: FactorStep | null
  readonly token: string
  readonly mustEnrol: boolean
}

async function post(
  path: string,
  body: string,
  type: string,
  from: Partial<Sent>,
): Promise<Answer> {
  const headers = {
    'content-type': type,
    ...(from.cookie !== undefined && { cookie: from.cookie }),
  }
  const response = await app.call(
    path,
    { method: 'POST', headers, body },
    { ip: from.ip ?? campus, secure: false },
  )
  const text = await response.text()
  const { code, msg, data } = JSON.parse(text) as {
    code: number
    msg: string
    data: {
      factor?: FactorStep
      access_token?: string
      userInfo?: { mustEnrolFactor?: boolean }
    } | null
  }
  return {
    status: response.status,
    code,
    msg,
    text,
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    factor: data?.factor ?? null,
    token: data?.access_token ?? '',
    mustEnrol: data?.userInfo?.mustEnrolFactor === true,
  }
}
const enter = (sent: Sent) =>
  post(
    '/authority/anno/login',
    new URLSearchParams({
      grant_type: 'password',
      username: sent.account,
      password: sent.password ?? testPassword,
    }).toString(),
    'application/x-www-form-urlencoded',
    sent,
  )
const verify = (
  token: string,
  kind: 'totp' | 'recovery',
  code: string,
  more: { readonly remember?: boolean; readonly ip?: string } = {},
) =>
  post(
    '/auth/factor/verify',
    JSON.stringify({ token, kind, code, ...(more.remember === true && { remember: true }) }),
    'application/json',
    { ip: more.ip ?? campus },
  )
const codeAt = (secret: string, seconds = 0) =>
  generate({ secret, epoch: Math.floor(app.services.now().getTime() / 1000) + seconds })

async function captureProblem(call: Promise<unknown>): Promise<Problem> {
  return await call.then(
    () => {
      throw new Error('the call was not refused')
    },
    (error: unknown) => toProblem(error),
  )
}

async function findAccountId(account: string): Promise<string> {
  const { id } = await app.services.database.kysely
    .selectFrom('sys.app_user')
    .select('id')
    .where('tenant_id', '=', '10000')
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  return id
}
const auditLines = (action: string) =>
  app.services.database.kysely
    .selectFrom('sys.audit_log')
    .select(['account', 'object_id', 'result', 'detail'])
    .where('tenant_id', '=', '10000')
    .where('action', '=', action)
    .orderBy('seq')
    .execute()

/** Sets a factor up. @returns its secret and recovery codes, with the client that did */
async function enrol(account: string) {
  const first = await enter({ account })
  const client = app.client(first.token)
  const { secret } = await client.factor.enrolTotp({ body: {} })
  if (secret === null) throw new Error('no secret')
  const { recovery } = await client.factor.enrolTotp({ body: { code: await codeAt(secret) } })
  app.advance(minute)
  return { secret, recovery: recovery ?? [], client }
}
async function openStep(account: string, sent: Partial<Sent> = {}): Promise<FactorStep> {
  const { factor } = await enter({ account, ...sent })
  if (factor === null) throw new Error('no step')
  return factor
}

describe('a second factor', () => {
  let secret = ''
  let recovery: readonly string[] = []
  beforeAll(async () => {
    ;({ secret, recovery } = await enrol('viewer'))
  })

  it('is asked after the right password alone, and opens the session', async () => {
    expect(await enter({ account: 'viewer', password: 'wrong' })).toMatchObject({
      code: 400,
      factor: null,
    })
    const asked = await enter({ account: 'viewer' })
    expect(asked).toMatchObject({ status: 401, code: factorNeededCode, token: '' })
    expect(asked.factor?.kinds).toEqual(['totp', 'recovery'])
    const opened = await verify(asked.factor?.token ?? '', 'totp', await codeAt(secret))
    expect(opened).toMatchObject({ status: 200, mustEnrol: false })
    expect((await app.client(opened.token).session.whoami({})).account).toBe('viewer')
    expect((await auditLines('session.signIn')).at(-1)).toMatchObject({
      account: 'viewer',
      detail: { by: 'password', factor: 'totp' },
    })
  })

  it('takes a code once, also for concurrent calls, and a step once', async () => {
    app.advance(minute)
    const code = await codeAt(secret)
    const steps = [await openStep('viewer'), await openStep('viewer'), await openStep('viewer')]
    const answers = await Promise.all(steps.map(({ token }) => verify(token, 'totp', code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const used = steps[answers.findIndex(({ status }) => status === 200)]?.token ?? ''
    app.advance(minute)
    expect(await verify(used, 'totp', await codeAt(secret))).toMatchObject({
      code: 400,
      factor: null,
    })
  })

  it('takes the codes of 30 seconds before and after, and no others', async () => {
    const outcomes = []
    for (const seconds of [-90, -30, 90, 30]) {
      app.advance(5 * minute)
      const { token } = await openStep('viewer')
      outcomes.push((await verify(token, 'totp', await codeAt(secret, seconds))).status)
    }
    expect(outcomes).toEqual([400, 200, 400, 200])
  })

  it('takes a recovery code once, typed in any way', async () => {
    const [first = '', second = ''] = recovery
    const typed = first.replaceAll('-', ' ').toUpperCase()
    expect(await verify((await openStep('viewer')).token, 'recovery', typed)).toMatchObject({
      status: 200,
    })
    const { token } = await openStep('viewer')
    expect(await verify(token, 'recovery', first)).toMatchObject({ code: 400 })
    expect(await verify(token, 'recovery', second)).toMatchObject({ status: 200 })
  })

  it('ends a step at the fifth wrong code, tells the account, and lets it wait after ten', async () => {
    app.advance(16 * minute)
    const wrong = async (token: string) => await verify(token, 'totp', '000000')
    const { token } = await openStep('viewer')
    const answers = []
    for (let n = 0; n < 6; n += 1) answers.push(await wrong(token))
    expect(answers.map(({ factor }) => factor !== null)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    const told = await app.services.database.kysely
      .selectFrom('sys.message')
      .select('content')
      .where('tenant_id', '=', '10000')
      .where('receiver_id', '=', await findAccountId('viewer'))
      .where('title', 'like', '%二次验证码%')
      .execute()
    expect(told.length).toBe(1)
    const next = await openStep('viewer')
    for (let n = 0; n < 5; n += 1) await wrong(next.token)
    const waiting = await openStep('viewer')
    expect(await verify(waiting.token, 'totp', await codeAt(secret))).toMatchObject({ status: 429 })
    app.advance(16 * minute)
    const after = await openStep('viewer')
    expect(await verify(after.token, 'totp', await codeAt(secret))).toMatchObject({ status: 200 })
  })

  it('belongs to its step: not another network, another account, or five minutes later', async () => {
    app.advance(minute)
    const { token } = await openStep('viewer')
    const code = await codeAt(secret)
    expect(await verify(token, 'totp', code, { ip: '10.9.0.1' })).toMatchObject({ code: 400 })
    const other = await enrol('clerk')
    const theirs = await openStep('clerk')
    expect(await verify(theirs.token, 'totp', await codeAt(secret))).toMatchObject({ code: 400 })
    app.advance(5 * minute)
    expect(await verify(theirs.token, 'totp', await codeAt(other.secret))).toMatchObject({
      code: 400,
      factor: null,
    })
  })

  it('is left out in a known browser, until the password changes', async () => {
    app.advance(minute)
    const { token } = await openStep('viewer')
    const opened = await verify(token, 'totp', await codeAt(secret), { remember: true })
    const { cookie } = opened
    expect(cookie).toMatch(/^jiaowu-browser=/)
    expect(await enter({ account: 'viewer', cookie })).toMatchObject({ status: 200 })
    // The cookie of one account opens no other one.
    expect(await enter({ account: 'clerk', cookie })).toMatchObject({ code: factorNeededCode })
    const client = app.client(opened.token)
    expect((await client.factor.list({})).browsers).toBe(1)
    const newPassword = 'Kept-by-nobody-2026'
    await client.session.changePassword({ body: { oldPassword: testPassword, newPassword } })
    expect(await enter({ account: 'viewer', password: newPassword, cookie })).toMatchObject({
      code: factorNeededCode,
    })
    await client.factor.remove({ params: { id: 'browsers' } })
    expect((await client.factor.list({})).browsers).toBe(0)
    app.advance(minute)
    const again = await enter({ account: 'viewer', password: newPassword })
    await verify(again.factor?.token ?? '', 'totp', await codeAt(secret))
    await client.session.changePassword({
      body: { oldPassword: newPassword, newPassword: testPassword },
    })
  })

  it('is a fresh proof of the person, and needs one to be changed', async () => {
    app.advance(minute)
    const { token } = await openStep('viewer')
    const client = app.client((await verify(token, 'totp', await codeAt(secret))).token)
    app.advance(minute)
    const { token: proof } = await client.reauthentication.prove({
      body: { code: await codeAt(secret) },
    })
    expect(proof).not.toBe('')
    expect(
      await captureProblem(client.reauthentication.prove({ body: { code: '000000' } })),
    ).toMatchObject({ code: 400 })
  })

  it('is nowhere to be read', async () => {
    const { kysely } = app.services.database
    const stored = await kysely
      .selectFrom('sys.totp')
      .select('secret')
      .where('tenant_id', '=', '10000')
      .execute()
    expect(JSON.stringify(stored)).not.toContain(secret)
    const codes = await kysely.selectFrom('sys.recovery_code').selectAll().execute()
    for (const code of recovery) expect(JSON.stringify(codes)).not.toContain(code)
    const lines = await kysely.selectFrom('sys.audit_log').select('detail').execute()
    const said = JSON.stringify(lines)
    for (const text of [secret, ...recovery]) expect(said).not.toContain(text)
  })
})

describe('a demand', () => {
  const role = async (needs: string) => {
    const admin = await app.signIn('admin')
    const { records } = await admin.entityData.page({
      params: { tag: 'SYS_ROLE' },
      body: { pageSize: 50 },
    })
    const found = records.find((each) => each['code'] === 'ROLE_REGISTRAR')
    if (found === undefined) throw new Error('no such role')
    await admin.entityData.update({
      params: { tag: 'SYS_ROLE', id: found.id },
      body: { needsFactor: needs, version: found.version },
    })
  }

  it('of a role leaves open sessions and new ones the way to a factor alone', async () => {
    const before = app.client((await enter({ account: 'registrar' })).token)
    const page = { params: { tag: 'EDU_STUDENT' }, body: { pageSize: 1 } }
    expect((await before.entityData.page(page)).records.length).toBe(1)
    await role('1')
    expect(await captureProblem(before.entityData.page(page))).toMatchObject({ code: 403 })
    const opened = await enter({ account: 'registrar' })
    expect(opened).toMatchObject({ status: 200, mustEnrol: true })
    const client = app.client(opened.token)
    expect(await client.session.whoami({})).toMatchObject({ mustEnrolFactor: true })
    expect(await captureProblem(client.entityData.page(page))).toMatchObject({ code: 403 })
    const { secret } = await client.factor.enrolTotp({ body: {} })
    expect(
      await captureProblem(client.factor.enrolTotp({ body: { code: '000000' } })),
    ).toMatchObject({ code: 400 })
    const { recovery } = await client.factor.enrolTotp({
      body: { code: await codeAt(secret ?? '') },
    })
    expect(recovery?.length).toBe(10)
    expect((await client.entityData.page(page)).records.length).toBe(1)
    // The session that began without it is over.
    expect((await captureProblem(before.entityData.page(page))).kind).toBe('session')
    expect(await captureProblem(client.factor.remove({ params: { id: 'totp' } }))).toMatchObject({
      code: 409,
    })
    await role('0')
    await client.factor.remove({ params: { id: 'totp' } })
    expect(await client.factor.list({})).toMatchObject({ totp: null, recoveryLeft: 0 })
    expect(await enter({ account: 'registrar' })).toMatchObject({ status: 200, mustEnrol: false })
  })

  it('of the network holds outside of the campus, for each call', async () => {
    const inside = await enter({ account: 'teacher' })
    expect(inside.mustEnrol).toBe(false)
    const call = async (ip: string) =>
      (
        await app.call(
          '/menu/router',
          { headers: { authorization: `Bearer ${inside.token}` } },
          { ip, secure: false },
        )
      ).status
    const list = async (ip: string) =>
      (
        await app.call(
          '/entity/EDU_COURSE/config',
          { headers: { authorization: `Bearer ${inside.token}` } },
          { ip, secure: false },
        )
      ).status
    expect([await call(campus), await list(campus)]).toEqual([200, 200])
    // The menu belongs to the frame around the way to a factor.
    expect([await call(outside), await list(outside)]).toEqual([200, 403])
    expect((await enter({ account: 'teacher', ip: outside })).mustEnrol).toBe(true)
  })
})

describe('a reset', () => {
  it('takes two administrators, ends all sessions, and tells the account', async () => {
    const { client } = await enrol('registrar')
    const params = { id: await findAccountId('registrar') }
    const admin = await app.signIn('admin')
    expect(await admin.account.resetFactors({ params })).toMatchObject({ isReset: false })
    // The same person asking again is no second one.
    expect(await admin.account.resetFactors({ params })).toMatchObject({ isReset: false })
    expect((await admin.account.factors({ params })).asked).toMatchObject({ own: true })
    expect((await client.factor.list({})).totp).not.toBe(null)
    const { id: role } = await app.services.database.kysely
      .selectFrom('sys.role')
      .select('id')
      .where('tenant_id', '=', '10000')
      .where('code', '=', 'ROLE_ADMIN')
      .executeTakeFirstOrThrow()
    await app.services.database.kysely
      .updateTable('sys.app_user')
      .set({ role_ids: [role] })
      .where('tenant_id', '=', '10000')
      .where('account', '=', 'teacher')
      .execute()
    const second = app.client((await enter({ account: 'teacher' })).token)
    expect(
      await captureProblem(
        second.account.resetFactors({ params: { id: await findAccountId('teacher') } }),
      ),
    ).toMatchObject({ code: 409 })
    expect(await second.account.factors({ params })).toMatchObject({
      count: 1,
      asked: { own: false },
    })
    expect(await second.account.resetFactors({ params })).toMatchObject({ isReset: true })
    expect((await captureProblem(client.factor.list({}))).kind).toBe('session')
    expect(await enter({ account: 'registrar' })).toMatchObject({ status: 200 })
    expect((await auditLines('account.resetFactors')).at(-1)).toMatchObject({
      account: 'teacher',
      object_id: params.id,
    })
    expect(await captureProblem(second.account.resetFactors({ params }))).toMatchObject({
      code: 409,
    })
  })

  it('is over after a day', async () => {
    await enrol('registrar')
    const params = { id: await findAccountId('registrar') }
    await (await app.signIn('admin')).account.resetFactors({ params })
    app.advance(25 * 60 * minute)
    const other = app.client((await enter({ account: 'teacher' })).token)
    expect(await other.account.resetFactors({ params })).toMatchObject({ isReset: false })
  })
})
