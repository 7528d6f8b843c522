import {
  type CodeStatus,
  limits,
  type PrintOrder,
  problemOf,
  type ReportItem,
  type StudentDetail,
} from '@jiaowu/api'
import { and, assign, emit, setup, stateIn } from 'xstate'
import { countdownMachine } from '../countdown/machine.ts'
import { unprovided } from '../port.ts'
import {
  blankContext,
  type DownloadContext,
  type DownloadEmitted,
  type DownloadEvent,
  type DownloadInput,
  endPatience,
  factsOf,
  isOpen,
  isPaid,
  isRefund,
  type PayMethod,
  payOrderOf,
  type ReportFilter,
} from './context.ts'
import { downloadActors, type DownloadPorts } from './ports.ts'

type Status = { readonly status: CodeStatus }
type Failure = { readonly error: unknown }
const keepProblem = { type: 'keepProblem', params: failure } as const
const tellProblem = { type: 'tellProblem', params: failure } as const

/**
 * The student's download (docs/spec/2-student-service-and-designer.md §4; the decisions are in the
 * house's page on machines). Steps 0-5 are tags. An order that may still
 * be paid is left only through `closing`, which waits for the server's word; what the person wanted
 * is the state of `wish` meanwhile.
 */
export const downloadMachine = setup({
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
  actors: { ...downloadActors(unprovided<DownloadPorts>()), countdown: countdownMachine },
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
    isPaid: (_args, told: Status) => isPaid(told.status),
    isOpen: (_args, told: Status) => isOpen(told.status),
    isRefund: (_args, told: Status) => isRefund(told.status),
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
      order: payOrderOf(order, context.now()),
      problem: null,
    })),
    forgetOrder: assign({ order: null }),
    keepProblem: assign((_args, { error }: Failure) => ({ problem: problemOf(error) })),
    forgetProblem: assign({ problem: null }),
    tellProblem: emit((_args, { error }: Failure) => ({
      type: 'toast' as const,
      tone: 'danger' as const,
      message: problemOf(error).message,
      lasting: true as const,
    })),
    tellFacts: emit(({ context }, { paid }: { paid: boolean }) => ({
      type: 'facts' as const,
      facts: factsOf(context, paid),
    })),
    tellNoFacts: emit({ type: 'facts' as const, facts: null }),
    tellSaved: emit(({ context }) => ({
      type: 'saved' as const,
      report: { id: context.report?.id ?? '', reportName: context.report?.reportName ?? '' },
    })),
    tellEnded: emit({ type: 'ended' as const }),
  },
}).createMachine({
  id: 'download',
  context: ({ input }) => blankContext(input),
  initial: 'starting',
  // Read again when the list is next shown: the language changed, say.
  on: { 'session.end': { target: '.ended' }, 'list.refresh': { actions: 'markOutdated' } },
  states: {
    // After a reload: what was open goes on, what ran out meanwhile is asked about, what is paid is
    // saved.
    starting: {
      always: [
        { guard: 'wasPaid', target: 'saving' },
        { guard: 'wasOpen', target: 'scanPay' },
        { guard: 'wasLeft', target: 'closing' },
        { target: 'list' },
      ],
    },
    list: {
      tags: 'step:0',
      initial: 'entering',
      entry: ['forgetOrder', 'forgetProblem', 'tellNoFacts'],
      on: { 'list.refresh': { target: '.loadingStudent' } },
      states: {
        entering: { always: [{ guard: 'isFresh', target: 'shown' }, { target: 'loadingStudent' }] },
        loadingStudent: {
          tags: 'busy',
          entry: 'forgetProblem',
          invoke: {
            id: 'detail',
            src: 'detail',
            onDone: {
              target: 'loadingReports',
              actions: { type: 'keepStudent', params: ({ event }) => ({ student: event.output }) },
            },
            onError: { target: 'failed', actions: [keepProblem, tellProblem] },
          },
        },
        loadingReports: {
          tags: 'busy',
          invoke: {
            id: 'reports',
            src: 'reports',
            input: ({ context }) => ({ stuNo: context.student?.fldXh ?? '' }),
            onDone: {
              target: 'entering',
              actions: { type: 'keepReports', params: ({ event }) => ({ reports: event.output }) },
            },
            onError: { target: 'failed', actions: [keepProblem, tellProblem] },
          },
        },
        failed: {},
        shown: {
          on: {
            'filter.toggle': { actions: { type: 'toggle', params: ({ event }) => event } },
            'report.open': {
              guard: { type: 'isListed', params: ({ event }) => event },
              target: '#download.preview',
              actions: { type: 'choose', params: ({ event }) => event },
            },
          },
        },
      },
    },
    preview: {
      tags: 'step:1',
      initial: 'loading',
      on: { 'preview.cancel': { target: 'list' } },
      states: {
        // Price and PDF come together, in either order.
        loading: {
          tags: 'busy',
          entry: 'forgetPreview',
          invoke: [
            {
              id: 'price',
              src: 'price',
              input: ({ context }) => ({ reportId: context.report?.id ?? '' }),
              onDone: [
                {
                  guard: 'hasPdf',
                  target: 'shown',
                  actions: {
                    type: 'keepPrice',
                    params: ({ event }) => ({ price: event.output.PRINT_PRICE }),
                  },
                },
                {
                  actions: {
                    type: 'keepPrice',
                    params: ({ event }) => ({ price: event.output.PRINT_PRICE }),
                  },
                },
              ],
              onError: { target: 'failed', actions: [keepProblem, tellProblem] },
            },
            {
              id: 'preview',
              src: 'preview',
              input: ({ context }) => ({
                reportId: context.report?.id ?? '',
                account: context.account,
              }),
              onDone: [
                {
                  guard: 'hasPrice',
                  target: 'shown',
                  actions: { type: 'keepPdf', params: ({ event }) => ({ pdf: event.output }) },
                },
                { actions: { type: 'keepPdf', params: ({ event }) => ({ pdf: event.output }) } },
              ],
              onError: { target: 'failed', actions: [keepProblem, tellProblem] },
            },
          ],
        },
        failed: { on: { 'preview.retry': { target: 'loading' } } },
        shown: {
          on: {
            'preview.confirm': [
              { guard: 'isFree', target: '#download.ordering', actions: 'forgetProblem' },
              { target: '#download.method' },
            ],
          },
        },
      },
    },
    method: {
      tags: 'step:2',
      on: {
        'pay.choose': {
          guard: { type: 'isWechat', params: ({ event }) => event },
          target: 'ordering',
          actions: 'forgetProblem',
        },
        // After a reload there is no preview to go back to yet.
        'pay.back': [
          { guard: 'hasPdf', target: 'preview.shown', actions: 'forgetProblem' },
          { target: 'preview' },
        ],
      },
    },
    ordering: {
      tags: ['step:2', 'busy'],
      initial: 'wanted',
      entry: 'markOutdated',
      invoke: {
        id: 'order',
        src: 'order',
        input: ({ context }) => ({
          reportId: context.report?.id ?? '',
          payType: 'wechat',
          payValue: context.price ?? 0,
        }),
        onDone: [
          {
            guard: and(['isUnwanted', ({ event }) => isOpen(event.output.code_status)]),
            target: '#download.closing.wish.toEnd',
            actions: { type: 'keepOrder', params: ({ event }) => ({ order: event.output }) },
          },
          { guard: 'isUnwanted', target: 'ended' },
          {
            guard: { type: 'isPaid', params: status },
            target: 'saving',
            actions: { type: 'keepOrder', params: ({ event }) => ({ order: event.output }) },
          },
          {
            guard: { type: 'isOpen', params: status },
            target: 'scanPay',
            actions: { type: 'keepOrder', params: ({ event }) => ({ order: event.output }) },
          },
          { guard: { type: 'isRefund', params: status }, target: 'failed.refunded' },
          { target: 'failed.closed' },
        ],
        onError: [
          { guard: 'isUnwanted', target: 'ended' },
          { guard: 'isFree', target: 'preview.shown', actions: [keepProblem, tellProblem] },
          { target: 'method', actions: [keepProblem, tellProblem] },
        ],
      },
      states: {
        wanted: { on: { 'session.end': { target: 'unwanted' } } },
        // A request for an order is never abandoned: what it opens is closed. But nobody waits for
        // ever to sign out.
        unwanted: { on: { 'session.end': {} }, after: { PATIENCE: { target: '#download.ended' } } },
      },
    },
    scanPay: {
      tags: 'step:3',
      initial: 'checking',
      entry: { type: 'tellFacts', params: { paid: false } },
      invoke: {
        id: 'payCountdown',
        src: 'countdown',
        input: ({ context }) => ({ deadline: context.order?.deadline ?? 0, now: context.now }),
        onDone: { target: '#download.closing.wish.toFailed' },
      },
      on: {
        'pay.cancel': { target: '#download.closing.wish.toList' },
        'session.end': { target: '#download.closing.wish.toEnd' },
      },
      states: {
        checking: {
          invoke: {
            id: 'orderStatus',
            src: 'orderStatus',
            input: ({ context }) => ({ orderNo: context.order?.orderNo ?? '' }),
            onDone: [
              {
                guard: { type: 'isPaid', params: status },
                target: '#download.saving',
                actions: 'forgetProblem',
              },
              {
                guard: { type: 'isOpen', params: status },
                target: 'waiting',
                actions: 'forgetProblem',
              },
              {
                guard: { type: 'isRefund', params: status },
                target: '#download.failed.refunded',
                actions: 'forgetProblem',
              },
              { target: '#download.failed.closed', actions: 'forgetProblem' },
            ],
            // The network is no reason to give up an order; what is wrong shows, and the next
            // second asks again.
            onError: { target: 'waiting', actions: keepProblem },
          },
        },
        waiting: { after: { POLL: { target: 'checking' } } },
      },
    },
    closing: {
      tags: ['step:3', 'busy'],
      type: 'parallel',
      entry: 'forgetProblem',
      states: {
        wish: {
          initial: 'toFailed',
          states: {
            toFailed: { on: { 'session.end': { target: 'toEnd' } } },
            toList: { on: { 'session.end': { target: 'toEnd' } } },
            toEnd: {
              on: { 'session.end': {} },
              after: { PATIENCE: { target: '#download.ended' } },
            },
          },
        },
        call: {
          initial: 'cancelling',
          states: {
            cancelling: {
              invoke: {
                id: 'cancelOrder',
                src: 'cancelOrder',
                input: ({ context }) => ({ orderNo: context.order?.orderNo ?? '' }),
                onDone: [
                  { guard: 'isEnding', target: '#download.ended' },
                  { guard: { type: 'isPaid', params: status }, target: '#download.saving' },
                  {
                    guard: { type: 'isRefund', params: status },
                    target: '#download.failed.refunded',
                  },
                  { guard: 'wantsList', target: '#download.list' },
                  // Being closed, but the provider has not said so: somebody may be paying right
                  // now.
                  {
                    guard: { type: 'isOpen', params: status },
                    target: '#download.failed.unconfirmed',
                  },
                  { target: '#download.failed.timedOut' },
                ],
                // Refused, or no word: the status is asked for once.
                onError: [{ guard: 'isEnding', target: '#download.ended' }, { target: 'asking' }],
              },
            },
            asking: {
              invoke: {
                id: 'orderStatus',
                src: 'orderStatus',
                input: ({ context }) => ({ orderNo: context.order?.orderNo ?? '' }),
                onDone: [
                  { guard: 'isEnding', target: '#download.ended' },
                  { guard: { type: 'isPaid', params: status }, target: '#download.saving' },
                  {
                    guard: { type: 'isRefund', params: status },
                    target: '#download.failed.refunded',
                  },
                  {
                    guard: { type: 'isOpen', params: status },
                    target: '#download.failed.unconfirmed',
                  },
                  { guard: 'wantsList', target: '#download.list' },
                  { target: '#download.failed.timedOut' },
                ],
                onError: [
                  { guard: 'isEnding', target: '#download.ended' },
                  { target: '#download.failed.unconfirmed', actions: [keepProblem, tellProblem] },
                ],
              },
            },
          },
        },
      },
    },
    failed: {
      tags: 'step:4',
      initial: 'timedOut',
      on: { 'failure.cancel': { target: 'list' }, 'failure.repay': { target: 'method' } },
      states: {
        timedOut: { entry: ['forgetOrder', 'tellNoFacts'] },
        closed: { entry: ['forgetOrder', 'tellNoFacts'] },
        refunded: { entry: ['forgetOrder', 'tellNoFacts'] },
        // Nobody knows whether money came: being checked, never "payment failed". Asking again is
        // offered, paying again is not. The facts stay, so that a reload asks again too.
        unconfirmed: {
          on: { 'failure.check': { target: '#download.closing' }, 'failure.repay': {} },
        },
      },
    },
    saving: {
      tags: ['step:3', 'busy'],
      entry: { type: 'tellFacts', params: { paid: true } },
      invoke: {
        id: 'download',
        src: 'download',
        input: ({ context }) => ({ orderNo: context.order?.orderNo ?? '' }),
        onDone: { target: 'success', actions: 'tellSaved' },
        onError: { target: 'unsaved', actions: [keepProblem, tellProblem] },
      },
    },
    // Paid, but not on the disk: the same order again, never a new payment.
    unsaved: {
      tags: 'step:4',
      on: {
        'save.retry': { target: 'saving', actions: 'forgetProblem' },
        'save.leave': { target: 'list' },
      },
    },
    success: {
      tags: 'step:5',
      entry: ['forgetOrder', 'tellNoFacts'],
      invoke: {
        id: 'homeCountdown',
        src: 'countdown',
        input: ({ context }) => ({
          deadline: context.now() + limits.successPause,
          now: context.now,
        }),
        onDone: { target: 'list' },
      },
      on: { 'success.again': { target: 'preview' }, 'success.home': { target: 'list' } },
    },
    ended: { type: 'final', entry: ['tellNoFacts', 'tellEnded'] },
  },
  options: { maxIterations: 100 },
})

function status({
  event,
}: {
  event: { readonly output: { readonly code_status: CodeStatus } }
}): Status {
  return { status: event.output.code_status }
}

/** The machine with its calls: what a surface makes its actor of. */
export function downloadWith(ports: DownloadPorts): typeof downloadMachine {
  return downloadMachine.provide({ actors: downloadActors(ports) })
}

function failure({ event }: { event: { readonly error: unknown } }): Failure {
  return {
    error: event.error,
  }
}
