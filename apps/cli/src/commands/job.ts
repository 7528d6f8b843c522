import type { Job } from '@jiaowu/api/contract/job'
import { schoolTime } from '@jiaowu/api/formats'
import { t } from '@jiaowu/api/texts/index'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandLine } from '../command-line.ts'
import { jobLines, jobState, rowsText, writtenRows } from '../entities/import/job-text.ts'
import { exitCodeOfJob } from '../entities/import/run-import.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { connect } from '../session/connect.ts'
import type { Api } from '../session/api.ts'

/** Between two questions for the progress. */
const pollMs = 700
const pageSize = 20
const maxPage = 1_000_000
const isMoving = ({ status }: Job): boolean => status === 'queued' || status === 'running'

interface ListFlags {
  readonly page: string
  readonly all?: boolean
}

/** `job ls`: the caller's imports, the newest first; with `--all` every job of the school. */
export async function listJobs(line: CommandLine, { page, all }: ListFlags): Promise<void> {
  const { locale, output, signal } = line
  const pageNum = Number(page)
  if (!Number.isInteger(pageNum) || pageNum < 1 || pageNum > maxPage)
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.badNumber', { value: page, most: maxPage }),
    )
  if (all === true) {
    await listAllJobs(line, pageNum)
    return
  }
  const { records, total } = await connect(line).api.job.list({
    query: { pageNum, pageSize },
    signal,
  })
  output.rows(records, () => ({
    heads: (['id', 'state', 'entity', 'file', 'rows', 'created'] as const).map((key) =>
      t(locale, `cli.job.${key}`),
    ),
    cells: records.map((job) => [
      job.id,
      jobState(locale, job),
      job.entityName,
      job.fileName,
      rowsText(locale, job),
      job.createTime,
    ]),
  }))
  output.talk(t(locale, 'cli.page', { page: pageNum, total }))
}

async function listAllJobs(line: CommandLine, pageNum: number): Promise<void> {
  const { locale, output, signal } = line
  const { records, total } = await connect(line).api.job.all({
    query: { pageNum, pageSize },
    signal,
  })
  const columns = [
    'id',
    'kind',
    'entity',
    'account',
    'state',
    'rows',
    'error',
    'at',
    'trace',
  ] as const
  output.rows(records, () => ({
    heads: columns.map((key) =>
      t(locale, key === 'id' ? 'cli.job.id' : (`jobsPage.${key}` as const)),
    ),
    cells: records.map((job) => [
      job.id,
      t(locale, `jobsPage.kind.${job.kind}`),
      job.entityName ?? '',
      job.account ?? '',
      t(locale, `jobsPage.state.${job.state}`),
      job.total === 0 ? '' : `${job.done}/${job.total}`,
      job.error ?? '',
      schoolTime(job.at),
      job.traceId ?? '',
    ]),
  }))
  output.talk(t(locale, 'cli.page', { page: pageNum, total }))
}

/** `job watch ID`: follows a job until it ends or waits for a person; its exit code is the import's. */
export async function watchJob(line: CommandLine, id: string): Promise<void> {
  const { api } = connect(line)
  const job = await waitForPausedJob(
    line,
    api,
    await api.job.get({ params: { id }, signal: line.signal }),
  )
  reportJob(line, job)
  if (job.status === 'paused') throw new CommandError(exitCodes.refused, '')
  const code = exitCodeOfJob(job)
  if (code !== exitCodes.done) throw new CommandError(code, '')
}

/** `job cancel ID`: stops what is not written yet, and says what was. */
export async function cancelJob(line: CommandLine, id: string): Promise<void> {
  const { locale, signal } = line
  const { api } = connect(line)
  const before = await api.job.get({ params: { id }, signal })
  if (!before.can.cancel)
    throw new CommandError(
      exitCodes.refused,
      t(locale, 'cli.job.over', { id, state: jobState(locale, before), n: writtenRows(before) }),
    )
  const job = await waitForPausedJob(line, api, await api.job.cancel({ params: { id }, signal }))
  if (job.status === 'cancelled')
    line.output.done(job, t(locale, 'cli.job.cancelled', { id, n: writtenRows(job) }))
  else reportJob(line, job)
}

async function waitForPausedJob(line: CommandLine, api: Api, first: Job): Promise<Job> {
  const { locale, output, signal } = line
  let job = first
  while (isMoving(job)) {
    output.progress(`${jobState(locale, job)} ${rowsText(locale, job)}`)
    await sleep(pollMs, undefined, { signal })
    job = await api.job.get({ params: { id: first.id }, signal })
  }
  output.progress(null)
  return job
}

function reportJob({ output, locale }: CommandLine, job: Job): void {
  if (!output.json) for (const text of jobLines(job, locale)) output.talk(text)
  output.object(job)
}
