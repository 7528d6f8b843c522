// Restricts the choices of a field by the choices of its cascade parents
// (docs/spec/1-entity-console.md §4).
import type { DictItem } from '@jiaowu/api'
import { type RawBuilder, sql } from 'kysely'
import type { EntityAccess } from '../../access/access.ts'
import type { LoadedField } from '../definition/loaded.ts'
import { columnRef, typed } from '../definition/names.ts'
import { castOf, columnViolation, familyOf } from '../fields/column.ts'

/** The ids chosen in the parent field with this attrName; null when nothing is chosen. */
export type ParentIds = (attrName: string) => readonly string[] | null

/** The conditions of cascades: `filterAttr` of the target equals the choice of the parent field. */
export function cascadeConditions(
  target: EntityAccess,
  field: LoadedField,
  parentIds: ParentIds,
): RawBuilder<unknown>[] {
  return (field.definition.options.cascades ?? []).flatMap(({ attrName, filterAttr }) => {
    const ids = parentIds(attrName)
    const column = target.entity.column(filterAttr)
    const family = column === undefined ? undefined : familyOf(column)
    if (ids === null || column === undefined || family === undefined) return []
    const known = ids.filter((id) => columnViolation(id, column) === null)
    return [sql`${columnRef(column.name)} = any(${typed(known, `${castOf[family]}[]`)})`]
  })
}

/** The same for items of a dictionary, where `filterAttr` can only be `pid`. */
export function cascadeItems(
  field: LoadedField,
  items: readonly DictItem[],
  parentIds: ParentIds,
): readonly DictItem[] {
  return (field.definition.options.cascades ?? []).reduce<readonly DictItem[]>(
    (left, { attrName, filterAttr }) => {
      const ids = filterAttr === 'pid' ? parentIds(attrName) : null
      return ids === null ? left : left.filter(({ pid }) => pid !== undefined && ids.includes(pid))
    },
    items,
  )
}
