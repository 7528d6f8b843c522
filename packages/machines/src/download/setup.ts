import type {
  CodeStatus,
  PrintOrder,
  ReportItem,
  StudentDetail,
} from '@jiaowu/api/contract/student/student'
import { limits } from '@jiaowu/api/limits'
import { toProblem } from '@jiaowu/api/problem'
import { assign, emit, setup, stateIn } from 'xstate'
import { countdownMachine } from '../countdown/machine.ts'
import { createMissingPorts } from '../port.ts'
import {
  type DownloadContext,
  type DownloadEmitted,
  type DownloadEvent,
  type DownloadInput,
  type PayMethod,
  type ReportFilter,
  endPatience,
  buildDownloadFacts,
  isOpenStatus,
  isPaid,
  isRefund,
  toPayOrder,
} from './context.ts'
import { type DownloadPorts, downloadActors } from './ports.ts'

/** Guards, actions, delays and ports of the download machine. */
export const downloadSetup = setup({
  types: {
    context: {} as DownloadContext,
    events: {} as DownloadEvent,
    emitted: {} as DownloadEmitted,
    input: {} as DownloadInput,
    children: {} as {
      detail: 'detail'
      reports: 'reports'
      price: 'price'
      preview: 'preview'
      order: 'order'
      orderStatus: 'orderStatus'
      cancelOrder: 'cancelOrder'
      download: 'download'
      payCountdown: 'countdown'
      homeCountdown: 'countdown'
    },
    tags: {} as 'busy' | `step:${0 | 1 | 2 | 3 | 4 | 5}`,
  },
  actors: { ...downloadActors(createMissingPorts<DownloadPorts>()), countdown: countdownMachine },
  delays: { POLL: limits.payPoll, PATIENCE: endPatience },
  guards: {
    wasPaid: ({ context }) => context.order !== null && context.wasPaid,
    wasOpen: ({ context }) => context.order !== null && context.order.deadline > context.now(),
    wasLeft: ({ context }) => context.order !== null,
    isFresh: ({ context }) => !context.outdated,
    isListed: ({ context }, { reportId }: { reportId: string }) =>
      context.reports.some(({ id }) => id === reportId),
    hasPdf: ({ context }) => context.pdf !== null,
    hasPrice: ({ context }) => context.price !== null,
    isFree: ({ context }) => context.price === 0,
    isWechat: (_args, { method }: { method: PayMethod }) => method === 'wechat',
    isPaid: (_args, answer: Status) => isPaid(answer.status),
    isOpen: (_args, answer: Status) => isOpenStatus(answer.status),
    isRefund: (_args, answer: Status) => isRefund(answer.status),
    isRefunded: (_args, { error }: Failure) => answerData(error).code_status === '4',
    isUnmade: (_args, { error }: Failure) => answerData(error).refund !== undefined,
    isUnwanted: stateIn({ ordering: 'unwanted' }),
    isEnding: stateIn({ closing: { wish: 'toEnd' } }),
    wantsList: stateIn({ closing: { wish: 'toList' } }),
  },
  actions: {
    keepStudent: assign((_args, { student }: { student: StudentDetail }) => ({ student })),
    keepReports: assign((_args, { reports }: { reports: readonly ReportItem[] }) => ({
      reports,
      outdated: false,
    })),
    markOutdated: assign({ outdated: true }),
    toggle: assign(({ context }, { filter }: { filter: ReportFilter }) => ({
      filters: { ...context.filters, [filter]: !context.filters[filter] },
    })),
    choose: assign(({ context }, { reportId }: { reportId: string }) => ({
      report: context.reports.find(({ id }) => id === reportId) ?? null,
    })),
    forgetPreview: assign({ price: null, pdf: null, problem: null }),
    keepPrice: assign((_args, { price }: { price: number }) => ({ price })),
    keepPdf: assign((_args, { pdf }: { pdf: string }) => ({ pdf })),
    keepOrder: assign(({ context }, { order }: { order: PrintOrder }) => ({
      order: toPayOrder(order, context.now()),
      problem: null,
    })),
    forgetOrder: assign({ order: null }),
    keepProblem: assign((_args, { error }: Failure) => ({ problem: toProblem(error) })),
    forgetProblem: assign({ problem: null }),
    tellProblem: emit((_args, { error }: Failure) => ({
      type: 'toast' as const,
      tone: 'danger' as const,
      message: toProblem(error).message,
      lasting: true as const,
    })),
    tellFacts: emit(({ context }, { paid }: { paid: boolean }) => ({
      type: 'facts' as const,
      facts: buildDownloadFacts(context, paid),
    })),
    tellNoFacts: emit({ type: 'facts' as const, facts: null }),
    tellSaved: emit(({ context }) => ({
      type: 'saved' as const,
      report: { id: context.report?.id ?? '', reportName: context.report?.reportName ?? '' },
    })),
    tellEnded: emit({ type: 'ended' as const }),
  },
})

/** Reads the facts about an order from a refused call. */
function answerData(error: unknown): { readonly code_status?: unknown; readonly refund?: unknown } {
  const { data } = toProblem(error)
  return typeof data === 'object' && data !== null ? data : {}
}

type Status = { readonly status: CodeStatus }

type Failure = { readonly error: unknown }

export const keepProblem = { type: 'keepProblem', params: failure } as const

export const tellProblem = { type: 'tellProblem', params: failure } as const

export function status({
  event,
}: {
  event: { readonly output: { readonly code_status: CodeStatus } }
}): Status {
  return { status: event.output.code_status }
}

export function failure({ event }: { event: { readonly error: unknown } }): Failure {
  return {
    error: event.error,
  }
}
