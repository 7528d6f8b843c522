// Calls every endpoint with one wrong part of its input at a time: it must be refused with a message and
// never fail with a 5xx status.
import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { captchaEnv, studentClient } from '../support/student.ts'

let app: TestApp
let tokens: { readonly staff: string; readonly student: string }
beforeAll(async () => {
  app = await testApp(captchaEnv)
  tokens = {
    staff: (await app.signIn('admin')).token,
    student: (await studentClient(app, '13800000001')).token,
  }
})
afterAll(() => app.close())

// Valid values by name; parameters without a valid value here are omitted until they are wrong.
const good: Readonly<Record<string, unknown>> = {
  tag: 'EDU_STUDENT',
  id: '4000001',
  ids: '4000001',
  code: 'suspend',
  name: 'student',
  version: '1',
  bizType: 'EDU_STUDENT',
  bizId: '4000001',
  codes: 'gender',
  key: '0123456789abcdef',
  fieldId: '10612',
  pageNum: 1,
  pageSize: 10,
  sorts: [],
  queries: {},
  reportId: '2001',
  stuNo: '2022010000',
  sfzh: '110105200401010023',
  orderNo: 'JW000001',
  payType: 'wechat',
  mobile: '13800000009',
  isType: '1',
  verifyTxt: 'x',
  account: '13800000001',
  password: 'wrong',
  grantType: 'stupc',
  verCode: '1',
  zymc: 'x',
  reason: 'a reason',
  number: 'T-2026-000001',
  day: '2026-01-05',
  note: 'a note',
  agree: false,
  oldPassword: 'x',
  newPassword: 'y',
}
const junk: readonly unknown[] = [
  '',
  'x',
  '-1',
  '99999999999999999999',
  "' or 1=1 --",
  '\ud800',
  '__proto__',
  'a'.repeat(5000),
  0,
  1e300,
  true,
  null,
  [],
  ['x', null],
  {},
  [{ id: 'x' }],
]
const inText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
function listSchemaEntries(schema: unknown): string[] {
  return Object.keys((schema as { entries?: object } | undefined)?.entries ?? {})
}
/** It would end the session of the other calls. */
const excluded = new Set(['session.signOut'])
/** Slow by design: they hash a password, or reply in constant time. */
const slow = new Set([
  'session.changePassword',
  'account.resetPassword',
  'reauthentication.prove',
  'student.register',
  'student.signIn',
])

interface Sent {
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
}
function pickKnownValues(names: readonly string[]) {
  return Object.fromEntries(names.filter((name) => name in good).map((name) => [name, good[name]]))
}
function sentTo({ path, query, body }: Endpoint): Sent[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const right: Sent = {
    params: Object.fromEntries(names.map((name) => [name, good[name] ?? '1'])),
    query: pickKnownValues(listSchemaEntries(query)),
    body: body === undefined ? undefined : pickKnownValues(listSchemaEntries(body)),
  }
  return [
    right,
    ...names.flatMap((name) =>
      junk
        .filter((value) => inText(value) !== '' && value !== '\ud800')
        .map((value) => ({ ...right, params: { ...right.params, [name]: inText(value) } })),
    ),
    ...listSchemaEntries(query).flatMap((name) =>
      junk.map((value) => ({ ...right, query: { ...right.query, [name]: inText(value) } })),
    ),
    ...listSchemaEntries(body).flatMap((name) =>
      junk.map((value) => ({ ...right, body: { ...(right.body as object), [name]: value } })),
    ),
    ...(body === undefined
      ? []
      : [...junk, { x: 1 }, { fields: 'x' }, { fields: [null] }, { tag: {}, fields: [] }].map(
          (value) => ({ ...right, body: value }),
        )),
  ]
}

const all = Object.entries(contract).flatMap(([group, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({
    name: `${group}.${name}`,
    endpoint: endpoint as Endpoint,
  })),
)
it.each(all.filter(({ name }) => !excluded.has(name)))('$name', async ({ name, endpoint }) => {
  const headers = {
    authorization: `bearer ${endpoint.access === 'student' ? tokens.student : tokens.staff}`,
  }
  const wrong: string[] = []
  for (const { params, query, body } of sentTo(endpoint).filter(
    (_sent, i) => !slow.has(name) || i % 20 === 0,
  )) {
    app.advance(40) // stays below the rate limit
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_placeholder, name: string) =>
      encodeURIComponent(String(params[name])),
    )
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    ).toString()
    const init = {
      method: endpoint.method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    const response = await app.call(`${path}${search === '' ? '' : `?${search}`}`, init)
    const reply =
      response.headers.get('content-type')?.startsWith('application/json') === true
        ? ((await response.json()) as { msg?: unknown; code?: unknown })
        : (await response.body?.cancel(), null)
    if (
      response.status >= 500 ||
      (response.status >= 400 &&
        (reply === null || typeof reply.msg !== 'string' || reply.msg === ''))
    )
      wrong.push(
        `${response.status} ${init.method} ${path}?${search} ${String(init.body).slice(0, 120)}`,
      )
  }
  expect(wrong).toEqual([])
})
