// Resumes an import that is paused, was interrupted, ended as a dry run, or failed and may succeed
// with other choices.
import type { contract, Received } from '@jiaowu/api'
import type { Context } from '../../context.ts'
import { notFound, Refusal } from '../../platform/refusal.ts'
import type { ImportOptions, ImportRecord } from '../jobs/job.ts'
import { changeJob, type JobPatch } from '../jobs/job-table.ts'
import { abilities } from './present.ts'
import { wakeQueue } from '../../platform/jobs/queues.ts'
import { assertChoices, optionsOf } from './start-import.ts'

type Choices = Received<(typeof contract)['job']['resume']>['body']

const rechecks: readonly (keyof Choices)[] = ['mode', 'key', 'empty', 'mapping']

/** @throws Refusal 409 when the job is over, or has written rows and other choices are given */
export async function resumeJob(context: Context, job: ImportRecord, body: Choices): Promise<void> {
  const asked = Object.values(body).some((value) => value !== undefined)
  if (job.status === 'queued' || job.status === 'running') {
    wakeQueue(context, 'import') // finds a dead run now instead of at the next poll
    return
  }
  if (!abilities(job).resume)
    throw new Refusal(409, { key: job.file_gone ? 'transfer.file.gone' : 'transfer.job.over' })
  const hasBegun = job.written_to > 0
  const again = mustCheckAgain(job, body)
  if (
    hasBegun &&
    (again || (asked && body.onError !== undefined && body.onError !== job.options.onError))
  )
    throw new Refusal(409, { key: 'transfer.job.started' })
  const wasDryRun = job.status === 'done' && job.options.dryRun
  const interrupted = job.interrupted_at !== null
  const options: ImportOptions = {
    ...optionsOf(body, {
      ...job.options,
      ...(again && body.key === undefined && body.mode !== undefined ? { key: null } : {}),
    }),
    dryRun: body.dryRun ?? (wasDryRun ? false : job.options.dryRun),
    // Resuming answers the question the job paused at; after an interruption the same pause is
    // still due.
    pauseAt: body.pauseAt ?? (interrupted ? job.options.pauseAt : 'none'),
    confirm:
      body.confirm ??
      (job.options.confirm ||
        (!interrupted && job.phase === 'review' && job.status === 'paused' && !again)),
    mappingSeen: job.options.mappingSeen || job.phase === 'mapping' || body.mapping !== undefined,
  }
  const entity = await context.registry.find(job.tenant_id, job.tag)
  if (entity === undefined) throw notFound()
  await assertChoices(context, entity, options)
  const patch: JobPatch = {
    status: 'queued',
    options,
    message: null,
    attempts: 0,
    ...(again || job.phase === 'mapping' ? { phase: 'reading' } : {}),
  }
  if (!(await changeJob(context, job.id, [job.status], patch)))
    throw new Refusal(409, { key: 'transfer.job.over' })
  await context.audit({
    action: 'entity.import.resume',
    object: job.tag,
    objectId: job.id,
    result: 'ok',
  })
  wakeQueue(context, 'import')
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
