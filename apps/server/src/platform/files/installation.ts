import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

/** What tells this installation from all others, and stays through backups: the number its first definition was given when it was installed. */
export async function installationOf({ kysely }: Pick<Database, 'kysely'>): Promise<string> {
  const {
    rows: [row],
  } = await sql<{
    id: string
  }>`select id::text as id from sys.entity where tenant_id = 0 order by id limit 1`.execute(kysely)
  if (row === undefined) throw new Error('an installation without definitions')
  return row.id
}
