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
import type { RowsPlan } from '../paging/page-window.ts'
import { withIds } from '../row.ts'
import { tableKey } from '../../../model/definition/column-key.ts'
import { allOf } from '../../../model/definition/names.ts'
import { findChanges, noteListed, type RowChanges } from './row-changes.ts'
import { type AnyDatabase, databaseOf } from '../../../platform/database/any-database.ts'
import type { MemoryKind } from '../../../platform/memory.ts'

/**
 * The longest time a total outlives a write that raises no version: by a program other than the product,
 * or by the product outside of entities (orders, students' accounts).
 */
const totalLifetimeMs = 30_000

interface Remembered extends CountedTotal {
  /** Milliseconds of the clock: carried over writes it stays as old as its count. */
  readonly at: number
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

/** The version of a list's tables; null for lists of which nothing is remembered. */
export async function readListVersion(context: Context, plan: QueryPlan): Promise<string | null> {
  return isRemembered(plan.access) ? await readVersion(databaseOf(context), plan) : null
}

/**
 * Sign-ins, jobs and the audit log write to tables of `sys` without raising a version, and rows of other
 * entities change by themselves.
 */
function isRemembered(access: EntityAccess): boolean {
  return (
    access.related === undefined && !listTables(access).some((table) => table.startsWith('sys.'))
  )
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
  if (!isRemembered(access)) return null
  return createHash('sha1')
    .update(JSON.stringify([tenant, entity.tag, entity.revision, ...conditionOf()]))
    .digest('base64')
}

/** The total that was counted last, if it may still hold: its version says whether it does. */
export function rememberedTotal(context: Context, key: string): CountedTotal | undefined {
  return context.memory.of(totals).get(key)
}

/**
 * A remembered total carried over the writes of this server since: added rows are counted by their keys, removed rows
 * leave a list without conditions, and a change of columns that the list's condition does not read changes nothing.
 * Null where a write may have done more; then the list is counted again.
 * @param version that the table has now
 */
export async function carryTotal(
  context: Context,
  plan: RowsPlan,
  key: string | null,
  version: string,
): Promise<CountedTotal | null> {
  const known = key === null ? undefined : context.memory.of(totals).get(key)
  if (key === null || known === undefined || known.isEstimate) return null
  // Another page has carried it meanwhile, over this write or a later one.
  if (known.version === version || isLater(known.version, version)) return known
  const { access } = plan
  const find = (from: string, to: string) =>
    findChanges(context.memory, access.tenant, tableKey(access.entity), { from, to })
  const changes = find(known.version, version)
  if (changes === null || !canCarry(context, plan, changes)) return null
  const counted = await countAdded(databaseOf(context), plan, changes)
  if (counted.version !== null && counted.version !== version) {
    const since = find(version, counted.version)
    if (since === null || !canCarry(context, plan, { ...since, removed: [] })) return null
    if (since.removed.some((id) => changes.added.includes(id))) return null
  }
  const total = known.total - changes.removed.length + counted.added
  const carried = { total, isEstimate: false, version }
  const latest = context.memory.of(totals).peek(key)
  if (latest === undefined || isLater(version, latest.version))
    remember(context, key, { ...carried, at: known.at })
  return carried
}

/** Compares versions of one table; lists of several tables have texts that are in no order. */
function isLater(version: string, than: string): boolean {
  return Number(version) > Number(than)
}

function canCarry(
  context: Context,
  { where, isWhole = false }: RowsPlan,
  { removed, changed }: RowChanges,
): boolean {
  if (isWhole) return true
  return removed.length === 0 && !reads(where.compile(databaseOf(context)).sql, changed)
}

/** Whether a condition names one of the columns, of whichever table. */
function reads(condition: string, columns: readonly string[]): boolean {
  return columns.some((name) => condition.includes(`"${name}"`))
}

async function countAdded(
  db: AnyDatabase,
  { access, where, order, isWhole = false }: RowsPlan,
  { added }: RowChanges,
): Promise<{ readonly added: number; readonly version: string | null }> {
  if (added.length === 0 || isWhole) return { added: added.length, version: null }
  const counted = await countExactly(db, {
    access,
    order,
    where: allOf([where, withIds(access, added)]),
  })
  return { added: counted.total, version: counted.version }
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
  if (key !== null) {
    noteListed(context.memory, plan.access.tenant, tableKey(plan.access.entity), counted.total)
    remember(context, key, { ...counted, at, exact: known?.exact })
  }
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
  if (known?.isEstimate === false) {
    const version = await readVersion(databaseOf(context), plan)
    if (known.version === version) return known
    const carried = await carryTotal(context, plan, key, version)
    if (carried !== null) return carried
  }
  const counted = await context.database.whileWanted(context.request.signal, (trx) =>
    countExactly(trx as unknown as AnyDatabase, plan),
  )
  if (key !== null) {
    noteListed(context.memory, plan.access.tenant, tableKey(plan.access.entity), counted.total)
    remember(context, key, { ...counted, at })
  }
  return counted
}

function remember(context: Context, key: string, total: Remembered): void {
  context.memory
    .of(totals)
    .set(key, { ...total, exact: total.isEstimate ? total.exact : total }, total.at)
}
