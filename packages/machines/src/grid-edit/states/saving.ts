import { buildSaveBatch } from '../edits/edits.ts'
import { gridSetup } from '../setup.ts'

/**
 * Saves changed rows in rounds: rows side by side, a row never twice at a time. Without an answer
 * everything is kept and sent again.
 */
export const savingState = gridSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: { always: { guard: 'hasWaiting', target: 'writing' } },
    writing: {
      entry: 'takeBatch',
      invoke: {
        id: 'saveRows',
        src: 'saveRows',
        input: ({ context }) => ({ tag: context.tag, rows: buildSaveBatch(context.edits) }),
        onDone: [
          {
            guard: { type: 'hasLost', params: ({ event }) => ({ answers: event.output }) },
            target: 'offline',
            actions: { type: 'settle', params: ({ event }) => ({ answers: event.output }) },
          },
          {
            target: 'idle',
            actions: { type: 'settle', params: ({ event }) => ({ answers: event.output }) },
          },
        ],
        onError: {
          target: 'offline',
          actions: [
            { type: 'settle', params: { answers: [] } },
            { type: 'keepSaveProblem', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
    offline: {
      after: { GRID_RETRY: { target: 'idle' } },
      on: { 'grid.retry': { target: 'idle' } },
    },
  },
})
