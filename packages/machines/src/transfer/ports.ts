import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type {
  EmptyMeaning,
  FixedValues,
  ImportFormat,
  ImportMapping,
  ImportMode,
  ImportReading,
  Job,
  OnError,
  RememberedImport,
  ReviewRow,
  RowVerdict,
} from '@jiaowu/api/contract/job'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { PageQuery } from '@jiaowu/api/entity/list/page'
import { createPortActors, type ActorsOf, type Port } from '../port.ts'

/**
 * A chosen file. The surface keeps the bytes and finds them by `key` (a path, or a number it
 * assigned). Size in bytes.
 */
export interface FileFacts {
  readonly key: string
  readonly name: string
  readonly size: number
}

/** Options of an import (docs/rules/contract.md#entity-data). */
export interface ImportChoices {
  readonly mode: ImportMode
  /** attrName of the field that identifies records; null: the id column. */
  readonly key: string | null
  readonly onError: OnError
  readonly empty: EmptyMeaning
  /** Only checks; the finished job can be resumed to write. */
  readonly dryRun: boolean
}

export interface UploadRequest {
  readonly tag: string
  readonly file: FileFacts
  /** Null: the server tells it by the content. */
  readonly format: ImportFormat | null
  readonly choices: ImportChoices
  /**
   * Null: the server guesses from remembered mappings, the template's signature and the headings.
   */
  readonly mapping: ImportMapping | null
  /** Values of all rows; null: the server proposes some. */
  readonly fixed: FixedValues | null
  /** Null: the server finds the sheet and the heading. */
  readonly reading: ImportReading | null
  /** `none` writes without a review, if the user chose that before. */
  readonly pauseAt: 'review' | 'none'
}
/** A correction of one cell under review. */
export interface MendRequest {
  readonly row: number
  /** Set where several sheets are imported. */
  readonly sheet?: string
  readonly attrName: string
  readonly value: WireValue
  /** All wrong cells of the column with the same content. */
  readonly equal: boolean
  /** Adds the value to the choices of the field first. */
  readonly create?: boolean
}
/** Resumes a job; contains only the options to change. */
export interface ResumeRequest {
  readonly id: string
  readonly choices: Partial<ImportChoices>
  readonly mapping: ImportMapping | null
  /** Values of all rows; null: unchanged. */
  readonly fixed: FixedValues | null
  /** Other sheets or another heading; null: unchanged. */
  readonly reading: ImportReading | null
  /** Cells to correct instead of resuming; null: none. */
  readonly mend: MendRequest | null
  /** Null: unchanged. */
  readonly pauseAt: 'review' | 'none' | null
  readonly confirm: boolean
}
/** @public Declarations of the machine's type name it. */
export interface RowsRequest {
  readonly id: string
  readonly verdict: RowVerdict
  readonly pageNum: number
  readonly pageSize: number
}
export interface ReviewRows {
  readonly records: readonly ReviewRow[]
  readonly total: number
}
/** One page of jobs, and the options of the last import. */
export interface Recalled {
  readonly jobs: readonly Job[]
  readonly total: number
  readonly remembered: RememberedImport | null
}
export type SaveRequest =
  | { readonly what: 'template'; readonly tag: string }
  | {
      readonly what: 'result'
      readonly id: string
      readonly format: ImportFormat
      readonly only: 'all' | 'wrong'
    }
export interface SheetRequest {
  readonly tag: string
  readonly query: Omit<PageQuery, 'pageSize' | 'pageNum'>
  readonly format: ExportFormat
  /** In this order; null: all columns the caller may see. */
  readonly columns: readonly string[] | null
}
/** Bytes received, and the number of rows announced by the server. */
export interface SheetSaved {
  readonly bytes: number
  readonly rows: number | null
}

export interface TransferPorts {
  readonly recall: Port<
    { readonly tag: string; readonly pageNum: number; readonly pageSize: number },
    Recalled
  >
  /** Reports the bytes sent through the actor's event `upload.progress`. */
  readonly upload: Port<UploadRequest, Job>
  readonly readJob: Port<{ readonly id: string }, Job>
  readonly resumeJob: Port<ResumeRequest, Job>
  readonly cancelJob: Port<{ readonly id: string }, Job>
  readonly loadRows: Port<RowsRequest, ReviewRows>
  readonly saveFile: Port<SaveRequest, void>
  /** Receives and saves the sheet; reports progress through the event `export.progress`. */
  readonly exportSheet: Port<SheetRequest, SheetSaved>
}

export function transferActors(ports: TransferPorts): ActorsOf<TransferPorts> {
  return createPortActors(ports, [
    'recall',
    'upload',
    'readJob',
    'resumeJob',
    'cancelJob',
    'loadRows',
    'saveFile',
    'exportSheet',
  ])
}
