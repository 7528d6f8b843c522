// Deletes many rows, each by the rules for deleting one; into the recycle bin where the entity has
// one.
import { databaseOf } from '../../platform/database/any-database.ts'
import type { Context } from '../../model/context.ts'
import type { EntityAccess } from '../../access/access.ts'
import { labelRows } from '../read/labels.ts'
import { type LoadedEntity, readableFields } from '../../model/definition/loaded.ts'
import type { Condition } from '../../model/definition/names.ts'
import { heldRows, referencesTo } from '../write/removal/references.ts'
import { rowReader } from '../read/rows.ts'
import { dryRunRows } from '../import/check-phase.ts'
import type { LedgerRow } from '../jobs/job.ts'
import { labelIn } from '../import/rows/plan.ts'
import { type LedgerWriter, loggedByJob } from '../import/rows/write/ledger-writer.ts'
import type { BulkRights } from './choose.ts'
import { rowTitle, titleFields } from '../read/titles.ts'
import { buildRowFault, type CheckRows } from './update-rows.ts'

/** Deletes the rows it is given. */
export async function createEraser(
  context: Context,
  entity: LoadedEntity,
  access: EntityAccess,
): Promise<LedgerWriter> {
  return {
    writer: {
      context,
      entity,
      isJob: true,
      add: null,
      change: access,
      references: await referencesTo(context, context.subject.tenant, entity),
      audit: loggedByJob,
    },
    toWrite: ({ row_id, row_no, version }) => ({
      kind: 'delete',
      id: row_id,
      no: row_no,
      version,
      changes: [],
    }),
  }
}

/** @param selected condition of the selection: its rows are deleted together */
export async function deleteCheck(
  context: Context,
  { act }: BulkRights,
  selected: Condition,
): Promise<CheckRows> {
  const { entity } = act
  const eraser = await createEraser(context, entity, act)
  const references = await referencesTo(context, context.subject.tenant, entity)
  const fields = readableFields(entity)
  const label = labelIn(context, entity)
  return async (found) => {
    const read = rowReader(act, fields, 'any')
    const rows = await labelRows(
      context,
      titleFields(entity),
      found.map(({ raw }) => read(raw)),
    )
    const mine = found.filter(({ may }) => may).map(({ raw }) => String(raw.id))
    const held = await heldRows(databaseOf(context), act, references, mine, selected)
    const checked = found.map(({ no, may }, i): LedgerRow => {
      const row = rows[i] ?? { id: '' }
      const fault = !may
        ? buildRowFault('', null, 'noRight', { key: 'bulk.rule.noRight' })
        : held.has(row.id)
          ? buildRowFault('', null, 'inUse', { key: 'problem.inUse' })
          : null
      return {
        row_no: no,
        verdict: fault === null ? 'c' : 'w',
        row_id: row.id,
        version: String(row.version),
        payload: null,
        before: null,
        name: rowTitle(context, act, row),
        errors: fault === null ? null : [fault],
      }
    })
    // In a tree, references may come from rows of later chunks: only the write phase can tell.
    return references.some((reference) => reference.entity.table === entity.table)
      ? checked
      : await dryRunRows(eraser, checked, label)
  }
}
