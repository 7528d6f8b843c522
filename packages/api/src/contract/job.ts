import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { text, wholeNumber } from './shapes.ts'

/** What an import does with a row whose key is known: refuse it, change the record, or either as it comes (docs/rules/contract.md#entity-data). */
export const importModes = ['insert', 'update', 'upsert'] as const
export type ImportMode = (typeof importModes)[number]
/** `abort` writes nothing unless every row is valid; `skip` keeps the good rows (docs/rules/contract.md#entity-data). */
export const onErrorChoices = ['abort', 'skip'] as const
export type OnError = (typeof onErrorChoices)[number]
/** What an empty cell means when a record is changed (docs/rules/contract.md#entity-data, docs/rules/requests.md#r6). On a new record the default is taken anyway, except by `clear`. */
export const emptyMeanings = ['keep', 'clear', 'default'] as const
export type EmptyMeaning = (typeof emptyMeanings)[number]
export const importFormats = ['xlsx', 'csv', 'ndjson'] as const
export type ImportFormat = (typeof importFormats)[number]

/** `running` holds a lease; `paused` waits for `resume`; the last three are final, but a finished dry run may be resumed to write. */
export const jobStatuses = ['queued', 'running', 'paused', 'done', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]
/** Whether nothing more will happen by itself. */
export function isJobOver({ status }: { readonly status: JobStatus }): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled'
}
/**
 * Where a job stands. `mapping`: the heading is read, columns may be assigned. `checking`: every row is read and checked.
 * `review`: all is known, nothing is written. `writing`: rows go in. `finished`: over.
 */
export const jobPhases = [
  'reading',
  'mapping',
  'checking',
  'review',
  'writing',
  'finished',
] as const
export type JobPhase = (typeof jobPhases)[number]

const attrName = v.pipe(v.string(), v.maxLength(64))
const mappedColumn = v.strictObject({
  /** The column's number in the sheet, from 1; without it the heading decides. */
  column: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16_384))),
  header: v.optional(text),
  /** Null: the column is left out. */
  attrName: v.nullable(attrName),
  empty: v.optional(v.picklist(emptyMeanings)),
})
/** One column's assignment, by number or heading. */
export type MappedColumn = v.InferOutput<typeof mappedColumn>
const mapping = v.union([
  v.pipe(v.array(mappedColumn), v.maxLength(limits.importColumns)),
  v.record(text, v.nullable(attrName)),
])
/** Columns to fields: a list, or shorter `{ heading: attrName }`. What it does not name is guessed. */
export type ImportMapping = v.InferOutput<typeof mapping>

const yesNo = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false', '1', '0'])]),
  v.transform((x) => x === true || x === 'true' || x === '1'),
)
const choices = {
  mode: v.optional(v.picklist(importModes)),
  /** attrName that tells which record a row is; the id column of an export, when absent. */
  key: v.optional(attrName),
  onError: v.optional(v.picklist(onErrorChoices)),
  /** Checks everything through the code that writes, and writes nothing. */
  dryRun: v.optional(yesNo),
  /** For columns that say nothing else; `keep` when absent. */
  empty: v.optional(v.picklist(emptyMeanings)),
  /** Stops there and waits for `resume`: at `mapping` to assign columns, at `review` to look first. */
  pauseAt: v.optional(v.picklist(['mapping', 'review', 'none'])),
  /** The console's own records (accounts, roles, dictionaries …) stop at `review` once, unless this says that it is meant (docs/rules/requests.md#r12). */
  confirm: v.optional(yesNo),
}
export const importUpload = v.strictObject({
  file: v.blob(),
  ...choices,
  format: v.optional(v.picklist(importFormats)),
  /** JSON of {@link ImportMapping}. */
  mapping: v.optional(v.pipe(text, v.parseJson(), mapping)),
})
const resumeBody = v.strictObject({ ...choices, mapping: v.optional(mapping) })

/** One fault in a sheet; `row` is the sheet's own number, `column` the heading (empty: the whole row). */
const jobError = v.object({
  row: v.number(),
  column: v.string(),
  attrName: v.nullable(v.string()),
  value: v.string(),
  rule: v.string(),
  msg: v.string(),
  /** "Did you mean". */
  suggestions: v.array(v.string()),
})
export type JobError = v.InferOutput<typeof jobError>

const sheetColumn = v.object({
  column: v.number(),
  letter: v.string(),
  header: v.string(),
  attrName: v.nullable(v.string()),
  /** How `attrName` was found; `asked`: the mapping sent; null: not at all. */
  by: v.nullable(
    v.picklist(['asked', 'remembered', 'signature', 'label', 'attrName', 'similar', 'key', 'own']),
  ),
  empty: v.picklist(emptyMeanings),
  samples: v.array(v.string()),
})
/** A column of the uploaded file. `own`: a column this product adds itself (结果, 原因), read by nobody. */
export type SheetColumnInfo = v.InferOutput<typeof sheetColumn>
const importField = v.object({
  attrName: v.string(),
  label: v.string(),
  required: v.boolean(),
  unique: v.boolean(),
})
/** A field that a column may be assigned to; `unique`: may be the key. */
export type ImportField = v.InferOutput<typeof importField>
const sheetInfo = v.object({
  name: v.string(),
  headerRow: v.number(),
  otherSheets: v.array(v.string()),
  columns: v.array(sheetColumn),
  fields: v.array(importField),
  /** Said about the file without stopping it: other sheets, an older template. */
  notes: v.array(v.string()),
})
export type SheetInfo = v.InferOutput<typeof sheetInfo>

const counts = v.object({
  fresh: v.number(),
  changed: v.number(),
  same: v.number(),
  wrong: v.number(),
})
/** How the rows were judged: new, changed, the same, wrong. */
export type ReviewCounts = v.InferOutput<typeof counts>

export const jobShape = v.object({
  id: v.string(),
  kind: v.literal('import'),
  tag: v.string(),
  entityName: v.string(),
  status: v.picklist(jobStatuses),
  phase: v.picklist(jobPhases),
  /** Rows of data in the file (0 until known), and how many of them the present phase is through. */
  total: v.number(),
  done: v.number(),
  /** What was written; `skipped` rows said what is stored already; `failed` rows are wrong. */
  inserted: v.number(),
  updated: v.number(),
  skipped: v.number(),
  failed: v.number(),
  /** The first 100. */
  errors: v.array(jobError),
  /** Why it stands or ended, where the status does not say it all. */
  message: v.nullable(v.string()),
  review: counts,
  fileName: v.string(),
  format: v.picklist(importFormats),
  mode: v.picklist(importModes),
  key: v.nullable(v.string()),
  onError: v.picklist(onErrorChoices),
  dryRun: v.boolean(),
  empty: v.picklist(emptyMeanings),
  needsConfirm: v.boolean(),
  sheet: v.nullable(sheetInfo),
  /** What may be asked of it now. */
  can: v.object({ resume: v.boolean(), cancel: v.boolean(), result: v.boolean() }),
  createTime: v.string(),
  startTime: v.nullable(v.string()),
  endTime: v.nullable(v.string()),
})
/** An import as its owner sees it (docs/rules/contract.md#entity-data). Times `YYYY-MM-DD HH:mm:ss`. */
export type Job = v.InferOutput<typeof jobShape>

/** How a row of the file was judged. */
export const rowVerdicts = ['fresh', 'changed', 'same', 'wrong'] as const
export type RowVerdict = (typeof rowVerdicts)[number]
const reviewCell = v.object({
  attrName: v.string(),
  label: v.string(),
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
})
const reviewRow = v.object({
  row: v.number(),
  verdict: v.picklist(rowVerdicts),
  /** The stored record; null for a new one. `name` says which row it is to people. */
  id: v.nullable(v.string()),
  name: v.string(),
  /** What would be written; for a changed row only the cells that differ. */
  cells: v.array(reviewCell),
  errors: v.array(jobError),
  written: v.boolean(),
})
/** A row under review, cell by cell. */
export type ReviewRow = v.InferOutput<typeof reviewRow>

const remembered = v.object({
  mode: v.picklist(importModes),
  key: v.nullable(v.string()),
  onError: v.picklist(onErrorChoices),
  empty: v.picklist(emptyMeanings),
  columns: v.array(
    v.object({
      header: v.string(),
      attrName: v.nullable(v.string()),
      empty: v.optional(v.picklist(emptyMeanings)),
    }),
  ),
})
/** What the person chose last time for this entity. */
export type RememberedImport = v.InferOutput<typeof remembered>

const pageNum = v.optional(wholeNumber, 1)
const pageSize = v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)), 20)
const ts = v.optional(text)
const id = { path: '/job/{id}', access: 'signed' } as const
const memory = { path: '/entity/{tag}/data/import-mapping', access: 'signed' } as const

/**
 * Imports as jobs with a row ledger (docs/rules/contract.md#entity-data). The importer needs `add`, `update`, or both, as the mode says (docs/rules/security.md#permissions); a job is its owner's alone.
 * The same file with the same choices by the same person within ten minutes is the same job, unless that one failed, was cancelled or only looked.
 */
export const job = {
  /** Answers as soon as the file is kept; everything after is told by `get`. */
  import: endpoint({
    method: 'POST',
    path: '/entity/{tag}/data/import',
    access: 'signed',
    bodyKind: 'multipart',
    body: importUpload,
    answer: jobShape,
    timeout: limits.transferTimeout,
  }),
  get: endpoint({ method: 'GET', ...id, answer: jobShape }),
  list: endpoint({
    method: 'GET',
    path: '/job',
    access: 'signed',
    query: v.strictObject({ tag: v.optional(text), pageNum, pageSize, ts }),
    answer: v.object({
      records: v.array(jobShape),
      total: v.number(),
      size: v.number(),
      current: v.number(),
    }),
  }),
  /** Goes on from the ledger, with other choices if any are sent: those before anything is written only. A job under way answers itself. */
  resume: endpoint({
    method: 'POST',
    path: '/job/{id}/resume',
    access: 'signed',
    body: resumeBody,
    answer: jobShape,
  }),
  /** Rows written before stay; with `abort` there are none. */
  cancel: endpoint({
    method: 'POST',
    path: '/job/{id}/cancel',
    access: 'signed',
    answer: jobShape,
  }),
  /** The uploaded sheet with 结果 and 原因; `only=wrong` leaves the good rows out. */
  result: fileEndpoint({
    method: 'GET',
    path: '/job/{id}/result',
    access: 'signed',
    query: v.strictObject({
      format: v.optional(v.picklist(importFormats), 'xlsx'),
      only: v.optional(v.picklist(['all', 'wrong']), 'all'),
      ts,
    }),
  }),
  rows: endpoint({
    method: 'GET',
    path: '/job/{id}/rows',
    access: 'signed',
    query: v.strictObject({ verdict: v.picklist(rowVerdicts), pageNum, pageSize, ts }),
    answer: v.object({
      records: v.array(reviewRow),
      total: v.number(),
      size: v.number(),
      current: v.number(),
    }),
  }),
  remembered: endpoint({ method: 'GET', ...memory, answer: v.nullable(remembered) }),
  forget: endpoint({ method: 'DELETE', ...memory, answer: v.null() }),
} as const
