// Sign-in with accounts of a directory, of staff and of students (docs/rules/security.md#s9).
import { ApiProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { providersFile } from '../../support/sso/sign-on.ts'
import { type SmallDirectory, smallDirectory } from '../../support/sso/small-directory.ts'

let directory: SmallDirectory
let app: TestApp
const base = 'ou=people,dc=school'
const person = (uid: string, more: Readonly<Record<string, string | readonly string[]>> = {}) => ({
  dn: `uid=${uid},${base}`,
  password: `${uid}-in-the-directory`,
  attributes: { objectclass: 'person', uid, cn: `姓名 ${uid}`, ...more },
})
const group = (cn: string, member: string) => ({
  dn: `cn=${cn},ou=groups,dc=school`,
  password: '',
  attributes: { objectclass: 'groupOfNames', cn, member },
})
const service = {
  dn: 'cn=reader,dc=school',
  password: 'a-reader',
  attributes: { objectclass: 'account', cn: 'reader' },
}
beforeAll(async () => {
  directory = await smallDirectory([
    service,
    person('clerk', { mail: 'li@school.edu.cn', memberof: ['cn=others,dc=school'] }),
    person('viewer', { memberof: ['cn=registrars,dc=school', 'cn=others,dc=school'] }),
    person('admin'),
    person('inheritor'),
    person('newcomer'),
    group('inner', `uid=inheritor,${base}`),
    { ...person('twin'), dn: `cn=one,${base}` },
    { ...person('twin'), dn: `cn=two,${base}` },
  ])
  const provider = {
    kind: 'ldap',
    name: '图书馆账号',
    nameEn: 'Library account',
    url: [`ldap://127.0.0.1:9`, `ldap://127.0.0.1:${directory.port}`],
    base,
    filter: '(&(objectClass=person)(|(uid={name})(mail={name})))',
    bindDn: service.dn,
    bindPassword: 'env:READER_PASSWORD',
  }
  app = await testApp({
    READER_PASSWORD: service.password,
    SSO_FILE: providersFile([
      {
        ...provider,
        id: 'library',
        groups: { claim: 'memberOf', roles: { 'cn=registrars,dc=school': ['ROLE_REGISTRAR'] } },
      },
      {
        ...provider,
        id: 'maker',
        create: { role: 'ROLE_VIEWER' },
        groups: {
          claim: 'memberOf',
          filter: '(&(objectClass=groupOfNames)(member={dn}))',
          base: 'ou=groups,dc=school',
          roles: { 'cn=inner,ou=groups,dc=school': ['ROLE_REGISTRAR'] },
        },
      },
      { ...provider, id: 'students', for: 'students' },
      { ...provider, id: 'gone', url: 'ldap://127.0.0.1:9' },
    ]),
  })
})
afterAll(async () => {
  await app?.close()
  await directory?.stop()
})
beforeEach(() => {
  directory.binds.length = 0
  directory.filters.length = 0
  Object.assign(directory.bent, { delay: 0, search: null, bind: null })
  app.advance(16 * 60_000)
})

const buildPassword = (uid: string) => `${uid}-in-the-directory`
function enter(username: string, password = buildPassword(username), provider = 'library') {
  return app.client('').session.signIn({
    body: { grant_type: 'password', username, password, provider },
  })
}
async function captureLdapProblem(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ApiProblem)) throw new Error('the call was not refused')
  return error.problem
}
const lastLine = () =>
  app.services.database.kysely
    .selectFrom('sys.audit_log')
    .select(['account', 'action', 'result', 'detail'])
    .where('tenant_id', '=', '10000')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow()

it('lists directories beside other providers, with those that are down', async () => {
  const listed = await app.client('').sso.providers({ query: {} })
  expect(listed.map(({ id, kind, up }) => [id, kind, up])).toEqual([
    ['library', 'ldap', true],
    ['maker', 'ldap', true],
    ['students', 'ldap', true],
    ['gone', 'ldap', false],
  ])
  expect((await app.call('/auth/library/start')).status).toBe(404)
})

it('binds as the entry that the search finds, whichever server answers, and maps groups to roles', async () => {
  const { userInfo, access_token } = await enter('viewer')
  expect(userInfo.account).toBe('viewer')
  expect([...userInfo.roles].sort()).toEqual(['ROLE_REGISTRAR', 'ROLE_VIEWER'])
  expect(directory.binds.map(({ dn }) => dn)).toEqual([service.dn, `uid=viewer,${base}`])
  const [own] = await app.client(access_token).ownSessions.list({})
  expect(own).toMatchObject({ by: 'ldap', current: true })
  expect(await lastLine()).toMatchObject({ action: 'session.signIn', result: 'ok' })
  expect((await enter('li@school.edu.cn', buildPassword('clerk'))).userInfo.account).toBe('clerk')
  const { url } = await app.client(access_token).sso.logout({ params: { provider: 'library' } })
  expect(url).toBe(null)
})

it('makes accounts where the settings say so, and names a person without one', async () => {
  expect(await captureLdapProblem(enter('newcomer'))).toMatchObject({
    code: 400,
    message: expect.stringContaining('没有'),
  })
  const { userInfo } = await enter('newcomer', buildPassword('newcomer'), 'maker')
  expect(userInfo).toMatchObject({
    account: 'newcomer',
    name: '姓名 newcomer',
    roles: ['ROLE_VIEWER'],
  })
})

it('asks the directory for groups that the entry of a person does not tell', async () => {
  const { userInfo } = await enter('inheritor', buildPassword('inheritor'), 'maker')
  expect([...userInfo.roles].sort()).toEqual(['ROLE_REGISTRAR', 'ROLE_VIEWER'])
  expect(directory.filters.at(-1)).toBe(
    `(&(objectclass=groupofnames)(member=uid=inheritor,${base}))`,
  )
})

it('never binds without a password, which a directory would let in as nobody', async () => {
  // Texts with NUL are refused before that.
  for (const [password, refused] of [
    ['', 400],
    ['\0', 42_200],
    ['x\0y', 42_200],
  ] as const)
    expect((await captureLdapProblem(enter('admin', password))).code, password).toBe(refused)
  expect(directory.binds.map(({ dn }) => dn)).not.toContain(`uid=admin,${base}`)
})

it('takes what a person types as a value, never as a filter or a name of an entry', async () => {
  for (const name of [
    '*',
    'adm*',
    '*)(uid=admin',
    'admin)(|(uid=*',
    'x)(|(objectClass=*)',
    'admin\\2a',
    'admin\0',
    `uid=admin,${base}`,
    'admin,ou=people',
    '\\61dmin',
  ]) {
    const { code } = await captureLdapProblem(enter(name, buildPassword('admin')))
    // A name with NUL is refused like every text with one.
    expect([name, code]).toEqual([name, name.includes('\0') ? 42_200 : 400])
    app.advance(16 * 60_000)
  }
  expect(directory.binds.every(({ dn }) => dn === service.dn)).toBe(true)
  expect(directory.filters).toContain(
    '(&(objectclass=person)(|(uid=\\2a\\29\\28uid=admin)(mail=\\2a\\29\\28uid=admin)))',
  )
})

it('takes nobody where the search finds two', async () => {
  expect(await captureLdapProblem(enter('twin'))).toMatchObject({
    code: 400,
    message: '账号或密码错误',
  })
  expect(directory.binds.map(({ dn }) => dn)).toEqual([service.dn])
})

it('follows no referral, of a search or of a bind', async () => {
  directory.bent.search = 10
  expect((await captureLdapProblem(enter('clerk'))).message).toContain('无法核实')
  directory.bent.search = null
  directory.bent.bind = { dn: `uid=clerk,${base}`, code: 10 }
  expect((await captureLdapProblem(enter('clerk'))).message).toBe('账号或密码错误')
  directory.bent.bind = { dn: service.dn, code: 10 }
  expect((await captureLdapProblem(enter('clerk'))).message).toContain('无法核实')
  directory.bent.bind = null
  expect((await enter('clerk')).userInfo.account).toBe('clerk')
})

it('answers alike for a wrong password and for nobody, and counts both like local ones', async () => {
  const wrong = await captureLdapProblem(enter('clerk', 'wrong'))
  const nobody = await captureLdapProblem(enter('nobody', 'wrong'))
  expect([wrong.code, wrong.message, wrong.data]).toEqual([
    nobody.code,
    nobody.message,
    nobody.data,
  ])
  expect(await lastLine()).toMatchObject({
    account: 'nobody',
    action: 'session.signIn',
    result: 'failed',
    detail: { by: 'ldap', provider: 'library' },
  })
  // Four more at the directory, by another name of the same person, and then one at the local password.
  for (let tries = 0; tries < 3; tries += 1)
    expect((await captureLdapProblem(enter('li@school.edu.cn', 'wrong'))).data).toBe(null)
  const asked = await captureLdapProblem(enter('CLERK', 'wrong'))
  expect(asked.data).toMatchObject({ captchaKey: expect.any(String) })
  const local = await captureLdapProblem(app.signIn('clerk'))
  expect(local).toMatchObject({ message: '请输入图片验证码' })
  const here = await captureLdapProblem(enter('clerk'))
  expect(here).toMatchObject({ message: '请输入图片验证码' })
})

it('names a directory that is down, and lets local administrators in', async () => {
  const { code, message } = await captureLdapProblem(enter('clerk', 'x', 'gone'))
  expect(code).toBe(503)
  expect(message).toContain('图书馆账号 暂时无法连接')
  const local = await app.signIn('admin')
  expect((await local.session.whoami({})).account).toBe('admin')
})

it('takes a fresh proof by binding again, for the same person alone', async () => {
  const { access_token } = await enter('clerk')
  const client = app.client(access_token)
  const prove = (password: string) => client.reauthentication.prove({ body: { password } })
  expect((await prove(buildPassword('clerk'))).token).toMatch(/^[\w-]{43}$/)
  // The local password proves nothing for this session.
  expect((await captureLdapProblem(prove('Jiaowu-tests-2026'))).code).toBe(400)
  const before = directory.binds.length
  expect((await captureLdapProblem(prove(''))).code).toBe(400)
  expect(directory.binds.slice(before).every(({ dn }) => dn === service.dn)).toBe(true)
  const index = directory.entries.findIndex(({ dn }) => dn.startsWith('uid=clerk'))
  const [clerk] = directory.entries.splice(index, 1, {
    ...person('viewer'),
    attributes: { ...person('viewer').attributes, mail: 'clerk', uid: 'viewer-2' },
  })
  expect((await captureLdapProblem(prove(buildPassword('viewer')))).code).toBe(400)
  if (clerk !== undefined) directory.entries.splice(index, 1, clerk)
})

it('signs students in by their number, into the student service alone', async () => {
  const { kysely } = app.services.database
  const student = await kysely
    .selectFrom('biz.student')
    .select(['id', 'student_no'])
    .where('tenant_id', '=', '10000')
    .where('account_mobile', 'is', null)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  directory.entries.push(person(student.student_no))
  const tokens = await enter(student.student_no, buildPassword(student.student_no), 'students')
  expect(tokens.userInfo).toMatchObject({ id: student.id, roles: ['ROLE_STUDENT'] })
  expect(await app.client(tokens.access_token).student.detail({})).toMatchObject({
    fldXh: student.student_no,
  })
  expect((await captureLdapProblem(enter('clerk', buildPassword('clerk'), 'students'))).code).toBe(
    400,
  )
})

it('keeps no password in the database', async () => {
  await enter('clerk')
  await captureLdapProblem(enter('clerk', 'a-wrong-secret'))
  const { kysely } = app.services.database
  const rows = await Promise.all(
    (['sys.audit_log', 'sys.sso_session', 'sys.session', 'sys.rate_limit'] as const).map((table) =>
      kysely.selectFrom(table).selectAll().execute(),
    ),
  )
  expect(JSON.stringify(rows)).not.toMatch(/in-the-directory|a-wrong-secret|a-reader/)
})
