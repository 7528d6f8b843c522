import type { contract } from '@jiaowu/api/contract/contract'
import type { Client } from '@jiaowu/api/endpoint'
import { joinRowIds } from '@jiaowu/api/row-id'
import type { Row } from '@jiaowu/api/entity/values'
import type { ButtonRequest } from './ports.ts'

/** Writes what a button asks for; answers the row as it is now, null after a deletion. */
export async function sendButtonRequest(
  { entityData }: Pick<Client<typeof contract>, 'entityData'>,
  { tag, method, id, values }: ButtonRequest,
  signal: AbortSignal,
): Promise<Row | null> {
  const body = { ...values }
  if (method === 'create') return entityData.create({ params: { tag }, body, signal })
  if (method === 'update') return entityData.update({ params: { tag, id }, body, signal })
  await entityData.remove({ params: { tag, ids: joinRowIds([id]) }, signal })
  return null
}
