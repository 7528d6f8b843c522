import {
  type EmptyMeaning,
  type FixedValues,
  type ImportField,
  type ImportFormat,
  importFormats,
  type ImportMapping,
  type ImportMode,
  type ImportReading,
  type Job,
  type RememberedImport,
  type ReviewCounts,
  type RowVerdict,
  type SheetColumnInfo,
} from '@jiaowu/api/contract/job'
import type { WireValue } from '@jiaowu/api/entity/values'
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import type { FileFacts, ImportChoices, MendRequest, ResumeRequest } from './ports.ts'

const usual: ImportChoices = {
  mode: 'insert',
  key: null,
  onError: 'abort',
  empty: 'keep',
  dryRun: false,
}

/**
 * The effective options, in this order: chosen by the user, given by the caller, remembered from
 * the last import, defaults; never a mode the user may not use.
 */
export function resolveImportChoices(
  modes: readonly ImportMode[],
  remembered: RememberedImport | null,
  ...said: readonly Partial<ImportChoices>[]
): ImportChoices {
  const { mode, key, onError, empty } = remembered ?? usual
  const all: ImportChoices = Object.assign({}, usual, { mode, key, onError, empty }, ...said)
  return modes.includes(all.mode) ? all : { ...all, mode: modes[0] ?? 'insert' }
}

/** File format by the extension of the name; null when the content has to tell. */
export function findImportFormat(name: string): ImportFormat | null {
  return importFormats.find((format) => name.toLowerCase().endsWith(`.${format}`)) ?? null
}

/**
 * Why a file is not uploaded; null when it can be (docs/rules/security.md#files). What it is, the
 * server tells by its content.
 */
export function fileFault({ size }: FileFacts): Message | null {
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

/** A column and the field it is assigned to; null leaves it out. */
export interface Assignment {
  readonly column: number
  readonly attrName: string | null
  readonly empty: EmptyMeaning
  /** The column whose text follows that of this one. */
  readonly joined?: number
}
/** Columns that the user can assign; imports ignore columns that result sheets add. */
export function assignable(columns: readonly SheetColumnInfo[]): readonly SheetColumnInfo[] {
  return columns.filter(({ by }) => by !== 'own')
}
export function listAssignments(job: Job): readonly Assignment[] {
  return assignable(job.sheet?.columns ?? []).map(({ column, attrName, empty, joined }) => ({
    column,
    attrName,
    empty,
    ...(joined !== undefined && { joined }),
  }))
}
/**
 * A field is filled from one column, or from two that are joined: assigning it to another clears the
 * first. A column that gets a field of its own is joined no more.
 */
export function assign(all: readonly Assignment[], next: Assignment): readonly Assignment[] {
  return all.map((each) => {
    if (each.column === next.column) return next.attrName === null ? withoutJoin(next) : next
    const isTaken = next.attrName !== null && each.attrName === next.attrName
    if (isTaken || next.joined === each.column) return { ...withoutJoin(each), attrName: null }
    return each.joined === next.column || (each.joined ?? 0) === (next.joined ?? -1)
      ? withoutJoin(each)
      : each
  })
}
const withoutJoin = ({ joined: _joined, ...each }: Assignment): Assignment => each

/** The values that all rows have or are proposed to have, by attrName. */
export function listFixedValues(job: Job): FixedValues {
  return Object.fromEntries(
    (job.sheet?.fixed ?? []).map(({ attrName, value }) => [attrName, value]),
  )
}
/** Null takes the value away. */
export function setFixedValue(
  fixed: FixedValues,
  { attrName, value }: { readonly attrName: string; readonly value: WireValue },
): FixedValues {
  const { [attrName]: _old, ...others } = fixed
  return value === null || value === '' ? others : { ...others, [attrName]: value }
}
function toImportMapping(all: readonly Assignment[]): ImportMapping {
  return all.map((each) => ({ ...each }))
}
export function isReassigned(job: Job, all: readonly Assignment[], fixed: FixedValues): boolean {
  return (
    JSON.stringify(listAssignments(job)) !== JSON.stringify(all) ||
    listPairs(listFixedValues(job)) !== listPairs(fixed)
  )
}
const listPairs = (fixed: FixedValues) =>
  JSON.stringify(Object.entries(fixed).toSorted(([a], [b]) => (a < b ? -1 : 1)))
/** Values that are proposed are taken with the next check. */
export function hasProposals({ sheet }: Job): boolean {
  return (sheet?.fixed ?? []).some(({ from }) => from !== null)
}

/** The verdict shown first: errors, then changes. */
export function firstVerdict({ wrong, changed, fresh }: ReviewCounts): RowVerdict {
  return wrong > 0 ? 'wrong' : changed > 0 ? 'changed' : fresh > 0 ? 'fresh' : 'same'
}
/** Paused for review; a finished dry run counts too. */
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
/** Whether writing would do something and is permitted: with `abort` every row must be valid. */
export function isRunnable(job: Job): boolean {
  return (
    (job.phase === 'review' || onlyLooked(job)) &&
    job.can.resume &&
    job.review.fresh + job.review.changed > 0 &&
    (job.review.wrong === 0 || job.onError === 'skip')
  )
}
/** Continues from the point of interruption. Options are fixed once rows are written. */
export function goOn({ id, phase }: Job): ResumeRequest {
  return {
    id,
    choices: {},
    mapping: null,
    fixed: null,
    reading: null,
    mend: null,
    pauseAt: phase === 'writing' ? null : 'review',
    confirm: false,
  }
}
export function checkAgain(
  { id }: Job,
  choices: Partial<ImportChoices>,
  mapping: readonly Assignment[] | null,
  reading: ImportReading | null = null,
  fixed: FixedValues | null = null,
): ResumeRequest {
  return {
    id,
    choices,
    mapping: mapping === null ? null : toImportMapping(mapping),
    fixed,
    reading,
    mend: null,
    pauseAt: 'review',
    confirm: false,
  }
}
/** Another heading is one of the sheets that are chosen; leaving out hidden rows changes neither. */
export function sheetsKept({ sheet }: Job, reading: ImportReading): ImportReading {
  if (reading.leaveHidden !== undefined && Object.keys(reading).length === 1) return reading
  const chosen = (sheet?.sheets ?? []).filter((each) => each.chosen).map(({ name }) => name)
  return chosen.length === 0 ? reading : { sheets: chosen, ...reading }
}
/** Writes the reviewed rows. */
export function buildWriteRequest({ id, dryRun }: Job, confirm: boolean): ResumeRequest {
  return {
    id,
    choices: dryRun ? { dryRun: false } : {},
    mapping: null,
    fixed: null,
    reading: null,
    mend: null,
    pauseAt: 'none',
    confirm,
  }
}

/** The body of the request that corrects a cell. */
export function mendBody({ equal, ...cell }: MendRequest) {
  return { cells: [cell], equal }
}

/** Corrects a cell. */
export function mendCell({ id }: Job, mend: MendRequest): ResumeRequest {
  return {
    id,
    choices: {},
    mapping: null,
    fixed: null,
    reading: null,
    mend,
    pauseAt: null,
    confirm: false,
  }
}

/** Rows that should be new and have records already, and the choices that change these instead. */
export interface Existing {
  /** Label of the unique field that tells them. */
  readonly field: string
  readonly choices: Pick<ImportChoices, 'mode' | 'key'>
  /** False: no row was checked, but columns lack that new records need. */
  readonly isFound: boolean
}
/** Only changes where every row has a record, as far as it is known; else changes and adds. */
export function existingIn(
  { mode, errors, review: { fresh } }: Pick<Job, 'mode' | 'errors' | 'review'>,
  fields: readonly ImportField[],
  modes: readonly ImportMode[] = ['update', 'upsert'],
): Existing | null {
  if (mode !== 'insert') return null
  const found = errors.find(
    ({ rule, attrName }) =>
      rule === 'unique' && fields.some((field) => field.unique && field.attrName === attrName),
  )
  const field = fields.find(({ attrName }) => attrName === found?.attrName)
  const rowsOf = (some: Job['errors']) =>
    new Set(some.map(({ sheet, row }) => `${sheet} ${row}`)).size
  const isAll =
    fresh === 0 && rowsOf(errors) === rowsOf(errors.filter(({ rule }) => rule === 'unique'))
  const next = isAll || !modes.includes('upsert') ? 'update' : 'upsert'
  return field === undefined || !modes.includes(next)
    ? null
    : { field: field.label, choices: { mode: next, key: field.attrName }, isFound: true }
}

/** The same before rows are checked: a sheet with a key that lacks columns which new records need. */
export function findExistingMode(
  { mode, phase }: Pick<Job, 'mode' | 'phase'>,
  fields: readonly ImportField[],
  assigned: readonly (string | null)[],
  modes: readonly ImportMode[] = ['update', 'upsert'],
): Existing | null {
  if (mode !== 'insert' || phase !== 'mapping' || !modes.includes('update')) return null
  const lacks = fields.some(({ required, attrName }) => required && !assigned.includes(attrName))
  const key = fields.find(({ unique, attrName }) => unique && assigned.includes(attrName))
  return lacks && key !== undefined
    ? { field: key.label, choices: { mode: 'update', key: key.attrName }, isFound: false }
    : null
}
