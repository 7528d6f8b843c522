import { idNumberLengths, piiEndsKept } from '@jiaowu/api/pii'
import type { PiiKind } from '@jiaowu/api/entity/enums'
import { type RawBuilder, sql } from 'kysely'
import { columnRef } from '../../model/definition/names.ts'

/** Length of the mask where nothing of a value is known. */
const hiddenLength = 8

/** The mask of a column, as `maskPii` makes it; of a null kind, a mask of constant length. */
export function maskedRef(kind: PiiKind | null, column: string): RawBuilder<unknown> {
  const text = sql`${columnRef(column)}::text`
  const length = sql`length(${text})`
  if (kind === null)
    return sql`(case when ${text} is null or ${text} = '' then ${text} else ${sql.lit('*'.repeat(hiddenLength))} end)`
  if (kind === 'email') return maskedEmail(text, length)
  if (kind !== 'idCard') return withEnds(text, length, piiEndsKept[kind])
  const isIdNumber = sql`${length} in (${sql.join(idNumberLengths.map((n) => sql.lit(n)))})`
  return sql`(case when ${isIdNumber} then ${withEnds(text, length, piiEndsKept.idCard)}
    else ${withEnds(text, length, piiEndsKept.passport)} end)`
}

function withEnds(
  text: RawBuilder<unknown>,
  length: RawBuilder<unknown>,
  ends: readonly [first: number, last: number],
): RawBuilder<unknown> {
  const [first, last] = [sql.lit(ends[0]), sql.lit(ends[1])]
  return sql`(case when ${length} <= ${first} + ${last} then repeat('*', ${length})
    else left(${text}, ${first}) || repeat('*', ${length} - ${first} - ${last}) || right(${text}, ${last}) end)`
}

/** All that is before the last `@` but the first character; the whole without one. */
function maskedEmail(text: RawBuilder<unknown>, length: RawBuilder<unknown>): RawBuilder<unknown> {
  const after = sql`position('@' in reverse(${text}))`
  const at = sql`(${length} - ${after})`
  return sql`(case when ${after} = 0 then repeat('*', ${length})
    when ${at} <= 1 then repeat('*', ${at}) || right(${text}, ${after})
    else left(${text}, 1) || repeat('*', ${at} - 1) || right(${text}, ${after}) end)`
}
