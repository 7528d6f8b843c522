import { viewsSetup } from '../setup.ts'

/** Stores the columns of the list without a view. */
export const layoutState = viewsSetup.createStateConfig({
  initial: 'kept',
  states: {
    // Columns are stored at once only without a view; those of a view are stored when it is saved.
    kept: {
      on: {
        'columns.change': [
          {
            guard: 'isPlain',
            target: 'keeping',
            actions: { type: 'arrange', params: ({ event }) => event },
          },
          { actions: { type: 'arrange', params: ({ event }) => event } },
        ],
      },
    },
    keeping: {
      entry: 'send',
      on: {
        'columns.change': { actions: { type: 'arrange', params: ({ event }) => event } },
      },
      invoke: {
        id: 'keepLayout',
        src: 'keepLayout',
        input: ({ context }) => ({ tag: context.tag, columns: context.layout }),
        onDone: [{ guard: 'hasMoved', target: 'keeping', reenter: true }, { target: 'kept' }],
        onError: { target: 'kept', actions: 'toastNotKept' },
      },
    },
  },
})
