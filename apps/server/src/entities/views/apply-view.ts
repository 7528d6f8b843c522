// Applies the `view` in the body of a page or export (docs/rules/contract.md#entity-data): its
// filters and sorts complete those of the request.
import { joinedWhere } from '@jiaowu/api/entity/list/where-parts'
import type { Sort } from '@jiaowu/api/entity/values'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import type { Context } from '../../model/context.ts'
import type { EntityAccess } from '../../access/access.ts'
import { exportFields } from '../export/export.ts'
import { buildFilterFault } from '../read/query.ts'
import { Invalid } from '../../platform/refusal.ts'
import { withRelated } from '../read/filter/related.ts'
import { contentIn, visibleContent } from './content.ts'
import { findView } from './read.ts'

interface ViewRequest {
  readonly view?: string | undefined
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  readonly where?: Where | undefined
}
interface Merged {
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
  readonly where?: Where
}

/** The query of a page, and the number of parts of the view left out. */
export async function applyViewToPage<Q extends ViewRequest>(
  context: Context,
  access: EntityAccess,
  request: Q,
): Promise<{ readonly query: Q; readonly lacks: number }> {
  if (request.view === undefined) return { query: request, lacks: 0 }
  const { query, lacks } = await mergeView(context, access, request)
  return { query: { ...request, ...query }, lacks }
}

async function mergeView(
  context: Context,
  access: EntityAccess,
  { view, queries, sorts, where }: ViewRequest,
) {
  const row = view === undefined ? undefined : await findView(context, access.entity.tag, view)
  if (row === undefined)
    throw new Invalid([buildFilterFault('view', 'unknownView', { key: 'view.unknown' })])
  const stored = contentIn(row.content)
  const seen = await withRelated(context, access, stored.where)
  const { content, lacks } = visibleContent(seen, stored)
  const joined = joinedWhere(content.where, where ?? null)
  const query: Merged = {
    queries: { ...content.queries, ...queries },
    sorts: sorts.length > 0 ? sorts : content.sorts,
    ...(joined === null ? {} : { where: joined }),
  }
  return { query, columns: content.columns, lacks: lacks.queries + lacks.sorts }
}

/** The query of an export: with the view's exportable columns, unless the request names columns. */
export async function applyViewToExport<
  Q extends ViewRequest & { readonly columns?: readonly string[] | undefined },
>(context: Context, access: EntityAccess, request: Q): Promise<Q> {
  if (request.view === undefined) return request
  const { query, columns } = await mergeView(context, access, request)
  const names = new Set(exportFields(access).map(({ definition }) => definition.attrName))
  return {
    ...request,
    ...query,
    columns: request.columns ?? columns?.filter((name) => names.has(name)),
  }
}
