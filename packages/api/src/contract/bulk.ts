import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { exportFormats } from './entity-data.ts'
import { type ReviewRow, jobStatuses, onErrorChoices } from './job.ts'
import { chosenIds, pageFields, text, values, wholeNumber } from './shapes.ts'

export const bulkActions = ['update', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]

/** Which rows: these, or all that a list's filters find but some. */
const selection = {
  ids: v.optional(chosenIds),
  queries: v.optional(pageFields.queries),
  except: v.optional(chosenIds),
}
/** Rows as a call names them: `ids`, or `queries` (an empty one is every row) less `except`. */
export interface BulkSelection {
  readonly ids?: readonly string[]
  readonly queries?: Readonly<Record<string, unknown>>
  readonly except?: readonly string[]
}

/** A row before and after; for a refused one why. The same shape as a row under review of an import. */
const rows = v.array(v.looseObject({ row: v.number() })) as unknown as v.GenericSchema<
  unknown,
  ReviewRow[]
>

export const bulkPhases = ['checking', 'review', 'writing', 'finished'] as const
export type BulkPhase = (typeof bulkPhases)[number]

const bulkShape = v.object({
  id: v.string(),
  kind: v.literal('bulk'),
  action: v.picklist(bulkActions),
  tag: v.string(),
  entityName: v.string(),
  /** `paused` at `review`: all is known and nothing is changed. What was interrupted is `queued`: it goes on by itself. */
  status: v.picklist(jobStatuses),
  phase: v.picklist(bulkPhases),
  /** Rows that match, and how many of them the present phase is through. */
  total: v.number(),
  done: v.number(),
  /** Rows that would change (or go), that say so already, and that may not; `updated` have been changed (or deleted) by now. */
  changed: v.number(),
  skipped: v.number(),
  failed: v.number(),
  updated: v.number(),
  /** What is to be set, in words; null: to be emptied. */
  set: v.array(v.object({ attrName: v.string(), label: v.string(), text: v.nullable(v.string()) })),
  /** The first rows that change (about 100 cells), and the first 100 that may not. */
  rows,
  refused: rows,
  message: v.nullable(v.string()),
  onError: v.picklist(onErrorChoices),
  can: v.object({ apply: v.boolean(), cancel: v.boolean(), result: v.boolean() }),
  createTime: v.string(),
  endTime: v.nullable(v.string()),
})
/** A change of many rows at once as its owner sees it. Times `YYYY-MM-DD HH:mm:ss`. */
export type BulkJob = v.InferOutput<typeof bulkShape>

const id = { path: '/bulk/{id}', access: 'signed' } as const

/**
 * Changing or deleting many rows at once (docs/rules/requests.md#r24). Asking for it changes nothing: it is judged row by row, by the rules of a form, and
 * waits at `review` for `apply`. What was judged is a snapshot: rows saved since are refused, rows that match only since are not touched.
 * A job is its owner's alone.
 */
export const bulk = {
  /** `set`: values by attrName, an empty one empties. Unique fields, numbers, pictures, passwords and what the caller may not edit: 422. */
  update: endpoint({
    method: 'POST',
    path: '/entity/{tag}/data/bulk/update',
    access: 'entity:{tag}:update',
    body: v.strictObject({ ...selection, set: values }),
    answer: bulkShape,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/entity/{tag}/data/bulk/delete',
    access: 'entity:{tag}:delete',
    body: v.strictObject(selection),
    answer: bulkShape,
  }),
  get: endpoint({ method: 'GET', ...id, answer: bulkShape }),
  /** `count`: the rows that the person was told would change; another number is 409. `abort` (10,000 rows at most): all of them or none; `skip`: in batches, what is refused stays as it is. */
  apply: endpoint({
    method: 'POST',
    path: '/bulk/{id}/apply',
    access: 'signed',
    body: v.strictObject({
      count: wholeNumber,
      onError: v.optional(v.picklist(onErrorChoices), 'skip'),
    }),
    answer: bulkShape,
  }),
  /** Rows changed before stay; with `abort` there are none. */
  cancel: endpoint({
    method: 'POST',
    path: '/bulk/{id}/cancel',
    access: 'signed',
    answer: bulkShape,
  }),
  /** Every row with 结果 and 原因; `only=refused` leaves the others out. */
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
