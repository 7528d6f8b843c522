// Tasks of a table as a job store: due at a time, leased by the number of their claim, tried again later and later.
// The table has `id`, `next_at`, `leased_until`, `attempts`, `done_at` and `failure`. Times are the server's clock.
import { cutText } from '@jiaowu/api/cut-text'
import { type RawBuilder, sql } from 'kysely'
import type { PlatformServices } from '../context.ts'
import type { AnyDatabase } from '../database/any-database.ts'
import { findDue, inEachSchool } from '../database/schools.ts'
import type { Claimed, JobStore } from './job-handler.ts'
import { type Lease, LeaseLost } from './lease.ts'

/** Columns that every task has. */
export interface Task {
  readonly tenant_id: string
  readonly id: string
  readonly attempts: number
}

interface TaskStore<Job> {
  readonly store: JobStore<Job>
  /** Ends the task in the transaction of its outcome. @throws LeaseLost */
  readonly complete: (db: AnyDatabase, now: Date, lease: Lease, failure?: string) => Promise<void>
}

interface TaskTable {
  /** `sys.notice_task` */
  readonly table: string
  /** For the log: `looking for notices to send`. */
  readonly purpose: string
  /** The attempt after which a task that fails is given up. */
  readonly most: number
  /** A condition besides the time, over the columns of the table. @param tenant null: of any school */
  readonly ready?: (tenant: string | null) => RawBuilder<unknown>
}

const leaseMs = 60_000

export function createTaskStore<Job extends Task>({
  table,
  purpose,
  most,
  ready,
}: TaskTable): TaskStore<Job> {
  const tasks = sql.table(table)
  const change = async (
    db: AnyDatabase,
    { tenant, id, token }: Lease,
    set: RawBuilder<unknown>,
  ) => {
    const { rows } = await sql`
      update ${tasks} set ${set} where tenant_id = ${tenant}::int8 and id = ${id}::int8
        and attempts = ${Number(token)}::int4 and done_at is null and leased_until is not null
      returning id`.execute(db)
    if (rows.length !== 1) throw new LeaseLost()
  }
  const complete: TaskStore<Job>['complete'] = (db, now, lease, failure) =>
    change(
      db,
      lease,
      sql`done_at = ${now.toISOString()}::timestamptz, leased_until = null, failure = ${failure ?? null}::text`,
    )
  const retry = async (
    { database: { untyped }, now }: PlatformServices,
    { lease, job }: Claimed<Job>,
    failure: string | null,
  ) => {
    if (failure !== null && job.attempts >= most) return complete(untyped, now(), lease, failure)
    const next = later(now(), failure === null ? 0 : findPause(job.attempts))
    return change(
      untyped,
      lease,
      sql`next_at = ${next}::timestamptz, leased_until = null, failure = ${failure}::text`,
    )
  }
  return {
    complete,
    store: {
      claim: (services, count) =>
        claimDue<Job>(services, { table, purpose, ...(ready !== undefined && { ready }) }, count),
      renew: async ({ database: { untyped }, now }, lease) => {
        await change(untyped, lease, sql`leased_until = ${later(now(), leaseMs)}::timestamptz`)
        return true
      },
      suspend: (services, claimed) => retry(services, claimed, null),
      fail: (services, claimed, error) => retry(services, claimed, formatFailure(error)),
      recover: async (services, { alone }) => {
        if (alone)
          await inEachSchool(services, purpose, async (tenant) => {
            await sql`update ${tasks} set leased_until = null where tenant_id = ${tenant}::int8
              and done_at is null and leased_until is not null`.execute(services.database.untyped)
          })
        return true
      },
    },
  }
}

/** Finds tasks that are due among all schools, then takes each in its own school if it is still free. */
async function claimDue<Job extends Task>(
  services: PlatformServices,
  { table, purpose, ready }: Omit<TaskTable, 'most'>,
  count: number,
): Promise<Claimed<Job>[]> {
  const { untyped } = services.database
  const tasks = sql.table(table)
  const now = services.now()
  const free = sql`done_at is null and next_at <= ${now.toISOString()}::timestamptz
    and (leased_until is null or leased_until < ${now.toISOString()}::timestamptz)`
  const isReady = (tenant: string | null) =>
    ready === undefined ? sql`` : sql`and ${ready(tenant)}`
  const due = await findDue(services, purpose, async (tenant) => {
    const own = tenant === null ? sql`` : sql`and tenant_id = ${tenant}::int8`
    const { rows } = await sql<Pick<Task, 'id' | 'tenant_id'>>`
      select id, tenant_id from ${tasks} where ${free} ${own} ${isReady(tenant)} order by next_at limit ${count}`.execute(
      untyped,
    )
    return rows
  })
  const claimed: Claimed<Job>[] = []
  for (const { id, tenant_id } of due.slice(0, count)) {
    const { rows } = await sql<Job>`
      update ${tasks} set leased_until = ${later(now, leaseMs)}::timestamptz, attempts = attempts + 1
      where tenant_id = ${tenant_id}::int8 and id = ${id}::int8 and ${free}
        ${isReady(tenant_id)} returning *`.execute(untyped)
    claimed.push(
      ...rows.map((job) => ({
        job,
        lease: { tenant: tenant_id, id, token: String(job.attempts) },
      })),
    )
  }
  return claimed
}

function later(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString()
}

/** Milliseconds until the next attempt, after so many: 10 s, then three times as long each, an hour at most. */
function findPause(attempts: number): number {
  return Math.min(10_000 * 3 ** (attempts - 1), 3_600_000)
}

/** Without the message, which may name a person. */
function formatFailure(error: unknown): string {
  const { name = 'unknown', code } = (error ?? {}) as { name?: unknown; code?: unknown }
  return cutText([name, ...(code === undefined ? [] : [code])].map(String).join(' '), 200)
}
