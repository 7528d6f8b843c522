import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ssoSettings } from './settings-sso.ts'
import { readSettings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'jiaowu-directory-'))
const path = join(folder, 'sso.json')
const directory = {
  id: 'library',
  kind: 'ldap',
  name: '图书馆账号',
  nameEn: 'Library account',
  url: 'ldaps://ldap.example.edu.cn',
  base: 'ou=people,dc=example',
  filter: '(uid={name})',
}

function read(change: object, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(path, JSON.stringify({ providers: [{ ...directory, ...change }] }))
  return readSettings({ APP_ENV: 'test', SSO_FILE: path, ...env }).ssoProviders
}
function readRefusal(change: object, env: Readonly<Record<string, string>> = {}): string {
  try {
    read(change, env)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

it('reads a directory with several servers and a secret of the environment', () => {
  const [read1] = read(
    {
      url: ['ldap://a.example', 'ldap://b.example:1389'],
      startTls: true,
      bindDn: 'cn=r,dc=example',
      bindPassword: 'env:READER',
    },
    { READER: 'secret' },
  )
  expect(read1).toMatchObject({
    url: ['ldap://a.example', 'ldap://b.example:1389'],
    bindPassword: 'secret',
    claim: 'uid',
    nameAttribute: 'cn',
    scope: 'sub',
    for: 'staff',
  })
})

it.each(['reader@example.edu.cn', String.raw`CAMPUS\reader`, 'cn=阅读,dc=example'])(
  'takes %s as the account that searches',
  (bindDn) => {
    expect(readRefusal({ bindDn, bindPassword: 'env:READER' }, { READER: 'secret' })).toBe('')
  },
)

it('takes plain connections on this machine alone, and in production none', () => {
  expect(readRefusal({ url: 'ldap://127.0.0.1:1389' })).toBe('')
  expect(readRefusal({ url: 'ldap://ldap.example.edu.cn' })).toContain(
    'would carry passwords in plain text',
  )
  expect(readRefusal({ url: ['ldaps://a.example', 'ldap://b.example'] })).toContain(
    'ldap://b.example',
  )
  const inProduction = () =>
    ssoSettings(path, { APP_ENV: 'production' }, (sentence) => {
      throw new Error(sentence)
    })
  readRefusal({ url: 'ldap://127.0.0.1:1389' })
  expect(inProduction).toThrow('in plain text, which production refuses')
  readRefusal({ url: 'ldap://127.0.0.1:1389', startTls: true })
  expect(inProduction().ssoProviders).toHaveLength(1)
})

it.each([
  [{ url: 'https://ldap.example' }, 'must be ldaps://HOST'],
  [{ url: 'ldaps://who@ldap.example' }, 'must be ldaps://HOST'],
  [{ url: 'ldaps://ldap.example/dc=x?uid' }, 'must be ldaps://HOST'],
  [{ url: [] }, 'must name a server'],
  [{ startTls: true }, 'startTls is for addresses of ldap://'],
  [{ filter: '(uid=x)' }, 'must hold {name}'],
  [{ filter: '(&(uid={name})' }, 'must be a filter'],
  [{ base: 'people' }, 'must be a name in the directory'],
  [{ bindDn: 'reader' }, 'must be a name in the directory'],
  [{ bindDn: 'cn=r,dc=example' }, 'bindDn and bindPassword belong together'],
  [{ bindDn: 'cn=r,dc=example', bindPassword: 'plain' }, 'must be env:NAME'],
  [
    { bindDn: 'cn=r,dc=example', bindPassword: 'env:UNSET' },
    'the variable UNSET of its bindPassword is not set',
  ],
  [{ caFile: join(folder, 'none.pem') }, 'cannot be read (ENOENT)'],
  [{ caFile: path }, 'holds no certificate'],
  [{ claim: 'a.b' }, 'must be the name of an attribute'],
  [
    { for: 'students', create: { role: 'ROLE_VIEWER' } },
    'students are neither created nor given roles',
  ],
  [{ groups: { claim: 'memberOf', roles: { a: ['ROLE_ADMIN'] } } }, 'needs groups.administrators'],
  [{ groups: { claim: 'memberOf', roles: {}, filter: '(member=x)' } }, 'must hold {dn}'],
  [{ groups: { claim: 'memberOf', roles: {}, filter: '(member={dn}' } }, 'must be a filter'],
])('refuses %j with a sentence', (change, sentence) => {
  expect(readRefusal(change)).toMatch(/^SSO_FILE: /)
  expect(readRefusal(change)).toContain(sentence)
})
