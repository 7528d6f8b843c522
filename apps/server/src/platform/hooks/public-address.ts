// Addresses that the server may call for a school. Those of private networks are the server's own neighbours.
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isListedAddress } from '../requests/address.ts'

/** RFC 6890 and its successors: addresses that are not of the public network. */
const privateNetworks: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]

/** The address is one of a private network that the settings do not allow. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

/** @param allowed networks that may be called although they are private */
export function mayCall(ip: string, allowed: readonly string[]): boolean {
  const plain = isIP(ip) === 6 ? readMapped(ip) : ip
  if (isListedAddress(allowed, plain)) return true
  // An address mapped by hexadecimal digits is refused with the whole network of mapped addresses.
  return !isListedAddress(privateNetworks, plain) && !/^::ffff:/i.test(plain)
}

function readMapped(ip: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip
}

/** @throws PrivateAddress for an address in the URL itself; names are looked up when they are called */
export function assertCallable(url: URL, allowed: readonly string[]): void {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' && !mayCall('127.0.0.1', allowed)) throw new PrivateAddress(host)
  if (isIP(host) !== 0 && !mayCall(host, allowed)) throw new PrivateAddress(host)
}

/** Looks a name up and refuses it in the connection itself, so that a name cannot change between check and call. */
export function createLookup(allowed: readonly string[]): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        done(error, '', 4)
        return
      }
      const refused = found.find(({ address }) => !mayCall(address, allowed))
      const [first] = found
      if (refused !== undefined || first === undefined) done(new PrivateAddress(hostname), '', 4)
      else if (options.all === true) done(null, found)
      else done(null, first.address, first.family)
    })
  }
}
