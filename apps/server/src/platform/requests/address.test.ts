import { expect, it } from 'vitest'
import { networkOf, widerNetwork } from './address.ts'

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:1::/64'],
  ['2001:0DB8:0:1::2', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['', ''],
])('%s is limited as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

it.each([
  ['10.1.2.3', '10.1.2.0/24'],
  ['::ffff:10.1.2.3', '10.1.2.0/24'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:0::/56'],
  ['2001:0DB8:0:abcd::2', '2001:db8:0:ab00::/56'],
  ['1:2:3:4:5:6:7:8', '1:2:3:0::/56'],
])('%s is in %s', (ip, network) => {
  expect(widerNetwork(ip)).toBe(network)
})
