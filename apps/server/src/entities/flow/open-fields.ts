// The fields of rows that their flow leaves open: a grid offers no others.
import type { Page } from '@jiaowu/api/entity/list/page'
import type { Row } from '@jiaowu/api/entity/values'
import { listEditable } from '@jiaowu/machines/flow/flow'
import type { EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { loadCases, withTables } from './cases.ts'

/** By the id of the row; null for an entity without a flow. */
export async function loadOpenFields(
  context: Context,
  { entity }: EntityAccess,
  rows: readonly Pick<Row, 'id'>[],
): Promise<NonNullable<Page['open']> | null> {
  if (entity.definition.options.flow === undefined) return null
  const cases = await loadCases(
    withTables(databaseOf(context)),
    context.subject.tenant,
    entity,
    rows.map(({ id }) => id),
  )
  return Object.fromEntries(
    [...cases].map(([id, { flow, flowCase }]) => [id, [...listEditable(flow, flowCase)]]),
  )
}
