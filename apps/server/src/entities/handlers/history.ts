import type { Context, ServerHandlers } from '../../model/context.ts'
import { accessTo } from '../../access/access.ts'
import { loadRowHistory } from '../write/history.ts'
import { purgeRows } from '../write/removal/purge.ts'
import { recycledPage, restoreRows } from '../write/removal/recycle.ts'

const loadHistoryEntity = ({ registry, subject }: Context, tag: string) =>
  registry.get(subject.tenant, tag)

export const historyHandlers: ServerHandlers['history'] = {
  of: async ({ params }, context) =>
    await loadRowHistory(
      context,
      await accessTo(context, await loadHistoryEntity(context, params.tag), 'view'),
      params.id,
    ),
  recycled: async ({ params, body }, context) =>
    await recycledPage(context, await loadHistoryEntity(context, params.tag), body),
  restore: async ({ params }, context) =>
    await restoreRows(context, await loadHistoryEntity(context, params.tag), params.ids),
  purge: async ({ params, body: { count } }, context) =>
    await purgeRows(context, await loadHistoryEntity(context, params.tag), params.ids, count),
}
