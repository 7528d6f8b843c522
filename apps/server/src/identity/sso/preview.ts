// Shows the account that claims would sign in, and the changes that this would make, without making them.
import type { Services } from '../../model/context.ts'
import type { SsoProvider } from '../../platform/settings/settings-sso.ts'
import { readUser } from '../subject.ts'
import { rolesOfSchool } from './admit.ts'
import { SsoFault } from './identity-provider.ts'
import { readAccountKey, matchAccount } from './match-account.ts'
import { planRoles, type RolePlan } from './role-mapping.ts'

interface Preview extends RolePlan {
  /** Empty where the claims do not tell it. */
  readonly key: string
  readonly account: string | null
  /** Outcome of the sign-in. */
  readonly outcome: 'signedIn' | 'created' | 'unknown' | 'disabled'
}

export async function previewSignOn(
  services: Services,
  provider: SsoProvider,
  claims: Readonly<Record<string, unknown>>,
): Promise<Preview> {
  const { kysely } = services.database
  const { tenant, create, groups } = provider
  const roles = await rolesOfSchool(kysely, tenant)
  const plan = (held: readonly string[]) =>
    planRoles(groups, claims, new Set(roles.idOf.keys()), held)
  const key = keyIn(provider, claims)
  if (key === null) return { ...none, key: '', account: null, outcome: 'unknown' }
  const id = await matchAccount(kysely, provider, key)
  const user = id === undefined ? undefined : await readUser(services, tenant, id)
  if (user === undefined)
    return create === undefined
      ? { ...none, key, account: null, outcome: 'unknown' }
      : { ...newAccount(plan([create.role]), create.role), key, account: null, outcome: 'created' }
  const { account, status, role_ids } = user
  const held = role_ids.flatMap((role) => roles.codeOf.get(role) ?? [])
  return status === '1' && user.tenant_status === '1'
    ? { ...plan(held), key, account, outcome: 'signedIn' }
    : { ...none, key, account, outcome: 'disabled' }
}

const none: RolePlan = { added: [], taken: [], missing: [] }

function newAccount(plan: RolePlan, role: string): RolePlan {
  const isTaken = plan.taken.includes(role)
  return { ...plan, added: isTaken ? plan.added : [role, ...plan.added], taken: [] }
}

function keyIn(provider: SsoProvider, claims: Readonly<Record<string, unknown>>): string | null {
  try {
    return readAccountKey(provider, claims)
  } catch (error) {
    if (error instanceof SsoFault) return null
    throw error
  }
}
