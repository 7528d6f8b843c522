import { type TestApp, testApp, testPassword } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let app: TestApp
let headers: Record<string, string>
beforeAll(async () => {
  app = await testApp()
  headers = {
    authorization: `bearer ${(await app.signIn('admin')).token}`,
    'content-type': 'application/json',
  }
})
afterAll(() => app.close())

const nul = '\\u0000'
const tooLargeId = '9999999999999999999'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
function buildPost(path: string, body: string): readonly [string, RequestInit] {
  return [path, { method: 'POST', body }]
}
const cases: (readonly [path: string, init: RequestInit])[] = (
  [
    ['/file/attachment/download?ids=9999999999999999999'],
    ['/file/attachment/download?ids=1,abc'],
    ['/file/attachment?bizType=EDU_STUDENT&bizId=a%00'],
    ['/file/attachment?bizType=EDU_STUDENT&bizId=abc'],
    ['/file/attachment?bizType=%00&bizId=1'],
    ['/entity/A%00/config'],
    ['/entity/%E0%A4%A/config'],
    ['/entity/__proto__/config'],
    ['/entity/constructor/config'],
    ['/dictionaryItem/codes?codes=%00'],
    ['/dictionaryItem/codes?codes=a&__proto__=1'],
    ['/entity/EDU_STUDENT/data/%00'],
    [`/entity/EDU_STUDENT/data/${tooLargeId}`],
    ['/entity/EDU_STUDENT/data/1,%00', { method: 'DELETE' }],
    [`/entity/EDU_STUDENT/data/${tooLargeId}`, { method: 'DELETE' }],
    buildPost('/file/attachment/ticket', '{"bizType":"EDU_STUDENT","bizId":"4000001","id":"abc"}'),
    buildPost(
      '/file/attachment/ticket',
      `{"bizType":"EDU_STUDENT","bizId":"4000001","id":"${tooLargeId}"}`,
    ),
    buildPost('/file/attachment/ticket', `{"bizType":"EDU_STUDENT","bizId":"${tooLargeId}"}`),
    buildPost('/entity/EDU_STUDENT/data/page', `{"queries":{"name":"a${nul}"}}`),
    buildPost('/entity/EDU_STUDENT/data/page', `{"queries":{"a${nul}":1}}`),
    buildPost('/entity/EDU_STUDENT/data/page', '[]'),
    buildPost('/entity/EDU_STUDENT/data/page', 'null'),
    buildPost('/entity/EDU_STUDENT/data/page', '"x"'),
    buildPost('/entity/EDU_STUDENT/data/page', ''),
    buildPost('/entity/EDU_STUDENT/data/page', '{"pageNum":-7,"pageSize":0}'),
    buildPost('/entity/EDU_STUDENT/data/page', '{"pageNum":1e308}'),
    buildPost('/entity/EDU_STUDENT/data', `{"name":"a${nul}"}`),
    buildPost('/entity/EDU_STUDENT/data', `{"id":"${tooLargeId}","name":"x"}`),
    buildPost(
      '/entity/EDU_STUDENT/data',
      `{${Array.from({ length: 501 }, (_none, i) => `"k${i}":1`).join(',')}}`,
    ),
    buildPost('/entity/EDU_STUDENT/data/dicts/page', `{"fieldId":"x","searchKey":"${nul}"}`),
    buildPost('/entity/EDU_STUDENT/data/export', '{"format":"exe"}'),
  ] satisfies (readonly [path: string, init?: RequestInit])[]
).map(([path, init]) => [path, init ?? {}])

describe('hostile input', () => {
  it.each(cases)('%s %o is refused without a 5xx status', async (path, init) => {
    const response = await app.call(path, { headers, ...init })
    expect([400, 404, 422]).toContain(response.status)
    expect(await response.json()).toMatchObject({ success: false })
  })
  it.each([
    'grant_type=password&username=a%00b&password=x',
    'grant_type=password&username=admin&password=x&tenant=99999999999999999999',
    'grant_type=password&username=admin&username=root&password=x',
    'grant_type=magic&username=a&password=b',
    'grant_type=refresh_token&refresh_token=%00',
    `grant_type=password&username=${'a'.repeat(5000)}&password=x`,
    `grant_type=password&username=admin'--&password=${testPassword}`,
    '',
  ])('sign-in with %s is refused', async (body) => {
    expect([400, 401, 422]).toContain(
      (await app.call('/authority/anno/login', { method: 'POST', headers: form, body })).status,
    )
  })
  it('too many parts, or malformed parts, of a multipart body are refused', async () => {
    const multipart = {
      authorization: headers.authorization ?? '',
      'content-type': 'multipart/form-data; boundary=x',
    }
    const upload = async (body: string, type = multipart['content-type']) =>
      (
        await app.call('/file/attachment/upload', {
          method: 'POST',
          headers: { ...multipart, 'content-type': type },
          body,
        })
      ).status
    expect(
      await upload('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(100_000)),
    ).toBe(413)
    expect(await upload('nothing of the kind')).toBe(400)
    expect(await upload('', 'multipart/form-data')).toBe(400)
    expect(
      await upload('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'),
    ).toBe(422)
  })
  it.each([
    '',
    'bearer',
    'bearer ',
    'bearer a b',
    'Basic Y29uc29sZTpjb25zb2xl',
    `bearer ${'x'.repeat(10_000)}`,
    'token x',
  ])('the authorization header %j answers 401', async (authorization) => {
    expect((await app.call('/authority/whoami', { headers: { authorization } })).status).toBe(401)
  })
  it('undeclared methods answer 405 with Allow', async () => {
    for (const method of ['OPTIONS', 'PATCH', 'HEAD', 'PROPFIND']) {
      const response = await app.call('/authority/whoami', {
        method,
        headers: { 'x-http-method-override': 'GET' },
      })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET'])
    }
    const page = await app.fetch(new Request('http://jiaowu.test/', { method: 'POST' }))
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
