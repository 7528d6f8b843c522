import type { Migration } from '../migrate.ts'
import { initialLetters } from './0032-initial-letters.ts'
import { run } from '../columns.ts'

/** Columns of names of people that lists and choices find by the initials of their Pinyin. */
const names = [
  ['biz', 'student', 'name'],
  ['biz', 'teacher', 'name'],
  ['sys', 'app_user', 'name'],
] as const

/** Surnames whose first letter differs from the usual reading of the character, and their letters. */
const [surnames, surnameLetters] = ['乐仇区单召折曾查繁解郗', 'yqoszszzpxx']

/**
 * The initials of the Pinyin of a person's name, `zs` of 张三: one letter a character, Latin letters and digits as
 * they are in lower case, nothing for blanks and signs (docs/rules/database.md#searches).
 */
const initials = `create function sys.initials(name text) returns text
  language plpgsql immutable strict parallel safe as $$
  declare
    first text := left(name, 1);
    letters text := case left(name, 2) when '万俟' then 'mq' when '尉迟' then 'yc' when '长孙' then 'zs' else
      nullif(substr('${surnameLetters}', nullif(strpos('${surnames}', first), 0), 1), '') end;
    code integer;
  begin
    for n in coalesce(char_length(letters), 0) + 1..char_length(name) loop
      code := ascii(substr(name, n, 1));
      letters := coalesce(letters, '') || case when code between 19968 and 40959
        then chr(get_byte('${initialLetters}'::bytea, code - 19968)) else chr(code) end;
    end loop;
    return regexp_replace(lower(coalesce(letters, '')), '[^[:alnum:]]', '', 'g');
  end $$`

export const nameInitialsMigration: Migration = {
  name: '0032-name-initials',
  up: (db) =>
    run(db, [
      initials,
      ...names.flatMap(([schema, table, column]) =>
        [column, `sys.initials(${column})`].map((value, i) => {
          const name = `${schema}_${table}_${column}_${i === 0 ? 'bigrams' : 'initials'}`
          return `create index if not exists ${name} on ${schema}.${table}
            using gin (sys.bigrams(tenant_id, ${value})) where deleted_at is null`
        }),
      ),
    ]),
}
