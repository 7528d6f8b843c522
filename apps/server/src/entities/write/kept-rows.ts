// Rows that a trigger takes away while they are written.
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { sql } from 'kysely'
import { baseRows } from '../../access/access.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { allOf } from '../../model/definition/names.ts'
import { hasId, idText } from '../../model/definition/row-key.ts'
import { Refusal } from '../../platform/refusal.ts'

/**
 * Runs the triggers now that would run at the commit, and answers which of the written rows one of them has
 * deleted.
 */
export async function goneRows(
  db: AnyDatabase,
  entity: LoadedEntity,
  ids: readonly string[],
  tenant: string,
): Promise<ReadonlySet<string>> {
  if (entity.table.hasDeferredTriggers !== true) return new Set()
  await sql`set constraints all immediate`.execute(db)
  const gone = new Set(ids)
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const { rows } = await sql<{ id: string }>`
      select ${idText(entity)} as id from ${fromTable(entity)}
      where ${allOf([baseRows(entity, tenant), hasId(entity, ids.slice(at, at + idsAtOnce))])}`.execute(
      db,
    )
    for (const { id } of rows) gone.delete(id)
  }
  return gone
}

const idsAtOnce = 1000

export const notStored = () => new Refusal(409, { key: 'problem.notStored' })
