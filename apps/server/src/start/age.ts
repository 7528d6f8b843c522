import { sql } from 'kysely'
import { databaseOf } from '../platform/database/any-database.ts'
import { migrations } from '../platform/database/migrations/index.ts'
import type { Services } from '../model/context.ts'

const freshMs = 5_000

/**
 * Tells whether a newer program has changed the database or written definitions, as during an update of several
 * servers one after the other (docs/operations/restart.md#another-version).
 */
export function createAgeReader({
  database,
  registry,
}: Pick<Services, 'database' | 'registry'>): () => Promise<boolean> {
  const newest = migrations.at(-1)?.name ?? ''
  let [at, hasNewer] = [Number.NEGATIVE_INFINITY, Promise.resolve(false)]
  return async () => {
    if (performance.now() - at >= freshMs) {
      at = performance.now()
      hasNewer = hasLaterMigration(database, newest)
    }
    return registry.hasNewer() || (await hasNewer)
  }
}

async function hasLaterMigration(database: Services['database'], newest: string): Promise<boolean> {
  const found = await sql<{ name: string }>`
    select name from sys.migration where name > ${newest} limit 1`
    .execute(databaseOf({ database }))
    .catch(() => undefined)
  return (found?.rows.length ?? 0) > 0
}
