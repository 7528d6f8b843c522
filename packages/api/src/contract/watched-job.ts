// Jobs of everybody, as an administrator sees them.
import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { text, wholeNumber } from './shapes.ts'

export const watchedKinds = ['import', 'bulk', 'payment', 'notice', 'timer', 'proof'] as const
/** The states of jobs; tasks are queued, running or failed. */
export const watchedStates = ['queued', 'running', 'paused', 'done', 'failed', 'cancelled'] as const
const watchedJob = v.object({
  id: v.string(),
  kind: v.picklist(watchedKinds),
  state: v.picklist(watchedStates),
  tag: v.nullable(v.string()),
  entityName: v.nullable(v.string()),
  account: v.nullable(v.string()),
  done: v.number(),
  total: v.number(),
  attempts: v.number(),
  error: v.nullable(v.string()),
  /** When a job was made, or a task is due. */
  at: v.string(),
  startedAt: v.nullable(v.string()),
  endedAt: v.nullable(v.string()),
  /** The id of the call that started it. */
  traceId: v.nullable(v.string()),
})
/** A job of anybody, or a task of the school's own work, as an administrator sees it. */
export type WatchedJob = v.InferOutput<typeof watchedJob>

const watchedQuery = v.strictObject({
  kind: v.optional(v.picklist(watchedKinds)),
  state: v.optional(v.picklist(watchedStates)),
  pageNum: v.optional(wholeNumber, 1),
  pageSize: v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)), 20),
  ts: v.optional(text),
})
const watchedPage = v.object({
  records: v.array(watchedJob),
  total: v.number(),
  size: v.number(),
  current: v.number(),
})

/** All jobs of the school, and the tasks that wait or have failed, the newest first. */
export const allJobs = endpoint({
  method: 'GET',
  path: '/job/all',
  access: 'job:view',
  query: watchedQuery,
  answer: watchedPage,
})
