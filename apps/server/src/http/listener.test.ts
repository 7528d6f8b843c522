import { expect, it } from 'vitest'
import { peerOf } from './listener.ts'

function forwarded(hops: string, proto = 'https') {
  return new Headers({ 'x-forwarded-for': hops, 'x-forwarded-proto': proto })
}

it('ignores forwarding headers of untrusted peers', () => {
  expect(peerOf({ trustProxy: [] })(forwarded('1.2.3.4'), '10.0.0.9')).toEqual({
    ip: '10.0.0.9',
    secure: false,
  })
  expect(peerOf({ trustProxy: ['10.0.0.1'] })(forwarded('1.2.3.4'), '::ffff:10.0.0.9')).toEqual({
    ip: '10.0.0.9',
    secure: false,
  })
})
it('takes the last hop that is no trusted proxy, which a caller cannot forge', () => {
  const peer = peerOf({ trustProxy: ['10.0.0.0/8', 'fd00::/8'] })
  expect(peer(forwarded('6.6.6.6, 1.2.3.4, 10.0.0.2'), '10.0.0.1')).toEqual({
    ip: '1.2.3.4',
    secure: true,
  })
  expect(peer(forwarded('nonsense'), 'fd00::1')).toEqual({ ip: 'fd00::1', secure: true })
  expect(peer(forwarded('1.2.3.4', 'http'), '10.0.0.1').secure).toBe(false)
  expect(peer(new Headers(), undefined)).toEqual({ ip: '', secure: false })
})
