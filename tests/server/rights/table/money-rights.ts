// The table of rights: documents that staff print, refunds, discrepancies and revocations.
import {
  bare,
  code,
  ofOrder,
  ofStudent,
  reached,
  readRecords,
  type Answer,
  type RouteRow,
  type Row,
} from '../aims.ts'
import type { RouteName } from '../world.ts'
import type { Subject, World } from '../world-types.ts'

const right = code('pay:refund')
const printed = { all: 200, foreign: 404 }

/** A list that holds the row just made, except in another school. */
const buildMoneyRow = (
  send: (world: World) => Promise<string>,
  rowsOf: (answer: Answer) => readonly Row[],
): RouteRow => ({
  right,
  aims: {
    'of the first school': {
      ok: 200,
      send: async (world) => {
        await send(world)
        return {}
      },
      answers: (answer, who: Subject) =>
        rowsOf(answer).length > 0 === (who !== 'foreign') ? null : 'it holds the wrong rows',
    },
  },
})

const discrepancy = (state: 'open' | 'settled', body: unknown): RouteRow => ({
  right,
  aims: {
    'of the first school': {
      ok: reached,
      send: async (world) => ({ params: { id: await world.discrepancy(state) }, body }),
    },
  },
})

export const moneyRights = {
  'print.studentDetail': ofStudent('print:preview'),
  'print.reports': ofStudent('print:preview'),
  'print.price': ofStudent('print:preview', true),
  'print.preview': ofStudent('print:preview', true),
  'print.order': ofStudent('print:download', true),
  'print.orderStatus': ofOrder(code('print:preview'), printed),
  'print.cancelOrder': ofOrder(code('print:download'), printed),
  'print.download': ofStudent('print:download', true),
  'print.adminDownload': ofStudent('print:download', true),
  'print.refunds': buildMoneyRow((world) => world.refund(), readRecords),
  'print.requestRefund': {
    right,
    aims: {
      // Nothing was paid for it.
      'for an order of the first school': {
        ok: { all: 409, foreign: 404 },
        send: ({ things }) => ({ body: { orderNo: things.orderNo, reason: '重复缴费' } }),
      },
    },
  },
  'print.decideRefund': {
    right,
    aims: {
      'of the first school': {
        ok: reached,
        send: async (world) => ({
          params: { id: await world.refund() },
          body: { agree: false },
        }),
      },
    },
  },
  'print.discrepancies': buildMoneyRow(
    (world) => world.discrepancy('open'),
    ({ data }) => data as readonly Row[],
  ),
  'print.reconcile': bare(right, 422),
  'print.settleDiscrepancy': discrepancy('open', { note: '线下核对' }),
  'print.checkDiscrepancy': discrepancy('settled', { agree: true }),
  'verify.revoke': {
    right: code('print:revoke'),
    aims: {
      'a document of the first school': {
        ok: reached,
        send: async (world) => ({ body: { number: await world.document(), reason: '信息有误' } }),
      },
    },
  },
} satisfies Partial<Record<RouteName, RouteRow>>
