// The rows of a school, before any rule of a role narrows them.
import { type RawBuilder, sql } from 'kysely'
import { binOf } from '../model/definition/kept.ts'
import type { LoadedEntity, SystemColumn } from '../model/definition/loaded.ts'
import { allOf, columnRef, type Condition, typed } from '../model/definition/names.ts'
import { castOf } from '../model/fields/column.ts'

/** Rows of this tenant, including deleted ones. */
export function tenantRows(entity: LoadedEntity, tenant: string): Condition {
  return entity.has('tenant_id')
    ? allOf([
        sql`${columnRef('tenant_id')} = ${systemValue(entity, 'tenant_id', tenant)}`,
        ...schoolsBehind(entity, tenant),
      ])
    : allOf(schoolsBehind(entity, tenant))
}

/** Of a view, the rows behind which all rows of tables are of this school (docs/rules/security.md#views). */
function schoolsBehind(entity: LoadedEntity, tenant: string): Condition[] {
  return entity.schools.map((name) => {
    const column = entity.table.columns.get(name)
    const ref = columnRef(name)
    return sql`(${ref} is null or ${ref} = ${typed(tenant, castOf(column ?? entity.id))})`
  })
}

/** A value for a system column in the type of the table. */
export function systemValue(
  entity: LoadedEntity,
  column: SystemColumn,
  value: string,
): RawBuilder<unknown> {
  return typed(value, castOf(entity.table.columns.get(column) ?? entity.id))
}

/** Rows of this tenant that are not deleted; every other rule narrows them. */
export function baseRows(entity: LoadedEntity, tenant: string): Condition {
  const bin = binOf(entity)
  return allOf([tenantRows(entity, tenant), ...(bin === null ? [] : [bin.kept])])
}
