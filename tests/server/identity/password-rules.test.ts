// Length and age of passwords, and what follows wrong ones, as a school sets them
// (docs/rules/security.md#p1, docs/rules/security.md#sign-in).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashPassword } from '../../../apps/server/src/identity/password.ts'
import { hashOf } from '../../../apps/server/src/platform/tokens.ts'
import { toCsv, importFile, waitForJob } from '../../support/imports.ts'
import { setSetting } from '../../support/settings.ts'

type Staff = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let admin: Staff
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  admin = await app.signIn('admin')
})

const day = 24 * 3_600_000
const params = { tag: 'SYS_USER' }
const openRulesDatabase = () => app.services.database.kysely
async function capturePasswordProblem(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiProblem)) throw new Error(`no problem: ${String(error)}`)
  return error.problem
}
const signInWithPassword = (username: string, password: string) =>
  app.client('').session.signIn({ body: { grant_type: 'password', username, password } })
const changedAt = async (account: string) => {
  const { password_changed_at } = await openRulesDatabase()
    .selectFrom('sys.app_user')
    .select('password_changed_at')
    .where('tenant_id', '=', '10000')
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  return new Date(password_changed_at).getTime()
}
const now = () => app.services.now().getTime()
const accountRow = async (account: string) => {
  const { records } = await admin.entityData.page({ params, body: { queries: { account } } })
  const row = records.find((each) => each['account'] === account)
  if (row === undefined) throw new Error(`no account ${account}`)
  return row
}

describe('the length that a school asks for', () => {
  const short = 'Kx7-vQ2w' // 8 characters
  beforeEach(() => setSetting(admin, 'PASSWORD_MIN_LENGTH', '14'))
  afterEach(() => setSetting(admin, 'PASSWORD_MIN_LENGTH', ''))

  it('holds for a change of the own password, which says it before and after', async () => {
    expect((await admin.session.whoami({})).passwordLength).toBe(14)
    const change = (newPassword: string) =>
      admin.session.changePassword({ body: { oldPassword: testPassword, newPassword } })
    expect((await capturePasswordProblem(change(short))).issues).toEqual([
      {
        path: 'newPassword',
        rule: 'password',
        msg: '密码至少 14 位，且不能是常见密码或原密码',
      },
    ])
    // Another school keeps its own.
    const other = await app.signIn('admin', '10001')
    expect((await other.session.whoami({})).passwordLength).toBe(8)
  })

  it('holds for accounts by form and import', async () => {
    const { id, version } = await accountRow('clerk')
    const msg = '密码至少 14 位，且不能过于常见'
    const body = { account: 'newcomer', name: '新人', password: short }
    expect(
      (await capturePasswordProblem(admin.entityData.create({ params, body }))).issues,
    ).toMatchObject([{ path: 'password', msg }])
    const update = admin.entityData.update({
      params: { ...params, id },
      body: { version, password: short },
    })
    expect((await capturePasswordProblem(update)).issues).toMatchObject([{ path: 'password', msg }])
    const csv = toCsv(`账号,姓名,密码\nnewcomer,新人,${short}\n`)
    const job = await importFile(admin, 'SYS_USER', csv, { mode: 'insert' })
    expect(JSON.stringify(job)).toContain(msg)
    if (job.status === 'paused') await admin.job.cancel({ params: { id: job.id } })
  })

  it('holds for new passwords alone: those that are set stay', async () => {
    await setSetting(admin, 'PASSWORD_MIN_LENGTH', '64')
    expect((await signInWithPassword('viewer', testPassword)).userInfo.mustChangePassword).toBe(
      false,
    )
  })
})

describe('the age that a school allows', () => {
  afterEach(() => setSetting(admin, 'PASSWORD_MAX_DAYS', ''))

  it('is none without the setting', async () => {
    app.advance(1_000 * day)
    expect((await signInWithPassword('registrar', testPassword)).userInfo.mustChangePassword).toBe(
      false,
    )
    admin = await app.signIn('admin')
  })

  it('asks for a new password at the sign-in, and for nothing before it is changed', async () => {
    const old = await app.signIn('viewer')
    await setSetting(admin, 'PASSWORD_MAX_DAYS', '90')
    // Sessions that run are not concerned.
    const list = (who: Pick<Staff, 'entityData'>) =>
      who.entityData.page({ params: { tag: 'EDU_CLASS' }, body: {} })
    await list(old)
    const { access_token, userInfo } = await signInWithPassword('viewer', testPassword)
    expect(userInfo.mustChangePassword).toBe(true)
    const viewer = app.client(access_token)
    expect((await viewer.session.whoami({})).mustChangePassword).toBe(true)
    expect(await capturePasswordProblem(list(viewer))).toMatchObject({
      code: 403,
      message: '请先修改密码',
    })
    const next = 'Kx7-vQ2w-Jiaowu'
    await viewer.session.changePassword({
      body: { oldPassword: testPassword, newPassword: next },
    })
    await list(viewer)
    app.advance(89 * day)
    expect((await signInWithPassword('viewer', next)).userInfo.mustChangePassword).toBe(false)
    app.advance(2 * day)
    expect((await signInWithPassword('viewer', next)).userInfo.mustChangePassword).toBe(true)
    admin = app.client((await signInWithPassword('admin', testPassword)).access_token) as Staff
    // The administrator's own is too old by now as well.
    await admin.session.changePassword({
      body: { oldPassword: testPassword, newPassword: next },
    })
    await admin.session.changePassword({
      body: { oldPassword: next, newPassword: testPassword },
    })
  })

  it('counts from whatever wrote the password last', async () => {
    const { id } = await accountRow('clerk')
    const since = async (act: () => Promise<unknown>) => {
      app.advance(day / 24)
      admin = await app.signIn('admin')
      const before = now()
      await act()
      return Math.abs((await changedAt('clerk')) - before) < 60_000
    }
    expect(await since(async () => undefined)).toBe(false)
    expect(await since(() => admin.account.resetPassword({ params: { id } }))).toBe(true)
    const byForm = async () => {
      const { version } = await accountRow('clerk')
      await admin.entityData.update({
        params: { ...params, id },
        body: { version, password: 'Kx7-vQ2w-by-form' },
      })
    }
    expect(await since(byForm)).toBe(true)
    const byImport = async () => {
      const csv = toCsv('账号,密码\nclerk,Kx7-vQ2w-by-import\n')
      const { id: job } = await importFile(admin, 'SYS_USER', csv, {
        mode: 'update',
        key: 'account',
      })
      await admin.job.resume({ params: { id: job }, body: {} })
      expect(await waitForJob(admin, job)).toMatchObject({ status: 'done', updated: 1 })
    }
    expect(await since(byImport)).toBe(true)
    const byPerson = async () => {
      const { access_token } = await signInWithPassword('clerk', 'Kx7-vQ2w-by-import')
      await app.client(access_token).session.changePassword({
        body: { oldPassword: 'Kx7-vQ2w-by-import', newPassword: testPassword },
      })
    }
    expect(await since(byPerson)).toBe(true)
  })
})

describe('what follows wrong passwords', () => {
  afterEach(async () => {
    for (const code of ['SIGN_IN_CAPTCHA_AFTER', 'SIGN_IN_WAIT_AFTER', 'SIGN_IN_WAIT_MINUTES'])
      await setSetting(admin, code, '')
    app.advance(day)
  })
  const wrong = async () => {
    const { code, data } = await capturePasswordProblem(
      signInWithPassword('registrar', 'not-the-password'),
    )
    return code === 429
      ? 'wait'
      : (data as { captchaKey?: string } | null)?.captchaKey
        ? 'captcha'
        : 'wrong'
  }

  it('is a captcha after five without a setting, and sooner with one', async () => {
    const tries = async (n: number) => {
      const seen: string[] = []
      for (let i = 0; i < n; i += 1) seen.push(await wrong())
      return seen
    }
    expect(await tries(5)).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'captcha'])
    app.advance(day)
    admin = await app.signIn('admin')
    await setSetting(admin, 'SIGN_IN_CAPTCHA_AFTER', '2')
    expect(await tries(2)).toEqual(['wrong', 'captcha'])
  })

  it('is a wait of the minutes that the school sets', async () => {
    await setSetting(admin, 'SIGN_IN_WAIT_AFTER', '3')
    await setSetting(admin, 'SIGN_IN_WAIT_MINUTES', '30')
    for (let i = 0; i < 3; i += 1) expect(await wrong()).toBe('wrong')
    expect(await wrong()).toBe('wait')
    expect(
      (await capturePasswordProblem(signInWithPassword('registrar', testPassword))).message,
    ).toBe('尝试次数过多，请 30 分钟后再试')
    app.advance(29 * 60_000)
    expect(await wrong()).toBe('wait')
    app.advance(2 * 60_000)
    expect((await signInWithPassword('registrar', testPassword)).userInfo.account).toBe('registrar')
    admin = await app.signIn('admin')
  })
})

describe('hashes', () => {
  const storedHash = async () => {
    const { password_hash } = await openRulesDatabase()
      .selectFrom('sys.app_user')
      .select('password_hash')
      .where('tenant_id', '=', '10000')
      .where('account', '=', 'admin')
      .executeTakeFirstOrThrow()
    return password_hash
  }
  const storeHash = (password_hash: string) =>
    openRulesDatabase()
      .updateTable('sys.app_user')
      .set({ password_hash })
      .where('tenant_id', '=', '10000')
      .where('account', '=', 'admin')
      .execute()

  it('of the earlier standard change at the next sign-in alone, and trusted browsers stay', async () => {
    const before = await storedHash()
    const earlier = await hashPassword(testPassword, { log2: 17 })
    const stamp = (hash: string) => hashOf(hash)
    await storeHash(earlier)
    const row = { tenant_id: '10000', made_at: new Date(), expires_at: new Date(now() + day) }
    const { id: user_id } = await admin.session.whoami({})
    await openRulesDatabase()
      .insertInto('sys.known_browser')
      .values({ ...row, user_id, token_hash: 'browser', password_stamp: stamp(earlier) })
      .execute()
    await capturePasswordProblem(signInWithPassword('admin', `${testPassword}!`))
    expect(await storedHash()).toBe(earlier)
    await app.signIn('admin')
    const renewed = await storedHash()
    expect(renewed).toMatch(/^argon2id\$19456\$2\$1\$/)
    await app.signIn('admin')
    expect(await storedHash()).toBe(renewed)
    const browser = await openRulesDatabase()
      .selectFrom('sys.known_browser')
      .select('password_stamp')
      .where('tenant_id', '=', '10000')
      .where('token_hash', '=', 'browser')
      .executeTakeFirstOrThrow()
    expect(browser.password_stamp).toBe(stamp(renewed))
    await storeHash(before)
  })

  it('wait for their turn: forty people of one moment are let in, and learn their place', async () => {
    const names = Array.from({ length: 40 }, (_none, at) => `crowd${at}`)
    const made = await admin.account.createMany({
      body: { accounts: names.map((account) => ({ account, name: account })) },
    })
    const key = 'k'.repeat(20)
    const signIns = made.map(({ account, password }, at) =>
      app.client('').session.signIn({
        body: {
          grant_type: 'password',
          username: account,
          password: password ?? '',
          ...(at === 39 && { waitKey: key }),
        },
      }),
    )
    const ask = () => app.client('').session.queue({ query: { key } })
    await expect.poll(ask, { timeout: 20_000, interval: 5 }).toMatchObject({
      before: expect.any(Number),
      seconds: expect.any(Number),
    })
    expect((await Promise.all(signIns)).map(({ userInfo }) => userInfo.account)).toEqual(names)
    expect(await ask()).toBeNull()
  })
})
