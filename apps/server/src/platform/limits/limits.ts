import { sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

type Db = Pick<Database, 'kysely'>

/** Adds one to a counter that starts anew when its window is over, and says where it stands. One statement, so that races count right. */
export async function count(
  { kysely }: Db,
  key: string,
  windowMs: number,
  now: Date,
): Promise<number> {
  const start = new Date(now.getTime() - windowMs)
  const row = await kysely
    .insertInto('sys.rate_limit')
    .values({ key, window_start: now, count: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when sys.rate_limit.window_start < ${start.toISOString()}::timestamptz then 1 else sys.rate_limit.count + 1 end`,
        window_start: sql`case when sys.rate_limit.window_start < ${start.toISOString()}::timestamptz then ${now.toISOString()}::timestamptz else sys.rate_limit.window_start end`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return row.count
}

export async function block({ kysely }: Db, key: string, until: Date): Promise<void> {
  await kysely
    .updateTable('sys.rate_limit')
    .set({ blocked_until: until })
    .where('key', '=', key)
    .execute()
}

/** Where a counter stands, without counting: attempts in the window, and seconds still to wait. */
export async function standing(
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

export async function forget({ kysely }: Db, key: string): Promise<void> {
  await kysely.deleteFrom('sys.rate_limit').where('key', '=', key).execute()
}
