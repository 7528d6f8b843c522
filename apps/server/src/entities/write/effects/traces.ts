// Traces of written rows: files, the caller's view of them, history, audit lines, the table's version.
import { fromTable } from '../../../model/definition/from-table.ts'
import { type HistoryLine, recordHistory } from '../../../model/row-history.ts'
import { sql } from 'kysely'
import { tableKey } from '../../../model/definition/column-key.ts'
import type { Condition } from '../../../model/definition/names.ts'
import { idText } from '../../../model/definition/row-key.ts'
import { raiseVersion } from '../../../platform/database/finish-write.ts'
import { beforeCommit } from '../../../platform/database/transact.ts'
import { forbidden } from '../../../platform/refusal.ts'
import { selectRow, withIds } from '../../read/row.ts'
import { readRow } from '../../read/rows.ts'
import { deleteHistory, fieldChanges } from '../history.ts'
import { goneRows, notStored } from '../kept-rows.ts'
import { countCap } from '../../read/totals/count.ts'
import { listenForChanges } from '../../read/totals/row-changes.ts'
import { describeChanges } from '../statements/describe-changes.ts'
import { type Batch, readRowKey, readRowKeys, type RowWrite, type RowWriter } from '../writer.ts'

/**
 * Files that others laid under the id of a form, before it was saved, do not become the row's. Those of purged
 * rows are deleted by the file sweep after their own time in the bin (docs/rules/security.md#f12).
 */
export async function dropFiles({ trx, writer: { context, entity }, rows }: Batch): Promise<void> {
  const { subject, now } = context
  const drop = async (which: Condition) => {
    await sql`
      update sys.attachment set deleted_at = ${now().toISOString()}::timestamptz
      where tenant_id = ${subject.tenant}::int8 and biz_type = ${entity.tag}::text
        and ${which} and deleted_at is null`.execute(trx)
  }
  for (const row of rows)
    if (row.isFormId === true)
      await drop(sql`biz_id = ${readRowKey(row)}::text
        and create_user is distinct from ${subject.userId}::int8`)
  const purged = rows.filter(({ kind }) => kind === 'purge')
  if (purged.length > 0) await drop(sql`biz_id = any(${readRowKeys(purged)}::text[])`)
}

/** No one writes a row out of their own rows. Reads the row where the caller wants it back. */
export async function assertScope(batch: Batch): Promise<void> {
  const { writer, rows } = batch
  if (writer.answer !== undefined) {
    for (const row of rows) await readBack(batch, row)
    return
  }
  await assertInside(batch, rows.filter(isNew), writer.add)
  await assertInside(
    batch,
    rows.filter((row) => !isNew(row)),
    writer.change,
  )
}

function isNew({ kind }: RowWrite): boolean {
  return kind === 'create'
}

async function readBack({ trx, writer, refuse }: Batch, row: RowWrite): Promise<void> {
  const access = isNew(row) ? writer.add : writer.change
  const { answer = [] } = writer
  if (access === null) return
  const read =
    row.raw === undefined
      ? await selectRow(trx, access, answer, readRowKey(row))
      : readRow(access, answer, row.raw, 'detail')
  if (read === undefined) refuse(row, { rule: 'scope' }, forbidden)
  else row.answer = read
}

async function assertInside(
  { trx, refuse }: Batch,
  rows: readonly RowWrite[],
  access: Batch['writer']['add'],
): Promise<void> {
  // A role without row rules covers every row of the tenant.
  if (rows.length === 0 || access === null || access.grants.some(({ scope }) => scope === null))
    return
  const { rows: found } = await sql<{ id: string }>`
    select ${idText(access.entity)} as id from ${fromTable(access.entity)}
    where ${access.rows} and ${withIds(access, readRowKeys(rows))}`.execute(trx)
  const inside = new Set(found.map(({ id }) => id))
  for (const row of rows)
    if (!inside.has(readRowKey(row))) refuse(row, { rule: 'scope' }, forbidden)
}

const actions = {
  create: 'add',
  update: 'update',
  move: 'update',
  delete: 'delete',
  restore: 'restore',
} as const

export async function writeHistory({ trx, writer, rows }: Batch): Promise<void> {
  const { context, entity } = writer
  const lines = rows.flatMap((row): HistoryLine[] =>
    row.kind === 'purge'
      ? []
      : [
          {
            id: readRowKey(row),
            action: actions[row.kind],
            changes: buildTraceChanges(writer, row),
          },
        ],
  )
  await recordHistory(trx, context, entity, lines)
  const purged = rows.filter(({ kind }) => kind === 'purge')
  if (purged.length > 0) await deleteHistory(trx, context, entity, readRowKeys(purged))
}

/** The values of a new row of a job are in the row itself: its history tells who made it and when. */
function buildTraceChanges({ entity, isJob }: RowWriter, row: RowWrite): HistoryLine['changes'] {
  if (row.kind === 'create') return isJob ? [] : fieldChanges(entity, row.changes, null)
  return row.kind === 'update' || row.kind === 'move'
    ? fieldChanges(entity, row.changes, row.stored ?? null)
    : []
}

export async function appendAudit({ trx, writer, rows }: Batch): Promise<void> {
  writer.audit(trx, rows)
}

export async function raiseTableVersion({ trx, writer, rows }: Batch): Promise<void> {
  const { context, entity } = writer
  const { database, memory, subject } = context
  const table = tableKey(entity)
  // The embedded engine answers nothing else while it counts; PostgreSQL counts beside the page, up to this many rows.
  const least = database.engine === 'pglite' ? 0 : countCap
  const listener = listenForChanges(memory, subject.tenant, table, least, () =>
    describeChanges(writer, rows),
  )
  raiseVersion(trx, subject.tenant, table, listener)
}

/**
 * Refuses a row that a trigger of the commit deletes. After the audit lines, which are written then: triggers
 * may ask for them. A job asks by itself, for all chunks of a transaction.
 */
export async function assertKeptAtCommit({ trx, writer, rows }: Batch): Promise<void> {
  const { entity, isJob, context } = writer
  if (isJob || entity.table.hasDeferredTriggers !== true) return
  const ids = readRowKeys(rows)
  beforeCommit(trx, async () => {
    if ((await goneRows(trx, entity, ids, context.subject.tenant)).size > 0) throw notStored()
  })
}
