import { sql } from 'kysely'
import type { Services } from '../model/context.ts'
import { firstInSchools } from '../platform/database/schools.ts'

/** The longest life of a session, in milliseconds (docs/rules/contract.md#sessions). */
const longestSession = 12 * 3_600_000
const migratedAt = new WeakMap<Services['database'], Promise<number>>()

/**
 * The school of a session whose token does not name it. Such tokens were issued before migration 0018
 * and live for 12 hours at most; after that no search is made for them.
 */
export async function schoolOfOldSession(
  services: Services,
  column: 'access_hash' | 'refresh_hash',
  hash: string,
): Promise<string | undefined> {
  const { database, now } = services
  let migrated = migratedAt.get(database)
  if (migrated === undefined) {
    migrated = timeOfMigration(database)
    migrated.catch(() => migratedAt.delete(database))
    migratedAt.set(database, migrated)
  }
  if (now().getTime() > (await migrated) + longestSession) return undefined
  return await firstInSchools(services, async (tenant) => {
    const row = await database.kysely
      .selectFrom('sys.session')
      .select('tenant_id')
      .where('tenant_id', '=', tenant)
      .where(column, '=', hash)
      .executeTakeFirst()
    return row?.tenant_id
  })
}

async function timeOfMigration({ kysely }: Services['database']): Promise<number> {
  const { rows } = await sql<{ at: string }>`
    select applied_at as at from sys.migration where name = '0018-school-keys'`.execute(kysely)
  return new Date(rows[0]?.at ?? 0).getTime()
}
