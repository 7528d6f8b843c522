import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import type {
  FixedValues,
  ImportFormat,
  ImportMapping,
  ImportMode,
  ImportReading,
  Job,
  RowVerdict,
} from '@jiaowu/api/contract/job'
import type { WireValue } from '@jiaowu/api/entity/values'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import { type Assignment, resolveImportChoices, fileFault } from './choices.ts'
import type {
  FileFacts,
  ImportChoices,
  MendRequest,
  Recalled,
  ResumeRequest,
  ReviewRows,
  SaveRequest,
  SheetRequest,
  SheetSaved,
} from './ports.ts'

export interface TransferInput {
  readonly tag: string
  readonly kind: 'import' | 'export'
  /** Id of a job started earlier or elsewhere, opened instead of a new one. */
  readonly job?: string | null
  /** Uploaded at once when given. */
  readonly file?: FileFacts | null
  /** Modes permitted to the user: `insert` needs add, `update` update, `upsert` both. */
  readonly modes?: readonly ImportMode[]
  readonly choices?: Partial<ImportChoices>
  readonly mapping?: ImportMapping | null
  /** Values of all rows. */
  readonly fixed?: FixedValues | null
  /** Sheets and heading known beforehand. */
  readonly reading?: ImportReading | null
  /** `none` writes without a review when all rows are valid. */
  readonly pauseAt?: 'review' | 'none'
  /** The initial options of an export. */
  readonly sheet?: Omit<SheetRequest, 'tag'>
}

export interface TransferContext {
  readonly input: TransferInput
  readonly file: FileFacts | null
  /** Why the file was refused. */
  readonly fault: Message | null
  /** Options chosen here, which override remembered ones. */
  readonly chosen: Partial<ImportChoices>
  readonly recalled: Recalled | null
  readonly recallPage: number
  readonly sent: number
  /** Id of the job to open or poll. */
  readonly id: string | null
  readonly job: Job | null
  readonly mapping: readonly Assignment[]
  /** The values of all rows, chosen and proposed. */
  readonly fixed: FixedValues
  readonly request: ResumeRequest | null
  readonly verdict: RowVerdict
  readonly rowsPage: number
  readonly rows: ReviewRows | null
  readonly problem: Problem | null
  readonly saving: SaveRequest | null
  readonly sheet: SheetRequest
  readonly received: SheetSaved
}

export type TransferEvent =
  | { readonly type: 'file.choose'; readonly file: FileFacts }
  | { readonly type: 'file.drop' }
  /** Stores options before the upload; during a review it checks the rows again. */
  | { readonly type: 'choices.change'; readonly choices: Partial<ImportChoices> }
  | { readonly type: 'upload.start' }
  | { readonly type: 'upload.progress'; readonly sent: number }
  | { readonly type: 'history.page'; readonly pageNum: number }
  | { readonly type: 'job.open'; readonly id: string }
  | { readonly type: 'column.assign'; readonly assignment: Assignment }
  /** Null: rows have no value of their own for the field. */
  | { readonly type: 'fixed.set'; readonly attrName: string; readonly value: WireValue }
  | { readonly type: 'mapping.reset' }
  | { readonly type: 'job.check' }
  /** Other sheets, or another heading row: the file is read again. */
  | { readonly type: 'reading.change'; readonly reading: ImportReading }
  | { readonly type: 'cell.mend'; readonly mend: MendRequest }
  | { readonly type: 'rows.show'; readonly verdict: RowVerdict }
  | { readonly type: 'rows.page'; readonly pageNum: number }
  | { readonly type: 'job.run' }
  | { readonly type: 'run.confirm' }
  | { readonly type: 'run.cancel' }
  | { readonly type: 'job.resume' }
  | { readonly type: 'job.cancel' }
  | { readonly type: 'transfer.retry' }
  | { readonly type: 'transfer.restart' }
  | { readonly type: 'template.save' }
  | { readonly type: 'result.save'; readonly format: ImportFormat; readonly only: 'all' | 'wrong' }
  | {
      readonly type: 'sheet.change'
      readonly format?: ExportFormat
      readonly columns?: readonly string[]
    }
  | { readonly type: 'export.start' }
  | { readonly type: 'export.progress'; readonly bytes: number; readonly rows: number | null }
  | { readonly type: 'export.cancel' }

export type TransferEmitted =
  | {
      readonly type: 'toast'
      readonly tone: 'success' | 'danger'
      readonly message: string | Message
      readonly lasting: boolean
    }
  /** The job ended: lists may show other rows now. */
  | { readonly type: 'finished'; readonly job: Job }
  /** The polled job, stored to find it again after a reload; null when there is none. */
  | { readonly type: 'job'; readonly id: string | null }

export const nothingReceived: SheetSaved = { bytes: 0, rows: null }
/** The initial context. */
export function createTransferContext(input: TransferInput): TransferContext {
  const {
    file = null,
    tag,
    sheet = { query: { sorts: [], queries: {} }, format: 'xlsx', columns: null },
  } = input
  const fault = file === null ? null : fileFault(file)
  return {
    input,
    file: fault === null ? file : null,
    fault,
    chosen: {},
    recalled: null,
    recallPage: 1,
    sent: 0,
    id: input.job ?? null,
    job: null,
    mapping: [],
    fixed: {},
    request: null,
    verdict: 'wrong',
    rowsPage: 1,
    rows: null,
    problem: null,
    saving: null,
    sheet: { ...sheet, tag },
    received: nothingReceived,
  }
}
/** The options of the job before, for the next file. */
export function choicesOfLast({ job }: TransferContext): Partial<ImportChoices> {
  if (job === null) return {}
  const { mode, key, onError, empty } = job
  return { mode, key, onError, empty }
}
/**
 * Remembered options that arrive late change nothing for a person who has begun: who has chosen a
 * file goes on with the options that were shown.
 */
export function choicesKept(context: TransferContext): Partial<ImportChoices> {
  return context.file === null ? context.chosen : choicesNow(context)
}
/** The effective options before a job exists. */
export function choicesNow({ input, recalled, chosen }: TransferContext): ImportChoices {
  return resolveImportChoices(
    input.modes ?? ['insert', 'update', 'upsert'],
    recalled?.remembered ?? null,
    input.choices ?? {},
    chosen,
  )
}
