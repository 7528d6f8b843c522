import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * The trigger of migration 0015 also on the shards of a Citus cluster, where the table is called
 * `audit_log_102008` and cannot be joined to a spread one: it asks the shard of sys.audit_anchor that
 * holds the same schools. `xmin` tells rows of this transaction apart, whose number on the coordinator is
 * another than on the node. Lines from before migration 0015 have one chain for all schools and are
 * archived before a cluster is made of the database.
 */
const refuseChange = `create or replace function sys.refuse_change() returns trigger language plpgsql as $$
  declare
    shard text := substring(tg_table_name from '^audit_log_(\\d+)$');
    anchors text := 'sys.audit_anchor';
    is_archived boolean;
  begin
    if tg_op = 'DELETE' and (tg_table_name = 'audit_log' or shard is not null) then
      if shard is not null then
        execute 'select format(''sys.audit_anchor_%s'', a.shardid) from pg_dist_shard l
          join pg_dist_shard a on a.shardminvalue = l.shardminvalue
          where l.shardid = $1 and a.logicalrelid = ''sys.audit_anchor''::regclass'
          into strict anchors using shard::bigint;
      end if;
      execute format('select exists (select from %s a where a.xmin = pg_current_xact_id()::xid
        and a.tenant_id = $1 and a.number >= $2)', anchors) into is_archived
        using case when old.number is null then -1 else old.tenant_id end, coalesce(old.number, old.seq);
      if is_archived then return old; end if;
    end if;
    raise exception '% is append-only', tg_table_name;
  end $$`

export const archivesOnShardsMigration: Migration = {
  name: '0035-archives-on-shards',
  up: (db) => run(db, [refuseChange]),
}
