import { limits } from '@jiaowu/api/limits'
import { splitRowIds } from '@jiaowu/api/row-id'
import { Invalid } from '../../../platform/refusal.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import { type Column, familyOf } from '../../../model/fields/column.ts'
import { buildFilterFault } from '../../read/query.ts'

/** The ids of a path segment or parameter as it was sent, without duplicates. @throws Invalid above 500 */
export function parseIds({ key }: Pick<LoadedEntity, 'key'>, joined: string): readonly string[] {
  const [only, ...more] = key
  const ids = splitRowIds(
    only !== undefined && more.length === 0 && !mayHoldComma(only) ? decodeCommas(joined) : joined,
    key.length,
  )
  if (ids.length > limits.maxDeleteIds)
    throw new Invalid([
      buildFilterFault('ids', 'range', {
        key: 'entity.tooManyIds',
        params: { n: limits.maxDeleteIds },
      }),
    ])
  return ids
}

/** Ids of numbers and the like may come with encoded commas, as older clients send them. */
function mayHoldComma(column: Column): boolean {
  return ['text', 'other', undefined].includes(familyOf(column))
}

function decodeCommas(joined: string): string {
  return joined.replaceAll(/%2c/gi, ',')
}
