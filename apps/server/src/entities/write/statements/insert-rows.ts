// Inserts rows: each by itself for a call, many at once for a job.
import type { AnyDatabase } from '../../../platform/database/any-database.ts'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { sql } from 'kysely'
import { identifier, tableName } from '../../../model/definition/names.ts'
import { idText } from '../../../model/definition/row-key.ts'
import { castBack } from '../../../model/fields/cast-back.ts'
import type { Column } from '../../../model/fields/column.ts'
import type { RowWrite, RowWriter } from '../writer.ts'
import { bound, buildCells, lastPerColumn, orgCells, stampCells, toCastText } from './cells.ts'
import { insertRow } from './insert-row.ts'
import { byColumns, type Filled, inOrder, buildUnnest } from './many.ts'

export async function insertRows(
  trx: AnyDatabase,
  writer: RowWriter,
  rows: readonly RowWrite[],
): Promise<void> {
  if (writer.isJob) await insertMany(trx, writer, rows)
  else for (const row of rows) await insertOne(trx, writer, row)
}

/** Without empty values of columns that have a default of their own. */
function filledCells({ entity }: RowWriter, { changes, number }: RowWrite): Map<Column, unknown> {
  const filled = changes.filter(
    ({ field, value }) => !isEmpty(value) || field.column?.hasDefault !== true,
  )
  const cells = new Map(
    [...buildCells(entity, filled)].filter(
      ([column, stored]) => stored !== null || !column.hasDefault,
    ),
  )
  if (number !== undefined) cells.set(number.column, number.text)
  return cells
}

async function insertOne(trx: AnyDatabase, writer: RowWriter, row: RowWrite): Promise<void> {
  const { entity, add, answer, context } = writer
  if (add === null) throw new Error('a new row without the access to add it')
  const { id, raw } = await insertRow(
    trx,
    add,
    answer ?? null,
    lastPerColumn([
      ...orgCells(entity, context.subject),
      ...[...filledCells(writer, row)].map(([column, stored]) => ({
        column,
        value: bound(column, stored),
      })),
      ...(row.id === null ? [] : [{ column: entity.id, value: bound(entity.id, row.id) }]),
      ...stampCells(entity, context.subject, 'insert'),
    ]),
  )
  row.made = id
  if (raw !== undefined) row.raw = raw
}

async function insertMany(
  trx: AnyDatabase,
  writer: RowWriter,
  rows: readonly RowWrite[],
): Promise<void> {
  const filled = rows.map((row) => ({ row, cells: inOrder(filledCells(writer, row)) }))
  for (const alike of byColumns(withoutEmpty(filled))) {
    const made = await insertAlike(trx, writer, alike)
    for (const [i, { row }] of alike.entries()) row.made = made[i] ?? row.id ?? ''
  }
}

/** Leaves out columns that no row fills, so that their defaults apply. */
function withoutEmpty(rows: readonly Filled[]): Filled[] {
  const used = new Set(
    rows.flatMap(({ cells }) =>
      [...cells].flatMap(([column, stored]) => (stored === null ? [] : [column])),
    ),
  )
  return rows.map(({ row, cells }) => ({
    row,
    cells: new Map([...cells].filter(([column]) => used.has(column))),
  }))
}

/** Inserts rows that fill the same columns. Returns the ids in their order. */
async function insertAlike(
  trx: AnyDatabase,
  { entity, context: { subject } }: RowWriter,
  rows: readonly Filled[],
): Promise<string[]> {
  const columns = [...(rows[0]?.cells.keys() ?? [])]
  const stamps = [...stampCells(entity, subject, 'insert'), ...orgCells(entity, subject)].filter(
    ({ column }) => !columns.includes(column),
  )
  const withId = rows.some(({ row }) => row.id !== null)
  const lists = [
    ...(withId ? [rows.map(({ row }) => row.id)] : []),
    ...columns.map((column) => rows.map(({ cells }) => toCastText(cells.get(column)))),
  ]
  const targets = [...(withId ? [entity.id] : []), ...columns]
  const { rows: made } = await sql<{ id: string }>`
    insert into ${tableName(entity.table.schema, entity.table.name)} as t (${sql.join([...targets, ...stamps.map(({ column }) => column)].map(({ name }) => identifier(name)))})
    select ${sql.join([...targets.map((column, i) => castBack(column, sql`u.${identifier(`c${i}`)}`)), ...stamps.map(({ value }) => value)])} from ${lists.length === 0 ? sql`generate_series(1, ${rows.length}::int)` : buildUnnest(lists)}
    returning ${idText(entity)} as id`.execute(trx)
  return made.map(({ id }) => id)
}
