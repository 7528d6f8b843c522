// The cells of a row for a bulk write: each column is one array of texts, which the database casts.
import { sealedCells } from '../../../../model/sealed/sealed-cells.ts'
import type { LoadedEntity } from '../../../../model/definition/loaded.ts'
import type { Column } from '../../../../model/fields/column.ts'
import type { Change } from '../../../write/values/values.ts'

export type Cells = ReadonlyMap<Column, string | null>

/** A not-null column set to empty gets its default: it is left out of the insert. */
export function cellsOf(
  entity: LoadedEntity,
  changes: readonly Change[],
): Map<Column, string | null> {
  return new Map(
    changes.flatMap((change): (readonly [Column, string | null])[] => {
      const { column } = change.field
      if (column === null) return []
      const sealed = sealedCells(entity, change.field, change.value)
      return sealed === null
        ? [[column, textOf(change, column)]]
        : sealed.map((cell) => [cell.column, cell.text] as const)
    }),
  )
}

/** A value as text for the database to cast: each column of a bulk write is one array of texts. */
function textOf({ field, value }: Change, column: Column): string | null {
  // The password of an account is a hash already.
  if (field.kind.secret) return typeof value === 'string' ? value : null
  const stored = field.storage.store(value, column)
  if (stored === null || stored === undefined) return null
  return Array.isArray(stored) ? arrayLiteral(stored) : String(stored)
}

function arrayLiteral(items: readonly unknown[]): string {
  return `{${items.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
