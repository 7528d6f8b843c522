import { describe, expect, it } from 'vitest'
import { assertCallable, mayCall } from './public-address.ts'

describe('an address that the server calls for a school', () => {
  it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '172.32.0.1'])('%s is public', (ip) => {
    expect(mayCall(ip, [])).toBe(true)
  })
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
  ])('%s is private', (ip) => {
    expect(mayCall(ip, [])).toBe(false)
  })
  it('is allowed by its network', () => {
    expect([mayCall('10.1.2.3', ['10.0.0.0/8']), mayCall('10.1.2.3', ['10.2.0.0/16'])]).toEqual([
      true,
      false,
    ])
  })
  it.each(['http://127.1/', 'http://2130706433/', 'http://[::1]/', 'http://localhost:80/x'])(
    '%s is refused in any spelling',
    (url) => {
      expect(() => assertCallable(new URL(url), [])).toThrow('')
      expect(() => assertCallable(new URL('https://example.org/'), [])).not.toThrow()
    },
  )
})
