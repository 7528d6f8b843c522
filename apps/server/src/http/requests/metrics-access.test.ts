import { expect, it } from 'vitest'
import { mayReadMetrics } from './metrics-access.ts'

const metricsToken = 'a-token-of-16-characters'
const may = (
  ip: string,
  headers: Record<string, string> = {},
  settings: { metricsToken?: string } = {},
) => mayReadMetrics(new Headers(headers), ip, settings)

it.each(['127.0.0.1', '127.8.8.8', '::1'])('a process of this machine reads metrics: %s', (ip) =>
  expect(may(ip)).toBe(true),
)
it.each(['10.0.0.7', '203.0.113.9', 'fd00::1', ''])('others do not: %s', (ip) =>
  expect(may(ip)).toBe(false),
)
it.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])(
  'nor does a caller behind a proxy of this machine: %s',
  (name) => expect(may('127.0.0.1', { [name]: '127.0.0.1' })).toBe(false),
)
it('the bearer of the token reads them from anywhere, also through a proxy', () => {
  const headers = { authorization: `Bearer ${metricsToken}`, 'x-forwarded-for': '203.0.113.9' }
  expect(may('203.0.113.9', headers, { metricsToken })).toBe(true)
  expect(may('203.0.113.9', headers)).toBe(false)
})
it('a wrong token is refused even from this machine', () =>
  expect(
    may('127.0.0.1', { authorization: 'Bearer another-token-entirely' }, { metricsToken }),
  ).toBe(false))
