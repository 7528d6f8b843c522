// Moves rows in their tree and reorders siblings. Both are ordinary changes of the parent and sort
// fields, recorded in the history.
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { forbidden, Invalid, notFound, Refusal, stale } from '../../platform/refusal.ts'
import { transact } from '../../platform/database/transact.ts'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import { checkedChoices, loadChoiceSources } from '../choices/check.ts'
import { type LoadedEntity, readableFields } from '../../model/definition/loaded.ts'
import { allOf, columnRef, type Condition } from '../../model/definition/names.ts'
import { buildFilterFault, fromPlan, orderBy } from '../read/query.ts'
import { listOrder } from '../read/order/list-order.ts'
import { type LockedRow, lockRow, lockRows, loadRow } from '../read/row.ts'
import {
  matchChildren,
  isTopLevel,
  findOrderField,
  findParentField,
  type ParentField,
  findSortField,
} from './fields.ts'
import { createDerivation } from '../write/values/derive.ts'
import { type Change, isEditable, isSameValue } from '../write/values/values.ts'
import { writeRows } from '../write/write-rows.ts'
import type { RowWrite, RowWriter } from '../write/writer.ts'

export interface Move {
  readonly version: string | number
  readonly parent: string
  readonly before: string | null
}
/** Leaves the transaction; the current row is read and answered outside of it. */
class StaleRowError extends Error {}

/**
 * Moves a row below another, before a sibling or last, and returns it.
 * @throws Refusal 403, 404, 409/40900; Invalid
 */
export async function moveRow(
  context: Context,
  entity: LoadedEntity,
  id: string,
  { version, parent: parentId, before }: Move,
): Promise<Row> {
  const access = await accessTo(context, entity, 'update')
  const [parent, sort] = [findParentField(entity), findSortField(entity)]
  if (parent === null) throw notFound()
  const writer = await moveWriter(context, access, parent, (trx, rows) => {
    const counts = [parent, ...(sort === null ? [] : [sort])].map((field) => ({
      name: field.definition.attrName,
      rows: rows.filter(({ changes }) => changes.some((change) => change.field === field)).length,
    }))
    const detail = {
      fields: counts.filter((each) => each.rows > 0).map(({ name }) => name),
      numbered: counts[1]?.rows ?? 0,
    }
    context.audit(
      { action: 'entity.move', object: entity.tag, objectId: id, result: 'ok', detail },
      trx,
    )
  })
  await transact(databaseOf(context), async (trx) => {
    const locked = await lockRow(trx, access, readableFields(entity), id)
    if (locked === undefined) throw notFound()
    if (String(version) !== String(locked.row.version)) throw new StaleRowError()
    const ids = mayWrite(access, sort) ? await newOrder(trx, writer, { id, parentId, before }) : []
    const moved: RowWrite = {
      kind: 'move',
      id,
      changes: parentChanges(locked, parent, parentId),
      stored: locked.row,
    }
    await writeRows(trx, writer, mergeOrders(moved, await numberedRows(trx, access, sort, ids)))
  }).catch(async (error: unknown) => {
    throw error instanceof StaleRowError ? stale(await loadRow(context, access, id)) : error
  })
  return await loadRow(context, access, id)
}

/** The moved row, where it changes, and its siblings. */
function mergeOrders(moved: RowWrite, numbered: readonly RowWrite[]): RowWrite[] {
  const own = numbered.find(({ id }) => id === moved.id)
  const changes = [...moved.changes, ...(own?.changes ?? [])]
  return [
    ...(changes.length === 0 ? [] : [{ ...moved, changes }]),
    ...numbered.filter((row) => row !== own),
  ]
}

async function moveWriter(
  context: Context,
  access: EntityAccess,
  parent: ParentField | null,
  audit: RowWriter['audit'],
): Promise<RowWriter> {
  const { entity } = access
  return {
    context,
    entity,
    isJob: false,
    add: null,
    change: access,
    choices: checkedChoices(await loadChoiceSources(context, parent === null ? [] : [parent])),
    derive: await createDerivation(context, entity),
    audit,
  }
}

/** The row among the children of the parent in their new order; none where they are not numbered. */
async function newOrder(
  trx: AnyDatabase,
  { context, change: access, entity }: RowWriter,
  { id, parentId, before }: { id: string; parentId: string; before: string | null },
): Promise<readonly string[]> {
  const parent = findParentField(entity)
  if (parent === null || access === null) return []
  const siblings = await siblingsIn(
    trx,
    context,
    access,
    parentId === '0' ? isTopLevel(parent.column) : matchChildren(parent.column, [parentId]),
  )
  const others = siblings.filter((each) => each !== id)
  if (others.length >= limits.treeSiblings) {
    if (before !== null)
      throw new Refusal(409, { key: 'tree.tooMany', params: { n: limits.treeSiblings } })
    return []
  }
  return insertBefore(others, id, before)
}

/** The change of the parent; none when it stays the same. @throws Refusal 403 */
function parentChanges(
  { row, access }: LockedRow,
  parent: ParentField,
  parentId: string,
): Change[] {
  const value = parentId === '0' ? [] : [{ id: parentId, name: '' }]
  if (isSameValue(row[parent.definition.attrName] ?? null, value)) return []
  if (!isEditable(access, parent, 'edit')) throw forbidden()
  return [{ field: parent, value }]
}

function mayWrite(access: EntityAccess, field: ParentField | null): field is ParentField {
  return field !== null && isEditable(access, field, 'edit')
}

/** The ids of the rows of a parent as the tree shows them. */
async function siblingsIn(
  trx: AnyDatabase,
  context: Context,
  access: EntityAccess,
  where: Condition,
): Promise<string[]> {
  const order = await listOrder(context, access)
  const { rows } = await sql<{ id: string }>`
    select ${columnRef(access.entity.id.name)}::text as id from ${fromPlan({ access, order })}
    where ${allOf([access.rows, where])}
    order by ${orderBy(order)} limit ${limits.treeSiblings + 1}`.execute(trx)
  return rows.map(({ id }) => id)
}

/** The rows whose position is not the one in `ids`, from 1. @throws Refusal 403, 404 */
async function numberedRows(
  trx: AnyDatabase,
  access: EntityAccess,
  sort: ParentField | null,
  ids: readonly string[],
): Promise<RowWrite[]> {
  if (sort === null || ids.length === 0) return []
  const locked = await lockRows(trx, access, readableFields(access.entity), ids)
  return ids.flatMap((id, index): RowWrite[] => {
    const found = locked.get(id)
    if (found === undefined) throw notFound()
    const { row: stored } = found
    if (isSameValue(stored[sort.definition.attrName] ?? null, index + 1)) return []
    if (!isEditable(found.access, sort, 'edit')) throw forbidden()
    return [{ kind: 'move', id, changes: [{ field: sort, value: index + 1 }], stored }]
  })
}

/** Inserts the row before a sibling, or last. @throws Invalid when `before` is not a sibling */
function insertBefore(
  others: readonly string[],
  id: string,
  before: string | null,
): readonly string[] {
  const at = before === null ? others.length : others.indexOf(before)
  if (at === -1)
    throw new Invalid([buildFilterFault('before', 'value', { key: 'tree.siblingGone' })])
  return others.toSpliced(at, 0, id)
}

/**
 * Numbers all of the rows in the order of `ids`, or none.
 * @throws Refusal 403 without an editable sort field, 404
 */
export async function orderRows(
  context: Context,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<{ changed: number }> {
  const access = await accessTo(context, entity, 'update')
  const sort = findOrderField(entity)
  if (!mayWrite(access, sort)) throw forbidden()
  if (new Set(ids).size !== ids.length)
    throw new Invalid([buildFilterFault('ids', 'value', { key: 'rule.value' })])
  const writer = await moveWriter(context, access, null, (trx, rows) =>
    context.audit(
      {
        action: 'entity.order',
        object: entity.tag,
        result: 'ok',
        detail: { fields: [sort.definition.attrName], rows: rows.length },
      },
      trx,
    ),
  )
  const { rows } = await transact(databaseOf(context), async (trx) =>
    writeRows(trx, writer, await numberedRows(trx, access, sort, ids)),
  )
  return { changed: rows.length }
}
