import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { ReviewRow } from '@jiaowu/api/contract/job'
const refusedRow = buildReviewRow(9, {
  verdict: 'wrong',
  cells: [],
  errors: [
    {
      row: 9,
      column: 'name',
      attrName: 'name',
      value: '',
      rule: 'changed',
      msg: '被他人修改过',
      suggestions: [],
    },
  ],
})
const some: Partial<BulkJob> = { failed: 1, refused: [refusedRow] }
/** As the server answers, by name. */
export const bulkJobs = {
  queued: job('queued', 'queued', 'checking', { done: 0, changed: 0, skipped: 0 }),
  checking: job('checking', 'running', 'checking', { done: 10, changed: 8, skipped: 2 }),
  good: job('good', 'paused', 'review'),
  wrong: job('wrong', 'paused', 'review', some),
  many: job('many', 'paused', 'review', { total: 2100, done: 2100, changed: 2000, skipped: 100 }),
  huge: job('huge', 'paused', 'review', {
    total: 20_000,
    done: 20_000,
    changed: 20_000,
    skipped: 0,
  }),
  nothing: job('nothing', 'paused', 'review', {
    changed: 0,
    skipped: 40,
    rows: [],
    can: { apply: false, cancel: true, result: true },
  }),
  writing: job('writing', 'running', 'writing', { done: 20, updated: 10 }),
  stubborn: job('stubborn', 'running', 'writing', {
    done: 20,
    updated: 10,
    can: { apply: false, cancel: false, result: false },
  }),
  done: job('done', 'done', 'finished', { updated: 30 }),
  doneInPart: job('doneInPart', 'done', 'finished', { ...some, updated: 29 }),
  failed: job('failed', 'failed', 'review', some),
  broken: job('broken', 'failed', 'checking', {
    total: 0,
    done: 0,
    changed: 0,
    skipped: 0,
    rows: [],
    can: { apply: false, cancel: false, result: false },
  }),
  cancelled: job('cancelled', 'cancelled', 'writing', { done: 20, updated: 10 }),
} as const satisfies Record<string, BulkJob>

/** A job, told apart from the others by its message. */
function job(
  message: string,
  status: BulkJob['status'],
  phase: BulkJob['phase'],
  more: Partial<BulkJob> = {},
): BulkJob {
  return {
    id: 'j',
    kind: 'bulk',
    action: 'update',
    tag: 'A',
    entityName: '甲',
    status,
    phase,
    total: 40,
    done: 40,
    changed: 30,
    skipped: 10,
    failed: 0,
    updated: 0,
    set: [{ attrName: 'name', label: 'name', text: '新' }],
    rows:
      status === 'queued' || status === 'running'
        ? []
        : [buildReviewRow(1, {}), buildReviewRow(2, {})],
    refused: [],
    message,
    onError: 'skip',
    can: {
      apply: status === 'paused',
      cancel: ['queued', 'running', 'paused'].includes(status),
      result: !['queued', 'running'].includes(status),
    },
    createTime: '2026-11-21 08:00:00',
    endTime: null,
    ...more,
  }
}

function buildReviewRow(n: number, more: Partial<ReviewRow>): ReviewRow {
  return {
    row: n,
    verdict: 'changed',
    id: String(n),
    name: `n${n}`,
    cells: [{ attrName: 'name', label: 'name', before: '旧', after: '新' }],
    errors: [],
    written: false,
    ...more,
  }
}

export type BulkJobName = keyof typeof bulkJobs
