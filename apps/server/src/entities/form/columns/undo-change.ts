// Takes a single change back: an added column without values is dropped, an archived one restored, a restored one
// archived again. A dropped column is gone with its values.
import type { StoredEntity } from '@jiaowu/api/entity/definition/stored'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../../model/context.ts'
import { notFound, Refusal } from '../../../platform/refusal.ts'
import { dropColumns } from './add-columns.ts'
import { archiveColumn, planArchive, restoreColumn } from './archive-column.ts'
import { isChangeable, type OwnedTable } from './owned-table.ts'
import { changeAfterFields } from './replace-fields.ts'
import {
  assertOnlyMine,
  countValues,
  findArchived,
  listColumnNames,
  lockTable,
  type StoredChange,
} from './stored-changes.ts'

/** The last change of each of its columns can be taken back. `changes`: newest first. */
export function canUndo(
  change: StoredChange,
  changes: readonly StoredChange[],
  owned: OwnedTable,
): boolean {
  const names = listColumnNames(change)
  const isOpen = change.undone_by === null && ['add', 'archive', 'restore'].includes(change.kind)
  const isLast = names.every(
    (name) =>
      changes.find((each) => each.undone_by === null && listColumnNames(each).includes(name)) ===
        change && owned.known?.columns.has(name) === true,
  )
  return isOpen && isLast && names.length > 0
}

/** @throws Refusal 404 for an unknown change, 409 for one that cannot be taken back */
export function findUndoable(
  id: string,
  changes: readonly StoredChange[],
  owned: OwnedTable,
): StoredChange {
  const change = changes.find((each) => each.id === id)
  if (change === undefined) throw notFound()
  if (!canUndo(change, changes, owned)) throw new Refusal(409, { key: 'made.notUndoable' })
  return change
}

export async function undoChange(
  context: Context,
  owned: OwnedTable,
  before: StoredEntity,
  change: StoredChange,
  changes: readonly StoredChange[],
): Promise<string> {
  const [column = ''] = listColumnNames(change)
  if (change.kind === 'archive')
    return await restoreColumn(context, owned, before, column, findArchived(changes).get(column))
  if (change.kind === 'restore')
    return await archiveColumn(context, before, planArchive(owned, before, column), change.id)
  return await undoAddition(context, owned, before, change)
}

/** @throws Refusal 409 for columns with values: they are archived instead */
async function undoAddition(
  context: Context,
  owned: OwnedTable,
  before: StoredEntity,
  change: StoredChange,
): Promise<string> {
  const names = listColumnNames(change)
  await assertNoValues(context, owned, names)
  const { schema, table } = owned
  const place = { schema, table }
  const [only, ...more] = names
  // The fields go first: a definition may not name columns that the table lacks.
  const fields = before.fields.filter(
    ({ columnName }) => columnName === null || !names.includes(columnName),
  )
  const isMine = names.every((name) => isChangeable(owned, name))
  if (!isMine) throw new Refusal(409, { key: 'made.notUndoable' })
  return await changeAfterFields(context, before, {
    change: {
      ...place,
      kind: 'drop',
      ...(more.length === 0 && only !== undefined && { column: only }),
      plan: { column: only ?? '', columns: names },
      statements: dropColumns(place, names),
      undoes: change.id,
      guard: async (trx) => {
        await lockTable(trx, place)
        const { mine, others } = await countValues(trx, context, place, names)
        if (mine + others > 0) throw hasValues(names, mine + others)
      },
    },
    fields: () => fields,
    note: t(context.locale, 'made.noteUndo', { names: names.join('、') }),
  })
}

/** @throws Refusal 409 */
export async function assertNoValues(
  context: Context,
  owned: OwnedTable,
  names: readonly string[],
): Promise<void> {
  const { mine, others } = await countValues(context.database.untyped, context, owned, names)
  await assertOnlyMine(context, owned, names, others)
  if (mine > 0) throw hasValues(names, mine)
}

function hasValues(names: readonly string[], n: number): Refusal {
  return new Refusal(409, { key: 'made.hasValues', params: { column: names.join('、'), n } })
}
