import { type ImportFormat, type Job, limits, problemOf, type RowVerdict } from '@jiaowu/api'
import { assign, emit, setup } from 'xstate'
import { unprovided } from '../port.ts'
import {
  assign as assignColumn,
  type Assignment,
  assignmentsOf,
  checkAgain,
  fileFault,
  firstVerdict,
  formatOf,
  goOn,
  type ImportChoices,
  isForReview,
  isReassigned,
  isRunnable,
  isUnderWay,
  write,
} from './choices.ts'
import {
  choicesNow,
  contextOf,
  nothingReceived,
  type TransferContext,
  type TransferEmitted,
  type TransferEvent,
  type TransferInput,
} from './context.ts'
import {
  type FileFacts,
  type Recalled,
  type ReviewRows,
  type SaveRequest,
  type SheetRequest,
  type SheetSaved,
  transferActors,
  type TransferPorts,
} from './ports.ts'

const base = setup({
  types: {
    context: {} as TransferContext,
    events: {} as TransferEvent,
    emitted: {} as TransferEmitted,
    input: {} as TransferInput,
    children: {} as {
      recall: 'recall'
      upload: 'upload'
      readJob: 'readJob'
      resumeJob: 'resumeJob'
      cancelJob: 'cancelJob'
      loadRows: 'loadRows'
      saveFile: 'saveFile'
      exportSheet: 'exportSheet'
    },
    tags: {} as 'busy' | 'lost',
  },
  actors: transferActors(unprovided<TransferPorts>()),
  delays: { POLL: limits.jobPoll, RETRY: limits.jobRetry },
  guards: {
    isExport: ({ context }) => context.input.kind === 'export',
    hasId: ({ context }) => context.id !== null,
    hasFile: ({ context }) => context.file !== null,
    isAcceptable: (_args, { file }: { file: FileFacts }) => fileFault(file) === null,
    isWriting: ({ context: { job } }) => job !== null && isUnderWay(job) && job.phase === 'writing',
    isChecking: ({ context: { job } }) => job !== null && isUnderWay(job),
    isForReview: ({ context: { job } }) => job !== null && isForReview(job),
    isPaused: ({ context: { job } }) => job?.status === 'paused',
    isDone: ({ context: { job } }) => job?.status === 'done',
    isUntouched: (_args, { job }: { job: Job }) =>
      job.status === 'cancelled' && job.inserted + job.updated === 0,
    isGone: (_args, { error }: { error: unknown }) => isGone(error),
    isReassigned: ({ context: { job, mapping } }) => job !== null && isReassigned(job, mapping),
    isRunnable: ({ context: { job } }) => job !== null && isRunnable(job),
    needsConfirm: ({ context: { job } }) => job !== null && isRunnable(job) && job.needsConfirm,
    isReviewed: ({ context: { job } }) => job !== null && job.phase !== 'mapping',
    isOtherRows: ({ context: { rows, rowsPage } }, { pageNum }: { pageNum: number }) =>
      pageNum >= 1 &&
      pageNum !== rowsPage &&
      pageNum <= Math.ceil((rows?.total ?? 0) / limits.reviewPageSize),
    isOtherJobs: ({ context: { recalled, recallPage } }, { pageNum }: { pageNum: number }) =>
      pageNum >= 1 &&
      pageNum !== recallPage &&
      pageNum <= Math.ceil((recalled?.total ?? 0) / limits.historyPageSize),
    mayResume: ({ context: { job } }) => job?.can.resume === true,
    mayCancel: ({ context: { job } }) => job?.can.cancel === true,
    hasResult: ({ context: { job } }) => job?.can.result === true,
    hasColumns: ({ context: { sheet } }) => sheet.columns === null || sheet.columns.length > 0,
  },
  actions: {
    keepRecalled: assign((_args, { recalled }: { recalled: Recalled }) => ({ recalled })),
    goToJobs: assign((_args, { pageNum }: { pageNum: number }) => ({ recallPage: pageNum })),
    keepFile: assign((_args, { file }: { file: FileFacts }) => ({
      file,
      fault: null,
      problem: null,
    })),
    refuseFile: assign((_args, { file }: { file: FileFacts }) => ({
      file: null,
      fault: fileFault(file),
      problem: null,
    })),
    dropFile: assign({ file: null, fault: null, problem: null }),
    choose: assign(({ context }, { choices }: { choices: Partial<ImportChoices> }) => ({
      chosen: { ...context.chosen, ...choices },
    })),
    beginUpload: assign({ sent: 0, problem: null }),
    countSent: assign((_args, { sent }: { sent: number }) => ({ sent })),
    keepJob: assign(({ context }, { job }: { job: Job }) => ({
      job,
      id: job.id,
      file: null,
      fault: null,
      sent: 0,
      mapping: assignmentsOf(job),
      problem: null,
      request: null,
      rows: null,
      rowsPage: 1,
      verdict:
        context.job?.id === job.id && context.job.phase === job.phase
          ? context.verdict
          : firstVerdict(job.review),
    })),
    pick: assign((_args, { id }: { id: string }) => ({
      id,
      job: null,
      file: null,
      fault: null,
      problem: null,
    })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    mapColumn: assign(({ context }, { assignment }: { assignment: Assignment }) => ({
      mapping: assignColumn(context.mapping, assignment),
    })),
    resetMapping: assign(({ context: { job } }) => ({
      mapping: job === null ? [] : assignmentsOf(job),
    })),
    askCheck: assign(
      ({ context: { job, mapping } }, { choices }: { choices: Partial<ImportChoices> }) => ({
        request:
          job === null
            ? null
            : checkAgain(job, choices, isReassigned(job, mapping) ? mapping : null),
      }),
    ),
    askWrite: assign(({ context: { job } }, { confirm }: { confirm: boolean }) => ({
      request: job === null ? null : write(job, confirm),
    })),
    askGoOn: assign(({ context: { job } }) => ({ request: job === null ? null : goOn(job) })),
    show: assign((_args, { verdict }: { verdict: RowVerdict }) => ({
      verdict,
      rowsPage: 1,
      rows: null,
    })),
    goToRows: assign((_args, { pageNum }: { pageNum: number }) => ({ rowsPage: pageNum })),
    keepRows: assign((_args, { rows }: { rows: ReviewRows }) => ({ rows })),
    forget: assign({
      chosen: {},
      file: null,
      fault: null,
      job: null,
      id: null,
      mapping: [],
      request: null,
      rows: null,
      rowsPage: 1,
      verdict: 'wrong',
      problem: null,
    }),
    tellJob: emit(({ context }) => ({ type: 'job' as const, id: context.id })),
    tellFinished: emit(({ context }) => ({ type: 'finished' as const, job: context.job as Job })),
    toastProblem: emit((_args, { error }: { error: unknown }) => ({
      type: 'toast' as const,
      tone: 'danger' as const,
      message: problemOf(error).message,
      lasting: true,
    })),
    beginSaving: assign((_args, { saving }: { saving: SaveRequest }) => ({ saving })),
    saveResult: assign(
      ({ context: { id } }, { format, only }: { format: ImportFormat; only: 'all' | 'wrong' }) => ({
        saving: { what: 'result' as const, id: id ?? '', format, only },
      }),
    ),
    endSaving: assign({ saving: null }),
    toastSaved: emit({
      type: 'toast' as const,
      tone: 'success' as const,
      message: { key: 'transfer.saved' as const },
      lasting: false,
    }),
    changeSheet: assign(
      ({ context }, change: Partial<Pick<SheetRequest, 'format' | 'columns'>>) => ({
        sheet: { ...context.sheet, ...change },
      }),
    ),
    beginExport: assign({ received: nothingReceived, problem: null }),
    countReceived: assign((_args, received: SheetSaved) => ({ received })),
  },
})

/**
 * A job that somebody else does: it is asked how far it is, and asked again. A broken network stops
 * the asking, not the job.
 */
const followed = base.createStateConfig({
  initial: 'waiting',
  on: { 'job.cancel': { guard: 'mayCancel', target: '#transfer.transfer.cancelling' } },
  states: {
    waiting: { after: { POLL: { target: 'asking' } } },
    asking: {
      invoke: {
        id: 'readJob',
        src: 'readJob',
        input: ({ context }) => ({ id: context.id ?? '' }),
        onDone: {
          target: '#transfer.transfer.routing',
          actions: { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
        },
        onError: [
          {
            guard: { type: 'isGone', params: ({ event }) => ({ error: event.error }) },
            target: '#transfer.transfer.failed',
            actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
          },
          {
            target: 'lost',
            actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    lost: {
      tags: 'lost',
      after: { RETRY: { target: 'asking' } },
      on: { 'transfer.retry': { target: 'asking' } },
    },
  },
})

/** The rows of a review, a verdict and a page at a time. */
const reviewedRows = base.createStateConfig({
  initial: 'deciding',
  on: {
    'rows.show': {
      guard: 'isReviewed',
      target: '.loading',
      actions: { type: 'show', params: ({ event }) => event },
    },
  },
  states: {
    deciding: { always: [{ guard: 'isReviewed', target: 'loading' }, { target: 'none' }] },
    none: {},
    loading: {
      invoke: {
        id: 'loadRows',
        src: 'loadRows',
        input: ({ context }) => ({
          id: context.id ?? '',
          verdict: context.verdict,
          pageNum: context.rowsPage,
          pageSize: limits.reviewPageSize,
        }),
        onDone: {
          target: 'shown',
          actions: { type: 'keepRows', params: ({ event }) => ({ rows: event.output }) },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    shown: {
      on: {
        'rows.page': {
          guard: { type: 'isOtherRows', params: ({ event }) => event },
          target: 'loading',
          actions: { type: 'goToRows', params: ({ event }) => event },
        },
      },
    },
    failed: { on: { 'transfer.retry': { target: 'loading' } } },
  },
})

/**
 * Import and export of any entity, one machine for every surface (docs/spec/1-entity-console.md §1,
 * docs/rules/contract.md#entity-data). What a job does is told by the server, never guessed.
 */
export const transferMachine = base.createMachine({
  id: 'transfer',
  context: ({ input }) => contextOf(input),
  type: 'parallel',
  states: {
    transfer: {
      initial: 'beginning',
      states: {
        beginning: {
          always: [
            { guard: 'isExport', target: 'exporting' },
            { guard: 'hasId', target: 'opening' },
            { guard: 'hasFile', target: 'uploading' },
            { target: 'choosing' },
          ],
        },
        choosing: {
          initial: 'recalling',
          on: {
            'file.choose': [
              {
                guard: { type: 'isAcceptable', params: ({ event }) => event },
                actions: { type: 'keepFile', params: ({ event }) => event },
              },
              { actions: { type: 'refuseFile', params: ({ event }) => event } },
            ],
            'file.drop': { guard: 'hasFile', actions: 'dropFile' },
            'choices.change': { actions: { type: 'choose', params: ({ event }) => event } },
            'upload.start': { guard: 'hasFile', target: 'uploading' },
            'job.open': {
              target: 'opening',
              actions: { type: 'pick', params: ({ event }) => event },
            },
          },
          states: {
            recalling: {
              tags: 'busy',
              invoke: {
                id: 'recall',
                src: 'recall',
                input: ({ context }) => ({
                  tag: context.input.tag,
                  pageNum: context.recallPage,
                  pageSize: limits.historyPageSize,
                }),
                onDone: {
                  target: 'recalled',
                  actions: {
                    type: 'keepRecalled',
                    params: ({ event }) => ({ recalled: event.output }),
                  },
                },
                // What was chosen last is a help, not a need.
                onError: { target: 'forgotten' },
              },
            },
            recalled: {
              on: {
                'history.page': {
                  guard: { type: 'isOtherJobs', params: ({ event }) => event },
                  target: 'recalling',
                  actions: { type: 'goToJobs', params: ({ event }) => event },
                },
              },
            },
            forgotten: { on: { 'transfer.retry': { target: 'recalling' } } },
          },
        },
        uploading: {
          tags: 'busy',
          entry: 'beginUpload',
          on: {
            'upload.progress': { actions: { type: 'countSent', params: ({ event }) => event } },
            'job.cancel': { target: 'choosing' },
          },
          invoke: {
            id: 'upload',
            src: 'upload',
            input: ({ context }) => {
              const file = context.file ?? { key: '', name: '', size: 0 }
              return {
                tag: context.input.tag,
                file,
                format: formatOf(file.name) ?? 'xlsx',
                choices: choicesNow(context),
                mapping: context.input.mapping ?? null,
                pauseAt: context.input.pauseAt ?? 'review',
              }
            },
            onDone: {
              target: 'routing',
              actions: [
                { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
                'tellJob',
              ],
            },
            onError: {
              target: 'choosing',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        opening: {
          tags: 'busy',
          on: { 'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] } },
          invoke: {
            id: 'readJob',
            src: 'readJob',
            input: ({ context }) => ({ id: context.id ?? '' }),
            onDone: {
              target: 'routing',
              actions: [
                { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
                'tellJob',
              ],
            },
            onError: {
              target: 'unopened',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        unopened: {
          on: {
            'transfer.retry': { target: 'opening' },
            'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] },
          },
        },
        // Where a job belongs follows from what the server says of it, whichever surface began it.
        routing: {
          always: [
            { guard: 'isWriting', target: 'running' },
            { guard: 'isChecking', target: 'checking' },
            { guard: 'isForReview', target: 'reviewing' },
            { guard: 'isPaused', target: 'paused' },
            { guard: 'isDone', target: 'done', actions: 'tellFinished' },
            { target: 'failed', actions: 'tellFinished' },
          ],
        },
        checking: { ...followed },
        running: { ...followed },
        reviewing: {
          type: 'parallel',
          on: {
            'choices.change': {
              target: 'sending',
              actions: { type: 'askCheck', params: ({ event }) => event },
            },
            'job.check': {
              target: 'sending',
              actions: { type: 'askCheck', params: { choices: {} } },
            },
            'job.cancel': { guard: 'mayCancel', target: 'cancelling' },
            'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] },
          },
          states: {
            mapping: {
              initial: 'deciding',
              on: {
                'column.assign': {
                  target: '.deciding',
                  actions: { type: 'mapColumn', params: ({ event }) => event },
                },
              },
              states: {
                deciding: {
                  always: [{ guard: 'isReassigned', target: 'edited' }, { target: 'clean' }],
                },
                // Only what was checked as it stands is written.
                clean: {
                  on: {
                    'job.run': [
                      { guard: 'needsConfirm', target: '#transfer.transfer.confirming' },
                      {
                        guard: 'isRunnable',
                        target: '#transfer.transfer.sending',
                        actions: { type: 'askWrite', params: { confirm: false } },
                      },
                    ],
                  },
                },
                edited: { on: { 'mapping.reset': { target: 'clean', actions: 'resetMapping' } } },
              },
            },
            rows: reviewedRows,
          },
        },
        confirming: {
          on: {
            'run.confirm': {
              target: 'sending',
              actions: { type: 'askWrite', params: { confirm: true } },
            },
            'run.cancel': { target: 'reviewing' },
          },
        },
        sending: {
          tags: 'busy',
          invoke: {
            id: 'resumeJob',
            src: 'resumeJob',
            input: ({ context }) =>
              context.request ?? {
                id: context.id ?? '',
                choices: {},
                mapping: null,
                pauseAt: null,
                confirm: false,
              },
            onDone: {
              target: 'routing',
              actions: { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
            },
            onError: {
              target: 'returning',
              actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        // Refused, or nobody answered: where the job stood as far as anybody knows, with what was
        // edited.
        returning: {
          always: [
            { guard: 'isWriting', target: 'running' },
            { guard: 'isChecking', target: 'checking' },
            { guard: 'isForReview', target: 'reviewing' },
            { guard: 'isPaused', target: 'paused' },
            { target: 'failed' },
          ],
        },
        paused: {
          on: {
            'job.resume': { guard: 'mayResume', target: 'sending', actions: 'askGoOn' },
            'job.cancel': { guard: 'mayCancel', target: 'cancelling' },
            'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] },
          },
        },
        cancelling: {
          tags: 'busy',
          invoke: {
            id: 'cancelJob',
            src: 'cancelJob',
            input: ({ context }) => ({ id: context.id ?? '' }),
            onDone: [
              {
                guard: { type: 'isUntouched', params: ({ event }) => ({ job: event.output }) },
                target: 'choosing',
                actions: ['forget', 'tellJob'],
              },
              {
                target: 'routing',
                actions: { type: 'keepJob', params: ({ event }) => ({ job: event.output }) },
              },
            ],
            onError: {
              target: 'returning',
              actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        done: {
          on: { 'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] } },
        },
        failed: {
          on: {
            'transfer.restart': { target: 'choosing', actions: ['forget', 'tellJob'] },
            'job.resume': { guard: 'mayResume', target: 'sending', actions: 'askGoOn' },
            'transfer.retry': { target: 'opening' },
          },
        },
        exporting: {
          initial: 'choosing',
          states: {
            choosing: {
              on: {
                'sheet.change': {
                  actions: {
                    type: 'changeSheet',
                    params: ({ event: { type: _type, ...change } }) => change,
                  },
                },
                'export.start': { guard: 'hasColumns', target: 'running' },
              },
            },
            running: {
              tags: 'busy',
              entry: 'beginExport',
              on: {
                'export.progress': {
                  actions: {
                    type: 'countReceived',
                    params: ({ event }) => ({ bytes: event.bytes, rows: event.rows }),
                  },
                },
                'export.cancel': { target: 'choosing' },
              },
              invoke: {
                id: 'exportSheet',
                src: 'exportSheet',
                input: ({ context }) => context.sheet,
                onDone: {
                  target: 'done',
                  actions: { type: 'countReceived', params: ({ event }) => event.output },
                },
                onError: {
                  target: 'failed',
                  actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            done: { on: { 'transfer.restart': { target: 'choosing' } } },
            failed: {
              on: {
                'transfer.retry': { target: 'running' },
                'transfer.restart': { target: 'choosing' },
              },
            },
          },
        },
      },
    },
    /** Files beside the way: the template, the result. */
    saving: {
      initial: 'idle',
      states: {
        idle: {
          on: {
            'template.save': {
              target: 'running',
              actions: {
                type: 'beginSaving',
                params: ({ context }) => ({
                  saving: { what: 'template' as const, tag: context.input.tag },
                }),
              },
            },
            'result.save': {
              guard: 'hasResult',
              target: 'running',
              actions: { type: 'saveResult', params: ({ event }) => event },
            },
          },
        },
        running: {
          exit: 'endSaving',
          invoke: {
            id: 'saveFile',
            src: 'saveFile',
            input: ({ context }) => context.saving ?? { what: 'template', tag: context.input.tag },
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

function isGone(error: unknown): boolean {
  const { code } = problemOf(error)
  return code === 403 || code === 404
}
