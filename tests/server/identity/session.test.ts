import { ApiProblem } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

async function captureRefusal(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (e: unknown) => e,
  )
  if (!(error instanceof ApiProblem)) throw new Error(`no problem: ${String(error)}`)
  return error.problem
}
const captureRefusalCode = async (promise: Promise<unknown>) => (await captureRefusal(promise)).code
function refresh(token: string) {
  return app
    .client('')
    .session.signIn({ body: { grant_type: 'refresh_token', refresh_token: token } })
}
const minutes = (n: number) => n * 60_000

describe('staff session', () => {
  it('returns tokens in the envelope and at the top level for OAuth clients', async () => {
    const response = await app.call('/authority/anno/login', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=password&username=admin&password=${testPassword}`,
    })
    const body = (await response.json()) as {
      data: { access_token: string; userInfo: unknown }
      access_token: string
      expires_in: number
      success: boolean
    }
    expect(body.access_token).toBe(body.data.access_token)
    expect(body).toMatchObject({
      success: true,
      expires_in: 1800,
      data: {
        token_type: 'bearer',
        userInfo: { account: 'admin', tenant: '10000', mustChangePassword: false },
      },
    })
  })
  it('stores no token in plain text', async () => {
    const me = await app.signIn('viewer')
    const {
      database: { kysely },
    } = app.services
    const dump = JSON.stringify(await kysely.selectFrom('sys.session').selectAll().execute())
    expect(dump).not.toContain(me.token)
    expect(dump).not.toContain(me.refreshToken)
  })
  it('has a code for a missing, malformed, unknown and expired token', async () => {
    expect(await captureRefusalCode(app.client('').session.whoami({}))).toBe(401)
    expect(await captureRefusalCode(app.client('short').session.whoami({}))).toBe(40002)
    expect(await captureRefusalCode(app.client('x'.repeat(43)).session.whoami({}))).toBe(40000)
    const me = await app.signIn('viewer')
    app.advance(minutes(31))
    expect(await captureRefusalCode(me.session.whoami({}))).toBe(40001)
    const fresh = await refresh(me.refreshToken)
    expect((await app.client(fresh.access_token).session.whoami({})).account).toBe('viewer')
  })
  it('gives 20 concurrent refreshes the same successor, and ends the session on later reuse', async () => {
    const me = await app.signIn('viewer')
    const all = await Promise.all(Array.from({ length: 20 }, () => refresh(me.refreshToken)))
    expect(new Set(all.map((tokens) => tokens.access_token)).size).toBe(1)
    expect((await app.client(all[0]?.access_token ?? '').session.whoami({})).account).toBe('viewer')
    app.advance(11_000)
    expect(await captureRefusalCode(refresh(me.refreshToken))).toBe(40008)
    expect(
      await captureRefusalCode(app.client(all[0]?.access_token ?? '').session.whoami({})),
    ).toBe(40008)
    expect(await captureRefusalCode(refresh(all[0]?.refresh_token ?? ''))).toBe(40008)
  })
  it('leaves an audit line and a message to the account when a refresh token is used twice', async () => {
    const { kysely } = app.services.database
    const linesOf = (action: string) =>
      kysely
        .selectFrom('sys.audit_log')
        .select(['user_id', 'result', 'detail', 'ip'])
        .where('tenant_id', '=', '10000')
        .where('action', '=', action)
        .execute()
    const before = (await linesOf('session.refreshReused')).length
    const me = await app.signIn('viewer')
    const { id } = await me.session.whoami({})
    await refresh(me.refreshToken)
    app.advance(11_000)
    expect(await captureRefusalCode(refresh(me.refreshToken))).toBe(40008)
    const lines = (await linesOf('session.refreshReused')).slice(before)
    expect(lines).toMatchObject([{ user_id: id, result: 'denied', detail: { kind: 'staff' } }])
    const again = await app.signIn('viewer')
    const { records } = await again.messages.mine({})
    // The system writes to an account in both languages.
    expect(records[0]?.title).toContain(t('zh-CN', 'session.reused.title'))
    expect(records[0]?.content).toContain(
      t('zh-CN', 'session.reused.content', { ip: lines[0]?.ip ?? '' }),
    )
    // A second use of the token that ended the session tells nothing new.
    expect(await captureRefusalCode(refresh(me.refreshToken))).toBe(40008)
    expect((await linesOf('session.refreshReused')).length).toBe(before + lines.length)
  })
  it('expires a refresh token after 8 idle hours', async () => {
    const me = await app.signIn('viewer')
    app.advance(minutes(8 * 60 + 1))
    expect(await captureRefusalCode(refresh(me.refreshToken))).toBe(40006)
  })
  it('accepts no refresh token as an access token, nor the reverse', async () => {
    const me = await app.signIn('viewer')
    expect(await captureRefusalCode(app.client(me.refreshToken).session.whoami({}))).toBe(40000)
    expect(await captureRefusalCode(refresh(me.token))).toBe(40000)
  })
  it('ends at sign-out, and the oldest of six sessions ends', async () => {
    const me = await app.signIn('clerk')
    await me.session.signOut({})
    expect(await captureRefusalCode(me.session.whoami({}))).toBe(40000)
    const sessions = []
    for (let i = 0; i < 6; i += 1) sessions.push(await app.signIn('clerk'))
    expect(await captureRefusalCode((sessions[0] as (typeof sessions)[0]).session.whoami({}))).toBe(
      40003,
    )
    expect((await (sessions[1] as (typeof sessions)[0]).session.whoami({})).account).toBe('clerk')
  })
  it('applies disabling and role changes at the next call', async () => {
    const {
      database: { kysely },
    } = app.services
    const me = await app.signIn('viewer')
    expect((await me.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })).total).toBe(96)
    const user = await kysely
      .selectFrom('sys.app_user')
      .select(['id', 'role_ids'])
      .where('account', '=', 'viewer')
      .executeTakeFirstOrThrow()
    await kysely
      .updateTable('sys.app_user')
      .set({ role_ids: [] })
      .where('id', '=', user.id)
      .execute()
    expect(
      (await captureRefusal(me.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} }))).code,
    ).toBe(403)
    await kysely
      .updateTable('sys.app_user')
      .set({ role_ids: user.role_ids, status: '0' })
      .where('id', '=', user.id)
      .execute()
    expect(await captureRefusalCode(me.session.whoami({}))).toBe(40005)
    await kysely
      .updateTable('sys.app_user')
      .set({ status: '1' })
      .where('id', '=', user.id)
      .execute()
  })
  it('changes a password with the old one, refuses weak ones, and ends other sessions', async () => {
    const [me, other] = [await app.signIn('registrar'), await app.signIn('registrar')]
    expect(
      (
        await captureRefusal(
          me.session.changePassword({
            body: { oldPassword: 'no', newPassword: 'A-better-one-2026' },
          }),
        )
      ).issues[0]?.path,
    ).toBe('oldPassword')
    expect(
      (
        await captureRefusal(
          me.session.changePassword({
            body: { oldPassword: testPassword, newPassword: 'password' },
          }),
        )
      ).issues[0]?.path,
    ).toBe('newPassword')
    await me.session.changePassword({
      body: { oldPassword: testPassword, newPassword: 'A-better-one-2026' },
    })
    expect((await me.session.whoami({})).account).toBe('registrar')
    expect(await captureRefusalCode(other.session.whoami({}))).toBe(40003)
  })
  it('needs a captcha after 5 failures, blocks after 10, and replies alike for unknown accounts', async () => {
    const attempt = (account: string, more = {}) =>
      captureRefusal(
        app.client('').session.signIn({
          body: { grant_type: 'password', username: account, password: 'wrong', ...more },
        }),
      )
    const unknown = await attempt('nobody')
    expect(unknown).toMatchObject({ code: 400, message: '账号或密码错误' })
    const first = await attempt('clerk')
    expect({ ...first, traceId: null }).toEqual({ ...unknown, traceId: null })
    for (let i = 0; i < 3; i += 1) await attempt('clerk')
    const fifth = await attempt('clerk')
    const key = (fifth.data as { captchaKey: string }).captchaKey
    expect((await attempt('clerk')).message).toBe('请输入图片验证码')
    const picture = await app.call(`/captcha?key=${key}`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect([...new Uint8Array(await picture.arrayBuffer()).subarray(1, 4)]).toEqual([
      ...Buffer.from('PNG'),
    ])
    const { answer } = await app.services.database.kysely
      .selectFrom('sys.captcha')
      .select('answer')
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    expect((await attempt('clerk', { captchaKey: key, captcha: 'zzzz' })).message).toBe(
      '验证码错误！',
    )
    expect((await attempt('clerk', { captchaKey: key, captcha: answer })).message).toBe(
      '验证码错误！',
    ) // used up by the wrong answer
    const nextCaptcha = async () => {
      const asked = await attempt('clerk')
      const { captchaKey } = asked.data as { captchaKey: string }
      await app.call(`/captcha?key=${captchaKey}`)
      const row = await app.services.database.kysely
        .selectFrom('sys.captcha')
        .select('answer')
        .where('key', '=', captchaKey)
        .executeTakeFirstOrThrow()
      return { captchaKey, captcha: row.answer }
    }
    for (let i = 0; i < 5; i += 1) await attempt('clerk', await nextCaptcha())
    expect((await attempt('clerk')).code).toBe(429)
    app.advance(minutes(16))
    expect((await app.signIn('clerk')).token).not.toBe('')
  })
  it('checks only five of twenty concurrent passwords', async () => {
    const {
      database: { kysely },
    } = app.services
    const guess = (ip: string) =>
      app
        .call(
          '/authority/anno/login',
          {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: 'grant_type=password&username=viewer&password=wrong',
          },
          { ip, secure: false },
        )
        .then((response) => response.status)
    const before = await kysely
      .selectFrom('sys.audit_log')
      .select((e) => e.fn.countAll<string>().as('n'))
      .where('action', '=', 'session.signIn')
      .where('result', '=', 'failed')
      .executeTakeFirstOrThrow()
    const statuses = await Promise.all(
      Array.from({ length: 20 }, (_none, i) => guess(`2001:db8::${i + 1}`)),
    )
    expect(statuses.every((status) => status === 400 || status === 429)).toBe(true)
    const after = await kysely
      .selectFrom('sys.audit_log')
      .select((e) => e.fn.countAll<string>().as('n'))
      .where('action', '=', 'session.signIn')
      .where('result', '=', 'failed')
      .executeTakeFirstOrThrow()
    expect(Number(after.n) - Number(before.n)).toBe(5) // one network; the sixth needs a captcha
    expect(
      await app
        .call(
          '/authority/anno/login',
          {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: `grant_type=password&username=viewer&password=${testPassword}`,
          },
          { ip: '10.9.9.9', secure: false },
        )
        .then((response) => response.status),
    ).toBe(200)
  })
  it('limits guesses of the old password with a stolen session', async () => {
    const me = await app.signIn('viewer')
    const attempt = () =>
      captureRefusalCode(
        me.session.changePassword({
          body: { oldPassword: 'guess', newPassword: 'Another-good-one-2026' },
        }),
      )
    const codes = []
    for (let i = 0; i < 11; i += 1) codes.push(await attempt())
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 42200), 429])
    app.advance(minutes(16))
    expect(await attempt()).toBe(42200)
  })
  it('allows only session calls until a password set by an administrator is changed', async () => {
    const {
      database: { kysely },
    } = app.services
    const setFlag = (must_change_password: boolean) =>
      kysely
        .updateTable('sys.app_user')
        .set({ must_change_password })
        .where('account', '=', 'clerk')
        .where('tenant_id', '=', '10000')
        .execute()
    await setFlag(true)
    const me = await app.signIn('clerk')
    expect((await me.session.whoami({})).mustChangePassword).toBe(true)
    expect(await me.session.menu({})).not.toEqual([])
    expect(
      await captureRefusal(me.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })),
    ).toMatchObject({ code: 403, message: '请先修改密码' })
    expect(
      await captureRefusalCode(
        me.attachment.list({ query: { bizType: 'EDU_STUDENT', bizId: '4000001' } }),
      ),
    ).toBe(403)
    await me.session.changePassword({
      body: { oldPassword: testPassword, newPassword: 'My-own-password-2026' },
    })
    expect((await me.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })).total).toBe(96)
    expect((await me.session.whoami({})).mustChangePassword).toBe(false)
    await me.session.changePassword({
      body: { oldPassword: 'My-own-password-2026', newPassword: testPassword },
    })
  })
  it('accepts accounts of the given tenant only, and hides rows of other tenants', async () => {
    const second = await app.signIn('admin', '10001')
    expect((await second.session.whoami({})).tenant).toBe('10001')
    expect((await second.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} })).total).toBe(
      100,
    )
    const first = await app.signIn('admin')
    const [theirs] = (await second.entityData.page({ params: { tag: 'EDU_STUDENT' }, body: {} }))
      .records
    expect(
      (
        await captureRefusal(
          first.entityData.get({ params: { tag: 'EDU_STUDENT', id: theirs?.id ?? '' } }),
        )
      ).code,
    ).toBe(404)
    expect(
      (
        await captureRefusal(
          app.client('').session.signIn({
            body: {
              grant_type: 'password',
              username: 'clerk',
              password: testPassword,
              tenant: '10001',
            },
          }),
        )
      ).code,
    ).toBe(400)
  })
  it('returns the menu and permissions of each user', async () => {
    const tagsOf = async (account: string) => {
      const me = await app.signIn(account)
      return {
        menu: (await me.session.menu({})).flatMap((node) => node.children.map((leaf) => leaf.tag)),
        codes: (await me.session.resources({})).map(({ code }) => code),
      }
    }
    expect((await tagsOf('clerk')).menu).toEqual(['EDU_STUDENT'])
    expect((await tagsOf('clerk')).codes.sort()).toEqual([
      'entity:EDU_STUDENT:add',
      'entity:EDU_STUDENT:update',
      'entity:EDU_STUDENT:view',
    ])
    const admin = await tagsOf('admin')
    expect(admin.menu).toHaveLength(40)
    expect(admin.codes).toEqual(
      expect.arrayContaining(['ALL_PERMISSION', 'entity:SYS_USER:delete', 'table:view']),
    )
  })
})
