import type { ServerHandlers } from '../../model/context.ts'
import { accessTo } from '../../access/access.ts'
import { findRecords, titleRecords } from '../search/find-records.ts'
import { listRelated } from '../search/related.ts'

export const searchHandlers: ServerHandlers['search'] = {
  find: async ({ body }, context) => ({ records: await findRecords(context, body.searchKey) }),
  titles: async ({ body }, context) => ({ records: await titleRecords(context, body.records) }),
  related: async ({ params }, context) => {
    const entity = await context.registry.get(context.subject.tenant, params.tag)
    return await listRelated(context, await accessTo(context, entity, 'view'))
  },
}
