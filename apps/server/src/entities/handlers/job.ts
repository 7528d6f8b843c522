import { limits } from '@jiaowu/api/limits'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { notFound } from '../../platform/refusal.ts'
import type { ImportRecord } from '../jobs/job.ts'
import { cancelJob, listImports, readOwnJob } from '../jobs/job-table.ts'
import { watchJobs } from '../jobs/watch-jobs.ts'
import { rowsOfVerdict } from '../jobs/ledger.ts'
import { forget, readMemory } from '../import/memory.ts'
import { presentJob, presentRows, verdictCodes } from '../import/present.ts'
import { createResultFile } from '../import/result.ts'
import { mendJob } from '../import/mending/mend.ts'
import { resumeJob } from '../import/resume.ts'
import { transact } from '../../platform/database/transact.ts'
import { cancelRunning } from '../../platform/jobs/queues.ts'
import { startImport } from '../import/start-import.ts'

/** Imports as jobs (docs/rules/contract.md#entity-data). */
export const jobHandlers = {
  import: async ({ params, body }, context) =>
    await presentJob(
      context,
      await startImport(
        context,
        await context.registry.get(context.subject.tenant, params.tag),
        body,
      ),
    ),
  get: async ({ params }, context) => await presentJob(context, await ownJob(context, params.id)),
  list: async ({ query: { tag, pageNum, pageSize } }, context) => {
    const [size, current] = [Math.min(pageSize, 100), Math.max(1, pageNum)]
    const { tenant, userId: user } = context.subject
    const { jobs, total } = await listImports(
      context,
      { tenant, user, tag },
      { size, offset: (current - 1) * size },
    )
    const records = []
    for (const job of jobs) records.push(await presentJob(context, job, false))
    return { records, total, size, current }
  },
  all: async ({ query: { pageNum, pageSize, ...asked } }, context) => {
    const [size, current] = [Math.min(pageSize, 100), Math.max(1, pageNum)]
    const found = await watchJobs(context, asked, { size, offset: (current - 1) * size })
    return { ...found, size, current }
  },
  resume: async ({ params, body }, context) => {
    const job = await ownJob(context, params.id)
    await resumeJob(context, job, body)
    return await presentAgain(context, job)
  },
  mend: async ({ params, body }, context) => {
    const job = await ownJob(context, params.id)
    await mendJob(context, job, body)
    return await presentAgain(context, job)
  },
  cancel: async ({ params }, context) => await cancel(context, await ownJob(context, params.id)),
  result: async ({ params, query }, context) =>
    await createResultFile(context, await ownJob(context, params.id), query),
  rows: async ({ params, query: { verdict, pageNum, pageSize } }, context) => {
    const job = await ownJob(context, params.id)
    const [size, current] = [Math.min(pageSize, limits.maxPageSize), Math.max(1, pageNum)]
    const rows = await rowsOfVerdict(
      databaseOf(context),
      job,
      verdictCodes[verdict],
      size,
      (current - 1) * size,
    )
    return { records: await presentRows(context, job, rows), total: job[verdict], size, current }
  },
  remembered: async ({ params }, context) => await readMemory(context, params.tag),
  forget: async ({ params }, context) => {
    await forget(context, params.tag)
    return null
  },
} satisfies ServerHandlers['job']

/** @throws Refusal 404 for a job of another user */
async function ownJob(context: Context, id: string): Promise<ImportRecord> {
  const job = await readOwnJob(context, id)
  if (job?.kind !== 'import') throw notFound()
  return job
}

async function presentAgain(context: Context, { id }: ImportRecord) {
  return await presentJob(context, await ownJob(context, id))
}

async function cancel(context: Context, job: ImportRecord) {
  await transact(databaseOf(context), async (trx) => {
    await cancelJob(trx, job)
    context.audit(
      { action: 'entity.import.cancel', object: job.tag, objectId: job.id, result: 'ok' },
      trx,
    )
  })
  if (job.status === 'running') cancelRunning(context, 'import', job.id)
  return await presentAgain(context, job)
}
