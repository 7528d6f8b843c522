// Groups, footers and tables of groups read all rows of a list. Their results are remembered until a write to its table
// by any server (docs/rules/database.md#counting).
import { createHash } from 'node:crypto'
import type { RawBuilder } from 'kysely'
import type { Context } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import type { MemoryKind } from '../../platform/memory.ts'

/** As long as a total outlives a write that raises no version (../read/totals/totals.ts). */
const lifetimeMs = 30_000
/** By the version of the tables, the statement and its parameters; labels of groups are read each time. */
const figures: MemoryKind<Promise<readonly unknown[]>> = {
  name: 'figures',
  limit: 200,
  age: lifetimeMs,
}

/**
 * The rows of a statement over the rows of a list. The same statement holds the same school, row rules and condition.
 * @param version of the list's tables; null for lists of which nothing is remembered
 */
export async function readFigures<Found>(
  context: Context,
  version: string | null,
  statement: RawBuilder<Found>,
): Promise<readonly Found[]> {
  const db = databaseOf(context)
  const read = async () => (await statement.execute(db)).rows
  if (version === null) return await read()
  const { sql, parameters } = statement.compile(db)
  const key = createHash('sha1')
    .update(JSON.stringify([version, sql, parameters.map(toText)]))
    .digest('base64')
  return (await context.memory.share(figures, key, read)) as readonly Found[]
}

function toText(parameter: unknown): unknown {
  return typeof parameter === 'bigint' ? String(parameter) : parameter
}
