import { contract } from '@jiaowu/api/contract/contract'
import { expect, it } from 'vitest'
import type { Subject } from '../../platform/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { assertOwnHeaders, assertOwnSite } from './own-site.ts'

const url = new URL('http://jiaowu.test/api/authority/anno/login')
const settings = { publicUrl: 'https://jw.example.edu.cn' } as Parameters<
  typeof assertOwnSite
>[2]['settings']
function captureSiteStatus(work: () => void): number {
  try {
    work()
    return 200
  } catch (error) {
    if (error instanceof Refusal) return error.status
    throw error
  }
}
function from(
  headers: Record<string, string>,
  endpoint: Parameters<typeof assertOwnSite>[0] = contract.session.signIn,
) {
  return captureSiteStatus(() =>
    assertOwnSite(endpoint, new Request(url, { method: endpoint.method, headers }), {
      settings,
    }),
  )
}

it('refuses forms of other sites by the headers of the browser', () => {
  expect(from({})).toBe(200)
  expect(from({ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:5173' })).toBe(200)
  expect(from({ 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(from({ origin: 'http://jiaowu.test' })).toBe(200)
  expect(from({ origin: 'https://jw.example.edu.cn' })).toBe(200)
  for (const origin of [
    'https://evil.example',
    'http://jiaowu.test.evil.example',
    'null',
    'nonsense',
  ])
    expect(from({ origin })).toBe(403)
})
it('ignores the origin where a form cannot send the body', () => {
  expect(from({ origin: 'https://evil.example' }, contract.session.changePassword)).toBe(200)
  expect(from({ 'sec-fetch-site': 'cross-site' }, contract.session.whoami)).toBe(200)
})
it('refuses account headers that differ from the session', () => {
  const subject = { userId: '7', account: '张三' } as Subject
  const claims = (headers: Record<string, string>) =>
    captureSiteStatus(() => assertOwnHeaders(new Request(url, { headers }), subject))
  expect(claims({})).toBe(200)
  expect(claims({ account: encodeURIComponent('张三'), 'account-id': '7' })).toBe(200)
  expect(claims({ 'account-id': '8' })).toBe(401)
  expect(claims({ account: 'admin' })).toBe(401)
  expect(claims({ account: '%E0%A4%A' })).toBe(401)
})
