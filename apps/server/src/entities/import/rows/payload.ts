import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import { isSealed, type Keys } from '../../../platform/keys/keys.ts'
import type { LoadedEntity, LoadedField } from '../../../model/definition/loaded.ts'
import type { Change } from '../../write/values/values.ts'
import type { Payload } from '../../jobs/job.ts'

/** Names the column of a sealed secret, as associated data of the encryption. */
const ledgerSecret = 'sys.job_row.payload'

/**
 * The key of a value in the ledger: its attrName, or its column when only another definition of the
 * table has the field, which computes it. No attrName has a colon.
 */
export function payloadKey(entity: LoadedEntity, field: LoadedField): string {
  const { attrName } = field.definition
  return entity.field(attrName) === field ? attrName : `column:${field.column?.name ?? ''}`
}

/** A value as stored in the ledger: encrypted where its column is, and secrets that are stored as typed. */
export function sealValue({ field, value }: Change, keys: Keys): Payload[string] {
  if (field.kind.secret && typeof value === 'string' && value !== '')
    return keys.seal(ledgerSecret, value)
  if (field.sealer !== null && typeof value === 'string' && value !== '')
    return field.sealer.seal(value)
  return field.kind.family === 'choice' && Array.isArray(value)
    ? (value as readonly DictItem[]).map(({ id }) => id)
    : value
}
/** The value read back; choices lack their names. */
export function openValue(
  field: Pick<LoadedField, 'sealer' | 'kind'> | undefined,
  value: Payload[string],
  keys: Keys,
): WireValue {
  // The hash of a password of accounts is not encrypted again.
  if (typeof value === 'string' && field?.kind.secret === true && isSealed(value))
    return keys.open(ledgerSecret, value)
  if (typeof value === 'string' && field !== undefined && field.sealer !== null)
    return field.sealer.open(value)
  return Array.isArray(value) && typeof value[0] === 'string'
    ? (value as readonly string[]).map((id) => ({ id, name: '' }))
    : (value as WireValue)
}
