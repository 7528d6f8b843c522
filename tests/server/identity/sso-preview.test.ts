// Previews of claims before a mapping is used; files that the server refuses
// (docs/rules/security.md#s8).
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { previewSignOn } from '../../../apps/server/src/identity/sso/preview.ts'
import { readSettings } from '../../../apps/server/src/platform/settings/settings.ts'
import { providersFile } from '../../support/sso/sign-on.ts'

const campus = {
  id: 'campus',
  kind: 'oidc',
  name: '认证',
  nameEn: 'Provider',
  issuer: 'https://id.example.edu.cn',
  clientId: 'jiaowu',
  groups: { claim: 'groups', roles: { a: ['ROLE_REGISTRAR', 'ROLE_GONE'] } },
}
let app: TestApp
beforeAll(async () => {
  app = await testApp({
    SSO_FILE: providersFile([campus, { ...campus, id: 'maker', create: { role: 'ROLE_VIEWER' } }]),
  })
})
afterAll(() => app.close())

function preview(id: string, claims: Record<string, unknown>) {
  const provider = app.services.settings.ssoProviders.find((one) => one.id === id)
  if (provider === undefined) throw new Error(id)
  return previewSignOn(app.services, provider, claims)
}

it('tells who would come in and which roles would change, and changes nothing', async () => {
  const dump = () => app.services.database.kysely.selectFrom('sys.app_user').selectAll().execute()
  const before = await dump()
  const missing = ['ROLE_GONE']
  expect(await preview('campus', { preferred_username: 'viewer', groups: ['a'] })).toEqual({
    key: 'viewer',
    account: 'viewer',
    outcome: 'signedIn',
    added: ['ROLE_REGISTRAR'],
    taken: [],
    missing,
  })
  expect(await preview('campus', { preferred_username: 'Registrar ' })).toEqual({
    key: 'Registrar',
    account: 'registrar',
    outcome: 'signedIn',
    added: [],
    taken: ['ROLE_REGISTRAR'],
    missing,
  })
  const unknown = { account: null, outcome: 'unknown', added: [], taken: [], missing: [] }
  expect(await preview('campus', { preferred_username: 'none' })).toEqual({
    key: 'none',
    ...unknown,
  })
  expect(await preview('campus', { sub: 'viewer' })).toEqual({ key: '', ...unknown })
  expect(await preview('maker', { preferred_username: 'none', groups: 'a' })).toMatchObject({
    outcome: 'created',
    added: ['ROLE_VIEWER', 'ROLE_REGISTRAR'],
  })
  expect(await dump()).toEqual(before)
})

it('refuses files that would let in the wrong ones, with a sentence', () => {
  const refusal = (change: object, more: object[] = []) => {
    try {
      readSettings({ SSO_FILE: providersFile([{ ...campus, ...change }, ...more]) })
    } catch (error) {
      return (error as Error).message
    }
    return null
  }
  expect(refusal({})).toBe(null)
  for (const [change, words] of [
    [{ issuer: 'http://id.example.edu.cn' }, 'issuer: must be an https address'],
    [{ issuer: 'https://a@id.example.edu.cn' }, 'issuer: must be an https address'],
    [{ clientSecret: 'plain' }, 'clientSecret: must be env:NAME'],
    [{ clientSecret: 'env:NOT_THERE' }, 'the variable NOT_THERE of its clientSecret is not set'],
    [{ id: 'device' }, 'is a word that the server uses itself'],
    [{ create: { role: 'ROLE_ADMIN' } }, 'create.role must not be ROLE_ADMIN'],
    [{ groups: { claim: 'g', roles: { a: ['ROLE_ADMIN'] } } }, 'needs groups.administrators'],
    [{ for: 'students' }, 'students are neither created nor given roles'],
    [{ scopes: ['profile'] }, 'scopes must name openid'],
    [{ tenannt: '10000' }, 'tenannt'],
  ] as const)
    expect(refusal(change), JSON.stringify(change)).toContain(words)
  expect(refusal({}, [campus])).toContain('two providers are called campus')
  expect(() => readSettings({ SSO_FILE: 'nowhere/sso.json' })).toThrow(
    'SSO_FILE cannot be read (ENOENT).',
  )
})
