// STAFF_NETWORKS: staff sign in and call from listed networks alone (docs/rules/security.md#s5).
import { parseJson } from '@jiaowu/api/exact-json'
import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ STAFF_NETWORKS: '10.8.0.0/16, 2001:db8::/32' })
})
afterAll(() => app.close())

async function callFromAddress(path: string, ip: string, init: RequestInit = {}) {
  const response = await app.call(path, init, { ip, secure: false })
  const { msg, data } = parseJson(await response.text()) as { msg: string; data: unknown }
  return { status: response.status, msg, data }
}
const signInFromAddress = (ip: string, password: string) =>
  callFromAddress('/authority/anno/login', ip, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'password', username: 'admin', password }),
  })

it('staff sign in and call from the networks of the list', async () => {
  const whoami = '/authority/whoami'
  for (const inside of ['10.8.3.4', '2001:db8:1::7']) {
    const { status, data } = await signInFromAddress(inside, testPassword)
    expect(status).toBe(200)
    const token = (data as { access_token: string }).access_token
    const headers = { authorization: `Bearer ${token}` }
    expect((await callFromAddress(whoami, inside, { headers })).status).toBe(200)
    // The session is alive: the same call from elsewhere is refused, and says why.
    for (const outside of ['10.9.0.1', '203.0.113.9', '2001:db9::1']) {
      const refused = await callFromAddress(whoami, outside, { headers })
      expect(refused).toMatchObject({ status: 403, data: null })
      expect(refused.msg).toContain(outside)
    }
    expect((await callFromAddress(whoami, inside, { headers })).status).toBe(200)
  }
})

it('a right and a wrong password get the same refusal from elsewhere', async () => {
  const [right, wrong] = [
    await signInFromAddress('203.0.113.9', testPassword),
    await signInFromAddress('203.0.113.9', 'wrong'),
  ]
  expect(right.status).toBe(403)
  expect(wrong).toEqual(right)
})

it('pages of students stay open to everybody', async () => {
  const { status } = await callFromAddress('/stuLogin/captcha', '203.0.113.9', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(status).toBe(200)
})
