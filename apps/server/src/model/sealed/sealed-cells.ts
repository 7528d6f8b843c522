import type { WireValue } from '@jiaowu/api/entity/values'
import type { LoadedEntity, LoadedField } from '../definition/loaded.ts'
import type { Column } from '../fields/column.ts'

interface SealedCell {
  readonly column: Column
  readonly text: string | null
}

/** The ciphertext and the blind index of a value; null for a field that is not encrypted. */
export function sealedCells(
  { table }: Pick<LoadedEntity, 'table'>,
  { sealer, column, storage }: LoadedField,
  value: WireValue,
): readonly SealedCell[] | null {
  if (sealer === null || column === null) return null
  const stored = storage.store(value, column)
  const text = stored === null || stored === undefined ? null : String(stored)
  const index = table.columns.get(sealer.index)
  return [
    { column, text: text === null ? null : sealer.seal(text) },
    ...(index === undefined
      ? []
      : [{ column: index, text: text === null ? null : sealer.blind(text) }]),
  ]
}
