// Wishes to the provider, written down in the transaction that makes them necessary (docs/rules/security.md#n9).
import { sql } from 'kysely'
import type { Services } from '../context.ts'
import type { OutboxKind } from '../platform/database/tables-student.ts'

type Db = Services['database']['kysely']
export interface OutboxOrder {
  readonly id: string
  readonly tenant_id: string
  readonly order_no: string
}

/** Longer than the longest call with its tries; after it, a wish whose server died is anybody's. */
const leaseMs = 30_000

/** One wish of its key for ever: asked twice it stands once. */
export async function wish(
  db: Db,
  { newId, now }: Pick<Services, 'newId' | 'now'>,
  order: OutboxOrder,
  kind: OutboxKind,
  { afterMs = 0, refund }: { afterMs?: number; refund?: { id: string; refund_no: string } } = {},
): Promise<void> {
  await db
    .insertInto('sys.pay_outbox')
    .values({
      id: newId(),
      tenant_id: order.tenant_id,
      order_id: order.id,
      kind,
      key: `${kind}:${refund?.refund_no ?? order.order_no}`,
      refund_id: refund?.id ?? null,
      next_at: new Date(now().getTime() + afterMs),
      create_time: now(),
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** Ends wishes that came true by another way. */
export async function fulfil(
  db: Db,
  { now }: Pick<Services, 'now'>,
  orderId: string,
  kinds: readonly OutboxKind[],
): Promise<void> {
  await db
    .updateTable('sys.pay_outbox')
    .set({ done_at: now(), leased_until: null })
    .where('order_id', '=', orderId)
    .where('kind', 'in', kinds)
    .where('done_at', 'is', null)
    .execute()
}

const columns = ['id', 'order_id', 'kind', 'refund_id', 'attempts', 'create_time'] as const
export interface Wish {
  readonly id: string
  readonly order_id: string
  readonly kind: OutboxKind
  readonly refund_id: string | null
  readonly attempts: number
  readonly create_time: string
}

/** Takes up to `most` wishes whose time has come; nobody else gets them while the lease lasts. */
export function claimDue({ database: { kysely }, now }: Services, most: number): Promise<Wish[]> {
  const at = now().toISOString()
  return kysely
    .updateTable('sys.pay_outbox')
    .set({ leased_until: new Date(now().getTime() + leaseMs), attempts: sql`attempts + 1` })
    .where('id', 'in', (q) =>
      q
        .selectFrom('sys.pay_outbox')
        .select('id')
        .where('done_at', 'is', null)
        .where('next_at', '<=', at)
        .where((e) => e.or([e('leased_until', 'is', null), e('leased_until', '<', at)]))
        .orderBy('next_at')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning(columns)
    .execute()
}

/** Takes one wish of an order, whether or not its time has come. Undefined: there is none, or somebody is at it. */
export function claimOf(
  { database: { kysely }, now }: Services,
  orderId: string,
  kind: OutboxKind,
): Promise<Wish | undefined> {
  const at = now().toISOString()
  return kysely
    .updateTable('sys.pay_outbox')
    .set({ leased_until: new Date(now().getTime() + leaseMs), attempts: sql`attempts + 1` })
    .where('order_id', '=', orderId)
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .where((e) => e.or([e('leased_until', 'is', null), e('leased_until', '<', at)]))
    .returning(columns)
    .executeTakeFirst()
}

/** The wish came true. */
export async function done(
  db: Db,
  { now }: Pick<Services, 'now'>,
  id: string,
  failure: string | null = null,
): Promise<void> {
  await db
    .updateTable('sys.pay_outbox')
    .set({ done_at: now(), leased_until: null, failure })
    .where('id', '=', id)
    .execute()
}
/** It did not, this time. */
export async function again(
  db: Db,
  { now }: Pick<Services, 'now'>,
  id: string,
  afterMs: number,
  failure: string | null = null,
): Promise<void> {
  await db
    .updateTable('sys.pay_outbox')
    .set({ next_at: new Date(now().getTime() + afterMs), leased_until: null, failure })
    .where('id', '=', id)
    .execute()
}
/** Leases of a server that is no more; only where there is one server, as on the embedded database. */
export async function releaseAll({ database: { kysely } }: Services): Promise<void> {
  await kysely
    .updateTable('sys.pay_outbox')
    .set({ leased_until: null })
    .where('done_at', 'is', null)
    .where('leased_until', 'is not', null)
    .execute()
}
