// Resumes an import that is paused, was interrupted, ended as a dry run, or failed and may succeed
// with other choices.
import type { contract } from '@jiaowu/api/contract/contract'
import type { Received } from '@jiaowu/api/endpoint'
import type { Context } from '../../model/context.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import type { ImportOptions, ImportRecord } from '../jobs/job.ts'
import { changeJob, type JobPatch } from '../jobs/job-table.ts'
import { transact } from '../../platform/database/transact.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { abilities } from './present.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { assertChoices, mergeImportOptions } from './start-import.ts'

type Choices = Received<(typeof contract)['job']['resume']>['body']

const rechecks: readonly (keyof Choices)[] = ['mode', 'key', 'empty', 'mapping', 'reading', 'fixed']

/** @throws Refusal 409 when the job is over, or has written rows and other choices are given */
export async function resumeJob(context: Context, job: ImportRecord, body: Choices): Promise<void> {
  if (job.status === 'queued' || job.status === 'running') {
    wakeQueue(context, 'import') // finds a dead run now instead of at the next poll
    return
  }
  assertResumable(job, body)
  const options = optionsToResume(job, body)
  const entity = await context.registry.find(job.tenant_id, job.tag)
  if (entity === undefined) throw notFound()
  await assertChoices(context, entity, options)
  const startsOver = mustCheckAgain(job, body) || job.phase === 'mapping'
  const patch: JobPatch = {
    status: 'queued',
    options,
    message: null,
    attempts: 0,
    ...(startsOver ? { phase: 'reading' } : {}),
  }
  await transact(databaseOf(context), async (trx) => {
    if (!(await changeJob(trx, job, [job.status], patch)))
      throw new Refusal(409, { key: 'transfer.job.over' })
    context.audit(
      { action: 'entity.import.resume', object: job.tag, objectId: job.id, result: 'ok' },
      trx,
    )
  })
  wakeQueue(context, 'import')
}

function assertResumable(job: ImportRecord, body: Choices): void {
  if (!abilities(job).resume)
    throw new Refusal(409, { key: job.file_gone ? 'transfer.file.gone' : 'transfer.job.over' })
  const changesOnError = body.onError !== undefined && body.onError !== job.options.onError
  if (job.written_to > 0 && (mustCheckAgain(job, body) || changesOnError))
    throw new Refusal(409, { key: 'transfer.job.started' })
}

/** The job's choices with those of the request. A dry run is resumed to write. */
function optionsToResume(job: ImportRecord, body: Choices): ImportOptions {
  const checkAgain = mustCheckAgain(job, body)
  const isInterrupted = job.interrupted_at !== null
  const wasDryRun = job.status === 'done' && job.options.dryRun
  const answersReview =
    !isInterrupted && job.phase === 'review' && job.status === 'paused' && !checkAgain
  const dropsKey = checkAgain && body.key === undefined && body.mode !== undefined
  return {
    ...mergeImportOptions(body, { ...job.options, ...(dropsKey ? { key: null } : {}) }),
    dryRun: body.dryRun ?? (wasDryRun ? false : job.options.dryRun),
    // Resuming answers the question the job paused at; after an interruption the same pause is
    // still due.
    pauseAt: body.pauseAt ?? (isInterrupted ? job.options.pauseAt : 'none'),
    ...mergeReading(job, body),
    // Another sheet or heading has other columns and titles: they are assigned anew.
    ...forgottenChoices(body),
    confirm: body.confirm ?? (job.options.confirm || answersReview),
    mappingSeen:
      body.mapping !== undefined ||
      (!isOtherTable(body) && (job.options.mappingSeen || job.phase === 'mapping')),
  }
}

function forgottenChoices(body: Choices): Partial<Pick<ImportOptions, 'mapping' | 'fixed'>> {
  if (!isOtherTable(body)) return {}
  return {
    ...(body.mapping === undefined && { mapping: null }),
    ...(body.fixed === undefined && { fixed: null }),
  }
}

/** Whether other cells are read as the table; leaving out hidden rows keeps its columns. */
function isOtherTable({ reading }: Choices): boolean {
  return (
    reading !== undefined && (reading.leaveHidden === undefined || Object.keys(reading).length > 1)
  )
}

/**
 * Choosing another heading keeps the encoding, and what becomes of hidden rows; what becomes of hidden
 * rows keeps all else.
 */
function mergeReading(
  { options }: ImportRecord,
  { reading }: Choices,
): Pick<ImportOptions, 'reading'> {
  if (reading === undefined) return {}
  if (!isOtherTable({ reading })) return { reading: { ...options.reading, ...reading } }
  const encoding = reading.encoding ?? options.reading?.encoding
  const leaveHidden = reading.leaveHidden ?? options.reading?.leaveHidden
  return {
    reading: {
      ...reading,
      ...(encoding !== undefined && { encoding }),
      ...(leaveHidden !== undefined && { leaveHidden }),
    },
  }
}

/** Whether these choices could change the verdicts. */
function mustCheckAgain(job: ImportRecord, body: Choices): boolean {
  return (
    rechecks.some(
      (name) =>
        body[name] !== undefined &&
        JSON.stringify(body[name]) !== JSON.stringify(job.options[name as keyof ImportOptions]),
    ) ||
    (body.pauseAt === 'review' && job.phase !== 'review')
  )
}
