// The fields and conditions of entities whose rows form a tree.
import { sql } from 'kysely'
import { chooseCast, type Column, columnViolation } from '../../model/fields/column.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { columnRef, type Condition, never, formatTyped } from '../../model/definition/names.ts'
import { relationTag } from '../../model/definition/relation.ts'

/** The field for the parent row, a single choice among the entity's own rows, and its column. */
export interface ParentField extends LoadedField {
  readonly column: Column
}

export function findParentField(entity: LoadedEntity): ParentField | null {
  const field =
    entity.definition.parentField === null ? undefined : entity.field(entity.definition.parentField)
  if (
    field === undefined ||
    field.column === null ||
    field.kind.multiple ||
    entity.key.length !== 1 ||
    relationTag(field.definition) !== entity.tag
  )
    return null
  return { ...field, column: field.column }
}

/** The number field that siblings in a tree are ordered by: the first sort of the list. */
export function findSortField(entity: LoadedEntity): ParentField | null {
  return listSortNumbers(entity)[0] ?? null
}

/** Per sort of the list: its number field when ascending, else null. */
function listSortNumbers(entity: LoadedEntity): (ParentField | null)[] {
  return entity.definition.options.sorts.map(({ column, asc }) => {
    const field = asc ? entity.field(column) : undefined
    return field === undefined || field.column === null || !field.kind.ordinal
      ? null
      : { ...field, column: field.column }
  })
}

/** The number field that rows outside a tree are ordered by, such as items of a dictionary. */
export function findOrderField(entity: LoadedEntity): ParentField | null {
  return listSortNumbers(entity).find((field) => field !== null) ?? null
}

/** Children of these rows; ignores ids the column cannot hold. */
export function matchChildren(column: Column, parents: readonly string[]): Condition {
  const known = parents.filter((id) => columnViolation(id, { ...column, length: null }) === null)
  return known.length === 0
    ? never
    : sql`${columnRef(column.name)} = any(${formatTyped(known, `${chooseCast(column)}[]`)})`
}

/**
 * Rows without a parent: null, empty or `'0'`, the root of every tree
 * (docs/spec/1-entity-console.md §3).
 */
export function isTopLevel(column: Column): Condition {
  return sql`coalesce(${columnRef(column.name)}::text, '0') in ('0', '')`
}
