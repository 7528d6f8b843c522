import { sql } from 'kysely'
import { Refusal } from '../refusal.ts'
import type { Database } from '../database/open-database.ts'

type Db = Pick<Database, 'kysely'>

/**
 * Adds one to a counter and returns its value; restarts it at 1 when its window has passed. One
 * statement, so that concurrent requests count correctly.
 */
export async function increment(db: Db, key: string, windowMs: number, now: Date): Promise<number> {
  return (await countWithin(db, key, windowMs, now)).count
}

/** Like `increment`, with the seconds until the window ends. */
export async function countWithin(
  { kysely }: Db,
  key: string,
  windowMs: number,
  now: Date,
): Promise<{ count: number; secondsLeft: number }> {
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
    .returning(['count', 'window_start'])
    .executeTakeFirstOrThrow()
  return { count: row.count, secondsLeft: secondsLeft(row.window_start, windowMs, now) }
}

function secondsLeft(windowStart: Date | string, windowMs: number, now: Date): number {
  return Math.max(1, Math.ceil((new Date(windowStart).getTime() + windowMs - now.getTime()) / 1000))
}

export async function blockUntil({ kysely }: Db, key: string, until: Date): Promise<void> {
  await kysely
    .updateTable('sys.rate_limit')
    .set({ blocked_until: until })
    .where('key', '=', key)
    .execute()
}

/** Reads a counter: attempts in the current window, seconds until it ends, and for which its key is still blocked. */
export async function readCounter(
  { kysely }: Db,
  key: string,
  windowMs: number,
  now: Date,
): Promise<{ count: number; secondsLeft: number; waitSeconds: number }> {
  const row = await kysely
    .selectFrom('sys.rate_limit')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return { count: 0, secondsLeft: 0, waitSeconds: 0 }
  const blocked =
    row.blocked_until === null
      ? 0
      : Math.ceil((new Date(row.blocked_until).getTime() - now.getTime()) / 1000)
  const current = new Date(row.window_start).getTime() >= now.getTime() - windowMs
  return {
    count: current ? row.count : 0,
    secondsLeft: current ? secondsLeft(row.window_start, windowMs, now) : 0,
    waitSeconds: Math.max(0, blocked),
  }
}

/** The counts of several counters in their windows, in one statement. */
export async function readCounts(
  { kysely }: Db,
  counters: readonly { readonly key: string; readonly window: number }[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const rows = await kysely
    .selectFrom('sys.rate_limit')
    .select(['key', 'window_start', 'count'])
    .where(
      'key',
      'in',
      counters.map(({ key }) => key),
    )
    .execute()
  const windows = new Map(counters.map(({ key, window }) => [key, window]))
  return new Map(
    rows
      .filter(
        ({ key, window_start }) =>
          new Date(window_start).getTime() >= now.getTime() - (windows.get(key) ?? 0),
      )
      .map(({ key, count }) => [key, count]),
  )
}

export async function resetCounter({ kysely }: Db, key: string): Promise<void> {
  await kysely.deleteFrom('sys.rate_limit').where('key', '=', key).execute()
}

/** @throws Refusal 429 that names the minutes, while a counter is blocked */
export function assertNoWait(waitSeconds: number): void {
  if (waitSeconds > 0) throw waitFor(waitSeconds)
}

/** The refusal that says when to come again. */
export function waitFor(
  seconds: number,
  data: Readonly<Record<string, unknown>> | null = null,
): Refusal {
  return new Refusal(
    429,
    inHours(seconds)
      ? { key: 'session.waitHours', params: { hours: Math.ceil(seconds / 3600) } }
      : { key: 'session.waitMinutes', params: { minutes: Math.ceil(seconds / 60) } },
    { retryAfter: seconds, data },
  )
}

/** Whether a wait is told in hours rather than minutes. */
export function inHours(seconds: number): boolean {
  return seconds > 5400
}
