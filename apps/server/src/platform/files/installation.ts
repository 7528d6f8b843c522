import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

/** An id of this installation that survives backups: the id of its first entity definition. */
export async function readInstallation({ kysely }: Pick<Database, 'kysely'>): Promise<string> {
  const {
    rows: [row],
  } = await sql<{ id: string }>`
    select id::text as id from sys.entity where tenant_id = 0 order by id limit 1`.execute(kysely)
  if (row === undefined) throw new Error('the database holds no entity definition')
  return row.id
}
