// Removing a column archives it: its values stay in the table, and its field leaves the definition of the school.
import type { StoredEntity } from '@jiaowu/api/entity/definition/stored'
import { t } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { identifier, tableName } from '../../../model/definition/names.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { changeTable } from '../change-table.ts'
import { dropColumns } from './add-columns.ts'
import { isChangeable, type OwnedTable } from './owned-table.ts'
import { changeAfterFields, changeWithFields, noStatements } from './replace-fields.ts'
import { assertOnlyMine, countValues, lockTable, type StoredChange } from './stored-changes.ts'

/** The change of the table. @throws Refusal 409 for a column that has no field, or is not the school's to remove */
export function planArchive(owned: OwnedTable, before: StoredEntity, column: string) {
  const at = before.fields.findIndex(({ columnName }) => columnName === column)
  const field = before.fields[at]
  if (field === undefined || !isChangeable(owned, column))
    throw new Refusal(409, { key: 'made.notArchivable', params: { column } })
  const { schema, table, known } = owned
  const found = known?.columns.get(column)
  const own = sql`alter table ${tableName(schema, table)} alter column ${identifier(column)}`
  // New rows come without a value, since no form asks for one.
  const isMust = found !== undefined && !found.nullable && !found.hasDefault
  return {
    field,
    back: isMust ? [sql`${own} set not null`] : noStatements,
    change: {
      schema,
      table,
      kind: 'archive' as const,
      column,
      plan: { field, at },
      statements: isMust ? [sql`${own} drop not null`] : noStatements,
    },
  }
}

export async function archiveColumn(
  context: Context,
  before: StoredEntity,
  { change, back, field }: ReturnType<typeof planArchive>,
  undoes?: string,
): Promise<string> {
  return await changeWithFields(context, before, {
    change: { ...change, ...(undoes !== undefined && { undoes }) },
    back: { kind: 'restore', statements: back },
    fields: () => before.fields.filter((each) => each !== field),
    note: t(context.locale, 'made.noteArchive', { names: field.uiLabel }),
  })
}

/** Puts the field back as it was. @throws Refusal 409 for a column that is not archived */
export async function restoreColumn(
  context: Context,
  owned: OwnedTable,
  before: StoredEntity,
  column: string,
  archived: StoredChange | undefined,
): Promise<string> {
  const { field, at = before.fields.length } = archived?.plan ?? {}
  if (archived === undefined || field === undefined) throw notArchived(column)
  const { schema, table } = owned
  const isTaken = before.fields.some(({ attrName }) => attrName === field.attrName)
  if (isTaken)
    throw new Refusal(409, { key: 'made.attrTaken', params: { name: field.attrName, column } })
  return await changeAfterFields(context, before, {
    change: {
      schema,
      table,
      kind: 'restore',
      column,
      plan: { column },
      statements: noStatements,
      undoes: archived.id,
    },
    fields: () => before.fields.toSpliced(at, 0, field),
    note: t(context.locale, 'made.noteRestore', { names: field.uiLabel }),
  })
}

/**
 * Drops an archived column with its values. `told`: the number of values that the author was told.
 * @throws Refusal 409 where it is another number by now, or another school uses the column
 */
export async function dropArchived(
  context: Context,
  { schema, table }: OwnedTable,
  column: string,
  archived: StoredChange | undefined,
  told: number,
): Promise<string> {
  if (archived === undefined) throw notArchived(column)
  const place = { schema, table }
  await assertOnlyMine(context, place, [column], 0)
  return await changeTable(context, {
    ...place,
    kind: 'drop',
    column,
    plan: { column, values: told },
    statements: dropColumns(place, [column]),
    guard: async (trx) => {
      await lockTable(trx, place)
      const { mine, others } = await countValues(trx, context, place, [column])
      assertCount(mine, told)
      if (others > 0)
        throw new Refusal(409, {
          key: 'made.othersUse',
          params: { column, table: `${schema}.${table}` },
        })
    },
  })
}

/** @throws Refusal 409 where others have changed meanwhile what is about to be lost */
export function assertCount(found: number, told: number): void {
  if (found !== told) throw new Refusal(409, { key: 'made.counted', params: { told, found } })
}

export function notArchived(column: string): Refusal {
  return new Refusal(409, { key: 'made.notArchived', params: { column } })
}
