import type { Job } from '@jiaowu/api/contract/job'
import type { TransferInput } from '@jiaowu/machines/transfer/context'
import { transferMachine } from '@jiaowu/machines/transfer/machine'
import type { SnapshotFrom } from 'xstate'
import { bare, modelSpec } from '../spec.ts'
import type { MachineModel } from '../machine-model.ts'
import { transferRules } from './rules.ts'
import {
  down,
  ended,
  gone,
  hugeFile,
  type JobName,
  jobs,
  offline,
  reviewRow,
  sheetFile,
} from './samples.ts'

/** The observation of an import or export, written apart from the machine's view. */
export interface TransferSeen {
  readonly at: string
  readonly file: string | null
  readonly fault: string | null
  readonly job: string | null
  readonly done: number
  readonly sent: number
  readonly mapping: string
  readonly rows: string
  readonly history: string
  readonly problem: number | null
  readonly saving: string | null
  readonly sheet: string
  readonly received: string
  readonly offers: string
}
const offered = [
  'upload.start',
  'file.drop',
  'job.check',
  'mapping.reset',
  'job.run',
  'run.confirm',
  'run.cancel',
  'job.resume',
  'job.cancel',
  'transfer.retry',
  'transfer.restart',
  'template.save',
  'export.start',
  'export.cancel',
] as const

const bothSheets: string[] = ['表', '二']

const events = {
  'file.choose': { sheet: { file: sheetFile }, huge: { file: hugeFile } },
  'file.drop': bare,
  'choices.change': { upsert: { choices: { mode: 'upsert' } } },
  'upload.start': bare,
  'upload.progress': { some: { sent: 600 } },
  'history.page': { second: { pageNum: 2 }, first: { pageNum: 1 } },
  'job.open': { j: { id: 'j' } },
  'column.assign': {
    name: { assignment: { column: 2, attrName: 'name', empty: 'keep' } },
    no: { assignment: { column: 2, attrName: 'no', empty: 'clear' } },
    back: { assignment: { column: 2, attrName: null, empty: 'keep' } },
  },
  'fixed.set': {
    seven: { attrName: 'a', value: '7' },
    none: { attrName: 'a', value: null },
  },
  'mapping.reset': bare,
  'job.check': bare,
  'reading.change': {
    second: { reading: { heading: 2 } },
    none: { reading: { heading: 0 } },
    big5: { reading: { encoding: 'big5' } },
    guessed: { reading: { encoding: 'gb18030' } },
    both: { reading: { sheets: bothSheets } },
  },
  'cell.mend': { name: { mend: { row: 2, attrName: 'name', value: '甲', equal: true } } },
  'rows.show': { fresh: { verdict: 'fresh' }, wrong: { verdict: 'wrong' } },
  'rows.page': { second: { pageNum: 2 }, first: { pageNum: 1 } },
  'job.run': bare,
  'run.confirm': bare,
  'run.cancel': bare,
  'job.resume': bare,
  'job.cancel': bare,
  'transfer.retry': bare,
  'transfer.restart': bare,
  'template.save': bare,
  'result.save': { wrong: { format: 'xlsx', only: 'wrong' } },
  'sheet.change': { csv: { format: 'csv' }, few: { columns: ['b', 'a'] }, none: { columns: [] } },
  'export.start': bare,
  'export.progress': { some: { bytes: 7, rows: 40 } },
  'export.cancel': bare,
} as const
type Events = typeof events

const starts = {
  fresh: () => ({
    tag: 'A',
    kind: 'import',
    modes: ['insert', 'update'],
    choices: { mode: 'upsert' },
  }),
  file: () => ({
    tag: 'A',
    kind: 'import',
    file: sheetFile,
    pauseAt: 'none',
    mapping: { 名字: 'name' },
  }),
  huge: () => ({ tag: 'A', kind: 'import', file: hugeFile }),
  job: () => ({ tag: 'A', kind: 'import', job: 'j' }),
  both: () => ({ tag: 'A', kind: 'import', job: 'j', file: sheetFile }),
  sheet: () => ({
    tag: 'A',
    kind: 'export',
    sheet: { query: { sorts: [], queries: { name: 'x' } }, format: 'xlsx', columns: null },
  }),
} as const satisfies Record<string, () => TransferInput>
const failures = {
  offline: { ok: false, error: offline },
  ended: { ok: false, error: ended },
} as const

interface Concern {
  readonly starts: readonly (keyof typeof starts)[]
  readonly events: readonly (keyof Events)[]
  readonly upload?: readonly JobName[]
  readonly read?: readonly JobName[]
  readonly resume?: readonly JobName[]
  readonly cancel?: readonly JobName[]
  /** The session ends, too, not the network alone. */
  readonly ends?: true
  readonly unhandled?: 'all' | readonly string[]
}

export const transferParts = {
  exporting: buildTransferConcern({
    starts: ['sheet'],
    events: [
      'sheet.change',
      'export.start',
      'export.progress',
      'export.cancel',
      'transfer.retry',
      'transfer.restart',
    ],
    unhandled: 'all',
  }),
  saving: buildTransferConcern({
    starts: ['job'],
    events: ['template.save', 'result.save', 'transfer.restart', 'job.open'],
    read: ['done', 'broken'],
  }),
  choosing: buildTransferConcern({
    starts: ['fresh', 'huge'],
    events: [
      'file.choose',
      'file.drop',
      'upload.start',
      'upload.progress',
      'job.cancel',
      'transfer.restart',
    ],
    upload: ['done'],
  }),
  recalling: buildTransferConcern({
    starts: ['fresh'],
    events: ['history.page', 'choices.change', 'transfer.retry'],
    unhandled: 'all',
  }),
  remembering: buildTransferConcern({
    starts: ['file'],
    events: ['history.page', 'choices.change', 'file.choose', 'upload.start', 'transfer.restart'],
    upload: ['done'],
  }),
  opening: buildTransferConcern({
    starts: ['fresh', 'both'],
    events: ['job.open', 'transfer.retry', 'transfer.restart', 'file.choose'],
    read: ['done', 'good'],
    ends: true,
  }),
  following: buildTransferConcern({
    starts: ['job', 'file'],
    events: ['job.cancel', 'transfer.retry', 'transfer.restart', 'job.open'],
    upload: ['checking', 'writing'],
    read: ['checking', 'writing', 'done', 'failed'],
    cancel: ['cancelled', 'cancelledLate'],
    ends: true,
  }),
  resuming: buildTransferConcern({
    starts: ['job'],
    events: ['job.resume', 'transfer.retry'],
    read: ['paused', 'pausedEarly', 'failed'],
    resume: ['writing', 'checking', 'paused'],
  }),
  giving: buildTransferConcern({
    starts: ['job'],
    events: ['job.cancel', 'job.resume', 'transfer.restart', 'job.open'],
    read: ['paused', 'good', 'broken', 'stubborn', 'stubbornCheck', 'stuck'],
    cancel: ['cancelled', 'cancelledLate'],
    unhandled: 'all',
  }),
  mapping: buildTransferConcern({
    starts: ['job'],
    events: ['column.assign', 'mapping.reset', 'job.check', 'job.run'],
    read: ['good'],
    resume: ['good', 'checking'],
  }),
  unmapped: buildTransferConcern({
    starts: ['job'],
    events: ['column.assign', 'job.check', 'rows.show'],
    read: ['unmapped'],
    resume: ['unmapped'],
    unhandled: 'all',
  }),
  fixing: buildTransferConcern({
    starts: ['job'],
    events: ['fixed.set', 'mapping.reset', 'job.check'],
    read: ['rostered'],
    resume: ['rostered', 'good'],
  }),
  rechecking: buildTransferConcern({
    starts: ['job'],
    events: ['choices.change', 'job.check', 'job.run'],
    read: ['wrong', 'looked', 'nothingNew'],
    resume: ['skipping', 'checking'],
    unhandled: ['job.run'],
  }),
  mending: buildTransferConcern({
    starts: ['job'],
    events: ['cell.mend', 'reading.change'],
    read: ['mendable'],
    resume: ['mendable', 'good'],
  }),
  reading: buildTransferConcern({
    starts: ['job'],
    events: ['reading.change'],
    read: ['book', 'text', 'unreadable'],
    resume: ['text', 'book'],
  }),
  running: buildTransferConcern({
    starts: ['job'],
    events: ['job.run', 'run.confirm', 'run.cancel'],
    read: ['good', 'skipping', 'own', 'looked'],
  }),
  rows: buildTransferConcern({
    starts: ['job'],
    events: ['rows.show', 'rows.page', 'transfer.retry'],
    read: ['wrong'],
    unhandled: ['rows.page'],
  }),
} as const

type TransferSnapshot = SnapshotFrom<typeof transferMachine>

/**
 * A model of one concern of the transfer. One model of all of them has thousands of states that
 * differ only in data.
 */
function buildTransferConcern(only: Concern) {
  return modelSpec({
    machine: transferMachine,
    input: Object.fromEntries(only.starts.map((name) => [name, starts[name]])) as Record<
      string,
      () => TransferInput
    >,
    events: Object.fromEntries(
      Object.entries(events).map(([type, cases]) => [
        type,
        only.events.includes(type as keyof Events) ? cases : {},
      ]),
    ) as unknown as Events,
    eventsIn: () => ({}),
    outcomes: {
      recall: only.events.includes('history.page')
        ? {
            two: {
              ok: true,
              output: {
                jobs: [jobs.good],
                total: 7,
                remembered: {
                  mode: 'update',
                  key: 'no',
                  onError: 'skip',
                  empty: 'clear',
                  columns: [],
                },
              },
            },
            down: { ok: false, error: down },
          }
        : { few: { ok: true, output: { jobs: [jobs.good], total: 1, remembered: null } } },
      upload: {
        ...answers(only.upload ?? ['good']),
        ...(only.ends === true ? failures : { offline: failures.offline }),
      },
      readJob: {
        ...answers(only.read ?? ['good']),
        ...(only.events.includes('transfer.retry')
          ? {
              gone: { ok: false, error: gone },
              ...(only.ends === true ? { ended: failures.ended } : { offline: failures.offline }),
            }
          : {}),
      },
      resumeJob: { ...answers(only.resume ?? ['writing']), refused: { ok: false, error: down } },
      cancelJob: { ...answers(only.cancel ?? ['cancelled']), refused: { ok: false, error: down } },
      loadRows: {
        many: { ok: true, output: { records: [reviewRow(2, 'wrong')], total: 33 } },
        ...(only.events.includes('rows.show') ? { down: { ok: false, error: down } as const } : {}),
      },
      saveFile: { saved: { ok: true, output: undefined }, refused: { ok: false, error: down } },
      exportSheet: {
        saved: { ok: true, output: { bytes: 99, rows: 40 } },
        refused: { ok: false, error: down },
      },
    },
    unhandled: only.unhandled ?? [],
    key: buildTransferKey,
    project,
  })
}

function buildTransferKey(s: TransferSnapshot): string {
  const c = s.context
  return JSON.stringify([
    s.value,
    c.file?.key ?? null,
    c.fault?.key ?? null,
    c.chosen,
    c.recalled?.total ?? null,
    c.recallPage,
    c.sent,
    c.id,
    c.job?.message ?? null,
    c.mapping,
    c.fixed,
    s.matches({ transfer: 'sending' }) ? c.request : null,
    c.verdict,
    c.rowsPage,
    c.rows?.total ?? null,
    c.problem?.code ?? null,
    c.saving?.what ?? null,
    c.sheet.format,
    c.sheet.columns,
    c.received.bytes,
  ])
}

function project(s: TransferSnapshot): TransferSeen {
  const c = s.context
  return {
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    file: c.file?.name ?? null,
    fault: c.fault?.key ?? null,
    job: c.job?.message ?? null,
    done: c.job?.done ?? 0,
    sent: c.sent,
    mapping: JSON.stringify([c.mapping, c.fixed]),
    rows: JSON.stringify([c.verdict, c.rowsPage, c.rows?.records.map(({ row }) => row) ?? null]),
    history: JSON.stringify([c.recallPage, c.recalled?.total ?? null]),
    problem: c.problem?.code ?? null,
    saving: c.saving === null ? null : JSON.stringify(c.saving),
    sheet: JSON.stringify(c.sheet),
    received: JSON.stringify(c.received),
    offers: [
      ...offered.filter((type) => s.can({ type })),
      ...(s.can({ type: 'cell.mend', ...events['cell.mend'].name }) ? ['cell.mend'] : []),
      ...(s.can({ type: 'result.save', format: 'csv', only: 'all' }) ? ['result.save'] : []),
    ].join(),
  }
}

function answers<N extends JobName>(names: readonly N[]) {
  return Object.fromEntries(
    names.map((name) => [name, { ok: true, output: jobs[name] }]),
  ) as Record<N, { ok: true; output: Job }>
}

export const transferModels: MachineModel<TransferSeen> = {
  parts: transferParts,
  rules: transferRules,
  survivors: {
    'transfer.transfer.beginning always[0] and [1] swapped': 'an export has no job',
    'transfer.transfer.routing always[1] and [2] swapped':
      'a job under way is not for review: never both',
    'transfer.transfer.routing always[3] and [4] swapped': 'paused and done: never both',
    'transfer.transfer.returning always[1] and [2] swapped':
      'a job under way is not for review: never both',
  },
}
