import type { Context } from '../../../model/context.ts'
import type { EntityAccess } from '../../../access/access.ts'
import { compileQuery, type QueryPlan } from '../query.ts'
import { orderKeysFor } from './order-keys.ts'

/** The order of the list without a sort of its user. Read the rows from `fromPlan`, which has its joins. */
export async function listOrder(
  context: Context,
  access: EntityAccess,
): Promise<QueryPlan['order']> {
  const keys = await orderKeysFor(context, access, [])
  return compileQuery(access, { queries: {}, sorts: [] }, context.now(), keys).order
}
