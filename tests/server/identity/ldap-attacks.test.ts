// Attacks of somebody between the server and a directory, and directories that do not answer
// (docs/rules/security.md#s9).
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { providersFile } from '../../support/sso/sign-on.ts'
import {
  entryMessage,
  identityOfServer,
  type SmallDirectory,
  smallDirectory,
} from '../../support/sso/small-directory.ts'

const base = 'dc=school'
const clerk = {
  dn: `uid=clerk,${base}`,
  password: 'of-the-clerk',
  attributes: { objectclass: 'person', uid: 'clerk', cn: '李文员' },
}
const mallory = {
  dn: `uid=mallory,${base}`,
  password: 'of-mallory',
  attributes: { ...clerk.attributes, uid: 'mallory' },
}
const folder = mkdtempSync(join(tmpdir(), 'jiaowu-ldap-'))
let [secure, misnamed, upgrading, plain, slow]: SmallDirectory[] = []
let app: TestApp
beforeAll(async () => {
  const [tls, other] = [identityOfServer(), identityOfServer('192.0.2.1')]
  const caFile = (name: string, cert: string) => {
    const path = join(folder, name)
    writeFileSync(path, cert)
    return path
  }
  const [ca, otherCa] = [caFile('ca.pem', tls.cert), caFile('other.pem', other.cert)]
  secure = await smallDirectory([clerk], { tls, secure: true })
  misnamed = await smallDirectory([clerk], { tls: other, secure: true })
  upgrading = await smallDirectory([clerk, mallory], { tls })
  // Answers StartTLS with yes, and goes on in plain text.
  plain = await smallDirectory([clerk])
  slow = await smallDirectory([clerk], { tls, secure: true })
  const provider = { kind: 'ldap', name: '目录', nameEn: 'Directory', base, filter: '(uid={name})' }
  const at = (id: string, url: string | string[], more: object) => ({
    ...provider,
    id,
    url,
    ...more,
  })
  const ldaps = (directory: SmallDirectory) => `ldaps://127.0.0.1:${directory.port}`
  const ldap = (directory: SmallDirectory) => `ldap://127.0.0.1:${directory.port}`
  app = await testApp({
    SSO_FILE: providersFile([
      at('secure', ldaps(secure), { caFile: ca }),
      at('stranger', ldaps(secure), { caFile: otherCa }),
      at('public', ldaps(secure), {}),
      at('misnamed', ldaps(misnamed), { caFile: otherCa }),
      at('upgrading', ldap(upgrading), { caFile: ca, startTls: true }),
      at('upgrading-stranger', ldap(upgrading), { caFile: otherCa, startTls: true }),
      at('stripped', ldap(plain), { caFile: ca, startTls: true }),
      at('slow', [ldaps(slow), ldaps(secure)], { caFile: ca }),
      at('silent', ldaps(slow), { caFile: ca }),
    ]),
  })
})
afterAll(async () => {
  await app?.close()
  for (const directory of [secure, misnamed, upgrading, plain, slow]) await directory?.stop()
})
beforeEach(() => {
  for (const directory of [secure, misnamed, upgrading, plain, slow]) {
    directory?.binds.splice(0)
    Object.assign(directory?.bent ?? {}, { delay: 0, startTls: 0, injected: null })
  }
})

const enter = (provider: string, username = 'clerk', password = clerk.password) =>
  app.client('').session.signIn({
    body: { grant_type: 'password', username, password, provider },
  })
async function captureLdapCode(provider: string) {
  const error = await enter(provider).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof ApiProblem ? error.problem.code : null
}

it('sends a password by TLS alone, from the start or after StartTLS', async () => {
  expect((await enter('secure')).userInfo.account).toBe('clerk')
  expect((await enter('upgrading')).userInfo.account).toBe('clerk')
  expect(secure?.binds).toEqual([{ dn: clerk.dn, password: clerk.password, isSecure: true }])
  expect(upgrading?.binds).toEqual(secure?.binds)
})

it('refuses a server whose certificate another authority signed, or that has another name', async () => {
  for (const id of ['stranger', 'public', 'misnamed', 'upgrading-stranger'])
    expect([id, await captureLdapCode(id)]).toEqual([id, 503])
  for (const directory of [secure, misnamed, upgrading]) expect(directory?.binds).toEqual([])
})

it('never goes on in plain text where StartTLS is refused or stripped', async () => {
  expect(await captureLdapCode('stripped')).toBe(503)
  for (const code of [1, 2, 53]) {
    if (plain !== undefined) plain.bent.startTls = code
    expect([code, await captureLdapCode('stripped')]).toEqual([code, 503])
  }
  expect([plain?.binds, plain?.filters]).toEqual([[], []])
})

it('takes nothing that came in plain text behind the answer to StartTLS', async () => {
  // An entry that binds as mallory and is called clerk, and the beginning of one that would swallow the answer.
  const forged = entryMessage(2, { ...clerk, dn: mallory.dn })
  for (const injected of [forged, forged.subarray(0, 20), Buffer.from([0x30])]) {
    if (upgrading !== undefined) upgrading.bent.injected = injected
    const error = await enter('upgrading', 'clerk', mallory.password).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ApiProblem)
    expect((error as ApiProblem).problem.code).toBe(503)
  }
  expect(upgrading?.binds).toEqual([])
})

it('asks the next server where one is slow, and gives up in time where there is none', async () => {
  if (slow !== undefined) slow.bent.delay = 60_000
  expect((await enter('slow')).userInfo.account).toBe('clerk')
  expect(await captureLdapCode('silent')).toBe(503)
  // From now on the slow one is asked last.
  const before = slow?.filters.length
  expect((await enter('slow')).userInfo.account).toBe('clerk')
  expect(slow?.filters.length).toBe(before)
  expect((await (await app.signIn('admin')).session.whoami({})).account).toBe('admin')
})
