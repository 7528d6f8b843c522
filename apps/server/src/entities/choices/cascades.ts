// Restricts the choices of a field by the choices of its cascade parents
// (docs/spec/1-entity-console.md §4).
import type { DictItem } from '@jiaowu/api/entity/values'
import { type RawBuilder, sql } from 'kysely'
import { filterRows, type LookupAccess } from '../../access/lookup-access.ts'
import type { LoadedField } from '../../model/definition/loaded.ts'
import { columnRef, formatTyped } from '../../model/definition/names.ts'
import { chooseCast, columnViolation, familyOf } from '../../model/fields/column.ts'

/** The ids chosen in the parent field with this attrName; null when nothing is chosen. */
export type ParentIds = (attrName: string) => readonly string[] | null

/**
 * The conditions of cascades: `filterAttr` of the target equals the choice of the parent field. It
 * does not filter rows on which the caller may not read `filterAttr`.
 */
export function cascadeConditions(
  target: LookupAccess,
  field: LoadedField,
  parentIds: ParentIds,
): RawBuilder<unknown>[] {
  return (field.definition.options.cascades ?? []).flatMap(({ attrName, filterAttr }) => {
    const ids = parentIds(attrName)
    const filter = target.entity.field(filterAttr)
    const column = filter?.column
    const family = column === undefined || column === null ? undefined : familyOf(column)
    if (
      ids === null ||
      filter === undefined ||
      column === undefined ||
      column === null ||
      family === undefined
    )
      return []
    const rows = filterRows(target, filter)
    const known = ids.filter((id) => columnViolation(id, column) === null)
    const condition = sql`${columnRef(column.name)} = any(${formatTyped(known, `${chooseCast(column)}[]`)})`
    return [rows === null ? condition : sql`(${condition} or not (${rows}))`]
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
