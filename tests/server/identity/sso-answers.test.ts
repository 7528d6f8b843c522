// Answers of a provider that must not be believed (docs/rules/security.md#s8).
import { generateKeyPairSync } from 'node:crypto'
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BentOidc, bentOidc } from '../../support/sso/bent-oidc.ts'
import { back, begin, enter, origin, providersFile } from '../../support/sso/sign-on.ts'

let provider: BentOidc
let app: TestApp
beforeAll(async () => {
  provider = await bentOidc()
  app = await testApp({
    PUBLIC_URL: origin,
    SSO_FILE: providersFile([
      {
        id: 'bent',
        kind: 'oidc',
        name: '认证',
        nameEn: 'Provider',
        issuer: provider.issuer,
        clientId: 'jiaowu',
      },
    ]),
  })
})
afterAll(async () => {
  await app?.close()
  await provider?.stop()
})
beforeEach(() => {
  Object.assign(provider.bent, {
    claims: (claims: object) => claims,
    key: null,
    status: 200,
    isCut: false,
  })
})

type Claims = Record<string, unknown>

/** The page after a sign-on whose answer and ID token are changed. */
async function answerSignOn({
  query = {},
  claims = (honest: Claims) => honest,
}: {
  readonly query?: Record<string, string | null>
  readonly claims?: typeof provider.bent.claims
} = {}) {
  const start = await begin(app, 'bent')
  const asked = new URL(start.location).searchParams
  provider.bent.claims = claims
  const answer = new URLSearchParams({
    code: asked.get('nonce') ?? '',
    state: asked.get('state') ?? '',
    iss: provider.issuer,
  })
  for (const [name, value] of Object.entries(query))
    if (value === null) answer.delete(name)
    else answer.set(name, value)
  const { page } = await back(app, 'bent', answer, start.cookie)
  return { page, cookie: start.cookie, asked }
}
const readSignOnFault = async (bend: Parameters<typeof answerSignOn>[0]) =>
  (await answerSignOn(bend)).page.get('fault')
const now = () => Math.floor(Date.now() / 1000)

it('takes an honest answer, and sends the verifier of its challenge', async () => {
  const { page, cookie, asked } = await answerSignOn()
  expect((await enter(app, 'bent', page.get('code'), cookie)).status).toBe(200)
  const verifier = provider.exchanged.at(-1)?.get('code_verifier') ?? ''
  const { createHash } = await import('node:crypto')
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(
    asked.get('code_challenge'),
  )
})

it('takes clocks that differ by a minute, and no more', async () => {
  const shifted = (seconds: number) => (claims: Claims) => ({
    ...claims,
    iat: now() + seconds,
    auth_time: now() + seconds,
    exp: now() + seconds + 300,
  })
  expect(await readSignOnFault({ claims: shifted(50) })).toBe(null)
  expect(await readSignOnFault({ claims: shifted(90) })).toBe('clock')
  expect(await readSignOnFault({ claims: (claims) => ({ ...claims, exp: now() - 50 }) })).toBe(null)
  expect(await readSignOnFault({ claims: (claims) => ({ ...claims, exp: now() - 90 }) })).toBe(
    'clock',
  )
  expect(await readSignOnFault({ claims: (claims) => ({ ...claims, nbf: now() + 90 }) })).toBe(
    'clock',
  )
})

it('refuses tokens of another sign-in, client, provider or key', async () => {
  for (const change of [
    { nonce: 'another' },
    { nonce: undefined },
    { aud: 'another' },
    { aud: ['jiaowu', 'another'], azp: 'another' },
    { iss: 'https://another.example' },
    { sub: undefined },
    { exp: undefined },
  ])
    expect(
      await readSignOnFault({ claims: (claims) => ({ ...claims, ...change }) }),
      JSON.stringify(change),
    ).toBe('invalid')
  provider.bent.key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  expect(await readSignOnFault({})).toBe('invalid')
})

it('refuses answers without the issuer that the provider announces, or with another one', async () => {
  expect(await readSignOnFault({ query: { iss: null } })).toBe('invalid')
  expect(await readSignOnFault({ query: { iss: 'https://another.example' } })).toBe('mixed')
  expect(await readSignOnFault({ query: { state: null } })).toBe('invalid')
  expect(await readSignOnFault({ query: { state: 'x'.repeat(43) } })).toBe('mixed')
})

it('tells what a provider refuses', async () => {
  const refusal = (error: string) => readSignOnFault({ query: { code: null, error } })
  expect(await refusal('access_denied')).toBe('cancelled')
  expect(await refusal('server_error')).toBe('refused')
  provider.bent.status = 503
  expect(await readSignOnFault({})).toBe('down')
  Object.assign(provider.bent, { status: 200, isCut: true })
  expect(await readSignOnFault({})).toBe('down')
})

it('takes the time of the sign-in there as the proof, which may be old', async () => {
  const sessionOf = async (claims: typeof provider.bent.claims) => {
    const { page, cookie } = await answerSignOn({ claims })
    const { tokens } = await enter(app, 'bent', page.get('code'), cookie)
    const { id } = tokens.userInfo
    const session = await app.services.database.kysely
      .selectFrom('sys.session')
      .select('proved_at')
      .where('tenant_id', '=', '10000')
      .where('user_id', '=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    return session.proved_at === null ? null : new Date(session.proved_at).getTime() / 1000
  }
  const hours = now() - 5 * 3600
  expect(await sessionOf((claims) => ({ ...claims, auth_time: hours }))).toBe(hours)
  expect(await sessionOf((claims) => ({ ...claims, auth_time: undefined }))).toBe(null)
})

it('proves who the person is by a sign-in anew, for one call of the same session', async () => {
  const signedIn = async (auth_time: number) => {
    const { page, cookie } = await answerSignOn({ claims: (claims) => ({ ...claims, auth_time }) })
    const { tokens } = await enter(app, 'bent', page.get('code'), cookie)
    return { client: app.client(tokens.access_token), token: tokens.access_token, cookie }
  }
  const problemOf = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    return error instanceof ApiProblem ? error.problem : null
  }
  /** Goes to the provider and comes back; `person` is who signs in there. */
  const prove = async (
    { token, cookie }: { readonly token: string; readonly cookie: string },
    change: Claims,
  ) => {
    const response = await app.call('/auth/bent/prove', {
      method: 'POST',
      headers: { cookie, authorization: `bearer ${token}` },
    })
    const { data } = (await response.json()) as { data: { url: string } }
    const asked = new URL(data.url).searchParams
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0'])
    provider.bent.claims = (claims) => ({ ...claims, ...change })
    const answer = new URLSearchParams({
      code: asked.get('nonce') ?? '',
      state: asked.get('state') ?? '',
      iss: provider.issuer,
    })
    return (await back(app, 'bent', answer, cookie)).page
  }
  const proven = async (who: { readonly token: string; readonly cookie: string }, code: string) => {
    const response = await app.call('/auth/bent/proof', {
      method: 'POST',
      headers: {
        cookie: who.cookie,
        authorization: `bearer ${who.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ code }),
    })
    const { data } = (await response.json()) as { data: { token: string } | null }
    return { status: response.status, token: data?.token ?? '' }
  }
  const old = now() - 5 * 3600
  const me = await signedIn(old)
  const { client } = me
  const act = (headers: Record<string, string> = {}) =>
    client.device
      .start({})
      .then(({ userCode }) => client.device.decide({ body: { userCode, agree: true }, headers }))
  expect(await problemOf(act())).toMatchObject({
    code: 40310,
    data: { kinds: ['provider', 'password'] },
  })
  // The provider knew the person and did not ask.
  expect((await prove(me, { auth_time: old })).get('fault')).toBe('stale')
  expect((await prove(me, { auth_time: undefined })).get('fault')).toBe('stale')
  // Another person signed in there.
  const theirs = (await prove(me, { preferred_username: 'viewer', sub: 'viewer' })).get('proof')
  expect((await proven(me, theirs ?? '')).status).toBe(400)
  // The code opens no session, and is of one session alone.
  const mine = (await prove(me, {})).get('proof') ?? ''
  const twin = await signedIn(old)
  expect((await proven({ ...twin, cookie: me.cookie }, mine)).status).toBe(400)
  const stolen = (await prove(me, {})).get('proof')
  expect((await enter(app, 'bent', stolen, me.cookie)).status).toBe(400)
  const good = (await prove(me, {})).get('proof') ?? ''
  const { status, token } = await proven(me, good)
  expect(status).toBe(200)
  expect((await proven(me, good)).status).toBe(400)
  await act({ 'x-reauth': token })
  // Sessions that came another way do not prove there.
  const local = await app.signIn('clerk')
  expect((await problemOf(local.sso.prove({ params: { provider: 'bent' } })))?.code).toBe(404)
})
