import { sql } from 'kysely'
import { type AnyDatabase, fromTable } from './rows.ts'
import type { QueryPlan } from './query.ts'

/**
 * Tables and estimated results up to these sizes are counted exactly
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

/** Exact while counting is cheap; else the planner's estimate, but at least the rows counted. */
export async function countRows(db: AnyDatabase, plan: QueryPlan): Promise<Total> {
  const size = await rowsOfTable(db, plan)
  if (size >= 0 && size < smallTable) return { total: await exact(db, plan), isEstimate: false }
  const about = await estimate(db, plan)
  if (about < smallResult) return { total: await exact(db, plan), isEstimate: false }
  const counted = await countUpTo(db, plan, countCap + 1)
  return counted <= countCap
    ? { total: counted, isEstimate: false }
    : { total: Math.max(about, counted), isEstimate: true }
}

async function rowsOfTable(db: AnyDatabase, { access: { entity } }: QueryPlan): Promise<number> {
  const table = sql.lit(`${entity.table.schema}.${entity.table.name}`)
  const { rows } = await sql<{ n: number }>`
    select reltuples::float8 as n from pg_catalog.pg_class where oid = ${table}::regclass`.execute(
    db,
  )
  return rows[0]?.n ?? -1
}

async function exact(db: AnyDatabase, { access, where }: QueryPlan): Promise<number> {
  const { rows } = await sql<{ n: string | number }>`
    select count(*) as n from ${fromTable(access.entity)} where ${where}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

async function estimate(db: AnyDatabase, { access, where }: QueryPlan): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': unknown }>`
    explain (format json) select 1 from ${fromTable(access.entity)} where ${where}`.execute(db)
  const plan = rows[0]?.['QUERY PLAN']
  const parsed: unknown = typeof plan === 'string' ? JSON.parse(plan) : plan
  const top = Array.isArray(parsed) ? (parsed[0] as { Plan?: { 'Plan Rows'?: number } }) : undefined
  return Math.round(top?.Plan?.['Plan Rows'] ?? 0)
}
