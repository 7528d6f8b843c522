import type { Context, ServerHandlers } from '../../model/context.ts'
import { accessTo } from '../../access/access.ts'
import { moveRow, orderRows } from '../tree/move.ts'
import { loadChildren, searchTree } from '../tree/read.ts'

const loadEntity = ({ registry, subject }: Context, tag: string) =>
  registry.get(subject.tenant, tag)

export const treeHandlers: ServerHandlers['tree'] = {
  children: async ({ params, body: { parent, pageNum } }, context) =>
    await loadChildren(
      context,
      await accessTo(context, await loadEntity(context, params.tag), 'view'),
      parent,
      pageNum,
    ),
  search: async ({ params, body: { queries } }, context) =>
    await searchTree(
      context,
      await accessTo(context, await loadEntity(context, params.tag), 'view'),
      queries,
    ),
  move: async ({ params, body }, context) =>
    await moveRow(context, await loadEntity(context, params.tag), params.id, body),
  order: async ({ params, body: { ids } }, context) =>
    await orderRows(context, await loadEntity(context, params.tag), ids),
}
