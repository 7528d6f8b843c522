// Discrepancies between the provider's bill and our records, and how the staff settled them.
import { type Discrepancy, defaultTenant, discrepancyKinds } from '@jiaowu/api'
import type { Context } from '../context.ts'
import { isId } from '../platform/id.ts'
import { transact } from '../platform/database/transact.ts'
import { notFound, Refusal } from '../platform/refusal.ts'

const mostListed = 500

/** Open or settled discrepancies, newest first. */
export async function listDiscrepancies(
  context: Context,
  open: boolean,
  day?: string,
): Promise<Discrepancy[]> {
  const {
    database: { kysely },
    subject,
  } = context
  const rows = await kysely
    .selectFrom('sys.pay_discrepancy as d')
    .leftJoin('sys.app_user as settler', 'settler.id', 'd.settled_by')
    .leftJoin('sys.app_user as checker', 'checker.id', 'd.checked_by')
    .selectAll('d')
    .select(['settler.name as settler', 'checker.name as checker'])
    .where('d.tenant_id', 'in', ownTenants(context))
    .where('d.settled', '=', !open)
    .$if(day !== undefined, (query) => query.where('d.day', '=', day ?? ''))
    .orderBy('d.id', 'desc')
    .limit(mostListed)
    .execute()
  return rows.flatMap((row) =>
    isKind(row.kind)
      ? [
          {
            id: row.id,
            orderNo: row.order_no,
            kind: row.kind,
            ourFen: row.our_fen,
            theirFen: row.their_fen,
            day: row.day,
            settled: row.settled,
            createTime: row.create_time,
            settledBy: row.settler,
            settledAt: row.settled_at,
            note: row.note,
            checkedBy: row.checker,
            checkedAt: row.checked_at,
            mayCheck: row.settled && row.checked_at === null && row.settled_by !== subject.userId,
          },
        ]
      : [],
  )
}

/** Discrepancies without an order belong to no tenant and are shown to the default one. */
function ownTenants({ subject: { tenant } }: Pick<Context, 'subject'>): string[] {
  return tenant === defaultTenant ? [tenant, '0'] : [tenant]
}

function isKind(kind: string): kind is Discrepancy['kind'] {
  return (discrepancyKinds as readonly string[]).includes(kind)
}

/** Settles a discrepancy, with the reason. @throws Refusal 404 */
export async function settleDiscrepancy(context: Context, id: string, note: string): Promise<null> {
  const {
    database: { kysely },
    subject,
    now,
  } = context
  if (!isId(id)) throw notFound()
  await transact(kysely, async (trx) => {
    const settled = await trx
      .updateTable('sys.pay_discrepancy')
      .set({ settled: true, settled_by: subject.userId, settled_at: now(), note })
      .where('id', '=', id)
      .where('tenant_id', 'in', ownTenants(context))
      .where('settled', '=', false)
      .returning('order_no')
      .executeTakeFirst()
    if (settled === undefined) throw notFound()
    context.audit(
      {
        action: 'pay.discrepancy.settle',
        object: 'RPT_ORDER',
        objectId: settled.order_no,
        result: 'ok',
        detail: { discrepancy: id, note },
      },
      trx,
    )
  })
  return null
}

/**
 * A second user confirms a settled discrepancy or reopens it.
 * @throws Refusal 403 for the user who settled it, 404
 */
export async function checkDiscrepancy(
  context: Context,
  id: string,
  agree: boolean,
): Promise<null> {
  const {
    database: { kysely },
    subject,
    now,
  } = context
  const row = isId(id)
    ? await kysely
        .selectFrom('sys.pay_discrepancy')
        .select(['order_no', 'settled_by'])
        .where('id', '=', id)
        .where('tenant_id', 'in', ownTenants(context))
        .where('settled', '=', true)
        .where('checked_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw notFound()
  if (row.settled_by === subject.userId) throw new Refusal(403, { key: 'reconcile.secondPerson' })
  await transact(kysely, async (trx) => {
    const checked = await trx
      .updateTable('sys.pay_discrepancy')
      .set(
        agree
          ? { checked_by: subject.userId, checked_at: now() }
          : { settled: false, settled_by: null, settled_at: null, note: null },
      )
      .where('id', '=', id)
      .where('settled', '=', true)
      .where('checked_at', 'is', null)
      .where('settled_by', 'is not distinct from', row.settled_by)
      .returning('id')
      .executeTakeFirst()
    if (checked === undefined) throw notFound()
    context.audit(
      {
        action: agree ? 'pay.discrepancy.check' : 'pay.discrepancy.reopen',
        object: 'RPT_ORDER',
        objectId: row.order_no,
        result: 'ok',
        detail: { discrepancy: id },
      },
      trx,
    )
  })
  return null
}
