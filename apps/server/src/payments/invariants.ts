import { type RawBuilder, sql } from 'kysely'
import type { Services } from '../context.ts'

/**
 * Queries that find violations of the payment invariants (docs/rules/security.md#payments). N8 is
 * about answers over time and N11 about other students' orders: no row shows either.
 */
const checks: readonly (readonly [name: string, rows: RawBuilder<{ what: string }>])[] = [
  [
    'N1 one payable order a report',
    sql`select student_id || '/' || report_id as what from biz.print_order where state in ('CREATING', 'PENDING') and deleted_at is null group by tenant_id, student_id, report_id having count(*) > 1`,
  ],
  [
    'N2 received is what paid orders say',
    sql`select received || '<>' || owed as what from (select (select coalesce(sum(amount_fen), 0) from sys.payment) as received, (select coalesce(sum(amount_fen), 0) from biz.print_order where state in ('PAID', 'REFUND_DUE', 'REFUNDING', 'REFUNDED')) as owed) s where received <> owed`,
  ],
  [
    'N3 money is entitlement or refund, never both',
    sql`select o.order_no as what from sys.payment p join biz.print_order o on o.id = p.order_id
    where exists (select 1 from sys.entitlement e where e.order_id = o.id
      and e.revoked_at is null) = exists (select 1 from sys.refund f where f.order_id = o.id
      and f.state in ('DUE', 'SENT', 'DONE', 'FAILED'))`,
  ],
  [
    'N4 no entitlement without a free or paid order',
    sql`select o.order_no as what from sys.entitlement e join biz.print_order o on o.id = e.order_id where e.revoked_at is null and (o.state not in ('FREE', 'PAID') or o.source <> 'student')`,
  ],
  [
    'N5 paid is left through a refund only',
    sql`select o.order_no as what from biz.print_order o where (o.state in ('PAID', 'REFUND_DUE', 'REFUNDING', 'REFUNDED')) <> exists (select 1 from sys.payment p where p.order_id = o.id)
    union all select o.order_no from biz.print_order o
      where o.state in ('REFUND_DUE', 'REFUNDING', 'REFUNDED')
      and not exists (select 1 from sys.refund f where f.order_id = o.id
      and f.state in ('DUE', 'SENT', 'DONE', 'FAILED'))
    union all select o.order_no from biz.print_order o join sys.refund f on f.order_id = o.id
      where f.state = 'DONE' and o.state <> 'REFUNDED'`,
  ],
  [
    'N6 a transaction belongs to one order',
    sql`select transaction_id as what from sys.payment group by transaction_id having count(*) > 1 union all select order_id::text from sys.payment group by order_id having count(*) > 1`,
  ],
  [
    'N7 amounts are 500 or 3000 fen, 0 when free',
    sql`select order_no as what from biz.print_order where (state = 'FREE') <> (amount_fen = 0) or amount_fen not in (0, 500, 3000)
    union all select o.order_no from sys.payment p join biz.print_order o on o.id = p.order_id
      where p.amount_fen <> o.amount_fen union all select o.order_no from sys.refund f
      join biz.print_order o on o.id = f.order_id where f.amount_fen > o.amount_fen`,
  ],
  [
    'N9 what was asked of the provider stands in the outbox',
    sql`select o.order_no as what from biz.print_order o where o.state <> 'FREE' and not exists (select 1 from sys.pay_outbox w where w.key = 'create:' || o.order_no)
    union all select o.order_no from biz.print_order o
      where o.state in ('CLOSING', 'CLOSED', 'FAILED')
      and not exists (select 1 from sys.pay_outbox w where w.key = 'close:' || o.order_no)
    union all select f.refund_no from sys.refund f where f.state in ('DUE', 'SENT', 'DONE')
      and not exists (select 1 from sys.pay_outbox w where w.key = 'refund:' || f.refund_no)
    union all select o.order_no from biz.print_order o where o.state in ('CREATING', 'CLOSING')
      and not exists (select 1 from sys.pay_outbox w where w.order_id = o.id
      and w.done_at is null)`,
  ],
  [
    'N10 what was acknowledged is in the books',
    sql`select n.order_no as what from sys.pay_notice n where n.outcome in ('paid', 'refund', 'repeat') and not exists (select 1 from sys.payment p join biz.print_order o on o.id = p.order_id where o.order_no = n.order_no)`,
  ],
  [
    'N12 paid once for a report',
    sql`select student_id || '/' || report_id as what from biz.print_order where state = 'PAID' group by tenant_id, student_id, report_id having count(*) > 1
    union all select student_id || '/' || report_id from sys.entitlement where revoked_at is null
      group by tenant_id, student_id, report_id having count(*) > 1`,
  ],
]

export interface Violation {
  readonly invariant: string
  readonly rows: readonly string[]
}

/** The violated invariants with the rows that violate them. Empty when all hold. */
export async function checkInvariants({
  database: { kysely },
}: Pick<Services, 'database'>): Promise<Violation[]> {
  const found: Violation[] = []
  for (const [invariant, query] of checks) {
    const { rows } = await query.execute(kysely)
    if (rows.length > 0)
      found.push({ invariant, rows: rows.slice(0, 20).map(({ what }) => String(what)) })
  }
  return found
}
export const invariantNames: readonly string[] = checks.map(([name]) => name)
