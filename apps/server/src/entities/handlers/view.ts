import type { Context, ServerHandlers } from '../../model/context.ts'
import { accessTo } from '../../access/access.ts'
import { loadSavedViews } from '../views/read.ts'
import {
  chooseOpening,
  createView,
  saveLayout,
  saveWidths,
  removeView,
  updateView,
} from '../views/write.ts'

export const viewHandlers: ServerHandlers['view'] = {
  list: async ({ params }, context) =>
    await loadSavedViews(context, await loadViewAccess(context, params.tag)),
  create: async ({ params, body }, context) =>
    await createView(context, await loadViewAccess(context, params.tag), body),
  update: async ({ params, body }, context) =>
    await updateView(context, await loadViewAccess(context, params.tag), params.id, body),
  remove: async ({ params }, context) =>
    await removeView(context, await loadViewAccess(context, params.tag), params.id),
  open: async ({ params, body }, context) =>
    await chooseOpening(context, await loadViewAccess(context, params.tag), body.opens),
  keepLayout: async ({ params, body }, context) =>
    await saveLayout(context, await loadViewAccess(context, params.tag), body.columns),
  keepWidths: async ({ params, body }, context) =>
    await saveWidths(context, await loadViewAccess(context, params.tag), body.widths),
}

async function loadViewAccess(context: Context, tag: string) {
  return await accessTo(context, await context.registry.get(context.subject.tenant, tag), 'view')
}
