import { transferSetup } from '../setup.ts'

/** Polls a job that the server runs. A network failure stops the polling, not the job. */
export const followed = transferSetup.createStateConfig({
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
