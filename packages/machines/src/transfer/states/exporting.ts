import { transferSetup } from '../setup.ts'

/** Chooses columns and format, and exports the list. */
export const exportingState = transferSetup.createStateConfig({
  initial: 'choosing',
  states: {
    choosing: {
      on: {
        'sheet.change': {
          actions: {
            type: 'changeSheet',
            params: ({ event: { type: _type, ...change } }) => change,
          },
        },
        'export.start': { guard: 'hasColumns', target: 'running' },
      },
    },
    running: {
      tags: 'busy',
      entry: 'beginExport',
      on: {
        'export.progress': {
          actions: {
            type: 'countReceived',
            params: ({ event }) => ({ bytes: event.bytes, rows: event.rows }),
          },
        },
        'export.cancel': { target: 'choosing' },
      },
      invoke: {
        id: 'exportSheet',
        src: 'exportSheet',
        input: ({ context }) => context.sheet,
        onDone: {
          target: 'done',
          actions: { type: 'countReceived', params: ({ event }) => event.output },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    done: { on: { 'transfer.restart': { target: 'choosing' } } },
    failed: {
      on: {
        'transfer.retry': { target: 'running' },
        'transfer.restart': { target: 'choosing' },
      },
    },
  },
})
