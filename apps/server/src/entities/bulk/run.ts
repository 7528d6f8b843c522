// One run of a bulk change: checks the selected rows, or writes them once the user has applied the change.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Services } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { JobCancelled } from '../../platform/jobs/lease.ts'
import { type BulkRecord, JobStop, type LedgerRun } from '../jobs/job.ts'
import { type JobPatch, readJobIn, stepJob } from '../jobs/job-table.ts'
import { labelIn } from '../import/rows/plan.ts'
import { buildJobContext, rowsAudit } from '../jobs/job-rights.ts'
import { writePhase } from '../import/write-phase.ts'
import { createWriter } from '../import/rows/write/ledger-writer.ts'
import { whereColumns } from '../read/filter/where.ts'
import { checkPhase } from './check.ts'
import { computeBasis, type BulkRights, rightsTo } from './choose.ts'
import { createEraser } from './delete-rows.ts'

/** Expected outcomes become the job's status. @throws LeaseLost, QueueStopping, and unexpected errors */
export async function runBulk(services: Services, claimed: LedgerRun<BulkRecord>): Promise<void> {
  const { job, lease } = claimed
  let context: Context | undefined
  const onEnd = async (trx: AnyDatabase) => {
    if (context !== undefined) await auditEnd(trx, context, job)
  }
  try {
    const user = await buildJobContext(services, job)
    context = user
    const run: LedgerRun<BulkRecord> = {
      ...claimed,
      pause: createPause(),
      onEnd,
      onRows: rowsAudit(user, job, `bulk.${job.options.action}`),
    }
    const rights = await loadBulkRights(user, job)
    if (job.phase === 'writing') await writeChunk(services, user, run, rights)
    else {
      await checkPhase(run, user, rights)
      throw new JobStop('paused', { key: 'transfer.job.review' })
    }
  } catch (error) {
    const patch = toJobPatch(error)
    if (patch === null) throw error
    await transact(databaseOf(services), async (trx) => {
      await stepJob(trx, lease, patch)
      await onEnd(trx)
    })
  }
}

function toJobPatch(error: unknown): JobPatch | null {
  if (error instanceof JobCancelled)
    return { status: 'cancelled', message: { key: 'transfer.job.cancelled' } }
  return error instanceof JobStop ? { status: error.status, message: error.text } : null
}

/**
 * Pauses after each chunk for a third of the time the chunk took. The embedded engine runs one statement at a time:
 * without pauses every request of a page would wait for a whole chunk.
 */
function createPause(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    await sleep(Math.min(150, (performance.now() - since) / 3))
    since = performance.now()
  }
}

/** Reads the rights for every run, so that a revoked right stops the job. @throws JobStop */
async function loadBulkRights(context: Context, job: BulkRecord): Promise<BulkRights> {
  const entity = await context.registry.find(job.tenant_id, job.tag)
  if (entity === undefined) throw new JobStop('failed', { key: 'bulk.job.noRight' })
  return await rightsTo(context, entity, job.options).catch((error: unknown) => {
    throw error instanceof Refusal ? new JobStop('failed', { key: 'bulk.job.noRight' }) : error
  })
}

async function writeChunk(
  services: Services,
  context: Context,
  run: LedgerRun<BulkRecord>,
  rights: BulkRights,
): Promise<void> {
  const { options } = run.job
  const { entity } = rights.act
  // The user agreed to rows checked by these rules; with other rules the verdicts could differ.
  if (options.basis !== computeBasis(rights))
    throw new JobStop('failed', { key: 'bulk.job.outdated' })
  const writer =
    options.action === 'delete'
      ? await createEraser(context, entity, rights.act)
      : await createWriter(context, entity, null, rights.act)
  await writePhase(run, writer, labelIn(context, entity))
  if (run.job.changed > 1_000)
    await services.database
      .maintain()
      .catch((error: unknown) =>
        services.log.warn({ err: error }, 'maintenance after a bulk change failed'),
      )
}

async function auditEnd(
  trx: AnyDatabase,
  context: Context,
  { tenant_id, id, tag }: BulkRecord,
): Promise<void> {
  const job = await readJobIn(trx, { tenant_id, id })
  if (job?.kind !== 'bulk' || (job.phase === 'review' && job.status === 'paused')) return
  const {
    status,
    updated,
    same,
    wrong,
    total,
    options: { action, onError, set, ids, queries, where, except },
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
      ? { filters: [...Object.keys(queries), ...whereColumns(where)], except: except.length }
      : { ids: ids.length }),
  }
  context.audit(
    {
      action: `entity.bulk.${action}`,
      object: tag,
      objectId: id,
      result: status === 'done' ? 'ok' : 'failed',
      detail,
    },
    trx,
  )
}
