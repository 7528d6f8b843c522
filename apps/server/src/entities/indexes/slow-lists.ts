// Remembers which lists were slow: by columns and operators, without the values
// (docs/rules/database.md#indexes-for-lists).
import { toQueryOperator } from '@jiaowu/api/entity/enums'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import { parseJson } from '@jiaowu/api/exact-json'
import { sql } from 'kysely'
import type { EntityAccess } from '../../access/access.ts'
import type { MemoryKind } from '../../platform/memory.ts'
import type { Context, Services } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { listField } from '../read/filter/times.ts'
import { whereLeaves } from '../read/filter/where.ts'
import type { IndexUse } from './propose-index.ts'

/** A list that takes longer is remembered. */
export const slowListMs = 500
/** Rows that a school may have; lists beyond are not remembered. */
const maxLists = 200
const keptDays = 30
/** The same list is written down once a minute by each server. */
const pauseMs = 60_000

/** A field of a list and what the list did by it. */
type ListUse = readonly [attrName: string, use: IndexUse]

export interface SlowList {
  readonly tenant: string
  readonly tag: string
  readonly uses: readonly ListUse[]
  readonly calls: number
  readonly worstMs: number
}

const noted: MemoryKind<true> = { name: 'slow lists', limit: 10 * maxLists, age: pauseMs }

/** Writes down a list that took so long. Never fails: the page has been read. */
export async function noteSlowList(
  context: Context,
  { entity: { tag, definition }, tenant, entity }: EntityAccess,
  query: Pick<PageQuery, 'queries' | 'where' | 'sorts'>,
  milliseconds: number,
): Promise<void> {
  const sorts = query.sorts.length > 0 ? query.sorts : definition.options.sorts
  const uses = [
    ...Object.keys(query.queries).map((name): ListUse => [
      name,
      toQueryOperator(entity.field(name)?.definition.queryType),
    ]),
    ...whereLeaves(query.where).flatMap(({ column, op }): ListUse[] =>
      op === 'isEmpty' || op === 'notEmpty' ? [] : [[column, op === 'during' ? 'between' : op]],
    ),
    ...sorts.slice(0, 1).map(({ column }): ListUse => [column, 'order']),
  ].filter(([name]) => listField(entity, name)?.column != null)
  const key = JSON.stringify(
    [...new Map(uses.map((use) => [use.join(' '), use])).values()].toSorted(),
  )
  const now = context.now()
  if (uses.length === 0 || !isDue(context, `${tenant} ${tag} ${key}`)) return
  const db = databaseOf(context)
  const [ms, at] = [Math.round(milliseconds), now.toISOString()]
  try {
    const { rows } = await sql`
      update sys.slow_list set calls = calls + 1, last_at = ${at}::timestamptz,
        worst_ms = greatest(worst_ms, ${ms}::int4)
      where tenant_id = ${tenant}::int8 and tag = ${tag}::text and uses = ${key}::text
      returning 1`.execute(db)
    if (rows.length === 0)
      await sql`
        insert into sys.slow_list (tenant_id, tag, uses, calls, worst_ms, last_at)
        select ${tenant}::int8, ${tag}::text, ${key}::text, 1, ${ms}::int4, ${at}::timestamptz
        where (select count(*) from sys.slow_list where tenant_id = ${tenant}::int8) < ${maxLists}::int8
        on conflict (tenant_id, tag, uses) do nothing`.execute(db)
  } catch (error) {
    context.log.debug({ err: error, tag }, 'a slow list was not written down')
  }
}

function isDue({ memory }: Context, key: string): boolean {
  const known = memory.of(noted)
  if (known.get(key) !== undefined) return false
  known.set(key, true)
  return true
}

/** The slow lists of a school, the slowest first. */
export async function slowLists(services: Services, tenant: string): Promise<SlowList[]> {
  const { rows } = await sql<{ tag: string; uses: string; calls: number; worst_ms: number }>`
    select tag, uses, calls, worst_ms from sys.slow_list where tenant_id = ${tenant}::int8
    order by worst_ms desc, tag, uses`.execute(databaseOf(services))
  return rows.map(({ tag, uses, calls, worst_ms: worstMs }) => ({
    tenant,
    tag,
    uses: parseJson(uses) as ListUse[],
    calls,
    worstMs,
  }))
}

/** Forgets lists that were not slow for a month. */
export async function dropOldSlowLists(services: Services, tenant: string): Promise<void> {
  const before = new Date(services.now().getTime() - keptDays * 86_400_000).toISOString()
  await sql`delete from sys.slow_list
    where tenant_id = ${tenant}::int8 and last_at < ${before}::timestamptz`.execute(
    databaseOf(services),
  )
}
