import {
  type EmptyMeaning,
  type ImportFormat,
  importFormats,
  type ImportMapping,
  type ImportMode,
  type Job,
  limits,
  type Message,
  type OnError,
  type RememberedImport,
  type ReviewCounts,
  type RowVerdict,
  type SheetColumnInfo,
} from '@jiaowu/api'
import type { FileFacts, ResumeRequest } from './ports.ts'

/** How a sheet is taken in (docs/rules/contract.md#entity-data). */
export interface ImportChoices {
  readonly mode: ImportMode
  /** attrName that tells which record a row is; null: the id column. */
  readonly key: string | null
  readonly onError: OnError
  readonly empty: EmptyMeaning
  /** Checks only; the finished check may be resumed to write. */
  readonly dryRun: boolean
}
const usual: ImportChoices = {
  mode: 'insert',
  key: null,
  onError: 'abort',
  empty: 'keep',
  dryRun: false,
}

/**
 * What applies: what the person chose now, what the caller said, what was chosen last time, what is
 * usual; never a mode they may not use.
 */
export function choicesOf(
  modes: readonly ImportMode[],
  remembered: RememberedImport | null,
  ...said: readonly Partial<ImportChoices>[]
): ImportChoices {
  const { mode, key, onError, empty } = remembered ?? usual
  const all: ImportChoices = Object.assign({}, usual, { mode, key, onError, empty }, ...said)
  return modes.includes(all.mode) ? all : { ...all, mode: modes[0] ?? 'insert' }
}

/** The kind of file by its name; null: none we read. */
export function formatOf(name: string): ImportFormat | null {
  return importFormats.find((format) => name.toLowerCase().endsWith(`.${format}`)) ?? null
}

/** Why a file is not even sent; null: it may be (docs/rules/security.md#files). */
export function fileFault({ name, size }: FileFacts): Message | null {
  if (/\.(xls|et|ods)$/i.test(name)) return { key: 'transfer.saveAsXlsx' }
  if (formatOf(name) === null) return { key: 'transfer.badKind' }
  if (size === 0) return { key: 'transfer.emptyFile' }
  if (size > limits.importBytes)
    return {
      key: 'transfer.tooLarge',
      params: {
        max: Math.floor(limits.importBytes / 1_048_576),
        size: (size / 1_048_576).toFixed(1),
      },
    }
  return null
}

/** A column and the field it goes to (null: left out). */
export interface Assignment {
  readonly column: number
  readonly attrName: string | null
  readonly empty: EmptyMeaning
}
/** Columns a person may assign: those the product added itself are read by nobody. */
export function assignable(columns: readonly SheetColumnInfo[]): readonly SheetColumnInfo[] {
  return columns.filter(({ by }) => by !== 'own')
}
export function assignmentsOf(job: Job): readonly Assignment[] {
  return assignable(job.sheet?.columns ?? []).map(({ column, attrName, empty }) => ({
    column,
    attrName,
    empty,
  }))
}
/** A field is filled from one column: whichever had it before loses it. */
export function assign(all: readonly Assignment[], next: Assignment): readonly Assignment[] {
  return all.map((each) =>
    each.column === next.column
      ? next
      : next.attrName !== null && each.attrName === next.attrName
        ? { ...each, attrName: null }
        : each,
  )
}
export function mappingOf(all: readonly Assignment[]): ImportMapping {
  return all.map((each) => ({ ...each }))
}
export function isReassigned(job: Job, all: readonly Assignment[]): boolean {
  return JSON.stringify(assignmentsOf(job)) !== JSON.stringify(all)
}

/** What there is to look at first: faults, then changes. */
export function firstVerdict({ wrong, changed, fresh }: ReviewCounts): RowVerdict {
  return wrong > 0 ? 'wrong' : changed > 0 ? 'changed' : fresh > 0 ? 'fresh' : 'same'
}
/** Stopped so that a person looks at it; a check that only looked ends there too. */
export function isForReview(job: Job): boolean {
  return (
    (job.status === 'paused' && (job.phase === 'mapping' || job.phase === 'review')) ||
    onlyLooked(job)
  )
}
function onlyLooked({ status, dryRun, can }: Job): boolean {
  return status === 'done' && dryRun && can.resume
}
export const isUnderWay = ({ status }: Job): boolean => status === 'queued' || status === 'running'
/** Whether writing would do something and be allowed to: with `abort` every row must be valid. */
export function isRunnable(job: Job): boolean {
  return (
    (job.phase === 'review' || onlyLooked(job)) &&
    job.can.resume &&
    job.review.fresh + job.review.changed > 0 &&
    (job.review.wrong === 0 || job.onError === 'skip')
  )
}
/** Going on from where it stopped. What was chosen is settled once rows are written. */
export function goOn({ id, phase }: Job): ResumeRequest {
  return {
    id,
    choices: {},
    mapping: null,
    pauseAt: phase === 'writing' ? null : 'review',
    confirm: false,
  }
}
export function checkAgain(
  { id }: Job,
  choices: Partial<ImportChoices>,
  mapping: readonly Assignment[] | null,
): ResumeRequest {
  return {
    id,
    choices,
    mapping: mapping === null ? null : mappingOf(mapping),
    pauseAt: 'review',
    confirm: false,
  }
}
/** Writes what was reviewed. */
export function write({ id, dryRun }: Job, confirm: boolean): ResumeRequest {
  return {
    id,
    choices: dryRun ? { dryRun: false } : {},
    mapping: null,
    pauseAt: 'none',
    confirm,
  }
}
