import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Log } from './log.ts'
import type { Database } from './open-database.ts'

/** Names the lock in `pg_locks`: `classid` and `objid` of an advisory lock of two integers. */
const lock = { class: 7300, object: 1 } as const
const retryMs = 200
/** Milliseconds between two log lines of a server that waits. */
const reportMs = 10_000

/**
 * Runs `work` while no other server or command prepares the same database: servers that start
 * together take turns from the migrations to the first school. PostgreSQL releases the lock when the
 * holder's connection ends, so a killed server blocks nothing. The embedded database needs no lock:
 * the lock of its folder admits one process.
 */
export async function inStartTurn<Result>(
  { engine, kysely }: Pick<Database, 'engine' | 'kysely'>,
  log: Log,
  work: () => Promise<Result>,
): Promise<Result> {
  if (engine === 'pglite') return await work()
  // A transaction keeps its connection behind a pooler too. `work` uses other connections of the pool.
  return await kysely.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    let reported = performance.now()
    for (;;) {
      const { rows } = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(${lock.class}::int, ${lock.object}::int) as taken`.execute(
        trx,
      )
      if (rows[0]?.taken === true) break
      if (performance.now() - reported > reportMs) {
        reported = performance.now()
        log.warn('another server prepares this database; the start waits for it')
      }
      await sleep(retryMs)
    }
    return await work()
  })
}
