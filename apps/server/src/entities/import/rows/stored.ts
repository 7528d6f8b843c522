// Finds the stored rows of a chunk by their keys, among those that the user may change.
import { sql } from 'kysely'
import type { EntityAccess } from '../../../access/access.ts'
import { type LoadedField, readableFields } from '../../../model/definition/loaded.ts'
import { hasId, idText } from '../../../model/definition/row-key.ts'
import { familyOf } from '../../../model/fields/column.ts'
import { codedRows } from '../../read/coded-labels.ts'
import { labelRows } from '../../read/labels.ts'
import { titleFields } from '../../read/titles.ts'
import { grantsOn, type RawRow as StoredRow, rowReader, selectList } from '../../read/rows.ts'
import { fromTable } from '../../../model/definition/from-table.ts'
import { databaseOf } from '../../../platform/database/any-database.ts'
import type { Draft, Plan } from './draft.ts'

/** Sets `stored` and the `key` of each draft: of what its cells may mean, the first that is stored. */
export async function findStored(plan: Plan, drafts: readonly Draft[]): Promise<void> {
  const { update, keyColumn, entity, context } = plan
  for (const draft of drafts) draft.key = draft.keys.at(-1) ?? null
  if (update === null || keyColumn === null) return
  const { sealer, column: own } = keyColumn.field
  const keyOfText = (text: string) => (sealer === null ? text : sealer.blind(text))
  const column = (sealer === null ? own : entity.table.columns.get(sealer.index)) ?? entity.id
  const isId = keyColumn.field === entity.idField
  const keys = [...new Set(drafts.flatMap((draft) => draft.keys.map(keyOfText)))]
  if (familyOf(column) === undefined || keys.length === 0) return
  const keyed = isId ? entity : { key: [column], digest: null }
  const fields = readableFields(entity)
  const { rows: raws } = await sql<StoredRow & { key: string }>`
    select ${selectList(update, fields)}, ${idText(keyed)} as key from ${fromTable(entity)}
    where ${update.rows} and ${hasId(keyed, keys)}`.execute(databaseOf(context))
  const rows = raws.map(rowReader(update, fields, 'any', 'stored'))
  const mapped = plan.columns
    .map(({ field }) => field)
    .filter(({ kind }) => kind.family === 'choice')
  const shown = [...new Set([...mapped, ...titleFields(entity)])]
  const labelled = await labelRows(context, shown, raws.map(rowReader(update, fields, 'any')))
  const coded = await codedRows(context, mapped, labelled)
  const byKey = new Map(raws.map((raw, i) => [raw.key, i]))
  for (const draft of drafts) {
    const key = draft.keys.find((each) => byKey.has(keyOfText(each)))
    const at = key === undefined ? undefined : byKey.get(keyOfText(key))
    const [raw, row] = at === undefined ? [] : [raws[at], rows[at]]
    if (key === undefined || raw === undefined || row === undefined) continue
    draft.key = key
    draft.stored = {
      row,
      labelled: labelled[at ?? 0] ?? row,
      coded: coded[at ?? 0] ?? row,
      access: narrowAccess({ ...update, grants: grantsOn(update, raw) }, (field) =>
        plan.columns.some((column) => column.field === field),
      ),
    }
  }
}

/** The entity reduced to some fields, so that a row is checked only for what its columns set. */
export function narrowAccess(
  access: EntityAccess,
  keep: (field: LoadedField) => boolean,
): EntityAccess {
  return { ...access, entity: { ...access.entity, fields: access.entity.fields.filter(keep) } }
}
