import { transferSetup } from '../setup.ts'

/** Sends `context.request`: another check, or the start of writing. */
export const sendingState = transferSetup.createStateConfig({
  tags: 'busy',
  invoke: {
    id: 'resumeJob',
    src: 'resumeJob',
    input: ({ context }) =>
      context.request ?? {
        id: context.id ?? '',
        choices: {},
        mapping: null,
        fixed: null,
        reading: null,
        mend: null,
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
})

/** Cancels the job. */
export const cancellingState = transferSetup.createStateConfig({
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
})
