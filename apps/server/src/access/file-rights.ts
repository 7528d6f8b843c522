import { entityPermission, may } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { accessTo } from './access.ts'
import type { LoadedEntity } from '../entities/definition/loaded.ts'
import { columnRef, typed } from '../entities/definition/names.ts'
import { rowOf } from '../entities/read/row.ts'
import { databaseOf, fromTable } from '../entities/read/rows.ts'
import { castOf, familyOf, columnViolation } from '../entities/fields/column.ts'
import { notFound, Refusal } from '../platform/refusal.ts'

/** `row`: the row is there and the caller may see it. `draft`: there is no such row yet, and the caller may add one; then only own files count. */
export type Right = 'row' | 'draft'

/** Those of `ids` that are rows of the entity, of whatever tenant and visible to whomever; undefined when one of them can be no id at all. */
export async function existing(
  context: Pick<Context, 'database'>,
  entity: LoadedEntity,
  ids: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const family = familyOf(entity.id)
  if (family === undefined || ids.some((id) => columnViolation(id, entity.id) !== null))
    return undefined
  const { rows } = await sql<{
    id: string
  }>`select ${columnRef(entity.id.name)}::text as id from ${fromTable(entity)} where ${columnRef(entity.id.name)} = any(${typed([...ids], `${castOf[family]}[]`)})`.execute(
    databaseOf(context),
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * The right to a file is the right to its row (docs/rules/security.md#f5): to view it, or to change it for adding and deleting files.
 * @throws Refusal 403 without the permission, 404 for an unknown entity or a row out of sight
 */
export async function rightTo(
  context: Context,
  bizType: string,
  bizId: string,
  action: 'view' | 'update',
): Promise<Right> {
  const entity = await context.registry.get(context.subject.tenant, bizType)
  const mayAdd = may(context.subject.permissions, entityPermission(bizType, 'add'))
  try {
    await rowOf(context, await accessTo(context, entity, action), bizId)
    return 'row'
  } catch (error) {
    if (!mayAdd || !(error instanceof Refusal) || (error.status !== 404 && error.status !== 403))
      throw error
    // Adding means a row that does not exist for anyone, not one that is merely out of sight.
    const known = await existing(context, entity, [bizId])
    if (known === undefined || known.size > 0) throw error.status === 403 ? error : notFound()
    return 'draft'
  }
}
