import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { Settings } from '../../platform/settings/settings.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
/** A request with one of them came through a proxy, whose address says nothing about the caller. */
const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/**
 * Whether the caller may read /metrics (docs/rules/security.md#r17): a process of this machine that
 * asks without a proxy, or the bearer of METRICS_TOKEN.
 */
export function mayReadMetrics(
  headers: Headers,
  ip: string,
  { metricsToken }: Pick<Settings, 'metricsToken'>,
): boolean {
  const [, given] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (given !== undefined) return metricsToken !== undefined && isEqual(given, metricsToken)
  return (
    ip !== '' &&
    loopback.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4') &&
    forwardingHeaders.every((name) => !headers.has(name))
  )
}

function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
