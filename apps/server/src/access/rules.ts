// The row and field rules of a user's roles, read on every request, so that changes take effect at once.
import { adminRole, allPermission, type FieldNarrowing, type RowScope } from '@jiaowu/api'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Subject } from '../context.ts'
import type { Tables } from '../platform/database/tables.ts'

export interface RoleRule {
  readonly roleId: string
  readonly scope: RowScope
  /** Names columns. */
  readonly expression: string | null
  /** By column, or `custom:attrName`. */
  readonly overrides: Readonly<Record<string, FieldNarrowing>>
  /** Whether the role has a rule on the table at all. */
  readonly isStored: boolean
}

/**
 * The rule on `table` of each role that holds `permission` (null for any role). A role without a
 * rule sees everything.
 */
export async function readRules(
  db: Kysely<Tables>,
  subject: Subject,
  table: string,
  permission: string | null,
): Promise<RoleRule[]> {
  if (subject.roleIds.length === 0) return []
  const rows = await db
    .selectFrom('sys.role as r')
    .leftJoin('sys.role_table_rule as e', (join) =>
      join
        .onRef('e.role_id', '=', 'r.id')
        .onRef('e.tenant_id', '=', 'r.tenant_id')
        .on('e.table_name', '=', table),
    )
    .select(['r.id', 'e.row_scope', 'e.scope_expression', 'e.field_overrides'])
    .where('r.tenant_id', '=', subject.tenant)
    .where('r.id', 'in', [...subject.roleIds])
    .where('r.status', '=', '1')
    .where('r.deleted_at', 'is', null)
    .$if(permission !== null, (query) =>
      query.where((eb) =>
        eb.or([
          eb('r.code', '=', adminRole),
          eb.exists(
            eb
              .selectFrom('sys.role_permission as p')
              .select('p.code')
              .where('p.tenant_id', '=', subject.tenant)
              .whereRef('p.role_id', '=', 'r.id')
              .where('p.code', 'in', [permission ?? '', allPermission]),
          ),
        ]),
      ),
    )
    .orderBy('r.id')
    .execute()
  return rows.map((row) => ({
    roleId: row.id,
    scope: row.row_scope ?? 'all',
    expression: row.scope_expression,
    overrides: row.field_overrides ?? {},
    isStored: row.row_scope !== null,
  }))
}

/** Ids of an organisation and its descendants. */
export function orgTree(tenant: string, orgId: string): RawBuilder<unknown> {
  return sql`
  with recursive below as (
    select id from sys.org where tenant_id = ${tenant}::int8 and id = ${orgId}::int8
    union select o.id from sys.org o join below on o.pid = below.id where o.tenant_id = ${tenant}::int8
  ) select id from below`
}
