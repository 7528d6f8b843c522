import { listSetup } from '../setup.ts'

const confirming = listSetup.createStateConfig({
  on: {
    'delete.confirm': { target: 'deleting' },
    'delete.cancel': [
      {
        guard: 'isOutdated',
        target: '#entityList.list.ready.loading',
        actions: ['clearSelection', 'countAnew'],
      },
      { target: '#entityList.list.ready.shown', actions: 'clearSelection' },
    ],
  },
})

const deleting = listSetup.createStateConfig({
  invoke: {
    id: 'removeRows',
    src: 'removeRows',
    input: ({ context }) => ({ tag: context.tag, ids: context.pendingDeletion }),
    onDone: {
      target: '#entityList.list.ready.loading',
      actions: [
        {
          type: 'keepDeleted',
          params: ({ event }) => ({ deleted: event.output.deleted }),
        },
        'clearSelection',
        'countAnew',
      ],
    },
    onError: [
      {
        guard: 'isOutdated',
        target: '#entityList.list.ready.loading',
        actions: [
          { type: 'toastProblem', params: ({ event }) => ({ error: event.error }) },
          'countAnew',
        ],
      },
      {
        target: '#entityList.list.ready.shown',
        actions: {
          type: 'toastProblem',
          params: ({ event }) => ({ error: event.error }),
        },
      },
    ],
  },
})

/**
 * A deletion that is asked about or carried out. The rows must not change under the question, so
 * this state takes none of the events of `ready` that change them; a reload waits until it ends.
 */
export const deletionState = listSetup.createStateConfig({
  tags: 'shown',
  initial: 'confirming',
  on: {
    'row.saved': { actions: 'outdate' },
    'list.refresh': { actions: 'outdate' },
  },
  states: { confirming, deleting },
})
