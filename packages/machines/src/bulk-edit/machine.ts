import type { BulkAction, BulkJob, BulkSelection } from '@jiaowu/api/contract/entity/bulk'
import type { ExportFormat } from '@jiaowu/api/contract/entity/entity-data'
import { limits } from '@jiaowu/api/limits'
import type { Message } from '@jiaowu/api/texts/index'
import type { OnError } from '@jiaowu/api/contract/job'
import { type Problem, toProblem } from '@jiaowu/api/problem'
import type { Values, WireValue } from '@jiaowu/api/entity/values'
import { assign, emit, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { bulkEditActors, type BulkEditPorts, type BulkResult } from './ports.ts'

export interface BulkEditInput {
  readonly tag: string
  readonly action: BulkAction
  readonly selection: BulkSelection
  /** Id of a job started earlier, which is resumed. */
  readonly job?: string | null
  /** Nothing needs to be set: derived fields are computed anew. */
  readonly recompute?: boolean
}
export interface BulkEditContext {
  readonly input: BulkEditInput
  /** The fields to change and their new values. */
  readonly set: Values
  readonly id: string | null
  readonly job: BulkJob | null
  readonly onError: OnError
  readonly typed: string
  readonly problem: Problem | null
  readonly saving: BulkResult | null
}

export type BulkEditEvent =
  | { readonly type: 'field.add'; readonly attrName: string }
  | { readonly type: 'field.remove'; readonly attrName: string }
  | { readonly type: 'value.change'; readonly attrName: string; readonly value: WireValue }
  | { readonly type: 'preview.start' }
  | { readonly type: 'preview.back' }
  | { readonly type: 'onError.change'; readonly onError: OnError }
  | { readonly type: 'apply.start' }
  | { readonly type: 'count.type'; readonly text: string }
  | { readonly type: 'apply.confirm' }
  | { readonly type: 'apply.cancel' }
  | { readonly type: 'job.cancel' }
  | { readonly type: 'bulk.retry' }
  | {
      readonly type: 'result.save'
      readonly format: ExportFormat
      readonly only: 'all' | 'refused'
    }

type BulkEditEmitted =
  | {
      readonly type: 'toast'
      readonly tone: 'success' | 'danger'
      readonly message: string | Message
      readonly lasting: boolean
    }
  /** The running job, which the surface stores to find it again; null when there is none. */
  | { readonly type: 'job'; readonly id: string | null }
  /** The job ended: lists may show other rows now. */
  | { readonly type: 'finished'; readonly job: BulkJob }

const isUnderWay = ({ status }: BulkJob): boolean => status === 'queued' || status === 'running'

/**
 * Whether all rows can be changed in one transaction: none is refused and there are not too many.
 */
export function mayTogether({ failed, changed }: BulkJob): boolean {
  return failed === 0 && changed <= limits.bulkTogether
}

const base = setup({
  types: {
    context: {} as BulkEditContext,
    events: {} as BulkEditEvent,
    emitted: {} as BulkEditEmitted,
    input: {} as BulkEditInput,
    children: {} as {
      startBulk: 'startBulk'
      readBulk: 'readBulk'
      applyBulk: 'applyBulk'
      cancelBulk: 'cancelBulk'
      saveBulk: 'saveBulk'
    },
    tags: {} as 'busy' | 'lost',
  },
  actors: bulkEditActors(createMissingPorts<BulkEditPorts>()),
  delays: { POLL: limits.jobPoll, RETRY: limits.jobRetry },
  guards: {
    hasId: ({ context }) => context.id !== null,
    isDelete: ({ context }) => context.input.action === 'delete',
    hasFields: ({ context }) =>
      context.input.recompute === true || Object.keys(context.set).length > 0,
    isUnderWay: ({ context: { job } }) => job !== null && isUnderWay(job),
    isForReview: ({ context: { job } }) => job !== null && isForReview(job),
    isDone: ({ context: { job } }) => job?.status === 'done',
    mayApply: ({ context: { job } }) => job?.can.apply === true,
    mustType: ({ context: { job } }) => job?.can.apply === true && job.changed > limits.bulkTyped,
    isTyped: ({ context: { job, typed } }) =>
      job !== null && typed.replace(/[\s,，]/g, '') === String(job.changed),
    mayCancel: ({ context: { job } }) => job?.can.cancel === true,
    mayChoose: ({ context: { job } }, { onError }: { onError: OnError }) =>
      onError === 'skip' || (job !== null && mayTogether(job)),
    hasResult: ({ context: { job } }) => job?.can.result === true,
    isGone: (_args, { error }: { error: unknown }) => isGone(error),
  },
  actions: {
    addField: assign(({ context }, { attrName }: { attrName: string }) => ({
      set: Object.hasOwn(context.set, attrName)
        ? context.set
        : { ...context.set, [attrName]: null },
      problem: null,
    })),
    removeField: assign(({ context }, { attrName }: { attrName: string }) => ({
      set: Object.fromEntries(Object.entries(context.set).filter(([name]) => name !== attrName)),
      problem: null,
    })),
    change: assign(({ context }, { attrName, value }: { attrName: string; value: WireValue }) => ({
      set: Object.hasOwn(context.set, attrName)
        ? { ...context.set, [attrName]: value }
        : context.set,
      problem: null,
    })),
    // Resets the choice "all or nothing" when the checked rows no longer allow it.
    keepJob: assign(({ context }, { job }: { job: BulkJob }) => ({
      job,
      id: job.id,
      problem: null,
      onError: mayTogether(job) ? context.onError : 'skip',
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    forgetProblem: assign({ problem: null }),
    forgetJob: assign({ job: null, id: null, problem: null, typed: '', onError: 'skip' }),
    choose: assign((_args, { onError }: { onError: OnError }) => ({ onError })),
    keepTyped: assign((_args, { text }: { text: string }) => ({ typed: text })),
    forgetTyped: assign({ typed: '' }),
    tellJob: emit(({ context }) => ({ type: 'job' as const, id: context.id })),
    tellGone: emit({ type: 'job' as const, id: null }),
    tellFinished: emit(({ context }) => ({
      type: 'finished' as const,
      job: context.job as BulkJob,
    })),
    toastProblem: emit((_args, { error }: { error: unknown }) => ({
      type: 'toast' as const,
      tone: 'danger' as const,
      message: toProblem(error).message,
      lasting: true,
    })),
    toastSaved: emit({
      type: 'toast' as const,
      tone: 'success' as const,
      message: { key: 'transfer.saved' as const },
      lasting: false,
    }),
    beginSaving: assign(
      (
        { context: { id } },
        { format, only }: { format: ExportFormat; only: 'all' | 'refused' },
      ) => ({ saving: { id: id ?? '', format, only } }),
    ),
    endSaving: assign({ saving: null }),
  },
})

/** Deletions are checked again; updates go back to the choice of fields. */
const lookAgain = [
  { guard: 'isDelete', target: 'sending', actions: 'forgetJob' },
  { target: 'choosing', actions: ['forgetJob', 'tellJob'] },
] as const

/**
 * Changes or deletes many rows at once (docs/rules/requests.md#r24): choose, review, confirm,
 * result. Progress comes from the server only.
 */
export const bulkEditMachine = base.createMachine({
  id: 'bulkEdit',
  context: ({ input }) => ({
    input,
    set: {},
    id: input.job ?? null,
    job: null,
    onError: 'skip',
    typed: '',
    problem: null,
    saving: null,
  }),
  type: 'parallel',
  states: {
    change: {
      initial: 'beginning',
      states: {
        beginning: {
          always: [
            { guard: 'hasId', target: 'following.asking' },
            { guard: 'isDelete', target: 'sending' },
            { target: 'choosing' },
          ],
        },
        choosing: {
          on: {
            'field.add': { actions: { type: 'addField', params: ({ event }) => event } },
            'field.remove': { actions: { type: 'removeField', params: ({ event }) => event } },
            'value.change': { actions: { type: 'change', params: ({ event }) => event } },
            'preview.start': { guard: 'hasFields', target: 'sending' },
          },
        },
        sending: {
          tags: 'busy',
          entry: 'forgetProblem',
          invoke: {
            id: 'startBulk',
            src: 'startBulk',
            input: ({
              context: {
                input: { tag, action, selection },
                set,
              },
            }) => ({ tag, action, selection, set }),
            onDone: {
              target: 'routing',
              actions: [
                { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
                'tellJob',
              ],
            },
            onError: [
              {
                guard: 'isDelete',
                target: 'failed',
                actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
              },
              {
                target: 'choosing',
                actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
              },
            ],
          },
        },
        routing: {
          always: [
            { guard: 'isUnderWay', target: 'following' },
            { guard: 'isForReview', target: 'reviewing' },
            { guard: 'isDone', target: 'done', actions: 'tellFinished' },
            { target: 'failed', actions: 'tellFinished' },
          ],
        },
        // Polls the job. A network failure stops the polling, not the job.
        following: {
          initial: 'waiting',
          on: { 'job.cancel': { guard: 'mayCancel', target: 'cancelling' } },
          states: {
            waiting: { after: { POLL: { target: 'asking' } } },
            asking: {
              invoke: {
                id: 'readBulk',
                src: 'readBulk',
                input: ({ context }) => ({ id: context.id ?? '' }),
                onDone: {
                  target: '#bulkEdit.change.routing',
                  actions: { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
                },
                onError: [
                  {
                    guard: { type: 'isGone', params: ({ event }) => ({ error: event.error }) },
                    target: '#bulkEdit.change.failed',
                    actions: [
                      { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
                      'tellGone',
                    ],
                  },
                  {
                    target: 'lost',
                    actions: {
                      type: 'keepProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                  },
                ],
              },
            },
            lost: {
              tags: 'lost',
              after: { RETRY: { target: 'asking' } },
              on: { 'bulk.retry': { target: 'asking' } },
            },
          },
        },
        reviewing: {
          on: {
            'onError.change': {
              guard: { type: 'mayChoose', params: ({ event }) => event },
              actions: { type: 'choose', params: ({ event }) => event },
            },
            'apply.start': [
              { guard: 'mustType', target: 'confirming' },
              { guard: 'mayApply', target: 'applying' },
            ],
            'preview.back': lookAgain,
          },
        },
        confirming: {
          exit: 'forgetTyped',
          on: {
            'count.type': { actions: { type: 'keepTyped', params: ({ event }) => event } },
            'apply.confirm': { guard: 'isTyped', target: 'applying' },
            'apply.cancel': { target: 'reviewing' },
          },
        },
        applying: {
          tags: 'busy',
          invoke: {
            id: 'applyBulk',
            src: 'applyBulk',
            input: ({ context: { id, job, onError } }) => ({
              id: id ?? '',
              count: job?.changed ?? 0,
              onError,
            }),
            onDone: {
              target: 'routing',
              actions: { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
            },
            // It is unknown whether the server received the call; repeating it changes nothing
            // twice.
            onError: {
              target: 'reviewing',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        cancelling: {
          tags: 'busy',
          invoke: {
            id: 'cancelBulk',
            src: 'cancelBulk',
            input: ({ context }) => ({ id: context.id ?? '' }),
            onDone: {
              target: 'routing',
              actions: { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
            },
            onError: {
              target: 'following.asking',
              actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        done: { on: { 'preview.back': lookAgain } },
        failed: { on: { 'preview.back': lookAgain } },
      },
    },
    file: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'result.save': {
              guard: 'hasResult',
              target: 'running',
              actions: { type: 'beginSaving', params: ({ event }) => event },
            },
          },
        },
        running: {
          exit: 'endSaving',
          invoke: {
            id: 'saveBulk',
            src: 'saveBulk',
            input: ({ context }) => context.saving ?? { id: '', format: 'xlsx', only: 'all' },
            onDone: { target: 'idle', actions: 'toastSaved' },
            onError: {
              target: 'idle',
              actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
      },
    },
  },
  options: { maxIterations: 100 },
})

function isForReview({ status, phase }: BulkJob): boolean {
  return status === 'paused' && phase === 'review'
}

function isGone(error: unknown): boolean {
  const { code } = toProblem(error)
  return code === 403 || code === 404
}
