// The table of jobs: who holds one, and how far it is. Every step of a run proves in its own transaction that the lease is still its own.
import type { Message, SheetInfo } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Services } from '../../context.ts'
import type { AnyDatabase } from '../../entities/read/rows.ts'
import { databaseOf } from '../../entities/read/rows.ts'
import {
  type AnyJob,
  type BulkOptions,
  type JobKind,
  type JobOptions,
  type JobRecord,
  LeaseLost,
} from '../../entities/import/job.ts'

type Db = Pick<Services, 'database'>
/** How long a silent run keeps its job; R2 wants no job stuck for more than a minute. */
export const leaseSeconds = 15
/** What was interrupted waits this long for a person to resume it, then goes on by itself. */
export const graceSeconds = 15
export const maxAttempts = 6

const columns = sql`id::text as id, tenant_id::text as tenant_id, user_id::text as user_id, kind, tag, status, phase, options, file, sheet, message, locale, total, done, inserted, updated, fresh, changed, same, wrong,
  written_to, attempts, interrupted_at, cancel_asked, create_time, start_time, end_time, file_gone`

export async function readJob(services: Db, id: string): Promise<AnyJob | undefined> {
  const { rows } = await sql<AnyJob>`select ${columns} from sys.job where id = ${id}::int8`.execute(
    databaseOf(services),
  )
  return rows[0]
}

export async function listJobs(
  services: Db,
  tenant: string,
  user: string,
  tag: string | undefined,
  size: number,
  offset: number,
): Promise<{ jobs: JobRecord[]; total: number }> {
  const db = databaseOf(services)
  const where = sql`kind = 'import' and tenant_id = ${tenant}::int8 and user_id = ${user}::int8 and (${tag ?? null}::text is null or tag = ${tag ?? null}::text)`
  const { rows } =
    await sql<JobRecord>`select ${columns} from sys.job where ${where} order by id desc limit ${size} offset ${offset}`.execute(
      db,
    )
  const { rows: counted } = await sql<{
    n: string | number
  }>`select count(*) as n from sys.job where ${where}`.execute(db)
  return { jobs: rows, total: Number(counted[0]?.n ?? 0) }
}

/** Takes the oldest job of a kind that waits. */
export async function claimJob(
  services: Db,
  token: string,
  kind: JobKind,
): Promise<AnyJob | undefined> {
  const { rows } = await sql<AnyJob>`
    update sys.job set status = 'running', lease_token = ${token}, lease_until = now() + ${leaseSeconds}::int * interval '1 second', attempts = attempts + 1, interrupted_at = null, start_time = coalesce(start_time, now()), end_time = null, message = null
    where id = (select id from sys.job where status = 'queued' and kind = ${kind} order by id limit 1 for update skip locked) returning ${columns}`.execute(
    databaseOf(services),
  )
  return rows[0]
}

/** Keeps the lease from running out during long work. False when it is somebody else's. */
export async function renewLease(db: AnyDatabase, id: string, token: string): Promise<boolean> {
  const { rows } =
    await sql`update sys.job set lease_until = now() + ${leaseSeconds}::int * interval '1 second' where id = ${id}::int8 and lease_token = ${token} and status = 'running' returning 1`.execute(
      db,
    )
  return rows.length > 0
}

/** What a step changes of its job. */
export type JobPatch = Partial<{
  status: JobRecord['status']
  phase: JobRecord['phase']
  message: Message | null
  sheet: SheetInfo
  options: JobOptions | BulkOptions
  total: number
  done: number
  fresh: number
  changed: number
  same: number
  wrong: number
  inserted: number
  updated: number
  written_to: number
  attempts: number
}>
const counters = [
  'total',
  'done',
  'fresh',
  'changed',
  'same',
  'wrong',
  'inserted',
  'updated',
  'written_to',
  'attempts',
] as const

/** A step of the run that holds `token`, in the step's own transaction. @throws LeaseLost; true when the person asked to cancel */
export async function stepJob(
  db: AnyDatabase,
  id: string,
  token: string,
  patch: JobPatch,
): Promise<boolean> {
  const { rows } = await sql<{ cancel_asked: boolean }>`
    update sys.job set ${sql.join([sql`lease_until = now() + ${leaseSeconds}::int * interval '1 second'`, ...settersOf(patch)].filter((_setter, i) => i > 0 || patch.status === undefined || patch.status === 'running'))}
    where id = ${id}::int8 and lease_token = ${token} and status = 'running' returning cancel_asked`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new LeaseLost()
  return row.cancel_asked
}

function settersOf(patch: JobPatch) {
  return [
    ...counters.flatMap((name) =>
      patch[name] === undefined ? [] : [sql`${sql.id(name)} = ${patch[name]}::int4`],
    ),
    ...(patch.status === undefined ? [] : [sql`status = ${patch.status}`]),
    ...(patch.phase === undefined ? [] : [sql`phase = ${patch.phase}`]),
    ...(patch.message === undefined
      ? []
      : [sql`message = ${patch.message === null ? null : JSON.stringify(patch.message)}::jsonb`]),
    ...(patch.sheet === undefined ? [] : [sql`sheet = ${JSON.stringify(patch.sheet)}::jsonb`]),
    ...(patch.options === undefined
      ? []
      : [sql`options = ${JSON.stringify(patch.options)}::jsonb`]),
    ...(patch.status === undefined || patch.status === 'running'
      ? []
      : [sql`lease_token = null`, sql`lease_until = null`]),
    ...(patch.status === 'done' || patch.status === 'failed' || patch.status === 'cancelled'
      ? [sql`end_time = now()`]
      : []),
  ]
}

/** A change by a person: only while the job stands in one of these states. False when it no longer does. */
export async function changeJob(
  services: Db,
  id: string,
  from: readonly JobRecord['status'][],
  patch: JobPatch & { cancelAsked?: boolean },
): Promise<boolean> {
  const setters = [
    ...settersOf(patch),
    ...(patch.cancelAsked === undefined ? [] : [sql`cancel_asked = ${patch.cancelAsked}`]),
    ...(patch.status === 'queued' ? [sql`interrupted_at = null`, sql`cancel_asked = false`] : []),
  ]
  const { rows } =
    await sql`update sys.job set ${sql.join(setters)} where id = ${id}::int8 and status = any(${[...from]}::text[]) returning 1`.execute(
      databaseOf(services),
    )
  return rows.length > 0
}

const interrupted = JSON.stringify({ key: 'transfer.job.interrupted' } satisfies Message)
const gaveUp = JSON.stringify({ key: 'transfer.job.gaveUp' } satisfies Message)

/** Jobs whose run has died wait for their person, then are taken up again; one that dies every time is given up. `all`: nobody else can be running any. */
export async function reviveJobs(
  services: Db,
  kind: JobKind,
  own: readonly string[],
  all: boolean,
): Promise<void> {
  const db = databaseOf(services)
  const mine = sql`kind = ${kind}`
  await sql`update sys.job set status = 'paused', interrupted_at = now(), message = ${interrupted}::jsonb, lease_token = null, lease_until = null
    where ${mine} and status = 'running' and (${all}::boolean or lease_until < now()) and not id::text = any(${[...own]}::text[])`.execute(
    db,
  )
  await sql`update sys.job set status = 'failed', end_time = now(), message = ${gaveUp}::jsonb, interrupted_at = null where ${mine} and status = 'paused' and interrupted_at is not null and attempts >= ${maxAttempts}::int4`.execute(
    db,
  )
  await sql`update sys.job set status = 'queued', interrupted_at = null where ${mine} and status = 'paused' and interrupted_at < now() - ${graceSeconds}::int * interval '1 second'`.execute(
    db,
  )
}

/** Puts down what this process runs, so that the next start, or another instance, takes it up at once. */
export async function putDown(services: Db, id: string, token: string): Promise<void> {
  await sql`update sys.job set status = 'paused', interrupted_at = now(), message = ${interrupted}::jsonb, lease_token = null, lease_until = null, attempts = greatest(attempts - 1, 0) where id = ${id}::int8 and lease_token = ${token}`.execute(
    databaseOf(services),
  )
}
