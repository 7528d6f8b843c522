import { type RawBuilder, sql } from 'kysely'
import { chooseCast, type Column, familyOf } from './column.ts'
import { toInstant } from './school-time.ts'

/** A stored value given as text as one of the column: `instant` values are local times. */
export function castBack(column: Column, ref: RawBuilder<unknown>): RawBuilder<unknown> {
  return familyOf(column) === 'instant'
    ? toInstant(sql`${ref}::timestamp`)
    : sql`${ref}::${sql.raw(chooseCast(column))}`
}
