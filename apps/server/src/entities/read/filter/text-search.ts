// Searches for parts of the text of a column, by the indexes it has (docs/rules/database.md#searches).
import { type RawBuilder, sql } from 'kysely'
import type { EntityAccess } from '../../../access/access.ts'
import {
  allOf,
  anyOf,
  columnRef,
  type Condition,
  matchesPattern,
  formatTyped,
} from '../../../model/definition/names.ts'

/** The indexed expression of a column. */
export interface SearchedColumn {
  readonly ref: RawBuilder<unknown>
  readonly school: string
  /** The pairs of neighbouring characters. */
  readonly bigrams: boolean
  /** The initials of the Pinyin of a name. */
  readonly initials: boolean
}

export function searchedColumn(
  { entity, tenant }: Pick<EntityAccess, 'entity' | 'tenant'>,
  column: string,
): SearchedColumn {
  const { bigrams, initials } = entity.table
  return {
    ref: columnRef(column),
    school: tenant,
    bigrams: bigrams?.has(column) === true,
    initials: initials?.has(column) === true,
  }
}

/** Two letters and more may be initials: one would be found in almost every name. */
const maybeInitials = /^[a-z]{2,}$/i

/** `text`: the column as text. `pattern`: the text that is looked for, with the wildcards of LIKE. */
export function searchCondition(
  column: SearchedColumn,
  text: RawBuilder<unknown>,
  wanted: string,
  pattern: string,
): Condition {
  const byText = withPairs(
    column.bigrams,
    column,
    column.ref,
    wanted,
    matchesPattern(text, pattern),
  )
  if (!column.initials || !maybeInitials.test(wanted)) return byText
  const initials = sql`sys.initials(${column.ref})`
  const isLike = sql`${initials} like ${formatTyped(pattern.toLowerCase(), 'text')}`
  return anyOf([byText, withPairs(true, column, initials, wanted, isLike)])
}

function withPairs(
  isIndexed: boolean,
  { school }: SearchedColumn,
  value: RawBuilder<unknown>,
  wanted: string,
  condition: Condition,
): Condition {
  if (!isIndexed || [...wanted].length < 2) return condition
  const pairs = sql`sys.bigrams(${formatTyped(school, 'int8')}, ${formatTyped(wanted, 'text')})`
  return allOf([sql`sys.bigrams(${columnRef('tenant_id')}, ${value}) @> ${pairs}`, condition])
}
