// Every denial of every route leaves one audit line, by the route table (docs/rules/security.md#l1).
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../../apps/server/src/http/routes.ts'

let app: TestApp
let viewer: string
beforeAll(async () => {
  app = await testApp()
  viewer = (await app.signIn('viewer')).token
})
afterAll(() => app.close())

const openDenialsDatabase = () => app.services.database.kysely
async function newLines(work: () => Promise<unknown>) {
  const last = async () =>
    (
      await openDenialsDatabase()
        .selectFrom('sys.audit_log')
        .select((e) => e.fn.max('seq').as('seq'))
        .executeTakeFirst()
    )?.seq ?? '0'
  const before = await last()
  await work()
  return openDenialsDatabase()
    .selectFrom('sys.audit_log')
    .select(['action', 'account', 'object', 'result', 'detail'])
    .where('seq', '>', before)
    .orderBy('seq')
    .execute()
}
function call(method: string, path: string, token: string, body?: unknown) {
  // The rates of a session are no matter of this test.
  app.advance(3_000)
  return app.call(path, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const guarded = routes.filter(
  ({ endpoint: { access } }) => access === 'student' || access.includes(':'),
)
it.each(
  // `viewer` may view; a tag without any right stands for what the parameters name.
  guarded.map(({ name, endpoint: { method, path } }) => [
    name,
    method,
    path.replace('{tag}', 'SYS_PARAM').replace(/\{\w+\}/g, '1'),
  ]),
)('%s', async (name, method, path) => {
  let status = 0
  const lines = await newLines(async () => {
    status = (await call(method, path, viewer)).status
  })
  expect(status).toBe(403)
  expect(lines).toMatchObject([{ action: name, account: 'viewer', result: 'denied' }])
})

it.each([
  ['a row of another tenant or none', 'GET', '/entity/EDU_STUDENT/data/9', undefined, 404],
  ['an import without the right', 'POST', '/entity/EDU_STUDENT/data/import', 'file', 403],
  ['an import into a dictionary', 'POST', '/dictionaryItem/import', 'file', 403],
  ['files of rows', 'GET', '/file/attachment?bizType=SYS_USER&bizId=1', undefined, 403],
  [
    'a ticket for files',
    'POST',
    '/file/attachment/ticket',
    { bizType: 'SYS_USER', bizId: '1' },
    403,
  ],
  ['a job of somebody', 'GET', '/job/77', undefined, 404],
  [
    'a view for everyone',
    'POST',
    '/entity/EDU_STUDENT/views',
    { name: 'x', scope: 'everyone', queries: {}, sorts: [] },
    403,
  ],
])('records one line for %s', async (_what, method, path, body, expected) => {
  let status = 0
  const lines = await newLines(async () => {
    if (body === 'file') {
      const form = new FormData()
      form.set('file', new File(['code,name\n1,2\n'], 'a.csv', { type: 'text/csv' }))
      const headers = { authorization: `Bearer ${viewer}` }
      status = (await app.call(path, { method, headers, body: form })).status
    } else status = (await call(method, path, viewer, body)).status
  })
  expect([status, lines.length]).toEqual([expected, 1])
  expect(lines[0]).toMatchObject({ account: 'viewer', result: 'denied' })
})

it('records what a session with a password to be changed is refused', async () => {
  await openDenialsDatabase()
    .updateTable('sys.app_user')
    .set({ must_change_password: true })
    .where('account', '=', 'clerk')
    .execute()
  const { token } = await app.signIn('clerk')
  expect(await newLines(() => call('GET', '/job', token))).toMatchObject([
    { account: 'clerk', result: 'denied', detail: { why: 'shell.mustChangePassword' } },
  ])
})

it('keeps callers without a session from filling the log', async () => {
  const path = '/stu/oauth/code?mobile=13800000001&isType=1'
  const lines = await newLines(async () => {
    for (let n = 0; n < 15; n += 1) await app.call(path)
  })
  expect(lines).toHaveLength(10)
  app.advance(61_000)
  expect(await newLines(() => app.call(path))).toMatchObject([{ action: 'student.smsCode' }])
})

it('is no refused sign-in, which has its own line', async () => {
  const form = new URLSearchParams({
    grant_type: 'password',
    username: 'viewer',
    password: `${testPassword}x`,
  })
  const lines = await newLines(() =>
    app.call('/authority/anno/login', { method: 'POST', body: form }),
  )
  expect(lines).toMatchObject([{ action: 'session.signIn', result: 'failed' }])
})
