import type { ServerHandlers } from '../../model/context.ts'
import { notFound } from '../../platform/refusal.ts'
import { entityDataHandlers } from './entity-data.ts'
import { jobHandlers } from './job.ts'

const params = { tag: 'SYS_DICT_ITEM' }
const nothing = { query: undefined, body: undefined }

/** A second route to the SYS_DICT_ITEM entity; every call is forwarded to the generic handlers. */
export const dictionaryItemHandlers: ServerHandlers['dictionaryItem'] = {
  page: ({ body }, context) => entityDataHandlers.page({ params, query: undefined, body }, context),
  create: ({ body }, context) =>
    entityDataHandlers.create({ params, query: undefined, body }, context),
  update: ({ body: { id, ...values } }, context) => {
    if (!/^\d{1,19}$/.test(id)) throw notFound()
    return entityDataHandlers.update(
      { params: { ...params, id }, query: undefined, body: values },
      context,
    )
  },
  remove: ({ query: { ids } }, context) =>
    entityDataHandlers.remove({ params: { ...params, ids }, ...nothing }, context),
  export: ({ body }, context) =>
    entityDataHandlers.export({ params, query: undefined, body }, context),
  import: ({ body }, context) => jobHandlers.import({ params, query: undefined, body }, context),
  preview: ({ body }, context) =>
    jobHandlers.import({ params, query: undefined, body: { ...body, dryRun: true } }, context),
}
