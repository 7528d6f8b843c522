import { chosenBlocks } from '../selection/selecting.ts'
import { gridSetup } from '../setup.ts'

/** Loads what a change or a copy of many cells is about, which then goes on. */
export const fetchingState = gridSetup.createStateConfig({
  tags: 'busy',
  on: { 'fetch.cancel': { target: 'selecting', actions: 'dropPending' } },
  invoke: {
    id: 'loadRows',
    src: 'loadRows',
    input: ({ context }) => ({ tag: context.tag, query: context.query, ...chosenBlocks(context) }),
    onDone: {
      target: 'selecting',
      actions: [{ type: 'keepRows', params: ({ event }) => event.output }, 'goOn'],
    },
    onError: {
      target: 'selecting',
      actions: [
        'dropPending',
        { type: 'sayFailed', params: ({ event }) => ({ error: event.error }) },
      ],
    },
  },
})

/** Loads the blocks in sight, one at a time. */
export const blocksState = gridSetup.createStateConfig({
  initial: 'idle',
  on: {
    'rows.need': { actions: { type: 'see', params: ({ event }) => event } },
    'query.change': {
      target: '.idle',
      actions: { type: 'keepQuery', params: ({ event }) => event },
    },
    // Leaving `loading` aborts the call: its answer may be of before the change.
    'grid.refresh': { target: '.idle', actions: 'outdate' },
  },
  states: {
    idle: { always: { guard: 'wantsBlock', target: 'loading', actions: 'askBlock' } },
    loading: {
      invoke: {
        id: 'loadBlock',
        src: 'loadBlock',
        input: ({ context: { tag, query, asked, isCounted } }) => ({
          tag,
          query,
          block: asked,
          withTotal: !isCounted,
        }),
        onDone: {
          target: 'idle',
          actions: { type: 'keepBlock', params: ({ event }) => event.output },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    // Unlike a refresh this leaves the cell alone that is being edited.
    failed: { on: { 'grid.retry': { target: 'idle' } } },
  },
})

/** The exact number of rows, counted beside the blocks. Another query gives it up. */
export const totalState = gridSetup.createStateConfig({
  initial: 'idle',
  states: {
    idle: { always: { guard: 'wantsExact', target: 'counting' } },
    counting: {
      always: { guard: 'countsAnew', target: 'idle' },
      invoke: {
        id: 'countRows',
        src: 'countRows',
        input: ({ context: { tag, query } }) => ({ tag, query }),
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
