import { downloadMachine } from '@jiaowu/machines/download/machine'
import type { Clock } from '@jiaowu/path-tests'
import * as v from 'valibot'
import { bare, modelSpec } from '../spec.ts'
import { readSampleFile } from '../sample-file.ts'
import { downloadRules } from './rules.ts'
import samplesFile from './samples.json' with { type: 'json' }
import { facts, buildPrintOrder, reports, says, student } from './samples.ts'
import { answerFailure } from '../problems.ts'
import type { MachineModel } from '../machine-model.ts'

export interface DownloadSeen {
  readonly at: string
  readonly report: string | null
  readonly price: number | null
  readonly pdf: string | null
  readonly order: string | null
  readonly reports: string
  readonly filters: string
  readonly problem: number | null
  readonly left: number | null
  readonly offers: string
}

const offered = [
  'list.refresh',
  'preview.retry',
  'preview.confirm',
  'preview.cancel',
  'pay.back',
  'pay.cancel',
  'failure.cancel',
  'failure.repay',
  'failure.check',
  'save.retry',
  'save.leave',
  'success.again',
  'success.home',
  'session.end',
] as const
const samples = readSampleFile('download/samples.json', samplesFile, {
  'filter.toggle': v.strictObject({ filter: v.picklist(['zh', 'en', 'transcript', 'proof']) }),
  'report.open': v.strictObject({ reportId: v.string() }),
  'pay.choose': v.strictObject({ method: v.picklist(['wechat', 'alipay']) }),
})
const events = {
  'list.refresh': bare,
  'filter.toggle': samples['filter.toggle'],
  'report.open': samples['report.open'],
  'preview.retry': bare,
  'preview.confirm': bare,
  'preview.cancel': bare,
  'pay.choose': samples['pay.choose'],
  'pay.back': bare,
  'pay.cancel': bare,
  'failure.cancel': bare,
  'failure.repay': bare,
  'failure.check': bare,
  'save.retry': bare,
  'save.leave': bare,
  'success.again': bare,
  'success.home': bare,
  'session.end': bare,
} as const
type Events = typeof events

const down = answerFailure(503)
// Twenty seconds to pay, so that not every path waits for 180; `long` is what the server says and the popup shortens.
const outcomes = {
  detail: { student: { ok: true, output: student }, down },
  reports: { two: { ok: true, output: reports }, down },
  price: {
    five: { ok: true, output: { REPORT_NAME: 'n1', PRINT_PRICE: 5 } },
    free: { ok: true, output: { REPORT_NAME: 'n1', PRINT_PRICE: 0 } },
    down,
  },
  preview: { pdf: { ok: true, output: 'cGRm' }, down },
  order: {
    open: { ok: true, output: buildPrintOrder('order1', '0', 20) },
    long: { ok: true, output: buildPrintOrder('order1', '0', 240) },
    paid: { ok: true, output: buildPrintOrder('order1', '1') },
    closed: { ok: true, output: buildPrintOrder('order1', '2') },
    refund: { ok: true, output: buildPrintOrder('order1', '4') },
    down,
  },
  orderStatus: { open: says('0'), paid: says('1'), closed: says('2'), refund: says('4'), down },
  cancelOrder: {
    closed: says('2'),
    closing: says('0'),
    paid: says('1'),
    refund: says('4'),
    refused: answerFailure(409, { data: { code_status: '1' } }),
    down,
  },
  download: {
    saved: { ok: true, output: undefined },
    down,
    unmade: answerFailure(409, { data: { code_status: '1', refund: 'requested' } }),
    refunded: answerFailure(409, { data: { code_status: '4' } }),
  },
} as const
type Outcomes = typeof outcomes

const readDownloadDeadline = ({ deadline }: { deadline: number }, now: number) => deadline - now
const countdown = {
  ms: (input: unknown, now: number) => readDownloadDeadline(input as { deadline: number }, now),
  left: (child: unknown) => {
    const { context } = child as { context: { deadline: number; now(): number } }
    return readDownloadDeadline(context, context.now())
  },
}
const account = '13800000001'
const fresh = ({ now }: Clock) => ({ account, facts: null, now })

interface Concern {
  readonly only: readonly (keyof Events)[] | 'all'
  readonly outcomes?: Partial<Outcomes>
  readonly starts?: Readonly<
    Record<
      string,
      (clock: Clock) => {
        account: string
        facts: ReturnType<typeof facts> | null
        now: () => number
      }
    >
  >
  readonly unhandled?: 'all' | readonly string[]
}

/** The list and its filters, as far as the preview. */
const downloadListModel = buildDownloadConcern({
  only: [
    'list.refresh',
    'filter.toggle',
    'report.open',
    'preview.retry',
    'preview.cancel',
    'session.end',
  ],
  outcomes: { price: { five: outcomes.price.five, down } as never },
})

/**
 * Explores one concern of the download at a time: filters multiplied by payment give hundreds of
 * states that differ only in hidden parts of the list.
 */
function buildDownloadConcern({ only, outcomes: fewer = {}, starts, unhandled = 'all' }: Concern) {
  return modelSpec({
    machine: downloadMachine,
    input: starts ?? fresh,
    events: Object.fromEntries(
      Object.entries(events).map(([type, cases]) => [
        type,
        only === 'all' || only.includes(type as keyof Events) ? cases : {},
      ]),
    ) as unknown as Events,
    eventsIn: () => ({}),
    outcomes: { ...outcomes, ...fewer } as Outcomes,
    timers: { payCountdown: countdown, homeCountdown: countdown },
    unhandled,
    key: (s) => {
      const c = s.context
      return JSON.stringify([
        s.value,
        c.student !== null,
        c.reports.length,
        c.outdated,
        Object.values(c.filters),
        c.report?.id ?? null,
        c.price,
        c.pdf !== null,
        c.order?.orderNo ?? null,
        c.problem?.code ?? null,
      ])
    },
    project: (s, left): DownloadSeen => {
      const c = s.context
      return {
        at: JSON.stringify(s.value) + [...s.tags].sort().join(),
        report: c.report?.id ?? null,
        price: c.price,
        pdf: c.pdf,
        order: c.order?.orderNo ?? null,
        reports: c.reports.map(({ id }) => id).join(),
        filters: Object.entries(c.filters)
          .filter(([, on]) => on)
          .map(([name]) => name)
          .join(),
        problem: c.problem?.code ?? null,
        left: left('payCountdown') ?? left('homeCountdown'),
        offers: [
          ...offered.filter((type) => s.can({ type })),
          ...(s.can({ type: 'pay.choose', method: 'wechat' }) ? ['wechat'] : []),
          ...(s.can({ type: 'pay.choose', method: 'alipay' }) ? ['alipay'] : []),
          ...(s.can({ type: 'report.open', reportId: '1' }) ? ['open'] : []),
        ].join(),
      }
    },
  })
}

const payEvents = [
  'report.open',
  'preview.confirm',
  'preview.cancel',
  'pay.choose',
  'pay.back',
  'pay.cancel',
  'failure.cancel',
  'failure.repay',
  'failure.check',
  'save.retry',
  'save.leave',
  'success.again',
  'success.home',
  'session.end',
] as const
const smooth = {
  detail: { student: outcomes.detail.student } as never,
  reports: { two: outcomes.reports.two } as never,
  preview: { pdf: outcomes.preview.pdf } as never,
}
/** From the preview through payment to the file and back. */
export const downloadPayModel = buildDownloadConcern({
  only: payEvents,
  outcomes: { ...smooth, price: { five: outcomes.price.five } as never },
})
/** A document that costs nothing. */
const downloadFreeModel = buildDownloadConcern({
  only: [
    'report.open',
    'preview.confirm',
    'preview.cancel',
    'pay.choose',
    'pay.back',
    'failure.cancel',
    'failure.repay',
    'save.retry',
    'save.leave',
    'success.again',
    'success.home',
    'session.end',
  ],
  outcomes: {
    ...smooth,
    price: { free: outcomes.price.free } as never,
    order: { paid: outcomes.order.paid, closed: outcomes.order.closed, down } as never,
  },
})
/** A reload: with an order that is open, that ran out meanwhile, that is paid, that is somebody else's. */
export const downloadResumeModel = buildDownloadConcern({
  only: [
    'preview.cancel',
    'pay.choose',
    'pay.back',
    'pay.cancel',
    'failure.cancel',
    'failure.repay',
    'failure.check',
    'save.retry',
    'save.leave',
    'session.end',
  ],
  outcomes: {
    ...smooth,
    price: { five: outcomes.price.five } as never,
    order: { open: outcomes.order.open } as never,
    orderStatus: {
      open: outcomes.orderStatus.open,
      paid: outcomes.orderStatus.paid,
      down,
    } as never,
    cancelOrder: {
      closed: outcomes.cancelOrder.closed,
      refused: outcomes.cancelOrder.refused,
    } as never,
  },
  starts: {
    open: ({ now }) => ({ account, facts: facts(now() + 20_000, false), now }),
    over: ({ now }) => ({ account, facts: facts(now(), false), now }),
    paid: ({ now }) => ({ account, facts: facts(now() + 20_000, true), now }),
    foreign: ({ now }) => ({ account, facts: facts(now() + 20_000, false, '13800000002'), now }),
  },
})

const disjoint = "an order has one status: the order of the questions about it is nobody's business"
const swaps = [
  'ordering onDone order[2] and [3]',
  'ordering onDone order[3] and [4]',
  'scanPay.checking onDone orderStatus[0] and [1]',
  'scanPay.checking onDone orderStatus[1] and [2]',
  'closing.call.cancelling onDone cancelOrder[1] and [2]',
  'closing.call.asking onDone orderStatus[1] and [2]',
  'closing.call.asking onDone orderStatus[2] and [3]',
] as const
const survivors = {
  ...Object.fromEntries(swaps.map((swap) => [`download.${swap} swapped`, disjoint])),
  'download.failed starts in closed': 'every way into it names its state',
}

export const downloadModels: MachineModel<DownloadSeen> = {
  parts: {
    pay: downloadPayModel,
    list: downloadListModel,
    free: downloadFreeModel,
    resume: downloadResumeModel,
  },
  rules: downloadRules,
  survivors,
}
