// Strangers are not told the version (docs/rules/security.md#c7).
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract } from '@jiaowu/api/contract/contract'
import type { Endpoint } from '@jiaowu/api/endpoint'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { version } from '../../apps/server/src/platform/version.ts'
import { captchaEnv, studentClient } from '../support/student.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ ...captchaEnv, METRICS_TOKEN: 'a-token-of-sixteen-characters' })
})
afterAll(() => app.close())

const stranger = { ip: '203.0.113.9', secure: true }
const fetchPath = (path: string, init: RequestInit = {}) =>
  app.fetch(new Request(`http://jiaowu.test${path}`, init), stranger)
const publicCalls = Object.values(contract)
  .flatMap((group) => Object.values(group) as Endpoint[])
  .filter(({ access, method }) => access === 'public' && method === 'GET')
  .map(({ path }) => `/api${path.replace(/\{\w+\}/g, '1')}`)

it.each([
  '/',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/api/openapi.json',
  '/api/docs',
  '/api/no-such-call',
  '/.well-known/security.txt',
  ...publicCalls,
])('%s does not hold it for a stranger', async (path) => {
  const response = await fetchPath(path)
  expect(await response.text()).not.toContain(version)
  expect(JSON.stringify([...response.headers])).not.toContain(version)
})

it('is in no file that the web is made of', () => {
  const root = join(import.meta.dirname, '../../apps/web')
  const files = globSync('{src/**/*.{ts,tsx},*.ts,index.html}', { cwd: root })
  expect(files.length).toBeGreaterThan(200)
  const naming = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return text.includes(`'${version}'`) || /from '(?:\.\.\/)+package\.json'/.test(text)
  })
  expect(naming).toEqual([])
})

it('is told to staff and to operators, and not to students', async () => {
  const admin = await app.signIn('admin')
  expect((await admin.session.whoami({})).version).toBe(version)
  const student = await studentClient(app, '13800000001')
  expect((await student.session.whoami({})).version).toBeUndefined()
  for (const path of ['/health/live', '/health/ready']) {
    const bearer = { headers: { authorization: 'bearer a-token-of-sixteen-characters' } }
    expect(await (await fetchPath(path, bearer)).json()).toEqual({ status: 'ok', version })
    const local = await app.fetch(new Request(`http://jiaowu.test${path}`))
    expect(await local.json()).toEqual({ status: 'ok', version })
    expect(await (await fetchPath(path)).json()).toEqual({ status: 'ok' })
  }
})
