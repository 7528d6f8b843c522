// Sign-in at an OpenID provider of another vendor, and attacks on it (docs/rules/security.md#s8).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ForeignOidc, foreignOidc, throughProvider } from '../../support/sso/foreign-oidc.ts'
import { back, begin, enter, origin, providersFile } from '../../support/sso/sign-on.ts'

let [foreign, other]: ForeignOidc[] = []
let app: TestApp
const people = {
  clerk: { name: '李文员' },
  viewer: { name: '访客', groups: ['registrars', 'unmapped'] },
  newcomer: { name: '新来的', groups: [] },
  stranger: {},
}
beforeAll(async () => {
  foreign = await foreignOidc(origin, { people })
  other = await foreignOidc(origin, { id: 'branch', people })
  const settings = (id: string, { issuer, clientId }: ForeignOidc) => ({
    id,
    kind: 'oidc',
    name: '统一身份认证',
    nameEn: 'Campus sign-in',
    issuer,
    clientId,
    clientSecret: 'env:CAMPUS_SECRET',
  })
  app = await testApp({
    PUBLIC_URL: origin,
    CAMPUS_SECRET: foreign.clientSecret,
    SSO_FILE: providersFile([
      {
        ...settings('campus', foreign),
        groups: {
          claim: 'groups',
          roles: { registrars: ['ROLE_REGISTRAR'], gone: ['ROLE_GONE'] },
        },
      },
      { ...settings('branch', other), create: { role: 'ROLE_VIEWER' } },
      { ...settings('elsewhere', other), tenant: '10001' },
      { ...settings('dead', other), issuer: 'http://127.0.0.1:9' },
    ]),
  })
})
afterAll(async () => {
  await app?.close()
  await foreign?.stop()
  await other?.stop()
})
beforeEach(() => app.advance(61_000))

const via = (id: string) => (id === 'campus' ? foreign : other) as ForeignOidc

/** All steps of a sign-on of a person. */
async function signOn(
  account: string,
  { id = 'campus', redirect = '/entity/EDU_STUDENT/search' } = {},
) {
  const start = await begin(app, id, { redirect })
  const returned = await throughProvider(start.location, origin, { account })
  const end = await back(app, id, returned.searchParams, start.cookie)
  return { start, returned, end, cookie: start.cookie }
}

async function exchangeTokens(account: string, id = 'campus') {
  const { end, cookie } = await signOn(account, { id })
  expect(end.page.get('fault')).toBe(null)
  const { status, tokens } = await enter(app, id, end.page.get('code'), cookie)
  expect(status).toBe(200)
  return tokens
}

const readSignOnAudit = (action: string) =>
  app.services.database.kysely
    .selectFrom('sys.audit_log')
    .select(['account', 'result', 'detail'])
    .where('tenant_id', '=', '10000')
    .where('action', '=', action)
    .orderBy('seq', 'desc')
    .execute()

it('lists the providers of a school, with those that are down', async () => {
  const listed = await app.client('').sso.providers({ query: {} })
  expect(listed.map(({ id, up }) => [id, up])).toEqual([
    ['campus', true],
    ['branch', true],
    ['dead', false],
  ])
  expect(listed[0]).toEqual({
    id: 'campus',
    kind: 'oidc',
    name: '统一身份认证',
    nameEn: 'Campus sign-in',
    for: 'staff',
    up: true,
  })
  const elsewhere = await app.client('').sso.providers({ query: { tenant: '10001' } })
  expect(elsewhere.map(({ id }) => id)).toEqual(['elsewhere'])
})

it('signs a person in by a code flow with PKCE, state and nonce, without a token in an address', async () => {
  const { start, returned, end, cookie } = await signOn('clerk')
  const asked = new URL(start.location).searchParams
  expect(asked.get('code_challenge_method')).toBe('S256')
  expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  expect(asked.get('state')).toMatch(/^[\w-]{43}$/)
  expect(asked.get('nonce')).toMatch(/^[\w-]{43}$/)
  expect(returned.searchParams.get('iss')).toBe(foreign?.issuer)
  expect([end.status, end.page.get('provider'), end.page.get('redirect')]).toEqual([
    303,
    'campus',
    '/entity/EDU_STUDENT/search',
  ])
  const code = end.page.get('code')
  const { status, tokens } = await enter(app, 'campus', code, cookie)
  expect([status, tokens.userInfo.account]).toEqual([200, 'clerk'])
  const [own] = await app.client(tokens.access_token).ownSessions.list({})
  expect(own).toMatchObject({ by: 'oidc', kind: 'staff', current: true })
  // A code is good for one exchange.
  expect((await enter(app, 'campus', code, cookie)).status).toBe(400)
})

it('sets a cookie that comes back from the provider and is not read by scripts', async () => {
  const response = await app.call('/auth/campus/start')
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^jiaowu-sso=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('keeps no state, code, browser or ID token readable', async () => {
  const { start, end, cookie } = await signOn('clerk')
  const rows = JSON.stringify(
    await app.services.database.kysely.selectFrom('sys.sso_attempt').selectAll().execute(),
  )
  const state = new URL(start.location).searchParams.get('state') ?? ''
  for (const secret of [state, end.page.get('code') ?? '', cookie.split('=')[1] ?? ''])
    expect(rows).not.toContain(secret)
  expect(rows).toContain('"enc1:')
  expect(rows).not.toContain('eyJ')
})

it('refuses a state that is used twice', async () => {
  const { returned, cookie } = await signOn('clerk')
  const again = await back(app, 'campus', returned.searchParams, cookie)
  expect(again.page.get('fault')).toBe('replayed')
  expect((await readSignOnAudit('session.signIn'))[0]).toMatchObject({
    result: 'failed',
    detail: { by: 'oidc', provider: 'campus', why: 'replayed' },
  })
})

it('refuses the return in another browser, and the code of another one', async () => {
  const mine = await begin(app, 'campus')
  const theirs = await begin(app, 'campus')
  const returned = await throughProvider(mine.location, origin, { account: 'clerk' })
  // An attacker's answer in the browser of a victim, with and without a sign-in of its own under way.
  for (const cookie of [theirs.cookie, ''])
    expect((await back(app, 'campus', returned.searchParams, cookie)).page.get('fault')).toBe(
      'browser',
    )
  // The attempt is not used up by that.
  const end = await back(app, 'campus', returned.searchParams, mine.cookie)
  for (const cookie of [theirs.cookie, ''])
    expect((await enter(app, 'campus', end.page.get('code'), cookie)).status).toBe(400)
  expect((await enter(app, 'campus', end.page.get('code'), mine.cookie)).status).toBe(200)
})

it('refuses answers of one provider at the callback of another', async () => {
  const start = await begin(app, 'campus')
  const returned = await throughProvider(start.location, origin, { account: 'clerk' })
  expect((await back(app, 'branch', returned.searchParams, start.cookie)).page.get('fault')).toBe(
    'mixed',
  )
  // A code of the other provider with a state of this one.
  const forged = new URLSearchParams(returned.searchParams)
  forged.set('iss', other?.issuer ?? '')
  expect((await back(app, 'campus', forged, start.cookie)).page.get('fault')).toBe('mixed')
  expect((await back(app, 'campus', 'code=x&state=short', start.cookie)).page.get('fault')).toBe(
    'invalid',
  )
})

it('follows no address out of the application', async () => {
  for (const redirect of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/a\n/b',
    'javascript:alert(1)',
    '',
  ])
    expect((await begin(app, 'campus', { redirect })).page.get('fault'), redirect).toBe('redirect')
})

it('ends attempts after ten minutes and codes after one', async () => {
  const slow = await begin(app, 'campus')
  const late = await throughProvider(slow.location, origin, { account: 'clerk' })
  app.advance(600_000)
  expect((await back(app, 'campus', late.searchParams, slow.cookie)).page.get('fault')).toBe(
    'expired',
  )
  const { end, cookie } = await signOn('clerk')
  app.advance(60_000)
  expect((await enter(app, 'campus', end.page.get('code'), cookie)).status).toBe(400)
})

it('tells a cancelled sign-in, a provider that is down and an unknown provider apart', async () => {
  const start = await begin(app, 'campus')
  const returned = await throughProvider(start.location, origin, { cancel: '1' })
  expect((await back(app, 'campus', returned.searchParams, start.cookie)).page.get('fault')).toBe(
    'cancelled',
  )
  expect((await begin(app, 'dead')).page.get('fault')).toBe('down')
  expect((await begin(app, 'nowhere')).status).toBe(404)
  // The others go on, and so do passwords.
  expect((await exchangeTokens('clerk')).userInfo.account).toBe('clerk')
  await app.signIn('clerk')
})

it('refuses persons without an account, and makes one only where the settings say so', async () => {
  expect((await signOn('stranger')).end.page.get('fault')).toBe('unknown')
  const { userInfo } = await exchangeTokens('newcomer', 'branch')
  expect(userInfo).toMatchObject({
    account: 'newcomer',
    name: '新来的',
    roles: ['ROLE_VIEWER'],
    mustChangePassword: false,
  })
  expect(await readSignOnAudit('account.createByProvider')).toMatchObject([
    { account: 'newcomer', detail: { provider: 'branch', role: 'ROLE_VIEWER' } },
  ])
  // The second sign-in finds it, and so does the first provider now.
  expect((await exchangeTokens('newcomer', 'branch')).userInfo.id).toBe(userInfo.id)
  expect((await exchangeTokens('newcomer')).userInfo.id).toBe(userInfo.id)
})

it('gives roles by groups and takes them at the next sign-in, which acts on open sessions', async () => {
  const admin = await app.signIn('admin')
  const first = await exchangeTokens('viewer')
  // ROLE_VIEWER is not in the mapping and stays.
  expect([...first.userInfo.roles].sort()).toEqual(['ROLE_REGISTRAR', 'ROLE_VIEWER'])
  const open = app.client(first.access_token)
  const params = { tag: 'EDU_FACULTY' }
  await open.entityData.create({ params, body: { code: 'SSO1', name: '院系' } })
  people.viewer.groups = ['unmapped']
  const second = await exchangeTokens('viewer')
  expect(second.userInfo.roles).toEqual(['ROLE_VIEWER'])
  const refused = await open.entityData
    .create({ params, body: { code: 'SSO2', name: '院系' } })
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiProblem)
  expect((refused as ApiProblem).problem.code).toBe(403)
  expect((await readSignOnAudit('account.mapRoles')).map(({ detail }) => detail)).toEqual([
    { provider: 'campus', added: [], taken: ['ROLE_REGISTRAR'] },
    { provider: 'campus', added: ['ROLE_REGISTRAR'], taken: [] },
  ])
  const { id } = second.userInfo
  const history = await admin.history.of({ params: { tag: 'SYS_USER', id } })
  expect(history.entries.filter(({ changes }) => changes.length > 0)).toHaveLength(2)
})

it('refuses disabled accounts, also between the provider and the page', async () => {
  const { kysely } = app.services.database
  const setStatus = (status: string) =>
    kysely
      .updateTable('sys.app_user')
      .set({ status })
      .where('tenant_id', '=', '10000')
      .where('account', '=', 'clerk')
      .execute()
  const { end, cookie } = await signOn('clerk')
  await setStatus('0')
  expect((await enter(app, 'campus', end.page.get('code'), cookie)).status).toBe(400)
  expect((await signOn('clerk')).end.page.get('fault')).toBe('disabled')
  await setStatus('1')
})

it('signs out here and names the page that ends the session of the provider', async () => {
  const tokens = await exchangeTokens('clerk')
  const client = app.client(tokens.access_token)
  const { url } = await client.sso.logout({ params: { provider: 'campus' } })
  const there = new URL(url ?? '')
  expect(there.origin).toBe(foreign?.issuer)
  expect(there.searchParams.get('post_logout_redirect_uri')).toBe(`${origin}/`)
  expect(there.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
  const over = await client.session.whoami({}).catch((error: unknown) => error)
  expect((over as ApiProblem).problem.code).toBe(40000)
  const local = await app.signIn('clerk')
  expect(await local.sso.logout({ params: { provider: 'campus' } })).toEqual({ url: null })
})

it('finds accounts of its own school alone', async () => {
  const start = await begin(app, 'elsewhere')
  expect(via('elsewhere').issuer).toBe(new URL(start.location).origin)
})

it('gives no role that brings rights of two administrators together, in a school that keeps them apart', async () => {
  const { kysely } = app.services.database
  const tenant_id = '10000'
  const roles = await kysely
    .selectFrom('sys.role')
    .select(['id', 'code'])
    .where('tenant_id', '=', tenant_id)
    .execute()
  const idOf = (code: string) => roles.find((role) => role.code === code)?.id ?? ''
  await kysely
    .insertInto('sys.role_permission')
    .values([
      { tenant_id, role_id: idOf('ROLE_REGISTRAR'), code: 'audit:view' },
      { tenant_id, role_id: idOf('ROLE_VIEWER'), code: 'entity:design' },
    ])
    .execute()
  const rolesOf = async (account: string) => {
    const { role_ids } = await kysely
      .selectFrom('sys.app_user')
      .select('role_ids')
      .where('tenant_id', '=', tenant_id)
      .where('account', '=', account)
      .executeTakeFirstOrThrow()
    return role_ids
  }
  people.viewer.groups = ['registrars']
  await kysely
    .updateTable('sys.tenant')
    .set({ split_duties: true })
    .where('id', '=', tenant_id)
    .execute()
  const refused = await exchangeTokens('viewer').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Error)
  expect(await rolesOf('viewer')).toEqual([idOf('ROLE_VIEWER')])
  await kysely
    .updateTable('sys.tenant')
    .set({ split_duties: false })
    .where('id', '=', tenant_id)
    .execute()
  await exchangeTokens('viewer')
  expect(await rolesOf('viewer')).toEqual([idOf('ROLE_VIEWER'), idOf('ROLE_REGISTRAR')])
})
