// Answers for load balancers, container platforms and Prometheus. The application mounts them.
import { collectDefaultMetrics, type Counter, Gauge, Histogram, Registry } from 'prom-client'
import { counters, countRefusal } from './counters.ts'
import { brokenChains, oldestCheck } from './audit/daily.ts'
import { countDamaged } from './database/damage.ts'
import type { Database } from './database/open-database.ts'
import type { Availability } from './database/postgres/watch.ts'
import type { Memory } from './memory.ts'
import { providerCalls } from './provider-calls.ts'
import { version } from './version.ts'

/** Changed by the start and the stop of the server. */
export interface HealthState {
  migrating: boolean
  /** A stop has begun: balancers send no more, while everything is still served. */
  draining: boolean
  /** New calls answer 503. */
  refusing?: boolean
}

type Reason =
  | 'draining'
  | 'migrating'
  | 'database closed'
  | 'lock lost or database restarting'
  | 'disk nearly full'
  | 'database does not answer'
  | 'database is read-only'
  | 'no database connection is free'

export interface HealthOptions {
  /** Absent until it is open. */
  readonly database: () => Database | undefined
  readonly state: Readonly<HealthState>
  /** Whether the file store answers. */
  readonly files: () => Promise<boolean>
  /** Receivers of the audit log. */
  readonly receivers: () => readonly {
    readonly name: string
    readonly waiting: () => Promise<number>
  }[]
  /** The newest nightly backup; absent where none are made. */
  readonly backups?: () => Promise<{ readonly at: Date; readonly bytes: number } | undefined>
  readonly memory: Memory
  /** Whether a newer program uses the database. */
  readonly isOlder?: () => Promise<boolean>
  /** Adds what the rooms above count. */
  readonly addFigures?: (registry: Registry) => void
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

export interface HealthRoutes {
  /** GET /health/live: 200 while the event loop runs. Never asks the database. `asker` of this and `ready`. */
  live(asker: Asker): Response
  /**
   * GET /health/ready: 200, or 503 with the reason. Answers 200 with `degraded` while only the file
   * store fails, a table cannot be read, or a newer program uses the database, because everything else still works.
   */
  ready(asker: Asker): Promise<Response>
  /** GET /metrics, in Prometheus' text format. */
  metrics(): Promise<Response>
  /** Records one reply. `route` is the declared path, never the requested one, to bound label cardinality. */
  observe(request: Observed): void
}

interface Observed {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
  /** Key of the text of a refusal. */
  readonly why: string | undefined
}

/** An operator is told the version, a stranger is not (docs/rules/security.md#c7). */
type Asker = 'operator' | 'stranger'

/** Milliseconds for which a check of the database is reused (docs/rules/security.md#r17). */
const readyForMs = 1_000
const retryAfterSeconds = '5'

export function healthRoutes(options: HealthOptions): HealthRoutes {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(providerCalls)
  for (const counter of counters) registry.registerMetric(counter as Counter)
  options.addFigures?.(registry)
  gauges(registry, options)
  memoryGauges(registry, options.memory)
  if (options.backups !== undefined) backupGauges(registry, options.backups)
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by declared route.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    buckets: [0.005, 0.02, 0.05, 0.15, 0.4, 1, 3, 10],
  })
  // Finding the line of three labels takes longer than counting in it.
  const lines = new Map<string, ReturnType<typeof seconds.labels>>()
  const ready = readiness(options)
  return {
    live: (asker) => reply(asker, undefined),
    ready: async (asker) => {
      const reason = await ready()
      return reply(asker, reason, reason === undefined ? await findWeakness(options) : undefined)
    },
    metrics: async () =>
      new Response(await registry.metrics(), {
        headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
      }),
    observe: ({ method, route, status, seconds: took, why }) => {
      if (why !== undefined) countRefusal(status, why)
      const key = `${method} ${status} ${route}`
      const line = lines.get(key) ?? seconds.labels({ method, route, status: String(status) })
      lines.set(key, line)
      line.observe(took)
    },
  }
}

function memoryGauges(registry: Registry, memory: Memory) {
  const registers = [registry]
  const add = (name: string, help: string, figure: 'entries' | 'hits' | 'misses') =>
    new Gauge({
      name,
      help,
      labelNames: ['memory'],
      registers,
      collect() {
        for (const each of memory.figures()) this.set({ memory: each.name }, each[figure])
      },
    })
  add('jiaowu_memory_entries', 'What the server remembers, by kind.', 'entries')
  add('jiaowu_memory_hits', 'Times that a remembered value was used since the start.', 'hits')
  add('jiaowu_memory_misses', 'Times that nothing was remembered since the start.', 'misses')
}

function backupGauges(registry: Registry, newest: NonNullable<HealthOptions['backups']>) {
  const registers = [registry]
  new Gauge({
    name: 'jiaowu_backup_timestamp_seconds',
    help: 'When the newest nightly backup was made; 0 without any.',
    registers,
    async collect() {
      this.set(((await newest())?.at.getTime() ?? 0) / 1000)
    },
  })
  new Gauge({
    name: 'jiaowu_backup_bytes',
    help: 'Size of the newest nightly backup.',
    registers,
    async collect() {
      this.set((await newest())?.bytes ?? 0)
    },
  })
}

function gauges(registry: Registry, { database, files, receivers }: HealthOptions) {
  const registers = [registry]
  new Gauge({
    name: 'jiaowu_database_connections',
    help: 'Database connections by state; waiting counts requests without one.',
    labelNames: ['state'],
    registers,
    collect() {
      const counts = database()?.connections() ?? { open: 0, idle: 0, waiting: 0 }
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'jiaowu_database_healthy',
    help: '1 while the database engine runs and this server holds the lock of the data directory.',
    registers,
    collect() {
      this.set(database()?.healthy() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'jiaowu_database_damaged',
    help: 'Tables, indexes or files that the database could not read since the start of the server.',
    registers,
    collect() {
      this.set(countDamaged())
    },
  })
  new Gauge({
    name: 'jiaowu_files_healthy',
    help: '1 while the file store answers.',
    registers,
    async collect() {
      this.set((await files()) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'jiaowu_audit_broken_chains',
    help: 'Audit chains that the newest check found broken.',
    registers,
    async collect() {
      const open = database()
      if (open !== undefined) await brokenChains(open).then(this.set.bind(this), () => undefined)
    },
  })
  new Gauge({
    name: 'jiaowu_audit_checked_timestamp_seconds',
    help: 'When the audit chain that was checked longest ago was checked.',
    registers,
    async collect() {
      const open = database()
      const at = open === undefined ? null : await oldestCheck(open).catch(() => null)
      if (at !== null) this.set(at.getTime() / 1000)
    },
  })
  new Gauge({
    name: 'jiaowu_audit_waiting_lines',
    help: 'Audit lines that a receiver outside does not have yet.',
    labelNames: ['receiver'],
    registers,
    async collect() {
      for (const receiver of receivers())
        await receiver.waiting().then(
          (lines) => this.set({ receiver: receiver.name }, lines),
          () => undefined,
        )
    },
  })
  new Gauge({
    name: 'jiaowu_free_bytes',
    help: 'Bytes free on the disk of the data directory.',
    registers,
    collect() {
      this.set(database()?.freeBytes() ?? 0)
    },
  })
}

function readiness({ database, state, now = () => performance.now() }: HealthOptions) {
  let lastCheck: { at: number; problem: Promise<Reason | undefined> } | undefined
  return async (): Promise<Reason | undefined> => {
    if (state.draining) return 'draining'
    if (state.migrating) return 'migrating'
    if (lastCheck === undefined || now() - lastCheck.at >= readyForMs)
      lastCheck = { at: now(), problem: databaseProblem(database()) }
    return await lastCheck.problem
  }
}

async function databaseProblem(database: Database | undefined): Promise<Reason | undefined> {
  if (database === undefined) return 'database closed'
  if (!database.healthy()) return 'lock lost or database restarting'
  if (!database.enoughSpace()) return 'disk nearly full'
  return unavailable[await database.availability()]
}

const unavailable = {
  ok: undefined,
  away: 'database does not answer',
  readOnly: 'database is read-only',
  exhausted: 'no database connection is free',
} satisfies Record<Availability, Reason | undefined>

/** Names a part that works less well while everything else is served. */
async function findWeakness({ files, isOlder }: HealthOptions): Promise<string | undefined> {
  if (!(await files())) return 'file store does not answer'
  if (countDamaged() > 0) return 'a table of the database cannot be read'
  return (await isOlder?.()) === true ? 'older than the database' : undefined
}

function reply(asker: Asker, reason: Reason | undefined, weakness?: string) {
  const about = asker === 'operator' ? { version } : {}
  return reason === undefined
    ? Response.json(
        weakness === undefined
          ? { status: 'ok', ...about }
          : { status: 'degraded', ...about, reason: weakness },
        { headers: { 'cache-control': 'no-store' } },
      )
    : Response.json(
        { status: 'unavailable', ...about, reason },
        { status: 503, headers: { 'cache-control': 'no-store', 'retry-after': retryAfterSeconds } },
      )
}
