import { limits, splitRowIds } from '@jiaowu/api'
import { Invalid } from '../../platform/refusal.ts'
import type { LoadedEntity } from '../definition/loaded.ts'
import { fault } from '../read/query.ts'

/** The ids of a path segment or parameter as it was sent, without duplicates. @throws Invalid above 500 */
export function parseIds({ key }: Pick<LoadedEntity, 'key'>, joined: string): readonly string[] {
  const ids = splitRowIds(joined, key.length)
  if (ids.length > limits.maxDeleteIds)
    throw new Invalid([
      fault('ids', 'range', { key: 'entity.tooManyIds', params: { n: limits.maxDeleteIds } }),
    ])
  return ids
}
