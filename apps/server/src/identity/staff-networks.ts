import type { Settings } from '../platform/settings/settings.ts'
import { isListedAddress } from '../platform/requests/address.ts'
import { Refusal } from '../platform/refusal.ts'

/**
 * Staff sign in and work from the networks of STAFF_NETWORKS alone, where it is set
 * (docs/rules/security.md#s5). @throws Refusal 403
 */
export function assertStaffNetwork(
  { staffNetworks }: Pick<Settings, 'staffNetworks'>,
  ip: string,
): void {
  if (staffNetworks.length > 0 && !isListedAddress(staffNetworks, ip))
    throw new Refusal(403, { key: 'problem.staffNetwork', params: { ip } })
}
