// Checks that keep the rows of an entity a tree.
import type { DictItem } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Column } from '../../model/fields/column.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'
import { baseRows, tenantRows, type EntityAccess } from '../../access/access.ts'
import { allOf, columnRef, type Condition, identifier } from '../../model/definition/names.ts'
import { findBin } from '../../model/definition/kept.ts'
import { buildFilterFault } from '../read/query.ts'
import { withIds } from '../read/row.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { Change } from '../write/values/values.ts'
import { matchChildren, findParentField } from './fields.ts'

/**
 * Checks a change of the parent: no row below itself, and no tree deeper than the limit. `id` is
 * null for a new row.
 * @throws Invalid
 */
export async function assertTree(
  db: AnyDatabase,
  access: EntityAccess,
  id: string | null,
  changes: readonly Change[],
): Promise<void> {
  const parent = changes.find(
    ({ field }) => field.definition.attrName === access.entity.definition.parentField,
  )
  const column = parent?.field.column
  const above = parent === undefined ? undefined : chosenParent(parent)
  if (
    parent === undefined ||
    column === null ||
    column === undefined ||
    above === undefined ||
    above === '0'
  )
    return
  if (id !== null) await lockTrees(db, access)
  const { rows } = await sql<{
    id: string
  }>`${ancestors(access, column, withIds(access, [above]))}`.execute(db)
  const { attrName } = parent.field.definition
  if (id !== null && rows.some((row) => row.id === id))
    throw new Invalid([buildFilterFault(attrName, 'parent', { key: 'entity.ownParent' })])
  const height = id === null ? 1 : await measureSubtree(db, access, column, id)
  if (rows.length + height > limits.treeDepth)
    throw new Invalid([
      buildFilterFault(attrName, 'depth', { key: 'tree.tooDeep', params: { n: limits.treeDepth } }),
    ])
}

function chosenParent({ value }: Change): string | undefined {
  return Array.isArray(value)
    ? (value as readonly DictItem[])[0]?.id
    : value === null
      ? undefined
      : String(value)
}

/**
 * Serialises moves within a tenant, so that two concurrent moves cannot create a cycle. Call before
 * reading.
 */
function lockTrees(db: AnyDatabase, { tenant }: EntityAccess): Promise<unknown> {
  return sql`select id from sys.tenant where id = ${tenant}::int8 for update`.execute(db)
}

function ancestors(access: EntityAccess, column: Column, start: Condition): RawBuilder<unknown> {
  const { entity } = access
  const key = columnRef(entity.id.name)
  return sql`
    with recursive up as (
      select ${key}::text as id, ${columnRef(column.name)}::text as parent from ${fromTable(entity)}
      where ${tenantRows(entity, access.tenant)} and ${start}
      union
      select ${key}::text, ${columnRef(column.name)}::text from ${fromTable(entity)}
      join up on ${key}::text = up.parent where ${tenantRows(entity, access.tenant)}
    ) select id from up limit ${limits.treeDepth * 8}`
}

/** Levels of the subtree below a row, including its own; stops counting one above the limit. */
async function measureSubtree(
  db: AnyDatabase,
  access: EntityAccess,
  column: Column,
  id: string,
): Promise<number> {
  let [height, level] = [0, [id]]
  while (level.length > 0 && height <= limits.treeDepth) {
    height += 1
    const { rows } = await sql<{ id: string }>`
      select ${columnRef(access.entity.id.name)}::text as id from ${fromTable(access.entity)}
      where ${baseRows(access.entity, access.tenant)} and ${matchChildren(column, level)}`.execute(
      db,
    )
    level = rows.map((row) => row.id)
  }
  return height
}

/** The rows, of many just written, that are too deep or in a cycle. */
export async function tooDeep(
  db: AnyDatabase,
  access: EntityAccess,
  ids: readonly string[],
): Promise<readonly string[]> {
  const parent = findParentField(access.entity)
  if (parent === null || ids.length === 0) return []
  const { entity } = access
  const [key, up] = [columnRef(entity.id.name), columnRef(parent.column.name)]
  const { rows } = await sql<{ id: string }>`
    with recursive climb as (
      select ${key}::text as id, ${up}::text as parent, 1 as depth from ${fromTable(entity)}
      where ${tenantRows(entity, access.tenant)} and ${withIds(access, ids)}
      union all
      select climb.id, ${up}::text, climb.depth + 1 from ${fromTable(entity)}
      join climb on ${key}::text = climb.parent
      where ${tenantRows(entity, access.tenant)} and climb.depth <= ${limits.treeDepth}::int4
    )
    select distinct ${identifier('id')} from climb
    where depth > ${limits.treeDepth}::int4`.execute(db)
  return rows.map(({ id }) => id)
}

/** Rows with children cannot be deleted. @throws Refusal 409 with the number of children */
export async function assertNoChildren(
  db: AnyDatabase,
  access: EntityAccess,
  ids: readonly string[],
): Promise<void> {
  const parent = findParentField(access.entity)
  if (parent === null) return
  const where = allOf([
    baseRows(access.entity, access.tenant),
    matchChildren(parent.column, ids),
    sql`not (${withIds(access, ids)})`,
  ])
  const {
    rows: [found],
  } = await sql<{ n: number }>`
    select count(*)::int4 as n from ${fromTable(access.entity)} where ${where}`.execute(db)
  if (found !== undefined && found.n > 0)
    throw new Refusal(409, { key: 'tree.hasChildren', params: { n: found.n } })
}

/**
 * A row is not restored below a deleted parent, where the tree would not show it.
 * @throws Refusal 409
 */
export async function assertParentsKept(
  trx: AnyDatabase,
  access: EntityAccess,
  ids: readonly string[],
): Promise<void> {
  const parent = findParentField(access.entity)
  const bin = findBin(access.entity)
  if (parent === null || bin === null) return
  const { entity, tenant } = access
  const parentRef = columnRef(parent.column.name)
  const { rows: parents } = await sql<{ id: string }>`
    select distinct ${parentRef}::text as id from ${fromTable(entity)}
    where ${withIds(access, ids)} and ${parentRef} is not null`.execute(trx)
  const parentIds = parents.map(({ id }) => id)
  const { rows } = await sql`
    select 1 from ${fromTable(entity)}
    where ${tenantRows(entity, tenant)} and ${bin.deleted}
      and ${withIds(access, parentIds)} limit 1`.execute(trx)
  if (rows.length > 0) throw new Refusal(409, { key: 'recycle.parentGone' })
}
