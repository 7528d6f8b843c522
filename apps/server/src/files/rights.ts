import { entityPermission, may } from '@jiaowu/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { accessTo } from '../entity/access.ts'
import { rowOf } from '../entity/row.ts'
import { notFound, Refusal } from '../refusal.ts'

/** `row`: the row is there and the caller may see it. `draft`: there is no such row yet, and the caller may add one; then only own files count. */
export type Right = 'row' | 'draft'

/**
 * The right to a file is the right to its row (security F5): to view it, or to change it for adding and deleting files.
 * @throws Refusal 403 without the permission, 404 for an unknown entity or a row out of sight
 */
export const rightTo = async (context: Context, bizType: string, bizId: string, action: 'view' | 'update'): Promise<Right> => {
  const entity = await context.registry.get(context.subject.tenant, bizType)
  const mayAdd = may(context.subject.permissions, entityPermission(bizType, 'add'))
  try {
    await rowOf(context, await accessTo(context, entity, action), bizId)
    return 'row'
  } catch (error) {
    if (!mayAdd || !(error instanceof Refusal) || (error.status !== 404 && error.status !== 403)) throw error
    // Adding means a row that does not exist for anyone, not one that is merely out of sight.
    const { kysely } = context.database
    const { rows } = await sql`select 1 from ${sql.table(`${entity.table.schema}.${entity.table.name}`)} where ${sql.ref(entity.id.name)}::text = ${bizId}`.execute(kysely)
    if (rows.length > 0) throw error.status === 403 ? error : notFound()
    return 'draft'
  }
}
