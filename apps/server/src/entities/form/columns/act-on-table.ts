// Every change of a table by its designer: said in words and statements first, then made.
import type { TableAct, TableOutcome } from '@jiaowu/api/entity/definition/table-change'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../../model/context.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { assertMayChange, checkDefinition, definitionIn } from '../../design/check.ts'
import { loadByTag } from '../../design/store.ts'
import { assertMayMake, printStatements, type TableChange } from '../change-table.ts'
import { addWithFields, dropColumns, nameAsked, planAddition } from './add-columns.ts'
import {
  archiveColumn,
  dropArchived,
  notArchived,
  planArchive,
  restoreColumn,
} from './archive-column.ts'
import { describeAddition, describeLock, describeSchools } from './describe-change.ts'
import { type OwnedTable, requireOwnedTable } from './owned-table.ts'
import { countValues, findArchived, listColumnNames, loadChanges } from './stored-changes.ts'
import { findMade, planTakeBack, takeBack } from './take-back.ts'
import { assertNoValues, findUndoable, undoChange } from './undo-change.ts'

type Stored = Awaited<ReturnType<typeof loadByTag>>

/** A change that was checked: what it says of itself, and how it is made. */
interface Prepared {
  readonly words: readonly string[]
  readonly statements: TableChange['statements']
  readonly lost: number | null
  readonly run: () => Promise<string>
}

/** @throws Refusal and Invalid with the reason; then nothing has changed */
export async function actOnTable(
  context: Context,
  tag: string,
  { change, preview }: { readonly change: TableAct; readonly preview: boolean },
): Promise<TableOutcome> {
  assertMayMake(context)
  const stored = await loadByTag(context, tag)
  assertMayChange(context, stored)
  const owned = await requireOwnedTable(context, stored)
  const { words, statements, lost, run } = await prepareChange(context, owned, stored, change)
  return {
    words: [...words],
    statements: printStatements(context, statements),
    lost,
    change: preview ? null : await run(),
  }
}

async function prepareChange(
  context: Context,
  owned: OwnedTable,
  stored: Stored,
  change: TableAct,
): Promise<Prepared> {
  switch (change.act) {
    case 'add': {
      const columns = nameAsked(owned, change.columns)
      const planned = await planAddition(context, owned, columns)
      return {
        words: await describeAddition(context, owned, stored, columns),
        statements: planned.statements,
        lost: null,
        run: () => addWithFields(context, stored, planned, columns),
      }
    }
    case 'archive':
      return await prepareArchive(context, owned, stored, change.column)
    case 'restore':
      return await prepareRestore(context, owned, stored, change.column)
    case 'drop':
      return await prepareDrop(context, owned, stored, change)
    case 'undo':
      return await prepareUndo(context, owned, stored, change.change)
    case 'takeBack':
      return await prepareTakeBack(context, owned, stored, change.rows)
  }
}

async function prepareArchive(
  context: Context,
  owned: OwnedTable,
  stored: Stored,
  column: string,
): Promise<Prepared> {
  const { locale } = context
  const planned = planArchive(owned, stored, column)
  const { mine } = await countValues(context.database.untyped, context, owned, [column])
  const fields = stored.fields.filter((field) => field !== planned.field)
  const { impact } = await checkDefinition(context, { ...definitionIn({ ...stored }), fields })
  return {
    words: [
      t(locale, 'made.willArchive', { label: planned.field.uiLabel, column, n: mine }),
      ...impact.map(({ msg }) => msg),
      ...(await describeSchools(context, owned, stored.name)),
    ],
    statements: planned.change.statements,
    lost: null,
    run: () => archiveColumn(context, stored, planned),
  }
}

async function prepareRestore(
  context: Context,
  owned: OwnedTable,
  stored: Stored,
  column: string,
): Promise<Prepared> {
  const archived = findArchived(await loadChanges(context, owned)).get(column)
  if (archived === undefined) throw notArchived(column)
  const { mine } = await countValues(context.database.untyped, context, owned, [column])
  const label = archived.plan.field?.uiLabel ?? column
  return {
    words: [
      t(context.locale, 'made.willRestore', { label, column, n: mine }),
      ...(await describeSchools(context, owned, stored.name)),
    ],
    statements: [],
    lost: null,
    run: () => restoreColumn(context, owned, stored, column, archived),
  }
}

async function prepareDrop(
  context: Context,
  owned: OwnedTable,
  stored: Stored,
  { column, values }: { readonly column: string; readonly values?: number | undefined },
): Promise<Prepared> {
  const { locale } = context
  const archived = findArchived(await loadChanges(context, owned)).get(column)
  if (archived === undefined || stored.fields.some(({ columnName }) => columnName === column))
    throw notArchived(column)
  const table = `${owned.schema}.${owned.table}`
  const { mine } = await countValues(context.database.untyped, context, owned, [column])
  return {
    words: [t(locale, 'made.willDrop', { table, column, n: mine }), describeLock(context, table)],
    statements: dropColumns(owned, [column]),
    lost: mine,
    run: () => dropArchived(context, owned, column, archived, requireCount(values)),
  }
}

async function prepareUndo(
  context: Context,
  owned: OwnedTable,
  stored: Stored,
  id: string,
): Promise<Prepared> {
  const { locale } = context
  const changes = await loadChanges(context, owned)
  const found = findUndoable(id, changes, owned)
  const names = listColumnNames(found)
  if (found.kind === 'archive') return await prepareRestore(context, owned, stored, names[0] ?? '')
  if (found.kind === 'restore') {
    const prepared = await prepareArchive(context, owned, stored, names[0] ?? '')
    return { ...prepared, run: () => undoChange(context, owned, stored, found, changes) }
  }
  await assertNoValues(context, owned, names)
  const table = `${owned.schema}.${owned.table}`
  return {
    words: [
      t(locale, 'made.willUndo', { table, columns: names.join('、') }),
      describeLock(context, table),
    ],
    statements: dropColumns(owned, names),
    lost: 0,
    run: () => undoChange(context, owned, stored, found, changes),
  }
}

async function prepareTakeBack(
  context: Context,
  owned: OwnedTable,
  stored: Stored,
  told: number | undefined,
): Promise<Prepared> {
  const { locale } = context
  const { rows, first } = await findMade(context, owned, stored)
  const table = `${owned.schema}.${owned.table}`
  const isWaiting = first !== undefined && ['queued', 'paused'].includes(first.status)
  return {
    words: [
      t(locale, 'made.willTakeBack', {
        table,
        name: stored.name,
        rows,
        fields: stored.fields.length,
      }),
      ...(isWaiting ? [t(locale, 'made.willCancel')] : []),
      t(locale, 'made.dictionariesStay'),
      describeLock(context, table),
    ],
    statements: planTakeBack(owned).statements,
    lost: rows,
    run: () => takeBack(context, owned, stored, requireCount(told)),
  }
}

/** Nothing is lost of which nobody was told. @throws Refusal 409 */
function requireCount(told: number | undefined): number {
  if (told === undefined) throw new Refusal(409, { key: 'made.countNeeded' })
  return told
}
