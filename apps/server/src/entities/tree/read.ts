// Reads trees one level at a time, so that the cost depends on what is expanded; and searches them,
// with the path from the root to each hit.
import { limits } from '@jiaowu/api/limits'
import type { TreeNode } from '@jiaowu/api/contract/entity/tree'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { forbidden, Invalid } from '../../platform/refusal.ts'
import { type EntityAccess, fieldRows, isAllowed } from '../../access/access.ts'
import { labelRows } from '../read/labels.ts'
import { allOf, columnRef, type Condition } from '../../model/definition/names.ts'
import { countExactly } from '../read/totals/count.ts'
import { listFields } from '../read/page.ts'
import { readWindow } from '../read/paging/page-rows.ts'
import { planKey } from '../read/totals/totals.ts'
import { assertChoices } from '../read/filter/known-choices.ts'
import { listOrder } from '../read/order/list-order.ts'
import { orderKeysFor } from '../read/order/order-keys.ts'
import { compileQuery, buildFilterFault, fromPlan, orderBy, type QueryPlan } from '../read/query.ts'
import { withIds } from '../read/row.ts'
import { withTitles } from '../read/titles.ts'
import { type RawRow, rowReader, selectList } from '../read/rows.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { isTopLevel, matchChildren, type ParentField, findParentField } from './fields.ts'

/** The parent field; null without one, or when the caller may not read it on every row. */
export function findTreeParent(access: EntityAccess): ParentField | null {
  const parent = findParentField(access.entity)
  return parent !== null &&
    isAllowed(access, parent, 'detail') &&
    fieldRows(access, parent, 'detail') === null
    ? parent
    : null
}

type Found = { readonly raw: RawRow; readonly parent: string; readonly hit: boolean }

/** A page of the children of a row, in the order of the list. */
export async function loadChildren(
  context: Context,
  access: EntityAccess,
  parentId: string,
  pageNum: number,
): Promise<{ records: TreeNode[]; total: number }> {
  const parent = treeFor(access)
  const size = limits.treePage
  const offset = (pageNum - 1) * size
  if (pageNum < 1 || !Number.isSafeInteger(offset))
    throw new Invalid([buildFilterFault('pageNum', 'range', { key: 'entity.pageNum' })])
  const plan = {
    access,
    where: allOf([
      access.rows,
      parentId === '0' ? topLevelFor(access, parent) : matchChildren(parent.column, [parentId]),
    ]),
    order: await listOrder(context, access),
    extra: sql`${parentText(parent)} as tree_parent`,
  }
  const counted = await countExactly(databaseOf(context), plan)
  const window = { size, current: pageNum, offset }
  const { rows } = await readWindow(
    context,
    plan,
    listFields(access),
    window,
    planKey(context, plan),
    counted,
  )
  return {
    records: await buildTreeNodes(
      context,
      access,
      parent,
      rows.map((raw) => ({ raw, parent: parentId, hit: false })),
    ),
    total: counted.total,
  }
}

function treeFor(access: EntityAccess): ParentField {
  const parent = findTreeParent(access)
  if (parent === null) throw forbidden()
  return parent
}

/** Top-level rows, and rows whose parent is not among the caller's rows. */
function topLevelFor(access: EntityAccess, { column }: ParentField): Condition {
  const { entity } = access
  const visibleIds = sql`
    select ${columnRef(entity.id.name)}::text from ${fromTable(entity)} where ${access.rows}`
  return sql`(${isTopLevel(column)} or ${columnRef(column.name)}::text not in (${visibleIds}))`
}

async function select(
  context: Context,
  access: EntityAccess,
  parent: ParentField,
  tail: Condition,
  order: QueryPlan['order'] = [],
): Promise<readonly RawRow[]> {
  const { rows } = await sql<RawRow>`
    select ${selectList(access, listFields(access))}, ${parentText(parent)} as tree_parent
    from ${fromPlan({ access, order })} where ${tail}`.execute(databaseOf(context))
  return rows
}

function parentText(parent: ParentField) {
  return sql`coalesce(nullif(${columnRef(parent.column.name)}::text, ''), '0')`
}

async function buildTreeNodes(
  context: Context,
  access: EntityAccess,
  parent: ParentField,
  found: readonly Found[],
): Promise<TreeNode[]> {
  const fields = listFields(access)
  const rows = await labelRows(
    context,
    fields,
    found.map(({ raw }) => raw).map(rowReader(access, fields, 'list')),
  )
  const counts = await countBelow(
    context,
    access,
    parent,
    rows.map(({ id }) => id),
  )
  return withTitles(context, access.entity, rows).map((row, i) => ({
    row,
    parent: found[i]?.parent ?? '0',
    children: counts.get(row.id) ?? 0,
    ...(found[i]?.hit === true && { hit: true }),
  }))
}

async function countBelow(
  context: Context,
  access: EntityAccess,
  parent: ParentField,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ parent: string; n: number }>`
    select ${parentText(parent)} as parent, count(*)::int4 as n from ${fromTable(access.entity)}
    where ${allOf([access.rows, matchChildren(parent.column, ids)])} group by 1`.execute(
    databaseOf(context),
  )
  return new Map(rows.map((row) => [row.parent, row.n]))
}

/** The rows matching a filter and their ancestors, as far as the caller may see them. */
export async function searchTree(
  context: Context,
  access: EntityAccess,
  queries: Readonly<Record<string, unknown>>,
): Promise<{ records: TreeNode[]; complete: boolean }> {
  const parent = treeFor(access)
  await assertChoices(context, access, { queries })
  const keys = await orderKeysFor(context, access, [])
  const plan = compileQuery(access, { queries, sorts: [] }, context.now(), keys)
  const hits = await select(
    context,
    access,
    parent,
    sql`${plan.where} order by ${orderBy(plan.order)} limit ${limits.treeHits + 1}`,
    plan.order,
  )
  const found = new Map<string, Found>(
    hits
      .slice(0, limits.treeHits)
      .map((raw) => [String(raw.id), { raw, parent: String(raw.tree_parent), hit: true }]),
  )
  let wanted = [...found.values()].map((each) => each.parent)
  for (let level = 0; level < limits.treeDepth * 2; level += 1) {
    const missing = [...new Set(wanted)].filter((id) => id !== '0' && !found.has(id))
    if (missing.length === 0) break
    const parents = await select(
      context,
      access,
      parent,
      allOf([access.rows, withIds(access, missing)]),
    )
    for (const raw of parents)
      found.set(String(raw.id), { raw, parent: String(raw.tree_parent), hit: false })
    wanted = parents.map((raw) => String(raw.tree_parent))
  }
  // Sort hits and ancestors by the order of the list.
  const ids = [...found.keys()]
  const { rows: ordered } =
    ids.length === 0
      ? { rows: [] }
      : await sql<{ id: string }>`
          select ${columnRef(access.entity.id.name)}::text as id from ${fromPlan(plan)}
          where ${allOf([access.rows, withIds(access, ids)])}
          order by ${orderBy(plan.order)}`.execute(databaseOf(context))
  const inOrder = ordered.flatMap(({ id }) => {
    const each = found.get(id)
    return each === undefined
      ? []
      : [{ ...each, parent: found.has(each.parent) ? each.parent : '0' }]
  })
  return {
    records: await buildTreeNodes(context, access, parent, inOrder),
    complete: hits.length <= limits.treeHits,
  }
}
