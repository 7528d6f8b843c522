import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Finds words of two and more characters inside texts, which trigram indexes do not serve for two Chinese
 * characters (docs/rules/database.md#searches). Each pair of neighbouring characters carries the school, so that
 * a search reads the pairs of its own rows.
 */
const bigrams = `create function sys.bigrams(school bigint, value text) returns text[]
  language sql immutable strict parallel safe as $$
    select coalesce(array_agg(distinct school || ':' || substr(v, n, 2)), '{}'::text[])
    from (select lower(value) as v) as folded, generate_series(1, char_length(v) - 1) as n
  $$`

export const textBigramsMigration: Migration = {
  name: '0020-text-bigrams',
  // Autovacuum or maintenance analyzes the expression. An analyze here would fix an empty table at no rows.
  up: (db) =>
    run(db, [
      bigrams,
      `create index biz_student_name_bigrams on biz.student using gin (sys.bigrams(tenant_id, name))
        where deleted_at is null`,
    ]),
}
