// Leases on rows of sys.job. Times are the database's, so that servers with different clocks agree on them.
import type { Message } from '@jiaowu/api/texts/index'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Services } from '../../model/context.ts'
import type { Claimed, JobStore, RecoverOptions } from '../../platform/jobs/job-handler.ts'
import type { Lease } from '../../platform/jobs/lease.ts'
import { findDue } from '../../platform/database/schools.ts'
import { nameStore } from '../../platform/files/folder-mark.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import type { JobKey, LedgerJobKind, LedgerJobs } from './job.ts'
import { jobColumns, leaseSeconds, stepJob } from './job-table.ts'

type HasDatabase = Pick<Services, 'database' | 'log'>
type Claiming = Pick<Services, 'database' | 'log' | 'settings'>

/** An interrupted job waits so long for its user to resume it, then is queued again. */
const graceSeconds = 15
/** A job whose worker dies so many times fails. */
export const maxAttempts = 6

const interrupted = JSON.stringify({ key: 'transfer.job.interrupted' } satisfies Message)
const gaveUp = JSON.stringify({ key: 'transfer.job.gaveUp' } satisfies Message)

export function jobStore<Kind extends LedgerJobKind>(kind: Kind): JobStore<LedgerJobs[Kind]> {
  return {
    claim: (services, count) => claimJobs(services, kind, count),
    renew: renewLease,
    suspend: (services, { lease }) => suspendJob(services, lease),
    fail: async (services, { lease }) => {
      await stepJob(databaseOf(services), lease, {
        status: 'failed',
        message: { key: 'transfer.job.fault' },
      })
    },
    recover: (services, options) => recoverJobs(services, kind, options),
  }
}

/**
 * Leases the oldest queued jobs of a kind whose file is here: finds them among all schools, then takes each in its own
 * school if it is still free.
 */
export async function claimJobs<Kind extends LedgerJobKind>(
  services: Claiming,
  kind: Kind,
  count: number,
): Promise<Claimed<LedgerJobs[Kind]>[]> {
  const db = databaseOf(services)
  const found = await findDue(services, 'looking for jobs', async (tenant) => {
    const { rows } = await sql<JobKey & { at: string }>`
      select id::text as id, tenant_id::text as tenant_id, now() as at from sys.job
      where ${ofSchool(tenant)} status = 'queued' and kind = ${kind} ${hasFileHere(services)}
      order by id limit ${count}`.execute(db)
    return rows
  })
  const claimed: Claimed<LedgerJobs[Kind]>[] = []
  for (const { tenant_id, id, at } of found.slice(0, count)) {
    const token = randomUUID()
    const { rows } = await sql<LedgerJobs[Kind]>`
      update sys.job set status = 'running', lease_token = ${token},
        lease_until = now() + ${leaseSeconds}::int * interval '1 second',
        attempts = attempts + 1, interrupted_at = null,
        start_time = coalesce(start_time, ${at}::timestamptz), end_time = null, message = null
      where tenant_id = ${tenant_id}::int8 and id = ${id}::int8 and status = 'queued'
      returning ${jobColumns}`.execute(db)
    for (const job of rows)
      claimed.push({
        lease: { tenant: tenant_id, id, token },
        job,
        ...(job.trace_id !== null && { trace: job.trace_id }),
      })
  }
  return claimed
}

/**
 * Leaves a job to the servers whose store has its file. After an hour any of them may try: the files may have been
 * moved to another store.
 */
function hasFileHere({ settings }: Claiming) {
  const store = nameStore(settings)
  return store === null
    ? sql``
    : sql`and (coalesce(file ->> 'store', ${store}) = ${store} or create_time < now() - interval '1 hour')`
}

function ofSchool(tenant: string | null) {
  return tenant === null ? sql`` : sql`tenant_id = ${tenant}::int8 and`
}

/** Extends a lease during long work. Returns false when it is lost. */
export async function renewLease(
  services: HasDatabase,
  { tenant, id, token }: Lease,
): Promise<boolean> {
  const { rows } = await sql`
    update sys.job set lease_until = now() + ${leaseSeconds}::int * interval '1 second'
    where tenant_id = ${tenant}::int8 and id = ${id}::int8 and lease_token = ${token}
      and status = 'running'
    returning 1`.execute(databaseOf(services))
  return rows.length > 0
}

/** Interrupts a job without counting the attempt, so that this or another server can take it at once. */
async function suspendJob(services: HasDatabase, { tenant, id, token }: Lease): Promise<void> {
  await sql`
    update sys.job set status = 'paused', interrupted_at = now(), message = ${interrupted}::jsonb,
      lease_token = null, lease_until = null, attempts = greatest(attempts - 1, 0)
    where tenant_id = ${tenant}::int8 and id = ${id}::int8
      and lease_token = ${token}`.execute(databaseOf(services))
}

/**
 * Interrupts jobs whose lease ran out, fails those with too many attempts, and queues the rest after the grace. False
 * when no job runs or waits.
 */
export async function recoverJobs(
  services: HasDatabase,
  kind: LedgerJobKind,
  { running, alone }: RecoverOptions,
): Promise<boolean> {
  const db = databaseOf(services)
  const schools = await findDue(services, 'looking for interrupted jobs', async (school) => {
    const { rows } = await sql<{ tenant: string; queued: boolean }>`
      select distinct tenant_id::text as tenant, status = 'queued' as queued from sys.job
      where ${ofSchool(school)} kind = ${kind}
        and (status in ('running', 'queued') or status = 'paused' and interrupted_at is not null)`.execute(
      db,
    )
    return rows
  })
  for (const { tenant } of schools.filter(({ queued }) => !queued)) {
    await sql`
      update sys.job set status = 'paused', interrupted_at = now(), message = ${interrupted}::jsonb,
        lease_token = null, lease_until = null
      where tenant_id = ${tenant}::int8 and kind = ${kind} and status = 'running'
        and (${alone}::boolean or lease_until < now())
        and not id::text = any(${[...running]}::text[])`.execute(db)
    await sql`
      update sys.job set status = 'failed', end_time = now(), message = ${gaveUp}::jsonb,
        interrupted_at = null
      where tenant_id = ${tenant}::int8 and kind = ${kind} and status = 'paused'
        and interrupted_at is not null and attempts >= ${maxAttempts}::int4`.execute(db)
    await sql`
      update sys.job set status = 'queued', interrupted_at = null
      where tenant_id = ${tenant}::int8 and kind = ${kind} and status = 'paused'
        and interrupted_at < now() - ${graceSeconds}::int * interval '1 second'`.execute(db)
  }
  return schools.length > 0
}
