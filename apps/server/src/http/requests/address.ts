import { isIP } from 'node:net'

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))

/**
 * The key of rate limits: an IPv4 address, or the /64 network of an IPv6 address, which is what one
 * household gets (docs/rules/security.md#sign-in).
 */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip
  const [bare = ''] = ip.split('%')
  const mapped = /:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = bare.split('::')
  const [left, right] = [groups(head), groups(tail ?? '')]
  const whole =
    tail === undefined
      ? left
      : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
