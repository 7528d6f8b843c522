// What PostgreSQL's background processes would do; PGlite has none. Left alone, the log and the dead rows grow without end.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'

const lookEveryMs = 10_000
const checkpointEveryMs = 5 * 60_000
const logLimitBytes = 64 * 1024 * 1024

interface TableNeed {
  schema: string
  table: string
  vacuum: boolean
}

export interface Maintenance {
  /** Fresh statistics and a short log, now. To be called after an import. */
  run(): Promise<void>
  stop(): void
}

export function startMaintenance(
  db: Kysely<unknown>,
  directory: string,
  idle: () => boolean,
  log: Log,
): Maintenance {
  let since = 0
  let working = false
  let stopped = false
  const guarded = async (work: () => Promise<unknown>) => {
    if (working) return
    working = true
    try {
      await work()
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'database maintenance failed; it will be tried again')
    } finally {
      working = false
    }
  }
  const look = async () => {
    since += lookEveryMs
    const due = since >= checkpointEveryMs
    if (!(due && idle()) && logBytes(directory) <= logLimitBytes) return
    since = 0
    await sql`checkpoint`.execute(db)
    if (due) await tidy(db, () => !stopped && idle())
  }
  const timer = setInterval(() => void guarded(look), lookEveryMs).unref()
  return {
    run: async () => {
      await tidy(db, () => true)
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

async function tidy(db: Kysely<unknown>, goOn: () => boolean) {
  for (const { schema, table, vacuum } of await tablesInNeed(db)) {
    if (!goOn()) return
    const name = sql.table(`${schema}.${table}`)
    await (vacuum ? sql`vacuum (analyze) ${name}` : sql`analyze ${name}`).execute(db)
  }
}

/**
 * Tables with over 20 % + 1000 dead or new rows (to vacuum: a count read off an index needs the map of pages without dead
 * rows, which only a vacuum writes), or with over 10 % + 500 changes since they were last analysed.
 */
async function tablesInNeed(db: Kysely<unknown>) {
  // The counters below are written at most once a second otherwise. It takes effect after the statement, so on its own.
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<TableNeed>`
    select schemaname as schema, relname as table, greatest(n_dead_tup, n_ins_since_vacuum) > 1000 + n_live_tup * 0.2 as vacuum
    from pg_stat_user_tables
    where greatest(n_dead_tup, n_ins_since_vacuum) > 1000 + n_live_tup * 0.2 or n_mod_since_analyze > 500 + n_live_tup * 0.1`.execute(
    db,
  )
  return rows
}
