import type { DictItem, WireValue } from '@jiaowu/api'
import type { LoadedField } from '../../definition/loaded.ts'
import type { Change } from '../../write/values/values.ts'
import type { Payload } from '../../jobs/job.ts'

/** A value as stored in the ledger: encrypted where its column is. */
export function kept({ field, value }: Change): Payload[string] {
  if (field.sealer !== null && typeof value === 'string' && value !== '')
    return field.sealer.seal(value)
  return field.kind.family === 'choice' && Array.isArray(value)
    ? (value as readonly DictItem[]).map(({ id }) => id)
    : value
}
/** The value read back; choices lack their names. */
export function valueOf(
  field: Pick<LoadedField, 'sealer'> | undefined,
  value: Payload[string],
): WireValue {
  if (typeof value === 'string' && field !== undefined && field.sealer !== null)
    return field.sealer.open(value)
  return Array.isArray(value) && typeof value[0] === 'string'
    ? (value as readonly string[]).map((id) => ({ id, name: '' }))
    : (value as WireValue)
}
