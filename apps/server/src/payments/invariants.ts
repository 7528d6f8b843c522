import { type RawBuilder, sql } from 'kysely'
import type { Services } from '../model/context.ts'
import { schoolIds } from '../platform/database/schools.ts'

/**
 * Queries that find violations of the payment invariants (docs/rules/security.md#payments). N8 is
 * about answers over time and N11 about other students' orders: no row shows either.
 */
const checks: readonly (readonly [
  name: string,
  /** Selects the broken rows of one school. */
  rows: (tenant: RawBuilder<unknown>) => RawBuilder<{ what: string }>,
])[] = [
  [
    'N1 one payable order a report',
    (tenant) => sql`
      select student_id || '/' || report_id as what from biz.print_order
      where tenant_id = ${tenant} and state in ('CREATING', 'PENDING') and deleted_at is null
      group by student_id, report_id having count(*) > 1`,
  ],
  [
    'N2 received is what paid orders say',
    (tenant) => sql`
      select received || '<>' || owed as what from (
        select (
          select coalesce(sum(amount_fen), 0) from sys.payment where tenant_id = ${tenant}
        ) as received, (
          select coalesce(sum(amount_fen), 0) from biz.print_order
          where tenant_id = ${tenant} and state in ('PAID', 'REFUND_DUE', 'REFUNDING', 'REFUNDED')
        ) as owed
      ) s where received <> owed`,
  ],
  [
    'N3 money is entitlement or refund, never both',
    (tenant) => sql`
      select o.order_no as what
      from sys.payment p join biz.print_order o on o.tenant_id = p.tenant_id and o.id = p.order_id
      where p.tenant_id = ${tenant} and exists (
        select 1 from sys.entitlement e
        where e.tenant_id = ${tenant} and e.order_id = o.id and e.revoked_at is null
      ) = ${existsRefund(tenant, ['DUE', 'SENT', 'DONE', 'FAILED'])}`,
  ],
  [
    'N4 no entitlement without a free or paid order',
    (tenant) => sql`
      select o.order_no as what from sys.entitlement e
      join biz.print_order o on o.tenant_id = e.tenant_id and o.id = e.order_id
      where e.tenant_id = ${tenant} and e.revoked_at is null
        and (o.state not in ('FREE', 'PAID') or o.source <> 'student')`,
  ],
  [
    'N5 paid is left through a refund only',
    (tenant) => sql`
      select o.order_no as what from biz.print_order o
      where o.tenant_id = ${tenant}
        and (o.state in ('PAID', 'REFUND_DUE', 'REFUNDING', 'REFUNDED')) <> exists (
          select 1 from sys.payment p where p.tenant_id = ${tenant} and p.order_id = o.id)
      union all select o.order_no from biz.print_order o
      where o.tenant_id = ${tenant} and o.state in ('REFUND_DUE', 'REFUNDING', 'REFUNDED')
        and not ${existsRefund(tenant, ['DUE', 'SENT', 'DONE', 'FAILED'])}
      union all select o.order_no from biz.print_order o
      join sys.refund f on f.tenant_id = o.tenant_id and f.order_id = o.id
      where o.tenant_id = ${tenant} and f.state = 'DONE' and o.state <> 'REFUNDED'`,
  ],
  [
    'N6 a transaction belongs to one order',
    (tenant) => sql`
      select transaction_id as what from sys.payment where tenant_id = ${tenant}
      group by transaction_id having count(*) > 1
      union all select order_id::text from sys.payment where tenant_id = ${tenant}
      group by order_id having count(*) > 1`,
  ],
  [
    'N7 amounts are 500 or 3000 fen, 0 when free',
    (tenant) => sql`
      select order_no as what from biz.print_order
      where tenant_id = ${tenant}
        and ((state = 'FREE') <> (amount_fen = 0) or amount_fen not in (0, 500, 3000))
      union all select o.order_no from sys.payment p
      join biz.print_order o on o.tenant_id = p.tenant_id and o.id = p.order_id
      where p.tenant_id = ${tenant} and p.amount_fen <> o.amount_fen
      union all select o.order_no from sys.refund f
      join biz.print_order o on o.tenant_id = f.tenant_id and o.id = f.order_id
      where f.tenant_id = ${tenant} and f.amount_fen > o.amount_fen`,
  ],
  [
    'N9 what was asked of the provider stands in the outbox',
    (tenant) => sql`
      select o.order_no as what from biz.print_order o
      where o.tenant_id = ${tenant} and o.state <> 'FREE'
        and not ${existsOutboxEntry(tenant, sql`w.key = 'create:' || o.order_no`)}
      union all select o.order_no from biz.print_order o
      where o.tenant_id = ${tenant} and o.state in ('CLOSING', 'CLOSED', 'FAILED')
        and not ${existsOutboxEntry(tenant, sql`w.key = 'close:' || o.order_no`)}
      union all select f.refund_no from sys.refund f
      where f.tenant_id = ${tenant} and f.state in ('DUE', 'SENT', 'DONE')
        and not ${existsOutboxEntry(tenant, sql`w.key = 'refund:' || f.refund_no`)}
      union all select o.order_no from biz.print_order o
      where o.tenant_id = ${tenant} and o.state in ('CREATING', 'CLOSING')
        and not ${existsOutboxEntry(tenant, sql`w.order_id = o.id and w.done_at is null`)}`,
  ],
  [
    'N12 paid once for a report',
    (tenant) => sql`
      select student_id || '/' || report_id as what from biz.print_order
      where tenant_id = ${tenant} and state = 'PAID'
      group by student_id, report_id having count(*) > 1
      union all select student_id || '/' || report_id from sys.entitlement
      where tenant_id = ${tenant} and revoked_at is null
      group by student_id, report_id having count(*) > 1`,
  ],
]
const acknowledged = 'N10 what was acknowledged is in the books'

function existsRefund(tenant: RawBuilder<unknown>, states: readonly string[]): RawBuilder<unknown> {
  return sql`exists (
    select 1 from sys.refund f
    where f.tenant_id = ${tenant} and f.order_id = o.id and f.state in (${sql.join(states)}))`
}

function existsOutboxEntry(
  tenant: RawBuilder<unknown>,
  what: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`exists (select 1 from sys.pay_outbox w where w.tenant_id = ${tenant} and ${what})`
}

export interface Violation {
  readonly invariant: string
  readonly rows: readonly string[]
}

/** The violated invariants with the rows that violate them. Empty when all hold. */
export async function checkInvariants(services: Pick<Services, 'database'>): Promise<Violation[]> {
  const { kysely } = services.database
  const broken = new Map<string, string[]>()
  const add = (invariant: string, rows: readonly string[]) => {
    if (rows.length > 0) broken.set(invariant, [...(broken.get(invariant) ?? []), ...rows])
  }
  const schools = await schoolIds(services)
  for (const [invariant, query] of checks)
    for (const tenant of schools) {
      const { rows } = await query(sql`${tenant}::int8`).execute(kysely)
      add(
        invariant,
        rows.map(({ what }) => String(what)),
      )
    }
  add(acknowledged, await listUnbookedNotices(services, schools))
  return [...broken].map(([invariant, rows]) => ({ invariant, rows: rows.slice(0, 20) }))
}

/** Order numbers of acknowledged notices without a payment in any school. */
async function listUnbookedNotices(
  { database: { kysely } }: Pick<Services, 'database'>,
  schools: readonly string[],
): Promise<string[]> {
  const notices = await kysely
    .selectFrom('sys.pay_notice')
    .select('order_no')
    .where('outcome', 'in', ['paid', 'refund', 'repeat'])
    .execute()
  const left = new Set(notices.flatMap(({ order_no }) => (order_no === null ? [] : [order_no])))
  for (const tenant of schools) {
    const { rows } = await sql<{ order_no: string }>`
      select o.order_no from sys.payment p
      join biz.print_order o on o.tenant_id = p.tenant_id and o.id = p.order_id
      where p.tenant_id = ${tenant}::int8 and o.order_no = any(${[...left]}::text[])`.execute(
      kysely,
    )
    for (const { order_no } of rows) left.delete(order_no)
  }
  return [...left]
}

export const invariantNames: readonly string[] = [...checks.map(([name]) => name), acknowledged]
