import { planRevert } from '../edits/history.ts'
import { gridSetup } from '../setup.ts'

/** A change of many cells: checked, shown, then written by one job. */
export const pastingState = gridSetup.createStateConfig({
  tags: 'asking',
  initial: 'checking',
  states: {
    matching: {
      tags: 'busy',
      on: { 'paste.cancel': { target: '#gridEdit.table.ready.selecting', actions: 'dropPaste' } },
      invoke: {
        id: 'findRows',
        src: 'findRows',
        input: ({ context }) => ({
          tag: context.tag,
          query: context.query,
          total: context.total ?? 0,
          asks: context.finding?.parts.slice(context.finding.answered).slice(0, 1) ?? [],
        }),
        onDone: [
          {
            guard: { type: 'hasMoreParts', params: ({ event }) => event.output },
            target: 'matching',
            reenter: true,
            actions: { type: 'keepFound', params: ({ event }) => event.output },
          },
          {
            target: 'matched',
            actions: [
              { type: 'keepFound', params: ({ event }) => event.output },
              { type: 'keepMatch', params: ({ event }) => event.output },
            ],
          },
        ],
        onError: {
          target: '#gridEdit.table.ready.selecting',
          actions: [
            'dropPaste',
            { type: 'sayFailed', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
    matched: {
      always: [
        { guard: 'hasOpenLines', target: 'settling' },
        { guard: 'hasLines', target: 'checking', actions: 'draftMatch' },
        { target: '#gridEdit.table.ready.selecting', actions: ['dropPaste', 'sayNothing'] },
      ],
    },
    // Lines without a row, or with another's: nothing is written until they are decided on.
    settling: {
      on: {
        'line.settle': { actions: { type: 'settleLine', params: ({ event }) => event } },
        'lines.settle': { actions: { type: 'settleLines', params: ({ event }) => event } },
        'line.correct': {
          target: 'matching',
          actions: { type: 'correct', params: ({ event }) => event },
        },
        'paste.confirm': { guard: 'isSettled', target: 'checking', actions: 'draftMatch' },
        'paste.cancel': { target: '#gridEdit.table.ready.selecting', actions: 'dropPaste' },
      },
    },
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
        input: ({ context }) => ({ jobId: context.check?.jobId ?? null }),
        onDone: {
          target: '#gridEdit.table.ready.selecting',
          actions: [
            'sayRefused',
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
        input: ({ context }) => ({ jobId: context.check?.jobId ?? null }),
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
        : planRevert(reverting.action, reverting.to)),
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
