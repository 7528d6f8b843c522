import { and } from 'xstate'
import { isOpenStatus } from '../context.ts'
import { downloadSetup, keepProblem, status, tellProblem } from '../setup.ts'

/** Creates the order; free reports are saved at once. */
export const orderingState = downloadSetup.createStateConfig({
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
        guard: and(['isUnwanted', ({ event }) => isOpenStatus(event.output.code_status)]),
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
    // An order request is never abandoned: the order it creates must be closed. Signing out waits
    // for that only until PATIENCE ends.
    unwanted: { on: { 'session.end': {} }, after: { PATIENCE: { target: '#download.ended' } } },
  },
})
