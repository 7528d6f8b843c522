// Deletes all of the given rows or none, and no row that others refer to.
import { databaseOf } from '../../../platform/database/any-database.ts'
import type { Context } from '../../../model/context.ts'
import { notFound, Refusal } from '../../../platform/refusal.ts'
import { brokenConstraint, raisedMessage } from '../../../platform/database/problems.ts'
import { transact } from '../../../platform/database/transact.ts'
import { accessTo, type EntityAccess } from '../../../access/access.ts'
import type { LoadedEntity } from '../../../model/definition/loaded.ts'
import { auditEach } from '../audit-rows.ts'
import { writeRows } from '../write-rows.ts'
import type { RowWrite, RowWriter } from '../writer.ts'
import { parseIds } from './id-list.ts'
import { inUse, referencesTo } from './references.ts'

/**
 * Deletes the rows with comma-joined ids.
 * @param versions of the rows, by id, as the caller has seen them; without them: whatever the rows are now
 * @throws Refusal 404 when one is not among the caller's rows, 409 when one is in use, 409/40900 when one has another
 * version; Invalid above 500 ids
 */
export async function removeRows(
  context: Context,
  entity: LoadedEntity,
  joined: string,
  versions?: ReadonlyMap<string, string>,
): Promise<{ deleted: number }> {
  const ids = parseIds(entity, joined)
  const access = await accessTo(context, entity, 'delete')
  if (ids.length === 0) throw notFound()
  const writer: RowWriter = {
    context,
    entity,
    isJob: false,
    add: null,
    change: access,
    references: await referencesTo(context, context.subject.tenant, entity),
    audit: auditEach(context, entity, 'entity.delete'),
  }
  await transact(databaseOf(context), async (trx) => {
    await writeRows(
      trx,
      writer,
      ids.map((id): RowWrite => {
        const version = versions?.get(id)
        if (versions !== undefined && version === undefined) throw notFound()
        return { kind: 'delete', id, changes: [], ...(version !== undefined && { version }) }
      }),
    )
  }).catch((error: unknown) => {
    throw heldByTable(access, error)
  })
  return { deleted: ids.length }
}

/** A foreign key of a table without an entity holds the row, or a trigger keeps it. */
function heldByTable({ entity }: EntityAccess, error: unknown): unknown {
  const broken = brokenConstraint(error)
  if (broken === undefined) {
    const raised = raisedMessage(error)
    return raised === null
      ? error
      : new Refusal(422, { key: 'problem.raised', params: { text: raised } })
  }
  return broken.table === undefined || broken.table === entity.table.name
    ? inUse()
    : new Refusal(409, { key: 'problem.inUseByTable', params: { table: broken.table } })
}
