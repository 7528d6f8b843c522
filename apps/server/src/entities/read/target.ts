// The SQL expression for the value of a field: its column, or the side table of custom fields
// (docs/rules/contract.md#definitions).
import { type RawBuilder, sql } from 'kysely'
import type { EntityAccess } from '../../access/access.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { columnRef } from '../../model/definition/names.ts'
import { idText } from '../../model/definition/row-key.ts'
import type { Column } from '../../model/fields/column.ts'
import { type SearchedColumn, searchedColumn } from './filter/text-search.ts'

/** The expression for a field, and the column that gives its type. */
export interface Target {
  readonly field: LoadedField
  readonly ref: RawBuilder<unknown>
  readonly column: Column
  /** The indexes that serve parts of the column's text. */
  readonly searched?: SearchedColumn
}
export function buildFilterTarget(access: EntityAccess, field: LoadedField): Target {
  return field.column === null
    ? customTarget(access.entity, access.tenant, field)
    : {
        field,
        column: field.column,
        // Money has no arithmetic with numbers, and its text depends on the locale of the server.
        ref:
          field.column.type === 'money'
            ? sql`${columnRef(field.column.name)}::numeric`
            : columnRef(field.column.name),
        searched: searchedColumn(access, field.column.name),
      }
}

/** The text form of a type that only the database can read. A cast would show `10.0.0.1/32`. */
export function shownText({ type }: Column, ref: RawBuilder<unknown>): RawBuilder<unknown> {
  return type === 'inet' ? sql`abbrev(${ref})` : sql`${ref}::text`
}

/**
 * Reads a custom field like a column. In a number field, stored text that is not a number counts as
 * empty.
 */
function customTarget(entity: LoadedEntity, tenant: string, field: LoadedField): Target {
  const column = customColumn(field)
  const value = sql`(
    select cv.value from sys.custom_value cv
    where cv.tenant_id = ${tenant}::int8 and cv.tag = ${entity.tag}::text
      and cv.row_id = ${idText(entity)}
      and cv.attr_name = ${field.definition.attrName}::text
  )`
  const text = sql`(${value} #>> '{}')`
  if (column.type === 'jsonb') return { field, column, ref: value }
  return {
    field,
    column,
    ref:
      column.type === 'text'
        ? text
        : sql`(case when ${text} ~ '^[+-]?\\d+(\\.\\d+)?$' then ${text}::numeric end)`,
  }
}

/** The column a custom field would have. */
export function customColumn({ kind }: LoadedField): Column {
  return {
    name: 'value',
    type:
      kind.family === 'number'
        ? 'numeric'
        : kind.multiple || kind.family === 'media'
          ? 'jsonb'
          : 'text',
    length: null,
    precision: null,
    scale: null,
    nullable: true,
    hasDefault: false,
    generated: false,
  }
}
