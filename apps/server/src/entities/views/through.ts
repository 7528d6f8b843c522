// `view` in the body of a page or an export (docs/rules/contract.md#entity-data): the view's filters and sorts, where the call names none of its own.
import type { Sort } from '@jiaowu/api'
import type { Context } from '../../context.ts'
import type { EntityAccess } from '../../access/access.ts'
import { exportFields } from '../export/export.ts'
import { fault } from '../read/query.ts'
import { Invalid } from '../../platform/refusal.ts'
import { contentIn, seenThrough } from './content.ts'
import { findView } from './read.ts'

interface Asked {
  readonly view?: string | undefined
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
}
interface Merged {
  readonly queries: Readonly<Record<string, unknown>>
  readonly sorts: readonly Sort[]
}

/** A page's query, and how much of the view it had to leave out. */
export async function pageThroughView<Q extends Asked>(
  context: Context,
  access: EntityAccess,
  asked: Q,
): Promise<{ readonly query: Q; readonly lacks: number }> {
  if (asked.view === undefined) return { query: asked, lacks: 0 }
  const { query, lacks } = await merged(context, access, asked)
  return { query: { ...asked, ...query }, lacks }
}

async function merged(context: Context, access: EntityAccess, { view, queries, sorts }: Asked) {
  const row = view === undefined ? undefined : await findView(context, access.entity.tag, view)
  if (row === undefined) throw new Invalid([fault('view', 'unknownView', { key: 'view.unknown' })])
  const { content, lacks } = seenThrough(access, contentIn(row.content))
  const query: Merged = {
    queries: { ...content.queries, ...queries },
    sorts: sorts.length > 0 ? sorts : content.sorts,
  }
  return { query, columns: content.columns, lacks: lacks.queries + lacks.sorts }
}

/** An export's query: with the view's columns, those of them that may leave, unless it names its own. */
export async function exportThroughView<
  Q extends Asked & { readonly columns?: readonly string[] | undefined },
>(context: Context, access: EntityAccess, asked: Q): Promise<Q> {
  if (asked.view === undefined) return asked
  const { query, columns } = await merged(context, access, asked)
  const names = new Set(exportFields(access).map(({ definition }) => definition.attrName))
  return {
    ...asked,
    ...query,
    columns: asked.columns ?? columns?.filter((name) => names.has(name)),
  }
}
