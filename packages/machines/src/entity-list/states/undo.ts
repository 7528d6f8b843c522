import { listSetup } from '../setup.ts'

/** Takes the last deletion or press back, while its message offers it. */
export const undoState = listSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: {
      on: {
        'undo.press': {
          guard: { type: 'isLast', params: ({ event }) => event },
          target: 'undoing',
        },
      },
    },
    undoing: {
      exit: 'forgetUndo',
      invoke: {
        id: 'undoLast',
        src: 'undoLast',
        input: ({ context }) => ({
          tag: context.tag,
          undo: context.undo ?? { do: 'restore', ids: [] },
        }),
        onDone: { target: 'refreshing', actions: 'toastUndone' },
        onError: {
          target: 'refreshing',
          actions: { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    refreshing: { entry: 'askRefresh', always: { target: 'idle' } },
  },
})
