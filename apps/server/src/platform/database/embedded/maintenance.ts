// Does the work of PostgreSQL's background processes, which PGlite lacks: without it, log and dead rows
// grow without bound.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'

const checkEveryMs = 10_000
const checkpointEveryMs = 5 * 60_000
const logLimitBytes = 64 * 1024 * 1024

interface TableNeed {
  schema: string
  table: string
  vacuum: boolean
}

interface Engine {
  idle(): boolean
  /** Lets statements of `work` run for long. */
  long<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface Maintenance {
  /** Updates statistics and shortens the log now. Call it after an import. */
  run(): Promise<void>
  stop(): void
}

export function startMaintenance(
  db: Kysely<unknown>,
  directory: string,
  { idle, long }: Engine,
  log: Log,
): Maintenance {
  let since = 0
  let working = false
  let stopped = false
  const guarded = async (work: () => Promise<unknown>) => {
    if (working) return
    working = true
    try {
      await long(work)
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'database maintenance failed; it will be tried again')
    } finally {
      working = false
    }
  }
  const check = async () => {
    since += checkEveryMs
    const due = since >= checkpointEveryMs
    if (!(due && idle()) && logBytes(directory) <= logLimitBytes) return
    since = 0
    await sql`checkpoint`.execute(db)
    if (due) await vacuumAndAnalyze(db, () => !stopped && idle())
  }
  const timer = setInterval(() => void guarded(check), checkEveryMs).unref()
  return {
    run: async () => {
      await vacuumAndAnalyze(db, () => true)
      await sql`checkpoint`.execute(db)
    },
    stop: () => {
      stopped = true
      clearInterval(timer)
    },
  }
}

function logBytes(directory: string) {
  return readdirSync(join(directory, 'pg_wal')).reduce(
    (sum, name) =>
      sum + (statSync(join(directory, 'pg_wal', name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

async function vacuumAndAnalyze(db: Kysely<unknown>, mayContinue: () => boolean) {
  for (const { schema, table, vacuum } of await tablesInNeed(db)) {
    if (!mayContinue()) return
    const name = sql.table(`${schema}.${table}`)
    await (vacuum ? sql`vacuum (analyze) ${name}` : sql`analyze ${name}`).execute(db)
  }
}

/**
 * Tables with over 20 % + 1000 dead or new rows, to vacuum: only a vacuum writes the visibility map,
 * which index-only counts need. And tables with over 10 % + 500 changes since the last analysis.
 */
async function tablesInNeed(db: Kysely<unknown>) {
  // Otherwise PostgreSQL writes the counters below once a second at most. Takes effect after the
  // statement, so it needs a statement of its own.
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<TableNeed>`
    select schemaname as schema, relname as table,
      greatest(n_dead_tup, n_ins_since_vacuum) > 1000 + n_live_tup * 0.2 as vacuum
    from pg_stat_user_tables
    where greatest(n_dead_tup, n_ins_since_vacuum) > 1000 + n_live_tup * 0.2
      or n_mod_since_analyze > 500 + n_live_tup * 0.1`.execute(db)
  return rows
}
