// All jobs and tasks of a school with their errors, for administrators.
import type { WatchedJob, watchedKinds, watchedStates } from '@jiaowu/api/contract/watched-job'
import { type Message, messageText } from '@jiaowu/api/texts/index'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'

interface Asked {
  readonly kind?: (typeof watchedKinds)[number] | undefined
  readonly state?: (typeof watchedStates)[number] | undefined
}
interface Page {
  readonly size: number
  readonly offset: number
}
interface Row extends Omit<WatchedJob, 'entityName' | 'error'> {
  /** Text of a task; a message of a job, whose text depends on the language. */
  readonly failure: string | null
  readonly message: Message | null
}

const taskTables = {
  payment: 'sys.pay_outbox',
  notice: 'sys.notice_task',
  timer: 'sys.flow_timer',
  proof: 'sys.flow_proof',
} as const

/** Open work first by its kind of end: done, failed, or the state that it is in. */
export async function watchJobs(
  context: Context,
  asked: Asked,
  { size, offset }: Page,
): Promise<{ records: WatchedJob[]; total: number }> {
  const { tenant } = context.subject
  const found = sql`
    from (${selectJobs(tenant)} union all ${selectTasks(tenant)}) w
    where (${asked.kind ?? null}::text is null or w.kind = ${asked.kind ?? null}::text)
      and (${asked.state ?? null}::text is null or w.state = ${asked.state ?? null}::text)`
  const db = databaseOf(context)
  const { rows } = await sql<Row>`
    select w.* ${found} order by w.id::int8 desc limit ${size} offset ${offset}`.execute(db)
  const { rows: counted } = await sql<{ n: string | number }>`
    select count(*) as n ${found}`.execute(db)
  const records: WatchedJob[] = []
  for (const row of rows) records.push(await presentRow(context, row))
  return { records, total: Number(counted[0]?.n ?? 0) }
}

async function presentRow(
  { registry, subject: { tenant }, locale }: Context,
  { failure, message, ...row }: Row,
): Promise<WatchedJob> {
  const entity = row.tag === null ? undefined : await registry.find(tenant, row.tag)
  return {
    ...row,
    entityName: entity?.definition.name ?? null,
    error: message === null ? failure : messageText(locale, message),
  }
}

function selectJobs(tenant: string): RawBuilder<unknown> {
  return sql`
    select j.id::text as id, j.kind, j.status as state, j.tag, u.account, j.done, j.total, j.attempts,
      null::text as failure, j.message, j.create_time as at, j.start_time as "startedAt",
      j.end_time as "endedAt", j.trace_id as "traceId"
    from sys.job j
    left join sys.app_user u on u.tenant_id = j.tenant_id and u.id = j.user_id
    where j.tenant_id = ${tenant}::int8`
}

/** Tasks that have ended well are left out: there is one for each notice and each payment. */
function selectTasks(tenant: string): RawBuilder<unknown> {
  return sql.join(
    Object.entries(taskTables).map(
      ([kind, table]) => sql`
        select t.id::text as id, ${sql.lit(kind)} as kind, case when t.done_at is not null then 'failed'
            when t.leased_until > now() then 'running' else 'queued' end as state,
          null::text as tag, null::text as account, 0 as done, 0 as total, t.attempts, t.failure,
          null::jsonb as message, t.next_at as at, null::timestamptz as "startedAt",
          t.done_at as "endedAt", null::text as "traceId"
        from ${sql.table(table)} t
        where t.tenant_id = ${tenant}::int8 and (t.done_at is null or t.failure is not null)`,
    ),
    sql` union all `,
  )
}
