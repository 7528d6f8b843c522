import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { accessTo, tenantRows } from '../../access/access.ts'
import { toApplicant } from '../../access/applicant.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { hasId, idText, isPossibleId } from '../../model/definition/row-key.ts'
import { loadOpenFields } from '../flow/open-fields.ts'
import { loadRow } from '../read/row.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { madeAt } from '../../platform/id.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'

/**
 * `row`: the row exists and the caller may see it. `draft`: the row does not exist yet, its id was made
 * within the last day and the caller may add one; then only the caller's own files are visible. So it is with
 * the applications of students, to which offices may add files of their own.
 */
export type Right = 'row' | 'draft'

/**
 * Selects the `ids` that exist in the school, visible or not; undefined when one is no possible id.
 */
export async function existing(
  context: Pick<Context, 'database'>,
  tenant: string,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  if (!ids.every((id) => isPossibleId(entity, id))) return undefined
  const { rows } = await sql<{ id: string }>`
    select ${idText(entity)} as id from ${fromTable(entity)}
    where ${tenantRows(entity, tenant)} and ${hasId(entity, ids)}`.execute(databaseOf(context))
  return new Set(rows.map(({ id }) => id))
}

/**
 * Access to a file is access to its row (docs/rules/security.md#f5): `view`, or `update` for adding and
 * deleting files.
 * @throws Refusal 403 without the permission, 404 for an unknown entity or an invisible row
 */
export async function rightTo(
  context: Context,
  bizType: string,
  bizId: string,
  action: 'view' | 'update',
): Promise<Right> {
  if (context.subject.kind !== 'student')
    return await rightOfCaller(context, bizType, bizId, action)
  const applicant = await toApplicant(context)
  const right = await rightOfCaller(applicant, bizType, bizId, action)
  if (right === 'row' && action === 'update') {
    const entity = await context.registry.get(context.subject.tenant, bizType)
    const access = await accessTo(applicant, entity, 'view')
    const open = await loadOpenFields(applicant, access, [{ id: bizId }])
    if ((open?.[bizId] ?? []).length === 0) throw new Refusal(409, { key: 'flow.filesClosed' })
  }
  return 'draft'
}

async function rightOfCaller(
  context: Context,
  bizType: string,
  bizId: string,
  action: 'view' | 'update',
): Promise<Right> {
  const entity = await context.registry.get(context.subject.tenant, bizType)
  const mayAdd = may(context.subject.permissions, entityPermission(bizType, 'add'))
  try {
    await loadRow(context, await accessTo(context, entity, action), bizId)
    return 'row'
  } catch (error) {
    if (!mayAdd || !(error instanceof Refusal) || (error.status !== 404 && error.status !== 403))
      throw error
    // A draft must not exist at all; an invisible row is no draft. An older id is none either, so
    // that a missing row answers like an invisible one.
    const known = await existing(context, context.subject.tenant, entity, [bizId])
    const isDraft = known !== undefined && known.size === 0 && isFresh(bizId)
    if (!isDraft) throw error.status === 403 ? error : notFound()
    return 'draft'
  }
}

const [minute, day] = [60_000, 86_400_000]
/** By the clock that ids are made with; the files of a draft are swept after a day. */
function isFresh(id: string): boolean {
  const at = madeAt(id)
  return at !== null && at > Date.now() - day && at < Date.now() + minute
}
