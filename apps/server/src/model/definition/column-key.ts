// The identity of a field for rules that must survive a change of the definition: its column, not
// its attrName (docs/rules/security.md#permissions).
import type { LoadedEntity, LoadedField } from './loaded.ts'

type Keyed = Pick<LoadedField, 'definition'> & {
  readonly column: Pick<NonNullable<LoadedField['column']>, 'name'> | null
}

/** `biz.student`: the table of an entity, as rules name it. */
export function tableKey({ table }: { readonly table: LoadedEntity['table'] }): string {
  return `${table.schema}.${table.name}`
}

/**
 * The name of a field within its table: its column, or `custom:attrName` for a field without one.
 * No column name contains a colon.
 */
export function fieldKey({ definition, column }: Keyed): string {
  return column === null ? `custom:${definition.attrName}` : column.name
}

/** `biz.student.id_card`, `biz.student.custom:hobby`. */
export function columnKey(entity: { readonly table: LoadedEntity['table'] }, field: Keyed): string {
  return `${tableKey(entity)}.${fieldKey(field)}`
}
