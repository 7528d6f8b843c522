import { adminRole, allPermission } from '@jiaowu/api/limits'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { RoleGrant, Subject } from '../platform/context.ts'
import type { Tables } from '../platform/database/tables/tables.ts'

/** Rights that the roles of an account grant it. */
export type Granted = Pick<Subject, 'roles' | 'roleIds' | 'permissions' | 'grants'>

/** The enabled ones of these roles, with their permissions and rules. */
export async function readGranted(
  db: Kysely<Tables>,
  tenant: string,
  roleIds: readonly string[],
): Promise<Granted> {
  if (roleIds.length === 0) return toGranted([])
  const { rows } = await sql<{ granted: readonly RoleGrant[] | null }>`
    select ${selectGrants(tenant, sql`${roleIds}::text[]`)} as granted`.execute(db)
  return toGranted(rows[0]?.granted ?? [])
}

/**
 * An expression for a list of `RoleGrant`, null when there is none. Every table is tied to the school
 * by value, because a sub-select that takes it from another row asks every node of a cluster.
 */
export function selectGrants(tenant: string, roleIds: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select jsonb_agg(
      jsonb_build_object(
        'id', r.id::text,
        'code', r.code,
        'permissions', array(
          select p.code from sys.role_permission p
          where p.tenant_id = ${tenant}::int8 and p.role_id = r.id
        ),
        'rules', (
          select coalesce(jsonb_object_agg(e.table_name, jsonb_build_object(
            'scope', e.row_scope, 'expression', e.scope_expression, 'overrides', e.field_overrides
          )), '{}')
          from sys.role_table_rule e where e.tenant_id = ${tenant}::int8 and e.role_id = r.id
        )
      ) order by r.id
    )
    from sys.role r
    where r.tenant_id = ${tenant}::int8 and r.id::text = any(${roleIds}) and r.status = '1'
      and r.deleted_at is null
  )`
}

export function toGranted(grants: readonly RoleGrant[]): Granted {
  const permissions = new Set(grants.flatMap((grant) => grant.permissions))
  const roles = grants.map(({ code }) => code)
  // Only the server grants this, and to this role alone (docs/rules/security.md#permissions).
  if (roles.includes(adminRole)) permissions.add(allPermission)
  return { roles, roleIds: grants.map(({ id }) => id), permissions, grants }
}
