import type { Condition } from '../../model/definition/names.ts'
import { type RawBuilder, sql } from 'kysely'
import { type EntityAccess, fieldRows } from '../../access/access.ts'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { columnRef } from '../../model/definition/names.ts'
import { familyOf } from '../../model/fields/column.ts'
import { toLocal } from '../../model/fields/school-time.ts'
import { isSortable } from '../read/query.ts'
import { listField } from '../read/filter/times.ts'

export interface FigureField {
  readonly field: LoadedField
  readonly column: NonNullable<LoadedField['column']>
  /** Null in rows without a value, and in rows where the caller may not see the field. */
  readonly ref: RawBuilder<unknown>
}

/**
 * A column of which lists show groups and figures: one plain value that the caller sees in lists. Neither
 * personal data nor passwords (docs/rules/security.md#d4).
 */
export function figureField(access: EntityAccess, attrName: string): FigureField | null {
  const field = listField(access.entity, attrName)
  if (field === undefined || field.column === null || field.kind.secret || field.sealer !== null)
    return null
  if (!isSortable(access, field)) return null
  return { field, column: field.column, ref: selectSeen(field, fieldRows(access, field, 'list')) }
}

function selectSeen({ column }: LoadedField, rows: Condition | null): RawBuilder<unknown> {
  if (column === null) return sql`null`
  const family = familyOf(column)
  const ref = columnRef(column.name)
  const value =
    family === 'instant' ? toLocal(ref) : family === 'text' ? sql`nullif(${ref}, '')` : ref
  return rows === null ? value : sql`(case when ${rows} then ${value} end)`
}
