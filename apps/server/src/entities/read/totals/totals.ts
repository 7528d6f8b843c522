// Remembers totals of lists until a write to their table by any server (docs/rules/database.md#counting).
import { createHash } from 'node:crypto'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import type { Context } from '../../../model/context.ts'
import { type EntityAccess, type Grant, everything, listTables } from '../../../access/access.ts'
import {
  type CountedTotal,
  countExactly,
  countRows,
  estimatedTotal,
  type Total,
  readVersion,
} from './count.ts'
import type { QueryPlan } from '../query.ts'
import { type AnyDatabase, databaseOf } from '../../../platform/database/any-database.ts'
import type { MemoryKind } from '../../../platform/memory.ts'

/**
 * The longest time a total outlives a write that raises no version: by a program other than the product,
 * or by the product outside of entities (orders, students' accounts).
 */
const totalLifetimeMs = 30_000

interface Remembered extends CountedTotal {
  /** The last total that was counted to the end, which the next estimate is. */
  readonly exact?: Total | undefined
}
const totals: MemoryKind<Remembered> = { name: 'totals', limit: 5_000, age: totalLifetimeMs }

/** The key of a list: its filter and row rule, for its school. Null for lists that are not remembered. */
export function listKey(
  context: Context,
  access: EntityAccess,
  { queries, where }: Pick<PageQuery, 'queries' | 'where'>,
): string | null {
  const db = databaseOf(context)
  return buildTotalKey(access, () => [
    queries,
    where ?? null,
    access.grants.map((grant) => (grant === everything ? null : ruleKey(db, grant))),
  ])
}

function ruleKey(db: AnyDatabase, { scope, overrides }: Grant): unknown {
  if (scope === null) return overrides
  const { sql, parameters } = scope.compile(db)
  return [overrides, sql, parameters]
}

/** The key of rows that are listed in another way than by a page query. */
export function planKey(context: Context, { access, where }: QueryPlan): string | null {
  return buildTotalKey(access, () => {
    const { sql, parameters } = where.compile(databaseOf(context))
    return [sql, parameters]
  })
}

/** @param conditionOf asked only for tables that are remembered */
function buildTotalKey(access: EntityAccess, conditionOf: () => readonly unknown[]): string | null {
  const { entity, tenant } = access
  // Sign-ins, jobs and the audit log write to these tables without raising a version.
  if (listTables(access).some((table) => table.startsWith('sys.'))) return null
  return createHash('sha1')
    .update(JSON.stringify([tenant, entity.tag, entity.revision, ...conditionOf()]))
    .digest('base64')
}

/** The total that was counted last, if it may still hold: its version says whether it does. */
export function rememberedTotal(context: Context, key: string): CountedTotal | undefined {
  return context.memory.of(totals).get(key)
}

/** Counts that a page did not wait for, by list. */
const late: MemoryKind<Promise<unknown>> = { name: 'counting', limit: 5_000 }

/** Whether such a count of the list runs: another one would only slow it down. */
export function isCountedLate(context: Context, key: string | null): boolean {
  return key !== null && context.memory.of(late).has(key)
}

/** Lets a count go on without its page; the next call takes what it finds. */
export function leaveToCount(
  context: Context,
  key: string | null,
  counting: Promise<CountedTotal>,
): void {
  const all = context.memory.of(late)
  const ended = counting
    .catch((error: unknown) => context.log.warn({ err: error }, 'a total was not counted'))
    .finally(() => key !== null && all.delete(key))
  if (key !== null) all.set(key, ended)
}

/** The last exact total of the list, else the planner's estimate, without counting. */
export async function guessedTotal(
  context: Context,
  plan: QueryPlan,
  key: string | null,
): Promise<Total> {
  const last = key === null ? undefined : context.memory.of(totals).peek(key)
  const total =
    last?.exact?.total ?? last?.total ?? (await estimatedTotal(databaseOf(context), plan)) ?? 0
  return { total, isEstimate: true }
}

export async function countAndRemember(
  context: Context,
  plan: QueryPlan,
  key: string | null,
  cap?: number,
): Promise<CountedTotal> {
  const at = context.now().getTime()
  const last = key === null ? undefined : context.memory.of(totals).peek(key)
  const counted = await countRows(databaseOf(context), plan, {
    last: last?.exact ?? last,
    ...(cap === undefined ? {} : { cap }),
  })
  const known = key === null ? undefined : context.memory.of(totals).peek(key)
  // An exact count that ended meanwhile stays.
  if (counted.isEstimate && known?.isEstimate === false && known.version === counted.version)
    return known
  if (key !== null) remember(context, key, { ...counted, exact: known?.exact }, at)
  return counted
}

/**
 * The number of rows however many, remembered like the totals of pages.
 * @throws Unwanted when the caller leaves meanwhile
 */
export async function exactlyCounted(
  context: Context,
  plan: QueryPlan,
  key: string | null,
): Promise<CountedTotal> {
  const at = context.now().getTime()
  if (key !== null) await context.memory.of(late).peek(key)
  const known = key === null ? undefined : rememberedTotal(context, key)
  if (
    known?.isEstimate === false &&
    known.version === (await readVersion(databaseOf(context), plan))
  )
    return known
  const counted = await context.database.whileWanted(context.request.signal, (trx) =>
    countExactly(trx as unknown as AnyDatabase, plan),
  )
  if (key !== null) remember(context, key, counted, at)
  return counted
}

function remember(context: Context, key: string, total: Remembered, at: number): void {
  context.memory
    .of(totals)
    .set(key, { ...total, exact: total.isEstimate ? total.exact : total }, at)
}
