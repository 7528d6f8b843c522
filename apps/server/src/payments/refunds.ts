import type { Refund } from '@jiaowu/api/contract/student/print'
import type { Context, Services } from '../model/context.ts'
import { isId } from '../platform/id.ts'
import { notFound, Refusal } from '../platform/refusal.ts'
import { brokenConstraint } from '../platform/database/problems.ts'
import { exactlyOne } from '../platform/database/tables/row-count.ts'
import type { OrderState, RefundState } from '../platform/database/tables/tables-student.ts'
import { transact } from '../platform/database/transact.ts'
import { failureInWords } from '../platform/provider-words.ts'
import { anyOrder } from './orders/order-row.ts'
import { enqueue } from './outbox/outbox.ts'
import { runDue } from './outbox/payment-handler.ts'
import { automaticReason } from './refund-reason.ts'

const perPage = 50
/**
 * REFUNDING: a refund failed at the provider may be requested again. A unique index refuses a
 * second one while the first is under way.
 */
const refundable: readonly OrderState[] = ['PAID', 'REFUNDING']
const columns = [
  'f.id',
  'o.order_no',
  'f.refund_no',
  's.name as student',
  'r.report_name',
  'f.amount_fen',
  'f.state',
  'f.reason',
  'f.automatic',
  'f.requested_by',
  'asker.name as asker',
  'decider.name as decider',
  'f.failure',
  'w.failure as refusal',
  'w.attempts',
  'w.next_at',
  'w.done_at as tried_at',
  'f.create_time',
  'f.done_at',
] as const
type Row = Awaited<ReturnType<typeof readRow>>

export async function listRefunds(
  context: Context,
  state: RefundState | undefined,
  pageNum: number,
): Promise<{ records: Refund[]; total: number }> {
  const wanted = () =>
    state === undefined
      ? refunds(context, context.subject.tenant)
      : refunds(context, context.subject.tenant).where('f.state', '=', state)
  const rows = await wanted()
    .select(columns)
    .orderBy('f.id', 'desc')
    .limit(perPage)
    .offset((Math.max(1, pageNum) - 1) * perPage)
    .execute()
  const { total } = await wanted()
    .select((e) => e.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow()
  return { records: rows.map((row) => toShownRefund(context, row)), total: Number(total) }
}

function refunds({ database: { kysely } }: Services, tenant: string) {
  return kysely
    .selectFrom('sys.refund as f')
    .innerJoin('biz.print_order as o', (join) =>
      join.onRef('o.tenant_id', '=', 'f.tenant_id').onRef('o.id', '=', 'f.order_id'),
    )
    .innerJoin('biz.student as s', (join) =>
      join.onRef('s.tenant_id', '=', 'o.tenant_id').onRef('s.id', '=', 'o.student_id'),
    )
    .innerJoin('biz.report as r', (join) =>
      join.onRef('r.tenant_id', '=', 'o.tenant_id').onRef('r.id', '=', 'o.report_id'),
    )
    .leftJoin('sys.pay_outbox as w', (join) =>
      join
        .onRef('w.tenant_id', '=', 'f.tenant_id')
        .onRef('w.order_id', '=', 'f.order_id')
        .onRef('w.refund_id', '=', 'f.id')
        .on('w.kind', '=', 'refund'),
    )
    .leftJoin('sys.app_user as asker', (join) =>
      join.onRef('asker.tenant_id', '=', 'f.tenant_id').onRef('asker.id', '=', 'f.requested_by'),
    )
    .leftJoin('sys.app_user as decider', (join) =>
      join.onRef('decider.tenant_id', '=', 'f.tenant_id').onRef('decider.id', '=', 'f.approved_by'),
    )
    .where('f.tenant_id', '=', tenant)
}

function toShownRefund({ subject, locale }: Context, row: Row): Refund {
  const isUnderway = row.state === 'DUE' || row.state === 'SENT'
  const refusal = row.failure ?? (isUnderway ? row.refusal : null)
  return {
    id: row.id,
    orderNo: row.order_no,
    refundNo: row.refund_no,
    student: row.student,
    report: row.report_name,
    amountFen: row.amount_fen,
    state: row.state,
    reason: row.automatic ? automaticReason(locale, row.reason) : row.reason,
    automatic: row.automatic,
    requestedBy: row.asker,
    approvedBy: row.decider,
    failure: refusal === null ? null : failureInWords(locale, refusal),
    attempts: row.attempts ?? 0,
    nextTryAt: row.tried_at === null && isUnderway ? row.next_at : null,
    createTime: row.create_time,
    doneAt: row.done_at,
    mayDecide: row.state === 'REQUESTED' && row.requested_by !== subject.userId,
  }
}

/** Requests a refund, which a second user has to approve. @throws Refusal 404, 409, 422 */
export async function requestRefund(
  context: Context,
  {
    orderNo,
    reason,
    amountFen,
  }: { orderNo: string; reason: string; amountFen?: number | undefined },
): Promise<Refund> {
  const {
    database: { kysely },
    subject,
    newId,
    now,
  } = context
  const order = await anyOrder(context, subject.tenant, orderNo)
  if (!refundable.includes(order.state)) throw new Refusal(409, { key: 'refund.notPaid' })
  const amount = amountFen ?? order.amount_fen
  if (amount > order.amount_fen) throw new Refusal(422, { key: 'refund.tooMuch' })
  const { n } = await kysely
    .selectFrom('sys.refund')
    .select((e) => e.fn.countAll<string>().as('n'))
    .where('tenant_id', '=', subject.tenant)
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow()
  const id = newId()
  try {
    await transact(kysely, async (trx) => {
      await trx
        .insertInto('sys.refund')
        .values({
          id,
          tenant_id: subject.tenant,
          order_id: order.id,
          refund_no: `${orderNo}R${Number(n) + 1}`,
          amount_fen: amount,
          state: 'REQUESTED',
          reason,
          automatic: false,
          requested_by: subject.userId,
          create_time: now(),
        })
        .execute()
      context.audit(
        {
          action: 'refund.request',
          object: 'RPT_ORDER',
          objectId: orderNo,
          result: 'ok',
          detail: { amountFen: amount },
        },
        trx,
      )
    })
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'unique')
      throw new Refusal(409, { key: 'refund.underway' })
    throw error
  }
  return toShownRefund(context, await readRow(context, id))
}

function readRow(context: Context, id: string) {
  return refunds(context, context.subject.tenant)
    .select(columns)
    .where('f.id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * Approves or rejects a refund (ASVS 2.3.5).
 * @throws Refusal 403 for the user who requested it, 404, 409
 */
export async function decideRefund(context: Context, id: string, agree: boolean): Promise<Refund> {
  if (!isId(id)) throw notFound()
  await decide(context, id, agree)
  if (agree) await runDue(context)
  return toShownRefund(context, await readRow(context, id))
}

function decide(context: Context, id: string, agree: boolean) {
  return transact(context.database.kysely, async (trx) => {
    const { subject, now } = context
    const refund = await trx
      .selectFrom('sys.refund')
      .selectAll()
      .where('id', '=', id)
      .where('tenant_id', '=', subject.tenant)
      .forUpdate()
      .executeTakeFirst()
    if (refund === undefined) throw notFound()
    if (refund.state !== 'REQUESTED') throw new Refusal(409, { key: 'refund.decided' })
    if (refund.requested_by === subject.userId)
      throw new Refusal(403, { key: 'refund.secondPerson' })
    exactlyOne(
      await trx
        .updateTable('sys.refund')
        .set({ state: agree ? 'DUE' : 'REJECTED', approved_by: subject.userId, decided_at: now() })
        .where('tenant_id', '=', subject.tenant)
        .where('id', '=', id)
        .executeTakeFirst(),
      refund.refund_no,
    )
    const order = await trx
      .selectFrom('biz.print_order')
      .select(['id', 'tenant_id', 'order_no', 'state', 'student_id', 'report_id'])
      .where('tenant_id', '=', subject.tenant)
      .where('id', '=', refund.order_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    context.audit(
      {
        action: agree ? 'refund.approve' : 'refund.reject',
        object: 'RPT_ORDER',
        objectId: order.order_no,
        result: 'ok',
        detail: { refund: id },
      },
      trx,
    )
    if (!agree) return
    if (!refundable.includes(order.state)) throw new Refusal(409, { key: 'refund.notPaid' })
    // The refund and the end of the entitlement are one step (docs/rules/security.md#n3, #n5).
    exactlyOne(
      await trx
        .updateTable('biz.print_order')
        .set((e) => ({ state: 'REFUNDING', update_time: now(), version: e('version', '+', 1) }))
        .where('tenant_id', '=', subject.tenant)
        .where('id', '=', order.id)
        .executeTakeFirst(),
      order.order_no,
    )
    await trx
      .updateTable('sys.entitlement')
      .set({ revoked_at: now() })
      .where('tenant_id', '=', subject.tenant)
      .where('order_id', '=', order.id)
      .where('revoked_at', 'is', null)
      .execute()
    // Deletes the free order of this entitlement: its document is revoked, and a later purchase
    // gets an order of its own.
    await trx
      .updateTable('biz.print_order')
      .set({ deleted_at: now() })
      .where('tenant_id', '=', order.tenant_id)
      .where('student_id', '=', order.student_id)
      .where('report_id', '=', order.report_id)
      .where('state', '=', 'FREE')
      .where('source', '=', 'student')
      .where('deleted_at', 'is', null)
      .execute()
    await enqueue(trx, context, order, 'refund', { refund })
    await enqueue(trx, context, order, 'revoke')
  })
}
