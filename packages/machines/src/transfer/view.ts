import type {
  EmptyMeaning,
  FixedValues,
  ImportField,
  ImportMode,
  Job,
  ReviewCounts,
  ReviewRow,
  RowVerdict,
  SheetChoice,
  SheetColumnInfo,
  SheetInfo,
} from '@jiaowu/api/contract/job'
import type { WireValue } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { SnapshotFrom } from 'xstate'
import { assignable, type Existing, existingIn, findExistingMode, isReassigned } from './choices.ts'
import type { FileFacts, ImportChoices, SheetRequest } from './ports.ts'
import { choicesNow } from './context.ts'
import type { transferMachine } from './machine.ts'

export type TransferStep =
  | 'choosing'
  | 'uploading'
  | 'opening'
  | 'unopened'
  | 'checking'
  | 'reviewing'
  | 'confirming'
  | 'sending'
  | 'running'
  | 'paused'
  | 'cancelling'
  | 'done'
  | 'failed'
/** A column of the sheet under review; `changed` since the rows were checked. */
export interface ColumnView extends Pick<
  SheetColumnInfo,
  'column' | 'letter' | 'header' | 'samples' | 'by'
> {
  readonly attrName: string | null
  readonly empty: EmptyMeaning
  readonly changed: boolean
  /** The column whose text follows that of this one. */
  readonly joined: number | null
  /** The column that this one is joined to; it has no field of its own. */
  readonly joinedTo: number | null
}
/** A field that no column fills and that all rows have one value for, or need one. */
export interface FixedView {
  readonly attrName: string
  readonly label: string
  readonly required: boolean
  readonly value: WireValue
  /** The text that told the proposed value; null where there is none, or another was chosen. */
  readonly from: string | null
}
export interface ReviewView {
  readonly counts: ReviewCounts
  readonly columns: readonly ColumnView[]
  readonly fields: readonly ImportField[]
  /** Values of all rows: fields without a column that need one or have one. */
  readonly fixed: readonly FixedView[]
  /** Labels of required fields without a column or a value, when records can be added. */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
  /** Rows that should be new have records already: the way to change these instead. */
  readonly existing: Existing | null
  /** The sheets to choose from, and the first rows with the heading; without it nothing to move. */
  readonly file: {
    readonly sheets: readonly SheetChoice[]
    readonly preview: NonNullable<SheetInfo['preview']>
    readonly headerRow: number
    /** Null for files that are not text. */
    readonly encoding: NonNullable<SheetInfo['encoding']> | null
    /** Rows that the spreadsheet does not show; null without any. */
    readonly hiddenRows: NonNullable<SheetInfo['hiddenRows']> | null
  }
  readonly edited: boolean
  readonly rows: {
    readonly state: 'none' | 'loading' | 'shown' | 'failed'
    readonly verdict: RowVerdict
    readonly records: readonly ReviewRow[]
    readonly total: number
    readonly pageNum: number
    readonly pageCount: number
  }
}
/** The import or export as a surface shows it. */
export interface TransferView {
  readonly kind: 'import' | 'export'
  readonly step: TransferStep
  readonly tag: string
  readonly file: FileFacts | null
  readonly fault: Message | null
  readonly modes: readonly ImportMode[]
  /** The job's options, once there is one. */
  readonly choices: ImportChoices
  /**
   * False while remembered options are loading, which would change the options under the user's
   * hands.
   */
  readonly choicesKnown: boolean
  /** Bytes sent and in all; null when no upload is running. */
  readonly upload: { readonly sent: number; readonly size: number } | null
  readonly job: Job | null
  /**
   * Progress reported by the server; `percent` (0 to 100, whole) is null while the number of rows
   * is unknown.
   */
  readonly progress: {
    readonly done: number
    readonly total: number
    readonly percent: number | null
  }
  /** The server does not answer at the moment; the job continues. */
  readonly lost: boolean
  readonly problem: Problem | null
  readonly history: {
    readonly state: 'loading' | 'shown' | 'failed'
    readonly jobs: readonly Job[]
    readonly total: number
    readonly pageNum: number
    readonly pageCount: number
  }
  /** Set from the review on. */
  readonly review: ReviewView | null
  readonly saving: 'template' | 'result' | null
  readonly sheet: SheetRequest
  /** Bytes received; rows as announced by the server. */
  readonly received: { readonly bytes: number; readonly rows: number | null }
  readonly can: {
    readonly upload: boolean
    readonly check: boolean
    readonly mend: boolean
    readonly run: boolean
    readonly resume: boolean
    readonly cancel: boolean
    readonly retry: boolean
    readonly restart: boolean
    readonly result: boolean
    readonly template: boolean
    readonly resetMapping: boolean
    readonly export: boolean
    readonly cancelExport: boolean
  }
}

type Snapshot = SnapshotFrom<typeof transferMachine>
const steps = [
  'choosing',
  'uploading',
  'opening',
  'unopened',
  'checking',
  'reviewing',
  'confirming',
  'sending',
  'running',
  'paused',
  'cancelling',
  'done',
  'failed',
] as const
const pages = (total: number, size: number): number => Math.max(1, Math.ceil(total / size))

export function transferView(s: Snapshot): TransferView {
  const { input, file, fault, sent, job, problem, recalled, recallPage, saving, sheet, received } =
    s.context
  const step = resolveTransferStep(s)
  const { done, total } = job ?? { done: 0, total: 0 }
  return {
    kind: input.kind,
    step,
    tag: input.tag,
    file,
    fault,
    modes: input.modes ?? ['insert', 'update', 'upsert'],
    choices: job === null ? choicesNow(s.context) : choicesOfJob(job),
    choicesKnown:
      job !== null || recalled !== null || !s.matches({ transfer: { choosing: 'recalling' } }),
    upload:
      step === 'uploading' && file !== null
        ? { sent: Math.min(sent, file.size), size: file.size }
        : null,
    job,
    progress: {
      done,
      total,
      percent: total === 0 ? null : Math.min(100, Math.floor((done / total) * 100)),
    },
    lost: s.hasTag('lost'),
    problem,
    history: {
      state: s.matches({ transfer: { choosing: 'recalling' } })
        ? 'loading'
        : s.matches({ transfer: { choosing: 'forgotten' } })
          ? 'failed'
          : 'shown',
      jobs: recalled?.jobs ?? [],
      total: recalled?.total ?? 0,
      pageNum: recallPage,
      pageCount: pages(recalled?.total ?? 0, limits.historyPageSize),
    },
    review: job === null ? null : buildReview(s, job),
    saving: saving?.what ?? null,
    sheet,
    received,
    can: listPossibleTransfers(s),
  }
}

function resolveTransferStep(s: Snapshot): TransferStep {
  if (s.matches({ transfer: 'exporting' }))
    return (
      (['running', 'done', 'failed'] as const).find((step) =>
        s.matches({ transfer: { exporting: step } }),
      ) ?? 'choosing'
    )
  return steps.find((step) => s.matches({ transfer: step })) ?? 'choosing'
}

function choicesOfJob({ mode, key, onError, empty, dryRun }: Job): ImportChoices {
  return {
    mode,
    key,
    onError,
    empty,
    dryRun,
  }
}

function buildReview(s: Snapshot, job: Job): ReviewView {
  const { mapping, fixed, rows, rowsPage, verdict } = s.context
  const sheet: Partial<SheetInfo> = job.sheet ?? {}
  const { fields = [], notes = [] } = sheet
  const columns = assignable(sheet.columns ?? []).map((info): ColumnView => {
    const now = mapping.find(({ column }) => column === info.column) ?? info
    return {
      column: info.column,
      letter: info.letter,
      header: info.header,
      samples: info.samples,
      by: info.by,
      attrName: now.attrName,
      empty: now.empty,
      changed:
        now.attrName !== info.attrName || now.empty !== info.empty || now.joined !== info.joined,
      joined: now.joined ?? null,
      joinedTo: mapping.find(({ joined }) => joined === info.column)?.column ?? null,
    }
  })
  const values = buildFixed(job, fields, columns, fixed)
  const state =
    (['loading', 'shown', 'failed'] as const).find((each) =>
      s.matches({ transfer: { reviewing: { rows: each } } }),
    ) ?? (rows === null ? 'none' : 'shown')
  return {
    counts: job.review,
    columns,
    fields,
    notes,
    existing:
      existingIn(job, fields, s.context.input.modes) ??
      findExistingMode(
        job,
        fields,
        [...columns.map(({ attrName }) => attrName), ...Object.keys(fixed)],
        s.context.input.modes,
      ),
    file: {
      sheets: sheet.sheets ?? [],
      preview: sheet.preview ?? [],
      headerRow: sheet.headerRow ?? 0,
      encoding: sheet.encoding ?? null,
      hiddenRows: sheet.hiddenRows ?? null,
    },
    edited: isReassigned(job, mapping, fixed),
    fixed: values,
    missing:
      job.mode === 'update'
        ? []
        : fields
            .filter(
              ({ required, attrName }) =>
                required &&
                !columns.some((column) => column.attrName === attrName) &&
                fixed[attrName] === undefined,
            )
            .map(({ label }) => label),
    rows: {
      state,
      verdict,
      records: rows?.records ?? [],
      total: rows?.total ?? 0,
      pageNum: rowsPage,
      pageCount: pages(rows?.total ?? 0, limits.reviewPageSize),
    },
  }
}

function buildFixed(
  { mode, sheet }: Job,
  fields: readonly ImportField[],
  columns: readonly ColumnView[],
  fixed: FixedValues,
): readonly FixedView[] {
  return fields
    .filter(
      ({ attrName, required }) =>
        !columns.some((column) => column.attrName === attrName) &&
        ((required && mode !== 'update') || fixed[attrName] !== undefined),
    )
    .map(({ attrName, label, required }) => {
      const value = fixed[attrName] ?? null
      const told = sheet?.fixed?.find((each) => each.attrName === attrName)
      const isTold = JSON.stringify(told?.value) === JSON.stringify(value)
      return { attrName, label, required, value, from: isTold ? (told?.from ?? null) : null }
    })
}

function listPossibleTransfers(s: Snapshot): TransferView['can'] {
  return {
    upload: s.can({ type: 'upload.start' }),
    check: s.can({ type: 'job.check' }),
    mend: s.can({
      type: 'cell.mend',
      mend: { row: 0, attrName: '', value: null, equal: false },
    }),
    run: s.can({ type: 'job.run' }),
    resume: s.can({ type: 'job.resume' }),
    cancel: s.can({ type: 'job.cancel' }),
    retry: s.can({ type: 'transfer.retry' }),
    restart: s.can({ type: 'transfer.restart' }),
    result: s.can({ type: 'result.save', format: 'xlsx', only: 'all' }),
    template: s.can({ type: 'template.save' }),
    resetMapping: s.can({ type: 'mapping.reset' }),
    export: s.can({ type: 'export.start' }),
    cancelExport: s.can({ type: 'export.cancel' }),
  }
}
