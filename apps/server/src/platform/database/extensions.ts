import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Log } from './log.ts'

/** They only speed up searches; results are the same without them. */
const wanted = ['pg_trgm', 'unaccent'] as const
export type Extension = (typeof wanted)[number]

/** Adds the extensions that the engine allows. The embedded one has both; a hosted PostgreSQL may refuse. */
export async function addExtensions(db: Kysely<unknown>, log: Log) {
  for (const name of wanted) {
    try {
      await sql`create extension if not exists ${sql.id(name)}`.execute(db)
    } catch (error) {
      log.warn(
        { err: error, extension: name },
        'the database does not offer this extension; some searches will be slower',
      )
    }
  }
}

export async function installedExtensions(db: Kysely<unknown>): Promise<ReadonlySet<Extension>> {
  const { rows } = await sql<{ extname: string }>`select extname from pg_extension`.execute(db)
  return new Set(wanted.filter((name) => rows.some((row) => row.extname === name)))
}
