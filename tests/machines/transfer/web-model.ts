import {
  emptyMeanings,
  exportFormats,
  fieldDefinitionSchema,
  type ImportReading,
  type Job,
  onErrorChoices,
  rowVerdicts,
  type TextKey,
  textEncodings,
} from '@jiaowu/api'
import type { TransferEvent, TransferInput, transferMachine } from '@jiaowu/machines'
import type { Spec } from '../spec.ts'
import * as v from 'valibot'
import type { SnapshotFrom } from 'xstate'
import { isReadable } from './samples.ts'
import type { Asked } from '../../surfaces/web/http/held-fetch.ts'
import { sentence, zh } from '../../surfaces/web/dom/sentences.ts'
import { listConfig } from '../entity-list/samples.ts'

// What the import and export drawers must show, derived from the machine's state.

export type Snapshot = SnapshotFrom<typeof transferMachine>
type Context = Snapshot['context']
export interface View {
  readonly s: Snapshot
  readonly c: Context
  readonly job: Job | null
  /** The state, such as `choosing`; of an export `sheet`, `receiving`, `done` or `failed`. */
  readonly step: string
  readonly isExport: boolean
  readonly isReview: boolean
  /** It is over, or stopped. */
  readonly isEnd: boolean
  readonly isEdited: boolean
  readonly rowsFailed: boolean
}
export const modes = ['insert', 'update', 'upsert'] as const
export const names = ['a', 'b']
export const config = {
  ...listConfig('none'),
  fields: names.map((attrName) => ({
    ...v.parse(fieldDefinitionSchema, { id: attrName, attrName, uiLabel: attrName, isExport: 1 }),
    sortable: true,
    unique: attrName === 'a',
  })),
}
export const query = { queries: { a: 'x' }, sorts: [] }
const starts = {
  fresh: () => ({ tag: 'A', kind: 'import', modes, job: null }),
  job: () => ({ tag: 'A', kind: 'import', modes, job: 'j' }),
  sheet: () => ({ tag: 'A', kind: 'export', sheet: { query, format: 'xlsx', columns: null } }),
} as const satisfies Record<string, () => TransferInput>
/** An exported sheet is this long in all, and its reply announces so many rows. */
export const sheetBytes = 4096
export const sheetRows = 40

/** Marks a control that is disabled. */
export const lock = (isLocked: boolean) => (isLocked ? '!' : '')
export const isOn = (view: View, ...steps: readonly string[]) =>
  !view.isExport && steps.includes(view.step)
export const on =
  (...steps: readonly string[]) =>
  (view: View) =>
    isOn(view, ...steps)

/** Each choice is made in one concern: all of them in all would be hundreds of states that differ only in data. */
export function adapt(spec: Spec<unknown>): Partial<Spec<unknown>> {
  const wanted = Object.keys(spec.input).filter((name) => name in starts) as (keyof typeof starts)[]
  const has = (type: string) => Object.keys(spec.events[type] ?? {}).length > 0
  const choices = has('job.check')
    ? {
        upsert: { choices: { mode: 'upsert' } },
        skip: { choices: { onError: 'skip' } },
        abort: { choices: { onError: 'abort' } },
        key: { choices: { key: 'no' } },
        empty: { choices: { empty: 'clear' } },
      }
    : has('upload.start')
      ? { upsert: { choices: { mode: 'upsert' } } }
      : { empty: { choices: { empty: 'keep' } }, key: { choices: { key: 'a' } } }
  const assignment = (attrName: string | null) => ({
    assignment: { column: 2, attrName, empty: 'keep' },
  })
  const samples = {
    'choices.change': choices,
    'rows.show': Object.fromEntries(rowVerdicts.map((verdict) => [verdict, { verdict }])),
    'result.save': {
      wrong: { format: 'xlsx', only: 'wrong' },
      all: { format: 'xlsx', only: 'all' },
    },
    'column.assign': { name: assignment('name'), no: assignment('no'), back: assignment(null) },
    'sheet.change': {
      csv: { format: 'csv' },
      none: { columns: [] },
      all: { columns: ['a', 'b'] },
    },
    'export.progress': { some: { bytes: 2048, rows: sheetRows } },
  }
  return {
    input: Object.fromEntries(
      (wanted.length === 0 ? (['fresh'] as const) : wanted).map((name) => [name, starts[name]]),
    ),
    events: {
      ...spec.events,
      ...Object.fromEntries(Object.entries(samples).filter(([type]) => has(type))),
    },
    outcomes: {
      ...spec.outcomes,
      exportSheet: {
        ...spec.outcomes.exportSheet,
        saved: { ok: true, output: { bytes: sheetBytes, rows: sheetRows } },
      },
    },
  }
}

export function viewOf(s: Snapshot): View {
  const c = s.context
  const { job } = c
  const { transfer } = s.value as { transfer: string | Readonly<Record<string, unknown>> }
  const [state = ''] = typeof transfer === 'string' ? [transfer] : Object.keys(transfer)
  const isExport = state === 'exporting'
  const inner = isExport ? String(Object.values(transfer)[0]) : state
  const step = isExport
    ? (({ choosing: 'sheet', running: 'receiving' } as Record<string, string>)[inner] ?? inner)
    : inner
  const isReview =
    step === 'reviewing' ||
    step === 'confirming' ||
    (step === 'sending' && job?.status !== 'failed' && job?.phase !== 'writing')
  return {
    s,
    c,
    job,
    step,
    isExport,
    isReview,
    isEnd: !isExport && ['paused', 'done', 'failed', 'unopened'].includes(step),
    isEdited: (job?.sheet?.columns ?? []).some((column) => hasChanged(c, column)),
    rowsFailed: s.matches({ transfer: { reviewing: { rows: 'failed' } } }),
  }
}

function hasChanged(
  { mapping }: Context,
  column: NonNullable<Job['sheet']>['columns'][number],
): boolean {
  const now = mapping.find((each) => each.column === column.column)
  return now !== undefined && (now.attrName !== column.attrName || now.empty !== column.empty)
}

export function is({ s }: View, state: object): boolean {
  return s.matches({ transfer: state } as never)
}

export function stationOf({ step, job }: View): number {
  if (['choosing', 'uploading', 'opening', 'unopened'].includes(step)) return 0
  if (step === 'done' || step === 'failed') return 3
  return step === 'running' || job?.phase === 'writing' ? 2 : 1
}

export function alertsOf({ c, step, isExport, isReview, rowsFailed }: View): string {
  if (step === 'sheet') return c.sheet.columns?.length === 0 ? zh('export.noColumns') : ''
  if (!isExport && step === 'choosing') return sentence(c.fault ?? c.problem?.message)
  return isReview && !rowsFailed ? sentence(c.problem?.message) : ''
}

/** The heading over what is under way, or over how it ended. */
export function titleOf({ c, job, step, isExport, isReview }: View): string {
  if (isExport)
    return step === 'failed'
      ? sentence(c.problem?.message)
      : step === 'sheet'
        ? ''
        : zh(step === 'receiving' ? 'export.running' : 'export.done')
  if (isReview || step === 'choosing') return ''
  if (step === 'uploading') return zh('import.uploading', { name: c.file?.name ?? '' })
  if (step === 'failed' || step === 'unopened')
    return zh(job?.status === 'cancelled' ? 'import.cancelled' : 'import.failed')
  if (step === 'done' && job !== null && job.failed > 0)
    return zh('import.partly', { n: job.inserted + job.updated, failed: job.failed })
  return zh(`import.${step}` as TextKey)
}

export function progressOf(view: View): string {
  const { s, c, job, step, isExport, isEnd } = view
  if (isExport) {
    if (step !== 'receiving' && step !== 'done') return ''
    const { bytes, rows } = c.received
    return rows === null
      ? zh('export.received', { size: '0 B' })
      : zh('export.receivedOf', { size: `${bytes / 1024} KB`, rows })
  }
  if (step === 'uploading')
    return `${zh('import.sent', { sent: `${c.sent} B`, size: '1000 B' })}${c.sent / 10}%`
  if ((step === 'checking' || step === 'running') && job !== null)
    return [
      `${zh('import.rows', { done: job.done, total: job.total })}${Math.floor((job.done / job.total) * 100)}%`,
      zh(s.hasTag('lost') ? 'import.lost' : 'import.closeHint'),
    ].join()
  if (!isEnd) return ''
  const message = c.problem === null ? (job?.message ?? '') : sentence(c.problem.message)
  return [message, ...(step === 'paused' ? [zh('import.pausedHint')] : [])]
    .filter((each) => each !== '')
    .join()
}

export function jobsShown(view: View): readonly Job[] {
  return isOn(view, 'choosing') && !is(view, { choosing: 'forgotten' })
    ? (view.c.recalled?.jobs ?? [])
    : []
}

export function statusOf({ status, phase }: Job): string {
  const isForReview = status === 'paused' && (phase === 'review' || phase === 'mapping')
  return zh(`import.status.${isForReview ? 'review' : status}`)
}

export function isOver({ status }: Job): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled'
}

/** The choices remembered from last time are still being loaded. */
export function isUnknown(view: View): boolean {
  return is(view, { choosing: 'recalling' }) && view.c.recalled === null
}

export function showsChoices(view: View): boolean {
  return isOn(view, 'choosing') || view.isReview
}

type ChoiceName = 'mode' | 'key' | 'onError' | 'empty'
const usual = { mode: 'insert', key: '', onError: 'abort', empty: 'keep' } as const

export function choiceOf({ job, chosen, recalled }: Context, name: ChoiceName): string {
  return String(
    (job === null ? (chosen[name] ?? recalled?.remembered?.[name]) : job[name]) ?? usual[name],
  )
}

export function choiceNames(view: View): ChoiceName[] {
  if (!showsChoices(view)) return []
  return choiceOf(view.c, 'mode') === 'insert'
    ? ['mode', 'onError']
    : ['mode', 'key', 'onError', 'empty']
}

export function cardsOf(view: View): string {
  const { c, step } = view
  if (step === 'sheet')
    return exportFormats
      .map((each) => `${each}${zh(`export.${each}`)}${c.sheet.format === each ? '*' : ''}`)
      .join()
  if (!isOn(view, 'choosing')) return ''
  return modes
    .map(
      (mode) =>
        `${zh(`import.mode.${mode}`)}${zh(`import.mode.${mode}.hint`)}${choiceOf(c, 'mode') === mode ? '*' : ''}${lock(isUnknown(view))}`,
    )
    .join()
}

export function optionsOf(view: View): string {
  const { c, job } = view
  const key = choiceOf(c, 'key')
  const uniques = isOn(view, 'choosing')
    ? [{ attrName: 'a', label: 'a' }]
    : (job?.sheet?.fields ?? []).filter(({ unique }) => unique)
  const isKnown = key === '' || uniques.some(({ attrName }) => attrName === key)
  const options = {
    mode: view.isReview ? modes.map((mode) => zh(`import.mode.${mode}`)) : [],
    key: [zh('import.key.id'), ...uniques.map(({ label }) => label), ...(isKnown ? [] : [key])],
    onError: onErrorChoices.map((each) => zh(`import.onError.${each}`)),
    empty: emptyMeanings.map((each) => zh(`import.empty.${each}`)),
  }
  return choiceNames(view)
    .flatMap((name) => options[name])
    .join()
}

/** What stands in the way of writing, or what will happen. */
export function wordsOf({ c, job, isReview, isEdited }: View): string {
  if (!isReview || job === null) return ''
  const { wrong, fresh, changed } = job.review
  const isMapping = job.phase === 'mapping'
  return [
    isMapping ? (job.message ?? '') : '',
    job.mode !== 'update' && !c.mapping.some(({ attrName }) => attrName === 'no')
      ? zh('import.missing', { fields: '学号' })
      : '',
    wrong > 0 && !isEdited
      ? zh(job.onError === 'skip' ? 'import.wrongSkip' : 'import.wrongAbort', { n: wrong })
      : '',
    !isMapping && fresh + changed + wrong === 0 ? zh('import.nothing') : '',
  ]
    .filter((word) => word !== '')
    .join('|')
}

/** The columns to assign; one that an earlier result added is not. */
function columnsOf({ job, isReview }: View) {
  return isReview ? (job?.sheet?.columns ?? []).filter(({ by }) => by !== 'own') : []
}

export function mappingOf(view: View): string {
  const isLocked = view.step !== 'reviewing'
  return columnsOf(view)
    .flatMap(({ column }) => {
      const { attrName = null, empty = 'keep' } =
        view.c.mapping.find((each) => each.column === column) ?? {}
      return [
        (attrName ?? '') + lock(isLocked),
        ...(view.job?.mode === 'insert' ? [] : [empty + lock(isLocked || attrName === null)]),
      ]
    })
    .join()
}

export function mappingRowsOf(view: View): string {
  const targets = [
    zh('import.skipColumn'),
    ...(view.job?.sheet?.fields ?? []).map(({ label, required }) =>
      required ? zh('import.required', { label }) : label,
    ),
    ...(view.job?.mode === 'insert' ? [] : emptyMeanings.map((each) => zh(`import.empty.${each}`))),
  ].join('')
  return columnsOf(view)
    .map((column) => {
      const by = hasChanged(view.c, column) ? 'changed' : (column.by ?? 'none')
      const { letter, header, samples } = column
      return `${letter}${header}${samples.join('、')}${targets}${zh(`import.by.${by}` as TextKey)}`
    })
    .join()
}

export function loadingOf(view: View): string {
  const { c, job, step, isReview, isEdited } = view
  const result = c.saving?.what === 'result'
  return [
    ...(c.saving?.what === 'template' && isOn(view, 'choosing') ? [zh('import.template')] : []),
    ...(result && showsAll(view) ? [zh('import.saveAll')] : []),
    ...(result && showsWrong(view) ? [zh('import.saveWrong')] : []),
    ...(step === 'sending' && isReview && job !== null
      ? [
          isEdited || job.phase === 'mapping'
            ? zh('import.check')
            : zh('import.run', { n: job.review.fresh + job.review.changed }),
        ]
      : []),
  ].join()
}

/** The button that saves the wrong rows is shown. */
function showsWrong({ job, isReview, isEnd, isEdited }: View): boolean {
  return (
    job?.can.result === true &&
    (isReview ? job.review.wrong > 0 && !isEdited : isEnd && job.failed > 0)
  )
}

function showsAll({ job, isEnd }: View): boolean {
  return isEnd && job?.can.result === true
}

/** Choices that only count where records are updated. */
function isOfUpdates({ c }: View, choices: object): boolean {
  return ('key' in choices || 'empty' in choices) && choiceOf(c, 'mode') === 'insert'
}

export function hasPreview({ job }: View): boolean {
  return (job?.sheet?.preview ?? []).length > 0
}

/** Other bytes come first: the heading is that of the text as it was decoded. */
function canRead(job: Job, reading: ImportReading): boolean {
  const isBroken = job.sheet?.encoding?.isBroken === true
  return isReadable(job, reading) && !(isBroken && reading.heading !== undefined)
}

/** The panel that moves the heading: its choices, their labels, its button; `×` at disabled choices. */
export function readingOf(view: View): string {
  const { job, isReview } = view
  const rows = isReview ? (job?.sheet?.preview ?? []).map(({ row }) => row) : []
  const without = zh('import.noHeading')
  const { sheets = [], encoding } = job?.sheet ?? {}
  const isDecoded = encoding?.isBroken !== true
  const mark = isOn(view, 'reviewing') && isDecoded ? '' : '×'
  const found = zh(`import.encoding.${encoding?.name ?? 'utf-8'}`)
  const decodings = textEncodings.map((name) =>
    name === encoding?.name
      ? zh('import.encodingGuess', { name: found })
      : zh(`import.encoding.${name}`),
  )
  const choices = [...rows.map((row) => zh('import.headingRow', { row })), without]
  return rows.length === 0
    ? ''
    : [
        choices.map((name) => `${name}${mark}`).join(),
        [...rows, without].join(),
        sheets
          .map(
            ({ name, alike, fits }) =>
              `${name} ${alike ? zh('import.sheetAlike') : zh('import.sheetFits', { n: fits })}`,
          )
          .join(),
        encoding === undefined ? '' : decodings.join(),
        zh('import.readAgain'),
      ].join(' ')
}

/** What the drawer has no control for at a step. */
export function hidden(s: Snapshot, event: TransferEvent): boolean {
  const view = viewOf(s)
  switch (event.type) {
    case 'job.open':
      return jobsShown(view).length === 0
    case 'template.save':
      return !isOn(view, 'choosing')
    case 'result.save':
      return event.only === 'all' ? !showsAll(view) : !showsWrong(view)
    case 'choices.change':
      return isUnknown(view) || isOfUpdates(view, event.choices)
    case 'reading.change':
      return view.job === null || !canRead(view.job, event.reading)
    case 'job.check':
      return !view.isEdited && view.job?.phase !== 'mapping'
    case 'transfer.restart':
      return isOn(view, 'reviewing') && view.job?.can.cancel === true
    case 'transfer.retry':
      return isOn(view, 'failed') && view.c.problem === null
    default:
      return false
  }
}

/** What a correction asks, of its request. */
export function mendInput(
  { body: { cells, equal } }: { readonly body: Readonly<Record<string, unknown>> },
  id: string,
) {
  const [cell] = cells as readonly object[]
  const mend = { ...cell, equal }
  return {
    id,
    choices: {},
    mapping: null,
    reading: null,
    mend,
    pauseAt: null,
    confirm: false,
  }
}

export function uploadInput({ body }: Asked) {
  const { name, size } = body.file as File
  const { format, mode, key = null, onError, empty, dryRun, pauseAt } = body
  const { mapping = null, reading = null } = body
  return {
    tag: 'A',
    file: { key: name, name, size },
    format,
    choices: { mode, key, onError, empty, dryRun: dryRun === 'true' },
    mapping,
    reading,
    pauseAt,
  }
}
