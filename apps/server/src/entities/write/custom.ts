// Fields without a column. Their values are in sys.custom_value, keyed by entity and row, so that
// entities on tables we must not alter can have them (docs/rules/contract.md#definitions).
import { sql } from 'kysely'
import type { Column } from '../fields/column.ts'
import type { Target } from '../read/filter.ts'
import type { LoadedEntity, LoadedField } from '../definition/loaded.ts'
import { columnRef } from '../definition/names.ts'
import type { AnyDatabase } from '../read/rows.ts'
import type { Change } from './values.ts'

/**
 * Reads a custom field like a column. In a number field, stored text that is not a number counts as
 * empty.
 */
export function customTarget(entity: LoadedEntity, tenant: string, field: LoadedField): Target {
  const column = columnOf(field)
  const value = sql`(
    select cv.value from sys.custom_value cv
    where cv.tenant_id = ${tenant}::int8 and cv.tag = ${entity.tag}::text
      and cv.row_id = ${columnRef(entity.id.name)}::text
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

function columnOf({ kind }: LoadedField): Column {
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

/**
 * Writes the custom fields among the changes, in the transaction of the row. Empty values are
 * deleted.
 */
export async function saveCustomValues(
  db: AnyDatabase,
  entity: LoadedEntity,
  tenant: string,
  rowId: string,
  changes: readonly Change[],
): Promise<void> {
  for (const change of changes.filter(({ field }) => field.column === null)) {
    const { attrName } = change.field.definition
    const stored = storedJson(change)
    if (stored === null)
      await sql`
        delete from sys.custom_value
        where tenant_id = ${tenant}::int8 and tag = ${entity.tag}::text
          and row_id = ${rowId}::text and attr_name = ${attrName}::text`.execute(db)
    else
      await sql`
        insert into sys.custom_value (tenant_id, tag, row_id, attr_name, value)
        values (${tenant}::int8, ${entity.tag}::text, ${rowId}::text, ${attrName}::text,
          ${stored}::jsonb)
        on conflict (tenant_id, tag, row_id, attr_name)
        do update set value = excluded.value`.execute(db)
  }
}

function storedJson({ field, value }: Change): string | null {
  const column = columnOf(field)
  const stored = field.storage.store(value, column)
  if (stored === null) return null
  return column.type === 'jsonb' ? String(stored) : JSON.stringify(stored)
}

/** Call when rows are deleted permanently. */
export async function deleteCustomValues(
  db: AnyDatabase,
  entity: LoadedEntity,
  tenant: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    delete from sys.custom_value
    where tenant_id = ${tenant}::int8 and tag = ${entity.tag}::text
      and row_id = any(${ids}::text[])`.execute(db)
}
