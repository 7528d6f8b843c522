// Takes rows away, brings them back from the recycle bin, or deletes them for good.
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { type RawBuilder, sql } from 'kysely'
import { findBin } from '../../../model/definition/kept.ts'
import { tableName } from '../../../model/definition/names.ts'
import { brokenConstraint } from '../../../platform/database/problems.ts'
import { exactly } from '../../../platform/database/tables/row-count.ts'
import { inUse } from '../removal/references.ts'
import { readRowKeys, type RowWrite, type RowWriter } from '../writer.ts'
import { stampCells } from './cells.ts'
import { buildAssignments, writtenRows } from './update-rows.ts'

/** Moves rows to the recycle bin, or deletes them where the table has none. */
export async function removeRows(
  trx: AnyDatabase,
  writer: RowWriter,
  rows: readonly RowWrite[],
): Promise<void> {
  const bin = findBin(writer.entity)
  if (bin === null)
    await eraseRows(trx, writer, rows).catch((error: unknown) => {
      throw writer.isJob && brokenConstraint(error)?.kind === 'foreignKey' ? inUse() : error
    })
  else await assignTo(trx, writer, rows, bin.remove)
}

export async function restoreRows(
  trx: AnyDatabase,
  writer: RowWriter,
  rows: readonly RowWrite[],
): Promise<void> {
  const bin = findBin(writer.entity)
  if (bin === null) throw new Error('a row to restore without a recycle bin')
  await assignTo(trx, writer, rows, bin.restore)
}

export async function eraseRows(
  trx: AnyDatabase,
  writer: RowWriter,
  rows: readonly RowWrite[],
): Promise<void> {
  const { definition, table } = writer.entity
  exactly(
    await sql`
      delete from ${tableName(table.schema, table.name)} as t
      where ${writtenRows(writer, readRowKeys(rows))}`.execute(trx),
    rows.length,
    definition.name,
  )
}

async function assignTo(
  trx: AnyDatabase,
  writer: RowWriter,
  rows: readonly RowWrite[],
  assignment: RawBuilder<unknown>,
): Promise<void> {
  const { entity, context } = writer
  const stamps = buildAssignments(stampCells(entity, context.subject, 'update'))
  exactly(
    await sql`
      update ${tableName(entity.table.schema, entity.table.name)} as t
      set ${sql.join([assignment, ...stamps])}
      where ${writtenRows(writer, readRowKeys(rows))}`.execute(trx),
    rows.length,
    entity.definition.name,
  )
}
