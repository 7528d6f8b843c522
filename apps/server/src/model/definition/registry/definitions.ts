import { type Kysely, sql } from 'kysely'
import { viewsStamp } from '../catalog.ts'
import type { Tables } from '../../../platform/database/tables/tables.ts'

export interface DefinitionRow {
  readonly tag: string
  readonly tenant: string
  readonly revision: string
  /** As stored; the registry validates it before use. */
  readonly definition: unknown
}

export async function readDefinitions(db: Kysely<Tables>): Promise<DefinitionRow[]> {
  const rows = await db
    .selectFrom('sys.entity')
    .select(['tag', 'tenant_id', 'version', 'definition'])
    .execute()
  return rows.map(({ tag, tenant_id, version, definition }) => ({
    tag,
    tenant: tenant_id,
    revision: String(version),
    definition,
  }))
}

/**
 * A fingerprint that changes whenever a definition is added, saved or removed, or a view gets another query: what a
 * view shows must not wait for the next look at the tables.
 */
export async function readStamp(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ stamp: string }>`
    select (${viewsStamp}) || ' ' || count(*)::text || ' ' || coalesce(sum(version), 0)::text
      || ' ' || coalesce(max(update_time)::text, '') as stamp
    from sys.entity`.execute(db)
  return rows[0]?.stamp ?? ''
}
