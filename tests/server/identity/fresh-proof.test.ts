// Acts that a session alone is not enough for (docs/rules/security.md#s6).
import { ApiProblem, proofHeader } from '@jiaowu/api/problem'
import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const minute = 60_000
const student = { tag: 'EDU_STUDENT' }

async function captureProofProblem(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof ApiProblem ? error.problem : null
}
/** Sessions after so much time that their sign-in is no fresh proof any more. */
async function stale(...accounts: readonly string[]) {
  const first = []
  for (const account of accounts) first.push(await app.signIn(account))
  app.advance(61 * minute)
  return await Promise.all(
    first.map(async ({ refreshToken }) => {
      const body = { grant_type: 'refresh_token', refresh_token: refreshToken } as const
      return app.client((await app.client('').session.signIn({ body })).access_token)
    }),
  )
}
async function staleAdmin() {
  const [me] = await stale('admin')
  if (me === undefined) throw new Error('no session')
  return me
}
const prove = (who: Pick<typeof admin, 'reauthentication'>, password = testPassword) =>
  who.reauthentication.prove({ body: { password } })
const aStudent = async (who: Pick<typeof admin, 'entityData'>) =>
  (await who.entityData.page({ params: student, body: { pageSize: 1 } })).records[0]?.id ?? ''
const reveal = (who: Pick<typeof admin, 'entityData'>, id: string, token?: string) =>
  who.entityData.reveal({
    params: { ...student, id },
    body: { field: 'idCard', reason: '核对身份证号' },
    ...(token === undefined ? {} : { headers: { [proofHeader]: token } }),
  })

describe('a fresh proof', () => {
  it('is the sign-in for an hour, over refreshes too', async () => {
    const first = await app.signIn('admin')
    app.advance(58 * minute)
    const { access_token } = await app
      .client('')
      .session.signIn({ body: { grant_type: 'refresh_token', refresh_token: first.refreshToken } })
    const later = app.client(access_token)
    const id = await aStudent(later)
    expect((await reveal(later, id)).value).toMatch(/^\d{17}[\dX]$/)
    app.advance(3 * minute)
    expect(await captureProofProblem(reveal(later, id))).toMatchObject({
      kind: 'refused',
      code: 40310,
      message: '此操作需要再次验证身份，请输入登录密码',
      data: { kinds: ['password'] },
    })
  })

  it('is a token of the password, once, which counts for the session from then on', async () => {
    const me = await staleAdmin()
    const id = await aStudent(me)
    expect((await captureProofProblem(reveal(me, id)))?.code).toBe(40310)
    const { token, expiresIn } = await prove(me)
    expect(expiresIn).toBe(300)
    // Alone it proves nothing: the call has to bring it.
    expect((await captureProofProblem(reveal(me, id)))?.code).toBe(40310)
    expect((await reveal(me, id, token)).value).not.toBe('')
    expect((await reveal(me, id)).value).not.toBe('')
    app.advance(59 * minute)
    const whoami = await captureProofProblem(me.session.whoami({}))
    expect(whoami?.code).toBe(40001)
  })

  it('is refused after five minutes, in another session, of another person, and used', async () => {
    const [me, other, viewer] = await stale('admin', 'admin', 'registrar')
    if (me === undefined || other === undefined || viewer === undefined) throw new Error('none')
    const id = await aStudent(me)
    const { token } = await prove(me)
    expect((await captureProofProblem(reveal(other, id, token)))?.code).toBe(40310)
    expect((await captureProofProblem(reveal(viewer, id, token)))?.code).toBe(40310)
    expect((await captureProofProblem(reveal(me, id, 'junk')))?.code).toBe(40310)
    app.advance(5 * minute + 1)
    expect((await captureProofProblem(reveal(me, id, token)))?.code).toBe(40310)
    const second = await prove(me)
    await reveal(me, id, second.token)
    const rows = await app.services.database.kysely
      .selectFrom('sys.session')
      .selectAll()
      .where('proof_hash', 'is not', null)
      .execute()
    expect(JSON.stringify(rows)).not.toContain(second.token)
  })

  it('needs the password, whose failures are counted and audited like those of the sign-in', async () => {
    const me = await staleAdmin()
    const wrong = await captureProofProblem(prove(me, 'not the password'))
    expect(wrong).toMatchObject({ kind: 'refused', code: 400, message: '密码不正确' })
    for (let n = 0; n < 4; n += 1) await captureProofProblem(prove(me, 'not the password'))
    const asked = await captureProofProblem(prove(me))
    expect(asked?.data).toMatchObject({ captchaKey: expect.any(String) as string })
    const lines = await app.services.database.kysely
      .selectFrom('sys.audit_log')
      .select(['result', 'account'])
      .where('tenant_id', '=', '10000')
      .where('action', '=', 'session.reauthenticate')
      .execute()
    expect(lines.filter(({ result }) => result === 'failed').length).toBe(5)
    expect(lines.filter(({ result }) => result === 'ok').length).toBeGreaterThan(0)
    app.advance(16 * minute)
  })
})

describe('calls that ask for it', () => {
  it('are these, and no others may', () => {
    const asking = Object.entries(contract).flatMap(([group, endpoints]) =>
      Object.entries(endpoints as Readonly<Record<string, Endpoint>>)
        .filter(([, { fresh }]) => fresh !== false)
        .map(([name, { fresh }]) => `${group}.${name} ${String(fresh)}`),
    )
    expect(asking.toSorted()).toEqual([
      'account.createMany true',
      'account.resetFactors true',
      'account.resetPassword true',
      'apiToken.create true',
      'bulk.update depends',
      'device.decide depends',
      'entityData.create depends',
      'entityData.export depends',
      'entityData.reveal true',
      'entityData.update depends',
      'entry.unlock true',
      'factor.enrolPasskey true',
      'factor.enrolTotp true',
      'factor.remove true',
      'factor.renewRecovery true',
      'history.purge true',
      'job.import depends',
      'print.decideRefund true',
      'proposals.confirm depends',
      'proposals.propose depends',
      'role.savePermissions true',
      'tenants.resetAdministrator true',
    ])
  })

  it('ask when they are refused nothing else, whatever is sent', async () => {
    const me = await staleAdmin()
    const params = { ...student, id: '1', ids: '1' }
    const calls: readonly Promise<unknown>[] = [
      me.account.createMany({ body: { accounts: [{}] } }),
      me.account.resetPassword({ params }),
      me.account.resetFactors({ params }),
      me.factor.enrolPasskey({ body: {} }),
      me.factor.enrolTotp({ body: {} }),
      me.factor.remove({ params }),
      me.factor.renewRecovery({}),
      me.entry.unlock({ params: { tag: 'EDU_GRADE' }, body: { by: {}, reason: '成绩有误' } }),
      me.history.purge({ params, body: { count: 1 } }),
      me.print.decideRefund({ params, body: { agree: true } }),
      me.role.savePermissions({ params, body: { version: 1, codes: [], rules: [] } }),
      me.tenants.resetAdministrator({ params: { id: '10001' } }),
      reveal(me, '1'),
    ]
    for (const call of calls) expect((await captureProofProblem(call))?.code).toBe(40310)
  })

  it('ask for exports of full values, not for masked ones', async () => {
    const me = await staleAdmin()
    const ask = (reveal_: boolean) =>
      me.entityData.export({
        params: student,
        body: { format: 'csv', ...(reveal_ ? { reveal: true, reason: '上报数据' } : {}) },
      })
    expect(await captureProofProblem(ask(false))).toBeNull()
    expect((await captureProofProblem(ask(true)))?.code).toBe(40310)
  })

  it('ask for roles and passwords of accounts, not for their other fields', async () => {
    const me = await staleAdmin()
    const params = { tag: 'SYS_USER' }
    const body = { account: 'proof-1', name: '甲', password: 'Tea-and-biscuits-4' }
    const roles = (await me.entityData.page({ params: { tag: 'SYS_ROLE' }, body: {} })).records
    const role = [{ id: roles[0]?.id ?? '', name: '' }]
    expect((await captureProofProblem(me.entityData.create({ params, body })))?.code).toBe(40310)
    const { token } = await prove(me)
    const made = await me.entityData.create({ params, body, headers: { [proofHeader]: token } })
    const other = await staleAdmin()
    const at = { params: { ...params, id: made.id } }
    const named = await other.entityData.update({
      ...at,
      body: { name: '乙', version: made.version },
    })
    expect(named['name']).toBe('乙')
    const change = (more: object) =>
      other.entityData.update({ ...at, body: { version: named.version, ...more } as never })
    expect((await captureProofProblem(change({ roles: role })))?.code).toBe(40310)
    expect((await captureProofProblem(change({ password: 'Coffee-and-cake-5' })))?.code).toBe(40310)
    // The refusal has written nothing.
    const row = await other.entityData.get({ params: { ...params, id: made.id } })
    expect(row.version).toBe(named.version)
    const set = { set: { roles: role }, ids: [made.id] } as never
    expect((await captureProofProblem(other.bulk.update({ params, body: set })))?.code).toBe(40310)
    const file = new File(['account,name\np2,丙\n'], 'a.csv', { type: 'text/csv' })
    const upload = { file, mode: 'insert' } as never
    expect((await captureProofProblem(other.job.import({ params, body: upload })))?.code).toBe(
      40310,
    )
    const again = await prove(other)
    await other.entityData.update({
      ...at,
      body: { version: named.version, roles: role } as never,
      headers: { [proofHeader]: again.token },
    })
  })
})
