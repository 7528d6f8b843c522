// Describes what a write can have done to the rows of lists, for totals that are carried over it.
import { findBin } from '../../../model/definition/kept.ts'
import type { RowChanges } from '../../read/totals/row-changes.ts'
import { readRowKeys, type RowWrite, type RowWriter } from '../writer.ts'
import { isSameValue } from '../values/values.ts'
import { buildCells, stampCells } from './cells.ts'

/** Longer lists of keys cost more than counting the list again. */
const maxKeys = 200

/** Null where other rows or columns may have changed as well: triggers, values kept in other tables, many rows. */
export function describeChanges(
  { entity, context }: RowWriter,
  rows: readonly RowWrite[],
): RowChanges | null {
  const { hasTriggers, hasAfterTriggers, insertsElsewhere, columns, kind = 'table' } = entity.table
  if (kind !== 'table' || insertsElsewhere === true || rows.length > maxKeys) return null
  if (hasTriggers === true || hasAfterTriggers === true) return null
  // Deleting for good may take other rows along.
  const hasBin = findBin(entity) !== null
  const changed = new Set<string>()
  const added: string[] = []
  const removed: string[] = []
  for (const row of rows) {
    if (row.kind === 'create') added.push(...readRowKeys([row]))
    else if (row.kind === 'delete' && hasBin) removed.push(...readRowKeys([row]))
    else if (row.kind === 'update' || row.kind === 'move') {
      const changes = findDifferences(row)
      if (changes.some(({ field }) => field.column === null)) return null
      for (const { name } of buildCells(entity, changes).keys()) changed.add(name)
    } else return null
  }
  if (changed.size > 0) {
    for (const { column } of stampCells(entity, context.subject, 'update')) changed.add(column.name)
    for (const { name, generated } of columns.values()) if (generated) changed.add(name)
  }
  return { added, removed, changed: [...changed] }
}

/** Forms send every field; the row was locked when its values were read. */
function findDifferences({ changes, stored }: RowWrite): RowWrite['changes'] {
  if (stored === undefined) return changes
  return changes.filter(
    ({ field, value }) => !isSameValue(value, stored[field.definition.attrName] ?? null),
  )
}
