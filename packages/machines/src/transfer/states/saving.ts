import { transferSetup } from '../setup.ts'

/** Saves files at any time: the template and the result. */
export const savingState = transferSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: {
      on: {
        'template.save': {
          target: 'running',
          actions: {
            type: 'beginSaving',
            params: ({ context }) => ({
              saving: { what: 'template' as const, tag: context.input.tag },
            }),
          },
        },
        'result.save': {
          guard: 'hasResult',
          target: 'running',
          actions: { type: 'saveResult', params: ({ event }) => event },
        },
      },
    },
    running: {
      exit: 'endSaving',
      invoke: {
        id: 'saveFile',
        src: 'saveFile',
        input: ({ context }) => context.saving ?? { what: 'template', tag: context.input.tag },
        onDone: { target: 'idle', actions: 'toastSaved' },
        onError: {
          target: 'idle',
          actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
})
