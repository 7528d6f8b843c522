// Calls to the payment provider, stored in the transaction that makes them necessary (docs/rules/security.md#n9).
// Times are the server's clock, which tests move.
import { sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import type { OutboxKind } from '../../platform/database/tables/tables-student.ts'
import type { Claimed, JobStore } from '../../platform/jobs/job-handler.ts'
import { type Lease, LeaseLost } from '../../platform/jobs/lease.ts'
import { backoffMs, failureText } from './backoff.ts'
import { findDue, inEachSchool } from '../../platform/database/schools.ts'

type Db = Services['database']['kysely']
type OrderKey = Pick<OutboxOrder, 'tenant_id' | 'id'>
type Clock = Pick<Services, 'now'>

export interface OutboxOrder {
  readonly id: string
  readonly tenant_id: string
  readonly order_no: string
}

/** A call to make. `attempts` counts its claims, the present one included. */
export interface OutboxEntry {
  readonly id: string
  readonly tenant_id: string
  readonly order_id: string
  readonly kind: OutboxKind
  readonly refund_id: string | null
  readonly attempts: number
  readonly create_time: string
}
const columns = [
  'id',
  'tenant_id',
  'order_id',
  'kind',
  'refund_id',
  'attempts',
  'create_time',
] as const

interface EnqueueOptions {
  /** Milliseconds until the call is due. */
  readonly afterMs?: number
  readonly refund?: { readonly id: string; readonly refund_no: string }
}

/** Adds a call. There is only ever one of a kind for an order, or for a refund; repeating it changes nothing. */
export async function enqueue(
  db: Db,
  { newId, now }: Pick<Services, 'newId' | 'now'>,
  order: OutboxOrder,
  kind: OutboxKind,
  { afterMs = 0, refund }: EnqueueOptions = {},
): Promise<void> {
  lastAdded = performance.now()
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
    .onConflict((conflict) => conflict.columns(['tenant_id', 'key']).doNothing())
    .execute()
}

/** Completes calls of an order that another event has made unnecessary, also those under way. */
export async function completeAll(
  db: Db,
  { now }: Clock,
  order: OrderKey,
  kinds: readonly OutboxKind[],
): Promise<void> {
  await db
    .updateTable('sys.pay_outbox')
    .set({ done_at: now(), leased_until: null })
    .where('tenant_id', '=', order.tenant_id)
    .where('order_id', '=', order.id)
    .where('kind', 'in', kinds)
    .where('done_at', 'is', null)
    .execute()
}

/** Ends a call. @throws LeaseLost */
export function completeEntry(
  db: Db,
  { now }: Clock,
  lease: Lease,
  failure: string | null = null,
): Promise<void> {
  return changeLeased(db, lease, { done_at: now(), leased_until: null, failure })
}

/** Makes the call due again after so many milliseconds. @throws LeaseLost */
export function retryEntry(
  db: Db,
  { now }: Clock,
  lease: Lease,
  afterMs: number,
  failure: string | null = null,
): Promise<void> {
  lastAdded = performance.now()
  const next_at = new Date(now().getTime() + afterMs)
  return changeLeased(db, lease, { next_at, leased_until: null, failure })
}

/** Extends the lease. @throws LeaseLost */
export function renewEntry(db: Db, clock: Clock, lease: Lease): Promise<void> {
  return changeLeased(db, lease, { leased_until: leaseEnd(clock) })
}

interface EntryPatch {
  readonly done_at?: Date
  readonly next_at?: Date
  readonly leased_until: Date | null
  readonly failure?: string | null
}

/** The number of the attempt is the lease's token: every claim counts it up. */
async function changeLeased(
  db: Db,
  { tenant, id, token }: Lease,
  patch: EntryPatch,
): Promise<void> {
  const changed = await db
    .updateTable('sys.pay_outbox')
    .set(patch)
    .where('tenant_id', '=', tenant)
    .where('id', '=', id)
    .where('attempts', '=', Number(token))
    .where('done_at', 'is', null)
    .where('leased_until', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (changed === undefined) throw new LeaseLost()
}

const leaseMs = 30_000

function leaseEnd({ now }: Clock): Date {
  return new Date(now().getTime() + leaseMs)
}

/** Leases one call of an order, due or not. Undefined: there is none, or another worker holds it. */
export async function claimEntry(
  { database: { kysely }, now }: Services,
  order: OrderKey,
  kind: OutboxKind,
): Promise<Claimed<OutboxEntry> | undefined> {
  const at = now().toISOString()
  const entry = await kysely
    .updateTable('sys.pay_outbox')
    .set({ leased_until: leaseEnd({ now }), attempts: sql`attempts + 1` })
    .where('tenant_id', '=', order.tenant_id)
    .where('order_id', '=', order.id)
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .where((e) => e.or([e('leased_until', 'is', null), e('leased_until', '<', at)]))
    .returning(columns)
    .executeTakeFirst()
  return entry === undefined ? undefined : asClaimed(entry)
}

function asClaimed(entry: OutboxEntry): Claimed<OutboxEntry> {
  return {
    lease: { tenant: entry.tenant_id, id: entry.id, token: String(entry.attempts) },
    job: entry,
  }
}

export const outboxStore: JobStore<OutboxEntry, Services> = {
  claim: claimDue,
  renew: async (services, lease) => {
    await renewEntry(services.database.kysely, services, lease)
    return true
  },
  suspend: (services, claimed) => backOff(services, claimed, null),
  fail: (services, claimed, error) => backOff(services, claimed, failureText(error)),
  // An expired lease is claimable as it is; only leases of an earlier process of the same server are cut short.
  recover: async (services, { alone }) => {
    if (alone) await releaseAll(services)
    return true
  },
  isQuiet: ({ database, now }) =>
    performance.now() - lastAdded > quietMs &&
    now().getTime() < (quietUntil.get(database) ?? Number.NEGATIVE_INFINITY),
}

/**
 * Until when no call is due, as far as this server knows. Calls of another server, and those that a server left when it
 * ended, are found so much later at most.
 */
const quietUntil = new WeakMap<Services['database'], number>()
const quietMs = 5_000
/** When this process last added or postponed a call, by `performance.now()`: its transaction may not have ended yet. */
let lastAdded = Number.NEGATIVE_INFINITY

/** Finds calls that are due among all schools, then takes each in its own school if it is still free. */
async function claimDue(services: Services, count: number): Promise<Claimed<OutboxEntry>[]> {
  const { database, now } = services
  const { kysely } = database
  const at = now().toISOString()
  const open = await findDue(services, 'looking for calls to the payment provider', (tenant) =>
    kysely
      .selectFrom('sys.pay_outbox')
      .select(['id', 'tenant_id', 'next_at'])
      .$if(tenant !== null, (query) => query.where('tenant_id', '=', tenant ?? ''))
      .where('done_at', 'is', null)
      .where((e) => e.or([e('leased_until', 'is', null), e('leased_until', '<', at)]))
      .orderBy('next_at')
      .limit(count)
      .execute(),
  )
  const times = open.map(({ next_at }) => Date.parse(next_at))
  quietUntil.set(database, Math.min(Date.parse(at) + quietMs, ...times))
  const due = open.filter((_entry, index) => (times[index] ?? 0) <= Date.parse(at))
  const claimed: Claimed<OutboxEntry>[] = []
  for (const { id, tenant_id } of due.slice(0, count)) {
    const entry = await kysely
      .updateTable('sys.pay_outbox')
      .set({ leased_until: leaseEnd({ now }), attempts: sql`attempts + 1` })
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .where((e) => e.or([e('leased_until', 'is', null), e('leased_until', '<', at)]))
      .returning(columns)
      .executeTakeFirst()
    if (entry !== undefined) claimed.push(asClaimed(entry))
  }
  return claimed
}

function backOff(
  services: Services,
  { lease, job }: Claimed<OutboxEntry>,
  failure: string | null,
): Promise<void> {
  return retryEntry(services.database.kysely, services, lease, backoffMs(job.attempts), failure)
}

async function releaseAll(services: Services): Promise<void> {
  await inEachSchool(services, 'releasing calls to the payment provider', async (tenant) => {
    await services.database.kysely
      .updateTable('sys.pay_outbox')
      .set({ leased_until: null })
      .where('tenant_id', '=', tenant)
      .where('done_at', 'is', null)
      .where('leased_until', 'is not', null)
      .execute()
  })
}
