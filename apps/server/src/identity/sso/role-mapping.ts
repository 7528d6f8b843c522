// Groups at a provider as roles of the school (docs/rules/security.md#s8).
import { adminRole } from '@jiaowu/api/limits'
import type { SsoProvider } from '../../platform/settings/settings-sso.ts'
import { claimAt } from './identity-provider.ts'

/** Codes of roles. */
export interface RolePlan {
  readonly added: readonly string[]
  readonly taken: readonly string[]
  /** In the mapping, and not a role of the school. */
  readonly missing: readonly string[]
}

type Groups = NonNullable<SsoProvider['groups']>

/**
 * Changes that a sign-in with these claims makes. Only roles that the mapping names are given and taken; a person
 * without the claim has no group.
 * @param school codes of the school's roles @param held codes of the account's roles
 */
export function planRoles(
  groups: Groups | undefined,
  claims: Readonly<Record<string, unknown>>,
  school: ReadonlySet<string>,
  held: readonly string[],
): RolePlan {
  if (groups === undefined) return { added: [], taken: [], missing: [] }
  const isMapped = (code: string) => code !== adminRole || groups.administrators
  const memberOf = new Set(groupsIn(claimAt(claims, groups.claim)))
  const mapped = new Set(Object.values(groups.roles).flat().filter(isMapped))
  const wanted = new Set(
    Object.entries(groups.roles)
      .filter(([group]) => memberOf.has(group))
      .flatMap(([, codes]) => codes)
      .filter(isMapped),
  )
  return {
    added: [...wanted].filter((code) => school.has(code) && !held.includes(code)),
    taken: held.filter((code) => mapped.has(code) && !wanted.has(code)),
    missing: [...mapped].filter((code) => !school.has(code)),
  }
}

/** A list of names, or one name. */
function groupsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
