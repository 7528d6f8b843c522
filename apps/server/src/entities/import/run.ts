// One run of an import, from the phase that the job is in to its end or to the next question to the user.
import type { Services } from '../../model/context.ts'
import { transact } from '../../platform/database/transact.ts'
import { type AnyDatabase, databaseOf } from '../../platform/database/any-database.ts'
import { FileProblem } from '../sheets/read/model.ts'
import { checkPhase } from './check-phase.ts'
import type { Rights } from './columns.ts'
import { openFile } from './upload/open-file.ts'
import { JobCancelled } from '../../platform/jobs/lease.ts'
import { type ImportRecord, JobStop, type LedgerRun } from '../jobs/job.ts'
import { type JobPatch, readJob, readJobIn, stepJob } from '../jobs/job-table.ts'
import { readMemory, remember } from './memory.ts'
import { labelIn } from './rows/plan.ts'
import { buildJobContext, loadJobRights, rowsAudit } from '../jobs/job-rights.ts'
import { writePhase } from './write-phase.ts'
import { createWriter } from './rows/write/ledger-writer.ts'
import type { Context } from '../../model/context.ts'

/**
 * Imports into system tables ask for confirmation: a wrong file can lock out every user
 * (docs/rules/requests.md#r12).
 */
function isSensitive({ view: { entity } }: Rights): boolean {
  return entity.table.schema === 'sys'
}

/** Expected outcomes become the job's status. @throws LeaseLost, QueueStopping, and unexpected errors */
export async function runImport(services: Services, claimed: LedgerRun): Promise<void> {
  const { job, lease } = claimed
  let context: Context | undefined
  const onEnd = async (trx: AnyDatabase) => {
    if (context !== undefined) await auditEnd(trx, context, job)
  }
  try {
    const user = await buildJobContext(services, job)
    context = user
    await advance(services, user, { ...claimed, onEnd, onRows: rowsAudit(user, job, 'import') })
  } catch (error) {
    const patch = toImportPatch(error)
    if (patch === null) throw error
    await transact(databaseOf(services), async (trx) => {
      await stepJob(trx, lease, patch)
      await onEnd(trx)
    })
  }
}

async function advance(services: Services, context: Context, run: LedgerRun): Promise<void> {
  let rights = await loadJobRights(context, run.job)
  let at: LedgerRun = run
  const reload = async () => {
    at = { ...run, job: await current(services, run.job) }
    rights = await loadJobRights(context, at.job)
  }
  const checked =
    (at.job.phase === 'review' || at.job.phase === 'writing') &&
    ((at.job.phase === 'writing' && at.job.written_to > 0) ||
      at.job.options.revision === rights.view.entity.revision)
  if (!checked) {
    await upToReview(context, at, rights)
    await reload()
    // Programs and the grid send ndjson: its choices are not those of the user's next sheet.
    if (at.job.file.format !== 'ndjson') await remember(context, at.job)
  }
  if (at.job.phase === 'review') {
    if ((await fromReview(context, at, rights)) === 'done') return
    await reload()
  }
  const { entity } = rights.view
  await writePhase(
    at,
    await createWriter(context, entity, rights.add, rights.update),
    labelIn(context, entity),
  )
  const { inserted, updated } = await current(services, run.job)
  // Updates the planner's statistics, and checkpoints the embedded engine.
  if (inserted + updated > 1_000)
    await services.database
      .maintain()
      .catch((error: unknown) =>
        services.log.warn({ err: error }, 'maintenance after an import failed'),
      )
}

async function current(services: Services, { tenant_id, id }: ImportRecord): Promise<ImportRecord> {
  const job = await readJob(services, { tenant_id, id })
  if (job?.kind !== 'import') throw new Error(`job ${id} was deleted while it ran`)
  return job
}

/** Reads, maps and checks. @throws JobStop to ask about the columns */
async function upToReview(context: Context, run: LedgerRun, rights: Rights): Promise<void> {
  const { job, lease } = run
  const file = await openFile(
    context,
    job,
    rights,
    job.options.mappingSeen ? null : await readMemory(context, job.tag),
  )
  if (job.options.pauseAt === 'mapping') {
    await file.rows.return(undefined)
    await stepJob(databaseOf(context), lease, { phase: 'mapping', sheet: file.sheet })
    throw new JobStop('paused', { key: 'transfer.job.mapping' })
  }
  await checkPhase(run, context, rights, file)
}

async function fromReview(
  context: Context,
  run: LedgerRun,
  rights: Rights,
): Promise<'write' | 'done'> {
  const { job, lease, onEnd } = run
  const { dryRun, pauseAt, onError, confirm } = job.options
  if (dryRun) {
    await transact(databaseOf(context), async (trx) => {
      await stepJob(trx, lease, { status: 'done' })
      await onEnd?.(trx)
    })
    return 'done'
  }
  if (pauseAt === 'review') throw new JobStop('paused', { key: 'transfer.job.review' })
  if (isSensitive(rights) && !confirm) throw new JobStop('paused', { key: 'transfer.job.confirm' })
  if (onError === 'abort' && job.wrong > 0)
    throw new JobStop('failed', { key: 'transfer.job.invalid', params: { n: job.wrong } })
  await stepJob(databaseOf(context), lease, {
    phase: 'writing',
    done: job.same + job.wrong + job.inserted + job.updated,
  })
  return 'write'
}

function toImportPatch(error: unknown): JobPatch | null {
  if (error instanceof JobCancelled)
    return { status: 'cancelled', message: { key: 'transfer.job.cancelled' } }
  if (error instanceof JobStop)
    return {
      status: error.status,
      message: error.text,
      ...(error.sheet === null ? {} : { phase: 'mapping', sheet: error.sheet }),
    }
  return error instanceof FileProblem ? { status: 'failed', message: error.text } : null
}

async function auditEnd(trx: AnyDatabase, context: Context, job: ImportRecord): Promise<void> {
  const ended = await readJobIn(trx, job)
  if (ended?.kind !== 'import') return
  const {
    status,
    inserted,
    updated,
    same,
    wrong,
    options: { mode, onError, dryRun },
    file,
  } = ended
  context.audit(
    {
      action: 'entity.import',
      object: job.tag,
      objectId: job.id,
      result: status === 'done' ? 'ok' : 'failed',
      detail: {
        status,
        mode,
        onError,
        dryRun,
        inserted,
        updated,
        same,
        wrong,
        sha256: file.sha256,
      },
    },
    trx,
  )
}
