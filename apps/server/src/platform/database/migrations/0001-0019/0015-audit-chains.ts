import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * One chain of audit lines a tenant, with the last link in a row of its own. Lines from before keep
 * their one chain over all tenants, ordered by `seq`: its last link is the row of tenant -1, and the
 * new chains continue from its hash (docs/rules/security.md#l1).
 */
export const auditChainsMigration: Migration = {
  name: '0015-audit-chains',
  up: (db) =>
    run(db, [
      `alter table sys.audit_log add column number bigint`,
      `create unique index sys_audit_log_number_key on sys.audit_log (tenant_id, number) where number is not null`,
      `create index sys_audit_log_shared_idx on sys.audit_log (seq) where number is null`,
      `create table sys.audit_chain (tenant_id bigint primary key, number bigint not null, hash text not null)`,
      `insert into sys.audit_chain (tenant_id, number, hash)
        select -1, seq, hash from sys.audit_log order by seq desc limit 1`,
      `drop table sys.audit_turn`,
      `create table sys.audit_anchor (id bigint primary key, tenant_id bigint not null, number bigint not null,
        hash text not null, lines bigint not null, before timestamptz not null, at timestamptz not null,
        file_sha256 text not null, signature text not null, certificate text not null,
        transaction xid8 not null default pg_current_xact_id(), unique (tenant_id, number))`,
      `create table sys.audit_check (tenant_id bigint primary key, checked_at timestamptz not null,
        lines bigint not null, broken jsonb)`,
      // A line may be deleted only in the transaction that adds the anchor of an archive covering it.
      `create or replace function sys.refuse_change() returns trigger language plpgsql as $$ begin
        if tg_op = 'DELETE' and tg_table_name = 'audit_log' then
          if exists (select 1 from sys.audit_anchor a where a.transaction = pg_current_xact_id()
            and a.tenant_id = case when old.number is null then -1 else old.tenant_id end
            and a.number >= coalesce(old.number, old.seq)) then return old; end if;
        end if;
        raise exception '% is append-only', tg_table_name; end $$`,
      `create trigger audit_log_no_truncate before truncate on sys.audit_log for each statement
        execute function sys.refuse_change()`,
      `create trigger audit_anchor_append_only before update or delete on sys.audit_anchor for each row
        execute function sys.refuse_change()`,
      `create trigger audit_anchor_no_truncate before truncate on sys.audit_anchor for each statement
        execute function sys.refuse_change()`,
      `create trigger audit_chain_kept before delete on sys.audit_chain for each row
        execute function sys.refuse_change()`,
      `create trigger audit_chain_no_truncate before truncate on sys.audit_chain for each statement
        execute function sys.refuse_change()`,
    ]),
}
