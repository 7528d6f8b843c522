import { downloadSetup, keepProblem, status } from '../setup.ts'

/** Shows the QR code and polls the order until it is paid or the time is up. */
export const scanPayState = downloadSetup.createStateConfig({
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
        // A network failure does not end an order: show it, and poll again in a second.
        onError: { target: 'waiting', actions: keepProblem },
      },
    },
    waiting: { after: { POLL: { target: 'checking' } } },
  },
})
