import { adminRole } from '@jiaowu/api/limits'
import { type Kysely, sql } from 'kysely'

/** Ids of the enabled accounts of a school with the role of administrators, or one of `codes`. */
export async function listAdministrators(
  db: Pick<Kysely<unknown>, 'getExecutor'>,
  tenant: string,
  codes: readonly string[] = [],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct u.id::text as id from sys.app_user u
    join sys.role r on r.id::text = any(u.role_ids) and r.tenant_id = u.tenant_id
    where u.tenant_id = ${tenant}::int8 and u.deleted_at is null and u.status = '1'
      and r.code = any(${[adminRole, ...codes]}::text[]) and r.deleted_at is null`.execute(db)
  return rows.map(({ id }) => id)
}
