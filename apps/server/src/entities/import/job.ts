// The shapes of a job as it is kept. The contract's Job is made from them, with words in the person's language.
import type {
  BulkAction,
  EmptyMeaning,
  ImportFormat,
  ImportMapping,
  ImportMode,
  JobPhase,
  JobStatus,
  Message,
  OnError,
  SheetInfo,
  WireValue,
} from '@jiaowu/api'
import { Said } from '../../platform/said.ts'

/** What the person chose. */
export interface JobOptions {
  readonly mode: ImportMode
  readonly key: string | null
  readonly onError: OnError
  readonly dryRun: boolean
  readonly empty: EmptyMeaning
  readonly pauseAt: 'mapping' | 'review' | 'none'
  readonly confirm: boolean
  readonly mapping: ImportMapping | null
  /** The person has seen the columns, so one without a field is left out on purpose. */
  readonly mappingSeen: boolean
  /** The definition the rows were checked against. */
  readonly revision: string | null
}
export interface JobFile {
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly storage: string
  readonly format: ImportFormat
}

/** What a change of many rows was asked to do. */
export interface BulkOptions {
  readonly action: BulkAction
  readonly ids: readonly string[] | null
  readonly queries: Readonly<Record<string, unknown>>
  readonly except: readonly string[]
  readonly set: Readonly<Record<string, WireValue>>
  readonly onError: OnError
  /** The definition and the rights that the rows were judged by. */
  readonly basis: string | null
}

export const jobKinds = ['import', 'bulk'] as const
export type JobKind = (typeof jobKinds)[number]

/** What every job has, whatever it does. */
export interface JobBase {
  readonly id: string
  readonly kind: JobKind
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
}
export interface JobRecord extends JobBase {
  readonly kind: 'import'
  readonly options: JobOptions
  readonly file: JobFile
  readonly sheet: SheetInfo | null
}
export interface BulkRecord extends JobBase {
  readonly kind: 'bulk'
  readonly options: BulkOptions
}
export type AnyJob = JobRecord | BulkRecord

/** A fault of a row before it is put into a language. */
export interface RowFault {
  readonly column: string
  readonly attrName: string | null
  readonly value: string
  readonly rule: string
  readonly message: Message
  readonly suggestions: readonly string[]
}

/** f new, c changed, s the same, w wrong. */
export type Verdict = 'f' | 'c' | 's' | 'w'
/** What is to be written, by attrName. Choices are only their ids here: their names are found again when somebody looks. */
export type Payload = Readonly<Record<string, WireValue | readonly string[]>>

/** A row of the ledger: what the sheet's row comes to. */
export interface LedgerRow {
  readonly row_no: number
  readonly verdict: Verdict
  /** The stored record; for a new one the id it will have, unless the table gives it. */
  readonly row_id: string | null
  /** The version the change was judged by. */
  readonly version: string | null
  readonly payload: Payload | null
  /** Texts before the change, by attrName. */
  readonly before: Readonly<Record<string, string | null>> | null
  readonly name: string
  readonly errors: readonly RowFault[] | null
}

/** What writing needs of it. */
export type WritableRow = Pick<LedgerRow, 'row_no' | 'verdict' | 'row_id' | 'version' | 'payload'>

/** Ends a run in good order: the sentence becomes the job's. */
export class JobStop extends Said {
  readonly status: 'failed' | 'paused' | 'cancelled'
  /** Columns to ask about: the job waits at `mapping` with them. */
  readonly sheet: SheetInfo | null
  constructor(status: JobStop['status'], say: Message, sheet: SheetInfo | null = null) {
    super('JobStop', say)
    this.status = status
    this.sheet = sheet
  }
}
/** The lease is somebody else's: whatever this run was about to do is not its business any more. */
export class LeaseLost extends Error {}
