import {
  emptyMeanings,
  type ImportReading,
  type Job,
  onErrorChoices,
  rowVerdicts,
  textEncodings,
} from '@jiaowu/api/contract/job'
import { exportFormats } from '@jiaowu/api/contract/entity/entity-data'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { TextKey } from '@jiaowu/api/texts/index'
import type { TransferInput } from '@jiaowu/machines/transfer/context'
import { type TransferStep, transferView } from '@jiaowu/machines/transfer/view'
import * as v from 'valibot'
import { replaceSamples } from '../../surfaces/samples.ts'
import { joinTexts, sentence, zh } from '../../surfaces/sentences.ts'
import type { Asked } from '../../surfaces/web/http/held-fetch.ts'
import type { Hidden, Shown } from '../../surfaces/web/table.ts'
import { listConfig } from '../entity-list/samples.ts'
import type { Spec } from '../spec.ts'
import { isReadable, listMissing } from './samples.ts'

// The texts that the import and export drawers must show, by the machine's view.

export type View = Shown<typeof transferView>
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

/** A control with `*` where it is chosen and `!` where it is disabled. */
export function markControl(name: string, isChosen: boolean, isLocked: boolean): string {
  return `${name}${isChosen ? '*' : ''}${isLocked ? '!' : ''}`
}

/** An import is at one of these steps. */
export const on =
  (...steps: readonly TransferStep[]) =>
  ({ kind, step }: View) =>
    kind === 'import' && steps.includes(step)
/** An export is at one of these steps. */
export const exporting =
  (...steps: readonly TransferStep[]) =>
  ({ kind, step }: View) =>
    kind === 'export' && steps.includes(step)
export const isEdited = ({ review }: View) => review?.edited === true
/** It is over, or stopped. */
export const isEnd = on('paused', 'done', 'failed', 'unopened')
export const isReview = (view: View) =>
  on('reviewing', 'confirming')(view) ||
  (on('sending')(view) && view.job?.status !== 'failed' && view.job?.phase !== 'writing')
export const isMapping = ({ job }: View) => job?.phase === 'mapping'
/** The rows of the review could not be loaded. */
export const rowsFailed = ({ review }: View) => review?.rows.state === 'failed'
export const showsChoices = (view: View) => on('choosing')(view) || isReview(view)
/** The choices that only count where records are updated. */
export const showsKey = (view: View) => showsChoices(view) && view.choices.mode !== 'insert'
export const showsRows = (view: View) => isReview(view) && !isMapping(view) && !rowsFailed(view)
export const needsCheck = (view: View) => isReview(view) && (isEdited(view) || isMapping(view))
const listPreviewRows = ({ review }: View) => review?.file.preview ?? []
export const jobsShown = (view: View) =>
  on('choosing')(view) && view.history.state !== 'failed' ? view.history.jobs : []
const showsAll = (view: View) => isEnd(view) && view.job?.can.result === true
/** The button that saves the wrong rows is shown. */
const showsWrong = (view: View) =>
  view.job?.can.result === true &&
  (isReview(view)
    ? view.job.review.wrong > 0 && !isEdited(view)
    : isEnd(view) && view.job.failed > 0)

/** Events that the drawer has no control for at a step. */
export const hidden: Hidden<typeof transferView> = {
  'job.open': (view) => jobsShown(view).length === 0,
  'template.save': (view) => !on('choosing')(view),
  'result.save': (view, { only }) => !(only === 'all' ? showsAll(view) : showsWrong(view)),
  'choices.change': ({ choicesKnown, choices: { mode } }, { choices }) =>
    !choicesKnown || (('key' in choices || 'empty' in choices) && mode === 'insert'),
  'reading.change': ({ job }, { reading }) => job === null || !canRead(job, reading),
  'job.check': (view) => !isEdited(view) && !isMapping(view),
  'fixed.set': ({ review }) => (review?.fixed ?? []).every(({ attrName }) => attrName !== 'a'),
  'transfer.restart': (view) => on('reviewing')(view) && view.job?.can.cancel === true,
  'transfer.retry': (view) => on('failed')(view) && view.problem === null,
}

/** Each choice is made in one concern: all of them in all would be hundreds of states that differ only in data. */
export function adaptWebTransfer(spec: Spec<unknown>): Partial<Spec<unknown>> {
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
    events: replaceSamples(spec.events, samples),
    outcomes: {
      ...spec.outcomes,
      exportSheet: {
        ...spec.outcomes.exportSheet,
        saved: { ok: true, output: { bytes: sheetBytes, rows: sheetRows } },
      },
    },
  }
}

export function findTransferStation(view: View): string {
  if (view.kind === 'export') return ''
  const stations = ['choose', 'check', 'write', 'done'] as const
  const at = on('choosing', 'uploading', 'opening', 'unopened')(view)
    ? 0
    : on('done', 'failed')(view)
      ? 3
      : on('running')(view) || view.job?.phase === 'writing'
        ? 2
        : 1
  return `${at + 1}${zh(`import.step.${stations[at]}`)}`
}

export function formatFileCard({ file }: View): string {
  return file === null
    ? `${zh('import.drop')} ${zh('import.choose')}${zh('import.limits', { mb: 20 })}`
    : `${file.name}${file.size} B${zh('import.dropFile')}`
}

export function formatAlerts(view: View): string {
  const { sheet, fault, problem } = view
  if (exporting('choosing')(view)) return sheet.columns?.length === 0 ? zh('export.noColumns') : ''
  if (on('choosing')(view)) return sentence(fault ?? problem?.message)
  return isReview(view) && !rowsFailed(view) ? sentence(problem?.message) : ''
}

/** The heading over what is under way, or over how it ended. */
export function formatTransferTitle(view: View): string {
  const { kind, step, problem, file, job } = view
  if (step === 'choosing' || isReview(view)) return ''
  if (kind === 'export')
    return step === 'failed'
      ? sentence(problem?.message)
      : zh(step === 'running' ? 'export.running' : 'export.done')
  if (step === 'uploading') return zh('import.uploading', { name: file?.name ?? '' })
  if (step === 'failed' || step === 'unopened')
    return zh(job?.status === 'cancelled' ? 'import.cancelled' : 'import.failed')
  if (step === 'done' && job !== null && job.failed > 0)
    return zh('import.partly', { n: job.inserted + job.updated, failed: job.failed })
  return zh(`import.${step}` as TextKey)
}

export function formatProgress(view: View): string {
  const { received, upload, job, lost, step, problem } = view
  if (exporting('running', 'done')(view))
    return received.rows === null
      ? zh('export.received', { size: '0 B' })
      : zh('export.receivedOf', { size: `${received.bytes / 1024} KB`, rows: received.rows })
  if (upload !== null)
    return `${zh('import.sent', { sent: `${upload.sent} B`, size: '1000 B' })}${upload.sent / 10}%`
  if (on('checking', 'running')(view) && job !== null)
    return joinTexts(
      `${zh('import.rows', { done: job.done, total: job.total })}${Math.floor((job.done / job.total) * 100)}%`,
      zh(lost ? 'import.lost' : 'import.closeHint'),
    )
  if (!isEnd(view)) return ''
  return joinTexts(
    problem === null ? job?.message : sentence(problem.message),
    step === 'paused' && zh('import.pausedHint'),
  )
}

export function jobText({ fileName, createTime, done, total, status, phase }: Job): string {
  const isForReview = status === 'paused' && (phase === 'review' || phase === 'mapping')
  const isOver = status === 'done' || status === 'failed' || status === 'cancelled'
  return [
    fileName,
    createTime.slice(0, 16),
    ` · ${zh('import.rows', { done, total })}`,
    zh(`import.status.${isForReview ? 'review' : status}`),
    zh(isOver ? 'import.openJob' : 'import.goOn'),
  ].join('')
}

type ChoiceName = 'mode' | 'key' | 'onError' | 'empty'
function choiceNames(view: View): ChoiceName[] {
  if (!showsChoices(view)) return []
  return showsKey(view) ? ['mode', 'key', 'onError', 'empty'] : ['mode', 'onError']
}

export function formatImportChoices(view: View): string {
  const isLocked = on('choosing')(view) ? !view.choicesKnown : view.step !== 'reviewing'
  return choiceNames(view)
    .filter((name) => name !== 'mode' || isReview(view))
    .map((name) => markControl(view.choices[name] ?? '', false, isLocked))
    .join()
}

/** The cards of the modes, or of the formats of an export. */
export function formatModeCards(view: View): string {
  if (exporting('choosing')(view))
    return exportFormats
      .map((each) =>
        markControl(`${each}${zh(`export.${each}`)}`, view.sheet.format === each, false),
      )
      .join()
  if (!on('choosing')(view)) return ''
  return modes
    .map((mode) => {
      const name = `${zh(`import.mode.${mode}`)}${zh(`import.mode.${mode}.hint`)}`
      return markControl(name, view.choices.mode === mode, !view.choicesKnown)
    })
    .join()
}

export function formatKeyOptions(view: View): string {
  const key = view.choices.key ?? ''
  const uniques = on('choosing')(view)
    ? [{ attrName: 'a', label: 'a' }]
    : (view.review?.fields ?? []).filter(({ unique }) => unique)
  const isKnown = key === '' || uniques.some(({ attrName }) => attrName === key)
  const options = {
    mode: isReview(view) ? modes.map((mode) => zh(`import.mode.${mode}`)) : [],
    key: [zh('import.key.id'), ...uniques.map(({ label }) => label), ...(isKnown ? [] : [key])],
    onError: onErrorChoices.map((each) => zh(`import.onError.${each}`)),
    empty: emptyMeanings.map((each) => zh(`import.empty.${each}`)),
  }
  return choiceNames(view)
    .flatMap((name) => options[name])
    .join()
}

/** Lists the obstacles to writing, or the effects of it. */
export function listReviewWords(view: View) {
  const { job } = view
  if (job === null) return []
  const { wrong, fresh, changed } = job.review
  const missing = listMissing(job, view.c.mapping, view.c.fixed)
  return [
    isMapping(view) && job.message,
    missing.length > 0 && zh('import.missing', { fields: missing.join('、') }),
    wrong > 0 &&
      !isEdited(view) &&
      zh(job.onError === 'skip' ? 'import.wrongSkip' : 'import.wrongAbort', { n: wrong }),
    !isMapping(view) && fresh + changed + wrong === 0 && zh('import.nothing'),
  ]
}

export function listReviewTabs(view: View) {
  return [
    !isMapping(view) && zh('import.tab.rows'),
    zh('import.tab.mapping') + (isEdited(view) ? zh('import.by.changed') : ''),
    listPreviewRows(view).length > 0 && zh('import.tab.file'),
  ]
}

export function listVerdictTabs({ job, review, step }: View) {
  return rowVerdicts.map((verdict) => {
    const name = `${job?.review[verdict]}${zh(`import.verdict.${verdict}`)}`
    return markControl(name, review?.rows.verdict === verdict, step !== 'reviewing')
  })
}

export function listReviewRows({ job, review }: View) {
  const { verdict, records = [] } = review?.rows ?? {}
  return records.flatMap(({ row, name, errors }) =>
    verdict === 'wrong'
      ? errors.map(({ row: n, column, value, msg, suggestions }) =>
          [n, column, value, msg, ...(job?.can.mend === true ? suggestions : [])].join(''),
        )
      : [`${row}${name}`],
  )
}

export function formatMapping({ job, review, step }: View): string {
  const isLocked = step !== 'reviewing'
  return (review?.columns ?? [])
    .flatMap(({ attrName, empty }) => [
      markControl(attrName ?? '', false, isLocked),
      ...(job?.mode === 'insert' ? [] : [markControl(empty, false, isLocked || attrName === null)]),
    ])
    .join()
}

export function listMappingRows({ job, review }: View) {
  const targetsOf = (own: number) =>
    [
      zh('import.skipColumn'),
      ...(review?.fields ?? []).map(({ label, required }) =>
        required ? zh('import.required', { label }) : label,
      ),
      ...(review?.columns ?? []).flatMap(({ column, attrName, header }) =>
        attrName === null || column === own ? [] : [zh('import.joinTo', { column: header })],
      ),
      ...(job?.mode === 'insert' ? [] : emptyMeanings.map((each) => zh(`import.empty.${each}`))),
    ].join('')
  return (review?.columns ?? []).map(({ column, letter, header, samples, changed, by }) => {
    const how = zh(`import.by.${changed ? 'changed' : (by ?? 'none')}` as TextKey)
    return `${letter}${header}${samples.join('、')}${targetsOf(column)}${how}`
  })
}

export function formatSheetLine(view: View): string {
  const { job } = view
  if (job === null || !(isReview(view) || isEnd(view))) return ''
  return job.total === 0
    ? job.fileName
    : zh('import.sheetLine', { file: job.fileName, total: job.total })
}

export function listLoadingTexts(view: View) {
  const { job, saving, step } = view
  return [
    saving === 'template' && on('choosing')(view) && zh('import.template'),
    saving === 'result' && showsAll(view) && zh('import.saveAll'),
    saving === 'result' && showsWrong(view) && zh('import.saveWrong'),
    step === 'sending' &&
      isReview(view) &&
      job !== null &&
      (needsCheck(view)
        ? zh('import.check')
        : zh('import.run', { n: job.review.fresh + job.review.changed })),
  ]
}

/** Other bytes come first: the heading is that of the text as it was decoded. */
function canRead(job: Job, reading: ImportReading): boolean {
  const isBroken = job.sheet?.encoding?.isBroken === true
  return isReadable(job, reading) && !(isBroken && reading.heading !== undefined)
}

/** The panel that moves the heading: its choices, their labels, its button; `×` at disabled choices. */
export function formatReadingPanel(view: View): string {
  const rows = listPreviewRows(view).map(({ row }) => row)
  if (rows.length === 0) return ''
  const { sheets = [], encoding } = view.job?.sheet ?? {}
  const without = zh('import.noHeading')
  const mark = on('reviewing')(view) && encoding?.isBroken !== true ? '' : '×'
  const found = zh(`import.encoding.${encoding?.name ?? 'utf-8'}`)
  const decodings = textEncodings.map((name) =>
    name === encoding?.name
      ? zh('import.encodingGuess', { name: found })
      : zh(`import.encoding.${name}`),
  )
  const names = sheets.map(
    ({ name, alike, fits }) =>
      `${name} ${alike ? zh('import.sheetAlike') : zh('import.sheetFits', { n: fits })}`,
  )
  return [
    [...rows.map((row) => zh('import.headingRow', { row })), without].map((name) => name + mark),
    [...rows, without],
    names,
    encoding === undefined ? [] : decodings,
    [zh('import.readAgain')],
  ]
    .map((part) => part.join())
    .join(' ')
}

/** Builds the input of a correction from its request. */
export function mendInput({ body: { cells, equal } }: Pick<Asked, 'body'>, id: string) {
  const [cell] = cells as readonly object[]
  return {
    id,
    choices: {},
    mapping: null,
    fixed: null,
    reading: null,
    mend: { ...cell, equal },
    pauseAt: null,
    confirm: false,
  }
}

export function uploadInput({ body }: Asked) {
  const { name, size } = body.file as File
  const { format, mode, key = null, onError, empty, dryRun, pauseAt } = body
  const { mapping = null, fixed = null, reading = null } = body
  return {
    tag: 'A',
    file: { key: name, name, size },
    format,
    choices: { mode, key, onError, empty, dryRun: dryRun === 'true' },
    mapping,
    fixed,
    reading,
    pauseAt,
  }
}
