import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import type { EntityAccess } from '../../../access/access.ts'
import { readableFields } from '../../../model/definition/loaded.ts'
import { idRef, idText } from '../../../model/definition/row-key.ts'
import { notFound, stale } from '../../../platform/refusal.ts'
import { withIds } from '../../read/row.ts'
import { type RawRow, rowReader, selectList, versionRef } from '../../read/rows.ts'
import { type Batch, readRowKey, readRowKeys } from '../writer.ts'

/**
 * Locks the rows, in the order of their keys. One that is not among the caller's rows, or was saved since the
 * caller has seen it, is refused.
 */
export async function lockStored({ trx, writer, rows, refuse }: Batch): Promise<void> {
  const { entity, change } = writer
  const open = rows.filter(({ stored }) => stored === undefined)
  if (open.length === 0) return
  if (change === null) {
    for (const row of open) refuse(row, { rule: 'noRecord' }, notFound)
    return
  }
  const isCompared = open.some(({ version }) => version !== undefined)
  const { rows: found } = await sql<{ id: string; version: string | null }>`
    select ${idText(entity)} as id, ${isCompared ? sql`${versionRef(entity)}::text` : sql`null`} as version
    from ${fromTable(entity)}
    where ${writer.within ?? change.rows} and ${withIds(change, readRowKeys(open))}
    order by ${idRef(entity)} for update`.execute(trx)
  const versions = new Map(found.map((row) => [row.id, row.version]))
  // Ids that a table from elsewhere does not keep apart: the statement of a job counts its rows itself.
  const isTwice = !writer.isJob && found.length > versions.size
  for (const row of open) {
    const held = versions.get(readRowKey(row))
    if (held === undefined || isTwice) refuse(row, { rule: 'noRecord' }, notFound)
    // A column of versions may hold none.
    else if (row.version !== undefined && (row.version ?? '') !== (held ?? ''))
      refuse(row, { rule: 'changed' }, () => stale(null))
  }
}

/** Reads the rows as they are, for the history and for whoever compares. */
export async function readStored({ trx, writer: { change }, rows }: Batch): Promise<void> {
  const open = rows.filter(({ stored }) => stored === undefined)
  if (open.length === 0 || change === null) return
  const before = await findStoredRows(trx, change, readRowKeys(open))
  for (const row of open) {
    const stored = before.get(readRowKey(row))
    if (stored !== undefined) row.stored = stored
  }
}

/** Rows as they are stored, by id. */
export async function findStoredRows(
  db: AnyDatabase,
  access: EntityAccess,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const fields = readableFields(access.entity)
  const { rows } = await sql<RawRow>`
    select ${selectList(access, fields)} from ${fromTable(access.entity)}
    where ${access.rows} and ${withIds(access, ids)}`.execute(db)
  const read = rowReader(access, fields, 'any', 'stored')
  return new Map(rows.map(read).map((row) => [row.id, row]))
}
