// The rows of a school, before any rule of a role narrows them.
import { type RawBuilder, sql } from 'kysely'
import { findBin } from '../model/definition/kept.ts'
import type { LoadedEntity, SystemColumn } from '../model/definition/loaded.ts'
import { allOf, columnRef, type Condition, formatTyped } from '../model/definition/names.ts'
import { chooseCast } from '../model/fields/column.ts'

/** Rows of this tenant, including deleted ones. */
export function tenantRows(entity: LoadedEntity, tenant: string): Condition {
  return entity.has('tenant_id')
    ? allOf([
        sql`${columnRef('tenant_id')} = ${systemValue(entity, 'tenant_id', tenant)}`,
        ...schoolsBehind(entity, tenant),
      ])
    : allOf(schoolsBehind(entity, tenant))
}

/**
 * Selects the rows of a view behind which all rows of tables are of this school
 * (docs/rules/security.md#views).
 */
function schoolsBehind(entity: LoadedEntity, tenant: string): Condition[] {
  return entity.schools.map((name) => {
    const column = entity.table.columns.get(name)
    const ref = columnRef(name)
    return sql`(${ref} is null or ${ref} = ${formatTyped(tenant, chooseCast(column ?? entity.id))})`
  })
}

/** A value for a system column in the type of the table. */
export function systemValue(
  entity: LoadedEntity,
  column: SystemColumn,
  value: string,
): RawBuilder<unknown> {
  return formatTyped(value, chooseCast(entity.table.columns.get(column) ?? entity.id))
}

/** Rows of this tenant that are not deleted; every other rule narrows them. */
export function baseRows(entity: LoadedEntity, tenant: string): Condition {
  const bin = findBin(entity)
  return allOf([tenantRows(entity, tenant), ...(bin === null ? [] : [bin.kept])])
}
