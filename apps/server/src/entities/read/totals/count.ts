import { sql } from 'kysely'
import { estimatedRows, explain } from '../../../platform/database/statements/plans.ts'
import { listTables } from '../../../access/access.ts'
import { tableVersions } from '../../../platform/database/tables/table-versions.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import type { QueryPlan } from '../query.ts'

/** Totals of pages are exact up to here and estimated beyond (docs/rules/database.md#counting). */
export const countCap = 200_000

export interface Total {
  readonly total: number
  readonly isEstimate: boolean
}

/** A total with the version of the table that it was counted at. */
export interface CountedTotal extends Total {
  readonly version: string
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

/** All rows, however many. */
export async function countExactly(
  db: AnyDatabase,
  { access, where }: QueryPlan,
): Promise<CountedTotal> {
  const { rows } = await sql<{ version: string; n: string | number }>`
    select ${tableVersions(access.tenant, listTables(access))} as version, (
      select count(*) from ${fromTable(access.entity)} where ${where}
    ) as n`.execute(db)
  return { total: Number(rows[0]?.n ?? 0), isEstimate: false, version: rows[0]?.version ?? '0' }
}

/**
 * Exact up to the cap; else the last exact total or the planner's estimate, but at least the rows counted.
 * @param last total of the same list that may no longer hold. One far above the cap saves the count, which
 * would find nothing but the cap.
 */
export async function countRows(
  db: AnyDatabase,
  plan: QueryPlan,
  { cap = countCap, last }: { readonly cap?: number; readonly last?: Total | undefined } = {},
): Promise<CountedTotal> {
  const { access, where } = plan
  const guessed = (planned: number | null) => {
    const exact = last?.isEstimate === false ? last.total : null
    if (exact === null || planned === null) return exact ?? planned ?? 0
    // Statistics that are far off show that other programs have written many rows since.
    return Math.abs(exact - planned) <= planned / 10 ? exact : planned
  }
  if (last !== undefined && last.total > 2 * cap) {
    const planned = await estimatedTotal(db, plan)
    if (planned !== null && planned > 2 * cap)
      return { total: guessed(planned), isEstimate: true, version: await readVersion(db, plan) }
  }
  const { rows } = await sql<{ version: string; n: string | number }>`
    select ${tableVersions(access.tenant, listTables(access))} as version, (
      select count(*)
      from (select 1 from ${fromTable(access.entity)} where ${where} limit ${cap + 1}) as found
    ) as n`.execute(db)
  const [version, found] = [rows[0]?.version ?? '0', Number(rows[0]?.n ?? 0)]
  if (found <= cap) return { total: found, isEstimate: false, version }
  const about = guessed(await estimatedTotal(db, plan))
  return { total: Math.max(about, found), isEstimate: true, version }
}

/** The version of the table of the plan, which every write through an entity raises. */
export async function readVersion(db: AnyDatabase, { access }: QueryPlan): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select ${tableVersions(access.tenant, listTables(access))} as version`.execute(db)
  return rows[0]?.version ?? '0'
}

/** The planner's estimate; null without one. */
export async function estimatedTotal(
  db: AnyDatabase,
  { access, where }: QueryPlan,
): Promise<number | null> {
  const { sql: text, parameters } =
    sql`select 1 from ${fromTable(access.entity)} where ${where}`.compile(db)
  return estimatedRows(await explain(db, text, parameters))
}
