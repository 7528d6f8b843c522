// The job that checks a change of many rows, and writes it once it is confirmed.
import { ApiProblem } from '@jiaowu/api/problem'
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Job, ReviewRow, RowVerdict } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import type { RowWrite } from './context.ts'

export type JobApi = Pick<Client<typeof contract>, 'job'>
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

interface Check {
  readonly tag: string
  readonly config: EntityConfig | null
  readonly rows: readonly RowWrite[]
  readonly onError: 'skip' | 'abort'
}

/** Starts an import that stops before it writes. @throws when it cannot be checked */
export async function startCheck(
  api: JobApi,
  wait: Wait,
  { tag, config, rows, onError }: Check,
  signal: AbortSignal,
): Promise<Job> {
  const idName = config?.idField ?? 'id'
  const lines = rows.map(({ id, values }) =>
    JSON.stringify({ ...(id === null ? {} : { [idName]: id }), ...values }),
  )
  const isNew = rows.map(({ id }) => id === null)
  const job = await api.job.import({
    params: { tag },
    body: {
      file: new File([`${lines.join('\n')}\n`], 'cells.ndjson'),
      format: 'ndjson',
      mode: isNew.every(Boolean) ? 'insert' : isNew.some(Boolean) ? 'upsert' : 'update',
      empty: 'clear',
      onError,
      pauseAt: 'review',
    },
    signal,
  })
  const settled = await settledJob(api, wait, job, signal)
  if (settled.phase !== 'review') throw toJobProblem(settled)
  return settled
}

async function settledJob(api: JobApi, wait: Wait, first: Job, signal: AbortSignal): Promise<Job> {
  let job = first
  while (job.status === 'queued' || job.status === 'running') {
    await wait(limits.gridPoll, signal)
    job = await api.job.get({ params: { id: job.id }, signal })
  }
  return job
}

/** Writes a checked job. @throws when it fails */
export async function writeCheckedJob(
  api: JobApi,
  wait: Wait,
  id: string,
  onError: 'skip' | 'abort',
  signal: AbortSignal,
): Promise<Job> {
  const job = await settledJob(
    api,
    wait,
    await api.job.resume({ params: { id }, body: { onError, confirm: true }, signal }),
    signal,
  )
  if (job.status !== 'done') throw toJobProblem(job)
  return job
}

export function toJobProblem({ message, errors }: Job): ApiProblem {
  return new ApiProblem({
    kind: 'refused',
    code: 409,
    message: message ?? errors[0]?.msg ?? { key: 'problem.internal' },
    issues: [],
    data: null,
    traceId: null,
  })
}

export async function readReviewedRows(
  api: JobApi,
  id: string,
  verdict: RowVerdict,
  most: number,
  signal: AbortSignal,
): Promise<readonly ReviewRow[]> {
  const pageSize = Math.min(most, limits.maxPageSize)
  const rows: ReviewRow[] = []
  for (let pageNum = 1; rows.length < most; pageNum += 1) {
    const { records } = await api.job.rows({
      params: { id },
      query: { verdict, pageNum, pageSize },
      signal,
    })
    rows.push(...records)
    if (records.length < pageSize) break
  }
  return rows
}
