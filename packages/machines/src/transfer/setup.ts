import type { ImportFormat, ImportReading, Job, RowVerdict } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import type { WireValue } from '@jiaowu/api/entity/values'
import { toProblem } from '@jiaowu/api/problem'
import { assign, emit, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import {
  type Assignment,
  assign as assignColumn,
  listAssignments,
  listFixedValues,
  setFixedValue,
  checkAgain,
  fileFault,
  firstVerdict,
  goOn,
  isForReview,
  hasProposals,
  isReassigned,
  isRunnable,
  isUnderWay,
  mendCell,
  sheetsKept,
  buildWriteRequest,
} from './choices.ts'
import {
  type FileFacts,
  type ImportChoices,
  type MendRequest,
  type Recalled,
  type ReviewRows,
  type SaveRequest,
  type SheetRequest,
  type SheetSaved,
  transferActors,
  type TransferPorts,
} from './ports.ts'
import {
  type TransferContext,
  type TransferEmitted,
  type TransferEvent,
  type TransferInput,
  choicesKept,
  choicesOfLast,
  nothingReceived,
} from './context.ts'

/** Guards, actions, delays and ports of the transfer machine. */
export const transferSetup = setup({
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
  actors: transferActors(createMissingPorts<TransferPorts>()),
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
    isReassigned: ({ context: { job, mapping, fixed } }) =>
      job !== null && isReassigned(job, mapping, fixed),
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
    mayMend: ({ context: { job, mapping, fixed, verdict } }) =>
      job !== null &&
      job.can.mend === true &&
      job.review.wrong > 0 &&
      verdict === 'wrong' &&
      !isReassigned(job, mapping, fixed),
    hasResult: ({ context: { job } }) => job?.can.result === true,
    hasColumns: ({ context: { sheet } }) => sheet.columns === null || sheet.columns.length > 0,
  },
  actions: {
    keepRecalled: assign(({ context }, { recalled }: { recalled: Recalled }) => ({
      recalled,
      chosen: choicesKept(context),
    })),
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
      mapping: listAssignments(job),
      fixed: listFixedValues(job),
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
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    mapColumn: assign(({ context }, { assignment }: { assignment: Assignment }) => ({
      mapping: assignColumn(context.mapping, assignment),
    })),
    fixValue: assign(
      (
        { context: { fixed } },
        change: { readonly attrName: string; readonly value: WireValue },
      ) => ({
        fixed: setFixedValue(fixed, change),
      }),
    ),
    resetMapping: assign(({ context: { job } }) => ({
      mapping: job === null ? [] : listAssignments(job),
      fixed: job === null ? {} : listFixedValues(job),
    })),
    askCheck: assign(
      ({ context: { job, mapping, fixed } }, { choices }: { choices: Partial<ImportChoices> }) => {
        if (job === null) return { request: null }
        const isEdited = isReassigned(job, mapping, fixed)
        const values = isEdited || hasProposals(job) ? fixed : null
        return { request: checkAgain(job, choices, isEdited ? mapping : null, null, values) }
      },
    ),
    askReading: assign(({ context: { job } }, { reading }: { reading: ImportReading }) => ({
      request: job === null ? null : checkAgain(job, {}, null, sheetsKept(job, reading)),
    })),
    askMend: assign(({ context: { job } }, { mend }: { mend: MendRequest }) => ({
      request: job === null ? null : mendCell(job, mend),
    })),
    askWrite: assign(({ context: { job } }, { confirm }: { confirm: boolean }) => ({
      request: job === null ? null : buildWriteRequest(job, confirm),
    })),
    askGoOn: assign(({ context: { job } }) => ({ request: job === null ? null : goOn(job) })),
    show: assign((_args, { verdict }: { verdict: RowVerdict }) => ({
      verdict,
      rowsPage: 1,
      rows: null,
    })),
    goToRows: assign((_args, { pageNum }: { pageNum: number }) => ({ rowsPage: pageNum })),
    keepRows: assign((_args, { rows }: { rows: ReviewRows }) => ({ rows })),
    forget: assign(({ context }) => ({
      chosen: choicesOfLast(context),
      file: null,
      fault: null,
      job: null,
      id: null,
      mapping: [],
      fixed: {},
      request: null,
      rows: null,
      rowsPage: 1,
      verdict: 'wrong' as const,
      problem: null,
    })),
    tellJob: emit(({ context }) => ({ type: 'job' as const, id: context.id })),
    tellFinished: emit(({ context }) => ({ type: 'finished' as const, job: context.job as Job })),
    toastProblem: emit((_args, { error }: { error: unknown }) => ({
      type: 'toast' as const,
      tone: 'danger' as const,
      message: toProblem(error).message,
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

function isGone(error: unknown): boolean {
  const { code } = toProblem(error)
  return code === 403 || code === 404
}
