import { type Kysely, sql } from 'kysely'

export interface ClusterTable {
  /** `schema.name`, quoted where necessary. */
  readonly name: string
  readonly isSpread: boolean
  /** It has `tenant_id bigint not null`, by which it can be spread. */
  readonly hasSchool: boolean
  /** Unique keys without tenant_id: the nodes could not hold them. */
  readonly narrowKeys: readonly string[]
}

/** The tables of all schemas but the engine's own. Needs the extension citus. */
export async function readClusterTables(db: Kysely<unknown>): Promise<ClusterTable[]> {
  const { rows } = await sql<{
    name: string
    is_spread: boolean
    has_school: boolean
    narrow_keys: string[]
  }>`
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
      exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid) as is_spread,
      exists (select 1 from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull
          and a.atttypid = 'int8'::regtype) as has_school,
      array(select i.indexrelid::regclass::text from pg_index i
        where i.indrelid = c.oid and i.indisunique and not exists (
          select 1 from pg_attribute a
          where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnum = any(i.indkey))
      ) as narrow_keys
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and n.nspname not in ('pg_catalog', 'information_schema', 'citus', 'citus_internal', 'columnar')
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`.execute(db)
  return rows.map((row) => ({
    name: row.name,
    isSpread: row.is_spread,
    hasSchool: row.has_school,
    narrowKeys: row.narrow_keys,
  }))
}
