// Moves rows in their tree and reorders siblings. Both are ordinary changes of the parent and sort
// fields, recorded in the history.
import { limits } from '@jiaowu/api/limits'
import type { Row } from '@jiaowu/api/entity/values'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { forbidden, Invalid, notFound, Refusal, stale } from '../../platform/refusal.ts'
import { transact } from '../../platform/database/transact.ts'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import { choiceFaults, choiceSourcesOf } from '../choices/check.ts'
import { type LoadedEntity, readableFields } from '../../model/definition/loaded.ts'
import { allOf, columnRef, type Condition } from '../../model/definition/names.ts'
import { fault, fromPlan, orderBy } from '../read/query.ts'
import { listOrder } from '../read/order/list-order.ts'
import { lockRow, rowOf, withIds } from '../read/row.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { assertTree } from './checks.ts'
import {
  isChildOf,
  isTopLevel,
  orderFieldOf,
  parentFieldOf,
  type ParentField,
  sortFieldOf,
} from './fields.ts'
import { type Derive, deriveOf, withDerived } from '../write/values/derive.ts'
import { type Change, isEditable, isSame } from '../write/values/values.ts'
import { writeChanges } from '../write/write.ts'

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
  const [parent, sort] = [parentFieldOf(entity), sortFieldOf(entity)]
  if (parent === null) throw notFound()
  const choices = await choiceSourcesOf(context, [parent])
  const derive = await deriveOf(context, entity)
  await transact(databaseOf(context), async (trx) => {
    const locked = await lockRow(trx, access, readableFields(entity), id)
    if (locked === undefined) throw notFound()
    if (String(version) !== String(locked.row.version)) throw new StaleRowError()
    const moved = await changeParent(trx, context, locked.access, parent, locked.row, parentId, {
      choices,
      derive,
    })
    const numbered = await numberSiblings(trx, context, access, derive, {
      id,
      parentId,
      before,
    })
    if (moved || numbered > 0)
      context.audit(
        {
          action: 'entity.move',
          object: entity.tag,
          objectId: id,
          result: 'ok',
          detail: {
            fields: [
              ...(moved ? [parent.definition.attrName] : []),
              ...(numbered > 0 && sort !== null ? [sort.definition.attrName] : []),
            ],
            numbered,
          },
        },
        trx,
      )
  }).catch(async (error: unknown) => {
    throw error instanceof StaleRowError ? stale(await rowOf(context, access, id)) : error
  })
  return await rowOf(context, access, id)
}

/** Numbers the row and its siblings anew; returns how many rows changed. */
async function numberSiblings(
  trx: AnyDatabase,
  context: Context,
  access: EntityAccess,
  derive: Derive,
  { id, parentId, before }: { id: string; parentId: string; before: string | null },
): Promise<number> {
  const [parent, sort] = [parentFieldOf(access.entity), sortFieldOf(access.entity)]
  if (parent === null || !mayWrite(access, sort)) return 0
  const siblings = await siblingsIn(
    trx,
    context,
    access,
    parentId === '0' ? isTopLevel(parent.column) : isChildOf(parent.column, [parentId]),
  )
  if (siblings.length > limits.treeSiblings) {
    if (before !== null)
      throw new Refusal(409, { key: 'tree.tooMany', params: { n: limits.treeSiblings } })
    return 0
  }
  const ids = insertBefore(siblings, id, before)
  return await numberRows(trx, context, access, derive, sort, ids)
}

/**
 * Changes the parent of a row; returns false when it stays the same.
 * @throws Invalid for a parent that does not exist, is the row itself or below it, or is too deep
 */
async function changeParent(
  trx: AnyDatabase,
  context: Context,
  access: EntityAccess,
  parent: ParentField,
  row: Row,
  parentId: string,
  {
    choices,
    derive,
  }: {
    readonly choices: Awaited<ReturnType<typeof choiceSourcesOf>>
    readonly derive: Derive
  },
): Promise<boolean> {
  const { attrName } = parent.definition
  const change: Change = {
    field: parent,
    value: parentId === '0' ? [] : [{ id: parentId, name: '' }],
  }
  if (isSame(row[attrName] ?? null, change.value)) return false
  if (!isEditable(access, parent, 'edit')) throw forbidden()
  const wrong = await choiceFaults(trx, choices, [change], (name) =>
    name === attrName ? change.value : row[name],
  )
  if (wrong.length > 0) throw new Invalid(wrong)
  await assertTree(trx, access, row.id, [change])
  const changes = await withDerived(derive, trx, { id: row.id, changes: [change] })
  await writeChanges(trx, context, access, row, changes)
  return true
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

/** Stores in each row its position, from 1. Returns the number of rows changed. */
async function numberRows(
  trx: AnyDatabase,
  context: Context,
  access: EntityAccess,
  derive: Derive,
  sort: ParentField,
  ids: readonly string[],
): Promise<number> {
  let changed = 0
  for (const [index, id] of ids.entries()) {
    const locked = await lockRow(trx, access, readableFields(access.entity), id)
    if (locked === undefined) throw notFound()
    if (isSame(locked.row[sort.definition.attrName] ?? null, index + 1)) continue
    if (!isEditable(locked.access, sort, 'edit')) throw forbidden()
    const change = { field: sort, value: index + 1 }
    const changes = await withDerived(derive, trx, { id, changes: [change] })
    await writeChanges(trx, context, access, locked.row, changes)
    changed += 1
  }
  return changed
}

/** Inserts the row before a sibling, or last. @throws Invalid when `before` is not a sibling */
function insertBefore(
  siblings: readonly string[],
  id: string,
  before: string | null,
): readonly string[] {
  const others = siblings.filter((each) => each !== id)
  const at = before === null ? others.length : others.indexOf(before)
  if (at === -1) throw new Invalid([fault('before', 'value', { key: 'tree.siblingGone' })])
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
  const sort = orderFieldOf(entity)
  if (!mayWrite(access, sort)) throw forbidden()
  if (new Set(ids).size !== ids.length)
    throw new Invalid([fault('ids', 'value', { key: 'rule.value' })])
  const derive = await deriveOf(context, entity)
  const changed = await transact(databaseOf(context), async (trx) => {
    // Lock in id order, so that concurrent reorderings of the same rows do not deadlock.
    const { rows } = await sql`
      select 1 from ${fromTable(entity)} where ${access.rows} and ${withIds(access, ids)}
      order by ${columnRef(entity.id.name)} for update`.execute(trx)
    if (rows.length !== ids.length) throw notFound()
    const numbered = await numberRows(trx, context, access, derive, sort, ids)
    if (numbered > 0)
      context.audit(
        {
          action: 'entity.order',
          object: entity.tag,
          result: 'ok',
          detail: { fields: [sort.definition.attrName], rows: numbered },
        },
        trx,
      )
    return numbered
  })
  return { changed }
}
