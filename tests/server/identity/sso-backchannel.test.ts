// Sign-outs that a provider begins, and providers that are read anew (docs/rules/security.md#s8).
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { ApiProblem } from '@jiaowu/api/problem'
import { reloadProviders, type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BentOidc, bentOidc } from '../../support/sso/bent-oidc.ts'
import { foreignCas, type ForeignCas } from '../../support/sso/foreign-cas.ts'
import { back, begin, enter, origin, providersFile } from '../../support/sso/sign-on.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
let provider: BentOidc
let cas: ForeignCas
let app: TestApp
let file: string
beforeAll(async () => {
  provider = await bentOidc()
  cas = await foreignCas({})
  const oidc = {
    kind: 'oidc',
    name: '认证',
    nameEn: 'Provider',
    issuer: provider.issuer,
    clientId: 'jiaowu',
  }
  file = providersFile([
    { ...oidc, id: 'bent' },
    { ...oidc, id: 'other', clientId: 'another' },
    { ...oidc, id: 'cas', kind: 'cas', server: cas.server, issuer: undefined, clientId: undefined },
  ])
  app = await testApp({ PUBLIC_URL: origin, SSO_FILE: file })
})
afterAll(async () => {
  await app?.close()
  await cas?.stop()
  await provider?.stop()
})
beforeEach(() => {
  Object.assign(provider.bent, { claims: (claims: object) => claims, key: null, status: 200 })
})

/** Up to the code for the page, in a session of this name at the provider. */
async function signOn(sid: string | null, account = 'clerk') {
  const start = await begin(app, 'bent')
  const asked = new URL(start.location).searchParams
  provider.bent.claims = (claims) => ({
    ...claims,
    sub: account,
    preferred_username: account,
    ...(sid !== null && { sid }),
  })
  const answer = new URLSearchParams({
    code: asked.get('nonce') ?? '',
    state: asked.get('state') ?? '',
    iss: provider.issuer,
  })
  const { page } = await back(app, 'bent', answer, start.cookie)
  return () => enter(app, 'bent', page.get('code'), start.cookie)
}
async function signToken(sid: string | null, account?: string) {
  return (await (await signOn(sid, account))()).tokens.access_token
}
async function findEnd(token: string): Promise<number | null> {
  const error = await app
    .client(token)
    .session.whoami({})
    .then(
      () => null,
      (thrown: unknown) => thrown,
    )
  return error instanceof ApiProblem ? error.problem.code : null
}

const buildClaims = (more: Record<string, unknown>) => {
  const at = Math.floor(app.services.now().getTime() / 1000)
  return {
    iss: provider.issuer,
    aud: 'jiaowu',
    iat: at,
    exp: at + 120,
    jti: randomUUID(),
    events: { [event]: {} },
    ...more,
  }
}
async function send(token: string, id = 'bent'): Promise<number> {
  const response = await app.call(`/auth/${id}/backchannel`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }),
  })
  expect(response.headers.get('cache-control')).toContain('no-store')
  return response.status
}

it('ends the session that a token names, and tells its person why', async () => {
  const [first, second] = [await signToken('s-1'), await signToken('s-2')]
  expect(await send(provider.sign(buildClaims({ sid: 's-1', sub: 'clerk' })))).toBe(200)
  expect([await findEnd(first), await findEnd(second)]).toEqual([40003, null])
  const { account, action, detail } = await app.services.database.kysely
    .selectFrom('sys.audit_log')
    .select(['account', 'action', 'detail'])
    .where('action', '=', 'session.endedByProvider')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()
  expect([account, action, detail]).toEqual([
    null,
    'session.endedByProvider',
    { provider: 'bent', kind: 'staff' },
  ])
})

it('ends all sessions of a person where a token names no session, and those of nobody else', async () => {
  const [named, unnamed, viewer] = [
    await signToken('s-3'),
    await signToken(null),
    await signToken('s-4', 'viewer'),
  ]
  expect(await send(provider.sign(buildClaims({ sub: 'clerk' }), { typ: 'logout+jwt' }))).toBe(200)
  expect([await findEnd(named), await findEnd(unnamed), await findEnd(viewer)]).toEqual([
    40003,
    40003,
    null,
  ])
})

it('ends a sign-in that is under way', async () => {
  const go = await signOn('s-5')
  expect(await send(provider.sign(buildClaims({ sid: 's-5' })))).toBe(200)
  expect((await go()).status).toBe(400)
})

it('takes a token once', async () => {
  const token = provider.sign(buildClaims({ sid: 's-6' }))
  expect([await send(token), await send(token)]).toEqual([200, 400])
  const later = await signToken('s-6')
  expect(await send(token)).toBe(400)
  expect(await findEnd(later)).toBe(null)
})

it('refuses every other token, and ends nothing', async () => {
  const session = await signToken('s-7')
  const honest = { sid: 's-7', sub: 'clerk' }
  const at = Math.floor(app.services.now().getTime() / 1000)
  const parts = provider.sign(buildClaims(honest)).split('.')
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const tokens: [string, string][] = [
    ['no token', 'x'],
    ['not signed', `${unsigned}.${parts[1]}.`],
    ['of another key', (provider.bent.key = stranger) && provider.sign(buildClaims(honest))],
  ]
  provider.bent.key = null
  for (const [why, more] of [
    ['of another issuer', { iss: 'https://id.example' }],
    ['for another client', { aud: 'another' }],
    ['old', { iat: at - 3600, exp: at + 60 }],
    ['over', { exp: at - 120 }],
    ['from the future', { iat: at + 600, exp: at + 900 }],
    ['without a time', { iat: undefined }],
    ['without a number', { jti: undefined }],
    ['without the event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['an event that is none', { events: event }],
    ['an ID token', { nonce: 'n' }],
    ['of nobody', { sid: undefined, sub: undefined }],
  ] as const)
    tokens.push([why, provider.sign(buildClaims({ ...honest, ...more }))])
  tokens.push(['of another type', provider.sign(buildClaims(honest), { typ: 'at+jwt' })])
  for (const [why, token] of tokens) expect([why, await send(token)]).toEqual([why, 400])
  const right = provider.sign(buildClaims(honest))
  expect([await send(right, 'other'), await send(right, 'cas'), await send(right, 'no')]).toEqual([
    400, 404, 404,
  ])
  expect(await findEnd(session)).toBe(null)
})

it('reads providers anew, and keeps them where the file is bad', async () => {
  const lines: [string, string, Record<string, unknown>][] = []
  const log = {
    info: (facts: Record<string, unknown>, text: string) => lines.push(['info', text, facts]),
    error: (facts: Record<string, unknown>, text: string) => lines.push(['error', text, facts]),
  }
  const reload = () => {
    reloadProviders(app.services.settings, { SSO_FILE: file }, log as never)
    return lines.at(-1)
  }
  const listed = async () => (await app.client('').sso.providers({ query: {} })).map(({ id }) => id)
  const before = await listed()
  writeFileSync(file, '{ "providers": [ { "id": "bent" } ] }')
  expect(reload()).toMatchObject([
    'error',
    'SSO_FILE is not usable; the identity providers stay as they were',
    { file, failure: expect.stringContaining('SSO_FILE: providers.0') },
  ])
  writeFileSync(file, '{')
  expect(reload()?.[2]).toMatchObject({ failure: 'SSO_FILE is not JSON.' })
  expect(await listed()).toEqual(before)
  const { issuer } = provider
  const renamed = { id: 'renamed', kind: 'oidc', name: '新', nameEn: 'New', issuer, clientId: 'c' }
  writeFileSync(file, JSON.stringify({ providers: [renamed] }))
  expect(reload()).toMatchObject(['info', 'the identity providers were read anew', { file }])
  expect(await listed()).toEqual(['renamed'])
  expect((await begin(app, 'bent')).status).toBe(404)
})
