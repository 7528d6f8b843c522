// Copies of cases (抄送): each receiver gets a notice, and may read the case and nothing else
// (docs/rules/contract.md#flows).
import type { FlowCopied } from '@jiaowu/api/contract/entity/flow'
import { accessTo, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { entityName, type LoadedEntity, readableFields } from '../../model/definition/loaded.ts'
import { localTime } from '../../model/fields/local-time.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { exactlyOne } from '../../platform/database/tables/row-count.ts'
import { transact } from '../../platform/database/transact.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import { selectRow } from '../read/row.ts'
import { withTables } from './cases.ts'
import { insertCopies } from './copy-rows.ts'
import { beginCase, lockCase } from './case-call.ts'
import { sendHandNotice } from './notify.ts'
import { loadUserNames } from './names.ts'
import { listTasks, mayCopy, readCase } from './read.ts'
import { findReceiver, type Receiver } from './receivers.ts'
import { loadRowTitle } from './row-title.ts'

interface CopyRequest {
  readonly id: string
  readonly to: readonly string[]
  readonly note?: string | null | undefined
}

/**
 * Sends copies of a case. One who has a copy gets it anew. Returns how many.
 * @throws Refusal 404, 403 with a line in the audit log; Invalid
 */
export async function sendCopies(
  context: Context,
  entity: LoadedEntity,
  { id, to, note = null }: CopyRequest,
): Promise<number> {
  const access = await accessTo(context, entity, 'view')
  const receivers: Receiver[] = []
  for (const each of new Set(to)) receivers.push(await findReceiver(context, each))
  const title = await loadRowTitle(context, entity, id)
  const isSent = await transact(databaseOf(context), async (trx) => {
    const call = { context, entity, id }
    const { known, persons } = await lockCase(trx, call, access)
    const { flow, flowCase } = known
    const isAsked = !flowCase.isDone && listTasks(context, flow, flowCase, persons).length > 0
    if (!mayCopy({ flow, flowCase, userId: context.subject.userId, isAsked })) return false
    const db = withTables(trx)
    const stored = known.stored ?? (await beginCase(trx, call, known.flowCase))
    const ids = receivers.map((each) => each.id)
    await insertCopies(db, context, stored.id, ids, { by: context.subject.userId, note })
    for (const whom of receivers)
      await sendHandNotice(db, context, {
        entity,
        stored,
        title,
        act: 'copy',
        whom: { person: whom.id, role: null },
        note,
      })
    context.audit(
      {
        action: 'flow.copy',
        object: entity.tag,
        objectId: id,
        result: 'ok',
        detail: { to: ids.join(', ') },
      },
      trx,
    )
    return true
  })
  if (isSent) {
    wakeQueue(context, 'notice')
    return receivers.length
  }
  await context.auditAlone({
    action: 'flow.copy',
    object: entity.tag,
    objectId: id,
    result: 'denied',
    detail: { to: to.join(', ') },
  })
  throw new Refusal(403, { key: 'flow.hand.noCopy' })
}

/** Reads a copy of the caller, and marks it as read. @throws Refusal 404 */
export async function openCopy(context: Context, id: string): Promise<FlowCopied> {
  const { kysely } = context.database
  const { tenant, userId } = context.subject
  const found = /^\d{1,19}$/.test(id)
    ? await kysely
        .selectFrom('sys.flow_copy as y')
        .innerJoin('sys.flow_case as c', (join) =>
          join.onRef('c.tenant_id', '=', 'y.tenant_id').onRef('c.id', '=', 'y.case_id'),
        )
        .select(['y.id', 'y.by_id', 'y.note', 'y.at', 'y.read_at', 'c.tag', 'c.row_id'])
        .where('y.tenant_id', '=', tenant)
        .where('c.tenant_id', '=', tenant)
        .where('y.id', '=', id)
        .where('y.user_id', '=', userId)
        .executeTakeFirst()
    : undefined
  const entity = found === undefined ? undefined : await context.registry.find(tenant, found.tag)
  if (found === undefined || entity === undefined) throw notFound()
  const row = await selectRow(
    databaseOf(context),
    wholeAccess(entity, tenant),
    readableFields(entity),
    found.row_id,
    'stored',
  )
  if (row === undefined) throw notFound()
  const flow = await readCase(context, entity, row, true)
  if (found.read_at === null)
    exactlyOne(
      await kysely
        .updateTable('sys.flow_copy')
        .set({ read_at: context.now() })
        .where('tenant_id', '=', tenant)
        .where('id', '=', found.id)
        .executeTakeFirst(),
      'sys.flow_copy',
    )
  const names = await loadUserNames(context, found.by_id === null ? [] : [found.by_id])
  return {
    tag: found.tag,
    id: found.row_id,
    entity: entityName(entity, context.locale),
    title: await loadRowTitle(context, entity, found.row_id),
    note: found.note,
    by: found.by_id === null ? null : (names.get(found.by_id) ?? found.by_id),
    at: localTime(new Date(found.at)),
    flow: flow.answer,
  }
}
