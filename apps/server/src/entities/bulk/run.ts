// One run of a change of many rows: judging them, or, once the person has said so, doing it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Services } from '../../context.ts'
import { databaseOf } from '../read/rows.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type BulkRecord, JobStop } from '../import/job.ts'
import { readJob, stepJob } from '../../platform/jobs/jobs.ts'
import { labelIn } from '../import/rows/plan.ts'
import { contextOf } from '../../access/job-rights.ts'
import { type Run, writePhase } from '../import/write-phase.ts'
import { createWriter } from '../import/rows/write-rows.ts'
import { checkPhase } from './check.ts'
import { basisOf, type BulkRights, rightsTo } from './choose.ts'
import { createEraser } from './delete-rows.ts'

/** Runs a claimed job. What it throws is not about the job: the lease is lost, the server goes down, or something is broken. */
export async function runBulk(services: Services, claimed: Run<BulkRecord>): Promise<void> {
  const run: Run<BulkRecord> = { ...claimed, rest: resting() }
  const { job, token } = run
  let context: Context | undefined
  try {
    context = await contextOf(services, job)
    const rights = await rightsOf(context, job)
    if (job.phase === 'writing') await write(services, context, run, rights)
    else {
      await checkPhase(run, context, rights)
      throw new JobStop('paused', { key: 'transfer.job.review' })
    }
  } catch (error) {
    if (!(error instanceof JobStop)) throw error
    await stepJob(databaseOf(services), job.id, token, { status: error.status, message: error.say })
  }
  if (context !== undefined) await auditOf(context, services, job)
}

/** After each batch a rest of a third of its time: what a page asks in a row would else wait for a batch each time, for the embedded engine does one thing at once. */
function resting(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    await sleep(Math.min(150, (performance.now() - since) / 3))
    since = performance.now()
  }
}

/** Read anew whenever the job is taken up, so that a revoked right stops it. @throws JobStop */
async function rightsOf(context: Context, job: BulkRecord): Promise<BulkRights> {
  const entity = await context.registry.find(job.tenant_id, job.tag)
  if (entity === undefined) throw new JobStop('failed', { key: 'bulk.job.noRight' })
  return await rightsTo(context, entity, job.options.action).catch((error: unknown) => {
    throw error instanceof Refusal ? new JobStop('failed', { key: 'bulk.job.noRight' }) : error
  })
}

async function write(
  services: Services,
  context: Context,
  run: Run<BulkRecord>,
  rights: BulkRights,
): Promise<void> {
  const { options } = run.job
  const { entity } = rights.act
  // What was looked at and agreed to is what is done: by other rules the rows would have been judged otherwise.
  if (options.basis !== basisOf(rights)) throw new JobStop('failed', { key: 'bulk.job.outdated' })
  const writer =
    options.action === 'delete'
      ? await createEraser(context, entity, rights.act)
      : await createWriter(context, entity, null, rights.act)
  await writePhase(run, writer, labelIn(context, entity))
  if (run.job.changed > 1_000)
    await services.database
      .maintain()
      .catch((error: unknown) =>
        services.log.warn(
          { err: error },
          'maintenance after a change of many rows did not come to its end',
        ),
      )
}

async function auditOf(
  context: Context,
  services: Services,
  { id, tag }: BulkRecord,
): Promise<void> {
  const job = await readJob(services, id)
  if (job?.kind !== 'bulk' || (job.phase === 'review' && job.status === 'paused')) return
  const {
    status,
    updated,
    same,
    wrong,
    total,
    options: { action, onError, set, ids, queries, except },
  } = job
  const detail = {
    status,
    total,
    changed: updated,
    same,
    refused: wrong,
    onError,
    ...(action === 'update' ? { fields: Object.keys(set) } : {}),
    ...(ids === null
      ? { filters: Object.keys(queries), except: except.length }
      : { ids: ids.length }),
  }
  await context.audit({
    action: `entity.bulk.${action}`,
    object: tag,
    objectId: id,
    result: status === 'done' ? 'ok' : 'failed',
    detail,
  })
}
