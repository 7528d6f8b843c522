import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../platform/database/tables/tables.ts'

/** The statements that remove a key or an index and create it again. */
interface Definition {
  readonly drop: string
  readonly create: string
}

/**
 * Runs `fill` without the foreign keys and the secondary indexes of these tables, and creates them
 * again, which checks all rows at once. Row by row, checks and index entries took 7 of the 10 seconds
 * in which the embedded database fills the demo school. Locks the tables exclusively until the
 * transaction ends, so use it before a server accepts requests.
 */
export async function withoutKeys(
  db: Kysely<Tables>,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const definitions = [...(await foreignKeys(db, tables)), ...(await indexes(db, tables))]
  for (const { drop } of definitions) await sql.raw(drop).execute(db)
  await fill()
  for (const { create } of definitions.reverse()) await sql.raw(create).execute(db)
}

async function foreignKeys(
  db: Kysely<Tables>,
  tables: readonly string[],
): Promise<readonly Definition[]> {
  const { rows } = await sql<Definition>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) as create
    from pg_constraint
    where contype = 'f' and conrelid = any(${tables}::regclass[])`.execute(db)
  return rows
}

/** Secondary indexes: those of primary keys and other constraints stay. */
async function indexes(
  db: Kysely<Tables>,
  tables: readonly string[],
): Promise<readonly Definition[]> {
  const { rows } = await sql<Definition>`
    select format('drop index %s', indexrelid::regclass) as drop,
      pg_get_indexdef(indexrelid) as create
    from pg_index
    where indrelid = any(${tables}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')`.execute(
    db,
  )
  return rows
}
