// Discrepancies between the provider's bill and our records, and how the staff settled them.
import { type Discrepancy, discrepancyKinds } from '@jiaowu/api/contract/student/print'
import { defaultTenant } from '@jiaowu/api/limits'
import type { Context } from '../model/context.ts'
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
  const read = (tenant: string) =>
    kysely
      .selectFrom('sys.pay_discrepancy')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('settled', '=', !open)
      .$if(day !== undefined, (query) => query.where('day', '=', day ?? ''))
      .orderBy('id', 'desc')
      .limit(mostListed)
      .execute()
  const rows = (await Promise.all(ownTenants(context).map(read)))
    .flat()
    .toSorted((a, b) => Number(BigInt(b.id) - BigInt(a.id)))
    .slice(0, mostListed)
  const names = await loadUserNames(
    context,
    rows.flatMap(({ settled_by, checked_by }) => [settled_by, checked_by]),
  )
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
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
            settledBy: nameOf(row.settled_by),
            settledAt: row.settled_at,
            note: row.note,
            checkedBy: nameOf(row.checked_by),
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

/** The names of users of the school by id. */
async function loadUserNames(
  { database: { kysely }, subject }: Context,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await kysely
    .selectFrom('sys.app_user')
    .select(['id', 'name'])
    .where('tenant_id', '=', subject.tenant)
    .where('id', 'in', wanted)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Which of the caller's tenants has the discrepancy. @throws Refusal 404 */
async function findDiscrepancySchool(context: Context, id: string): Promise<string> {
  if (!isId(id)) throw notFound()
  for (const tenant of ownTenants(context)) {
    const row = await context.database.kysely
      .selectFrom('sys.pay_discrepancy')
      .select('tenant_id')
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst()
    if (row !== undefined) return row.tenant_id
  }
  throw notFound()
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
  const tenant = await findDiscrepancySchool(context, id)
  await transact(kysely, async (trx) => {
    const settled = await trx
      .updateTable('sys.pay_discrepancy')
      .set({ settled: true, settled_by: subject.userId, settled_at: now(), note })
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
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
  const tenant = await findDiscrepancySchool(context, id)
  const row = await kysely
    .selectFrom('sys.pay_discrepancy')
    .select(['order_no', 'settled_by'])
    .where('tenant_id', '=', tenant)
    .where('id', '=', id)
    .where('settled', '=', true)
    .where('checked_at', 'is', null)
    .executeTakeFirst()
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
      .where('tenant_id', '=', tenant)
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
