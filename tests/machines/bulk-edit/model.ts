import type { BulkJob } from '@jiaowu/api/contract/entity/bulk'
import { type BulkEditInput, bulkEditMachine } from '@jiaowu/machines/bulk-edit/machine'
import { bare, modelSpec } from '../spec.ts'
import { bulkEditRules } from './rules.ts'
import { type BulkJobName, bulkJobs } from './samples.ts'
import type { MachineModel } from '../machine-model.ts'
import { offline as unreachable } from '../transfer/samples.ts'
import { answerFailure } from '../problems.ts'

/** The observation of a change of many rows, written apart from the machine's view. */
export interface BulkEditSeen {
  readonly at: string
  readonly set: string
  readonly job: string | null
  readonly done: number
  readonly onError: string
  readonly typed: string
  readonly problem: number | null
  readonly saving: string | null
  readonly offers: string
}
const offered = [
  'preview.start',
  'preview.back',
  'apply.start',
  'apply.confirm',
  'apply.cancel',
  'job.cancel',
  'bulk.retry',
] as const

const events = {
  'field.add': { name: { attrName: 'name' }, no: { attrName: 'no' } },
  'field.remove': { name: { attrName: 'name' }, no: { attrName: 'no' } },
  'value.change': { name: { attrName: 'name', value: '新' }, no: { attrName: 'no', value: null } },
  'preview.start': bare,
  'preview.back': bare,
  'onError.change': { abort: { onError: 'abort' }, skip: { onError: 'skip' } },
  'apply.start': bare,
  'count.type': { right: { text: '2,000' }, wrong: { text: '20' } },
  'apply.confirm': bare,
  'apply.cancel': bare,
  'job.cancel': bare,
  'bulk.retry': bare,
  'result.save': {
    refused: { format: 'xlsx', only: 'refused' },
    all: { format: 'csv', only: 'all' },
  },
} as const
type Events = typeof events

const selection = { queries: { name: 'x' }, except: ['3'] } as const
export const bulkStarts = {
  change: () => ({ tag: 'A', action: 'update', selection }),
  remove: () => ({ tag: 'A', action: 'delete', selection: { ids: ['1', '2'] } }),
  job: () => ({ tag: 'A', action: 'update', selection, job: 'j' }),
  removal: () => ({ tag: 'A', action: 'delete', selection, job: 'j' }),
} as const satisfies Record<string, () => BulkEditInput>
const offline = { ok: false, error: unreachable } as const
const gone = answerFailure(404)
const refused = answerFailure(409)
const invalid = answerFailure(42200, {
  kind: 'invalid',
  issues: [{ path: 'name', rule: 'value', msg: '不对' }],
})

interface Concern {
  readonly starts: readonly (keyof typeof bulkStarts)[]
  readonly events: readonly (keyof Events)[]
  readonly read?: readonly BulkJobName[]
  readonly fails?: true
  readonly start?: readonly BulkJobName[]
  readonly apply?: readonly BulkJobName[]
  readonly unhandled?: 'all' | readonly string[]
}

export const bulkEditModels: MachineModel<BulkEditSeen> = {
  parts: {
    choosing: buildBulkConcern({
      starts: ['change'],
      events: ['field.add', 'field.remove', 'value.change', 'preview.start', 'preview.back'],
      read: ['good', 'done', 'broken'],
    }),
    reviewing: buildBulkConcern({
      starts: ['removal'],
      events: ['onError.change', 'apply.start', 'apply.cancel', 'preview.back'],
      read: ['good', 'wrong', 'nothing', 'huge'],
      apply: ['writing'],
      start: ['good'],
      unhandled: ['apply.start', 'onError.change'],
    }),
    confirming: buildBulkConcern({
      starts: ['removal'],
      events: ['preview.back', 'apply.start', 'count.type', 'apply.confirm', 'apply.cancel'],
      read: ['many', 'done'],
      apply: ['done'],
      unhandled: 'all',
    }),
    following: buildBulkConcern({
      starts: ['removal'],
      events: ['job.cancel', 'bulk.retry', 'preview.back'],
      read: ['queued', 'checking', 'writing', 'stubborn', 'done', 'broken'],
      fails: true,
      unhandled: ['job.cancel'],
    }),
    deleting: buildBulkConcern({
      starts: ['remove', 'removal'],
      events: ['apply.start', 'preview.back', 'job.cancel'],
      start: ['queued', 'good'],
      read: ['good', 'done', 'failed'],
      fails: true,
    }),
    saving: buildBulkConcern({
      starts: ['removal'],
      events: ['result.save', 'preview.back'],
      read: ['doneInPart', 'broken', 'writing'],
      unhandled: 'all',
    }),
  },
  rules: bulkEditRules,
  survivors: {
    'bulkEdit.change.routing always[0] and [1] swapped':
      'a job under way is not for review: never both',
    'bulkEdit.change.routing always[1] and [2] swapped':
      'a job that is done is not for review: never both',
  },
}

/** One concern at a time: all of them at once are states that differ only in data. */
function buildBulkConcern(
  only: Concern,
  answers = pickBulkAnswers(!only.starts.includes('change')),
) {
  return modelSpec({
    machine: bulkEditMachine,
    input: Object.fromEntries(only.starts.map((name) => [name, bulkStarts[name]])) as Record<
      string,
      () => BulkEditInput
    >,
    events: Object.fromEntries(
      Object.entries(events).map(([type, cases]) => [
        type,
        only.events.includes(type as keyof Events) ? cases : {},
      ]),
    ) as unknown as Events,
    eventsIn: () => ({}),
    outcomes: {
      startBulk: { ...answers(only.start ?? ['queued']), invalid, offline },
      readBulk: {
        ...answers(only.read ?? ['good']),
        ...(only.fails === true ? { offline, gone } : {}),
      },
      applyBulk: { ...answers(only.apply ?? ['writing']), refused },
      cancelBulk: { ...answers(['cancelled']), refused },
      saveBulk: { saved: { ok: true, output: undefined }, refused },
    },
    unhandled: only.unhandled ?? [],
    key: ({ value, context: c }) =>
      JSON.stringify([
        value,
        c.input.action,
        c.set,
        c.id,
        c.job?.message ?? null,
        c.onError,
        c.typed,
        c.problem?.code ?? null,
        c.saving,
      ]),
    project: (s): BulkEditSeen => {
      const c = s.context
      return {
        at: JSON.stringify(s.value) + [...s.tags].sort().join(),
        set: JSON.stringify(c.set),
        job: c.job?.message ?? null,
        done: c.job?.done ?? 0,
        onError: c.onError,
        typed: c.typed,
        problem: c.problem?.code ?? null,
        saving: c.saving === null ? null : JSON.stringify(c.saving),
        offers: [
          ...offered.filter((type) => s.can({ type })),
          ...(s.can({ type: 'onError.change', onError: 'abort' }) ? ['abort'] : []),
          ...(s.can({ type: 'result.save', format: 'csv', only: 'all' }) ? ['result.save'] : []),
        ].join(),
      }
    },
  })
}

function pickBulkAnswers(isDelete: boolean) {
  return <N extends BulkJobName>(names: readonly N[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        { ok: true, output: isDelete ? toDeletingJob(bulkJobs[name]) : bulkJobs[name] },
      ]),
    ) as Record<N, { ok: true; output: BulkJob }>
}

function toDeletingJob(job: BulkJob): BulkJob {
  return {
    ...job,
    action: 'delete',
    set: [],
    skipped: 0,
    rows: job.rows.map((row) => ({ ...row, cells: [] })),
  }
}
