// Conditions on the rows of other entities that name a row (docs/rules/contract.md#related-rows).
import { isRelatedLeaf, relatedMark, type Where } from '@jiaowu/api/entity/list/list-query'
import { sql } from 'kysely'
import { type EntityAccess, fieldRows, type RelatedRows } from '../../../access/access.ts'
import type { Context } from '../../../model/context.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { allOf, columnRef, type Condition, formatTyped } from '../../../model/definition/names.ts'
import { loadRelation, relationTag } from '../../../model/definition/relation.ts'
import { idRef } from '../../../model/definition/row-key.ts'
import { viewAccess } from '../../search/searched-entities.ts'
import { whereLeaves } from './where.ts'

/** Limit of the number with which rows are compared. */
const mostRows = 10_000

/**
 * The access with the rows of other entities on which `where` has conditions. Call before the query is
 * compiled. What the caller may not view, or filter by, is left out, and its condition refused as unknown.
 */
export async function withRelated(
  context: Context,
  access: EntityAccess,
  ...wheres: readonly (Where | null | undefined)[]
): Promise<EntityAccess> {
  const columns = new Set(
    wheres
      .flatMap((where) => whereLeaves(where ?? undefined))
      .filter(isRelatedLeaf)
      .map(({ column }) => column),
  )
  if (columns.size === 0) return access
  const related = new Map<string, RelatedRows>()
  for (const column of columns) {
    const found = await loadRelated(context, access, column)
    if (found !== null) related.set(column, found)
  }
  return { ...access, related }
}

async function loadRelated(
  context: Context,
  { entity }: EntityAccess,
  column: string,
): Promise<RelatedRows | null> {
  const [tag = '', attrName = ''] = column.slice(relatedMark.length).split('.')
  const access = await viewAccess(context, tag)
  const field = access?.entity.field(attrName)
  if (access === null || field === undefined || field.column === null || field.kind.multiple)
    return null
  if (relationTag(field.definition) !== entity.tag) return null
  const relation = await loadRelation(context, field)
  return relation === null ? null : { access, field, keyed: relation.keyed }
}

export interface RelatedCount {
  readonly op: 'ge' | 'lt' | 'equal'
  readonly n: number
}

/** The comparison of a condition; null for what is none. */
export function readRelatedCount(op: string, value: unknown): RelatedCount | null {
  const n = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  if (typeof n !== 'number' || !Number.isInteger(n) || n < 0 || n > mostRows) return null
  return op === 'ge' || op === 'lt' || op === 'equal' ? { op, n } : null
}

/** Whether as many related rows meet the condition. A join with, or without, their keys. */
export function buildRelatedCondition(
  { access, field, keyed }: RelatedRows,
  inner: Condition | null,
  { op, n }: RelatedCount,
): Condition {
  const { column } = field
  if (column === null) throw new Error('a relation without a column')
  const [only, ...more] = keyed.key
  const isSame = only !== undefined && more.length === 0 && only.type === column.type
  const [key, ref] = isSame
    ? [idRef(keyed), columnRef(column.name)]
    : [sql`${idRef(keyed)}::text`, sql`${columnRef(column.name)}::text`]
  const seen = fieldRows(access, field, 'query')
  const rows = allOf([
    access.rows,
    ...(seen === null ? [] : [seen]),
    ...(inner === null ? [] : [inner]),
    sql`${ref} is not null`,
  ])
  // Joined and not looked up, so that the database may hash either side; `t` outside of the inner query is
  // the row that is asked about.
  const among = (having: Condition | null): Condition =>
    sql`exists (select from (select ${ref} as k from ${fromTable(access.entity)} where ${rows}${
      having === null ? sql`` : sql` group by ${ref} having ${having}`
    }) as related where related.k = ${key})`
  const count = formatTyped(n, 'int8')
  const atLeast = n === 1 ? among(null) : among(sql`count(*) >= ${count}`)
  if (op === 'equal') return n === 0 ? sql`(not ${among(null)})` : among(sql`count(*) = ${count}`)
  if (n === 0) return op === 'ge' ? sql`true` : sql`false`
  return op === 'ge' ? atLeast : sql`(not ${atLeast})`
}
