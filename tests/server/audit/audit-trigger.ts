// Refuses, at the commit, every transaction that writes a row without an audit line.
import { type Kysely, sql } from 'kysely'
import { internal } from './internal-tables.ts'

const trigger = `
  create function sys.refuse_unaudited() returns trigger language plpgsql as $$ begin
    -- Orders also change by answers of the provider, documents once they are drawn. A shard has a number.
    if tg_op = 'UPDATE' and regexp_replace(tg_table_name, '_\\d+$', '') in ('print_order', 'document') then
      return null; end if;
    if not exists (select 1 from (select xmin from sys.audit_log order by seq desc limit 600) as l
      where l.xmin = pg_current_xact_id()::xid) then
      raise exception 'no audit line in the transaction that changes %', tg_table_name; end if;
    return null; end $$`

export async function refuseUnaudited<T>(kysely: Kysely<T>): Promise<void> {
  await sql.raw(trigger).execute(kysely)
  const { rows } = await sql<{ name: string }>`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('sys', 'biz') and tablename <> all(${internal}::text[])`.execute(kysely)
  for (const { name } of rows)
    await sql
      .raw(
        `create constraint trigger audited after insert or update or delete on ${name}
          deferrable initially deferred for each row execute function sys.refuse_unaudited()`,
      )
      .execute(kysely)
}
