// Writes rows of a ledger, as they were checked, by the one way of all writes (entities/write/write-rows.ts).
import type { EntityAccess } from '../../../../access/access.ts'
import type { Context } from '../../../../model/context.ts'
import { tableKey } from '../../../../model/definition/column-key.ts'
import { type LoadedEntity, valueFields } from '../../../../model/definition/loaded.ts'
import type { WritableRow } from '../../../jobs/job.ts'
import type { Change } from '../../../write/values/values.ts'
import type { RowWrite, RowWriter } from '../../../write/writer.ts'
import { payloadKey, openValue } from '../payload.ts'
import { heldChoices } from './hold-choices.ts'

/** Needs of writing, loaded once per run: in the transaction only its own connection may be used. */
export interface LedgerWriter {
  readonly writer: RowWriter
  /** The write of a checked row. */
  readonly toWrite: (row: WritableRow) => RowWrite
}

/** Jobs log the rows of each transaction, and their end, not each row. */
export const loggedByJob: RowWriter['audit'] = () => {}

/** Writes new and changed rows. */
export async function createWriter(
  context: Context,
  entity: LoadedEntity,
  add: EntityAccess | null,
  update: EntityAccess | null,
): Promise<LedgerWriter> {
  return {
    writer: {
      context,
      entity,
      isJob: true,
      add,
      change: update,
      choices: await heldChoices(context, entity),
      audit: loggedByJob,
    },
    toWrite: (row) => {
      const isNew = row.verdict === 'f'
      return {
        kind: isNew ? 'create' : 'update',
        id: row.row_id,
        no: row.row_no,
        changes: buildChanges(context, entity, row),
        ...(!isNew && { version: row.version }),
      }
    },
  }
}

function buildChanges(
  { keys, registry, subject }: Context,
  entity: LoadedEntity,
  { payload }: WritableRow,
): Change[] {
  const others = registry.ofTable(subject.tenant, tableKey(entity)).flatMap(valueFields)
  return Object.entries(payload ?? {}).flatMap(([name, value]) => {
    const field = entity.field(name) ?? others.find((each) => payloadKey(entity, each) === name)
    return field === undefined ? [] : [{ field, value: openValue(field, value, keys) }]
  })
}
