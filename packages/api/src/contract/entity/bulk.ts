import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../../endpoint.ts'
import { exportFormats } from './entity-data.ts'
import type { Where } from '../../entity/list/list-query.ts'
import { jobStatuses, onErrorChoices, reviewRow } from '../job.ts'
import { chosenIds, pageFields, text, values, wholeNumber } from '../shapes.ts'

const bulkActions = ['update', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

/** Selects rows by id, or all rows that match a list's filters except some. */
const selection = {
  ids: v.optional(chosenIds),
  queries: v.optional(pageFields.queries),
  where: pageFields.where,
  except: v.optional(chosenIds),
}
/**
 * The rows of a bulk change: `ids`, or `queries` (empty: every row) and `where` without `except`.
 */
export interface BulkSelection {
  readonly ids?: readonly string[]
  readonly queries?: Readonly<Record<string, unknown>>
  readonly where?: Where | undefined
  readonly except?: readonly string[]
}

/**
 * Rows before and after the change; refused rows carry the reason. The shape is that of an import's
 * review.
 */
const rows = v.array(reviewRow)

const bulkPhases = ['checking', 'review', 'writing', 'finished'] as const
export type BulkPhase = (typeof bulkPhases)[number]

const bulkShape = v.object({
  id: v.string(),
  kind: v.literal('bulk'),
  action: v.picklist(bulkActions),
  tag: v.string(),
  entityName: v.string(),
  /**
   * `paused` at `review`: every row is checked, none is changed. An interrupted job is `queued` and
   * resumes by itself.
   */
  status: v.picklist(jobStatuses),
  phase: v.picklist(bulkPhases),
  /** `total`: matching rows. `done`: those the present phase has processed. */
  total: v.number(),
  done: v.number(),
  /**
   * Rows that would change (or be deleted), that hold the values already, and that are refused;
   * `updated` have been changed or deleted so far.
   */
  changed: v.number(),
  skipped: v.number(),
  failed: v.number(),
  updated: v.number(),
  /** The new values as text; null where a value is emptied. */
  set: v.array(v.object({ attrName: v.string(), label: v.string(), text: v.nullable(v.string()) })),
  /** The first rows that change (about 100 cells), and the first 100 refused ones. */
  rows,
  refused: rows,
  message: v.nullable(v.string()),
  onError: v.picklist(onErrorChoices),
  can: v.object({ apply: v.boolean(), cancel: v.boolean(), result: v.boolean() }),
  createTime: v.string(),
  endTime: v.nullable(v.string()),
})
/** A bulk change as its owner sees it. Times are `YYYY-MM-DD HH:mm:ss`. */
export type BulkJob = v.InferOutput<typeof bulkShape>

const id = { path: '/bulk/{id}', access: 'signed' } as const

/**
 * Changes or deletes many rows at once (docs/rules/requests.md#r24). Starting a job changes
 * nothing: every row is checked by the rules of the form, and the job waits at `review` for
 * `apply`.
 * The check is a snapshot: rows saved later are refused, rows that match only later are left alone.
 * Only its owner can see and control a job.
 */
export const bulk = {
  /**
   * `set`: values by attrName; an empty value empties the field. Without any, derived fields are
   * computed anew.
   * @throws 422 for unique fields, serial numbers, images, passwords and fields the caller may not
   * edit
   */
  update: endpoint({
    method: 'POST',
    keyed: true,
    path: '/entity/{tag}/data/bulk/update',
    access: 'entity:{tag}:update',
    fresh: 'depends',
    body: v.strictObject({ ...selection, set: values }),
    answer: bulkShape,
  }),
  remove: endpoint({
    method: 'POST',
    keyed: true,
    path: '/entity/{tag}/data/bulk/delete',
    access: 'entity:{tag}:delete',
    body: v.strictObject(selection),
    answer: bulkShape,
  }),
  get: endpoint({ method: 'GET', ...id, answer: bulkShape }),
  /**
   * `count` is the number of rows that the user was shown.
   * `abort` (at most 10,000 rows) changes all rows or none; `skip` writes in batches and leaves
   * refused rows as they are.
   */
  apply: endpoint({
    method: 'POST',
    keyed: true,
    path: '/bulk/{id}/apply',
    access: 'signed',
    body: v.strictObject({
      count: wholeNumber,
      onError: v.optional(v.picklist(onErrorChoices), 'skip'),
    }),
    answer: bulkShape,
  }),
  /** Keeps the rows already changed; with `abort` there are none. */
  cancel: endpoint({
    method: 'POST',
    keyed: false,
    path: '/bulk/{id}/cancel',
    access: 'signed',
    answer: bulkShape,
  }),
  /** A sheet of every row with the columns 结果 and 原因; `only=refused` omits the other rows. */
  result: fileEndpoint({
    method: 'GET',
    path: '/bulk/{id}/result',
    access: 'signed',
    query: v.strictObject({
      format: v.optional(v.picklist(exportFormats), 'xlsx'),
      only: v.optional(v.picklist(['all', 'refused']), 'all'),
      ts: v.optional(text),
    }),
  }),
} as const
