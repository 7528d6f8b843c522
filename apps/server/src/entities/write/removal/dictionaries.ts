import { sql } from 'kysely'
import type { EntityAccess } from '../../../access/access.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { AnyDatabase } from '../../../platform/database/any-database.ts'

/** Only an empty dictionary may be deleted. @throws Refusal 409 with the number of items */
export async function assertNoItems(
  db: AnyDatabase,
  { entity: { table }, tenant }: EntityAccess,
  ids: readonly string[],
): Promise<void> {
  if (`${table.schema}.${table.name}` !== 'sys.dict') return
  const { rows } = await sql<{ n: number }>`
    select count(*)::int4 as n from sys.dict_item i
    join sys.dict d on d.code = i.dict_code and d.tenant_id = i.tenant_id
    where d.tenant_id = ${tenant}::int8 and d.id::text = any(${ids}::text[])
      and i.deleted_at is null`.execute(db)
  const [found] = rows
  if (found !== undefined && found.n > 0)
    throw new Refusal(409, { key: 'dictPage.hasItems', params: { n: found.n } })
}
