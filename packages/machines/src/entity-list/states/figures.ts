import { buildFiguresQuery } from '../query.ts'
import { listSetup } from '../setup.ts'

/** Groups and footers of all rows that match, beside the rows themselves. */
export const figuresState = listSetup.createStateConfig({
  initial: 'idle',
  on: {
    'figures.ask': [
      { guard: 'wantsFigures', target: '.loading' },
      { target: '.idle', actions: 'clearFigures' },
    ],
  },
  states: {
    idle: {},
    loading: {
      invoke: {
        id: 'loadFigures',
        src: 'loadFigures',
        input: ({ context }) => ({ tag: context.tag, query: buildFiguresQuery(context) }),
        onDone: {
          target: 'idle',
          actions: { type: 'keepFigures', params: ({ event }) => ({ page: event.output }) },
        },
        onError: {
          target: 'idle',
          actions: [
            'clearFigures',
            { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
  },
})
