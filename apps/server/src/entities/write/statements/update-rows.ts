// Changes stored rows by their keys: one by itself, many at once.
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { decodeRowId } from '@jiaowu/api/row-id'
import { type RawBuilder, sql } from 'kysely'
import { tenantRows } from '../../../access/access.ts'
import {
  allOf,
  columnRef,
  type Condition,
  identifier,
  tableName,
} from '../../../model/definition/names.ts'
import { hasId, keyCast } from '../../../model/definition/row-key.ts'
import { castBack } from '../../../model/fields/cast-back.ts'
import { exactly, exactlyOne } from '../../../platform/database/tables/row-count.ts'
import { readRowKey, type RowWrite, type RowWriter } from '../writer.ts'
import {
  bound,
  type Cell,
  buildCells,
  isEmptied,
  lastPerColumn,
  stampCells,
  toCastText,
} from './cells.ts'
import { type RawRow, selectList } from '../../read/rows.ts'
import { chooseReturned } from './insert-row.ts'
import { byColumns, type Filled, inOrder, buildUnnest } from './many.ts'

export async function updateRows(
  trx: AnyDatabase,
  writer: RowWriter,
  rows: readonly RowWrite[],
): Promise<void> {
  const [only] = rows
  if (only !== undefined && rows.length === 1 && !writer.isJob) await updateOne(trx, writer, only)
  else {
    const filled = rows.map((row) => ({
      row,
      cells: inOrder(buildCells(writer.entity, row.changes)),
    }))
    for (const alike of byColumns(filled, (column, stored) =>
      isEmptied(column, stored) ? `${column.name}=default` : column.name,
    ))
      await updateAlike(trx, writer, alike)
  }
}

/** The rows of the school with these ids. */
export function writtenRows(
  { entity, context: { subject } }: RowWriter,
  ids: readonly string[],
): Condition {
  return allOf([tenantRows(entity, subject.tenant), hasId(entity, ids)])
}

export function buildAssignments(cells: readonly Cell[]): RawBuilder<unknown>[] {
  return cells.map(({ column, value }) => sql`${identifier(column.name)} = ${value}`)
}

async function updateOne(trx: AnyDatabase, writer: RowWriter, row: RowWrite): Promise<void> {
  const { entity, context } = writer
  const cells = [...buildCells(entity, row.changes)].map(([column, stored]) => ({
    column,
    value: isEmptied(column, stored) ? sql`default` : bound(column, stored),
  }))
  const sets = buildAssignments(
    lastPerColumn([...cells, ...stampCells(entity, context.subject, 'update')]),
  )
  if (sets.length === 0) return
  const read = writer.change === null ? null : chooseReturned(writer.change, writer.answer ?? null)
  const returned =
    read === null || writer.change === null
      ? sql``
      : sql`returning ${selectList(writer.change, read)}`
  const updated = await sql<RawRow>`
    update ${tableName(entity.table.schema, entity.table.name)} as t
    set ${sql.join(sets)} where ${writtenRows(writer, [readRowKey(row)])} ${returned}`.execute(trx)
  exactlyOne(updated, entity.definition.name)
  const [raw] = updated.rows
  if (raw !== undefined) row.raw = raw
}

/** Changes the same columns of rows. */
async function updateAlike(
  trx: AnyDatabase,
  { entity, context: { subject } }: RowWriter,
  rows: readonly Filled[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = [...first.cells.keys()]
  const emptied = columns.filter((column) => isEmptied(column, first.cells.get(column)))
  const given = columns.filter((column) => !emptied.includes(column))
  const stamps = stampCells(entity, subject, 'update').filter(
    ({ column }) => !columns.includes(column),
  )
  const keys = rows.map(({ row }) => decodeRowId(readRowKey(row), entity.key.length) ?? [])
  const lists = [
    ...entity.key.map((_column, i) => keys.map((values) => values[i] ?? null)),
    ...given.map((column) => rows.map(({ cells }) => toCastText(cells.get(column)))),
  ]
  const sets = [
    ...given.map(
      (column, i) => sql`${identifier(column.name)} = u.${identifier(`c${i + entity.key.length}`)}`,
    ),
    ...emptied.map(({ name }) => sql`${identifier(name)} = default`),
    ...buildAssignments(stamps),
  ]
  if (sets.length === 0) return
  // Cast before the update: such casts depend on the session, and a distributed engine takes none in it.
  const casts = [...entity.key, ...given].map((column, i) => {
    const name = identifier(`c${i}`)
    const ref = sql`u.${name}`
    // Ids hold instants with their offset from UTC, cells the time of the school.
    return i < entity.key.length
      ? sql`${ref}::${sql.raw(keyCast(column))} as ${name}`
      : sql`${castBack(column, ref)} as ${name}`
  })
  exactly(
    await sql`
      with given as materialized (select ${sql.join(casts)} from ${buildUnnest(lists)})
      update ${tableName(entity.table.schema, entity.table.name)} as t set ${sql.join(sets)}
      from given as u
      where ${tenantRows(entity, subject.tenant)}
        and ${allOf(entity.key.map((column, i) => sql`${columnRef(column.name)} = u.${identifier(`c${i}`)}`))}`.execute(
      trx,
    ),
    rows.length,
    entity.definition.name,
  )
}
