import { buildCountQuery } from '../query.ts'
import { listSetup } from '../setup.ts'

/** The exact number of rows, counted beside a page that told an estimate. Another filter gives it up. */
export const totalState = listSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: { always: { guard: 'wantsExact', target: 'counting' } },
    counting: {
      always: { guard: 'countsAnew', target: 'idle' },
      invoke: {
        id: 'countRows',
        src: 'countRows',
        input: ({ context }) => ({ tag: context.tag, query: buildCountQuery(context) }),
        onDone: {
          target: 'idle',
          actions: { type: 'keepTotal', params: ({ event }) => event.output },
        },
        // The estimate stays.
        onError: { target: 'idle', actions: 'leaveEstimate' },
      },
    },
  },
})
