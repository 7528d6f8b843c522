import { sql } from 'kysely'
import { Refusal } from '../refusal.ts'
import type { Database } from '../database/open-database.ts'

type Db = Pick<Database, 'kysely'>

/**
 * Adds one to a counter and returns its value; restarts it at 1 when its window has passed. One
 * statement, so that concurrent requests count correctly.
 */
export async function increment(
  { kysely }: Db,
  key: string,
  windowMs: number,
  now: Date,
): Promise<number> {
  const start = new Date(now.getTime() - windowMs).toISOString()
  const row = await kysely
    .insertInto('sys.rate_limit')
    .values({ key, window_start: now, count: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when sys.rate_limit.window_start < ${start}::timestamptz
          then 1 else sys.rate_limit.count + 1 end`,
        window_start: sql`case when sys.rate_limit.window_start < ${start}::timestamptz
          then ${now.toISOString()}::timestamptz else sys.rate_limit.window_start end`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return row.count
}

export async function blockUntil({ kysely }: Db, key: string, until: Date): Promise<void> {
  await kysely
    .updateTable('sys.rate_limit')
    .set({ blocked_until: until })
    .where('key', '=', key)
    .execute()
}

/** Reads a counter: attempts in the current window, and seconds for which its key is still blocked. */
export async function readCounter(
  { kysely }: Db,
  key: string,
  windowMs: number,
  now: Date,
): Promise<{ count: number; waitSeconds: number }> {
  const row = await kysely
    .selectFrom('sys.rate_limit')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return { count: 0, waitSeconds: 0 }
  const blocked =
    row.blocked_until === null
      ? 0
      : Math.ceil((new Date(row.blocked_until).getTime() - now.getTime()) / 1000)
  const current = new Date(row.window_start).getTime() >= now.getTime() - windowMs
  return { count: current ? row.count : 0, waitSeconds: Math.max(0, blocked) }
}

export async function resetCounter({ kysely }: Db, key: string): Promise<void> {
  await kysely.deleteFrom('sys.rate_limit').where('key', '=', key).execute()
}

/** @throws Refusal 429 that names the minutes, while a counter is blocked */
export function assertNoWait(waitSeconds: number): void {
  if (waitSeconds <= 0) return
  throw new Refusal(
    429,
    { key: 'session.waitMinutes', params: { minutes: Math.ceil(waitSeconds / 60) } },
    { retryAfter: waitSeconds },
  )
}
