// The row and field rules of a user's roles, read on every request, so that changes take effect at once.
import { adminRole, allPermission } from '@jiaowu/api'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Subject } from '../context.ts'
import type { Tables } from '../platform/database/tables.ts'

const fieldFlags = ['isList', 'isQuery', 'isDetail', 'isExport', 'isAdd', 'isEdit'] as const
export type FieldFlag = (typeof fieldFlags)[number]
export type FlagOverrides = Readonly<Partial<Record<FieldFlag, number>>>

export interface RoleRule {
  readonly roleId: string
  readonly scope: 'all' | 'own' | 'org' | 'org_tree' | 'expression'
  readonly expression: string | null
  readonly overrides: Readonly<Record<string, FlagOverrides>>
}

/** One rule per role that holds `permission` (null for any role). A role without a rule sees everything. */
export async function readRules(
  db: Kysely<Tables>,
  subject: Subject,
  tag: string,
  permission: string | null,
): Promise<RoleRule[]> {
  if (subject.roleIds.length === 0) return []
  const rows = await db
    .selectFrom('sys.role as r')
    .leftJoin('sys.role_entity_rule as e', (join) =>
      join
        .onRef('e.role_id', '=', 'r.id')
        .onRef('e.tenant_id', '=', 'r.tenant_id')
        .on('e.tag', '=', tag),
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
