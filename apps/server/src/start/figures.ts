// Figures of the work that waits in the database, for /metrics. Each is one statement over all schools, run when the
// last answer is half a minute old, however many ask.
import { type RawBuilder, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { databaseOf } from '../platform/database/any-database.ts'
import type { Services } from '../model/context.ts'

interface Row {
  readonly value: number | string
  readonly [label: string]: number | string | null
}
interface Figure {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly select: RawBuilder<unknown>
}

const freshMs = 30_000

const taskTables = {
  payment: 'sys.pay_outbox',
  notice: 'sys.notice_task',
  timer: 'sys.flow_timer',
  proof: 'sys.flow_proof',
} as const

const tasks = sql.join(
  Object.entries(taskTables).map(
    ([kind, table]) => sql`
      select ${sql.lit(kind)} as kind, leased_until, attempts, next_at from ${sql.table(table)}
      where done_at is null`,
  ),
  sql` union all `,
)
const age = (moment: RawBuilder<unknown>) =>
  sql`greatest(0, extract(epoch from now() - min(${moment})))::float8 as value`

const figures: readonly Figure[] = [
  {
    name: 'jiaowu_jobs',
    help: 'Imports and bulk changes by status, as long as they are kept.',
    labels: ['kind', 'status'],
    select: sql`select kind, status, count(*)::int4 as value from sys.job group by kind, status`,
  },
  {
    name: 'jiaowu_jobs_oldest_seconds',
    help: 'Age of the oldest import or bulk change that is queued, running or interrupted.',
    labels: ['kind', 'status'],
    select: sql`
      select kind, status, ${age(sql`coalesce(start_time, create_time)`)} from sys.job
      where status in ('queued', 'running') or status = 'paused' and interrupted_at is not null
      group by kind, status`,
  },
  {
    name: 'jiaowu_tasks',
    help: 'Tasks of the queues: running, due, waiting for their time, or retried after a failure.',
    labels: ['kind', 'state'],
    select: sql`
      select kind, case when leased_until > now() then 'running' when attempts > 0 then 'retried'
        when next_at > now() then 'waiting' else 'due' end as state, count(*)::int4 as value
      from (${tasks}) t group by 1, 2`,
  },
  {
    name: 'jiaowu_tasks_oldest_seconds',
    help: 'For how long the oldest task has been due.',
    labels: ['kind'],
    select: sql`
      select kind, ${age(sql`next_at`)} from (${tasks}) t where next_at <= now() group by kind`,
  },
  {
    name: 'jiaowu_flow_cases',
    help: 'Open cases of flows by entity and state.',
    labels: ['tag', 'state'],
    select: sql`
      select tag, state, count(*)::int4 as value from sys.flow_case
      where not is_done group by tag, state`,
  },
  {
    name: 'jiaowu_flow_cases_oldest_seconds',
    help: 'For how long the case has been in its state that has not moved for longest.',
    labels: ['tag'],
    select: sql`
      select tag, ${age(sql`since`)} from sys.flow_case where not is_done group by tag`,
  },
  {
    name: 'jiaowu_orders',
    help: 'Orders of students by state.',
    labels: ['state'],
    select: sql`
      select state, count(*)::int4 as value from biz.print_order
      where deleted_at is null group by state`,
  },
  {
    name: 'jiaowu_refunds',
    help: 'Refunds by state.',
    labels: ['state'],
    select: sql`select state, count(*)::int4 as value from sys.refund group by state`,
  },
  {
    name: 'jiaowu_refunds_oldest_seconds',
    help: 'Age of the oldest refund that the provider has not carried out.',
    labels: ['state'],
    select: sql`
      select state, ${age(sql`create_time`)} from sys.refund
      where state in ('REQUESTED', 'DUE', 'SENT') group by state`,
  },
  {
    name: 'jiaowu_pay_discrepancies',
    help: "Differences between our books and the provider's bill that nobody has settled.",
    labels: [],
    select: sql`select count(*)::int4 as value from sys.pay_discrepancy where not settled`,
  },
  {
    name: 'jiaowu_slow_lists',
    help: 'Lists that were slow in the last month; `jiaowu-server doctor` names the index each lacks.',
    labels: [],
    select: sql`select count(*)::int4 as value from sys.slow_list`,
  },
]

export function addFigures(registry: Registry, services: Pick<Services, 'database'>): void {
  for (const { name, help, labels, select } of figures) {
    let [at, rows] = [Number.NEGATIVE_INFINITY, [] as readonly Row[]]
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        if (performance.now() - at >= freshMs) {
          at = performance.now()
          rows = await countFigure(services, select)
        }
        this.reset()
        for (const { value, ...named } of rows)
          this.set(named as Record<string, string>, Number(value))
      },
    })
  }
}

/** None while the database is away, so that the figures of the process are still told. */
async function countFigure(
  { database }: Pick<Services, 'database'>,
  select: RawBuilder<unknown>,
): Promise<readonly Row[]> {
  return await sql<Row>`select figure.* from (${select}) figure`
    .execute(databaseOf({ database }))
    .then(
      ({ rows }) => rows,
      () => [],
    )
}
