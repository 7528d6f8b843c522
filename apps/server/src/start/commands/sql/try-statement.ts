import { type Kysely, sql } from 'kysely'

/** Returns the error by which the database refuses a statement, taken back to before it; `null` without one. */
export async function tryStatement(db: Kysely<unknown>, text: string): Promise<unknown> {
  await sql`savepoint optional`.execute(db)
  try {
    await sql.raw(text).execute(db)
    await sql`release savepoint optional`.execute(db)
    return null
  } catch (error) {
    await sql`rollback to savepoint optional`.execute(db)
    return error
  }
}
