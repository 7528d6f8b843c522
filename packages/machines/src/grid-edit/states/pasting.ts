import { revertOf } from '../edits/history.ts'
import { gridSetup } from '../setup.ts'

/** A change of many cells: checked, shown, then written by one job. */
export const pastingState = gridSetup.createStateConfig({
  tags: 'asking',
  initial: 'checking',
  states: {
    checking: {
      tags: 'busy',
      on: { 'paste.cancel': { target: '#gridEdit.table.ready.selecting', actions: 'dropPaste' } },
      invoke: {
        id: 'checkPaste',
        src: 'checkPaste',
        input: ({ context: { tag, query, paste } }) => ({ tag, query, rows: paste?.rows ?? [] }),
        onDone: {
          target: 'reviewing',
          actions: { type: 'keepCheck', params: ({ event }) => event.output },
        },
        onError: {
          target: '#gridEdit.table.ready.selecting',
          actions: [
            'dropPaste',
            { type: 'sayFailed', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
    reviewing: {
      on: {
        'paste.confirm': { guard: 'hasWork', target: 'writing' },
        'paste.cancel': { target: 'dropping' },
      },
    },
    writing: {
      tags: 'busy',
      invoke: {
        id: 'writePaste',
        src: 'writePaste',
        input: ({ context }) => ({ jobId: context.check?.jobId ?? '' }),
        onDone: {
          target: '#gridEdit.table.ready.selecting',
          actions: [
            { type: 'recordPaste', params: ({ event }) => event.output },
            'tellHistory',
            { type: 'sayPasted', params: ({ event }) => event.output },
            'tellStored',
            'askRefresh',
          ],
        },
        onError: {
          target: '#gridEdit.table.ready.selecting',
          actions: [
            'dropPaste',
            { type: 'sayFailed', params: ({ event }) => ({ error: event.error }) },
            'askRefresh',
          ],
        },
      },
    },
    dropping: {
      tags: 'busy',
      invoke: {
        id: 'dropPaste',
        src: 'dropPaste',
        input: ({ context }) => ({ jobId: context.check?.jobId ?? '' }),
        // A job that is not dropped writes nothing and is deleted after a day.
        onDone: { target: '#gridEdit.table.ready.selecting', actions: 'dropPaste' },
        onError: { target: '#gridEdit.table.ready.selecting', actions: 'dropPaste' },
      },
    },
  },
})

export const revertingState = gridSetup.createStateConfig({
  tags: 'busy',
  invoke: {
    id: 'revertRows',
    src: 'revertRows',
    input: ({ context: { tag, reverting } }) => ({
      tag,
      ...(reverting === null
        ? { write: [], remove: [] }
        : revertOf(reverting.action, reverting.to)),
    }),
    onDone: {
      target: 'selecting',
      actions: [
        { type: 'recordRevert', params: ({ event }) => event.output },
        'tellHistory',
        'sayReverted',
        'tellStored',
        'askRefresh',
      ],
    },
    onError: {
      target: 'selecting',
      actions: [
        'endRevert',
        { type: 'sayFailed', params: ({ event }) => ({ error: event.error }) },
        'askRefresh',
      ],
    },
  },
})
