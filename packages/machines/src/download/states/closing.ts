import { downloadSetup, keepProblem, status, tellProblem } from '../setup.ts'

/** Closes the order and waits for the server's answer; the region `wish` holds where to go afterwards. */
export const closingState = downloadSetup.createStateConfig({
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
              // The provider has not confirmed the closing: the order may be paid at this moment.
              {
                guard: { type: 'isOpen', params: status },
                target: '#download.failed.unconfirmed',
              },
              { target: '#download.failed.timedOut' },
            ],
            // Refused or unanswered: ask for the status once.
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
})
