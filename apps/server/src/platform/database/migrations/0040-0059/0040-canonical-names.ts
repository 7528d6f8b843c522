import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * The canonical form of a name that identifies: without width, case, outer blanks and signs of no
 * width (docs/rules/database.md#names-that-identify). `stx`, ` STX ` and `ｓｔｘ` are one account.
 */
const canonicalName = `create function sys.canonical_name(name text) returns text
  language sql immutable strict parallel safe
  return lower(regexp_replace(
    normalize(regexp_replace(name, '[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]', '', 'g'), nfkc),
    '^\\s+|\\s+$', '', 'g'))`

/**
 * An index by which no two live rows of a school have one name. Rows that already repeat a name keep
 * it, are left out of the index and told as a notice: the folder opens, and nobody can add another.
 */
function uniqueNames(table: string, column: string): string {
  const name = `${table.replace('.', '_')}_${column}_canonical_key`
  return `do $$
    declare
      repeats bigint[];
    begin
      select coalesce(array_agg(x.id), '{}') into repeats from (
        select id, row_number() over (
          partition by tenant_id, sys.canonical_name(${column}) order by id) as n
        from ${table} where deleted_at is null
      ) as x where x.n > 1;
      if cardinality(repeats) > 0 then
        raise notice '${table}: % rows repeat the ${column} of another row, ids %',
          cardinality(repeats), repeats;
      end if;
      execute format('create unique index ${name} on ${table}
        (tenant_id, sys.canonical_name(${column})) where deleted_at is null'
        || case when cardinality(repeats) = 0 then '' else ' and id <> all (%L::bigint[])' end, repeats);
    end $$`
}

export const canonicalNamesMigration: Migration = {
  name: '0040-canonical-names',
  up: (db) =>
    run(db, [
      canonicalName,
      uniqueNames('sys.app_user', 'account'),
      uniqueNames('sys.role', 'code'),
      uniqueNames('sys.role', 'name'),
      uniqueNames('sys.org', 'code'),
    ]),
}
