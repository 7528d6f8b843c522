import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * `sys.finish_write` of migration 0037, whose audit lines are linked by HMAC-SHA-256 instead of SHA-256. The key
 * of a line comes with it, padded as RFC 2104 says (`inner`, `outer`); it is derived from the content of the
 * line, under a key that the database never sees (docs/rules/security.md#l1).
 */
const finishWrite = `create or replace function sys.finish_write(school bigint, tables text[], history jsonb, lines jsonb)
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
      if not line ? 'key_id' then
        raise exception 'this server is older than the database: it writes audit lines without a key';
      end if;
      last := last + 1;
      link := translate(rtrim(encode(sha256(decode(line->>'outer', 'hex') || sha256(
        decode(line->>'inner', 'hex') || convert_to(previous || e'\\n' || last, 'UTF8'))), 'base64'), '='), '+/', '-_');
      insert into sys.audit_log (id, number, tenant_id, at, user_id, account, ip, action, object, object_id, result,
        detail, trace_id, prev_hash, hash, key_id)
      values ((line->>'id')::int8, last, school, (line->>'at')::timestamptz, (line->>'user_id')::int8, line->>'account',
        line->>'ip', line->>'action', line->>'object', line->>'object_id', line->>'result',
        line->'detail', line->>'trace_id', previous, link, line->>'key_id');
      previous := link;
    end loop;
    update sys.audit_chain c set number = last, hash = previous where c.tenant_id = school;
  end $$`

/**
 * Which key a line and an anchor are under; null for those from before there was one. The first start with a key
 * puts into `sys.audit_mark` where each chain ended (platform/audit/open-keys.ts): the database cannot make the
 * code that proves it.
 */
export const keyedAuditMigration: Migration = {
  name: '0054-keyed-audit',
  up: (db) =>
    run(db, [
      'alter table sys.audit_log add column key_id text',
      'alter table sys.audit_anchor add column key_id text, add column mac text',
      `create table sys.audit_key (id text primary key, check_value text not null,
        created_at timestamptz not null default now())`,
      `create table sys.audit_mark (tenant_id bigint primary key, number bigint not null, hash text not null,
        anchored bigint not null, at timestamptz not null, key_id text not null, mac text not null)`,
      ...['audit_key', 'audit_mark'].flatMap((table) => [
        `create trigger ${table}_append_only before update or delete on sys.${table} for each row
          execute function sys.refuse_change()`,
        `create trigger ${table}_no_truncate before truncate on sys.${table} for each statement
          execute function sys.refuse_change()`,
      ]),
      finishWrite,
    ]),
}
