import type { Settings } from '../platform/settings/settings.ts'
import { addressList } from '../platform/requests/address.ts'
import { Refusal } from '../platform/refusal.ts'

const compiled = new WeakMap<readonly string[], (ip: string) => boolean>()

/**
 * Staff sign in and work from the networks of STAFF_NETWORKS alone, where it is set
 * (docs/rules/security.md#s5). @throws Refusal 403
 */
export function assertStaffNetwork(
  { staffNetworks }: Pick<Settings, 'staffNetworks'>,
  ip: string,
): void {
  if (staffNetworks.length === 0) return
  const isListed = compiled.get(staffNetworks) ?? addressList(staffNetworks)
  compiled.set(staffNetworks, isListed)
  if (!isListed(ip)) throw new Refusal(403, { key: 'problem.staffNetwork', params: { ip } })
}
