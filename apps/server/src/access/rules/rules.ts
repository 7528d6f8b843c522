// The row and field rules of a user's roles. The subject brings them: they are read with the session on
// every request, so that changes take effect at once.
import { adminRole, allPermission } from '@jiaowu/api/limits'
import { type RawBuilder, sql } from 'kysely'
import type { StoredRule, Subject } from '../../platform/context.ts'

export interface RoleRule extends StoredRule {
  readonly roleId: string
  /** Whether the role has a rule on the table at all. */
  readonly isStored: boolean
}

const noRule: StoredRule = { scope: 'all', expression: null, overrides: {} }

/**
 * The rule on `table` of each role that holds `permission` (null for any role). A role without a
 * rule sees everything.
 */
export function rulesOn(
  { grants }: Pick<Subject, 'grants'>,
  table: string,
  permission: string | null,
): RoleRule[] {
  return grants
    .filter(
      ({ code, permissions }) =>
        permission === null ||
        code === adminRole ||
        permissions.includes(permission) ||
        permissions.includes(allPermission),
    )
    .map(({ id, rules }) => {
      const stored = Object.hasOwn(rules, table) ? rules[table] : undefined
      return { ...(stored ?? noRule), roleId: id, isStored: stored !== undefined }
    })
}

/** Ids of an organisation and its descendants. */
export function orgTree(tenant: string, orgId: string): RawBuilder<unknown> {
  return sql`
  with recursive below as (
    select id from sys.org where tenant_id = ${tenant}::int8 and id = ${orgId}::int8
    union select o.id from sys.org o join below on o.pid = below.id where o.tenant_id = ${tenant}::int8
  ) select id from below`
}
