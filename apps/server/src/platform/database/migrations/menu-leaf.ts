import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { snowflake } from '../../id.ts'

interface MenuLeaf {
  readonly name: string
  readonly nameEn: string
  /** An entity, whose list is opened; absent for a page. */
  readonly tag?: string
  /** That of a page. */
  readonly path?: string
  readonly icon: string
  /** The new entry follows those of the branch that has the first of these tags, in the order of the alphabet. */
  readonly beside: readonly string[]
}

/** Adds the list of an entity to the menus of schools that have an entry beside which it belongs. */
export async function addMenuLeaf(
  db: Kysely<unknown>,
  { name, nameEn, tag, path, icon, beside }: MenuLeaf,
): Promise<void> {
  const newId = snowflake(randomInt(1024))
  const { rows } = await sql<{ tenant_id: string; pid: string; sort: number }>`
    select distinct on (m.tenant_id) m.tenant_id::text as tenant_id, m.pid::text as pid,
      (select max(s.sort) from sys.menu s where s.tenant_id = m.tenant_id and s.pid = m.pid)::int4 as sort
    from sys.menu m
    where m.tag = any(${beside}::text[]) and m.deleted_at is null
    order by m.tenant_id, m.tag, m.id`.execute(db)
  for (const { tenant_id, pid, sort } of rows)
    await sql`
      insert into sys.menu (id, tenant_id, pid, name, name_en, path, icon, tag, sort)
      values (${newId()}::int8, ${tenant_id}::int8, ${pid}::int8, ${name}, ${nameEn},
        ${path ?? `/entity/${tag}/search`}, ${icon}, ${tag ?? null}, ${sort + 1}::int4)`.execute(db)
}
