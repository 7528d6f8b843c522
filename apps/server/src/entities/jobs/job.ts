// Rows of sys.job and sys.job_row. The contract's Job is made from them, with texts in the user's language.
import type { BulkAction } from '@jiaowu/api/contract/entity/bulk'
import type {
  EmptyMeaning,
  FixedValues,
  ImportFormat,
  ImportMapping,
  ImportMode,
  ImportReading,
  JobPhase,
  JobStatus,
  OnError,
  SheetInfo,
} from '@jiaowu/api/contract/job'
import type { Message } from '@jiaowu/api/texts/index'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { Kysely } from 'kysely'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import { UserFacingError } from '../../platform/user-facing-error.ts'

/** A sheet that is imported, with its columns brought into the order of the first one's. */
export interface ReadSheet {
  /** Among the visible sheets of the workbook. */
  readonly index: number
  readonly name: string
  /** 0: no heading. */
  readonly headerRow: number
  readonly headers: readonly string[]
  /** For each column of the first sheet the index in this one, -1 without; null: the same order. */
  readonly order: readonly number[] | null
}

/** The user's choices for an import. */
export interface ImportOptions {
  readonly mode: ImportMode
  readonly key: string | null
  readonly onError: OnError
  readonly dryRun: boolean
  readonly empty: EmptyMeaning
  readonly pauseAt: 'mapping' | 'review' | 'none'
  readonly confirm: boolean
  readonly mapping: ImportMapping | null
  /** Values of all rows; absent in jobs made before there were any. */
  readonly fixed?: FixedValues | null
  /** Absent in jobs made before sheets could be chosen. */
  readonly reading?: ImportReading | null
  /** How often cells were corrected: tells two windows apart. */
  readonly mends?: number
  /** The sheets that were read, to read them again. */
  readonly sheets?: readonly ReadSheet[]
  /** The user has seen the column mapping: a column without a field is then left out on purpose. */
  readonly mappingSeen: boolean
  /** Revision of the definition that the rows were checked against. */
  readonly revision: string | null
}
export interface JobFile {
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly storage: string
  readonly format: ImportFormat
  /** The store that has it; absent where there is only one. */
  readonly store?: string
}

/** A bulk change as requested. */
export interface BulkOptions {
  readonly action: BulkAction
  readonly ids: readonly string[] | null
  readonly queries: Readonly<Record<string, unknown>>
  /** Absent without, and in jobs made before lists had it. */
  readonly where?: Where | undefined
  readonly except: readonly string[]
  readonly set: Readonly<Record<string, WireValue>>
  readonly onError: OnError
  /** Fingerprint of the definition and the rights that the rows were checked with. */
  readonly basis: string | null
}

/** Kinds of jobs in sys.job, which have a ledger of rows. */
export type LedgerJobKind = keyof LedgerJobs

/** The key of a job: its school and its id. */
export type JobKey = Pick<JobBase, 'tenant_id' | 'id'>

/** Columns of sys.job that every kind uses. */
export interface JobBase {
  readonly id: string
  readonly kind: LedgerJobKind
  readonly tenant_id: string
  readonly user_id: string
  readonly tag: string
  readonly status: JobStatus
  readonly phase: JobPhase
  readonly message: Message | null
  readonly locale: string
  readonly total: number
  readonly done: number
  readonly inserted: number
  readonly updated: number
  readonly fresh: number
  readonly changed: number
  readonly same: number
  readonly wrong: number
  readonly written_to: number
  readonly attempts: number
  readonly interrupted_at: string | null
  readonly cancel_asked: boolean
  readonly create_time: string
  readonly start_time: string | null
  readonly end_time: string | null
  readonly file_gone: boolean
  /** Id of the call that started it; null in jobs from before ids were kept. */
  readonly trace_id: string | null
}
export interface ImportRecord extends JobBase {
  readonly kind: 'import'
  readonly options: ImportOptions
  readonly file: JobFile
  readonly sheet: SheetInfo | null
}
export interface BulkRecord extends JobBase {
  readonly kind: 'bulk'
  readonly options: BulkOptions
}
export interface LedgerJobs {
  readonly import: ImportRecord
  readonly bulk: BulkRecord
}
export type LedgerJob = LedgerJobs[keyof LedgerJobs]

/** Counts of the rows that one transaction of a run wrote. */
export interface RowsWritten {
  /** Number of the last row of the ledger. */
  readonly upTo: number
  readonly inserted: number
  readonly updated: number
}

/** One run of a job with a ledger. */
export interface LedgerRun<Job extends JobBase = ImportRecord> extends JobRun<Job> {
  /** Called between chunks: leaves the embedded database to other requests for a moment. */
  readonly pause?: () => Promise<void>
  /** Called in the transaction that ends the run, after the job's row has its final state. */
  /** Called in the transaction that writes some of the rows, unless it also ends the run. */
  readonly onRows?: (trx: Kysely<unknown>, written: RowsWritten) => void
  readonly onEnd?: (trx: Kysely<unknown>) => Promise<void>
}

/** Why a row cannot be written, before translation. */
export interface RowFault {
  readonly column: string
  readonly attrName: string | null
  readonly value: string
  readonly rule: string
  readonly message: Message
  readonly suggestions: readonly string[]
}

/** Result of checking one row: f new, c changed, s unchanged, w wrong. */
export type Verdict = 'f' | 'c' | 's' | 'w'
/** Values to write, by attrName. Choices are stored as ids; their names are looked up for display. */
export type Payload = Readonly<Record<string, WireValue | readonly string[]>>

/**
 * Numbers of the ledger count rows of all sheets: the index of the sheet times this, plus the row.
 * More than the rows of any sheet.
 */
export const sheetStride = 2_000_000

/** The place in the workbook of a ledger number. */
export function splitRowNumber(rowNo: number): { readonly sheet: number; readonly row: number } {
  return { sheet: Math.floor(rowNo / sheetStride), row: rowNo % sheetStride }
}

/** A row of the ledger. */
export interface LedgerRow {
  readonly row_no: number
  readonly verdict: Verdict
  /** Id of the stored record; for a new one the id it will get, null when the table generates it. */
  readonly row_id: string | null
  /** Version of the record when it was checked. */
  readonly version: string | null
  readonly payload: Payload | null
  /** Displayed values before the change, by attrName. */
  readonly before: Readonly<Record<string, string | null>> | null
  readonly name: string
  readonly errors: readonly RowFault[] | null
  /** Cells that reading changed, as they stand in the file; personal data is masked. */
  readonly tidied?: Readonly<Record<string, string>> | null
}

/** The columns of a ledger row that writing needs. */
export type WritableRow = Pick<LedgerRow, 'row_no' | 'verdict' | 'row_id' | 'version' | 'payload'>

/** Ends or pauses a run in an expected way; `text` becomes the job's message. */
export class JobStop extends UserFacingError {
  readonly status: 'failed' | 'paused'
  /** Set when the job pauses at `mapping`: the columns to ask about. */
  readonly sheet: SheetInfo | null
  constructor(status: JobStop['status'], text: Message, sheet: SheetInfo | null = null) {
    super('JobStop', text)
    this.status = status
    this.sheet = sheet
  }
}
