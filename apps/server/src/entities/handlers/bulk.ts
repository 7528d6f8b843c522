import { presentBulk } from '../bulk/present.ts'
import { bulkResult } from '../bulk/result.ts'
import { applyBulk, cancelBulk, readBulk, startBulk } from '../bulk/start.ts'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { notFound } from '../../platform/refusal.ts'
import type { BulkRecord } from '../jobs/job.ts'

const loadBulkEntity = ({ registry, subject }: Context, tag: string) =>
  registry.get(subject.tenant, tag)

/** Bulk updates and deletions as jobs (docs/rules/requests.md#r24). */
export const bulkHandlers = {
  update: async ({ params, body }, context) =>
    await present(
      context,
      await startBulk(context, await loadBulkEntity(context, params.tag), 'update', body),
    ),
  remove: async ({ params, body }, context) =>
    await present(
      context,
      await startBulk(context, await loadBulkEntity(context, params.tag), 'delete', body),
    ),
  get: async ({ params }, context) => await present(context, params.id),
  apply: async ({ params, body }, context) => {
    await applyBulk(context, await ownJob(context, params.id), body)
    return await present(context, params.id)
  },
  cancel: async ({ params }, context) => {
    await cancelBulk(context, await ownJob(context, params.id))
    return await present(context, params.id)
  },
  result: async ({ params, query }, context) =>
    bulkResult(context, await ownJob(context, params.id), query),
} satisfies ServerHandlers['bulk']

async function present(context: Context, id: string) {
  return await presentBulk(context, await ownJob(context, id))
}

async function ownJob(context: Context, id: string): Promise<BulkRecord> {
  const job = await readBulk(context, id)
  if (job === undefined) throw notFound()
  return job
}
