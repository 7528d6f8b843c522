import { listSetup } from '../setup.ts'

/** Custom buttons of the toolbar and the rows, one press at a time. */
export const buttonState = listSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: {
      on: {
        'button.press': [
          {
            guard: { type: 'asksFirst', params: ({ event }) => event },
            target: 'asking',
            actions: { type: 'press', params: ({ event }) => event },
          },
          {
            guard: 'hasConfig',
            target: 'pressing',
            actions: { type: 'press', params: ({ event }) => event },
          },
        ],
      },
    },
    asking: {
      on: {
        'press.confirm': { target: 'pressing' },
        'press.cancel': { target: 'idle', actions: 'release' },
      },
    },
    pressing: {
      exit: 'release',
      invoke: {
        id: 'pressButton',
        src: 'pressButton',
        input: ({ context }) => ({
          tag: context.tag,
          code: context.pressed?.code ?? '',
          row: context.pressed?.row ?? null,
        }),
        onDone: [
          {
            guard: {
              type: 'wantsRefresh',
              params: ({ event }) => ({ refresh: event.output.refresh }),
            },
            target: 'refreshing',
            actions: { type: 'keepPress', params: ({ event }) => event.output },
          },
          {
            target: 'idle',
            actions: { type: 'keepPress', params: ({ event }) => event.output },
          },
        ],
        onError: {
          target: 'idle',
          actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    refreshing: { entry: 'askRefresh', always: { target: 'idle' } },
  },
})
