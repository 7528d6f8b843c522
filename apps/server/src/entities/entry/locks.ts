// Submitted entry sheets: their rows take no write until someone with the right opens the sheet again
// (docs/rules/contract.md#entry-sheets). A lock belongs to a table and the values of its columns:
// it holds for every entity of the table, whatever its definition says.
import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { parseJson } from '@jiaowu/api/exact-json'
import { type QueryExecutorProvider, sql } from 'kysely'
import { wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { fieldKey, tableKey } from '../../model/definition/column-key.ts'
import { type LoadedEntity, type LoadedField, valueFields } from '../../model/definition/loaded.ts'
import { withIds } from '../read/row.ts'
import { type RawRow, rowReader, selectList } from '../read/rows.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { type Batch, type RowWrite, toStoredRow } from '../write/writer.ts'

type WrittenRow = Pick<RowWrite, 'id' | 'changes'>

/** Values of a row by column: null for an empty value, undefined where the database decides. */
type ColumnValues = ReadonlyMap<string, string | null | undefined>
/** A locked sheet: the values of its columns. */
type Lock = ReadonlyMap<string, string>

/** The fields whose values name a sheet; none for an entity without sheets. */
export function sheetFields(entity: LoadedEntity): LoadedField[] {
  const names = entity.definition.options.entry?.by ?? []
  const fields = names.flatMap(
    (name) => valueFields(entity).find(({ definition }) => definition.attrName === name) ?? [],
  )
  // A definition whose fields have drifted from its table names no sheet.
  return fields.length === names.length ? fields : []
}

/**
 * The name of a sheet: a JSON object of its values by column, in the order of the columns' names.
 * Null when a value is missing: such rows are in no sheet.
 */
export function buildSheetName(
  fields: readonly LoadedField[],
  valueOf: (attrName: string) => WireValue | undefined,
): string | null {
  const values = fields.map(
    (field) => [fieldKey(field), toSheetText(valueOf(field.definition.attrName))] as const,
  )
  return values.some(([, value]) => value === null)
    ? null
    : JSON.stringify(Object.fromEntries(values.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

function toSheetText(value: WireValue | undefined): string | null {
  if (value === undefined || isEmpty(value)) return null
  return Array.isArray(value)
    ? value
        .map(({ id }: DictItem) => id)
        .toSorted()
        .join()
    : String(value)
}

/** Held shared by writers and alone by who submits: no write slips past the lock of its sheet. */
export async function holdSheets(
  trx: QueryExecutorProvider,
  { tenant, table }: { readonly tenant: string; readonly table: string },
  isAlone: boolean,
): Promise<void> {
  const key = sql`hashtextextended(${`entry ${tenant} ${table}`}::text, 0)`
  await (
    isAlone
      ? sql`select pg_advisory_xact_lock(${key})`
      : sql`select pg_advisory_xact_lock_shared(${key})`
  ).execute(trx)
}

/** Refuses rows that a submitted sheet has, before or after their changes. */
export async function assertUnlocked({ trx, writer, rows, refuse }: Batch): Promise<void> {
  // A correction that was decided lets one row through; the sheet stays locked.
  if (writer.flow !== undefined) return
  const locked = await lockedRows(trx, writer.context, writer.entity, rows.map(toStoredRow))
  for (const [i, row] of rows.entries())
    if (locked[i] === true)
      refuse(row, { rule: 'locked' }, () => new Refusal(409, { key: 'entry.locked' }))
}

async function lockedRows(
  trx: AnyDatabase,
  { subject: { tenant }, registry }: Pick<Context, 'subject' | 'registry'>,
  entity: LoadedEntity,
  rows: readonly WrittenRow[],
): Promise<readonly boolean[]> {
  const none = rows.map(() => false)
  const table = tableKey(entity)
  const entities = [entity, ...registry.ofTable(tenant, table)]
  if (rows.length === 0 || entities.every((each) => sheetFields(each).length === 0)) return none
  await holdSheets(trx, { tenant, table }, false)
  const locks = await loadLocks(trx, tenant, table)
  if (locks.length === 0) return none
  const columns = [...new Set(locks.flatMap((lock) => [...lock.keys()]))]
  const fields = columns.map((column) => fieldOfColumn(entities, column))
  const stored = await storedValues(trx, entity, tenant, fields, rows)
  return rows.map(({ id, changes }) => {
    const before = id === null ? newRow(fields) : stored.get(id)
    const after = new Map([
      ...(before ?? []),
      ...changes.map(({ field, value }) => [fieldKey(field), toSheetText(value)] as const),
    ])
    return locks.some((lock) => (before !== undefined && has(lock, before)) || has(lock, after))
  })
}

/** Whether a row is of a locked sheet. A value that the database will decide may be any. */
function has(lock: Lock, row: ColumnValues): boolean {
  return lock.entries().every(([column, locked]) => {
    const value = row.has(column) ? row.get(column) : null
    return value === undefined || value === locked
  })
}

async function loadLocks(
  trx: QueryExecutorProvider,
  tenant: string,
  table: string,
): Promise<Lock[]> {
  const { rows } = await sql<{ sheet: string }>`
    select sheet from sys.entry_lock
    where tenant_id = ${tenant}::int8 and table_name = ${table}::text`.execute(trx)
  return rows.map(
    ({ sheet }) => new Map(Object.entries(parseJson(sheet) as Record<string, string>)),
  )
}

/** @throws Refusal 409 where no definition has the column any more: nothing could compare its values */
function fieldOfColumn(entities: readonly LoadedEntity[], column: string): LoadedField {
  const sheets = entities.flatMap(sheetFields)
  const field = [...sheets, ...entities.flatMap(valueFields)].find(
    (each) => fieldKey(each) === column,
  )
  if (field === undefined)
    throw new Refusal(409, { key: 'entry.columnGone', params: { name: column } })
  return field
}

/** A new row before its changes: empty, apart from columns that have a default. */
function newRow(fields: readonly LoadedField[]): ColumnValues {
  return new Map(
    fields.map((field) => [fieldKey(field), field.column?.hasDefault === true ? undefined : null]),
  )
}

async function storedValues(
  trx: AnyDatabase,
  entity: LoadedEntity,
  tenant: string,
  fields: readonly LoadedField[],
  rows: readonly WrittenRow[],
): Promise<ReadonlyMap<string, ColumnValues>> {
  const access = wholeAccess(entity, tenant)
  const ids = rows.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) return new Map()
  const { rows: raws } = await sql<RawRow>`
    select ${selectList(access, fields)} from ${fromTable(entity)}
    where ${withIds(access, ids)}`.execute(trx)
  const read = rowReader(access, fields, 'any', 'stored')
  return new Map(
    raws.map((raw) => {
      const row = read(raw)
      return [
        String(raw.id),
        new Map(
          fields.map((field) => [fieldKey(field), toSheetText(row[field.definition.attrName])]),
        ),
      ]
    }),
  )
}

/**
 * Refuses a definition, or its removal (`after` undefined), that would leave submitted sheets of its
 * table without a screen that opens them.
 * @throws Refusal 409
 */
export async function assertSheetsKept(
  trx: QueryExecutorProvider,
  { subject: { tenant }, registry }: Pick<Context, 'subject' | 'registry'>,
  before: EntityDefinition,
  after: EntityDefinition | undefined,
): Promise<void> {
  const [columns, kept] = [sheetColumns(before), after === undefined ? null : sheetColumns(after)]
  if (columns === null || columns === kept) return
  const table = `${before.schemaName}.${before.tableName}`
  const others = registry
    .ofTable(tenant, table)
    .filter(({ tag }) => tag !== before.tag)
    .map(({ definition }) => sheetColumns(definition))
  if (others.includes(columns)) return
  await holdSheets(trx, { tenant, table }, true)
  const locks = await loadLocks(trx, tenant, table)
  const left = locks.filter((lock) => [table, ...[...lock.keys()].toSorted()].join(' ') === columns)
  if (left.length > 0)
    throw new Refusal(409, { key: 'entry.sheetsLocked', params: { n: left.length } })
}

/** The table of a definition's sheets and the columns that name them; null without sheets. */
function sheetColumns({
  schemaName,
  tableName,
  options: { entry },
  fields,
}: EntityDefinition): string | null {
  if (entry === undefined) return null
  const columns = entry.by.map((name) => {
    const field = fields.find(({ attrName }) => attrName === name)
    return field?.columnName ?? `custom:${name}`
  })
  return [`${schemaName}.${tableName}`, ...columns.toSorted()].join(' ')
}
