import { sql } from 'kysely'
import { tenantRows } from '../../access/access.ts'
import { estimatedRows, explain } from '../../platform/database/plans.ts'
import type { Condition } from '../definition/names.ts'
import { type AnyDatabase, fromTable } from './rows.ts'
import type { QueryPlan } from './query.ts'

/**
 * A school's rows of a table and estimated results up to these sizes are counted exactly
 * (docs/rules/database.md#counting).
 */
const smallTable = 200_000
const smallResult = 50_000
/** Larger results are counted up to here, and estimated beyond. */
const countCap = 10_000

export interface Total {
  readonly total: number
  readonly isEstimate: boolean
}

/** The number of rows, counted up to `cap`. */
export async function countUpTo(
  db: AnyDatabase,
  { access, where }: QueryPlan,
  cap: number,
): Promise<number> {
  const { rows } = await sql<{ n: string | number }>`
    select count(*) as n
    from (select 1 from ${fromTable(access.entity)} where ${where} limit ${cap}) as found`.execute(
    db,
  )
  return Number(rows[0]?.n ?? 0)
}

/**
 * Exact while counting is cheap; else the planner's estimate, but at least the rows counted. Without an
 * estimate of the planner the rows are counted up to the size of a small table.
 */
export async function countRows(db: AnyDatabase, plan: QueryPlan): Promise<Total> {
  const about = await estimate(db, plan, plan.where)
  if (about === null) return await counted(db, plan, smallTable, 0)
  if (about < smallResult) return { total: await exact(db, plan), isEstimate: false }
  const { entity, tenant } = plan.access
  const size = await estimate(db, plan, tenantRows(entity, tenant))
  if (size !== null && size < smallTable) return { total: await exact(db, plan), isEstimate: false }
  return await counted(db, plan, countCap, about)
}

async function counted(
  db: AnyDatabase,
  plan: QueryPlan,
  cap: number,
  about: number,
): Promise<Total> {
  const found = await countUpTo(db, plan, cap + 1)
  return found <= cap
    ? { total: found, isEstimate: false }
    : { total: Math.max(about, found), isEstimate: true }
}

async function exact(db: AnyDatabase, { access, where }: QueryPlan): Promise<number> {
  const { rows } = await sql<{ n: string | number }>`
    select count(*) as n from ${fromTable(access.entity)} where ${where}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** The planner's estimate; null without one. */
async function estimate(
  db: AnyDatabase,
  { access }: QueryPlan,
  where: Condition,
): Promise<number | null> {
  const { sql: text, parameters } =
    sql`select 1 from ${fromTable(access.entity)} where ${where}`.compile(db)
  return estimatedRows(await explain(db, text, parameters))
}
