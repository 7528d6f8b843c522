import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { RevealPorts } from './ports.ts'

/** The port of all surfaces. */
export function revealApiPorts({
  entityData,
}: Pick<Client<typeof contract>, 'entityData'>): RevealPorts {
  return {
    reveal: ({ tag, rowId, field, reason }, signal) =>
      entityData.reveal({ params: { tag, id: rowId }, body: { field, reason }, signal }),
  }
}
