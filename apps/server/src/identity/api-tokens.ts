// Tokens of programs. A call with one acts for its person, with the part of the person's rights that the token names
// (docs/rules/contract.md#api-tokens).
import { type TokenRight, tokenPrefix } from '@jiaowu/api/contract/token'
import { adminRole, allPermission } from '@jiaowu/api/limits'
import { type EntityAction, entityPermission, may } from '@jiaowu/api/entity/permission'
import type { Services } from '../model/context.ts'
import { hashOf, newTokenOf, schoolOfToken } from '../platform/tokens.ts'
import type { SessionSubject } from './callers.ts'
import { type Granted, readGranted } from './granted.ts'
import { sessionRefusal } from './sessions.ts'
import { isActive, readPerson, readUser } from './subject.ts'

/** Milliseconds by which the time of the last use may be late. */
const useStep = 300_000

const actionsOf: Readonly<Record<TokenRight, readonly EntityAction[]>> = {
  read: ['view'],
  write: ['add', 'update'],
  delete: ['delete'],
  decide: [],
  export: ['export'],
}

export function isApiToken(bearer: string): boolean {
  return bearer.startsWith(tokenPrefix)
}

export function createApiToken(tenant: string): string {
  return `${tokenPrefix}${newTokenOf(tenant)}`
}

/** The codes of permissions that a token asks for. */
export function listTokenCodes(
  entities: readonly string[],
  rights: readonly string[],
): readonly string[] {
  const actions = rights.flatMap((right) => actionsOf[right as TokenRight] ?? [])
  return entities.flatMap((tag) => actions.map((action) => entityPermission(tag, action)))
}

/** Whether an agent may propose decisions of flows: who decides needs no right to write the table. */
export function mayProposeDecisions(rights: readonly string[]): boolean {
  return rights.includes('decide') || rights.includes('write')
}

/** The person of a token, with what both may do. @throws Refusal 401 */
export async function readTokenSubject(
  services: Services,
  bearer: string,
): Promise<SessionSubject> {
  const tenant = schoolOfToken(bearer.slice(tokenPrefix.length))
  if (tenant === undefined || tenant === null) throw sessionRefusal(40002, 'problem.tokenMalformed')
  const { kysely } = services.database
  const row = await kysely
    .selectFrom('sys.api_token')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('token_hash', '=', hashOf(bearer))
    .executeTakeFirst()
  if (row === undefined) throw sessionRefusal(40000, 'problem.sessionUnknown')
  if (row.revoked_at !== null) throw sessionRefusal(40003, 'token.revokedCall')
  if (new Date(row.expires_at) <= services.now()) throw sessionRefusal(40001, 'token.expiredCall')
  const user = await readUser(services, tenant, row.user_id)
  if (!isActive(user)) throw sessionRefusal(40005, 'problem.accountDisabled')
  await noteUse(services, row)
  const granted = await readGranted(kysely, tenant, user.role_ids)
  return {
    kind: 'staff',
    userId: user.id,
    account: user.account,
    name: user.name,
    tenant,
    // No session: nothing can be proved by it.
    sessionId: '0',
    token: { id: row.id, name: row.name, perSecond: row.per_second, rights: row.rights },
    mustChangePassword: user.must_change_password,
    // Its person has proved who they are when they made it.
    factor: 'proven',
    ...narrowRights(granted, listTokenCodes(row.entities, row.rights)),
    org: user.org_id === null ? null : { id: user.org_id, name: user.org_name ?? '' },
    person: readPerson(user),
  }
}

/** Never more than the person has: rows and fields stay those of their roles. */
function narrowRights(granted: Granted, codes: readonly string[]): Granted {
  const mine = codes.filter((code) => may(granted.permissions, code))
  const grants = granted.grants.map((grant) => {
    const isWhole = grant.code === adminRole || grant.permissions.includes(allPermission)
    return {
      ...grant,
      code: '',
      permissions: isWhole ? mine : grant.permissions.filter((code) => mine.includes(code)),
      rules: isWhole ? {} : grant.rules,
    }
  })
  // Offices are persons': no check by the name of a role passes for a program.
  return { roles: [], roleIds: granted.roleIds, permissions: new Set(mine), grants }
}

async function noteUse(
  { database, now }: Services,
  row: { readonly tenant_id: string; readonly id: string; readonly used_at: string | null },
): Promise<void> {
  const at = now()
  if (row.used_at !== null && at.getTime() - new Date(row.used_at).getTime() < useStep) return
  await database.kysely
    .updateTable('sys.api_token')
    .set({ used_at: at })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute()
}
