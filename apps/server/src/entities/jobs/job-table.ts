// Reads and changes rows of sys.job. The queue claims and suspends them in `job-store.ts`.
import { Refusal } from '../../platform/refusal.ts'
import type { Message } from '@jiaowu/api/texts/index'
import type { SheetInfo } from '@jiaowu/api/contract/job'
import { type RawBuilder, sql } from 'kysely'
import type { Context, Services } from '../../model/context.ts'
import { isId } from '../../platform/id.ts'
import { type Lease, LeaseLost } from '../../platform/jobs/lease.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import type { BulkOptions, ImportOptions, ImportRecord, JobKey, LedgerJob } from './job.ts'

type HasDatabase = Pick<Services, 'database'>

/** A worker that neither steps nor renews for so long loses its job; docs/rules/requests.md#r2 allows one minute. */
export const leaseSeconds = 15

export const jobColumns = sql`
  id::text as id, tenant_id::text as tenant_id, user_id::text as user_id, kind, tag, status, phase, options, file,
  sheet, message, locale, total, done, inserted, updated, fresh, changed, same, wrong, written_to, attempts,
  interrupted_at, cancel_asked, create_time, start_time, end_time, file_gone, trace_id`

export function readJob(services: HasDatabase, key: JobKey): Promise<LedgerJob | undefined> {
  return readJobIn(databaseOf(services), key)
}

export async function readJobIn(
  db: AnyDatabase,
  { tenant_id, id }: JobKey,
): Promise<LedgerJob | undefined> {
  const { rows } = await sql<LedgerJob>`
    select ${jobColumns} from sys.job
    where tenant_id = ${tenant_id}::int8 and id = ${id}::int8`.execute(db)
  return rows[0]
}

/** The caller's own job; undefined for one of another user, and for a text that is no id. */
export async function readOwnJob(
  { database, subject }: Pick<Context, 'database' | 'subject'>,
  id: string,
): Promise<LedgerJob | undefined> {
  const { tenant, userId } = subject
  const job = isId(id) ? await readJob({ database }, { tenant_id: tenant, id }) : undefined
  return job?.user_id === userId ? job : undefined
}

/** Selects imports by their entity; without a tag those of all entities are listed. */
export interface ImportFilter {
  readonly tenant: string
  readonly user: string
  readonly tag: string | undefined
}

export async function listImports(
  services: HasDatabase,
  { tenant, user, tag }: ImportFilter,
  { size, offset }: { readonly size: number; readonly offset: number },
): Promise<{ jobs: ImportRecord[]; total: number }> {
  const db = databaseOf(services)
  const where = sql`
    kind = 'import' and tenant_id = ${tenant}::int8 and user_id = ${user}::int8
    and (${tag ?? null}::text is null or tag = ${tag ?? null}::text)`
  const { rows } = await sql<ImportRecord>`
    select ${jobColumns} from sys.job where ${where} order by id desc limit ${size} offset ${offset}`.execute(
    db,
  )
  const { rows: counted } = await sql<{ n: string | number }>`
    select count(*) as n from sys.job where ${where}`.execute(db)
  return { jobs: rows, total: Number(counted[0]?.n ?? 0) }
}

/** Changes of a step to its job. */
export type JobPatch = Partial<{
  status: LedgerJob['status']
  phase: LedgerJob['phase']
  message: Message | null
  sheet: SheetInfo
  options: ImportOptions | BulkOptions
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

/**
 * Writes a step of a run and renews its lease, or ends the lease with a status other than `running`. Call it in the
 * transaction that writes the step's rows. Returns whether the user asked to cancel. @throws LeaseLost
 */
export async function stepJob(
  db: AnyDatabase,
  { tenant, id, token }: Lease,
  patch: JobPatch,
): Promise<boolean> {
  const endsRun = patch.status !== undefined && patch.status !== 'running'
  const setters = endsRun
    ? buildSetters(patch)
    : [
        sql`lease_until = now() + ${leaseSeconds}::int * interval '1 second'`,
        ...buildSetters(patch),
      ]
  const { rows } = await sql<{ cancel_asked: boolean }>`
    update sys.job set ${sql.join(setters)}
    where tenant_id = ${tenant}::int8 and id = ${id}::int8 and lease_token = ${token} and status = 'running'
    returning cancel_asked`.execute(db)
  const [row] = rows
  if (row === undefined) throw new LeaseLost()
  return row.cancel_asked
}

function buildSetters(patch: JobPatch): RawBuilder<unknown>[] {
  const { status, phase, message, sheet, options } = patch
  const setters: RawBuilder<unknown>[] = []
  for (const name of counters)
    if (patch[name] !== undefined) setters.push(sql`${sql.id(name)} = ${patch[name]}::int4`)
  if (status !== undefined) setters.push(sql`status = ${status}`)
  if (phase !== undefined) setters.push(sql`phase = ${phase}`)
  if (message !== undefined) setters.push(sql`message = ${toJsonOrNull(message)}::jsonb`)
  if (sheet !== undefined) setters.push(sql`sheet = ${toJsonOrNull(sheet)}::jsonb`)
  if (options !== undefined) setters.push(sql`options = ${toJsonOrNull(options)}::jsonb`)
  if (status !== undefined && status !== 'running')
    setters.push(sql`lease_token = null`, sql`lease_until = null`)
  if (status === 'done' || status === 'failed' || status === 'cancelled')
    setters.push(sql`end_time = now()`)
  return setters
}

function toJsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

/** Changes a job that is in one of the `from` states. Returns false when it no longer is. */
export async function changeJob(
  db: AnyDatabase,
  { tenant_id, id }: JobKey,
  from: readonly LedgerJob['status'][],
  patch: JobPatch & { cancelAsked?: boolean },
): Promise<boolean> {
  const setters = buildSetters(patch)
  if (patch.cancelAsked !== undefined) setters.push(sql`cancel_asked = ${patch.cancelAsked}`)
  if (patch.status === 'queued') setters.push(sql`interrupted_at = null`, sql`cancel_asked = false`)
  const { rows } = await sql`
    update sys.job set ${sql.join(setters)}
    where tenant_id = ${tenant_id}::int8 and id = ${id}::int8
      and status = any(${[...from]}::text[]) returning 1`.execute(db)
  return rows.length > 0
}

/**
 * Asks a running job to stop, or cancels one that waits. A job that is cancelled already stays so.
 * @throws Refusal 409 when it is over
 */
export async function cancelJob(
  db: AnyDatabase,
  job: JobKey & Pick<LedgerJob, 'status'>,
): Promise<void> {
  if (job.status === 'running') await changeJob(db, job, ['running'], { cancelAsked: true })
  else if (
    !(await changeJob(db, job, ['queued', 'paused'], {
      status: 'cancelled',
      message: { key: 'transfer.job.cancelled' },
    })) &&
    job.status !== 'cancelled'
  )
    throw new Refusal(409, { key: 'transfer.job.over' })
}
