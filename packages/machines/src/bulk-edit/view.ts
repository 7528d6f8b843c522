import type { BulkAction, BulkJob } from '@jiaowu/api/contract/entity/bulk'
import type { Locale } from '@jiaowu/api/locale'
import type { Message } from '@jiaowu/api/texts/index'
import type { OnError } from '@jiaowu/api/contract/job'
import type { Problem } from '@jiaowu/api/problem'
import type { Values } from '@jiaowu/api/entity/values'
import type { SnapshotFrom } from 'xstate'
import { type bulkEditMachine, mayTogether } from './machine.ts'

/**
 * `opening`: loading a job started earlier. `checking` and `running`: the server processes rows.
 */
export type BulkEditStep =
  | 'choosing'
  | 'sending'
  | 'opening'
  | 'checking'
  | 'reviewing'
  | 'confirming'
  | 'applying'
  | 'running'
  | 'cancelling'
  | 'done'
  | 'failed'
/** The bulk change as a surface shows it. */
export interface BulkEditView {
  readonly step: BulkEditStep
  readonly action: BulkAction
  readonly set: Values
  /** Errors of single values, by attrName. */
  readonly faults: Readonly<Record<string, string | Message>>
  readonly job: BulkJob | null
  /** 0 to 100, whole; null while unknown. */
  readonly percent: number | null
  /** The server does not answer at the moment; the job continues. */
  readonly lost: boolean
  readonly onError: OnError
  readonly typed: string
  readonly problem: Problem | null
  readonly saving: 'all' | 'refused' | null
  readonly can: {
    readonly preview: boolean
    readonly apply: boolean
    readonly confirm: boolean
    readonly back: boolean
    readonly cancel: boolean
    readonly retry: boolean
    readonly together: boolean
    readonly result: boolean
  }
}

type Snapshot = SnapshotFrom<typeof bulkEditMachine>
const steps = [
  'choosing',
  'sending',
  'reviewing',
  'confirming',
  'applying',
  'cancelling',
  'done',
] as const

export function bulkEditView(s: Snapshot): BulkEditView {
  const { input, set, job, onError, typed, problem, saving } = s.context
  return {
    step: resolveBulkEditStep(s),
    action: input.action,
    set,
    faults: Object.fromEntries((problem?.issues ?? []).map(({ path, msg }) => [path, msg])),
    job,
    percent: job === null || job.total === 0 ? null : Math.floor((job.done / job.total) * 100),
    lost: s.hasTag('lost'),
    onError,
    typed,
    problem,
    saving: saving?.only ?? null,
    can: {
      preview: s.can({ type: 'preview.start' }),
      apply: s.can({ type: 'apply.start' }),
      confirm: s.can({ type: 'apply.confirm' }),
      back: s.can({ type: 'preview.back' }),
      cancel: s.can({ type: 'job.cancel' }),
      retry: s.can({ type: 'bulk.retry' }),
      together: job !== null && mayTogether(job),
      result: s.can({ type: 'result.save', format: 'xlsx', only: 'all' }),
    },
  }
}

/** The button that applies a job: names the only row, or tells how many there are. */
export function buildApplyMessage({ action, changed, rows }: BulkJob, locale: Locale): Message {
  const [only] = rows
  return changed === 1 && only !== undefined
    ? { key: `bulk.applyOne.${action}`, params: { name: only.name } }
    : { key: `bulk.apply.${action}`, params: { n: changed.toLocaleString(locale) } }
}

function resolveBulkEditStep(s: Snapshot): BulkEditStep {
  if (s.matches({ change: 'following' }))
    return s.context.job === null
      ? 'opening'
      : s.context.job.phase === 'writing'
        ? 'running'
        : 'checking'
  return steps.find((step) => s.matches({ change: step })) ?? 'failed'
}
