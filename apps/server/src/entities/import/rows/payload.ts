import type { DictItem, WireValue } from '@jiaowu/api'
import type { Change } from '../../write/values.ts'
import type { Payload } from '../../jobs/job.ts'

/** A value as stored in the ledger. */
export function kept({ field, value }: Change): Payload[string] {
  return field.kind.family === 'choice' && Array.isArray(value)
    ? (value as readonly DictItem[]).map(({ id }) => id)
    : value
}
/** The value read back; choices lack their names. */
export function valueOf(value: Payload[string]): WireValue {
  return Array.isArray(value) && typeof value[0] === 'string'
    ? (value as readonly string[]).map((id) => ({ id, name: '' }))
    : (value as WireValue)
}
