// Measures the gain of an index, by the planner's costs of a page without it and with it.
import { type Kysely, sql } from 'kysely'
import { explain, wholeCost } from '../../platform/database/statements/plans.ts'
import type { PageStatements } from './page-statements.ts'
import type { ProposedIndex } from './propose-index.ts'

/** The planner's cost of a list's first page without and with an index. */
export interface Trial {
  readonly before: number
  readonly after: number
}

/**
 * Makes the index, and plans the page again. Null when the new plan does not use the index, or costs no less.
 * @param trx a transaction that the caller rolls back
 * @param before the cost of the page as it is read now
 * @param make the statements that make the index, under its proposed name
 */
export async function tryIndex(
  trx: Kysely<unknown>,
  { now, indexed }: PageStatements,
  { name, body }: ProposedIndex,
  before: number,
  make: readonly string[],
): Promise<Trial | null> {
  for (const statement of make) await sql.raw(statement).execute(trx)
  const { text, values } = body.includes('sys.bigrams') ? indexed : now
  const plan = await explain(trx, text, values)
  const after = wholeCost(plan)
  return JSON.stringify(plan).includes(name) && after < before ? { before, after } : null
}
