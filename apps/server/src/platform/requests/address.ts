import { BlockList, isIP } from 'node:net'

const groupsIn = (text: string): string[] => (text === '' ? [] : text.split(':'))

/**
 * The key of rate limits: an IPv4 address, or the /64 network of an IPv6 address, which is what one
 * household gets (docs/rules/security.md#sign-in).
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip
  const { mapped, groups } = parts(ip)
  return mapped ?? `${groups.slice(0, 4).join(':')}::/64`
}

/** The network around an address that one customer of a provider may get: its /24, or its /56 with IPv6. */
export function widerNetwork(ip: string): string {
  const { mapped, groups } = isIP(ip) === 6 ? parts(ip) : { mapped: ip, groups: [] }
  if (mapped !== undefined)
    return isIP(mapped) === 4 ? `${mapped.slice(0, mapped.lastIndexOf('.'))}.0/24` : mapped
  const last = Number.parseInt(groups[3] ?? '0', 16) & 0xff_00
  return `${[...groups.slice(0, 3), last.toString(16)].join(':')}::/56`
}

/** The eight groups of an IPv6 address without leading zeros, or the IPv4 address that it stands for. */
function parts(ip: string): { readonly mapped?: string; readonly groups: readonly string[] } {
  const [bare = ''] = ip.split('%')
  const mapped = /:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (mapped !== undefined) return { mapped, groups: [] }
  const [head = '', tail] = bare.split('::')
  const [left, right] = [groupsIn(head), groupsIn(tail ?? '')]
  const whole =
    tail === undefined
      ? left
      : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
  return { groups: whole.map((group) => Number.parseInt(group, 16).toString(16)) }
}

const compiled = new WeakMap<readonly string[], (ip: string) => boolean>()

/**
 * Whether an address is one of a list, or in one of its ranges such as `10.0.0.0/8`; none is in an empty list. A list
 * of the settings is compiled once.
 */
export function isListedAddress(list: readonly string[], ip: string): boolean {
  const known = compiled.get(list)
  if (known !== undefined) return known(ip)
  const isListed = compileAddresses(list)
  compiled.set(list, isListed)
  return isListed(ip)
}

function compileAddresses(peers: readonly string[]): (ip: string) => boolean {
  if (peers.length === 0) return () => false
  const list = new BlockList()
  for (const peer of peers) {
    const [address = '', bits] = peer.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (ip) => isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}
