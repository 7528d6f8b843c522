import type {
  ExportFormat,
  ImportFormat,
  ImportMapping,
  ImportMode,
  Job,
  Message,
  Problem,
  RowVerdict,
} from '@jiaowu/api'
import { type Assignment, choicesOf, fileFault, type ImportChoices } from './choices.ts'
import type {
  FileFacts,
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
  /** A job begun earlier or elsewhere is opened instead of a new one. */
  readonly job?: string | null
  /** Present: it is sent at once. */
  readonly file?: FileFacts | null
  /** The modes this person may use: `insert` needs add, `update` update, `upsert` both. */
  readonly modes?: readonly ImportMode[]
  readonly choices?: Partial<ImportChoices>
  readonly mapping?: ImportMapping | null
  /** `none` writes without a look when all is well. */
  readonly pauseAt?: 'review' | 'none'
  /** What an export is of, and how it starts out. */
  readonly sheet?: Omit<SheetRequest, 'tag'>
}

export interface TransferContext {
  readonly input: TransferInput
  readonly file: FileFacts | null
  /** Why the file was not taken. */
  readonly fault: Message | null
  /** What the person chose here, over what is remembered. */
  readonly chosen: Partial<ImportChoices>
  readonly recalled: Recalled | null
  readonly recallPage: number
  readonly sent: number
  /** The job to open or follow. */
  readonly id: string | null
  readonly job: Job | null
  readonly mapping: readonly Assignment[]
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
  /** Before the upload they are kept; under review the rows are checked again. */
  | { readonly type: 'choices.change'; readonly choices: Partial<ImportChoices> }
  | { readonly type: 'upload.start' }
  | { readonly type: 'upload.progress'; readonly sent: number }
  | { readonly type: 'history.page'; readonly pageNum: number }
  | { readonly type: 'job.open'; readonly id: string }
  | { readonly type: 'column.assign'; readonly assignment: Assignment }
  | { readonly type: 'mapping.reset' }
  | { readonly type: 'job.check' }
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
  /** A job is over: lists may show other rows now. */
  | { readonly type: 'finished'; readonly job: Job }
  /**
   * The job that is followed, to be found again after a reload; null when there is none any more.
   */
  | { readonly type: 'job'; readonly id: string | null }

export const nothingReceived: SheetSaved = { bytes: 0, rows: null }
/** Where everything starts. */
export function contextOf(input: TransferInput): TransferContext {
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
/** The choices that apply before there is a job. */
export function choicesNow({ input, recalled, chosen }: TransferContext): ImportChoices {
  return choicesOf(
    input.modes ?? ['insert', 'update', 'upsert'],
    recalled?.remembered ?? null,
    input.choices ?? {},
    chosen,
  )
}
