import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Writes the history of rows, raises the versions of written tables and appends audit lines to the chain of a
 * school, at the end of a transaction. All writes of a school wait for the locks of the latter two: as one
 * statement they are held for one round trip and the commit (docs/rules/database.md#writes). `before` and `after`
 * enclose the number of a line in the text whose SHA-256, after the hash of the line before, is the hash of the
 * line (docs/rules/security.md#l1).
 */
const finishWrite = `create function sys.finish_write(school bigint, tables text[], history jsonb, lines jsonb)
  returns void
  language plpgsql as $$
  declare
    line jsonb;
    last bigint;
    previous text;
    link text;
  begin
    if jsonb_array_length(history) > 0 then
      insert into sys.row_history (id, tenant_id, tag, row_id, action, at, user_id, changes)
        select x.id, school, x.tag, x.row_id, x.action, x.at, x.user_id, x.changes
        from jsonb_to_recordset(history) as x(
          id int8, tag text, row_id text, action text, at timestamptz, user_id int8, changes jsonb);
    end if;
    insert into sys.table_version (tenant_id, table_name, version)
      select school, x.name, 1 from unnest(tables) as x(name) order by x.name
      on conflict (tenant_id, table_name) do update set version = sys.table_version.version + 1;
    if jsonb_array_length(lines) = 0 then
      return;
    end if;
    select c.number, c.hash into last, previous from sys.audit_chain c where c.tenant_id = school for update;
    if not found then
      select c.hash into previous from sys.audit_chain c where c.tenant_id = -1;
      insert into sys.audit_chain (tenant_id, number, hash) values (school, 0, coalesce(previous, ''))
        on conflict (tenant_id) do nothing;
      select c.number, c.hash into strict last, previous
        from sys.audit_chain c where c.tenant_id = school for update;
    end if;
    for line in select x.value from jsonb_array_elements(lines) with ordinality as x(value, n) order by x.n loop
      last := last + 1;
      link := translate(rtrim(encode(sha256(convert_to(
        previous || e'\\n' || (line->>'before') || last || (line->>'after'), 'UTF8')), 'base64'), '='), '+/', '-_');
      insert into sys.audit_log (id, number, tenant_id, at, user_id, account, ip, action, object, object_id, result,
        detail, trace_id, prev_hash, hash)
      values ((line->>'id')::int8, last, school, (line->>'at')::timestamptz, (line->>'user_id')::int8, line->>'account',
        line->>'ip', line->>'action', line->>'object', line->>'object_id', line->>'result',
        line->'detail', line->>'trace_id', previous, link);
      previous := link;
    end loop;
    update sys.audit_chain c set number = last, hash = previous where c.tenant_id = school;
  end $$`

/**
 * The stamp of a caller (identity/callers.ts), with the same text. A statement that calls `sys.finish_write` may
 * name no table of a school: Citus would send it to a worker as a whole.
 */
const callerStamp = `create function sys.caller_stamp(school bigint, token text) returns text language plpgsql stable as $$
  begin
    return (
      select row(s.ended_at, s.user_id, x.status, u.account, u.name, u.status, u.must_change_password,
        o.id, o.name, (
          select string_agg(concat_ws(':', r.id, r.version, r.status, r.code), ',' order by r.id)
          from sys.role r
          where r.tenant_id = school and r.id::text = any(u.role_ids) and r.deleted_at is null
        ))::text
      from sys.session s
      join sys.tenant x on x.id = s.tenant_id
      left join sys.app_user u on u.tenant_id = s.tenant_id and u.id = s.user_id
        and s.kind = 'staff' and u.deleted_at is null
      left join sys.org o on o.tenant_id = u.tenant_id and o.id = u.org_id
      where s.tenant_id = school and s.access_hash = token
    );
  end $$`

export const finishWriteMigration: Migration = {
  name: '0037-finish-write',
  up: (db) => run(db, [finishWrite, callerStamp]),
}
