// Writes the values of fields without a column. They are in sys.custom_value, keyed by entity and
// row, so that entities on tables we must not alter can have them
// (docs/rules/contract.md#definitions).
import { sql } from 'kysely'
import { customColumn } from '../../read/target.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import type { Change } from './values.ts'

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
  const column = customColumn(field)
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
