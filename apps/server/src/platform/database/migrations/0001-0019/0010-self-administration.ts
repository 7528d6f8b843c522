import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { snowflake } from '../../../id.ts'
import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

const columnsAndIndexes = [
  // The person, time and reason of a settled discrepancy, and the person who checked it.
  `alter table sys.pay_discrepancy add column settled_by bigint, add column settled_at timestamptz,
    add column note text, add column checked_by bigint, add column checked_at timestamptz,
    add check (checked_by is null or checked_by <> settled_by)`,
  `create index sys_pay_discrepancy_settled_idx on sys.pay_discrepancy (tenant_id, settled, id)`,
  `create index sys_message_unread_idx on sys.message (tenant_id, receiver_id, id) where deleted_at is null`,
  `create index sys_row_history_at_idx on sys.row_history (at)`,
]

/** A new page for existing menus. It is added to the branch that holds an entry of one of these tags. */
interface Leaf {
  readonly name: string
  readonly nameEn: string
  readonly icon: string
  readonly path: string
  readonly beside: readonly string[]
}
const leaves: readonly Leaf[] = [
  {
    name: '退款审批',
    nameEn: 'Refunds',
    icon: 'bank-account',
    path: '/print/refunds',
    beside: ['RPT_ORDER', 'RPT_REPORT'],
  },
  {
    name: '对账差异',
    nameEn: 'Bill differences',
    icon: 'comparison',
    path: '/print/reconciliation',
    beside: ['RPT_ORDER', 'RPT_REPORT'],
  },
  {
    name: '租户管理',
    nameEn: 'Schools',
    icon: 'office',
    path: '/tenants',
    beside: ['SYS_TENANT', 'SYS_ROLE', 'SYS_USER'],
  },
  {
    name: '字典预览',
    nameEn: 'Dictionary preview',
    icon: 'manual',
    path: '/dictionary/preview',
    beside: ['SYS_DICT_ITEM', 'SYS_DICT', 'SYS_PARAM'],
  },
  {
    name: '实体配置',
    nameEn: 'Entities',
    icon: 'wrench',
    path: '/entity/config',
    beside: ['SYS_API', 'SYS_DICT', 'SYS_PARAM', 'SYS_MENU'],
  },
]

/** Tables of the administration pages, and their menu entries in existing tenants. */
export const selfAdministrationMigration: Migration & { readonly leaves: typeof addLeaves } = {
  name: '0010-self-administration',
  leaves: addLeaves,
  up: async (db) => {
    await run(db, columnsAndIndexes)
    await addLeaves(db)
  },
}

async function addLeaves(db: Kysely<unknown>): Promise<void> {
  const newId = snowflake(randomInt(1024))
  for (const leaf of leaves) await addLeaf(db, newId, leaf)
}

/** Skips tenants that have or had (deleted) the page, and tenants without the branch. */
async function addLeaf(
  db: Kysely<unknown>,
  newId: () => string,
  { name, nameEn, icon, path, beside }: Leaf,
): Promise<void> {
  const { rows } = await sql<{ tenant_id: string; pid: string; sort: number }>`
    select distinct on (m.tenant_id) m.tenant_id::text as tenant_id, m.pid::text as pid,
      (select max(s.sort) from sys.menu s where s.tenant_id = m.tenant_id and s.pid = m.pid)::int4 as sort
    from sys.menu m
    where m.tag = any(${beside}::text[]) and m.deleted_at is null and not exists (
      select 1 from sys.menu h where h.tenant_id = m.tenant_id and h.path = ${path}::text)
    order by m.tenant_id, array_position(${beside}::text[], m.tag)`.execute(db)
  for (const { tenant_id, pid, sort } of rows) {
    await sql`
      insert into sys.menu (id, tenant_id, pid, name, name_en, path, icon, sort)
      values (${newId()}::int8, ${tenant_id}::int8, ${pid}::int8, ${name}, ${nameEn}, ${path}, ${icon},
        ${sort + 1}::int4)`.execute(db)
  }
}
