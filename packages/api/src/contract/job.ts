import * as v from 'valibot'
import { allJobs } from './watched-job.ts'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import type { WireValue } from '../entity/values.ts'
import { jsonText } from '../exact-json.ts'
import { limits } from '../limits.ts'
import { text, wholeNumber } from './shapes.ts'

/**
 * How an import treats a row whose key is stored already: refuse it, update the record, or insert
 * and update as needed (docs/rules/contract.md#entity-data).
 */
export const importModes = ['insert', 'update', 'upsert'] as const
export type ImportMode = (typeof importModes)[number]
/**
 * `abort` writes nothing unless every row is valid; `skip` writes the valid rows
 * (docs/rules/contract.md#entity-data).
 */
export const onErrorChoices = ['abort', 'skip'] as const
export type OnError = (typeof onErrorChoices)[number]
/**
 * Meanings of an empty cell when a record is updated (docs/rules/contract.md#entity-data,
 * docs/rules/requests.md#r6). New records get the field's default, except with `clear`.
 */
export const emptyMeanings = ['keep', 'clear', 'default'] as const
export type EmptyMeaning = (typeof emptyMeanings)[number]
export const importFormats = ['xlsx', 'csv', 'ndjson'] as const
export type ImportFormat = (typeof importFormats)[number]

/**
 * `running` jobs hold a lease; `paused` ones wait for `resume`. The last three are final, except
 * that a finished dry run can be resumed in order to write.
 */
export const jobStatuses = ['queued', 'running', 'paused', 'done', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]
/** Whether the job has stopped and will not continue by itself. */
export function isJobOver({ status }: { readonly status: JobStatus }): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled'
}
/**
 * Phases of a job. `mapping`: the headings are read and columns can be assigned. `checking`: rows
 * are read and checked.
 * `review`: every row has a verdict, nothing is written. `writing`: rows are written. `finished`:
 * ended.
 */
const jobPhases = ['reading', 'mapping', 'checking', 'review', 'writing', 'finished'] as const
export type JobPhase = (typeof jobPhases)[number]

const attrName = v.pipe(v.string(), v.maxLength(64))
/** The assignment of one column, by number or heading. */
const mappedColumn = v.strictObject({
  /** Number of the column in the sheet, from 1; without it the heading identifies the column. */
  column: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16_384))),
  header: v.optional(text),
  /** Null leaves the column out. */
  attrName: v.nullable(attrName),
  empty: v.optional(v.picklist(emptyMeanings)),
  /** Number of the column whose text follows that of this one in each cell: 学年 and 学期. */
  joined: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16_384))),
})
const mapping = v.union([
  v.pipe(v.array(mappedColumn), v.maxLength(limits.importColumns)),
  v.record(text, v.nullable(attrName)),
])
/**
 * Assigns columns to fields: a list, or `{ heading: attrName }` for short, `{ 学年+学期: attrName }` for
 * two columns joined into one. Columns not named are guessed.
 */
export type ImportMapping = v.InferOutput<typeof mapping>

/** Encodings of text files that a user may choose. */
export const textEncodings = [
  'utf-8',
  'gb18030',
  'big5',
  'windows-1252',
  'utf-16le',
  'utf-16be',
] as const
const textEncoding = v.picklist(textEncodings)
export type TextEncoding = v.InferOutput<typeof textEncoding>

const reading = v.strictObject({
  /** Names of the sheets to import, all of one shape; without it the one that fits best. */
  sheets: v.optional(v.pipe(v.array(text), v.maxLength(1_000))),
  /** Row number of the heading; 0: the sheet has none. Without it the heading is found. */
  heading: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_048_576))),
  /**
   * The encoding of a text file; without it the one chosen before, else the one that its bytes
   * suggest.
   */
  encoding: v.optional(textEncoding),
  /** Whether rows that the spreadsheet hides or filters out are not imported. */
  leaveHidden: v.optional(v.boolean()),
})
/** Which part of a workbook is imported, and how a text file is decoded. */
export type ImportReading = v.InferOutput<typeof reading>

const wireValue = v.unknown() as v.GenericSchema<unknown, WireValue>
const fixed = v.record(attrName, wireValue)
/** Values of all rows by attrName: in wire form, or a text as in a cell. */
export type FixedValues = v.InferOutput<typeof fixed>

const yesNo = v.pipe(
  v.union([v.boolean(), v.picklist(['true', 'false', '1', '0'])]),
  v.transform((x) => x === true || x === 'true' || x === '1'),
)
const choices = {
  mode: v.optional(v.picklist(importModes)),
  /** attrName of the field that identifies records; without it the id column of an export. */
  key: v.optional(attrName),
  onError: v.optional(v.picklist(onErrorChoices)),
  /** Checks all rows with the code that writes, and writes nothing. */
  dryRun: v.optional(yesNo),
  /** Meaning of empty cells in columns that do not set their own; `keep` by default. */
  empty: v.optional(v.picklist(emptyMeanings)),
  /**
   * Pauses there until `resume`: at `mapping` to assign columns, at `review` to inspect the
   * verdicts.
   */
  pauseAt: v.optional(v.picklist(['mapping', 'review', 'none'])),
  /**
   * Imports into the console's own entities (accounts, roles, dictionaries …) pause at `review`
   * once unless this is set (docs/rules/requests.md#r12).
   */
  confirm: v.optional(yesNo),
}
export const importUpload = v.strictObject({
  file: v.blob(),
  ...choices,
  format: v.optional(v.picklist(importFormats)),
  /** {@link ImportMapping} as JSON. */
  mapping: v.optional(v.pipe(text, jsonText, mapping)),
  /** {@link ImportReading} as JSON. */
  reading: v.optional(v.pipe(text, jsonText, reading)),
  /** {@link FixedValues} as JSON. */
  fixed: v.optional(v.pipe(text, jsonText, fixed)),
})
const resumeBody = v.strictObject({
  ...choices,
  mapping: v.optional(mapping),
  reading: v.optional(reading),
  fixed: v.optional(fixed),
})

/** Cells to correct in one request. */
const mendCells = 500
const mendBody = v.strictObject({
  cells: v.pipe(
    v.array(
      v.strictObject({
        row: v.pipe(v.number(), v.integer(), v.minValue(0)),
        /** Needed where several sheets are imported. */
        sheet: v.optional(text),
        attrName,
        /** In wire form; a text is read as a cell of the sheet is. */
        value: wireValue,
        /**
         * Adds the value, a name, to the choices of the field first: an item of its dictionary, or a
         * record of the other entity where that needs nothing but a name.
         */
        create: v.optional(v.boolean()),
      }),
    ),
    v.minLength(1),
    v.maxLength(mendCells),
  ),
  /** Gives the same value to all wrong cells of the column with the same content. */
  equal: v.optional(v.boolean(), false),
})

/**
 * One error in a sheet. `row` is the row number in the sheet, `column` the heading; empty when the
 * whole row is meant.
 */
const jobError = v.object({
  row: v.number(),
  /** Set where several sheets are imported. */
  sheet: v.optional(v.string()),
  column: v.string(),
  attrName: v.nullable(v.string()),
  value: v.string(),
  rule: v.string(),
  msg: v.string(),
  /** Similar values that are stored ("did you mean"). */
  suggestions: v.array(v.string()),
  /** Whether the caller may add the value to the choices of the field (`create` of a correction). */
  creatable: v.optional(v.boolean()),
})
export type JobError = v.InferOutput<typeof jobError>

const sheetColumn = v.object({
  column: v.number(),
  letter: v.string(),
  header: v.string(),
  attrName: v.nullable(v.string()),
  /** How `attrName` was found; `asked`: by the mapping in the request; null: not assigned. */
  by: v.nullable(
    v.picklist([
      'asked',
      'remembered',
      'signature',
      'label',
      'attrName',
      'similar',
      'values',
      'key',
      'own',
    ]),
  ),
  empty: v.picklist(emptyMeanings),
  samples: v.array(v.string()),
  /** The column whose text follows that of this one. */
  joined: v.optional(v.number()),
  /** Without a heading, and with values further down only: a remark names it, nothing waits for it. */
  isLate: v.optional(v.boolean()),
})
/**
 * A column of the uploaded file. `own`: a column that result sheets add (结果, 原因), which imports
 * ignore.
 */
export type SheetColumnInfo = v.InferOutput<typeof sheetColumn>
const importField = v.object({
  attrName: v.string(),
  label: v.string(),
  required: v.boolean(),
  unique: v.boolean(),
})
/** A field that columns can be assigned to; `unique` fields can be the key. */
export type ImportField = v.InferOutput<typeof importField>
const sheetChoice = v.object({
  name: v.string(),
  chosen: v.boolean(),
  /** Columns of its heading that name a field. */
  fits: v.number(),
  /** Whether its heading is the one of the (first) chosen sheet. */
  alike: v.boolean(),
  /** The workbook does not show it: it is read only when it is chosen. */
  isHidden: v.optional(v.literal(true)),
})
/** A sheet of the workbook. */
export type SheetChoice = v.InferOutput<typeof sheetChoice>
const fixedValue = v.object({
  attrName: v.string(),
  label: v.string(),
  /** In wire form. */
  value: wireValue,
  /** Null: chosen. Else the text above the heading, or the name, in which it was found. */
  from: v.nullable(v.string()),
})
/** The value that all rows of a file have for a field, chosen or proposed. */
export type FixedValue = v.InferOutput<typeof fixedValue>
const previewRow = v.object({ row: v.number(), cells: v.array(v.string()) })

const sheetInfo = v.object({
  /** The name of the (first) chosen sheet. */
  name: v.string(),
  /** 0: no heading. */
  headerRow: v.number(),
  otherSheets: v.array(v.string()),
  /** All sheets, hidden ones last; absent in files of one sheet. */
  sheets: v.optional(v.array(sheetChoice)),
  /** The first rows, to show and move the heading; personal data is masked. */
  preview: v.optional(v.array(previewRow)),
  /**
   * The encoding of a text file; `isGuess`: its bytes could be another one too; `isBroken`: some
   * bytes do not fit, and nothing is checked until one is chosen, this one or another.
   */
  encoding: v.optional(
    v.object({
      name: textEncoding,
      isGuess: v.boolean(),
      isBroken: v.optional(v.literal(true)),
    }),
  ),
  /** Rows that the spreadsheet hides or filters out, and whether they are left out. */
  hiddenRows: v.optional(v.object({ rows: v.number(), left: v.boolean() })),
  columns: v.array(sheetColumn),
  /** Values of all rows: those of the request, else proposals for required fields without a column. */
  fixed: v.optional(v.array(fixedValue)),
  fields: v.array(importField),
  /** Remarks on the file that do not stop the import: other sheets, an outdated template. */
  notes: v.array(v.string()),
})
export type SheetInfo = v.InferOutput<typeof sheetInfo>

const counts = v.object({
  fresh: v.number(),
  changed: v.number(),
  same: v.number(),
  wrong: v.number(),
})
/** Rows by verdict: new, changed, unchanged, wrong. */
export type ReviewCounts = v.InferOutput<typeof counts>

export const jobShape = v.object({
  id: v.string(),
  kind: v.literal('import'),
  tag: v.string(),
  entityName: v.string(),
  status: v.picklist(jobStatuses),
  phase: v.picklist(jobPhases),
  /**
   * `total`: data rows of the file (0 until counted). `done`: those the present phase has
   * processed.
   */
  total: v.number(),
  done: v.number(),
  /** Rows written so far; `skipped` rows equal the stored record, `failed` rows are wrong. */
  inserted: v.number(),
  updated: v.number(),
  skipped: v.number(),
  failed: v.number(),
  /** The first 100 errors. */
  errors: v.array(jobError),
  /** Why the job paused or ended, where the status does not say it all. */
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
  /** The actions that the caller can take on the job now. */
  can: v.object({
    resume: v.boolean(),
    cancel: v.boolean(),
    result: v.boolean(),
    /** Cells can be corrected. */
    mend: v.optional(v.boolean()),
  }),
  createTime: v.string(),
  startTime: v.nullable(v.string()),
  endTime: v.nullable(v.string()),
})
/**
 * An import as its owner sees it (docs/rules/contract.md#entity-data). Times are `YYYY-MM-DD
 * HH:mm:ss`.
 */
export type Job = v.InferOutput<typeof jobShape>

/** Verdict on a row of the file. */
export const rowVerdicts = ['fresh', 'changed', 'same', 'wrong'] as const
export type RowVerdict = (typeof rowVerdicts)[number]
const reviewCell = v.object({
  attrName: v.string(),
  label: v.string(),
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
  /** The cell as it stands in the file, where reading it changed more than blanks around it. */
  typed: v.optional(v.string()),
})
export const reviewRow = v.object({
  row: v.number(),
  /** Set where several sheets are imported. */
  sheet: v.optional(v.string()),
  verdict: v.picklist(rowVerdicts),
  /** Id of the stored record; null for a new one. `name` identifies the row for users. */
  id: v.nullable(v.string()),
  name: v.string(),
  /** The cells that would be written; for a changed row only those that differ. */
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
      /** The heading of the column that is joined to it. */
      joined: v.optional(v.string()),
    }),
  ),
  /** Values that all rows had last time. */
  fixed: v.optional(fixed),
  /** Headings and sheets chosen by hand, by the texts of the heading row; the latest first. */
  shapes: v.optional(
    v.array(
      v.object({
        headers: v.array(v.string()),
        heading: v.number(),
        sheets: v.array(v.string()),
      }),
    ),
  ),
})
/** The options that the user chose last time for this entity. */
export type RememberedImport = v.InferOutput<typeof remembered>

const pageNum = v.optional(wholeNumber, 1)
const pageSize = v.optional(v.pipe(wholeNumber, v.minValue(1), v.maxValue(limits.maxPageSize)), 20)
const ts = v.optional(text)
const id = { path: '/job/{id}', access: 'signed' } as const
const memory = { path: '/entity/{tag}/data/import-mapping', access: 'signed' } as const

/**
 * Imports are jobs with a row ledger (docs/rules/contract.md#entity-data). The caller needs `add`,
 * `update` or both, depending on the mode (docs/rules/security.md#permissions); only its owner can
 * control a job. Uploading the same file with the same options again within ten minutes answers the same job,
 * unless that job failed, was cancelled or was a dry run.
 */
export const job = {
  /** Answers as soon as the file is stored; `get` reports the progress. */
  import: endpoint({
    method: 'POST',
    keyed: true,
    path: '/entity/{tag}/data/import',
    access: 'signed',
    fresh: 'depends',
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
  all: allJobs,
  /**
   * Resumes from the ledger. Other options can be sent until the first row is written. A running
   * job is answered unchanged.
   */
  resume: endpoint({
    method: 'POST',
    keyed: false,
    path: '/job/{id}/resume',
    access: 'signed',
    body: resumeBody,
    answer: jobShape,
  }),
  /**
   * Corrects cells of rows under review, and checks only those rows again, with the rows whose
   * errors they caused. The corrections are kept with the job; the file stays as it is.
   */
  mend: endpoint({
    method: 'POST',
    keyed: false,
    path: '/job/{id}/cells',
    access: 'signed',
    body: mendBody,
    answer: jobShape,
    timeout: limits.transferTimeout,
  }),
  /** Keeps the rows already written; with `abort` there are none. */
  cancel: endpoint({
    method: 'POST',
    keyed: false,
    path: '/job/{id}/cancel',
    access: 'signed',
    answer: jobShape,
  }),
  /** The uploaded sheet with the columns 结果 and 原因; `only=wrong` omits the valid rows. */
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
